"""The lock: all that decides a certificate's bytes, so that the same audit can be made again.

Takes an Audit and what was asked; gives a Lock. It names no path and no time. The target itself isn't in it, only its
digest: who audits again says where it is.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

import msgspec

from worldwright import __version__
from worldwright.audit.probes import battery
from worldwright.audit.run import Audit
from worldwright.errors import UsageError

__all__ = ["LOCK_SCHEMA", "Lock", "LockedPolicy", "LockedSubject", "Request", "encode", "lock_of", "plain_name", "read_record"]

LOCK_SCHEMA = "worldwright.audit-lock/1"


class Request(msgspec.Struct, frozen=True):
    """What was asked of the audit beside subject, policy and seed; part of the lock."""

    cases: tuple[str, ...] | None = None
    only: tuple[str, ...] = ()
    whole: bool = False
    fast: bool = False
    reviewed: str = ""
    """The SHA-256 of the file of reviewed verdicts; "" without one."""


class LockedPolicy(msgspec.Struct, frozen=True):
    """The policy: its file's name, version and SHA-256, and the figures that were in force."""

    name: str
    version: int
    sha256: str
    admission: int
    certification: int
    search: int


class LockedSubject(msgspec.Struct, frozen=True):
    """What was audited."""

    name: str
    kind: str
    digest: str


class Lock(msgspec.Struct, frozen=True):
    """All that decides the certificate's bytes."""

    subject: LockedSubject
    policy: LockedPolicy
    seed: int
    request: Request
    probes: dict[str, int]
    tool: str
    """The version of worldwright."""
    schema: str = LOCK_SCHEMA


def lock_of(audit: Audit, request: Request) -> Lock:
    """The lock of an audit."""
    policy = audit.policy
    return Lock(
        LockedSubject(plain_name(audit.subject), audit.kind, audit.digest),
        LockedPolicy(policy.name, policy.version, policy.digest, policy.admission, policy.certification, policy.search),
        audit.seed,
        request,
        {name: module.PROBE.version for name, module in battery().items()},
        __version__,
    )


def plain_name(name: str) -> str:
    """A subject's name without the folders of this machine."""
    return PurePath(name).name if name.startswith(("/", "~", ".")) else name


def encode(record: Any) -> bytes:
    """A record as sorted JSON, the same bytes for the same record."""
    return msgspec.json.format(msgspec.json.encode(record, order="sorted"), indent=1) + b"\n"


def read_record(path: Path, kind: type, schema: str, what: str) -> Any:
    """A record of a schema from its file. Raises UsageError."""
    try:
        record: Any = msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected {what})") from fault
    except msgspec.MsgspecError as fault:
        raise UsageError(f"{path}: not {what}: {fault}") from fault
    if record.schema != schema:
        raise UsageError(f"{path}: {what} of another make, '{record.schema}' (expected {schema})")
    return record
