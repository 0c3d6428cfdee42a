"""Verifiers of schedules: which rows have to be booked or moved, and whether the bookings keep the page's rules.

`work` has the rows of the task; `able` each member and half-day that fit a row whatever the bookings are, `free` those of them that fit
beside the bookings before (`booked`). Where several ends are right, the member (and half-day) is open and `wrong` looks at the bookings
after (`booked_now`); where one is, it is pinned: `pick` for the earliest half-day, `moved` for bookings that go one after another.
"""

from __future__ import annotations

from worldwright.synthesis.author_verifier.rulings import parameter, reach
from worldwright.synthesis.draft import Draft, TaskDraft, quoted, text_of
from worldwright.synthesis.patterns.schedule import Schedule, ScheduleTask
from worldwright.verifier.spec import Expectation, VerifierSpec, WrittenBy

__all__ = ["write"]

_BY = WrittenBy("procedural")


def write(draft: Draft, task: TaskDraft) -> VerifierSpec:
    """The verifier of a task of this pattern."""
    makers = {"plan": _plan, "earliest": _earliest, "relieve": _relieve}
    return makers[task.template](draft, task.given)


# ---- the templates


def _plan(draft: Draft, given: ScheduleTask) -> VerifierSpec:
    """Each waiting row that has a right half-day is booked, by whom and when the rules allow; the others are on hold."""
    rules = given.rules
    part = f"o.{quoted(rules.category)} = :wanted"
    if given.scope == "group" and rules.group is not None:
        part = f"{_group(draft, rules, 'o')} = :{draft.table(rules.group.entity).key_argument}"
    queries = _common(draft, rules, f"o.{quoted(rules.state)} = 'waiting' AND {part}")
    queries["free"] = _free(rules)
    queries["settled"] = "SELECT w.row_key, EXISTS (SELECT 1 FROM free f WHERE f.row_key = w.row_key) AS works FROM work w"
    queries["booked_now"] = _booked(draft, rules, "")
    booking = Expectation(
        f"SELECT row_key AS {quoted(rules.key)} FROM settled WHERE works",
        "each that can be booked is booked as the page allows",
        insert=rules.bookings,
        open=[rules.person, "day", "half"],
        wrong=_wrong(rules, given.extra),
    )
    states = _states(draft, rules, "SELECT row_key, CASE works WHEN 1 THEN 'booked' ELSE 'on hold' END AS state FROM settled")
    answer = {"booked": "SELECT count(*) FROM settled WHERE works", "held": "SELECT count(*) FROM settled WHERE NOT works"}
    return VerifierSpec(_BY, queries, expect=[booking, states], answer=answer)


def _earliest(draft: Draft, given: ScheduleTask) -> VerifierSpec:
    """The one row is booked for the first right half-day with the member that the tie rule names; or it is on hold."""
    rules = given.rules
    queries = _common(draft, rules, f"o.{quoted(draft.table(rules.entity).key)} = :{rules.key}")
    queries["free"] = _free(rules)
    wish = f" WHERE s.half = {text_of(given.wish)}" if given.wish else ""
    fewest = "(SELECT count(*) FROM booked b WHERE b.member = f.member), " if rules.tie == "fewest" else ""
    queries["pick"] = (
        f"SELECT f.row_key, f.member, s.day, s.half FROM free f JOIN spots s ON s.n = f.n{wish} ORDER BY f.n, {fewest}f.member LIMIT 1"
    )
    booking = Expectation(
        f"SELECT row_key AS {quoted(rules.key)}, member AS {quoted(rules.person)}, day, half FROM pick",
        "booked for the first right half-day",
        insert=rules.bookings,
    )
    states = _states(
        draft, rules, "SELECT w.row_key, CASE WHEN EXISTS (SELECT 1 FROM pick) THEN 'booked' ELSE 'on hold' END AS state FROM work w"
    )
    answer = {field: f"SELECT coalesce((SELECT CAST({field} AS TEXT) FROM pick), 'none')" for field in ("day", "half", "member")}
    return VerifierSpec(_BY, queries, expect=[booking, states], answer=answer)


