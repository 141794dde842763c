"""Shapes: values, sets of them, compounds and outlines, and the proxy by which every kernel reads one."""
