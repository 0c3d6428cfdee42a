"""Many plays of one instance, each prefix that they share carried out once.

Takes plays; gives their attempts, the same as if each had been played from the start. One episode walks through all of
them, depth first: where plays part, it goes back to that point. Plays that are the same in all are never shared, so that
repeating one shows whether it repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from worldwright.audit.adapters.pack.play import Playing
from worldwright.audit.subject import Act, Attempt, Play

__all__ = ["Numbered", "play_all", "rounds"]

Numbered = tuple[int, Play]
"""A play and its place in the answer."""


class Names:
    """A number for each act, the same for acts that are written the same; plays of one instance have most of their acts in common."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Act, int]] = {}
        """By identity; with the act itself, so that its identity stays its own."""
        self._numbers: dict[str, int] = {}

    def of(self, act: Act) -> int:
        """The act's number; it isn't changed while this is asked."""
        known = self._known.get(id(act))
        if known is None:
            known = self._known[id(act)] = act, self._numbers.setdefault(repr(act), len(self._numbers))
        return known[1]


def rounds(plays: Sequence[Numbered], names: Names | None = None) -> list[list[Numbered]]:
    """The plays in groups in which no two are the same."""
    number = (names or Names()).of
    out: list[list[Numbered]] = []
    seen: dict[tuple[object, ...], int] = {}
    for one in plays:
        play = one[1]
        key = play.case, play.seed, play.finish, repr(play.answer), tuple(map(number, play.acts))
        turn = seen.get(key, 0)
        seen[key] = turn + 1
        if turn == len(out):
            out.append([])
        out[turn].append(one)
    return out


def play_all(plays: Sequence[Numbered], begin: Callable[[], Playing], out: dict[int, Attempt]) -> None:
    """Carry out plays of one instance; `out` gets their attempts by number."""
    names = Names()
    for group in rounds(plays, names):
        playing = begin()
        try:
            _carry(playing, group, 0, out, names, final=True)
        finally:
            playing.close()


def _carry(playing: Playing, plays: Sequence[Numbered], depth: int, out: dict[int, Attempt], names: Names, final: bool) -> None:
    """All plays that begin with what `playing` has done, their first `depth` acts; unless this is `final`, it is taken back then."""
    while plays:
        if playing.is_over() or playing.episode is None:
            _conclude(playing, plays, out, final)
            return
        ending, parting = _parted(plays, depth, names)
        if ending:
            said = [play for _, play in ending]
            attempts = playing.look(said) if parting else playing.end(said, final)
            out.update(zip((n for n, _ in ending), attempts, strict=True))
        if not parting:
            return
        for branch in parting[:-1]:
            if playing.is_over():
                _conclude(playing, branch, out, final=False)
                continue
            acts = branch[0][1].acts
            point = playing.point()
            playing.act(acts[depth])
            _carry(playing, branch, depth + 1, out, names, final=False)
            playing.back(point, acts[:depth])
        plays = parting[-1]
        playing.act(plays[0][1].acts[depth])
        depth += 1


def _parted(plays: Sequence[Numbered], depth: int, names: Names) -> tuple[list[Numbered], list[list[Numbered]]]:
    """The plays that end after `depth` acts, and the others by their next act, the most plays last: they go on without a mark."""
    ending: list[Numbered] = []
    groups: dict[int, list[Numbered]] = {}
    for one in plays:
        acts = one[1].acts
        if len(acts) == depth:
            ending.append(one)
        else:
            groups.setdefault(names.of(acts[depth]), []).append(one)
    return ending, sorted(groups.values(), key=len)


def _conclude(playing: Playing, plays: Sequence[Numbered], out: dict[int, Attempt], final: bool) -> None:
    """The play is over: what these still wanted to do makes no difference, and their answers are not given."""
    left = [one for one in plays if not one[1].finish]
    out.update((n, playing.left()) for n, _ in left)
    rest = [one for one in plays if one[1].finish]
    if rest:
        [attempt] = playing.end([rest[0][1]], final)
        out.update((n, attempt) for n, _ in rest)
