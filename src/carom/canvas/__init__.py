"""One description of a picture, and thin back ends that put it on a page."""
