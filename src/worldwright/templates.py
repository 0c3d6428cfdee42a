"""The one template language: jinja, sandboxed, where an undefined name is an error.

Takes template text and the names it may use; gives compiled templates. `{% include %}`, imports and macros from
elsewhere don't exist here, and attribute access to internals is refused.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import jinja2
from jinja2 import meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from worldwright.errors import TemplateFault

__all__ = ["names_in", "render"]

_ENVIRONMENT = ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=False)
_ENVIRONMENT.globals.clear()


@functools.lru_cache(maxsize=4096)
def _compiled(text: str) -> jinja2.Template:
    return _ENVIRONMENT.from_string(text)


def names_in(text: str, *, file: str = "", field: str = "") -> set[str]:
    """The names that a template needs. Raises TemplateFault if it can't be parsed."""
    try:
        return set(meta.find_undeclared_variables(_ENVIRONMENT.parse(text)))
    except jinja2.TemplateSyntaxError as fault:
        line = 0 if field else fault.lineno  # of a whole file; a field's own line is its reader's business
        raise TemplateFault(f"not a template: {fault.message}", file=file, line=line, field=field, expected="jinja") from fault


def render(text: str, values: Mapping[str, Any], *, file: str = "", field: str = "") -> str:
    """The template's text with these values. Raises TemplateFault for an undefined name or a broken template."""
    if "{" not in text:
        return text
    try:
        return _compiled(text).render(values)
    except jinja2.TemplateSyntaxError as fault:
        raise TemplateFault(f"not a template: {fault.message}", file=file, field=field, expected="jinja") from fault
    except jinja2.TemplateError as fault:
        raise TemplateFault(f"can't be rendered: {fault.message}", file=file, field=field, expected="only defined names") from fault
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as fault:  # what an expression did with the values
        raise TemplateFault(f"can't be rendered: {fault}", file=file, field=field, expected="values that fit the expression") from fault
