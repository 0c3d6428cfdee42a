"""The control channel: who holds the token starts rollouts, ends them, and reads their verdicts.

Takes rollouts and a token; gives an ASGI application that speaks plain JSON. Promises: nothing is read of a request, and
nothing said, before its token was found right; no token stands in any answer. It is bound to an address of its own, and
shares no path with the agents' side.

    GET    /tasks                   the tasks that can be started
    POST   /rollouts                start one: {"task": "world/task", "seed": 0, ...}
    GET    /rollouts                all of them
    POST   /rollouts/ID/finish      {"answer": ...}, {"gave_up": "why"} or {"failed": "what"}; {} ends it as it stands
    GET    /rollouts/ID/verdict     once it has ended
    GET    /rollouts/ID/trajectory  once it has ended: the whole record
    DELETE /rollouts/ID             forget it
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec

from worldwright.errors import PackError, UnusableSeed, UsageError
from worldwright.serve.answers import Send, answer_json
from worldwright.serve.rollouts import Rollouts, Wanted
from worldwright.solver.protocol import Action, Answer, GiveUp

__all__ = ["Control"]

_LARGEST = 1 << 20
_T = TypeVar("_T")
_logger = logging.getLogger(__name__)


class _Finish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a rollout ends; at most one of the three is given."""

    answer: Any = msgspec.UNSET
    gave_up: str | msgspec.UnsetType = msgspec.UNSET
    failed: str | msgspec.UnsetType = msgspec.UNSET


class _Refused(Exception):
    """What the caller is answered instead."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status, self.error = status, error


class Control:
    """The ASGI application. `address` gives the agents' side's URL, once it is known."""

    def __init__(self, rollouts: Rollouts, token: str, tasks: list[str], address: Callable[[], str]) -> None:
        self._rollouts, self._tasks, self._address = rollouts, tasks, address
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Any, receive: Any, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        given = [value for key, value in scope["headers"] if key == b"authorization"]
        if len(given) != 1 or not hmac.compare_digest(given[0], self._expected):
            error = {"error": "expected the header 'Authorization: Bearer TOKEN'"}
            await answer_json(send, 401, error, ((b"www-authenticate", b"Bearer"), (b"connection", b"close")))
            return
        status, value = await self._answered(scope, receive)
        await answer_json(send, status, value)

    async def _answered(self, scope: Any, receive: Any) -> tuple[int, Any]:
        try:
            return await self._routed(scope["method"], scope["path"], receive)
        except _Refused as refused:
            return refused.status, {"error": refused.error}
        except UsageError as fault:
            return 409, {"error": str(fault)}
        except (PackError, UnusableSeed) as fault:
            return 422, {"error": str(fault)}
        except Exception as fault:
            _logger.exception("%s %s", scope["method"], scope["path"])
            return 500, {"error": f"a fault of ours: {type(fault).__name__} (the server's log has more)"}

    async def _routed(self, method: str, path: str, receive: Any) -> tuple[int, Any]:
        parts = path.strip("/").split("/")
        if (method, parts) == ("GET", ["tasks"]):
            return 200, {"tasks": self._tasks}
        if parts[0] == "rollouts" and len(parts) == 1 and method in ("GET", "POST"):
            return await self._start(receive) if method == "POST" else (200, {"rollouts": list(self._rollouts.lines())})
        verb = {("POST", "finish"): self._finish, ("GET", "verdict"): self._verdict, ("GET", "trajectory"): self._trajectory}.get(
            (method, parts[2] if len(parts) == 3 else "")
        )
        if (method, len(parts)) == ("DELETE", 2):
            verb = self._drop
        if parts[0] != "rollouts" or verb is None:
            raise _Refused(404, "there is no such request (docs/serving.md lists them)")
        if self._rollouts.find(parts[1]) is None:
            raise _Refused(404, "there is no rollout of this id (dropped, or never started here)")
        return await verb(parts[1], receive)

    async def _start(self, receive: Any) -> tuple[int, Any]:
        name, rollout = await self._rollouts.start(await _body(receive, Wanted))
        url, limits = f"{self._address()}/rollouts/{name}/mcp", rollout.attempt.limits
        return 201, {
            "id": name,
            "url": url,
            "instance": rollout.attempt.instance.name,
            "messages": rollout.opening,
            "tools": rollout.tools,
            "answer_tool": rollout.answer_tool,
            "answer_schema": rollout.answer_schema,
            "limits": {"calls": limits.calls, "output": limits.output},
            "stop": rollout.attempt.stop,
        }

    async def _finish(self, name: str, receive: Any) -> tuple[int, Any]:
        how = await _body(receive, _Finish)
        given = [field for field in ("answer", "gave_up", "failed") if getattr(how, field) is not msgspec.UNSET]
        if len(given) > 1:
            raise _Refused(400, f"got {' and '.join(given)} (expected at most one of answer, gave_up, failed)")
        rollout = self._rollouts.find(name)
        if given or (rollout is not None and not rollout.has_ended):
            rollout = self._rollouts.end(name, _ending(how))
        assert rollout is not None
        return 200, {"id": name, "stop": rollout.attempt.stop, "detail": rollout.attempt.detail}

    async def _verdict(self, name: str, receive: Any) -> tuple[int, Any]:
        made = await self._rollouts.trajectory(name)
        return 200, {"id": name, "stop": made.trace.stop, "reward": made.reward, "verdict": made.verdict, "trajectory": made.id}

    async def _trajectory(self, name: str, receive: Any) -> tuple[int, Any]:
        return 200, await self._rollouts.trajectory(name)

    async def _drop(self, name: str, receive: Any) -> tuple[int, Any]:
        await self._rollouts.drop(name)
        return 200, {"id": name}


def _ending(how: _Finish) -> Action | str:
    if isinstance(how.failed, str):
        return how.failed or "the caller said so"
    if isinstance(how.gave_up, str):
        return GiveUp(how.gave_up)
    return Answer(None if how.answer is msgspec.UNSET else how.answer)


async def _body(receive: Callable[[], Awaitable[dict[str, Any]]], kind: type[_T]) -> _T:
    """The request's body as a record; an empty one is {}, but one that broke off is none: it must not end a rollout."""
    data = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Refused(400, "the request broke off before its end")
        data += message.get("body", b"")
        if len(data) > _LARGEST:
            raise _Refused(413, f"more than {_LARGEST} bytes")
        if not message.get("more_body"):
            break
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise _Refused(400, f"the body is not what is expected here: {fault}") from fault
