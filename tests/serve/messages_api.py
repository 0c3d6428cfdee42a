"""A loopback server that speaks Anthropic's Messages API from a script: what a client sees when a model answers.

Takes the model's turns, each a list of content blocks (text, or a tool to call); answers each request of a conversation with
the turn that comes next, streamed or whole as it was asked. A turn may be a function of the request, or an HTTP status to fail
with. Requests without tools (titles, warm-ups) get one word and use up no turn. Everything it was sent is kept in `requests`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = list[dict[str, Any]] | int | Callable[[dict[str, Any]], list[dict[str, Any]]]


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(name: str, arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": arguments}


class MessagesApi:
    """`url` is its base; use it in a `with`."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.turns, self.requests = list(turns), []
        self._lock = threading.Lock()
        self._used = 0
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
                if self.path.startswith("/v1/messages/count_tokens"):
                    self.answer(200, "application/json", json.dumps({"input_tokens": 10}).encode())
                elif self.path.startswith("/v1/messages"):
                    self.answer(*api.reply(body))
                else:
                    self.answer(404, "application/json", b"{}")

            def do_GET(self) -> None:
                self.answer(404, "application/json", b"{}")

            do_HEAD = do_GET  # noqa: N815

            def answer(self, status: int, kind: str, data: bytes) -> None:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> MessagesApi:
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def reply(self, body: dict[str, Any]) -> tuple[int, str, bytes]:
        """Status, content type and bytes for one request."""
        with self._lock:
            self.requests.append(body)
            if not body.get("tools"):
                turn: Turn = [text("fine")]
            elif self._used < len(self.turns):
                turn = self.turns[self._used]
                self._used += 1
            else:
                turn = [text("I have nothing more to say.")]
        if isinstance(turn, int):
            error = {"type": "error", "error": {"type": "api_error", "message": "out of order"}}
            return turn, "application/json", json.dumps(error).encode()
        blocks = turn(body) if callable(turn) else turn
        message = self._message(blocks, body.get("model", "a-model"))
        if body.get("stream"):
            return 200, "text/event-stream", _streamed(message)
        return 200, "application/json", json.dumps(message).encode()

    def _message(self, blocks: list[dict[str, Any]], model: str) -> dict[str, Any]:
        number = len(self.requests)
        named = [one if one["type"] == "text" else one | {"id": f"toolu_{number:04}_{n}"} for n, one in enumerate(blocks)]
        calls = any(one["type"] == "tool_use" for one in blocks)
        return {
            "id": f"msg_{number:04}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": named,
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 20},
        }


def _streamed(message: dict[str, Any]) -> bytes:
    """The message as the server-sent events of a stream."""
    events: list[dict[str, Any]] = [
        {
            "type": "message_start",
            "message": message | {"content": [], "stop_reason": None, "usage": message["usage"] | {"output_tokens": 1}},
        }
    ]
    for n, block in enumerate(message["content"]):
        whole = block["type"] == "text"
        start = block | ({"text": ""} if whole else {"input": {}})
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if whole
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )
        events += [
            {"type": "content_block_start", "index": n, "content_block": start},
            {"type": "content_block_delta", "index": n, "delta": delta},
            {"type": "content_block_stop", "index": n},
        ]
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events += [
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 20}},
        {"type": "message_stop"},
    ]
    return b"".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in events)
