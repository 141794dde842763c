"""Numba's lowering, made shorter: what kernels do most is written out in as few of LLVM's instructions as it needs.

In: nothing. Out: the class that writes out a function. Numba writes 35 instructions to look up `bodies[number]`, 40 for
a loop over `range(n)` and 15 after each call. LLVM makes the same code of either, but reading, linking and
simplifying the long form was half of the time of a compile.
"""

from __future__ import annotations

import collections
import functools
import importlib
from typing import Any

from .numba_or_none import numba

DATA, SHAPE = 4, 5
"""Members of Numba's array that an item is found by."""
MEMBERS = {"pair_first": 0, "pair_second": 1}


@functools.cache
def lowering_class() -> type:
    """Return the class that writes out a function."""
    types, arrayobj = numba.types, importlib.import_module("numba.np.arrayobj")
    alloca_once = numba.core.cgutils.alloca_once
    lowering = importlib.import_module("numba.core.lowering")
    llvm, ir = importlib.import_module("llvmlite.ir"), numba.core.ir
    scalars = (types.Number, types.Boolean)
    pairs = (types.Pair(types.int64, types.boolean),)
    counters = {types.range_state64_type: types.range_iter64_type}

    class Lower(lowering.Lower):  # type: ignore[misc, name-defined]
        def init(self) -> None:
            super().init()
            self._ranges: dict[Any, tuple[Any, Any]] = {}  # ranges with step 1 made in this function: first and end
            self._known: dict[str, Any] = {}  # values of variables that are assigned once, as the function begins
            self._assigned_once = set() if self.context.enable_nrt else self._find_assigned_once()

        # Variables: without references to count, no old value is of interest.

        def _find_assigned_once(self) -> set[str]:
            count, blocks = collections.Counter[str](), self.func_ir.blocks
            for block in blocks.values():
                count.update(one.target.name for one in block.find_insts(ir.Assign))
            first = blocks[min(blocks)].find_insts(ir.Assign)
            return {one.target.name for one in first if count[one.target.name] == 1}

        def _alloca_var(self, name: str, fetype: Any) -> None:
            if name not in self._assigned_once:
                super()._alloca_var(name, fetype)

        def loadvar(self, name: str) -> Any:
            return self._known[name] if name in self._known else super().loadvar(name)

        def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
            if name in self._assigned_once:
                self._known[name] = value
            elif self.context.enable_nrt or argidx is not None or name in self._singly_assigned_vars:
                super().storevar(value, name, argidx)
            else:
                self._alloca_var(name, self.typeof(name))
                self.builder.store(value, self.getvar(name))

        def delvar(self, name: str) -> None:
            if self.context.enable_nrt:
                super().delvar(name)

        def lower_assign(self, ty: Any, inst: Any) -> Any:
            if isinstance(ty, types.Dispatcher) and isinstance(inst.value, ir.Global | ir.FreeVar):
                return self.context.get_dummy_value()  # the call names the function
            return super().lower_assign(ty, inst)

        # Items of arrays.

        def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
            kind = self.typeof(value.name)
            if resty == getattr(kind, "dtype", None) and self._is_item(kind, self.typeof(index.name)):
                place = self._place(kind, self.loadvar(value.name), self._numbers(index.name))
                return arrayobj.load_item(self.context, self.builder, kind, place)
            return super().lower_getitem(resty, expr, value, index, signature)

        def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
            kind = self.typeof(target_var.name)
            if self._is_item(kind, self.typeof(index_var.name)) and isinstance(kind.dtype, scalars):
                place = self._place(kind, self.loadvar(target_var.name), self._numbers(index_var.name))
                value, given = self.loadvar(value_var.name), self.typeof(value_var.name)
                value = self.context.cast(self.builder, value, given, kind.dtype)
                arrayobj.store_item(self.context, self.builder, kind, value, place)
                return None
            return super().lower_setitem(target_var, index_var, value_var, signature)

        def _is_item(self, kind: Any, index: Any) -> bool:
            """Tell whether numbers find one item of an array, whose items lie one behind the other."""
            if not isinstance(kind, types.Array) or kind.layout != "C" or self.context.enable_boundscheck:
                return False
            numbers = index.types if isinstance(index, types.BaseTuple) else (index,)
            return len(numbers) == kind.ndim and all(isinstance(one, types.Integer) for one in numbers)

        def _numbers(self, name: str) -> list[tuple[Any, Any]]:
            """Return the numbers that a variable holds, one or a tuple of them, each with its type."""
            kind, value = self.typeof(name), self.loadvar(name)
            if not isinstance(kind, types.BaseTuple):
                return [(value, kind)]
            return [(self.builder.extract_value(value, k), one) for k, one in enumerate(kind.types)]

        def _place(self, kind: Any, array: Any, numbers: list[tuple[Any, Any]]) -> Any:
            """Return the address of an item; negative numbers count from the end, as everywhere."""
            builder, at = self.builder, None
            for k, (number, given) in enumerate(numbers):
                wanted = types.intp if given.signed else types.uintp
                number = self.context.cast(builder, number, given, wanted)
                length = None
                if k > 0:
                    length = builder.extract_value(array, (SHAPE, k))
                    at = builder.mul(at, length)
                if given.signed and not (isinstance(number, llvm.Constant) and number.constant >= 0):
                    length = builder.extract_value(array, (SHAPE, k)) if length is None else length
                    behind = builder.icmp_signed("<", number, number.type(0))
                    number = builder.select(behind, builder.add(number, length), number)
                at = number if at is None else builder.add(at, number)
            return builder.gep(builder.extract_value(array, DATA), [at])

        # Loops over ranges with step 1.

        def lower_expr(self, resty: Any, expr: Any) -> Any:
            if expr.op == "call" and resty in counters and len(expr.args) < 3 and not expr.kws and not expr.vararg:
                return self._range_of([(self.loadvar(one.name), self.typeof(one.name)) for one in expr.args])
            if expr.op == "getiter" and resty in counters.values():
                bounds = self._ranges.get(self.loadvar(expr.value.name))
                if bounds is not None:
                    return self._count(resty, *bounds)
            if expr.op == "iternext" and self.typeof(expr.value.name) in counters.values():
                return self._next_of(self.loadvar(expr.value.name))
            if expr.op in MEMBERS and self.typeof(expr.value.name) in pairs:
                return self.builder.extract_value(self.loadvar(expr.value.name), MEMBERS[expr.op])
            if expr.op == "static_getitem" and isinstance(expr.index, int) and expr.index >= 0:
                kind = self.typeof(expr.value.name)
                if resty == getattr(kind, "dtype", None) and self._is_item(kind, types.intp):
                    number = self.context.get_constant(types.intp, expr.index)
                    place = self._place(kind, self.loadvar(expr.value.name), [(number, types.intp)])
                    return arrayobj.load_item(self.context, self.builder, kind, place)
            return super().lower_expr(resty, expr)

        def _range_of(self, given: list[tuple[Any, Any]]) -> Any:
            """Return a range of Numba's: its first number, its end and its step."""
            given = [(self.context.get_constant(types.int64, 0), types.int64), *given][-2:]
            first, end = (self.context.cast(self.builder, one, kind, types.int64) for one, kind in given)
            made = llvm.Constant(self.context.get_value_type(types.range_state64_type), [None, None, first.type(1)])
            made = self.builder.insert_value(self.builder.insert_value(made, first, 0), end, 1)
            self._ranges[made] = first, end
            return made

        def _count(self, resty: Any, first: Any, end: Any) -> Any:
            """Return an iterator of Numba's: where the next number is, the end, the step, and where the count is."""
            builder = self.builder
            number, count = alloca_once(builder, first.type), alloca_once(builder, first.type)
            builder.store(first, number)
            many = builder.sub(end, first)
            builder.store(builder.select(builder.icmp_signed(">", many, many.type(0)), many, many.type(0)), count)
            made = llvm.Constant(self.context.get_value_type(resty), llvm.Undefined)
            for k, one in enumerate((number, end, first.type(1), count)):
                made = builder.insert_value(made, one, k)
            return made

        def _next_of(self, iterator: Any) -> Any:
            """Count on, and return the number and whether it counts."""
            builder = self.builder
            number, step, count = (builder.extract_value(iterator, k) for k in (0, 2, 3))
            left, value = builder.load(count), builder.load(number)
            builder.store(builder.sub(left, left.type(1), flags=["nsw"]), count)
            builder.store(builder.add(value, step), number)
            valid = builder.icmp_signed(">", left, left.type(0))
            pair = llvm.Constant(llvm.LiteralStructType([value.type, valid.type]), llvm.Undefined)
            return builder.insert_value(builder.insert_value(pair, value, 0), valid, 1)

    return Lower


def never_fails(function: Any) -> bool:
    """Tell whether a function that is written out can raise nothing."""
    ends = [block.terminator for block in function.blocks if block.terminator.opname == "ret"]
    return all(getattr(end.return_value, "constant", None) == 0 for end in ends)


def call_of(fndesc: Any, libraries: tuple[Any, ...]) -> Any:
    """Return what writes out a call of a function that never fails, so that nobody need ask whether it has."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function, conventions = context.declare_function(builder.module, fndesc), context.call_conv
        answer = numba.core.cgutils.alloca_once(builder, conventions.get_return_type(fndesc.restype).pointee)
        given = conventions._get_arg_packer(fndesc.argtypes).as_arguments(builder, args)
        no_error = function.args[1].type(None)
        builder.call(function, [answer, no_error, *given])
        return context.get_returned_value(builder, fndesc.restype, builder.load(answer))

    write.signature = fndesc.argtypes  # type: ignore[attr-defined]
    write.libs = libraries  # type: ignore[attr-defined]
    return write
