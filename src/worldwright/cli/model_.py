"""`worldwright model serve|list|ask`: a queue of files as a model, which models are set up, and one question to one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from worldwright.cli.model_solvers import CONFIG, LEDGER, MODEL, RECORD, connected
from worldwright.cli.output import BAD, GOOD, emit, note, say, show_table
from worldwright.errors import ModelError, UsageError

__all__ = ["model"]


def model(
    what: Annotated[str, typer.Argument(help="serve, list, or ask.")],
    text: Annotated[str, typer.Argument(help="For ask: the question.")] = "",
    queue: Annotated[Path | None, typer.Option("--queue", help="For serve: the folder of requests and answers.")] = None,
    port: Annotated[int, typer.Option("--port", help="For serve: the port on 127.0.0.1 (0: any).", min=0, max=65535)] = 0,
    timeout: Annotated[float, typer.Option("--timeout", help="For serve: seconds that a request waits for its answer.", min=1)] = 3600.0,
    name: Annotated[str, MODEL] = "",
    role: Annotated[str, typer.Option("--role", help="For ask: as which role.")] = "default",
    record: Annotated[Path | None, RECORD] = None,
    ledger: Annotated[Path | None, LEDGER] = None,
    config: Annotated[Path | None, CONFIG] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Serve a queue of files as a model, list the models that are set up, or ask one a question."""
    if what == "serve":
        if queue is None:
            raise UsageError("model serve: which folder? (expected --queue DIR)")
        return _serve(queue, port, timeout, as_json)
    if what == "list":
        return _list(config, as_json)
    if what != "ask":
        raise UsageError(f"model {what}: no such part (expected serve, list or ask)")
    if not text:
        raise UsageError('model ask: what? (expected a question: worldwright model ask "Say yes." --model NAME)')
    return _ask(text, name, role, config, ledger, record, as_json)


def _serve(folder: Path, port: int, seconds: float, as_json: bool) -> int:
    from worldwright.model.door import Door
    from worldwright.model.queue import EXPECTED, Queue

    waiting = Queue(folder)
    door = Door(waiting, port, seconds)
    left = waiting.waiting()
    if as_json:
        emit({"base_url": door.url, "queue": str(folder), "waiting": left})
    else:
        say(door.url)
    note(f"requests come to {folder}/N.request.json; answer in {folder}/N.response.json. {EXPECTED}")
    if left:
        note(f"left from before, until the same requests come again: {', '.join(map(str, left))}")
    thread = door.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        note("stopped; the queue stays as it is")
    finally:
        door.close()
    return GOOD


def _list(config: Path | None, as_json: bool) -> int:
    from worldwright.model.config import ROLES, read_configuration, shown

    found = shown(read_configuration(config))
    if as_json:
        emit({"models": found.models, "roles": {name: found.role(name) for name in ROLES}})
        return GOOD
    rows = [(name, one.provider, one.model or one.file, one.base_url or "", one.key_name) for name, one in found.models.items()]
    roles = [_role(name, found.role(name)) for name in ROLES if found.role(name).model]
    if rows:
        show_table("", ("model", "provider", "what", "address", "key in"), rows)
    if roles:
        show_table("", ("role", "model", "tokens", "cents"), roles)
    if not (rows or roles):
        say("no model is set up (docs/models.md says how); nothing is sent anywhere")
    return GOOD


def _role(name: str, one: Any) -> tuple[Any, ...]:
    return name, one.model, "-" if one.tokens is None else one.tokens, "-" if one.cents is None else one.cents


def _ask(text: str, name: str, role: str, config: Path | None, ledger: Path | None, record: Path | None, as_json: bool) -> int:
    from worldwright.model import Message, Request

    with connected(role, name, config, ledger, record) as connection:
        asked = Request(role, connection.model.name, "", (Message("user", text),), settings=connection.settings)
        try:
            got = connection.model.complete(asked)
        except ModelError as fault:
            note(f"{fault.kind}: {fault}")
            return BAD
    if as_json:
        emit(got)
    else:
        say(got.text)
    return GOOD
