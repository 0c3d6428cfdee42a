"""A GGUF model on this machine, by llama.cpp in this process, on one thread.

Takes a file; gives a Model that keeps to a request's `output` schema by a grammar and has no tools of its own. Promises: nothing leaves
the machine; with temperature 0 (the default here) the same file and request give the same text on one machine; what stands in a message
can't end it, since the marks of the model's chat template are broken up there. Does not promise an end in time: a request is bounded by
`max_tokens` alone. Needs `worldwright[local-model]`.
"""

from __future__ import annotations

import re
import secrets
import threading
from pathlib import Path
from typing import Any

import xllamacpp

from worldwright.errors import ModelError, UsageError
from worldwright.model.protocol import Completion, Request

__all__ = ["LocalModel"]

_MARK = re.compile(r"<(?=\|[A-Za-z0-9_ ]+\|>)")
_BETWEEN = "<\u200b"  # no token of a chat template any more, and looks the same


class LocalModel:
    """One loaded file; requests are answered one after the other."""

    def __init__(self, path: Path, name: str = "", context: int = 8192, threads: int = 1) -> None:
        if not path.is_file():
            raise UsageError(f"{path}: no such file (expected a GGUF model; `worldwright get-model` fetches a small one)")
        self.name = name or path.stem
        self._lock = threading.Lock()
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.n_ctx, params.n_parallel, params.warmup, params.verbosity, params.ui = context, 1, False, -1, False
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        # The library listens on a loopback port besides; nobody but us is to use it.
        params.hostnames = ["127.0.0.1"]
        params.api_keys = [secrets.token_hex(16)]
        try:
            self._server: Any = xllamacpp.Server(params)
        except RuntimeError as fault:
            raise UsageError(f"{path}: can't be loaded: {fault} (expected a GGUF model that llama.cpp knows)") from fault

    def complete(self, request: Request) -> Completion:
        """One completion. Raises ModelError."""
        if request.tools:
            raise ModelError("a local model has no tools of its own: wrap it in ConstrainedModel", kind="rejected")
        body: dict[str, Any] = {
            "messages": [{"role": "system", "content": _broken(request.system)}]
            + [{"role": one.role, "content": _broken(one.text)} for one in request.messages],
            "max_tokens": request.settings.max_tokens,
            "temperature": request.settings.temperature or 0.0,
            "seed": request.settings.seed or 0,
        }
        if request.output is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": {"name": "output", "schema": request.output}}
        with self._lock:
            if self._server is None:
                raise ModelError("the model is closed", kind="rejected")
            try:
                got = self._server.handle_chat_completions(body)
            except RuntimeError as fault:
                raise ModelError(f"llama.cpp: {fault}", kind="server-error") from fault
        return _read(got)

    def close(self) -> None:
        """Give the memory back."""
        with self._lock:
            self._server = None


def _broken(text: str) -> str:
    return _MARK.sub(_BETWEEN, text)


def _read(got: dict[str, Any]) -> Completion:
    if "error" in got:
        error = got["error"]
        kind = "rejected" if error.get("code", 500) < 500 else "server-error"
        raise ModelError(f"llama.cpp: {error.get('message', error)}", kind=kind)
    choice, usage = got["choices"][0], got["usage"]
    tokens = (usage["prompt_tokens"], usage["completion_tokens"])
    if choice["finish_reason"] == "length":
        raise ModelError(f"the answer reached the limit after {tokens[1]} tokens; raise max_tokens", kind="truncated", tokens=tokens)
    return Completion(choice["message"]["content"] or "", tokens_in=tokens[0], tokens_out=tokens[1])
