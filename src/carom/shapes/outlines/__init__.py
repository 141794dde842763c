"""Outlines: cleaned, cut into convex parts, traced from pixels, and which of their edges lie outside."""
