"""The ground of all subpackages: compiling, checks of arguments, threads, and arithmetic with known rounding errors."""
