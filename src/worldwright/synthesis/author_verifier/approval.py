"""Verifiers of approval chains: which signatures a request should have got and with which level it should have been closed.

Named queries, each from the one before: `ruled` (of `rulings`) has the level of each looked-at request; `needed` the levels that have to
sign; `line` who is tried for a level, by place; `tried` that line for each request, with whether one is able; `signers` who signs for which
level; `held` the requests that wait, `taken` those that go through, `asked` who is asked, with the step. Ranks count levels from 1, the
lowest. Each query uses few others: SQLite adds up how deep they are.
"""

from __future__ import annotations

from worldwright.synthesis.author_verifier.rulings import parameter, reach, ruled
from worldwright.synthesis.draft import CLOCK, Draft, TaskDraft, quoted, text_of
from worldwright.synthesis.patterns.approval import ApprovalTask, Signatories
from worldwright.verifier.spec import Expectation, VerifierSpec, WrittenBy

__all__ = ["write"]

_BY = WrittenBy("procedural")


def write(draft: Draft, task: TaskDraft) -> VerifierSpec:
    """The verifier of a task of this pattern."""
    makers = {"chain": _chain, "batch": _batch, "lacking": _lacking, "name": _name}
    return makers[task.template](draft, task.given)


# ---- the templates


def _chain(draft: Draft, given: ApprovalTask) -> VerifierSpec:
    """The one request has its signatures and is closed with its level, or is held and left alone."""
    queries = ruled(draft, given.ruling, _the_request(draft, given)) | _signing(draft, given)
    answer = {
        "level": "SELECT CASE WHEN row_key IN (SELECT row_key FROM held) THEN 'held' ELSE outcome END FROM ruled",
        "signatures": "SELECT count(*) FROM asked",
    }
    return VerifierSpec(_BY, queries, expect=_approved(draft, given), answer=answer)


def _batch(draft: Draft, given: ApprovalTask) -> VerifierSpec:
    """Each open request of the group that is meant and isn't held has its signatures and is closed with its level."""
    queries = ruled(draft, given.ruling, _of_group(draft, given, "open")) | _signing(draft, given)
    answer = {"closed": "SELECT count(*) FROM taken", "signatures": "SELECT count(*) FROM asked"}
    return VerifierSpec(_BY, queries, expect=_approved(draft, given), answer=answer)


def _lacking(draft: Draft, given: ApprovalTask) -> VerifierSpec:
    """Each decided request of the group that lacks a counted signature is reopened; nothing else changes."""
    table = draft.table(given.ruling.entity)
    queries = ruled(draft, given.ruling, _of_group(draft, given, "decided")) | _needs(given) | _counting(draft, given)
    if given.measure == "highest":
        del queries["needed"]
    rows = f"SELECT row_key AS {quoted(table.key)}, 'reopened' AS {quoted(given.ruling.state)} FROM lacking"
    expect = [Expectation(rows, "each that lacks a signature reopened", update=table.name)]
    answer = "SELECT count(*) FROM lacking" if given.report == "count" else "SELECT row_key FROM lacking"
    return VerifierSpec(_BY, queries, expect=expect, answer={"reopened": answer})


def _name(draft: Draft, given: ApprovalTask) -> VerifierSpec:
    """Who would be asked, and nothing changes."""
    if given.scope == "one":
        queries = ruled(draft, given.ruling, _the_request(draft, given)) | _signing(draft, given)
        return VerifierSpec(_BY, queries, answer={"signers": "SELECT signatory_id FROM asked ORDER BY step"})
    queries = ruled(draft, given.ruling, _of_group(draft, given, "open")) | _signing(draft, given)
    queries["busiest"] = "SELECT signatory_id, count(*) AS n FROM asked GROUP BY signatory_id ORDER BY n DESC, signatory_id LIMIT 1"
    return VerifierSpec(_BY, queries, answer={"person": "SELECT signatory_id FROM busiest", "count": "SELECT n FROM busiest"})


def _approved(draft: Draft, given: ApprovalTask) -> list[Expectation]:
    """The signatures, the record and the state of each request that is taken through."""
    ruling, table = given.ruling, draft.table(given.ruling.entity)
    key = quoted(table.key_argument)
    amount = ", amount_cents" if ruling.amount is not None else ""
    closed = f"SELECT row_key AS {key}, outcome{amount} FROM taken"
    decided = f"SELECT row_key AS {quoted(table.key)}, 'decided' AS {quoted(ruling.state)} FROM taken"
    return [
        Expectation(f"SELECT row_key AS {key}, signatory_id, step FROM asked", "asked in order", insert=given.signatories.signatures),
        Expectation(closed, "closed with the level that the page leads to", insert=ruling.made),
        Expectation(decided, "marked decided", update=table.name),
    ]


