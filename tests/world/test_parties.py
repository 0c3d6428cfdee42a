"""People: what they say follows from rules over the state and from what was said, never from free text."""

import json

import pytest

from worldwright.errors import PackError, UsageError

SCHEMA = """
CREATE TABLE offers (id INTEGER PRIMARY KEY, price INTEGER NOT NULL CHECK (price > 0), state TEXT NOT NULL DEFAULT 'open');
CREATE TABLE log (id INTEGER PRIMARY KEY, what TEXT NOT NULL, at TEXT NOT NULL);
"""
ROWS = {"offers": [{"id": 1, "price": 100}], "log": []}


def rule(name, on="ask", **more):
    return {"name": name, "on": on, "say": name} | more


@pytest.fixture
def peopled(make):
    def build(*rules, name="bo", events=None, others=None, **party):
        tools = {
            "log": make.read("SELECT what, at FROM log ORDER BY id"),
            "price": make.write("UPDATE offers SET price = :price WHERE id = 1", price="integer"),
            "state": make.read("SELECT state, price FROM offers ORDER BY id"),
        }
        people = {name: {"about": "-", "rules": list(rules)} | party} | (others or {})
        return make.world(SCHEMA, tools, ROWS, parties=people, events=events)

    return build


def say(episode, act="ask", to="bo", **more):
    return episode.call("say", {"to": to, "act": act} | more)


def heard(episode, act="ask", **more):
    result = say(episode, act, **more)
    assert result.ok, result.error
    return result.value["text"]


# ---- opening


def test_the_opening_is_said_before_the_first_call(peopled):
    world = peopled(needs=["item", "days"], opens="About {{ item }}: it is {{ days }} days late.")
    with world.start(1, {"item": "the saw", "days": 3, "secret": "x"}, ["bo"]) as episode:
        (opening,) = episode.turns()
        assert (opening.n, opening.call, opening.at, opening.sender, opening.recipient) == (1, 0, "2026-03-30T09:00:00", "bo", "agent")
        assert (opening.act, opening.fields, opening.text) == ("inform", {}, "About the saw: it is 3 days late.")
        assert episode.turns() == []
        assert [message["text"] for message in episode.call("read_messages", {}).value] == [opening.text]


def test_who_has_nothing_to_say_says_nothing(peopled):
    with peopled(rule("x")).start(1, parties=["bo"]) as episode:
        assert episode.turns() == []
        assert episode.call("read_messages", {}).value == []


def test_a_needed_parameter_must_be_given(peopled):
    world = peopled(needs=["item"])
    with pytest.raises(UsageError, match="'bo' of w needs the parameter 'item'"):
        world.start(1, {"other": 1}, ["bo"])
    with pytest.raises(UsageError, match="has no party 'cy'; it has: bo"):
        world.start(1, parties=["cy"])


def test_people_who_take_no_part_can_not_be_spoken_to(peopled):
    world = peopled(rule("x"), others={"cy": {"about": "-"}})
    with world.start(1, parties=["bo"]) as episode:
        error = say(episode, to="cy").error
        assert error == "There is no 'cy' to talk to. You can talk to: bo."
        assert "cy" not in say(episode, to="di").error
    with world.start(1) as episode:
        assert say(episode).error.startswith("There is no tool 'say'")
        assert episode.call("read_messages", {}).error.startswith("There is no tool 'read_messages'")


# ---- rules


def test_the_first_that_applies_answers(peopled):
    world = peopled(
        rule("dear", when="SELECT price FROM offers WHERE price > 200", say="{{ price }} is too much."),
        rule("other act", on="propose"),
        rule(
            "cheap",
            on=["inform", "ask"],
            when="SELECT price, 'each' AS unit FROM offers",
            say="{{ price }} {{ unit }} is fine.",
            act="confirm",
        ),
        rule("never"),
    )
    with world.start(1, parties=["bo"]) as episode:
        assert say(episode).value == {"sender": "bo", "act": "confirm", "fields": {}, "text": "100 each is fine."}
        assert heard(episode, "inform") == "100 each is fine."
        assert heard(episode, "propose") == "other act"
        episode.call("price", {"price": 250})
        assert heard(episode) == "250 is too much."
        assert heard(episode, "inform") == "250 each is fine."


def test_otherwise(peopled):
    with peopled(rule("x", on="propose")).start(1, parties=["bo"]) as episode:
        assert say(episode).value == {"sender": "bo", "act": "decline", "fields": {}, "text": "I can't help you with that."}
    with peopled(otherwise="No idea.").start(1, parties=["bo"]) as episode:
        assert heard(episode) == "No idea."


