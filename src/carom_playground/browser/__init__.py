"""The live page: a scene in the browser, with Carom's own kernels as WebAssembly."""
