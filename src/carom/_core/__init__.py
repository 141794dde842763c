"""What every room builds on: compiling, checks of arguments, threads, and arithmetic with known rounding errors."""
