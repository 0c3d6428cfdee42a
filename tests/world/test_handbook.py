"""The handbook: numbered clauses over the policy table, read as it is now, found as it was at the start."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from worldwright.errors import PackError, TemplateFault

SCHEMA = "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE policy (name TEXT PRIMARY KEY NOT NULL, value)"
RETURNS = """# Returns after {{ policy.days }} days

Some words before the first clause.

1. A customer may return goods within {{ policy.days }} days.
   The receipt is needed.
2. Refunds above {{ policy.limit_cents // 100 }} euros need a manager.

## Exceptions
These words belong to no clause.

2.1) Swimwear can't be returned.
"""
DELIVERY = "1. Parcels arrive by noon.\n2. Late parcels are credited.\n"


@pytest.fixture
def booked(make):
    def build(files=None, policy=None, tools=None, code=None):
        rows = {
            "t": [],
            "policy": [{"name": name, "value": value} for name, value in (policy or {"days": 14, "limit_cents": 5000}).items()],
        }
        pages = {f"handbook/{name}": text for name, text in (files or {"returns.md": RETURNS, "delivery.md": DELIVERY}).items()}
        change = make.write("UPDATE policy SET value = :value WHERE name = :name", name="string", value="string")
        return make.world(SCHEMA, {"change": change} | (tools or {}), code or rows, files=pages)

    return build


def test_pages_are_listed_and_read(booked):
    with booked().start(1) as episode:
        assert episode.call("list_handbook", {}).value == [
            {"page": "delivery", "title": "delivery"},
            {"page": "returns", "title": "Returns after 14 days"},
        ]
        page = episode.call("read_handbook", {"page": "returns"}).value
        assert page["page"] == "returns"
        assert "within 14 days" in page["text"]
        assert "above 50 euros" in page["text"]
        assert "Swimwear" in page["text"]
        assert episode.call("read_handbook", {"page": "returns.md"}).value == page
        assert episode.call("read_handbook", {"page": "nothing"}).error == "There is no page 'nothing'. The pages are: delivery, returns."


def test_clauses_are_found_by_word_and_shown_whole(booked):
    with booked().start(1) as episode:
        assert episode.call("search_handbook", {"query": "receipt"}).value == [
            {"page": "returns", "clause": "1", "text": "A customer may return goods within 14 days. The receipt is needed."}
        ]
        assert [hit["clause"] for hit in episode.call("search_handbook", {"query": "SWIMWEAR?"}).value] == ["2.1"]
        assert episode.call("search_handbook", {"query": "crediting"}).value[0]["text"] == "Late parcels are credited."
        assert episode.call("search_handbook", {"query": "manager"}).value[0]["text"] == "Refunds above 50 euros need a manager."
        assert episode.call("search_handbook", {"query": "words belong"}).value == []


def test_a_search_gives_the_best_few(booked):
    pages = {"a.md": "".join(f"{n}. The word again.\n" for n in range(1, 30))}
    with booked(pages).start(1) as episode:
        assert [hit["clause"] for hit in episode.call("search_handbook", {"query": "word"}).value] == ["1", "10", "11", "12", "13"]


def test_the_policy_is_read_as_it_is_now(booked):
    with booked().start(1) as episode:
        episode.call("change", {"name": "days", "value": "thirty"})
        assert "within thirty days" in episode.call("read_handbook", {"page": "returns"}).value["text"]
        assert "within thirty days" in episode.call("search_handbook", {"query": "receipt"}).value[0]["text"]


def test_what_one_episode_changed_is_not_what_another_finds(booked):
    """The index is that of the start state, whoever searches first."""
    world = booked()
    with world.start(1) as episode:
        episode.call("change", {"name": "days", "value": "thirty"})
        assert episode.call("search_handbook", {"query": "thirty"}).value == []
        assert {hit["clause"] for hit in episode.call("search_handbook", {"query": "14"}).value} == {"1", "2", "2.1"}
    with world.start(1) as episode:
        assert {hit["clause"] for hit in episode.call("search_handbook", {"query": "14"}).value} == {"1", "2", "2.1"}


def test_every_seed_has_its_own_policy(booked):
    code = "def scenario(seed):\n    return {'policy': [{'name': 'days', 'value': 'day%d' % seed}, {'name': 'limit_cents', 'value': 100}]}"
    world = booked(code=code)
    for seed in (*range(20), 3):
        with world.start(seed) as episode:
            hits = episode.call("search_handbook", {"query": f"day{seed}"}).value
            assert f"within day{seed} days" in hits[0]["text"]
            assert episode.call("search_handbook", {"query": f"day{seed + 1}"}).value == []


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=st.one_of(
        st.text(max_size=40),
        st.sampled_from(['"', "AND OR NOT", "a*", "NEAR(a b)", "col:x", "__", "-", "'", "(", "^a", "{a b}", "ª²", "\u0301"]),
    )
)
def test_no_query_breaks_the_search(searched, query):
    with searched.start(1) as episode:
        result = episode.call("search_handbook", {"query": query})
        assert result.ok or "query" in result.error
        assert result.error is None or len(result.error) < 300


@pytest.fixture(scope="module")
def searched(make):
    return make.world(SCHEMA, rows={"policy": []}, files={"handbook/delivery.md": DELIVERY})


def test_policies_may_be_called_anything(booked):
    """`items`, `values` and the like are a dict's own methods, not policies."""
    policy = {"items": 3, "values": "good", "keys": "two", "get": 1, "_values": "own", "copy": 2.5}
    text = "1. {{ policy.items }} {{ policy.values }} {{ policy.keys }} {{ policy.get }} {{ policy.copy }} {{ policy['_values'] }}"
    with booked({"a.md": text}, policy).start(1) as episode:
        assert episode.call("search_handbook", {"query": "good"}).value[0]["text"] == "3 good two 1 2.5 own"


def test_without_a_handbook_there_are_no_tools_for_it(make):
    names = [tool.name for tool in make.world(SCHEMA, rows={"t": []}).tools()]
    assert names == ["clock"]


def test_a_handbook_needs_no_policy(make):
    world = make.world("CREATE TABLE t (id INTEGER PRIMARY KEY)", rows={"t": []}, files={"handbook/a.md": DELIVERY})
    with world.start(1) as episode:
        assert len(episode.call("search_handbook", {"query": "parcels"}).value) == 2


@pytest.mark.parametrize(
    "files, why",
    [
        ({"a.md": "# Title\nNo clause."}, "no numbered clause"),
        ({"a.md": "1. One\n1. Another"}, "clause 1 stands twice"),
        ({"a.md": "1. {{ rate }}"}, "'rate' is undefined"),
        ({"a.md": "1. {{ policy.x"}, "not a template"),
        ({"a.md": "1. {% if policy.x %}yes\n2. no{% endif %}"}, "not a template"),
        ({"a.md": "# {% if policy.x %}\n## A\n{% endif %}\n1. One"}, "title: not a template"),
        ({"a.md": "1. " + "x" * 200_000}, "200,003 characters"),
        ({"a.md": "\n".join(f"{n}. x" for n in range(1_001))}, "1,001 clauses"),
        ({"x/a.md": DELIVERY, "y/a.md": DELIVERY}, "two pages are called 'a'"),
        ({"a.md": b"1. \xff"}, "not UTF-8"),
    ],
)
def test_refused_at_load(booked, files, why):
    with pytest.raises(PackError, match=why) as caught:
        booked(files)
    assert caught.value.file.startswith("w/handbook/")


def test_other_files_are_left_alone(booked):
    assert list(booked({"a.md": DELIVERY, "a.txt": "x", "picture.png": b"\xff"}).handbook.pages) == ["a"]


def test_a_missing_policy_is_the_worlds_failure(booked):
    with booked(policy={"days": 1}).start(1) as episode, pytest.raises(TemplateFault, match="limit_cents"):
        episode.call("search_handbook", {"query": "manager"})


@pytest.mark.parametrize("asked", [("read_handbook", {"page": "a"}), ("search_handbook", {"query": "manager"}), ("list_handbook", {})])
@pytest.mark.parametrize("doer", ["agent", "event"])
def test_a_page_that_what_happened_has_broken_is_a_refused_call(make, asked, doer):
    tools = {"halve": make.write("UPDATE policy SET value = 0"), "double": make.write("UPDATE policy SET value = 8")}
    events = [{"name": "e", "due": "SELECT 1 AS key, '2026-03-30T10:00:00' AS at", "effect": ["UPDATE policy SET value = 0"]}]
    pages = {"handbook/a.md": "# By {{ 24 // policy.people }}\n1. Ask the manager of {{ 24 // policy.people }}."}
    world = make.world(SCHEMA, tools, {"policy": [{"name": "people", "value": 4}]}, events=events, files=pages)
    with world.start(1) as episode:
        assert "6" in str(episode.call(*asked).value)
        broken = episode.call("halve", {}) if doer == "agent" else episode.call("wait", {"until": "2026-03-30T11:00:00"})
        assert broken.ok
        result = episode.call(*asked)
        assert (result.ok, result.ended, result.error) == (False, None, "The handbook can't be shown as things stand.")
        assert episode.call("double", {}).ok
        assert "3" in str(episode.call(*asked).value)
        assert episode.finish(None).lost is None
