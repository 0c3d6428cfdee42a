"""The queue's door: a loopback endpoint in the form of OpenAI's chat completions.

Takes a Queue, a port and a time; answers `POST /v1/chat/completions` (also streamed, in one piece) and `GET /v1/models` on
127.0.0.1 alone. Many requests wait at once. A request that gets no answer in time is told so (504) and stays in the queue, as
does one whose client has gone. Requests that name another host or come from a page of one, or whose body is too large or no JSON
object that could be written down, are refused.
"""

from __future__ import annotations

import json
import select
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from worldwright.errors import UsageError
from worldwright.model.queue import Queue

__all__ = ["Door"]

_MOST_BYTES = 32 * 2**20
_HOSTS = ("127.0.0.1", "localhost")
_MODELS = {"object": "list", "data": [{"id": "queue", "object": "model", "created": 0, "owned_by": "worldwright"}]}


class Door:
    """Serves a queue; `port` 0 takes a free one, `seconds` is how long a request waits for its answer."""

    def __init__(self, queue: Queue, port: int = 0, seconds: float = 3600.0) -> None:
        self.queue = queue
        try:
            self._server = _Server(queue, port, seconds)
        except OSError as fault:
            raise UsageError(f"port {port}: {fault.strerror} (take another one, or 0 for any)") from fault

    @property
    def url(self) -> str:
        """The address to give to a client as base_url."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def serve(self) -> None:
        """Serve until `close`."""
        self._server.serve_forever(poll_interval=0.2)

    def start(self) -> threading.Thread:
        """Serve in a thread."""
        thread = threading.Thread(target=self.serve, name="queue", daemon=True)
        thread.start()
        return thread

    def close(self) -> None:
        """Stop, once `serve` runs; what waits is told that nobody answered."""
        self.queue.close()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, queue: Queue, port: int, seconds: float) -> None:
        self.queue, self.seconds = queue, seconds
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        if self._is_ours("/v1/models"):
            self._send(200, _MODELS)

    def do_POST(self) -> None:
        body = self._body() if self._is_ours("/v1/chat/completions") else None
        if body is None:
            return
        send = self._stream if body.get("stream") else (lambda got: self._send(200, got))
        if not self.server.queue.ask(body, self.server.seconds, send, self._is_there):
            self._refuse(504, f"nobody answered within {self.server.seconds:g} s; the request stays in the queue, ask again for it")

    def log_message(self, format: str, *args: object) -> None:
        """The files tell what came."""

    def _is_there(self) -> bool:
        """Whether the client still waits."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return not readable or bool(self.connection.recv(1, socket.MSG_PEEK))
        except OSError:
            return False

    def _is_ours(self, path: str) -> bool:
        host, origin = self.headers.get("host") or "", self.headers.get("origin")  # a browser names the page that asks as origin
        named = [host] if origin is None else [host, origin.rpartition("//")[2]]
        if any(one.rsplit(":", 1)[0] not in _HOSTS for one in named):
            self._refuse(403, "this endpoint is for this machine alone")
            return False
        if self.path.split("?")[0].rstrip("/") != path:
            self._refuse(404, "there is POST /v1/chat/completions and GET /v1/models")
            return False
        return True

    def _body(self) -> dict[str, Any] | None:
        size = self.headers.get("content-length", "")
        if not (size.isascii() and size.isdecimal()) or int(size) > _MOST_BYTES:
            self._refuse(413, f"expected a content-length of at most {_MOST_BYTES} bytes")
            return None
        try:
            value = json.loads(self.rfile.read(int(size)))
            json.dumps(value, ensure_ascii=False).encode()  # halves of characters can't be written down
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
            self._refuse(400, "expected a JSON object with messages, as OpenAI's chat completions take it")
            return None
        return value

    def _refuse(self, status: int, text: str) -> None:
        self.close_connection = True
        self._send(status, {"error": {"message": text, "type": "worldwright", "code": status}})

    def _send(self, status: int, value: Any) -> bool:
        return self._write(status, "application/json", json.dumps(value).encode())

    def _stream(self, got: dict[str, Any]) -> bool:
        choice = got["choices"][0]
        delta = dict(choice["message"])
        delta["tool_calls"] = [{"index": n, **call} for n, call in enumerate(delta.get("tool_calls", []))]
        frame = {**got, "object": "chat.completion.chunk"}
        chunks = [
            {**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}], "usage": None},
            {**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]},
        ]
        data = "".join(f"data: {json.dumps(one)}\n\n" for one in chunks) + "data: [DONE]\n\n"
        return self._write(200, "text/event-stream", data.encode())

    def _write(self, status: int, kind: str, data: bytes) -> bool:
        """Whether it could be written."""
        try:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            if self.close_connection:
                self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(data)
            self.wfile.flush()
        except OSError:
            self.close_connection = True  # who asked is gone; an answer stays where it is
            return False
        return True
