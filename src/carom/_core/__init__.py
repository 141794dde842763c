"""The ground of all rooms: compiling, checks of arguments, threads, and arithmetic with known rounding errors."""
