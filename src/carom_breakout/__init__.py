"""The tutorial's Breakout, whole: rules without pixels, and a window around them."""
