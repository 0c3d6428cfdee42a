"""Three-way merges: edits by hand survive, the source's changes come in, and no conflict is settled silently."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from worldwright.domain.merge import merge
from worldwright.domain.model import DomainModel, Entity, Evidence, Field, Lifecycle, Policy, Relation, Source, State, Term, Transition
from worldwright.domain.model import Origin as From
from worldwright.files import decode_yaml, encode_yaml

replace = msgspec.structs.replace


def model() -> DomainModel:
    life = Lifecycle(
        "status", [State("open", 3), State("closed", 4)], "history", ["open"], ["closed"], [], [Transition("open", "closed", 4)]
    )
    fields = [
        Field("id", "Id", "integer", False),
        Field("status", "Status", "text", values=["open", "closed"]),
        Field("fee", "Fee", "money"),
        Field("who", "Who", "reference"),
    ]
    ticket = Entity("ticket", "case", "Tickets", ["id"], fields, 7, "", life, [Evidence("Tickets", "declared", 7)])
    client = Entity("client", "party", "Clients", ["id"], [Field("id", "Id", "integer", False), Field("name", "Name", "text")], 2)
    return DomainModel(
        "desk",
        "A desk.",
        Source("sqlite", "d.sqlite", "aa"),
        [ticket, client],
        [Relation("ticket", ["who"], "client", ["id"])],
        [],
        [Term("ticket", "ticket")],
    )


def entity(one: DomainModel, table: str) -> Entity:
    return next(found for found in one.entities if found.table == table)


def put(one: DomainModel, **changes: object) -> DomainModel:
    """The model with its ticket changed."""
    return replace(one, entities=[replace(found, **changes) if found.table == "Tickets" else found for found in one.entities])


def put_field(one: DomainModel, which: str, /, **changes: object) -> DomainModel:
    fields = [replace(found, **changes) if found.name == which else found for found in entity(one, "Tickets").fields]
    return put(one, fields=fields)


def test_edits_by_hand_and_changes_of_the_source_come_together():
    base = model()
    mine = put_field(base, "fee", unit="EUR")
    mine = replace(mine, policies=[Policy("cap", "At most 99.", From("me"))])
    theirs = put(put_field(base, "status", values=["open", "closed", "stuck"]), rows=9)
    theirs = put(theirs, fields=[*entity(theirs, "Tickets").fields, Field("due", "Due", "date")])
    done = merge(base, theirs, mine)
    assert done.conflicts == ()
    ticket = entity(done.model, "Tickets")
    assert ticket.rows == 9
    assert [one.name for one in ticket.fields] == ["id", "status", "fee", "who", "due"]
    assert ticket.fields[1].values == ["open", "closed", "stuck"]
    assert ticket.fields[2].unit == "EUR"
    assert done.model.policies == mine.policies


def test_a_name_given_by_hand_stays_and_references_follow_it():
    base = model()
    mine = put_field(base, "who", name="customer_id")
    mine = replace(mine, entities=[replace(one, name="customer") if one.table == "Clients" else one for one in mine.entities])
    mine = replace(mine, relations=[Relation("ticket", ["customer_id"], "customer", ["id"])])
    theirs = replace(base, relations=[replace(base.relations[0], declared=True)])
    done = merge(base, theirs, mine)
    assert done.conflicts == ()
    assert done.model.relations == [Relation("ticket", ["customer_id"], "customer", ["id"], declared=True)]
    assert [one.name for one in done.model.entities] == ["ticket", "customer"]


def test_a_conflict_is_listed_with_both_values():
    base = model()
    done = merge(base, put_field(base, "fee", type="number"), put_field(base, "fee", type="integer"))
    assert [str(one) for one in done.conflicts] == [
        'entities[Tickets].fields[Fee].type: was "money"; mined again "number"; by hand "integer"'
    ]
    assert entity(done.model, "Tickets").fields[2].type == "integer"
    other = merge(base, put_field(base, "fee", type="number"), put_field(base, "fee", type="integer"), take="theirs")
    assert len(other.conflicts) == 1
    assert entity(other.model, "Tickets").fields[2].type == "number"


def test_what_was_removed_by_hand_stays_removed_unless_the_source_changed_it():
    base = model()
    mine = replace(base, entities=base.entities[:1], relations=[])
    counted = replace(base, entities=[base.entities[0], replace(base.entities[1], rows=500)])
    done = merge(base, counted, mine)
    assert (done.conflicts, [one.name for one in done.model.entities]) == ((), ["ticket"])
    changed = replace(base, entities=[base.entities[0], replace(base.entities[1], facet="staff")])
    assert [one.at for one in merge(base, changed, mine).conflicts] == ["entities[Clients]"]


def test_what_the_source_lost_goes_unless_it_was_edited():
    base = model()
    theirs = replace(base, entities=base.entities[:1], relations=[])
    assert [one.name for one in merge(base, theirs, base).model.entities] == ["ticket"]
    mine = replace(base, entities=[base.entities[0], replace(base.entities[1], about="who asks")])
    assert [one.at for one in merge(base, theirs, mine).conflicts] == ["entities[Clients]"]


def test_a_lifecycle_ordered_by_hand_meets_a_new_state():
    base = put(model(), lifecycle=Lifecycle("status", [State("open", 3), State("closed", 4)]))
    life = Lifecycle("status", [State("open", 3), State("closed", 4)], "person", ["open"], ["closed"], [], [Transition("open", "closed")])
    fresh = Lifecycle("status", [State("open", 8), State("closed", 4), State("stuck", 1)])
    done = merge(base, put(base, lifecycle=fresh), put(base, lifecycle=life))
    assert done.conflicts == ()
    merged = entity(done.model, "Tickets").lifecycle
    assert merged == replace(life, states=fresh.states)


def test_models_from_files_and_from_memory_merge_alike():
    base = model()
    read = decode_yaml(encode_yaml(base), DomainModel, "m")
    mine = put_field(read, "fee", unit="EUR")
    assert merge(base, read, mine).model == merge(read, base, mine).model == mine
    assert merge(base, read, mine).conflicts == ()


def renamed(one: DomainModel) -> DomainModel:
    out = put(one, name="request")
    relations = [replace(found, from_="request") for found in one.relations]
    return replace(out, relations=relations, vocabulary=[replace(found, of="request") for found in one.vocabulary])


CHANGES = {
    "rename": renamed,
    "unit": lambda one: put_field(one, "fee", unit="EUR"),
    "type": lambda one: put_field(one, "fee", type="number"),
    "values": lambda one: put_field(one, "status", values=["open", "closed", "stuck"]),
    "count": lambda one: put(one, rows=90),
    "lose": lambda one: replace(one, entities=one.entities[:1], relations=[]),
    "field": lambda one: put(one, fields=[*entity(one, "Tickets").fields, Field("due", "Due", "date")]),
    "about": lambda one: replace(one, about="Another."),
    "words": lambda one: replace(one, vocabulary=[]),
    "life": lambda one: put(one, lifecycle=None),
}
SOME = st.lists(st.sampled_from(sorted(CHANGES)), unique=True, max_size=4)


def changed(names: list[str]) -> DomainModel:
    out = model()
    for name in sorted(names, key=lambda one: one == "rename"):
        out = CHANGES[name](out)
    return out


@settings(deadline=None, max_examples=60)
@given(SOME, SOME)
def test_laws_of_merging(some, others):
    base, one, two = model(), changed(some), changed(others)
    assert merge(base, base, one).model == one
    assert merge(base, one, one).model == one
    assert merge(base, one, one).conflicts == ()
    if "rename" not in some:  # a mined name may be told by hand only
        assert merge(base, one, base).model == one
        assert merge(base, one, base).conflicts == ()
    done = merge(base, one, two)
    if not {*some} & {*others} and not done.conflicts and not {"rename", "lose"} & {*some}:
        assert done.model == changed([*some, *others])