def _relieve(draft: Draft, given: ScheduleTask) -> VerifierSpec:
    """Each booking in question is at its half-day, or at the next later one, with somebody else; or it's gone and its row on hold."""
    rules = given.rules
    table = draft.table(rules.entity)
    key, person = quoted(rules.key), quoted(rules.person)
    out = f"x.{person} = :{rules.person} AND x.day {'=' if given.span == 'day' else '>='} :day"
    dropped = f"SELECT x.{key} FROM before.{quoted(rules.bookings)} x WHERE {out}"
    queries = _common(draft, rules, f"o.{quoted(table.key)} IN ({dropped})", f"c.{person} <> :{rules.person}")
    queries["due"] = (
        "SELECT row_number() OVER (ORDER BY b.n) AS turn, b.row_key, b.n AS own FROM booked b JOIN work w ON w.row_key = b.row_key"
    )
    within = "=" if rules.relief == "hold" else ">="
    rows = f"SELECT d.row_key AS {key}, {{}}s.day, s.half FROM dealt d JOIN spots s ON s.n = d.at"
    name = "each that somebody else can take has the half-day that the page says"
    if rules.reliever == "key":
        queries["moved"] = _moved(rules, within)
        picked = ", ".join(f"json_extract(m.pick, '$[{n}]') AS {one}" for n, one in ((1, "at"), (2, "member")))
        queries["dealt"] = f"SELECT m.row_key, m.own, {picked} FROM moved m WHERE m.turn > 0"
        moved = Expectation(rows.format(f"d.member AS {person}, "), name, update=rules.bookings)
    else:
        queries["free"] = _free(rules)
        best = f"(SELECT min(f.n) FROM free f WHERE f.row_key = d.row_key AND f.n {within} d.own)"
        queries["dealt"] = f"SELECT d.row_key, d.own, {best} AS at FROM due d"
        queries["booked_now"] = _booked(draft, rules, "")
        moved = Expectation(rows.format(""), name, update=rules.bookings, open=[rules.person], wrong=_wrong(rules, ""))
    gone = Expectation(f"SELECT row_key AS {key} FROM dealt WHERE at IS NULL", "the others' bookings are gone", delete=rules.bookings)
    held = _states(draft, rules, "SELECT row_key, 'on hold' AS state FROM dealt WHERE at IS NULL")
    answer = {
        name: f"SELECT count(*) FROM dealt WHERE {test}"
        for name, test in (("kept", "at = own"), ("later", "at > own"), ("held", "at IS NULL"))
    }
    return VerifierSpec(_BY, queries, expect=[moved, gone, held], answer=answer)


def _moved(rules: Schedule, within: str) -> str:
    """Bookings dealt with one after another; `pick` has row, half-day, member and group as JSON, or NULL where nobody can take it."""
    log = "json_insert(s.log, '$[#]', json(s.pick))"
    made = ", ".join(f"json_extract(j.value, '$[{n}]') AS {name}" for n, name in enumerate(("row_key", "n", "member", "gathered")))
    standing = (
        "(SELECT b.row_key, b.n, b.member, b.gathered FROM booked b WHERE b.row_key NOT IN (SELECT e.row_key FROM due e WHERE e.turn <= d.turn) "
        f"UNION ALL SELECT {made} FROM json_each({log}) j WHERE j.value IS NOT NULL)"
    )
    can = f"a.row_key = d.row_key AND a.n {within} d.own AND {_fits(rules, standing)}"
    pick = f"(SELECT json_array(a.row_key, a.n, a.member, a.gathered) FROM able a WHERE {can} ORDER BY a.n, a.member LIMIT 1)"
    return (
        "SELECT 0 AS turn, NULL AS row_key, NULL AS own, NULL AS pick, '[]' AS log UNION ALL "
        f"SELECT d.turn, d.row_key, d.own, {pick}, {log} FROM moved s JOIN due d ON d.turn = s.turn + 1"
    )


def _states(draft: Draft, rules: Schedule, rows: str) -> Expectation:
    """The state of each row; `rows` has row_key and state."""
    table = draft.table(rules.entity)
    return Expectation(
        f"SELECT row_key AS {quoted(table.key)}, state AS {quoted(rules.state)} FROM ({rows})",
        "marked as booked or on hold",
        update=table.name,
    )


# ---- who may take what


def _common(draft: Draft, rules: Schedule, where: str, who: str = "1") -> dict[str, str]:
    """The queries spots, work, booked and able; `where` says which rows `o` are meant, `who` which members `c` are asked."""
    table = draft.table(rules.entity)
    spots = " UNION ALL ".join(
        f"SELECT {n} AS n, {text_of(day)} AS day, {text_of(half)} AS half" for n, (day, half) in enumerate(rules.spots)
    )
    ready = f"o.{quoted(rules.ready)}" if rules.ready else "NULL"
    return {
        "spots": spots,
        "work": f"SELECT o.{quoted(table.key)} AS row_key, o.{quoted(rules.category)} AS category, {ready} AS first_day, "
        f"{_group(draft, rules, 'o')} AS gathered FROM before.{quoted(table.name)} o WHERE {where}",
        "booked": _booked(draft, rules, "before."),
        "able": _able(rules, who),
    }


