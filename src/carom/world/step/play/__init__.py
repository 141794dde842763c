"""The event queue: free bodies, and everything against what cannot be moved, impact by impact."""