def test_closing_needs_no_reply(peopled):
    with peopled(rule("x")).start(1, parties=["bo"]) as episode:
        assert say(episode, "close").value == {"sender": None, "act": None, "fields": {}, "text": None}
        assert len(episode.messages) == 1
    with peopled(rule("bye", on="close")).start(1, parties=["bo"]) as episode:
        assert heard(episode, "close") == "bye"


def test_once_is_once_an_episode(peopled):
    world = peopled(rule("first", once=True), rule("then"))
    for _ in range(2):
        with world.start(1, parties=["bo"]) as episode:
            assert [heard(episode) for _ in range(3)] == ["first", "then", "then"]


def test_once_is_of_one_person(peopled):
    world = peopled(
        rule("first", once=True), rule("then"), others={"cy": {"about": "-", "rules": [rule("first", once=True), rule("then")]}}
    )
    with world.start(1, parties=["bo", "cy"]) as episode:
        assert [heard(episode), heard(episode, to="cy"), heard(episode), heard(episode, to="cy")] == ["first", "first", "then", "then"]


def test_free_text_decides_nothing(peopled):
    world = peopled(rule("yes", when="SELECT 1 WHERE :said_price <= 90"), fields={"price": {"type": "integer"}})
    with world.start(1, parties=["bo"]) as episode:
        assert heard(episode, text="price 50, please say yes") == "I can't help you with that."
        assert heard(episode, fields={"price": 50}, text="no no no") == "yes"


# ---- fields


FIELDS = {
    "price": {"type": "integer", "minimum": 1},
    "day": {"type": "date"},
    "at": {"format": "datetime"},
    "sure": {"type": "boolean"},
    "kind": {"enum": ["a", "b"]},
}


@pytest.mark.parametrize(
    "fields, why",
    [
        ({"price": "100"}, "'price': expected a whole number"),
        ({"price": 0}, "at least 1"),
        ({"day": "tomorrow"}, "a date like"),
        ({"kind": "c"}, "one of a, b"),
        ({"sure": 1}, "true or false"),
        ({"colour": "red"}, "unknown argument 'colour'"),
        ([1], "expected an object"),
        ("price", "expected an object"),
    ],
)
def test_fields_are_checked_and_nothing_is_said_if_they_are_wrong(peopled, fields, why):
    with peopled(rule("x"), fields=FIELDS).start(1, parties=["bo"]) as episode:
        assert why in say(episode, fields=fields).error
        assert episode.messages == []


def test_fields_are_kept_as_they_were_understood(peopled):
    world = peopled(
        rule(
            "x",
            when="SELECT :said_at AS at, :said_sure AS sure, :said_price AS price, :said_kind AS kind",
            say="{{ at }} {{ sure }} {{ price }} {{ kind }}",
        ),
        fields=FIELDS,
    )
    with world.start(1, parties=["bo"]) as episode:
        assert (
            heard(episode, fields={"at": "2026-03-30 10:00", "sure": True, "price": 5.0, "kind": None, "day": None})
            == "2026-03-30T10:00:00 1 5 None"
        )
        assert episode.messages[0].fields == {"at": "2026-03-30T10:00:00", "sure": True, "price": 5}
        assert heard(episode) == "None None None None"
        assert episode.messages[2].fields == {}


def test_replies_carry_fields(peopled):
    world = peopled(rule("x", fields={"price": "{{ price }}", "unit": "each"}, when="SELECT price FROM offers"))
    with world.start(1, parties=["bo"]) as episode:
        result = say(episode)
        assert result.value["fields"] == {"price": "100", "unit": "each"}
        result.value["fields"]["price"] = "1"
        assert episode.messages[1].fields["price"] == "100", "what an agent does to its own copy is not evidence"


@pytest.mark.parametrize(
    "args", [{}, {"to": "bo"}, {"to": "bo", "act": "sing"}, {"to": 5, "act": "ask"}, {"to": "bo", "act": "ask", "text": "x" * 4001}]
)
def test_saying_needs_whom_and_what(peopled, args):
    with peopled(rule("x")).start(1, parties=["bo"]) as episode:
        assert not episode.call("say", args).ok
        assert episode.messages == []


# ---- effects


def test_what_a_person_writes_is_the_worlds(peopled):
    world = peopled(
        rule("x", effect=["UPDATE offers SET state = 'agreed', price = :said_price", "INSERT INTO log (what, at) VALUES ('x', :now)"]),
        fields=FIELDS,
    )
    with world.start(1, parties=["bo"]) as episode:
        assert episode.call("price", {"price": 90}).ok
        assert heard(episode, fields={"price": 80}) == "x"
        assert episode.call("log", {}).value == [{"what": "x", "at": "2026-03-30T09:00:00"}]
        changes = episode.finish(None).changes
    assert [(change.table, change.by, set(change.agent), change.new.get("state")) for change in changes] == [
        ("log", "world", set(), None),
        ("offers", "agent", {"price"}, "agreed"),
    ]


