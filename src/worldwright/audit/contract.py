"""A buyer's contract: contract.toml, read strictly.

Takes a file (docs/audit.md has its fields); gives a Contract. Raises PackError with file, line and field for a contract that
isn't one. What it means for a certificate is `acceptance`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from worldwright.audit.probes import battery
from worldwright.errors import PackError, UsageError
from worldwright.pack.place import line_in

__all__ = ["Bounds", "Contract", "CostTerms", "Coverage", "Difficulty", "Licence", "PolicyTerms", "read_contract"]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Bounds(_Table, frozen=True):
    """Upper 95 % bounds that may not be passed, as shares. `tasks`: accepted tasks of distinct structure, at least."""

    most_false_accept: float | None = None
    """Of the instances of each task, certification seeds; the worst task counts."""
    most_false_refusal: float | None = None
    task_most_false_accept: float | None = None
    """Of the tasks of distinct structure."""
    task_most_false_refusal: float | None = None
    tasks: int | None = None


class Difficulty(_Table, frozen=True):
    """The band that a solver's pass rate must lie in, on every task."""

    solver: str
    least: float = 0.0
    most: float = 1.0


class Coverage(_Table, frozen=True):
    """`concepts` that tasks must name; kinds of `probes` that must have run, or not apply, on every task."""

    concepts: list[str] = []
    probes: list[str] = []


class Licence(_Table, frozen=True):
    """Licences that are allowed."""

    allowed: list[str]


class CostTerms(_Table, frozen=True):
    """The most an accepted task may have cost, by the ledger."""

    most_cents: float | None = None
    most_cpu_seconds: float | None = None


class PolicyTerms(_Table, frozen=True):
    """The policy that must have been in force."""

    name: str
    least_version: int = 1


class Contract(_Table, frozen=True):
    """`contract.toml`."""

    bounds: Bounds = Bounds()
    difficulty: Difficulty | None = None
    coverage: Coverage = Coverage()
    licence: Licence | None = None
    cost: CostTerms = CostTerms()
    policy: PolicyTerms | None = None


def read_contract(path: Path) -> Contract:
    """The contract in a file. Raises PackError (a broken one) and UsageError (no such file)."""
    try:
        data = path.read_bytes()
        contract: Contract = msgspec.convert(tomllib.loads(data.decode()), Contract)
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected a contract, TOML)") from fault
    except UnicodeDecodeError as fault:
        raise PackError("not UTF-8 text", file=str(path), line=1, expected="UTF-8") from fault
    except tomllib.TOMLDecodeError as fault:
        found = re.search(r"at line (\d+)", str(fault))
        raise PackError(f"not TOML: {fault}", file=str(path), line=int(found.group(1)) if found else 1, expected="TOML 1.0") from fault
    except msgspec.ValidationError as fault:
        raise _misfit(path, data, str(fault)) from fault
    for field, value in _shares(contract):
        if not 0 <= value <= 1:
            raise PackError(
                f"got {value}", file=str(path), line=line_in(str(path), data, field), field=field, expected="a share from 0 to 1"
            )
    for name in contract.coverage.probes:
        if name not in battery():
            line = line_in(str(path), data, "coverage.probes")
            raise PackError(
                f"there is no kind of probe '{name}'", file=str(path), line=line, field="coverage.probes", expected=", ".join(battery())
            )
    return contract


def _misfit(path: Path, data: bytes, text: str) -> PackError:
    named = re.search(r"at `\$\.?(.+?)`", text)
    unknown = re.search(r"unknown field `(.+?)`", text)
    place = named.group(1) if named else ""
    field = ".".join(part for part in (place, unknown.group(1) if unknown else "") if part)
    table = place if unknown else place.rpartition(".")[0]
    known = {
        "": Contract,
        "bounds": Bounds,
        "difficulty": Difficulty,
        "coverage": Coverage,
        "licence": Licence,
        "cost": CostTerms,
        "policy": PolicyTerms,
    }
    expected = f"one of {', '.join(known[table].__struct_fields__)}" if unknown and table in known else re.sub(r" - at `.*", "", text)
    return PackError(re.sub(r" - at `.*", "", text), file=str(path), line=line_in(str(path), data, field), field=field, expected=expected)


def _shares(contract: Contract) -> Iterator[tuple[str, float]]:
    bounds, band = contract.bounds, contract.difficulty
    for name in ("most_false_accept", "most_false_refusal", "task_most_false_accept", "task_most_false_refusal"):
        if getattr(bounds, name) is not None:
            yield f"bounds.{name}", getattr(bounds, name)
    if band is not None:
        yield from (("difficulty.least", band.least), ("difficulty.most", band.most))
