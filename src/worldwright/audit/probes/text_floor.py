"""What replies without an answer earn, below the mark of success."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from worldwright.audit.answers import JUNK
from worldwright.audit.bench import At, Case, names, plain_outcome
from worldwright.audit.records import Claim, Outcome, Probe
from worldwright.audit.subject import Session
from worldwright.audit.text.completion import NOT_TEXT, Reading, other_than, reading
from worldwright.audit.text.texts import CONFIDENT, HEDGED, REFUSAL, filler, scaffold

PROBE = Probe(
    id="text-floor",
    side="accept",
    codes=("A3", "A12"),
    needs=frozenset({"reference"}),
    means="A reply without an answer earns a good part of what the right one earns, so that a policy can live on it.",
    repair="Pay form, length and tone nothing, or so little that it can't replace the answer, and say so in the prompt.",
    rule=f"{NOT_TEXT}, or fewer than 3 instances are there",
    version=2,
)
ENOUGH = 3
MUCH = 0.5
"""More than this share of the reference's reward is too much for a reply without content, whatever the shaping."""
FLAT = 0.25
"""So is this share, where replies that have nothing in common but their form get the very same on every instance."""
SOME = 0.05


def rule(case: Case) -> str:
    """Text tasks of some instances."""
    return "" if len([at for at in case.instances if reading(at)]) >= ENOUGH else PROBE.rule


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """The mean reward of each kind of empty reply as a share of the reference's.

    More than half of it is a finding, and so is a quarter that unlike replies all get, unless the prompt states it.
    """
    pairs = [(at, found) for at in fresh if at.paid and (found := reading(at)) and (at.known[0][1].reward or 0) > 0][:6]
    if len(pairs) < ENOUGH:
        return
    texts = [_kinds(at, found) for at, found in pairs]
    plays = [[at.play((), found.sent(text)) for text in kinds.values()] for (at, found), kinds in zip(pairs, texts, strict=True)]
    done = case.attempts([Session(tuple(some)) for some in plays])
    shares: dict[str, list[float]] = {}
    for n, name in enumerate(texts[0]):
        some = [
            (at, attempts[n]) for (at, found), kinds, attempts in zip(pairs, texts, done, strict=True) if not names(kinds[name], found.text)
        ]
        if len(some) >= ENOUGH and not any(one.status == "pass" for _, one in some):  # what is paid in full is another probe's
            shares[name] = [(one.reward or 0.0) / (at.known[0][1].reward or 1.0) for at, one in some]
    flat = _flat(shares, texts[0])
    for n, name in enumerate(texts[0]):
        if name in shares:
            yield _outcome(pairs[0], name, fmean(shares[name]), len(shares[name]), Session((plays[0][n],)), name in flat)
    means = {name: fmean(some) for name, some in shares.items()}
    yield from _tone(pairs[0], means)


def _kinds(at: At, found: Reading) -> dict[str, str]:
    wrong = other_than(at, found)
    return {
        "nothing": "", "the form, empty": found.put(""), "junk in the form": found.put(JUNK), "a refusal": REFUSAL, "filler": filler(8_000),
        "the prompt's tags, empty": scaffold(at.facts.prompt) or found.put(""), CONFIDENT_WORDS: CONFIDENT, HEDGED_WORDS: HEDGED,
        WRONG: found.put(wrong or JUNK),
    }  # fmt: skip


CONFIDENT_WORDS, HEDGED_WORDS = "confident words", "hedged words"
WRONG = "a wrong answer in the form"


def _flat(shares: Mapping[str, Sequence[float]], texts: Mapping[str, str]) -> set[str]:
    """Kinds of replies that get the same share on every instance, as another text does, too: no measure of likeness."""
    steady = {name: round(some[0], 6) for name, some in shares.items() if name != WRONG and max(some) - min(some) < 1e-6}
    return {
        name
        for name, share in steady.items()
        if share >= FLAT and any(other == share and texts[one] != texts[name] for one, other in steady.items())
    }


def _outcome(pair: tuple[At, Reading], name: str, share: float, n: int, session: Session, flat: bool) -> Outcome:
    at, found = pair
    stated = found.lead("marks") if share >= SOME else ""
    bad = share >= SOME
    lead = bad and (not (share > MUCH or flat) or bool(stated) or name == WRONG)
    why = f"It earns {share:.0%} of what the reference earns (mean of {n} instances){'; ' + stated if stated else ''}." if bad else ""
    return plain_outcome(
        PROBE,
        at,
        name,
        not bad,
        why=why,
        evidence={"share of the reference's reward": round(share, 3), "instances": n} if bad else {},
        by=Claim.CONSTRUCTION.value,
        session=session,
        lead=lead,
        expected=f"below {SOME:.0%}",
        got=f"{share:.0%}",
    )


def _tone(pair: tuple[At, Reading], means: dict[str, float]) -> Iterator[Outcome]:
    if CONFIDENT_WORDS in means and HEDGED_WORDS in means:
        apart = means[CONFIDENT_WORDS] - means[HEDGED_WORDS]
        bad = abs(apart) >= 0.1
        why = (
            f"Two replies without an answer, of one length, differ by {apart:+.0%} of the reference's reward for their tone alone."
            if bad
            else ""
        )
        yield plain_outcome(
            PROBE,
            pair[0],
            "tone",
            not bad,
            why=why,
            evidence={"difference": round(apart, 3)} if bad else {},
            lead=bad,
            expected="no difference",
            got=f"{apart:+.0%}",
            code="A12",
        )