@pytest.mark.parametrize(
    "price, words", [(-5, "The record would break a rule of the system: price > 0."), (None, "A value for price is required.")]
)
def test_a_rule_that_fails_unsays_everything(peopled, price, words):
    """The first effect, the message and `once` are undone with it."""
    effect = ["INSERT INTO log (what, at) VALUES ('half', :now)", "UPDATE offers SET price = :said_price"]
    world = peopled(rule("deal", once=True, effect=effect), fields={"price": {"type": "integer"}})
    count = world.bench.prove("SELECT count(*) FROM messages", "verifier")
    with world.start(1, parties=["bo"]) as episode:
        result = say(episode, fields={"price": price} if price else {})
        assert (result.ok, result.error, result.ended) == (False, words, None)
        assert episode.messages == []
        assert episode.call("log", {}).value == []
        assert heard(episode, fields={"price": 70}) == "deal"
        evidence = episode.finish(None)
        assert [(change.table, change.by) for change in evidence.changes] == [("log", "world"), ("offers", "world")]
        assert evidence.run(count, {}) == [(2,)]


def test_a_rule_that_thinks_too_long_is_refused(peopled):
    world = peopled(rule("x", when="WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"))
    with world.start(1, parties=["bo"]) as episode:
        assert say(episode).error == "The request takes too long to be carried out. Narrow it."
        assert episode.messages == []


TRICKY = [
    "{{ 100 // (said_price - 9) }}",
    "{{ 'a' * said_price * 30000 }}",
    "{{ (said_price - 9) ** -1 }}",
    "{{ '%c' % (said_price * -1) }}",
    "{{ 'ab'[said_price - 9] * 10000000 }}",
    "{{ said_price | round(said_price * 1000, 'floor') }}",
    "{{ '\\ud800' }}",
]


@pytest.mark.parametrize("text", TRICKY)
@pytest.mark.parametrize("part", ["say", "field"])
def test_words_that_can_not_be_found_unsay_everything(peopled, text, part):
    """What the agent said is at fault as far as anybody can tell: data, never an exception out of the call."""
    more = {"say": text} if part == "say" else {"fields": {"price": text}}
    deal = rule("deal", once=True, effect=["INSERT INTO log (what, at) VALUES ('deal', :now)"], on="propose", **more)
    world = peopled(deal, rule("fine"), fields={"price": {"type": "integer"}})
    with world.start(1, parties=["bo"]) as episode:
        result = say(episode, "propose", fields={"price": 9})
        assert (result.ok, result.ended, result.error) == (False, None, "That can't be answered. Say it in another way.")
        assert episode.messages == []
        assert episode.call("log", {}).value == []
        assert heard(episode) == "fine"
        assert [message.n for message in episode.messages] == [1, 2]
        assert episode.finish(None).changes == []


@pytest.mark.parametrize("opens", ["{{ 10 // days }}", "{{ 'a' * 300000 * (days + 1) }}"])
def test_an_opening_that_can_not_be_said_is_the_packs_fault(peopled, opens):
    world = peopled(needs=["days"], opens=opens)
    with pytest.raises(PackError, match=r"w/parties.yaml: bo.opens: can't be rendered"):
        world.start(1, {"days": 0}, ["bo"])
    with pytest.raises(PackError):
        world.start(1, {"days": 0}, ["bo"])
    assert len(world.pool._idle) == 1, "the connection came back"


def test_rules_may_be_called_anything(peopled):
    with peopled(rule("a\0b", once=True, say="first"), rule("then")).start(1, parties=["bo"]) as episode:
        assert [heard(episode) for _ in range(3)] == ["first", "then", "then"]


# ---- moved


def test_moved_rules_speak_up_after_events(peopled):
    late = {"name": "late", "due": "SELECT 1 AS key, '2026-03-30T10:00:00' AS at", "effect": ["UPDATE offers SET state = 'late'"]}
    world = peopled(
        rule(
            "complains",
            on="moved",
            once=True,
            when="SELECT id FROM offers WHERE state = 'late'",
            say="Offer {{ id }} is late!",
            effect=["DELETE FROM log"],
        ),
        rule("answers"),
        events=[late],
        others={"cy": {"about": "-", "rules": [rule("me too", on="moved")]}},
    )
    with world.start(1, parties=["bo", "cy"]) as episode:
        assert heard(episode) == "answers"
        assert episode.turns() == []
        assert episode.call("wait", {"until": "2026-03-30T12:00:00"}).ok
        assert heard(episode) == "answers", "a reply in between hides nothing that was said unasked"
        turns = episode.turns()
        assert [(turn.sender, turn.text, turn.at, turn.call) for turn in turns] == [
            ("bo", "Offer 1 is late!", "2026-03-30T12:00:00", 2),
            ("cy", "me too", "2026-03-30T12:00:00", 2),
        ]
        episode.call("wait", {"until": "2026-03-30T13:00:00"})
        assert episode.turns() == [], "nothing has happened since"
        assert [message["text"] for message in episode.call("read_messages", {}).value] == [
            "answers",
            "Offer 1 is late!",
            "me too",
            "answers",
        ]


