"""The command `worldwright`: what each verb is called, and how failures end.

Takes the command line; gives exit codes (see `output`). No traceback is shown without --debug.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Sequence

import typer
from typer.exceptions import Abort, Exit, TyperException

from worldwright.cli.output import BAD, OURS, USAGE, note
from worldwright.errors import PackError, UsageError, WorldwrightError

__all__ = ["VERBS", "app", "run"]

VERBS = ("demo", "doctor", "new", "lint", "show", "play", "rollout", "explain", "conform", "zip", "bench")
"""Each is a function of that name in a module of that name (with a trailing `_` where Python has the name)."""

app = typer.Typer(
    name="worldwright",
    help="A factory for reinforcement-learning environments: build worlds, attempt tasks, measure the reward.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _options(debug: bool = typer.Option(False, "--debug", help="Show a traceback if something of ours fails.")) -> None:
    """Options of every verb."""
    if debug:
        os.environ["WORLDWRIGHT_DEBUG"] = "1"


def _register() -> None:
    for verb in VERBS:
        module = importlib.import_module(f"worldwright.cli.{verb}_")
        app.command(verb)(getattr(module, verb))


_register()


def run(argv: Sequence[str] | None = None) -> None:
    """Run the command and end the process with its exit code."""
    sys.exit(_code(argv))


def _code(argv: Sequence[str] | None) -> int:
    try:
        result = app(args=list(argv) if argv is not None else None, standalone_mode=False)
        return int(result) if isinstance(result, int) else 0
    except Exit as end:
        return int(end.exit_code)
    except (Abort, KeyboardInterrupt):
        note("interrupted")
        return 130
    except TyperException as fault:
        note(f"worldwright: {fault.format_message()}" if fault.format_message() else "worldwright: see --help")
        return USAGE
    except UsageError as fault:
        return _ended(fault, USAGE)
    except PackError as fault:
        return _ended(fault, BAD)
    except BrokenPipeError:
        return 0
    except WorldwrightError as fault:
        return _ended(fault, OURS)
    except Exception as fault:  # noqa: BLE001 - the one place where our own failure becomes an exit code
        return _ended(fault, OURS)


def _ended(fault: BaseException, code: int) -> int:
    if os.environ.get("WORLDWRIGHT_DEBUG"):
        traceback.print_exception(fault)
    kind = f"{type(fault).__name__}: " if code == OURS else ""
    note(f"worldwright: {kind}{fault}")
    if code == OURS and not os.environ.get("WORLDWRIGHT_DEBUG"):
        note("A fault of ours, or a broken installation: `worldwright --debug ...` shows where, `worldwright doctor` checks the machine.")
    return code
