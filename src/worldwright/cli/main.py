"""The command `worldwright`: what each verb is called, and how failures end.

Takes the command line; gives exit codes (see `output`). A verb's module is loaded when the verb is asked for, so that
`--help` doesn't wait for what it doesn't need. No traceback is shown without --debug.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import Abort, Exit, TyperException

from worldwright.cli.output import BAD, OURS, UNHEARD, USAGE, note
from worldwright.errors import PackError, UnusableSeed, UsageError, WorldwrightError

__all__ = ["VERBS", "app", "run"]

VERBS: Mapping[str, str] = {
    "demo": "Lint examples, attempt every task, explain one, write a page.",
    "doctor": "Check this machine: Python, SQLite, the sandbox, the clock.",
    "new": "Scaffold a pack, a world or a task to write by hand.",
    "forge": "From databases and trades to certified tasks, in one go.",
    "graph": "What there is to teach, and how a pack covers it.",
    "mine": "Mine a SQLite file: a domain model, an account of all in it.",
    "domain": "Lint a domain model, or merge one with hand-made edits.",
    "lint": "Hold packs to the format and to what a fair task needs.",
    "show": "Show a pack, a world, or a task as an agent meets it.",
    "play": "Attempt a task yourself, and see the verdict with its rows.",
    "serve": "Serve tasks over MCP; verdicts over a channel apart.",
    "rollout": "Let solvers attempt tasks: trajectories and pass rates.",
    "rescore": "Judge stored attempts again; which verdicts flip.",
    "train": "Train a small policy on a pack's tasks.",
    "transfer": "What training teaches, on work that it never contained.",
    "recall": "Which runs and checkpoints trained on a task.",
    "export": "Trajectories for TRL, verifiers, Inspect, or as JSONL.",
    "judge": "What attempts say of tasks: solved, hard, broken.",
    "model": "A queue of files as a model; which models are set up.",
    "get-model": "Fetch the small local model.",
    "explain": "Say what a name means, or why an episode got its verdict.",
    "conform": "Run the conformance kit over worlds.",
    "audit": "Measure how far a reward can be trusted, and certify it.",
    "accept": "Hold a certificate against a buyer's contract.",
    "review": "Judge what no probe could: leads, one at a time.",
    "diff": "What differs between two packs.",
    "zip": "Write a pack as one zip.",
    "bench": "Measure the engine in CPU time, as ratios in one run.",
}
"""Each is a function of that name in a module of that name with a trailing `_` (and `_` for `-`); the text is its line in `--help`."""

_STYLE: Mapping[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}


class _Verbs(TyperGroup):
    """Knows the verbs by name and line, and loads one when it is to be run."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands.update({verb: TyperCommand(verb, help=line, rich_markup_mode=None) for verb, line in VERBS.items()})

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The verb's own command in place of its stand-in."""
        name, _, rest = super().resolve_command(ctx, args)
        assert name is not None
        verb = typer.Typer(**_STYLE)
        module = name.replace("-", "_")
        verb.command(name)(getattr(importlib.import_module(f"worldwright.cli.{module}_"), module))
        return name, typer.main.get_command(verb), rest


app = typer.Typer(
    name="worldwright",
    cls=_Verbs,
    help="A factory for reinforcement-learning environments: build worlds, attempt tasks, measure the reward.",
    no_args_is_help=True,
    **_STYLE,
)


def _version(asked: bool) -> None:
    if asked:
        from worldwright import __version__

        sys.stdout.write(f"worldwright {__version__}\n")
        raise Exit(0)


@app.callback()
def _options(
    debug: bool = typer.Option(False, "--debug", help="Show a traceback if something of ours fails."),
    version: bool = typer.Option(False, "--version", help="Print the version.", callback=_version, is_eager=True),
) -> None:
    """Options of every verb."""
    del version
    if debug:
        os.environ["WORLDWRIGHT_DEBUG"] = "1"


def run(argv: Sequence[str] | None = None) -> None:
    """Run the command and end the process with its exit code."""
    sys.exit(_code(argv))


def _code(argv: Sequence[str] | None) -> int:
    try:
        result = app(args=list(argv) if argv is not None else None, standalone_mode=False)
        sys.stdout.flush()
        return int(result) if isinstance(result, int) else 0
    except Exit as end:
        return int(end.exit_code)
    except (Abort, KeyboardInterrupt):
        note("interrupted")
        return 130
    except TyperException as fault:
        note(f"worldwright: {fault.format_message()}" if fault.format_message() else "worldwright: see --help")
        return USAGE
    except PackError as fault:
        return _ended(_placed(fault), BAD)
    except (BrokenPipeError, SystemExit):  # the latter is how typer ends when nobody reads on
        return _unheard()
    except (UsageError, UnusableSeed, OSError) as fault:
        return _ended(fault, USAGE)
    except WorldwrightError as fault:
        return _ended(fault, OURS)
    except Exception as fault:  # noqa: BLE001 - the one place where our own failure becomes an exit code
        return _ended(fault, OURS)


def _placed(fault: PackError) -> PackError:
    """The error with the line of its field; what fails only on some seed comes without one."""
    from worldwright.pack.place import line_in
    from worldwright.pack.source import read_one

    data = None if fault.line else read_one(fault.file)
    if data is not None:
        fault.line = line_in(fault.file, data, fault.field)
    return fault


def _unheard() -> int:
    """Nobody reads on: end quietly, also when Python flushes at its end, with the code that a shell gives for it (128 + SIGPIPE)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return UNHEARD


def _ended(fault: BaseException, code: int) -> int:
    if os.environ.get("WORLDWRIGHT_DEBUG"):
        traceback.print_exception(fault)
    kind = f"{type(fault).__name__}: " if code == OURS else ""
    note(f"worldwright: {kind}{fault}")
    if code == OURS and not os.environ.get("WORLDWRIGHT_DEBUG"):
        note("A fault of ours, or a broken installation: `worldwright --debug ...` shows where, `worldwright doctor` checks the machine.")
    return code
