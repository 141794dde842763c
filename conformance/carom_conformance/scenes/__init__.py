"""The scenes, by subject; importing a module registers its scenes."""
