"""How bodies come, change and go between steps."""
