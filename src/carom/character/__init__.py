"""One shape that moves among others: `move` along a way, and a character that walks, climbs, jumps and rides."""
