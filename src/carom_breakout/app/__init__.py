"""The game on a screen: launching, the window, two games side by side, sound, and playing without a display."""