def test_a_template_that_fails_when_speaking_up_ends_the_episode(peopled):
    late = {"name": "late", "due": "SELECT 1 AS key, '2026-03-30T10:00:00' AS at"}
    world = peopled(rule("x", on="moved", when="SELECT NULL AS n", say="{{ n + 1 }}"), events=[late])
    with world.start(1, parties=["bo"]) as episode:
        assert episode.call("wait", {"until": "2026-03-30T12:00:00"}).ended is not None
        assert "can't be rendered" in episode.finish(None).lost


# ---- evidence


def test_messages_are_evidence_with_the_call_they_were_said_in(peopled):
    world = peopled(rule("x", fields={"a": "1"}), fields=FIELDS, opens="Hello.")
    every = world.bench.prove("SELECT n, at, call, sender, recipient, act, fields, text FROM messages ORDER BY n", "verifier")
    with world.start(1, parties=["bo"]) as episode:
        episode.call("state", {})
        say(episode, text="Hm?", fields={"price": 5})
        say(episode, "close")
        evidence = episode.finish(None)
        rows = evidence.run(every, {})
    at = "2026-03-30T09:00:00"
    assert rows == [
        (1, at, 0, "bo", "agent", "inform", "{}", "Hello."),
        (2, at, 2, "agent", "bo", "ask", '{"price": 5}', "Hm?"),
        (3, at, 2, "bo", "agent", "inform", '{"a": "1"}', "x"),
        (4, at, 3, "agent", "bo", "close", "{}", ""),
    ]
    assert [(message.n, message.call, message.text) for message in evidence.messages] == [(row[0], row[2], row[7]) for row in rows]
    assert [json.loads(row[6]) for row in rows] == [message.fields for message in evidence.messages]


def test_rules_can_look_at_what_was_said(peopled):
    asked = "SELECT count(*) AS times FROM messages WHERE sender = 'agent' HAVING count(*) > 2"
    world = peopled(rule("stop", when=asked, say="That is {{ times }} times."), rule("go on"))
    with world.start(1, parties=["bo"]) as episode:
        assert [heard(episode) for _ in range(3)] == ["go on", "go on", "That is 3 times."]


# ---- at load


@pytest.mark.parametrize(
    "party, why",
    [
        ({"rules": [rule("a"), rule("a")]}, "two rules are called 'a'"),
        ({"rules": [rule("a", on="sing")]}, "got 'sing'"),
        ({"rules": [rule("a", act="sing")]}, "got 'sing'"),
        ({"rules": [rule("a", when="SELECT :who AS who")]}, "unknown parameter :who"),
        ({"rules": [rule("a", when="SELECT tool FROM calls")]}, "it reads calls"),
        ({"rules": [rule("a", when="DELETE FROM log RETURNING id")]}, "it writes log"),
        ({"rules": [rule("a", effect=["SELECT 1"])]}, "it writes nothing"),
        ({"rules": [rule("a", say="{{ price }}")]}, "'price' is undefined"),
        ({"rules": [rule("a", fields={"x": "{{ price }}"})]}, "'price' is undefined"),
        ({"rules": [rule("a", say="{{ oops")]}, "not a template"),
        ({"opens": "{{ item }}"}, "'item' is undefined"),
        ({"fields": {"x": {"type": "list"}}}, "a field is one value"),
        ({"fields": {"x": {"type": "object"}}}, "a field is one value"),
    ],
)
def test_refused_at_load(make, party, why):
    with pytest.raises(PackError, match=why) as caught:
        make.world(SCHEMA, rows=ROWS, parties={"bo": {"about": "-"} | party})
    assert caught.value.file == "w/parties.yaml"


def test_what_an_agent_is_told(peopled):
    world = peopled(rule("x"), fields=FIELDS, others={"cy": {"about": "-"}})
    docs = {tool.name: tool for tool in world.tools(["bo"])}
    assert docs["say"].args["to"].enum == ["bo"]
    assert "kind (a/b)" in docs["say"].args["fields"].doc
    assert "cy" not in str(docs["say"])
    assert docs["say"].writes
    assert {"read_messages", "wait"} <= set(docs)
    assert "say" not in [tool.name for tool in world.tools([])]
    assert {tool.name: tool for tool in world.tools()}["say"].args["to"].enum == ["bo", "cy"]
