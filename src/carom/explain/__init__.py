"""Why two shapes meet or do not: the levels of the question, the axes that part them, a picture and a table."""
