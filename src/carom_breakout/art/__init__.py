"""The game's pictures: from a state of the rules to pixels, particles, letters and films."""
