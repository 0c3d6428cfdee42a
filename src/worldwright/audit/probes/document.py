"""What the documents say of every probe and every kind of fault, made from the probes themselves.

Takes nothing; gives the tables of docs/audit.md, and puts them between their markers.
`python -m worldwright.audit.probes docs/audit.md` redraws them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from worldwright.audit.probes import battery
from worldwright.audit.records import Side
from worldwright.audit.taxonomy import taxonomy

__all__ = ["SIDES", "TABLES", "does", "fault_table", "probe_table", "redraw"]

SIDES: Mapping[Side, str] = {"accept": "must fail", "refuse": "must pass", "hold": "must hold"}
"""What a probe of a side expects of its runs."""


def does(module: ModuleType) -> str:
    """What a probe tries, in its own words."""
    act = getattr(module, "trials", None) or module.look
    return " ".join((act.__doc__ or module.__doc__ or "").split())


def probe_table() -> str:
    """A line a probe: what it tries, what a wrong outcome means, which faults that shows."""
    lines = [
        "| probe | side | what it tries | a wrong outcome means | faults | needs | does not apply where |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, module in battery().items():
        probe = module.PROBE
        side = SIDES[probe.side] + (", held out" if probe.held_out else "")
        cells = (
            f"`{name}`",
            side,
            does(module),
            probe.means,
            " ".join(probe.codes),
            ", ".join(sorted(probe.needs)) or "nothing",
            probe.rule or "-",
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def fault_table() -> str:
    """A line a kind of fault, with the probes that look for it."""
    lines = ["| code | fault | what it is | looked for by |", "|---|---|---|---|"]
    for one in taxonomy():
        finders = [f"`{name}`" for name, module in battery().items() if one.code in module.PROBE.codes]
        lines.append(f"| {one.code} | {one.name} | {one.means} | {', '.join(finders) or 'no probe'} |")
    return "\n".join(lines)


TABLES = {"probes": probe_table, "faults": fault_table}
"""Tables by the name that their markers carry."""


def redraw(text: str) -> str:
    """The text with its tables made anew. Raises ValueError if a table's markers are not there, once each, in order."""
    for name, table in TABLES.items():
        opens, closes = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, first, rest = text.partition(opens)
        _, last, after = rest.partition(closes)
        if not (first and last) or opens in rest or closes in after:
            raise ValueError(f"expected one line {opens!r} and after it one line {closes!r}")
        text = f"{before}{opens}\n{table()}\n{closes}{after}"
    return text
