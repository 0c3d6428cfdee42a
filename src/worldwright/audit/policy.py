"""What an audit must show before anything is certified: versioned files, apart from the probes.

Takes a shipped policy's name (`strict`, `default`, `quick`, `exploratory`) or a path; gives a Policy with the hash of its text.
All figures are fixed before the first probe: to accept, n is what the policy says; only rejecting may stop early.
"""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path

import msgspec

from worldwright.errors import PackError, UsageError
from worldwright.files import decode_yaml

__all__ = ["SHIPPED", "Policy", "read_policy"]

SHIPPED = ("default", "exploratory", "quick", "strict")


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A policy file.

    `admission` and `certification` are numbers of distinct instances a task, on disjoint seeds. `first_wave` instances
    are tried first and fully: one confirmed finding there ends the audit (rejected). `thin` 0: so are all others. Else
    `wide` certification instances are too, and on every other instance the controls are tried and `thin` kinds once
    each, in turns. `required` probe kinds must neither be
    unknown nor left out where they apply ("*": all). `search` is how many graded runs the shortcut search has an
    instance. `reject_errors`: an agent's act that turns a verdict into an error rejects too. `certifies` false: never
    more than "no finding".
    """

    name: str
    version: int
    about: str
    admission: int
    certification: int
    first_wave: int = 4
    wide: int = 1
    thin: int = 0
    required: list[str] = []
    unknown_allowed: list[str] = []
    search: int = 40
    luck: float = 0.8
    reject_errors: bool = False
    certifies: bool = True
    digest: str = ""


def read_policy(name: str) -> Policy:
    """A shipped policy by its name, or a file. Raises UsageError (no such policy) and PackError (a broken file)."""
    if name in SHIPPED:
        text, where = resources.files("worldwright.audit").joinpath(f"policies/{name}.yaml").read_text(encoding="utf-8"), f"{name}.yaml"
    elif Path(name).is_file():
        text, where = Path(name).read_text(encoding="utf-8"), name
    else:
        raise UsageError(f"{name}: no such policy (expected {', '.join(SHIPPED)}, or a file's path)")
    policy = decode_yaml(text, Policy, where)
    if policy.admission < 1 or policy.certification < 0 or policy.first_wave < 1 or policy.version < 1 or min(policy.wide, policy.thin) < 0:
        raise PackError(
            "a number is too small", file=where, expected="admission, first_wave and version at least 1, certification at least 0"
        )
    return msgspec.structs.replace(policy, digest=hashlib.sha256(text.encode()).hexdigest())
