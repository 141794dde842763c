"""Python's expressions as JavaScript: the plain Python in which words, layers and scenes are written.

In: the tree of an expression, and an answer to where a name outside of it leads. Out: JavaScript, to be run beside
`python.js`, which has Python's built-in functions and what its operators do to vectors, lists and sets. Tuples and
lists are arrays, dicts and sets are Map and Set, None is null, and every number is a float: a text that holds one
without a format holds a count. Python that this does not know is refused with its place, so no meaning is lost in
silence.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Protocol

BINARY = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.FloorDiv: "floor",
    ast.Mod: "modulo",
    ast.Pow: "power",
    ast.BitOr: "either",
    ast.BitXor: "toggled",
}
PLAIN = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
ORDER = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
NATIVE = {
    "startswith": "startsWith",
    "endswith": "endsWith",
    "append": "push",
    "upper": "toUpperCase",
    "lower": "toLowerCase",
    "strip": "trim",
}
"""Methods that JavaScript has, too, under another name."""
METHODS = {
    *("join", "split", "rstrip", "index", "keys", "values", "items", "get", "extend", "tolist", "clear"),
}
"""Methods of text, lists, dicts and arrays that are functions of `python.js`."""
RENAMED = {"length": "length_", "__repr__": "repr"}  # an array's own length is not that of a vector
NUMBERS = {"float", "int"}
COUNTING = {"len", "abs", "float", "int"}
RESERVED = {
    *("false", "true", "null", "in", "new", "var", "function", "this", "default"),
    *("with", "delete", "typeof", "void", "switch", "case"),
}


class Untranslatable(Exception):
    """Python that has no translation; the text says where it stands."""


class World(Protocol):
    """The surroundings of a definition."""

    def lead(self, name: str) -> str:
        """Return the JavaScript of a global name."""

    def member(self, owner: str, name: str) -> str | None:
        """Return the JavaScript of a member of a module; None if the owner is no module."""

    def called(self, text: str, given: list[str], keywords: dict[str, str]) -> str:
        """Return a call of what `text` names."""


class Expressions:
    """Writes expressions, and notes the attributes that they use."""

    def __init__(self, where: str, world: World) -> None:
        self.where, self.world = where, world
        self.scopes: list[set[str]] = []
        self.numeric: set[str] = set()
        self.attributes: set[str] = set()

    def parameters(self, args: ast.arguments) -> list[str]:
        """Return the parameters with their defaults, those by keyword last."""
        plain = [None] * (len(args.args) - len(args.defaults)) + list(args.defaults)
        pairs = zip([*args.args, *args.kwonlyargs], [*plain, *args.kw_defaults], strict=True)
        return [safe(one.arg) + (f" = {self.expr(default)}" if default else "") for one, default in pairs]

    def pattern(self, target: ast.expr) -> str:
        """Return what an assignment or a loop puts its values into."""
        match target:
            case ast.Tuple(parts) | ast.List(parts):
                return f"[{', '.join(map(self.pattern, parts))}]"
            case ast.Starred(value):
                return f"...{self.pattern(value)}"
            case ast.Name(name):
                return safe(name)
            case ast.Attribute(value, name):
                return f"{self.expr(value)}.{RENAMED.get(name, name)}"
        raise self.refuse(target)

    def expr(self, node: ast.expr) -> str:
        """Return one expression."""
        match node:
            case ast.Constant(value):
                return constant(value)
            case ast.Name(name):
                return safe(name) if self.is_local(name) else self.world.lead(name)
            case ast.Attribute(value, name):
                return self.attribute(node)
            case ast.Tuple(parts) | ast.List(parts):
                return f"[{', '.join(map(self.expr, parts))}]"
            case ast.Set(parts):
                return f"new Set([{', '.join(map(self.expr, parts))}])"
            case ast.Starred(value):
                return f"...py.list({self.expr(value)})"
            case ast.Dict(keys, values):
                pairs = zip(keys, values, strict=True)
                entries = [f"[{self.expr(k)}, {self.expr(v)}]" if k else f"...{self.expr(v)}" for k, v in pairs]
                return f"new Map([{', '.join(entries)}])"
            case ast.JoinedStr(parts):
                return f"`{''.join(map(self.text, parts))}`"
            case ast.BinOp():
                return self.binary(node)
            case ast.UnaryOp(ast.Not(), value):
                return f"!{self.test(value)}"
            case ast.UnaryOp(ast.USub(), value):
                return f"-{self.expr(value)}" if self.is_number(value) else f"py.negative({self.expr(value)})"
            case ast.BoolOp(operator, values):
                name = "and" if isinstance(operator, ast.And) else "or"
                found = self.expr(values[-1])
                for value in reversed(values[:-1]):
                    found = f"py.{name}({self.expr(value)}, () => {found})"
                return found
            case ast.Compare():
                return self.compare(node)
            case ast.IfExp(test, then, otherwise):
                return f"({self.test(test)} ? {self.expr(then)} : {self.expr(otherwise)})"
            case ast.Subscript(value, ast.Slice() as part):
                return f"py.slice({self.expr(value)}, {self.bounds(part)})"
            case ast.Subscript(value, place):
                return f"py.at({self.expr(value)}, {self.expr(place)})"
            case ast.Lambda(args, body):
                self.scopes.append({arg.arg for arg in args.args})
                found = f"(({', '.join(self.parameters(args))}) => {self.expr(body)})"
                self.scopes.pop()
                return found
            case ast.ListComp(part, generators) | ast.GeneratorExp(part, generators):
                return self.comprehension(generators, lambda: self.expr(part))
            case ast.SetComp(part, generators):
                return f"new Set({self.comprehension(generators, lambda: self.expr(part))})"
            case ast.DictComp(key, one, generators):
                found = self.comprehension(generators, lambda: f"[{self.expr(key)}, {self.expr(one)}]")
                return f"new Map({found})"
            case ast.NamedExpr(ast.Name(name), value):
                return f"({safe(name)} = {self.expr(value)})"
            case ast.Call():
                return self.call(node)
        raise self.refuse(node)

    def attribute(self, node: ast.Attribute) -> str:
        """Return an attribute of a value, or a member of a module."""
        found = self.member_of(node)
        if found is not None:
            return found
        self.attributes.add(node.attr)
        return f"{self.expr(node.value)}.{RENAMED.get(node.attr, node.attr)}"

    def text(self, part: ast.expr) -> str:
        """Return a part of an f-string."""
        if isinstance(part, ast.Constant):
            return constant(part.value)[1:-1].replace('\\"', '"').replace("`", "\\`").replace("${", "\\${")
        if not isinstance(part, ast.FormattedValue):
            raise self.refuse(part)
        value = self.expr(part.value)
        if part.format_spec is not None:
            return f"${{py.format({value}, {self.expr(part.format_spec)})}}"
        return f"${{py.{'repr' if part.conversion == 114 else 'str'}({value})}}"

    def binary(self, node: ast.BinOp) -> str:
        """Return an operation; on what surely are numbers, JavaScript's own."""
        left, right, kind = self.expr(node.left), self.expr(node.right), type(node.op)
        if kind in PLAIN and self.is_number(node.left) and self.is_number(node.right):
            return f"({left} {PLAIN[kind]} {right})"
        if kind not in BINARY:
            raise self.refuse(node)
        return f"py.{BINARY[kind]}({left}, {right})"

    def is_number(self, node: ast.expr) -> bool:
        """Tell whether an expression surely is a number."""
        match node:
            case ast.Constant(value):
                return type(value) in (int, float)
            case ast.Name(name):
                return name in self.numeric
            case ast.UnaryOp(_, value):
                return self.is_number(value)
            case ast.BinOp(left, _, right):
                return self.is_number(left) and self.is_number(right)
            case ast.Call(ast.Attribute(ast.Name("math"))):
                return True
            case ast.Call(ast.Name(name)):
                return name in COUNTING
        return False

    def compare(self, node: ast.Compare) -> str:
        """Return comparisons, a chain of them link by link."""
        values = [node.left, *node.comparators]
        links = []
        for left, operator, right in zip(values, node.ops, node.comparators, strict=False):
            a, b = self.expr(left), self.expr(right)
            match operator:
                case ast.In() | ast.NotIn():
                    links.append(f"{'!' if isinstance(operator, ast.NotIn) else ''}py.has({b}, {a})")
                case ast.Is() | ast.IsNot():
                    links.append(f"{a} {'===' if isinstance(operator, ast.Is) else '!=='} {b}")
                case ast.Eq() | ast.NotEq():
                    plain = any(isinstance(side, ast.Constant) or self.is_number(side) for side in (left, right))
                    sign = "" if isinstance(operator, ast.Eq) else "!"
                    links.append(f"{a} {sign or '='}== {b}" if plain else f"{sign}py.equal({a}, {b})")
                case _:
                    links.append(f"{a} {ORDER[type(operator)]} {b}")
        return links[0] if len(links) == 1 and links[0][0] == "!" else f"({' && '.join(links)})"

    def test(self, node: ast.expr) -> str:
        """Return a condition."""
        match node:
            case ast.Compare():
                return self.compare(node)
            case ast.UnaryOp(ast.Not(), value):
                return f"!{self.test(value)}"
            case ast.BoolOp(operator, values):
                return f"({(' && ' if isinstance(operator, ast.And) else ' || ').join(map(self.test, values))})"
        return f"py.truth({self.expr(node)})"

    def bounds(self, part: ast.Slice) -> str:
        """Return the ends and the step of a slice."""
        return ", ".join(self.expr(end) if end else "null" for end in (part.lower, part.upper, part.step))

    def comprehension(self, generators: list[ast.comprehension], made: Callable[[], str]) -> str:
        """Return a list by one call of `map` or, in nested loops, `flatMap` each."""
        first, *rest = generators
        over = f"py.list({self.expr(first.iter)})"
        self.scopes.append(names_of(first.target))
        target = self.pattern(first.target)
        for test in first.ifs:
            over += f".filter(({target}) => {self.test(test)})"
        inside = self.comprehension(rest, made) if rest else made()
        self.scopes.pop()
        return f"{over}.{'flatMap' if rest else 'map'}(({target}) => {f'({inside})' if inside[0] == '{' else inside})"

    def call(self, node: ast.Call) -> str:
        """Return a call; arguments by keyword go where the function called has them, or as one object at the end."""
        if isinstance(node.func, ast.Attribute) and self.member_of(node.func) is None:
            owner, name, given = node.func.value, node.func.attr, [self.expr(one) for one in node.args]
            match owner:
                case ast.Call(ast.Name("super")):
                    self.attributes.add(name)
                    return f"super.{name}({', '.join(given)})"
            if name in NATIVE:
                return f"{self.expr(owner)}.{NATIVE[name]}({', '.join(given)})"
            if name in METHODS and not node.keywords:
                return f"py.{name}({', '.join([self.expr(owner), *given])})"
            if name == "item":
                return f"py.at({self.expr(owner)}, {given[0]})"
        if any(one.arg is None for one in node.keywords):
            raise self.refuse(node)
        keywords = {one.arg: self.key(one) for one in node.keywords if one.arg and one.arg != "strict"}
        return self.world.called(self.expr(node.func), [self.expr(one) for one in node.args], keywords)

    def is_local(self, name: str) -> bool:
        """Tell whether a name is that of a parameter or a variable."""
        return any(name in scope for scope in self.scopes)

    def member_of(self, node: ast.expr) -> str | None:
        """Return the JavaScript of a member of a module; None of any other attribute."""
        match node:
            case ast.Attribute(ast.Name(owner), name) if not self.is_local(owner):
                return self.world.member(owner, name)
        return None

    def key(self, keyword: ast.keyword) -> str:
        """Return an argument by keyword; a method that is handed on keeps its owner."""
        value = keyword.value
        if keyword.arg == "key" and isinstance(value, ast.Attribute) and self.member_of(value) is None:
            self.attributes.add(value.attr)
            return f"py.bound({self.expr(value.value)}, {constant(value.attr)})"
        return self.expr(value)

    def refuse(self, node: ast.AST) -> Untranslatable:
        """Return the error for what has no translation."""
        line = getattr(node, "lineno", "?")
        return Untranslatable(f"{self.where}: line {line}: {ast.unparse(node).splitlines()[0]!r} has no JavaScript")


def names_of(target: ast.expr) -> set[str]:
    """Return the names in a target of assignment."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def constant(value: object) -> str:
    """Return a constant."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value).replace("_", "")


def safe(name: str) -> str:
    """Return a name that JavaScript lets one use."""
    return f"{name}_" if name in RESERVED else name
