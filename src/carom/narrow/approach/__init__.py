"""How near discs come that move evenly, each in a time of its own."""
