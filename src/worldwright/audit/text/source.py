"""A reward function's file as far as it can be read without running it: functions, parameters, texts.

Takes source; gives names. Promises nothing about functions that are imported, or made at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

__all__ = ["functions", "graders", "tree_of"]


def tree_of(source: str) -> ast.Module | None:
    """The syntax tree; None for what is no Python of this version."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None


def functions(source: str) -> Mapping[str, tuple[str, ...]]:
    """Every function of the module by name, with its parameters' names."""
    tree = tree_of(source)
    if tree is None:
        return {}
    found = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            args = node.args
            found[node.name] = tuple(arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs))
    return found


def graders(source: str) -> list[str]:
    """Names of functions that look like reward functions: public, and with a parameter for completions; else for one completion."""
    from worldwright.audit.adapters.shims.reward_shim import COMPLETIONS

    public = {name: parameters for name, parameters in functions(source).items() if not name.startswith("_")}
    batched = [name for name, parameters in public.items() if "completions" in parameters]
    return batched or [name for name, parameters in public.items() if len(parameters) > 1 and any(one in COMPLETIONS for one in parameters)]