# ---- which requests


def _the_request(draft: Draft, given: ApprovalTask) -> str:
    """The condition that `o` is the request that the brief names."""
    table = draft.table(given.ruling.entity)
    return f"o.{quoted(table.key)} = :{table.key_argument}"


def _of_group(draft: Draft, given: ApprovalTask, state: str) -> str:
    """The condition that `o` is in this state and of the group that the brief names."""
    return f"o.{quoted(given.ruling.state)} = {text_of(state)} AND {_group(draft, given, 'o')} = :{given.signatories.group_key}"


def _group(draft: Draft, given: ApprovalTask, at: str) -> str:
    """The key of the group that a request belongs to."""
    group = given.ruling.group
    assert group is not None
    return reach(draft, at, group.hops[:-1], group.hops[-1].column)


# ---- who signs


def _signing(draft: Draft, given: ApprovalTask) -> dict[str, str]:
    """The queries from levels to asked. Nothing is held where the page says that such levels are skipped."""
    who = given.signatories
    signed = f"before.{quoted(who.signatures)} b WHERE b.{quoted(who.key)} = s.row_key"
    held = "SELECT row_key FROM needed WHERE 0"
    if who.rules.nobody == "held":
        held = "SELECT DISTINCT row_key FROM (SELECT row_key, rank FROM tried GROUP BY row_key, rank HAVING max(is_able) = 0)"
    left = f" AND outcome <> {text_of(given.lowest)}" if given.part == "above" else ""
    return {
        **_needs(given),
        **_line(who),
        "tried": f"SELECT n.row_key, n.rank, i.place, p.id AS signatory_id, {_able(draft, given)} AS is_able FROM needed n "
        f"JOIN line i ON i.rank = n.rank JOIN before.{quoted(who.people)} p ON p.id = i.signatory_id",
        **_signers(who),
        "held": held,
        "taken": f"SELECT * FROM ruled WHERE row_key NOT IN (SELECT row_key FROM held){left}",
        "asked": "SELECT s.row_key, s.signatory_id, "
        f"(SELECT coalesce(max(b.step), 0) FROM {signed}) + row_number() OVER (PARTITION BY s.row_key ORDER BY min(s.rank)) AS step "
        f"FROM signers s WHERE s.row_key IN (SELECT row_key FROM taken) AND s.signatory_id NOT IN (SELECT b.signatory_id FROM {signed}) "
        "GROUP BY s.row_key, s.signatory_id",
    }


def _needs(given: ApprovalTask) -> dict[str, str]:
    """The queries levels and needed: which levels sign a request, by the page's rule. An outcome that is no level needs none."""
    who = given.signatories
    levels = " UNION ALL ".join(f"SELECT {text_of(level)} AS level, {n} AS rank" for n, level in enumerate(who.levels, start=1))
    signs = {"all": "l.rank <= top.rank", "two": "l.rank IN (top.rank - 1, top.rank)", "ends": "l.rank IN (1, top.rank)"}[who.rules.span]
    needed = f"SELECT u.row_key, l.rank FROM ruled u JOIN levels top ON top.level = u.outcome JOIN levels l ON {signs}"
    return {"levels": levels, "needed": needed}


def _line(who: Signatories) -> dict[str, str]:
    """The queries deputies (each level's holder, nth 0, and the deputies behind) and line (who is tried for a level, by place)."""
    people = f"before.{quoted(who.people)}"
    most = parameter(who.depth) if who.rules.line == "chain" else "1"
    deputies = (
        f"SELECT l.rank, 0 AS nth, p.id AS signatory_id FROM levels l JOIN {people} p ON p.level = l.level UNION ALL "
        f"SELECT d.rank, d.nth + 1, p.deputy_id FROM deputies d JOIN {people} p ON p.id = d.signatory_id "
        f"WHERE p.deputy_id IS NOT NULL AND d.nth < {most}"
    )
    line = "SELECT l.rank, 100 * d.rank + d.nth AS place, d.signatory_id FROM levels l JOIN deputies d ON d.rank >= l.rank"
    if who.rules.line == "above":
        line = (
            "SELECT rank, 1 AS place, signatory_id FROM deputies WHERE nth = 0 UNION ALL "
            "SELECT rank - 1, 2, signatory_id FROM deputies WHERE nth = 0 UNION ALL "
            "SELECT rank, 3, signatory_id FROM deputies WHERE nth = 1"
        )
    return {"deputies": deputies, "line": line}


