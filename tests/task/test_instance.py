"""A seed picks one way to set a task: sorted, strata first, and by world, task and bind alone."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldwright.errors import PackError, UnusableSeed
from worldwright.pack import Pack
from worldwright.task import Brief, Instance, Limits, Task

TASK = "worlds/loan-desk/tasks/settle-fine/"


def test_ways_are_sorted_by_all_columns_as_sqlite_sorts(task_with):
    ways = task_with(bind="SELECT name, weight, id AS order_id FROM orders").ways(0)
    assert ways == [
        {"name": None, "weight": 1.5, "order_id": 3},
        {"name": "a", "weight": None, "order_id": 2},
        {"name": "b", "weight": 1.0, "order_id": 1},
        {"name": "b", "weight": 2.0, "order_id": 10},
    ]


def test_values_of_all_types_are_sorted(task_with):
    values = "SELECT 'b' AS order_id UNION ALL SELECT x'00' UNION ALL SELECT 2 UNION ALL SELECT NULL UNION ALL SELECT 1.5 UNION ALL SELECT 'a' UNION ALL SELECT 10"
    assert [way["order_id"] for way in task_with(bind=values).ways(0)] == [None, 1.5, 2, 10, "a", "b", b"\x00"]


def test_the_order_of_rows_in_bind_doesnt_matter_but_its_text_does(task_with):
    up, down = (f"SELECT id AS order_id FROM orders ORDER BY id {how}" for how in ("ASC", "DESC"))
    assert task_with(bind=up).ways(0) == task_with(bind=down).ways(0)
    assert [task_with(bind=up).instance(n).params for n in range(30)] != [task_with(bind=down).instance(n).params for n in range(30)]


def test_rows_that_are_alike_are_one_way(task_with):
    assert task_with(bind="SELECT 1 AS order_id FROM orders").ways(0) == [{"order_id": 1}]


def test_instances(task_with):
    made = task_with("find", bind="SELECT id AS order_id, name, 'x' AS stratum FROM orders").instance(4)
    assert isinstance(made, Instance)
    assert (made.name, made.world, made.task, made.seed) == ("orders/find@4", "orders", "find", 4)
    assert set(made.params) == {"order_id", "name"}
    assert made.shown == {"order_id": made.params["order_id"]}
    assert made.stratum == "x"
    assert made.until is None


def test_instances_are_the_same_each_time_and_differ_by_name(task_with):
    first, again, other = task_with("find"), task_with("find"), task_with("seek")
    assert first.instance(3) is first.instance(3)
    for seed in (0, 1, 10**9):
        assert first.instance(seed) == again.instance(seed)
    assert [first.instance(n).params for n in range(30)] != [other.instance(n).params for n in range(30)]


def test_ways_are_equally_common_and_so_are_strata_whatever_their_size(task_with):
    plain = task_with()
    strata = task_with(bind="SELECT id AS order_id, CASE WHEN id = 10 THEN 'refuse' ELSE 'grant' END AS stratum FROM orders")
    made = [(plain.instance(seed), strata.instance(seed)) for seed in range(400)]

    picked = Counter(one.params["order_id"] for one, _ in made)
    assert set(picked) == {1, 2, 3, 10}
    assert all(70 <= count <= 130 for count in picked.values())  # 100 expected of each, 8.7 one deviation

    decided = Counter(other.stratum for _, other in made)
    assert set(decided) == {"refuse", "grant"}
    assert all(160 <= count <= 240 for count in decided.values())  # 200 expected, 10 one deviation
    granted = Counter(other.params["order_id"] for _, other in made if other.stratum == "grant")
    assert set(granted) == {1, 2, 3}
    assert all(40 <= count <= 95 for count in granted.values())


def test_strata_of_an_example(tool_hire_tasks):
    task = tool_hire_tasks["decide-on-a-complaint"]
    strata = Counter(task.instance(seed).stratum for seed in range(60))
    assert len(strata) >= 2
    assert min(strata.values()) * len(strata) * 2 >= 60


def test_an_unusable_seed(task_with):
    task = task_with()
    assert task.ways(4000) == []
    with pytest.raises(UnusableSeed, match="orders/find@4000: bind gives no row"):
        task.instance(4000)
    assert task.instance(4001).params


def test_the_stratum_is_no_parameter(task_with):
    task = task_with(bind="SELECT id AS order_id, name AS stratum FROM orders")
    assert task.names == {"order_id"}
    assert {task.instance(seed).stratum for seed in range(40)} == {"None", "a", "b"}
    with pytest.raises(PackError, match="is not a column of bind"):
        task_with(bind="SELECT id AS order_id, name AS stratum FROM orders", show=["stratum"])


def test_instances_hang_on_neither_verifier_nor_reference(loan_desk_pack):
    changed = dict(loan_desk_pack.files)
    for name in ("verifier.yaml", "reference.py", "cases.yaml"):
        changed[TASK + name] += b"\n# another comment\n"
    changed[TASK + "alternative-x.py"] = b"def solve(member, fine_id):\n    return {}\n"
    changed[TASK + "brief.yaml"] = changed[TASK + "brief.yaml"].replace(b"Decide whether a fine is waived", b"Another title")
    one, other = loan_desk_pack.tasks()[0], Pack(changed).tasks()[0]
    assert one.digest != other.digest
    assert [one.task.instance(seed) for seed in range(20)] == [other.task.instance(seed) for seed in range(20)]


# ---- the end


@pytest.mark.parametrize(
    "until, expected",
    [
        (None, None),
        ("2026-03-30T18:00:00", "2026-03-30T18:00:00"),
        ("2026-03-30T18:00", "2026-03-30T18:00:00"),
        ("2026-03-31", "2026-03-31T00:00:00"),
        ("SELECT due FROM orders WHERE id = 3", "2026-03-30T18:00:00"),
        ("  select due from orders where id = 10", "2026-03-31T00:00:00"),
        ("WITH x AS (SELECT due FROM orders WHERE id = 3) SELECT due FROM x", "2026-03-30T18:00:00"),
        ("SELECT strftime('%Y-%m-%dT%H:%M:%S', '2026-03-30', '+' || :order_id || ' days')", None),
    ],
)
def test_until(task_with, until, expected):
    made = task_with(until=until).instance(0)
    days = made.params["order_id"]
    assert made.until == (
        expected
        if "order_id" not in (until or "")
        else f"{['2026-03-31', '2026-04-01', '2026-04-02', '2026-04-09'][[1, 2, 3, 10].index(days)]}T00:00:00"
    )


@pytest.mark.parametrize(
    "until", ["Friday", "2026-02-30", "2026-03-30T18:00:00Z", "2026-03-30T18:00:00+02:00", "20260330", "18:00", "SELECTED", "5"]
)
def test_an_end_that_is_no_time(task_with, until):
    with pytest.raises(PackError) as caught:
        task_with(until=until)
    assert caught.value.field == "until"
    assert "SELECT" in caught.value.expected


@pytest.mark.parametrize(
    "query",
    ["SELECT due FROM orders WHERE id = 2", "SELECT due FROM orders WHERE id = 99", "SELECT due FROM orders", "SELECT NULL", "SELECT 5"],
)
def test_an_end_that_a_seed_doesnt_have(task_with, query):
    task = task_with(until=query)
    with pytest.raises(PackError, match="gives no time on seed 0") as caught:
        task.instance(0)
    assert (caught.value.field, caught.value.file) == ("until", "orders/tasks/find/brief.yaml")


@pytest.mark.parametrize(
    "query",
    ["SELECT due FROM orders WHERE id = :nobody", "SELECT due FROM gone", "SELECT 1; SELECT 2", "SELECT due FROM orders WHERE id = ?"],
)
def test_an_end_that_cant_be_asked(task_with, query):
    with pytest.raises(PackError) as caught:
        task_with(until=query)
    assert caught.value.field == "until"


# ---- what is refused


@pytest.mark.parametrize(
    "bind, message",
    [
        ("SELECT id AS order_id FROM orders WHERE id = :seed", "unknown parameter :seed"),
        ("DELETE FROM orders", "it writes orders"),
        ("SELECT id AS order_id, random() AS r FROM orders", "random"),
        ("SELECT n AS order_id FROM calls", "it reads calls"),
        ("SELECT id AS order_id FROM before.orders", "it reads before.orders"),
        ("SELECT id, id AS order_id, count(*) FROM orders", r"bind gives a column 'count\(\*\)'"),
        ("SELECT id AS order_id, id AS now FROM orders", "bind gives a column 'now'"),
        ("SELECT id AS order_id, id AS started FROM orders", "bind gives a column 'started'"),
        ("SELECT id AS order_id, id AS said_day FROM orders", "bind gives a column 'said_day'"),
        ("SELECT id AS order_id, name AS order_id FROM orders", "two columns 'order_id'"),
        ("", "no statement"),
    ],
)
def test_a_bind_that_isnt_one(task_with, bind, message):
    with pytest.raises(PackError, match=message) as caught:
        task_with(bind=bind)
    assert caught.value.field == "bind"


def test_a_bind_that_never_ends(task_with):
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS order_id FROM n"
    task = task_with(bind=endless)
    with pytest.raises(PackError, match=r"fails on seed 0: .*steps"):
        task.instance(0)


@pytest.mark.parametrize("limits, luck", [({"calls": 0}, 0.1), ({"output": 0}, 0.1), ({}, 1.01), ({}, -0.1)])
def test_limits_and_luck_have_their_ranges(task_with, limits, luck):
    with pytest.raises(PackError):
        task_with(limits=limits, luck=luck)


def test_the_defaults_of_a_brief(task_with):
    brief = task_with().brief
    assert isinstance(brief, Brief)
    assert brief.limits == Limits(calls=50, output=20_000)
    assert (brief.luck, brief.answer, brief.until, brief.parties, brief.paraphrases) == (0.05, {}, None, [], [])


@pytest.mark.parametrize(
    "spec",
    [
        {"type": "object"},
        {"type": "integer", "enum": ["x"]},
        {"type": "list", "items": {"type": "list"}},
        {"type": "integer", "default": "x"},
        {"pattern": "("},
    ],
)
def test_answers_have_types_that_hold(task_with, spec):
    with pytest.raises(PackError) as caught:
        task_with(answer={"fine": {"type": "integer"}, "odd": spec})
    assert caught.value.field.startswith("answer.odd")


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_every_seed_gives_one_of_the_ways(tool_hire_tasks, seed):
    task: Task = tool_hire_tasks["credit-late-deliveries"]
    made = task.instance(seed)
    assert any({key: value for key, value in way.items() if key != "stratum"} == made.params for way in task.ways(seed))
    assert made.shown.items() <= made.params.items()
