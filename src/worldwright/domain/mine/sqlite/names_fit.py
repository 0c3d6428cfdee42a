"""How well a column's name fits the key that it might refer to.

Takes the names of both ends; gives 0 (not at all) to 1 (`customer_id` and the table `customers`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from worldwright.domain.mine.sqlite.vocabulary import stems

__all__ = ["core", "fit", "is_id"]

_ID = frozenset(
    {"id", "key", "no", "nr", "num", "number", "code", "uuid", "guid", "ref", "fk", "pk", "oid", "identifier", "reference", "sk"}
)
_PREFIXES = frozenset({"tbl", "table", "tb", "t", "app", "dim", "fact", "ref", "lu", "lkp", "mst", "master", "data", "list", "info"})
_SELF = frozenset(
    {"parent", "manager", "supervisor", "boss", "superior", "previou", "previous", "prev", "root", "reports", "report", "replace"}
)
_ACTORS = frozenset({"user", "employee", "staff", "person", "people", "member", "agent", "account", "personnel"})
_ROLES = frozenset(
    {"by", "owner", "author", "assignee", "approver", "creator", "assigned", "handler", "reviewer", "manager", "editor", "rep"}
)


@functools.lru_cache(4096)
def core(name: str) -> tuple[str, ...]:
    """The words of a column's name without those that only say that it is a key."""
    found = [one for one in stems(name) if one not in _ID]
    if not found and len(stems(name)) == 1:
        return ()
    joined = stems(name)
    if len(joined) == 1 and len(joined[0]) > 4 and joined[0].endswith("id"):  # `customerid`
        return (joined[0][:-2],)
    return tuple(found)


def is_id(name: str) -> bool:
    """Whether a name says that it is a key."""
    return len(core(name)) < len(stems(name)) or (stems(name) != () and core(name) != stems(name))


@functools.lru_cache(4096)
def _subject(table: str) -> tuple[str, ...]:
    found = tuple(one for one in stems(table) if one not in _PREFIXES)
    return found or stems(table)


def fit(table: str, column: str, to: str, key: str) -> float:
    """How well a column's name fits the key of another table, or of its own."""
    own, subject = core(column), _subject(to)
    same = stems(column) == stems(key)
    if same and core(key) and table != to:
        return 1.0 if "".join(core(key)) in ("".join(subject), *subject[-1:]) else 0.8 if is_id(key) else 0.4
    if not own or not subject:
        return 0.0
    if table == to and own[0] in _SELF:
        return 0.8
    return _by_subject(own, subject, is_id(column)) or _by_role(own, subject)


def _by_subject(own: Sequence[str], subject: Sequence[str], says_id: bool) -> float:
    glued, wanted = "".join(own), "".join(subject)
    if glued == wanted:
        return 1.0 if says_id else 0.9
    if len(own) > len(subject) and tuple(own[-len(subject) :]) == tuple(subject):
        return 0.8 if says_id else 0.6
    if len(subject) > len(own) and tuple(subject[-len(own) :]) == tuple(own):
        return 0.7 if says_id else 0.4
    if says_id and len(glued) >= 3 and (wanted.startswith(glued) or subject[-1].startswith(glued)):
        return 0.6
    initials = "".join(word[0] for word in subject)
    return 0.5 if says_id and len(initials) > 1 and glued == initials else 0.0


def _by_role(own: Sequence[str], subject: Sequence[str]) -> float:
    """`approved_by` and the like lead to people."""
    return 0.6 if (own[-1] in _ROLES or own[0] in _ROLES) and subject[-1] in _ACTORS else 0.0
