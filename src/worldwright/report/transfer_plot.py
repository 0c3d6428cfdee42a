"""Success against cost as SVG: a line with its interval for each arm, controls and ceiling told apart by dashes as well as by colour.

Takes lines of estimates over one axis of costs; gives SVG text that needs no script, no font and no network. Labels stand at the
ends of the lines and are moved apart where they would overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

import msgspec

from worldwright.transfer.statistics import Estimate

__all__ = ["COLOURS", "DASHES", "Curve", "plot"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#7b4fa3", "#1b1f24")
"""Of M. Okabe and K. Ito, told apart without seeing red or green; the yellow is darkened to be read on white."""
DASHES = {"arm": "", "control": "5 4", "ceiling": "1.5 3.5"}
Scale = Callable[[float], float]
_LEFT, _TOP, _BOTTOM, _LINE = 46, 12, 40, 15
_LETTER = 7.5
"""Pixels of a letter in the bold type of a name, on average."""


class Curve(msgspec.Struct, frozen=True):
    """A line: an arm's success at each cost."""

    name: str
    role: str
    colour: str
    points: Sequence[Estimate]


def plot(curves: Sequence[Curve], costs: Sequence[float], unit: str, *, width: int = 720, height: int = 360, labels: int = 170) -> str:
    """The picture; `labels` is the least room at the right for names, in pixels: longer names take what they need."""
    most = _ceiling(curves)
    labels = max(labels, 24 + round(_LETTER * max((len(one.name) + len(" 0.00") for one in curves), default=0)))
    right, bottom = width - labels, height - _BOTTOM

    def x(cost: float) -> float:
        return _LEFT + (right - _LEFT) * cost / costs[-1]

    def y(value: float) -> float:
        return bottom - (bottom - _TOP) * min(max(value, 0.0), most) / most

    parts = [*_axes(x, y, costs[-1], most, unit, right)]
    for one in curves:
        parts += _band(one, costs, x, y)
    for one in curves:
        path = " ".join(f"{x(cost):.1f},{y(point.mean):.1f}" for cost, point in zip(costs, one.points, strict=True))
        dash = f' stroke-dasharray="{DASHES[one.role]}"' if DASHES[one.role] else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{one.colour}" stroke-width="2"{dash}/>')
    for one, at in zip(curves, _apart([y(one.points[-1].mean) for one in curves], _TOP, bottom), strict=True):
        end = y(one.points[-1].mean)
        parts.append(f'<line x1="{right + 2}" y1="{end:.1f}" x2="{right + 14}" y2="{at:.1f}" stroke="{one.colour}" stroke-width="1"/>')
        text = escape(f"{one.name} {one.points[-1].mean:.2f}")
        parts.append(f'<text x="{right + 18}" y="{at + 4:.1f}" fill="{one.colour}" class="name">{text}</text>')
    said = escape(f"Success on held-out families against {unit}: " + ", ".join(f"{one.name} {one.points[-1].mean:.2f}" for one in curves))
    head = f'<svg class="plot" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{said}">'
    return "".join([head, *parts, "</svg>"])


def _axes(x: Scale, y: Scale, cost: float, most: float, unit: str, right: int) -> Iterator[str]:
    for n in range(6):
        value = most * n / 5
        yield f'<line x1="{_LEFT}" x2="{right}" y1="{y(value):.1f}" y2="{y(value):.1f}" class="grid"/>'
        yield f'<text fill="#5b6673" x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.2f}</text>'
    for n in range(5):
        amount = cost * n / 4
        yield f'<text fill="#5b6673" x="{x(amount):.1f}" y="{y(0) + 17:.1f}" text-anchor="middle">{amount:,.0f}</text>'
    yield f'<text fill="#1b1f24" x="{(_LEFT + right) / 2:.0f}" y="{y(0) + 34:.1f}" text-anchor="middle" class="title">{escape(unit)}</text>'


def _band(one: Curve, costs: Sequence[float], x: Scale, y: Scale) -> Iterator[str]:
    """The interval around a line, where there is one."""
    bounds = [(cost, p.low, p.high) for cost, p in zip(costs, one.points, strict=True) if p.low is not None and p.high is not None]
    if len(bounds) > 1:
        path = [f"{x(cost):.1f},{y(high):.1f}" for cost, _, high in bounds] + [
            f"{x(cost):.1f},{y(low):.1f}" for cost, low, _ in bounds[::-1]
        ]
        yield f'<polygon points="{" ".join(path)}" fill="{one.colour}" fill-opacity="0.13"/>'


def _ceiling(curves: Sequence[Curve]) -> float:
    """Where the axis ends: the least of a few round numbers that all intervals stay below."""
    highest = max((point.high if point.high is not None else point.mean for one in curves for point in one.points), default=1.0)
    return next((most for most in (0.1, 0.2, 0.5) if highest <= 0.96 * most), 1.0)


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Heights as wanted, but a line of text apart, kept above the bottom."""
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    out, last = list(wanted), top - _LINE
    for n in order:
        out[n] = last = max(wanted[n], last + _LINE)
    over = max(0.0, last - bottom)
    limit = bottom
    for n in reversed(order if over else []):
        out[n] = limit = min(out[n], limit)
        limit -= _LINE
    return out
