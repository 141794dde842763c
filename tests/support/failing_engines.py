"""Adapters of engines that fail in each way, for the tests of the conformance suite's processes."""

from __future__ import annotations

import os
import signal
import time

from carom_conformance.engine import Engine
from carom_conformance.shapes import Shape


class Crashes(Engine):
    def intersects(self, a: Shape, b: Shape) -> bool:
        os.kill(os.getpid(), signal.SIGSEGV)
        return False


class Hangs(Engine):
    def intersects(self, a: Shape, b: Shape) -> bool:
        while True:
            time.sleep(0.01)


class Grows(Engine):
    def intersects(self, a: Shape, b: Shape) -> bool:
        return len(bytearray(1 << 40)) > 0


class Leaves(Engine):
    def intersects(self, a: Shape, b: Shape) -> bool:
        os._exit(3)


class Raises(Engine):
    def intersects(self, a: Shape, b: Shape) -> bool:
        raise ZeroDivisionError("a word")


class Prints(Engine):
    def intersects(self, a: Shape, b: Shape) -> bool:
        print("noise")
        return True
