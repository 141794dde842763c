"""Worlds of bodies that neither turn nor rub unless they are told to: closed forms hold for their motion."""

from __future__ import annotations

from typing import Any

import carom as cm


class SmoothWorld(cm.World):
    """A World whose bodies do not turn and have no friction, by default."""

    def add(self, shape: Any, **settings: Any) -> cm.Body:
        """Put in a body."""
        return super().add(shape, **{"friction": 0.0, "turns": False} | settings)

    def add_many(self, shapes: Any, **settings: Any) -> list[cm.Body]:
        """Put in many."""
        return super().add_many(shapes, **{"friction": 0.0, "turns": False} | settings)
