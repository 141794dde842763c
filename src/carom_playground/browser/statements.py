"""Python's functions and statements as JavaScript; `expressions` has what stands within them.

In: the tree of a function. Out: its JavaScript, with the variables declared at its top, for a name belongs to all of a
function in Python. Python that this does not know is refused with its place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from carom_playground.browser.expressions import NUMBERS, Expressions, names_of, safe
from carom_playground.browser.sources import decorators

DECORATORS = {"property", "classmethod", "kernel", "lru_cache", "override", "told_by_name"}
"""Those whose meaning the translation keeps, or that only check what they are given."""


class Writer(Expressions):
    """Writes one definition."""

    def function(self, node: ast.FunctionDef, head: str, skipped: int = 0) -> str:
        """Return a function whose declaration begins with `head`; `skipped` parameters are `this`."""
        lacking = node.args.kwarg or (node.args.posonlyargs and node.args.posonlyargs[0])
        if lacking or (node.args.vararg and node.args.kwonlyargs) or not decorators(node) <= DECORATORS:
            raise self.refuse(node, "such parameters or decorators are not there")
        args = [*node.args.args, *node.args.kwonlyargs]
        names = [arg.arg for arg in args]
        numbers = {arg.arg for arg in args if isinstance(arg.annotation, ast.Name) and arg.annotation.id in NUMBERS}
        before, self.numeric = self.numeric, self.numeric - set(names) | numbers
        rest = [node.args.vararg.arg] if node.args.vararg else []
        body = [one for one in node.body if not is_text(one)]
        own = assigned(body) - set(names) - set(rest)
        inner = {one.name for one in walk(body) if isinstance(one, ast.FunctionDef)}
        self.scopes.append({*names, *rest, *own, *inner})
        star = "*" if any(isinstance(one, ast.Yield | ast.YieldFrom) for one in walk(body)) else ""
        given = [*self.parameters(node.args)[skipped:], *(f"...{safe(name)}" for name in rest)]
        lines = [f"let {', '.join(map(safe, sorted(own)))};"] if own else []
        if skipped:
            lines.insert(0, f"const {safe(names[0])} = this;")
        lines += self.block(body)
        self.scopes.pop()
        self.numeric = before
        return f"{head.replace('function ', f'function{star} ') if star else head}({', '.join(given)}) {braced(lines)}"

    def block(self, body: Iterable[ast.stmt]) -> list[str]:
        """Return statements, one line or more each."""
        return [line for node in body for line in self.statement(node)]

    def statement(self, node: ast.stmt) -> list[str]:
        """Return one statement."""
        match node:
            case ast.Return(value):
                return [f"return {self.expr(value) if value else 'null'};"]
            case ast.Assign([target], value):
                return [self.put(target, self.expr(value))]
            case ast.Assign(targets, value):
                return [self.put(target, self.expr(value)) for target in targets]
            case ast.AnnAssign(target, annotation, value):
                if isinstance(annotation, ast.Name) and annotation.id in NUMBERS and isinstance(target, ast.Name):
                    self.numeric.add(target.id)
                return [self.put(target, self.expr(value))] if value else []
            case ast.AugAssign(target, operator, value):
                old = ast.copy_location(ast.BinOp(target, operator, value), node)
                return [self.put(target, self.expr(old))]
            case ast.If(test, body, otherwise):
                found = [f"if ({self.test(test)}) {braced(self.block(body))}"]
                return [*found, f"else {braced(self.block(otherwise))}"] if otherwise else found
            case ast.For(target, over, body, []):
                return [f"for ({self.pattern(target)} of py.iter({self.expr(over)})) {braced(self.block(body))}"]
            case ast.While(test, body, []):
                return [f"while ({self.test(test)}) {braced(self.block(body))}"]
            case ast.FunctionDef():
                return [self.function(node, f"function {safe(node.name)}")]
            case ast.Expr(ast.Yield(value)) if value:
                return [f"yield {self.expr(value)};"]
            case ast.Expr(ast.YieldFrom(value)):
                return [f"yield* {self.expr(value)};"]
            case ast.Expr(value):
                return [] if is_text(node) else [f"{self.expr(value)};"]
            case ast.Raise(ast.expr() as value):
                return [f"throw {self.expr(value)};"]
            case ast.Try(body, [ast.ExceptHandler(ast.expr() as kind, name, handled)], otherwise, []):
                if wrong := self.not_a_class(kind):
                    raise self.refuse(kind, f"the page throws no {wrong}")
                known = f"const {safe(name)} = caught;" if name else ""
                self.scopes.append({name} if name else set())
                inside = [
                    f"if (!py.builtins.isinstance(caught, {self.expr(kind)})) throw caught;",
                    known,
                    *self.block(handled),
                ]
                self.scopes.pop()
                return [f"try {braced(self.block([*body, *otherwise]))} catch (caught) {braced(inside)}"]
            case ast.Delete([ast.Subscript(value, ast.Slice() as part)]):
                return [f"py.remove({self.expr(value)}, {self.bounds(part)});"]
            case ast.Break() | ast.Continue():
                return [f"{type(node).__name__.lower()};"]
            case ast.Assert() | ast.Pass() | ast.ImportFrom():
                return []
        raise self.refuse(node)

    def put(self, target: ast.expr, value: str) -> str:
        """Return an assignment."""
        if isinstance(target, ast.Subscript):
            return f"py.put({self.expr(target.value)}, {self.expr(target.slice)}, {value});"
        return f"{self.pattern(target)} = {value};"


def is_text(node: ast.stmt) -> bool:
    """Tell whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def walk(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of statements, but those of functions within."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            yield from walk(ast.iter_child_nodes(node))


def assigned(body: Iterable[ast.stmt]) -> set[str]:
    """Return the names that statements assign to; those of comprehensions are their own."""
    found: set[str] = set()
    for node in walk(body):
        match node:
            case ast.Assign(targets):
                found |= {name for target in targets for name in names_of(target)}
            case ast.AnnAssign(ast.Name() as target) | ast.AugAssign(ast.Name() as target) | ast.For(target):
                found |= names_of(target)
            case ast.NamedExpr(target):
                found |= names_of(target)
    return found


def braced(lines: list[str]) -> str:
    """Return lines as a block."""
    inside = "\n".join(lines).replace("\n", "\n  ")
    return f"{{\n  {inside}\n}}" if lines else "{}"
