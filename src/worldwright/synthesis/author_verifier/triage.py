"""Verifiers of triage: the outcome of each looked-at row, and where the page of people counts, who takes it and what they then have open.

`in_order` has the rows that are sent, in the order that the brief says; `handed` goes through them one after another and has who takes
each, by the loads as they then are; `loads` has what the people concerned have open afterwards. `ruled` is that of `rulings`.
"""

from __future__ import annotations

from worldwright.synthesis.author_verifier.remedy import recorded
from worldwright.synthesis.author_verifier.rulings import parameter, reach, ruled
from worldwright.synthesis.draft import CLOCK, Draft, TaskDraft, quoted, text_of
from worldwright.synthesis.patterns.triage import Staffing, TriageTask
from worldwright.verifier.spec import Expectation, VerifierSpec, WrittenBy

__all__ = ["write"]

_BY = WrittenBy("procedural")


def write(draft: Draft, task: TaskDraft) -> VerifierSpec:
    """The verifier of a task of this pattern."""
    makers = {"route": _route, "assign": _assign, "work-off": _work_off, "reroute": _reroute}
    return makers[task.template](draft, task.given)


# ---- the templates


def _route(draft: Draft, given: TriageTask) -> VerifierSpec:
    """The one row's outcome is recorded, and nobody has it."""
    staffing = given.staffing
    queries = ruled(draft, given.ruling, _the_row(draft, given))
    answer = {"outcome": "SELECT outcome FROM ruled"}
    if given.reports == "free":
        free = _free(staffing, "p.open_items")
        answer["free"] = f"SELECT count(*) FROM ruled u JOIN before.{quoted(staffing.people)} p ON p.desk = u.outcome WHERE {free}"
    return VerifierSpec(_BY, queries, expect=recorded(draft, given.ruling), answer=answer)


def _assign(draft: Draft, given: TriageTask) -> VerifierSpec:
    """The one row's outcome is recorded, and whoever takes it has one more open."""
    queries = ruled(draft, given.ruling, _the_row(draft, given)) | _people(draft, given)
    answer = {"outcome": "SELECT outcome FROM ruled", "person": "SELECT coalesce(person_id, 'nobody') FROM handed WHERE turn > 0"}
    return VerifierSpec(_BY, queries, expect=[*recorded(draft, given.ruling), *_taken(draft, given)], answer=answer)


def _work_off(draft: Draft, given: TriageTask) -> VerifierSpec:
    """Each open row of the group is recorded and taken, one after another."""
    state = f"o.{quoted(given.ruling.state)} = 'open' AND {_of_group(draft, given, 'o')}"
    queries = ruled(draft, given.ruling, state) | _people(draft, given)
    answer = {
        "counted": {"count": f"SELECT count(*) FROM ruled WHERE outcome = {text_of(given.counted)}"},
        "unassigned": {"unassigned": "SELECT count(*) FROM handed WHERE turn > 0 AND person_id IS NULL"},
        "people": {"people": "SELECT DISTINCT person_id FROM handed WHERE person_id IS NOT NULL"},
    }[given.reports]
    return VerifierSpec(_BY, queries, expect=[*recorded(draft, given.ruling), *_taken(draft, given)], answer=answer)


def _reroute(draft: Draft, given: TriageTask) -> VerifierSpec:
    """Each decided row of the group whose recorded outcome is another has the right one; with a handover, it changes hands too."""
    ruling, staffing = given.ruling, given.staffing
    key = quoted(draft.table(ruling.entity).key_argument)
    queries = ruled(draft, ruling, f"o.{quoted(ruling.state)} = 'decided' AND {_of_group(draft, given, 'o')}")
    expect = [Expectation(f"SELECT row_key AS {key}, outcome FROM in_order", "each wrong outcome corrected", update=ruling.made)]
    if staffing.handover:
        queries |= _people(draft, given, corrects=True)
        rows = f"SELECT row_key AS {key}, person_id FROM handed WHERE turn > 0"
        expect += [Expectation(rows, "each corrected one handed on", update=staffing.assignments), _loads(staffing)]
    else:
        queries["in_order"] = _in_order(draft, given, corrects=True)
    answer = "SELECT count(*) FROM in_order" if given.reports == "count" else "SELECT row_key FROM in_order"
    return VerifierSpec(_BY, queries, expect=expect, answer={"corrected": answer})


# ---- which rows


def _the_row(draft: Draft, given: TriageTask) -> str:
    """The condition that `o` is the row meant: the one named, or the group's open one with the lowest or highest key."""
    table = draft.table(given.ruling.entity)
    key = quoted(table.key)
    if given.finds == "key":
        return f"o.{key} = :{given.key}"
    pick = {"first": "min", "last": "max"}[given.finds]
    mine = f"x.{quoted(given.ruling.state)} = 'open' AND {_of_group(draft, given, 'x')}"
    return f"o.{key} = (SELECT {pick}(x.{key}) FROM before.{quoted(table.name)} x WHERE {mine})"


