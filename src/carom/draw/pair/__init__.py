"""A pair of shapes and what explains it, drawn: the layers of `picture`, and the pictures of `explain`."""
