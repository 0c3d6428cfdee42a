"""How a run's lines are packed: frames that stand alone, one after another, so that the whole is still one ordinary file.

Takes bytes; gives a frame and back again. Which form it is goes by the file's name: `.jsonl` is plain, `.jsonl.gz` has a gzip
member a frame, `.jsonl.zst` a zstd frame; `zcat` and `zstd -dc` read them. Zstandard is in Python from 3.14 on, and in the
extra `[zstd]` before. Raises UsageError for another name, and where Zstandard isn't there.
"""

from __future__ import annotations

import gzip
import importlib
import mmap
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from worldwright.errors import UsageError

__all__ = ["SUFFIXES", "Codec", "codec_of", "frames_in", "index_of", "stem_of"]

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""What the name of a run may end with."""

_GZIP_LEVEL = 4
_ZSTD_LEVEL = 3
_STEP = 1 << 16


class Codec(Protocol):
    """One form. `pack` gives a frame, `unpack` its bytes; ValueError if the frame is damaged."""

    name: str

    def pack(self, data: bytes) -> bytes: ...

    def unpack(self, frame: bytes) -> bytes: ...

    def reader(self) -> Any:
        """A decompressor of one frame: `decompress(bytes)`, `eof`, `unused_data`."""


class _Plain:
    name = "plain"

    def pack(self, data: bytes) -> bytes:
        return data

    def unpack(self, frame: bytes) -> bytes:
        return frame

    def reader(self) -> Any:
        raise NotImplementedError("plain lines have no frames of their own")


class _Gzip:
    name = "gzip"

    def pack(self, data: bytes) -> bytes:
        return gzip.compress(data, _GZIP_LEVEL, mtime=0)

    def unpack(self, frame: bytes) -> bytes:
        try:
            return gzip.decompress(frame)
        except (OSError, EOFError, zlib.error) as fault:
            raise ValueError(str(fault)) from fault

    def reader(self) -> Any:
        return zlib.decompressobj(wbits=31)


class _Zstd:
    name = "zstd"

    def __init__(self) -> None:
        self._zstd = _zstandard()
        parameter = self._zstd.CompressionParameter
        self._options = {parameter.compression_level: _ZSTD_LEVEL, parameter.checksum_flag: 1}

    def pack(self, data: bytes) -> bytes:
        return bytes(self._zstd.compress(data, options=self._options))

    def unpack(self, frame: bytes) -> bytes:
        try:
            return bytes(self._zstd.decompress(frame))
        except self._zstd.ZstdError as fault:
            raise ValueError(str(fault)) from fault

    def reader(self) -> Any:
        return self._zstd.ZstdDecompressor()

    @property
    def fault(self) -> type[Exception]:
        """What the decompressor raises."""
        return self._zstd.ZstdError  # type: ignore[no-any-return]


def _zstandard() -> Any:
    """Python's own module, or its twin for older Pythons. Raises UsageError if it isn't there."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        return importlib.import_module(name)
    except ImportError as fault:
        raise UsageError(
            "runs in .jsonl.zst need Zstandard, which isn't installed (pip install 'worldwright[zstd]', or name the run .jsonl.gz)"
        ) from fault


def codec_of(path: Path) -> Codec:
    """The form that a run's name asks for. Raises UsageError."""
    made: tuple[Callable[[], Codec], ...] = (_Plain, _Gzip, _Zstd)
    for suffix, codec in zip(SUFFIXES, made, strict=True):
        if path.name.endswith(suffix):
            return codec()
    raise UsageError(f"{path}: the name of a run ends with {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")


def index_of(path: Path) -> Path:
    """Where a run's index is, if it has one."""
    return path.with_name(f"{path.name}.index")


def stem_of(path: Path) -> str:
    """A run's name without what says its form."""
    suffix = next((one for one in reversed(SUFFIXES) if path.name.endswith(one)), path.suffix)
    return path.name.removesuffix(suffix)


def frames_in(path: Path, codec: Codec) -> Iterator[tuple[int, int, bytes | None]]:
    """The frames of a compressed file as (where, how long, bytes); what is left at the end if it is no whole frame, with None for bytes."""
    if path.stat().st_size == 0:
        return
    faults = (zlib.error, getattr(codec, "fault", zlib.error))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = 0
        while at < len(data):
            reader, out, place = codec.reader(), bytearray(), at
            try:
                while not reader.eof and place < len(data):
                    step = data[place : place + _STEP]
                    out += reader.decompress(step)
                    place += len(step)
            except faults:
                break
            if not reader.eof:
                break
            place -= len(reader.unused_data)
            yield at, place - at, bytes(out)
            at = place
        if at < len(data):
            yield at, len(data) - at, None