def _of_group(draft: Draft, given: TriageTask, at: str) -> str:
    """The condition that a row is of the group that the brief names."""
    group = given.ruling.group
    assert group is not None
    return f"{reach(draft, at, group.hops[:-1], group.hops[-1].column)} = :{given.group}"


def _in_order(draft: Draft, given: TriageTask, corrects: bool) -> str:
    """The rows that are sent, with their turn; `corrects`: those alone that were sent elsewhere, with who has them."""
    key = quoted(draft.table(given.ruling.entity).key_argument)
    order = {"lowest": "ASC", "highest": "DESC"}[given.order]
    former, source = "NULL", "ruled u"
    if corrects:
        former = f"(SELECT a.person_id FROM before.{quoted(given.staffing.assignments)} a WHERE a.{key} = u.row_key)"
        source += f" JOIN before.{quoted(given.ruling.made)} r ON r.{key} = u.row_key WHERE r.outcome <> u.outcome"
    return f"SELECT row_number() OVER (ORDER BY u.row_key {order}) AS turn, u.row_key, u.outcome, {former} AS former_id FROM {source}"


# ---- who takes them


def _people(draft: Draft, given: TriageTask, corrects: bool = False) -> dict[str, str]:
    """The queries in_order, handed and loads."""
    staffing = given.staffing
    taker = _taker(staffing, "q.outcome")
    if staffing.fallback:
        taker = f"coalesce({taker}, {_taker(staffing, text_of(staffing.fallback))})"
    handed = (
        "SELECT 0 AS turn, NULL AS row_key, NULL AS outcome, NULL AS person_id, NULL AS former_id, '[]' AS took, '[]' AS gave UNION ALL "
        f"SELECT q.turn, q.row_key, q.outcome, {taker}, q.former_id, {_TOOK}, {_GAVE} FROM handed s JOIN in_order q ON q.turn = s.turn + 1"
    )
    more, less = (f"(SELECT count(*) FROM handed s WHERE s.{one} = p.id)" for one in ("person_id", "former_id"))
    concerned = "(SELECT person_id FROM handed UNION SELECT former_id FROM handed)"
    loads = f"SELECT p.id, p.open_items + {more} - {less} AS open_items FROM before.{quoted(staffing.people)} p WHERE p.id IN {concerned}"
    return {"in_order": _in_order(draft, given, corrects), "handed": handed, "loads": loads}


_TOOK = "json_insert(s.took, '$[#]', s.person_id)"
"""Who has taken one before this turn, once for each; `s` is the turn before."""
_GAVE = "json_insert(s.gave, '$[#]', s.former_id)"
"""Who has lost one before this turn, once for each."""


def _taker(staffing: Staffing, desk: str) -> str:
    """Who of a desk takes the row whose turn it is; NULL if nobody there is free."""
    more, less = (f"(SELECT count(*) FROM json_each({one}) j WHERE j.value = e.id)" for one in (_TOOK, _GAVE))
    now = f"SELECT e.*, e.open_items + {more} - {less} AS load FROM before.{quoted(staffing.people)} e WHERE e.desk = {desk}"
    room = "p.most_items - p.load DESC, " if staffing.tie == "room" else ""
    return f"(SELECT p.id FROM ({now}) p WHERE {_free(staffing, 'p.load')} ORDER BY p.load, {room}p.id LIMIT 1)"


def _free(staffing: Staffing, load: str) -> str:
    """The condition that the person `p` with this load is there and below their limit."""
    there = "p.away = 0" if staffing.absence == "flag" else f"coalesce(p.away_until < {text_of(CLOCK[:10])}, 1)"
    if staffing.limit == "spare":
        return f"{there} AND {load} + {parameter(staffing.parameter)} < p.most_items"
    trainee = f" AND (p.trainee = 0 OR {load} < {parameter(staffing.parameter)})" if staffing.limit == "trainee" else ""
    return f"{there} AND {load} < p.most_items{trainee}"


def _taken(draft: Draft, given: TriageTask) -> list[Expectation]:
    """Who has each row (or nobody), and what the people then have open."""
    key = quoted(draft.table(given.ruling.entity).key_argument)
    rows = f"SELECT row_key AS {key}, person_id FROM handed WHERE turn > 0"
    return [Expectation(rows, "whoever is free and next has it", insert=given.staffing.assignments), _loads(given.staffing)]


def _loads(staffing: Staffing) -> Expectation:
    """What the people concerned have open in the end."""
    return Expectation("SELECT id, open_items FROM loads", "what they have open", update=staffing.people)
