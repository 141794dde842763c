"""Python's expressions as JavaScript: the plain Python in which words, layers and scenes are written.

In: the tree of an expression, and an answer to where a name outside of it leads. Out: JavaScript, to be run beside
`python.js`, which has what Python's operators do to vectors, lists and sets. Tuples and lists are arrays, dicts and
sets are Map and Set, None is null, and every number is a float: a text that holds one without a format holds a count.
Python that this does not know, or that the page's scripts do not have, is refused with its place, so no meaning is lost
in silence.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

BINARY = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.FloorDiv: "floor",
    ast.Mod: "modulo",
    ast.Pow: "power",
    ast.BitOr: "either",
    ast.BitAnd: "common",
    ast.BitXor: "toggled",
}
PLAIN = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
ORDER = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
FORM = re.compile(r"(?:\.(?:\d+|\{\w+\}))?[fg]")
"""The formats of numbers that the page has."""
RENAMED = {"length": "length_", "__repr__": "repr"}  # an array's own length is not that of a vector
NUMBERS = {"float", "int"}
COUNTING = {"len", "abs", "float", "int"}
RESERVED = {
    *("arguments", "await", "case", "catch", "const", "debugger", "default", "delete", "do", "enum", "eval", "export"),
    *("extends", "false", "function", "implements", "instanceof", "interface", "let", "new", "null", "package"),
    *("private", "protected", "public", "static", "super", "switch", "this", "throw", "true", "typeof", "undefined"),
    *("var", "void", "Array", "Object", "caught", "modules", "py"),
}
"""Words of JavaScript that Python lets a name be, and names that the script has of its own."""


class Untranslatable(Exception):
    """Python that has no translation; the text says where it stands."""


class World(Protocol):
    """The surroundings of a definition."""

    def lead(self, name: str) -> str:
        """Return the JavaScript of a global name; raise LookupError where it has none."""

    def member(self, owner: str, name: str) -> str | None:
        """Return that of a member of a module; None if the owner is no module; raise LookupError where it has none."""

    def called(self, text: str, given: list[str], keywords: dict[str, str]) -> str:
        """Return a call of what `text` names; raise ValueError where it does not take these arguments."""

    def method(self, name: str, given: list[str], keywords: dict[str, str]) -> Method:
        """Return how a method is called on a value of whatever type; raise LookupError where one may lack it."""

    def handed_on(self, text: str) -> str:
        """Return a JavaScript name as a value that others may call."""

    def is_class(self, text: str) -> bool:
        """Tell whether a JavaScript name is that of a class."""


class Method(NamedTuple):
    """A call of a method."""

    asks: bool
    """Whether the value is asked for its type, since one of Python's own types has such a method."""
    given: list[str]


class Use(NamedTuple):
    """An attribute that is used, and where."""

    name: str
    called: bool
    place: str


