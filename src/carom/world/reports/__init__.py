"""What a world tells: hits, contacts, overlaps, how bodies move and look."""
