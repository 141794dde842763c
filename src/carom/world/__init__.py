"""Things that move: a world of bodies stepped as ordered events, in which nothing passes through anything."""
