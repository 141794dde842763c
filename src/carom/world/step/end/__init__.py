"""The end of a step: what is deep is opened or goes back, what rests sleeps."""
