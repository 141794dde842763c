"""The state of the playground: the scene, the way back, the selected shape, the step and the axis that are shown.

In: edits and choices, by name. Out: the next state, changed in place; an edit that makes no shape leaves the scene as
it is and says why in `message`. No pixels and no events here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from carom import ConvexShape, Vec
from carom.draw.pair import Facts, axis_of, facts_of
from carom_playground import edit
from carom_playground.gallery import GALLERY, TITLES, named
from carom_playground.scene import STILL, Point2, Scene
from carom_playground.story import Step, steps

KEPT = 500  # scenes that can be gone back to


class State:
    """A scene being looked at and changed.

    Parameters
    ----------
    scene : the one shown first.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.selected: int | None = None if scene.pair is None else scene.pair[1]
        self.step: int | None = None
        self.axis: int | None = None
        self.counting = False
        self.safe = False
        self.corners = False
        self.magnifying = True
        self.adding = False
        self.helping = False
        self.message = ""
        self._past: list[Scene] = []
        self._future: list[Scene] = []
        self._before: Scene | None = None

    @property
    def facts(self) -> Facts:
        """The answers of the verbs about the scene."""
        return facts_of(self.scene)

    @property
    def shown_axis(self) -> int:
        """The number of the separating axis that is shown."""
        why = self.facts.why
        return 0 if why is None else axis_of(why, self.axis)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the layered test of the pair; none without a pair."""
        return () if self.facts.why is None else steps(self.facts.why)

    @property
    def present_step(self) -> Step | None:
        """The step that is shown."""
        found = self.steps
        return None if self.step is None or not found else found[min(self.step, len(found) - 1)]

    @property
    def is_asking(self) -> bool:
        """Whether a step is shown that comes before the answer, so that nothing may tell it yet."""
        return self.step is not None and bool(self.steps) and self.step < len(self.steps) - 1

    @property
    def tests_axes(self) -> bool:
        """Whether the step that is shown compares the shapes along axes."""
        step = self.present_step
        return step is not None and "axes" in step.heading

    @property
    def chosen(self) -> ConvexShape | None:
        """The selected shape."""
        return None if self.selected is None else self.scene.shapes[self.selected]

    def show(self, scene: Scene) -> None:
        """Take another scene and forget the step and the axis of the old one; `undo` goes back to it."""
        self._remember(self.scene)
        self._take(scene)
        self.selected = None if scene.pair is None else scene.pair[1]
        self.step = self.axis = None

    def show_next(self, by: int) -> str:
        """Show the next or the previous scene of the gallery, and return its name."""
        names = list(GALLERY)
        title = self.scene.title
        now = TITLES.index(title) if title in TITLES else 0 if by < 0 else -1
        name = names[(now + by) % len(names)]
        self.show(named(name))
        return name

    def change(self, scene: Scene) -> None:
        """Take a changed scene; within a gesture only the whole of it can be undone."""
        if scene == self.scene:
            return
        if self._before is None:
            self._remember(self.scene)
        self._take(scene)

    def begin(self) -> None:
        """Begin a gesture: all changes up to `end` are undone at once."""
        self._before = self.scene

    def end(self) -> None:
        """End a gesture."""
        before, self._before = self._before, None
        if before is not None and (before.shapes, before.motion) != (self.scene.shapes, self.scene.motion):
            self._remember(before)

    def undo(self) -> bool:
        """Go back to the scene before; False if there is none."""
        return self._swap(self._past, self._future)

    def redo(self) -> bool:
        """Go forward again; False if there is nothing to redo."""
        return self._swap(self._future, self._past)

    def _swap(self, source: list[Scene], other: list[Scene]) -> bool:
        if not source:
            return False
        other.append(self.scene)
        scene = source.pop()
        if scene.title == self.scene.title:  # layers are switched, not edited: they stay as they are
            scene = replace(scene, layers=self.scene.layers)
        self._take(scene)
        return True

    def _remember(self, scene: Scene) -> None:
        self._past.append(scene)
        del self._past[:-KEPT]
        self._future.clear()

    def _take(self, scene: Scene) -> None:
        self.scene = scene
        if self.selected is not None and self.selected >= len(scene.shapes):
            self.selected = None
        if self.step is not None and self.facts.why is None:
            self.step = None

    def select(self, row: int | None) -> None:
        """Select a shape; a third one becomes B, and the old B becomes A."""
        self.selected = row
        if row is not None:
            self._take(self.scene.looking_at(row))

    def exchange(self) -> None:
        """Exchange A and B."""
        self._take(self.scene.exchanged())

    def add(self, kind: str, at: Point2, size: float) -> None:
        """Add a shape and select it."""
        if self._try(lambda: self.scene.with_new(edit.new_shape(kind, at, size))):
            self.selected = len(self.scene.shapes) - 1

    def delete(self) -> None:
        """Delete the selected shape."""
        if self.selected is not None:
            row, self.selected = self.selected, None
            self.change(self.scene.without(row))

    def edit(self, change: Callable[[ConvexShape], ConvexShape]) -> None:
        """Put the shape that `change` makes of the selected one in its place."""
        row = self.selected
        if row is not None:
            self._try(lambda: self.scene.with_shape(row, change(self.scene.shapes[row])))

    def move(self, by: Vec) -> None:
        """Move the selected shape."""
        self.edit(lambda shape: shape.translated(by))

    def turn(self, angle: float) -> None:
        """Turn the selected shape about its position."""
        self.edit(lambda shape: shape.rotated(angle))

    def scale(self, factor: float) -> None:
        """Grow or shrink the selected shape about its position."""
        self.edit(lambda shape: edit.scaled(shape, factor))

    def aim(self, motion: Vec) -> None:
        """Set the motion that A is about to make, and show it."""
        self.change(replace(self.scene, motion=motion, layers=self.scene.layers | {"motion"}))

    def switch(self, layer: str) -> None:
        """Switch a layer on or off; a first motion is made up."""
        scene = self.scene.with_layer(layer)
        if layer == "motion" and layer in scene.layers and scene.motion == STILL and scene.pair is not None:
            # Past B's middle, so that the handle at its end does not lie on B's own.
            scene = replace(scene, motion=(scene.b.position - scene.a.position) * 1.35)
        self._take(scene)

    def flip(self, what: Literal["corners", "counting", "safe", "magnifying", "adding", "helping"]) -> None:
        """Switch handles of corners, counts, colours, the magnifier, the list of kinds or that of keys on or off."""
        setattr(self, what, not getattr(self, what))

    def go(self, by: int) -> None:
        """Go to the next or the previous step of the layered test; before the first it is not shown."""
        count = len(self.steps)
        if count:
            now = -1 if self.step is None else self.step
            after = min(now + by, count - 1)
            self.step = None if after < 0 else after

    def next_axis(self, by: int) -> None:
        """Show the next separating axis, or the previous one; those that are left out as parallel are passed over."""
        why = self.facts.why
        if why is not None:
            listed = [number for number, axis in enumerate(why.axes) if axis.parallel_to is None]
            self.axis = listed[(listed.index(self.shown_axis) + by) % len(listed)]
            if "axes" not in self.scene.layers:
                self.switch("axes")

    def _try(self, make: Callable[[], Scene]) -> bool:
        try:
            self.change(make())
        except ValueError as refusal:
            self.message = str(refusal)
            return False
        self.message = ""
        return True
