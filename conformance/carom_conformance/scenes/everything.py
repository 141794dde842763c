"""Import all scenes, for the process that the scenes' processes are forked from."""

from carom_conformance.registry import all_scenes

all_scenes()
