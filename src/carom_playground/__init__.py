"""The playground: see why shapes collide, in a window, as a picture or as a page for the browser."""
