"""The one template language: jinja's expressions and `{% if %}`, sandboxed, where an undefined name is an error.

Takes template text and the names it may use; gives text of at most LONGEST characters, in time that grows with the
lengths of template and values alone: there are no loops, assignments, calls or attributes of values, only filters that
are listed here, and what multiplies (`*`, `**`, `%`) is bounded. Doesn't bound the text of the template itself.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

import jinja2
from jinja2 import filters, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from worldwright.errors import TemplateFault

__all__ = ["LONGEST", "names_in", "render"]

LONGEST = 200_000
"""The most characters of what a template gives."""
_BITS = 10_000
_PLACES = 20
_WIDE = re.compile(r"%[^%a-zA-Z]*?([0-9]{4}|\*)")
_SCALARS = (str, int, float, bytes, list, tuple, dict, type(None))
_NODES: tuple[type[nodes.Node], ...] = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.CondExpr, nodes.Name, nodes.Const, nodes.Concat),
    *(nodes.BinExpr, nodes.UnaryExpr, nodes.Compare, nodes.Operand, nodes.Filter, nodes.Test),
    *(nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Keyword),
)
_WORDS = {nodes.For: "a loop", nodes.Assign: "an assignment", nodes.AssignBlock: "an assignment", nodes.Call: "a call"}


def _checked(value: Any) -> Any:
    """The value, if it has a bearable size."""
    if isinstance(value, str) and len(value) > LONGEST:
        raise ValueError(f"more than {LONGEST:,} characters")
    if isinstance(value, int) and value.bit_length() > _BITS:
        raise ValueError("a number is too large")
    return value


def _product(left: Any, right: Any) -> Any:
    for one, times in ((left, right), (right, left)):
        if isinstance(one, str) and isinstance(times, int) and len(one) * times > LONGEST:
            raise ValueError(f"more than {LONGEST:,} characters")
        if isinstance(one, (list, tuple)):
            raise TypeError("a list can't be multiplied")
    return _checked(left * right)


def _power(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() * abs(right) > _BITS:
        raise ValueError("a number is too large")
    return left**right


def _remainder(left: Any, right: Any) -> Any:
    return _format(left, *right) if isinstance(left, str) and isinstance(right, tuple) else _format(left, right)


def _format(left: Any, *values: Any) -> Any:
    """`left % values`; `left` may be a number too. Widths have three digits at most, and each value is used once."""
    if not isinstance(left, str):
        return left % values[0]
    if _WIDE.search(left) or any(isinstance(value, dict) for value in values):
        raise ValueError("a width of more than three digits, or values by name")
    return _checked(left % values)


def _replace(text: Any, old: Any, new: Any) -> str:
    text, old, new = str(text), str(old), str(new)
    if len(text) + text.count(old) * len(new) > LONGEST:
        raise ValueError(f"more than {LONGEST:,} characters")
    return str(text.replace(old, new))


def _join(values: Any, between: Any = "") -> str:
    parts, glue = [str(value) for value in values], str(between)
    if sum(map(len, parts)) + len(parts) * len(glue) > LONGEST:
        raise ValueError(f"more than {LONGEST:,} characters")
    return glue.join(parts)


def _round(value: Any, places: Any = 0, method: Any = "common") -> Any:
    if not isinstance(places, int) or abs(places) > _PLACES:
        raise ValueError(f"rounding to more than {_PLACES} places")
    return filters.do_round(value, places, method)


_OPERATIONS = {"*": _product, "**": _power, "%": _remainder}
_OWN = {"format": _format, "join": _join, "replace": _replace, "round": _round}
_FILTERS = "abs capitalize count d default first float int last length lower string title trim upper"
_TESTS = "defined undefined none string number integer float boolean true false in eq ne lt le gt ge"


class _Environment(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset(_OPERATIONS)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        return _OPERATIONS[operator](left, right)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Methods of values would lead around all bounds; what stands for a group of names may be asked for them."""
        return not isinstance(obj, _SCALARS) and super().is_safe_attribute(obj, attr, value)


_ENVIRONMENT = _Environment(undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=False, optimized=False)
_ENVIRONMENT.globals.clear()
_ENVIRONMENT.filters = {name: _ENVIRONMENT.filters[name] for name in _FILTERS.split()} | _OWN
_ENVIRONMENT.tests = {name: _ENVIRONMENT.tests[name] for name in _TESTS.split()}


def _parsed(text: str) -> nodes.Template:
    tree = _ENVIRONMENT.parse(text)
    waiting: list[nodes.Node] = [tree]
    while waiting:
        node = waiting.pop()
        problem = _problem(node)
        if problem:
            raise jinja2.TemplateSyntaxError(problem, node.lineno)
        waiting += node.iter_child_nodes()
    return tree


def _problem(node: nodes.Node) -> str:
    """What is wrong with this node, or ""."""
    if not isinstance(node, _NODES):
        return f"{_WORDS.get(type(node), type(node).__name__.lower())} has no place in a template"
    if isinstance(node, (nodes.Filter, nodes.Test)):
        known = _ENVIRONMENT.filters if isinstance(node, nodes.Filter) else _ENVIRONMENT.tests
        if node.name not in known:
            return f"no {type(node).__name__.lower()} named '{node.name}': there are {', '.join(known)}"
    return "the name 'self' means the template itself" if isinstance(node, nodes.Name) and node.name == "self" else ""


@functools.lru_cache(maxsize=4096)
def _compiled(text: str) -> jinja2.Template:
    return _ENVIRONMENT.from_string(_parsed(text))


def names_in(text: str, *, file: str = "", field: str = "") -> set[str]:
    """The names that a template needs. Raises TemplateFault if it can't be compiled."""
    if "{" not in text:
        return set()
    try:
        _compiled(text)
        return set(meta.find_undeclared_variables(_parsed(text)))
    except jinja2.TemplateSyntaxError as fault:
        line = 0 if field else fault.lineno  # of a whole file; a field's own line is its reader's business
        raise TemplateFault(f"not a template: {fault.message}", file=file, line=line, field=field, expected="jinja") from fault
    except Exception as fault:  # what parsing and compiling such a text ran into: recursion, size
        raise TemplateFault(f"not a template: {_told(fault)}", file=file, field=field, expected="a simpler template") from fault


def render(text: str, values: Mapping[str, Any], *, file: str = "", field: str = "") -> str:
    """The template's text with these values. Raises TemplateFault, and nothing else, if it can't be compiled or rendered."""
    if "{" not in text:
        return text
    try:
        rendered = _compiled(text).render(values)
        rendered.encode()  # a template can spell half a character
        return str(_checked(rendered))
    except jinja2.TemplateSyntaxError as fault:
        raise TemplateFault(f"not a template: {fault.message}", file=file, field=field, expected="jinja") from fault
    except jinja2.TemplateError as fault:
        raise TemplateFault(f"can't be rendered: {fault.message}", file=file, field=field, expected="only defined names") from fault
    except Exception as fault:  # whatever an expression did with the values
        expected = "values that fit the expression"
        raise TemplateFault(f"can't be rendered: {_told(fault)}", file=file, field=field, expected=expected) from fault


def _told(fault: Exception) -> str:
    return str(fault)[:300] or type(fault).__name__