class Expressions:
    """Writes expressions, and notes the attributes that they use.

    Parameters
    ----------
    where : the file.
    world : the surroundings of the definition.
    """

    def __init__(self, where: str, world: World) -> None:
        self.where, self.world = where, world
        self.scopes: list[set[str]] = []
        self.numeric: set[str] = set()
        self.uses: list[Use] = []

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
                self.note(target, name)
                return f"{self.expr(value)}.{RENAMED.get(name, name)}"
        raise self.refuse(target)

    def expr(self, node: ast.expr) -> str:
        """Return one expression."""
        match node:
            case ast.Constant(value):
                return constant(value)
            case ast.Name(name):
                return safe(name) if self.is_local(name) else self.world.handed_on(self.lead(node))
            case ast.Attribute(value, name):
                return self.attribute(node)
            case ast.Tuple(parts) | ast.List(parts):
                return f"[{', '.join(map(self.expr, parts))}]"
            case ast.Set(parts):
                return f"new py.Group([{', '.join(map(self.expr, parts))}])"
            case ast.Starred(value):
                return f"...py.each({self.expr(value)})"
            case ast.Dict(keys, values):
                pairs = zip(keys, values, strict=True)
                entries = [f"[{self.expr(k)}, {self.expr(v)}]" if k else f"...{self.expr(v)}" for k, v in pairs]
                return f"new py.Dict([{', '.join(entries)}])"
            case ast.JoinedStr(parts):
                return f"`{''.join(map(self.text, parts))}`"
            case ast.BinOp():
                return self.binary(node)
            case ast.UnaryOp(ast.Not(), value):
                return f"!{self.test(value)}"
            case ast.UnaryOp(ast.USub(), value):
                return f"(-{self.expr(value)})" if self.is_number(value) else f"py.negative({self.expr(value)})"
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
                return f"new py.Group({self.comprehension(generators, lambda: self.expr(part))})"
            case ast.DictComp(key, one, generators):
                found = self.comprehension(generators, lambda: f"[{self.expr(key)}, {self.expr(one)}]")
                return f"new py.Dict({found})"
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
        self.note(node, node.attr)
        return f"{self.expr(node.value)}.{RENAMED.get(node.attr, node.attr)}"

    def lead(self, node: ast.Name) -> str:
        """Return a global name, which no variable around it may hide in JavaScript."""
        try:
            found = self.world.lead(node.id)
        except LookupError as reason:
            raise self.refuse(node, str(reason)) from None
        if self.is_local(found):
            raise self.refuse(node, f"a variable hides {found}")
        return found

    def text(self, part: ast.expr) -> str:
        """Return a part of an f-string."""
        if isinstance(part, ast.Constant):
            return constant(part.value)[1:-1].replace('\\"', '"').replace("`", "\\`").replace("${", "\\${")
        if not isinstance(part, ast.FormattedValue):
            raise self.refuse(part)
        value = self.expr(part.value)
        if part.format_spec is None and part.conversion != ord("a"):
            return f"${{py.builtins.{'repr' if part.conversion == ord('r') else 'str'}({value})}}"
        spec = "" if part.format_spec is None else ast.unparse(part.format_spec)[2:-1]
        if not FORM.fullmatch(spec) or part.conversion != -1 or part.format_spec is None:
            raise self.refuse(part, "the page has the formats g and f alone, with a number of digits or without")
        return f"${{py.builtins.format({value}, {self.expr(part.format_spec)})}}"

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
                case _ if self.is_number(left) and self.is_number(right):
                    links.append(f"{a} {ORDER[type(operator)]} {b}")
                case ast.Lt() | ast.LtE():
                    links.append(f"py.{'less' if isinstance(operator, ast.Lt) else 'atMost'}({a}, {b})")
                case _:
                    links.append(f"py.{'less' if isinstance(operator, ast.Gt) else 'atMost'}({b}, {a})")
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
        over = f"py.each({self.expr(first.iter)})"
        self.scopes.append(names_of(first.target))
        target = self.pattern(first.target)
        for test in first.ifs:
            over += f".filter(({target}) => {self.test(test)})"
        inside = self.comprehension(rest, made) if rest else made()
        self.scopes.pop()
        return f"{over}.{'flatMap' if rest else 'map'}(({target}) => {f'({inside})' if inside[0] == '{' else inside})"

    def call(self, node: ast.Call) -> str:
        """Return a call; arguments by keyword go where the function called has them."""
        if any(one.arg is None for one in node.keywords):
            raise self.refuse(node, "the page does not take dicts apart into arguments")
        keywords = {one.arg: self.key(one) for one in node.keywords if one.arg}
        given = [self.expr(one) for one in node.args]
        try:
            if isinstance(node.func, ast.Attribute) and self.member_of(node.func) is None:
                return self.method(node.func, given, keywords)
            text = self.callee(node.func)
            if text == "py.builtins.isinstance" and (wrong := self.not_a_class(node.args[1])):
                raise self.refuse(node, f"{wrong} is no class on the page")
            return self.world.called(text, given, keywords)
        except (LookupError, ValueError) as reason:
            raise self.refuse(node, str(reason)) from None

    def callee(self, node: ast.expr) -> str:
        """Return what is called."""
        if isinstance(node, ast.Name) and not self.is_local(node.id):
            return self.lead(node)
        return self.expr(node)

    def method(self, node: ast.Attribute, given: list[str], keywords: dict[str, str]) -> str:
        """Return a call of a method, of a class or of a value."""
        name = node.attr
        match node.value:
            case ast.Name(kind) if not self.is_local(kind) and hasattr(builtins, kind):
                return self.world.called(
                    self.lead(ast.copy_location(ast.Name(f"{kind}_{name}"), node)), given, keywords
                )
        self.note(node, name, called=True)
        told = self.world.method(name, given, keywords)
        match node.value:
            case ast.Call(ast.Name("super")):
                return f"super.{name}({', '.join(told.given)})"
        owner = self.expr(node.value)
        if told.asks:
            return f"py.called({', '.join([owner, constant(name), *told.given])})"
        return f"{owner}.{RENAMED.get(name, name)}({', '.join(told.given)})"

    def not_a_class(self, node: ast.expr) -> str:
        """Return a name that stands for a class and is none; an empty text if there is no such name."""
        names = [one for one in ast.walk(node) if isinstance(one, ast.Name) and not self.is_local(one.id)]
        return next((one.id for one in names if not self.world.is_class(self.lead(one))), "")

    def note(self, node: ast.AST, name: str, *, called: bool = False) -> None:
        """Note that an attribute is used."""
        self.uses.append(Use(name, called, self.place(node)))

    def is_local(self, name: str) -> bool:
        """Tell whether a name is that of a parameter or a variable."""
        return any(name in scope for scope in self.scopes)

    def member_of(self, node: ast.expr) -> str | None:
        """Return the JavaScript of a member of a module; None of any other attribute."""
        match node:
            case ast.Attribute(ast.Name(owner), name) if not self.is_local(owner):
                try:
                    return self.world.member(owner, name)
                except LookupError as reason:
                    raise self.refuse(node, str(reason)) from None
        return None

    def key(self, keyword: ast.keyword) -> str:
        """Return an argument by keyword; a method that is handed on as a key keeps its owner."""
        value = keyword.value
        if keyword.arg == "key" and isinstance(value, ast.Attribute) and self.member_of(value) is None:
            return f"((one) => {self.method(value, ['one'], {})})"
        return self.expr(value)

    def place(self, node: ast.AST) -> str:
        """Return where a part of the program stands, and its first line."""
        text = ast.unparse(node).splitlines()[0]
        return f"{self.where}, line {getattr(node, 'lineno', '?')}: {text!r} has no JavaScript"

    def refuse(self, node: ast.AST, reason: str = "") -> Untranslatable:
        """Return the error for what has no translation."""
        return Untranslatable(self.place(node) + (f": {reason}" if reason else ""))


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