def _group(draft: Draft, rules: Schedule, at: str) -> str:
    """The key of a row's group; NULL where the trade has none."""
    if rules.group is None:
        return "NULL"
    return reach(draft, at, rules.group.hops[:-1], rules.group.hops[-1].column)


def _booked(draft: Draft, rules: Schedule, state: str) -> str:
    """All bookings with the number of their half-day and the group of their row; `state` is 'before.' or ''."""
    table = draft.table(rules.entity)
    return (
        f"SELECT b.{quoted(rules.key)} AS row_key, b.{quoted(rules.person)} AS member, s.n, {_group(draft, rules, 'r')} AS gathered "
        f"FROM {state}{quoted(rules.bookings)} b JOIN spots s ON s.day = b.day AND s.half = b.half "
        f"JOIN before.{quoted(table.name)} r ON r.{quoted(table.key)} = b.{quoted(rules.key)}"
    )


def _able(rules: Schedule, who: str) -> str:
    """What each row's members and half-days are by skill, absence, seniority, half and first day."""
    person = quoted(rules.person)
    tests = [who, "coalesce(s.day >= w.first_day, 1)"]
    tests.append(
        "coalesce(s.day <> c.away_on, 1)" if rules.away == "day" else "NOT coalesce(s.day BETWEEN c.away_from AND c.away_until, 0)"
    )
    if rules.senior:
        tests.append(f"(w.category <> {text_of(rules.senior)} OR c.senior = 1)")
    if rules.morning:
        tests.append(f"(w.category <> {text_of(rules.morning)} OR s.half = 'morning')")
    return (
        f"SELECT w.row_key, c.{person} AS member, s.n, w.gathered FROM work w "
        f"JOIN before.{quoted(rules.skills)} k ON k.value = w.category JOIN before.{quoted(rules.crew)} c ON c.{person} = k.{person} "
        f"JOIN spots s WHERE {' AND '.join(tests)}"
    )


def _free(rules: Schedule) -> str:
    """What of `able` fits beside the bookings before."""
    return f"SELECT a.row_key, a.member, a.n FROM able a WHERE {_fits(rules, 'booked')}"


def _fits(rules: Schedule, standing: str) -> str:
    """The condition that one more booking `a` keeps the rules beside those that stand."""
    same_day = " AND b.n / 2 = a.n / 2" if rules.cap == "day" else ""
    tests = [
        f"NOT EXISTS (SELECT 1 FROM {standing} b WHERE b.member = a.member AND b.n = a.n)",
        f"(SELECT count(*) FROM {standing} b WHERE b.member = a.member{same_day}) < {parameter(rules.parameter)}",
    ]
    if rules.apart:
        tests.append(f"NOT EXISTS (SELECT 1 FROM {standing} b WHERE b.n = a.n AND b.gathered = a.gathered AND b.row_key <> a.row_key)")
    return " AND ".join(tests)


def _wrong(rules: Schedule, extra: str) -> str:
    """Bookings of `new` that break a rule in the end, and what the brief asks for beside the rules."""
    key, person = quoted(rules.key), quoted(rules.person)
    mine = f"booked_now t JOIN new n ON n.{key} = t.row_key"
    same_day = " AND b.n / 2 = t.n / 2" if rules.cap == "day" else ""
    fits = f"a.row_key = n.{key} AND a.member = n.{person} AND s.day = n.day AND s.half = n.half"
    other = "b.row_key <> t.row_key"
    faults = [
        f"SELECT n.{key} AS row_key, 'this member may not take it at this half-day' AS why FROM new n "
        f"WHERE NOT EXISTS (SELECT 1 FROM able a JOIN spots s ON s.n = a.n WHERE {fits})",
        f"SELECT t.row_key, 'the member has another booking then' FROM {mine} JOIN booked_now b ON b.member = t.member AND b.n = t.n AND {other}",
        f"SELECT t.row_key, 'the member has too many bookings' FROM {mine} "
        f"WHERE (SELECT count(*) FROM booked_now b WHERE b.member = t.member{same_day}) > {parameter(rules.parameter)}",
    ]
    if rules.apart:
        faults.append(
            f"SELECT t.row_key, 'another of its group has the same half-day' FROM {mine} "
            f"JOIN booked_now b ON b.n = t.n AND b.gathered = t.gathered AND {other}"
        )
    asked = {
        "people": (f"x.{person} = n.{person}", 1, "the member takes another of them"),
        "days": ("x.day = n.day", 1, "another of them is on the same day"),
        "two": ("x.day = n.day", 2, "more than two of them are on one day"),
    }
    if extra:
        same, most, why = asked[extra]
        faults.append(f"SELECT n.{key}, {text_of(why)} FROM new n WHERE (SELECT count(*) FROM new x WHERE {same}) > {most}")
    return " UNION ALL ".join(faults)