def _able(draft: Draft, given: ApprovalTask) -> str:
    """The condition that the person `p` is able to sign the request of `n`: is there, and without a conflict of interest where that counts."""
    who = given.signatories
    there = {"last": "<", "return": "<="}[who.rules.away]
    today = text_of(CLOCK[:10])
    conflict = f" AND NOT {_conflict(draft, given, 'n.row_key', 'p.id')}" if who.rules.conflict else ""
    return f"(coalesce(p.away_until {there} {today}, 1){conflict})"


def _conflict(draft: Draft, given: ApprovalTask, request: str, person: str) -> str:
    """The condition that a person has a conflict of interest with the group of a request."""
    who, table = given.signatories, draft.table(given.ruling.entity)
    own = f"SELECT {_group(draft, given, 'x')} FROM before.{quoted(table.name)} x WHERE x.{quoted(table.key)} = {request}"
    conflicts = f"before.{quoted(who.conflicts)} c WHERE c.signatory_id = {person} AND c.{quoted(who.group_key)} = ({own})"
    return f"EXISTS (SELECT 1 FROM {conflicts})"


def _signers(who: Signatories) -> dict[str, str]:
    """The query signers: who signs for each needed level: the first in line who is able; with `passed`, who hasn't signed for a lower one."""
    if who.rules.twice == "once":
        first = "SELECT row_key, rank, signatory_id, row_number() OVER (PARTITION BY row_key, rank ORDER BY place) AS turn FROM tried WHERE is_able"
        return {"signers": f"SELECT row_key, rank, signatory_id FROM ({first}) WHERE turn = 1"}
    took = "json_insert(s.took, '$[#]', s.signatory_id)"
    first = (
        "SELECT c.signatory_id FROM tried c WHERE c.is_able AND c.row_key = s.row_key AND c.rank = s.rank + 1 "
        f"AND NOT EXISTS (SELECT 1 FROM json_each({took}) j WHERE j.value = c.signatory_id) ORDER BY c.place LIMIT 1"
    )
    climbed = (
        "SELECT row_key, 0 AS rank, NULL AS signatory_id, '[]' AS took FROM ruled UNION ALL "
        f"SELECT s.row_key, s.rank + 1, ({first}), {took} FROM climbed s WHERE s.rank < {len(who.levels)}"
    )
    return {"climbed": climbed, "signers": "SELECT row_key, rank, signatory_id FROM climbed WHERE signatory_id IS NOT NULL"}


# ---- which signatures count


def _counting(draft: Draft, given: ApprovalTask) -> dict[str, str]:
    """The queries counts (whose signature counts for which level), counted (which levels each request has) and lacking."""
    who = given.signatories
    people, signatures = f"before.{quoted(who.people)}", f"before.{quoted(who.signatures)}"
    conflict = f" WHERE NOT {_conflict(draft, given, 'u.row_key', 's.signatory_id')}" if who.rules.conflict else ""
    lacking = {
        "highest": "SELECT u.row_key FROM ruled u JOIN levels top ON top.level = u.outcome "
        "WHERE NOT EXISTS (SELECT 1 FROM counted c WHERE c.row_key = u.row_key AND c.rank >= top.rank)",
        "every": "SELECT DISTINCT n.row_key FROM needed n WHERE NOT EXISTS (SELECT 1 FROM counted c WHERE c.row_key = n.row_key AND c.rank = n.rank)",
    }[given.measure]
    return {
        "counts": f"SELECT l.rank, p.id AS signatory_id FROM levels l JOIN {people} p ON p.level = l.level UNION "
        f"SELECT l.rank, p.deputy_id FROM levels l JOIN {people} p ON p.level = l.level WHERE p.deputy_id IS NOT NULL",
        "counted": f"SELECT u.row_key, c.rank FROM ruled u JOIN {signatures} s ON s.{quoted(who.key)} = u.row_key "
        f"JOIN counts c ON c.signatory_id = s.signatory_id{conflict}",
        "lacking": lacking,
    }
