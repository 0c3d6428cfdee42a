"""A text task on the bench: the right answer as text, what stands around it, and completions made of both.

Takes an instance; gives a Reading, or None where what is graded is not the text of one reply: there are tools, a folder, a
talk, a program to be run, or the known answer is no text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from worldwright.audit.answers import is_free_text, number_in, same
from worldwright.audit.code import places
from worldwright.audit.subject import WHOLE
from worldwright.audit.text.grants import grants

if TYPE_CHECKING:
    from worldwright.audit.bench import At

__all__ = ["NOT_TEXT", "Reading", "labels", "leeway", "other_than", "reading", "unfit"]

NOT_TEXT = "what is graded is not the text of one reply"
_LABEL = 12


class Reading(msgspec.Struct, frozen=True):
    """The right answer (`answer`, as `text`), its frame, and the grants of the prompt."""

    answer: Any
    text: str
    before: str
    after: str
    is_whole: bool
    grants: Mapping[str, str]

    def put(self, text: str) -> str:
        """A completion with this text in the answer's place."""
        return f"{self.before}{text}{self.after}"

    def sent(self, completion: Any) -> Any:
        """A whole completion as the answer of a play."""
        return {WHOLE: completion} if self.is_whole else completion

    @property
    def right(self) -> str:
        """The right completion."""
        return self.put(self.text)

    @property
    def is_paired(self) -> bool:
        """Whether something closes the frame."""
        return bool(self.before.strip() and self.after.strip())

    @property
    def is_number(self) -> bool:
        """Whether the right answer is one number."""
        return number_in(self.text) is not None

    @property
    def is_prose(self) -> bool:
        """Whether the right answer is prose or spans lines: no short thing that is either said or not."""
        return is_free_text(self.text) or "\n" in self.text.strip() or len(self.text) > 80

    def lead(self, *names: str) -> str:
        """Why a trial is only a lead: the first of these that the prompt grants; "" if none."""
        return next((f"the prompt says '{self.grants[name]}'" for name in names if name in self.grants), "")


def reading(at: At) -> Reading | None:
    """The reading of an instance."""
    facts = at.facts
    reference = facts.reference
    if reference is None or facts.tools or reference.acts or facts.has & {"folder", "reply"}:
        return None
    answer = reference.answer
    if facts.frame is None and not isinstance(answer, str):
        return None
    if answer is None or places(at) or not (isinstance(answer, (str, int, float, list, dict)) and not isinstance(answer, bool)):
        return None
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False, default=str)
    if not text.strip():
        return None
    before, after = facts.frame or ("", "")
    return Reading(answer, text, before, after, facts.frame is not None, grants(facts.prompt))


def unfit(at: At) -> str:
    """A probe's rule: "" for a text task."""
    return "" if reading(at) else NOT_TEXT


def leeway(at: At, found: Reading, *freedoms: str) -> str:
    """Why another answer than the known one may be right: what the brief leaves open, a free order apart; "" if nothing does."""
    for name in freedoms or ("choice",):
        words = [grant.words for grant in at.freedoms.get(name, ()) if not re.search(r"\border\b", grant.words)]
        if words:
            return f"the brief leaves {name} open ('{words[0]}')"
    return found.lead("open")


def other_than(at: At, found: Reading) -> str:
    """A wrong answer of the right one's kind: another number, another label; "" where only something outlandish is sure to be wrong."""
    number = number_in(found.text)
    if number is not None:
        plain = found.text.strip()
        far = number + 7 + abs(number) / 2
        return str(int(far)) if re.fullmatch(r"-?\d+", plain) else f"{far:.{len(plain.partition('.')[2]) or 1}f}"
    words = [str(one) for one in at.others if isinstance(one, (str, int, float)) and not isinstance(one, bool)]
    alike = [one for one in words if len(one) <= 60 and not same(one, found.text) and not _overlap(one, found.text)]
    return alike[0] if alike else ""


def labels(at: At) -> list[str]:
    """The answers of all instances, where they are few and come again: a closed set; else nothing."""
    known = [one.facts.reference.answer for one in at.case.instances if one.facts.reference]
    texts = [str(one) for one in known if isinstance(one, (str, int)) and not isinstance(one, bool)]
    kinds = list(dict.fromkeys(texts))
    return sorted(kinds) if 2 <= len(kinds) <= _LABEL and len(texts) >= 2 * len(kinds) else []


def _overlap(one: str, other: str) -> bool:
    a, b = one.casefold().strip(), other.casefold().strip()
    return a in b or b in a
