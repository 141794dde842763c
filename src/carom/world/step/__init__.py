"""A step of a world: kernels over its tables, which know nothing of handles and names (docs/design/world.md)."""
