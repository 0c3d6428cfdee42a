"""Arguments: strict, bounded, and never anything but a value to bind or words for the agent."""

import json
import math
import sqlite3

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from worldwright.errors import PackError
from worldwright.world import ToolDoc
from worldwright.world.arguments import compile_arguments, compile_value, json_schema, mcp_tool, openai_tool
from worldwright.world.spec import ArgSpec

LONGEST_MESSAGE = 300


def spec(**fields):
    return msgspec.convert(fields, ArgSpec)


def bound(value, **fields):
    return compile_value(spec(**fields))(value)


# ---- laws

TYPES = ["string", "integer", "number", "boolean", "list", "date", "datetime", "object"]
SIMPLE = [name for name in TYPES if name not in ("list", "object")]


@st.composite
def specs(draw, types=TYPES):
    kind = draw(st.sampled_from(types))
    fields = {"type": kind, "optional": draw(st.booleans())}
    low, high = sorted((draw(st.integers(0, 50)), draw(st.integers(0, 50))))
    if kind in ("integer", "number"):
        fields |= draw(st.sampled_from([{}, {"minimum": low}, {"maximum": high}, {"minimum": low, "maximum": high}, {"enum": ["1", "2"]}]))
    if kind == "string":
        extras = [
            {},
            {"min_length": low},
            {"max_length": high},
            {"pattern": "[a-z]+"},
            {"enum": ["a", "b" * 400]},
            {"format": "date"},
            {"format": "time"},
        ]
        fields |= draw(st.sampled_from(extras))
    if kind == "list":
        fields["items"] = draw(specs(types=SIMPLE))
        fields |= draw(st.sampled_from([{}, {"min_length": low}, {"max_length": high}]))
    return spec(**fields)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=30),
    st.text(alphabet=st.characters(), max_size=10),
    st.sampled_from(
        ["2026-03-30", "2026-02-30", "2026-03-30T09:00:00", "09:30", "a", "b", "1", "x" * 3000, "\ud800", "a\0b", "٢٠٢٦-٠٣-٣٠", ""]
    ),
)
JSON = st.recursive(
    SCALARS, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=3)), max_leaves=8
)


def outcome(check, value):
    """What is bound, or the words of the refusal, which are sendable; any other exception is a failure of the test."""
    try:
        return check(value), None
    except ValueError as fault:
        if type(fault) is not ValueError:
            raise
        return None, str(fault).encode().decode()


def check_bound(value):
    """What comes out can be bound and read back unchanged, or is an object that only the engine itself looks into."""
    if isinstance(value, dict):
        return
    assert value is None or type(value) in (str, int, float)
    with sqlite3.connect(":memory:") as db:
        (got,) = db.execute("SELECT ?", (value,)).fetchone()
    db.close()
    assert got == value
    assert not isinstance(value, float) or math.isfinite(value)
    assert not isinstance(value, str) or "\0" not in value


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(one=specs(), value=JSON)
def test_any_value_binds_or_is_refused_in_few_words(one, value):
    got, words = outcome(compile_value(one), value)
    if words is None:
        check_bound(got)
    else:
        assert 0 < len(words) < LONGEST_MESSAGE


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    names=st.dictionaries(st.from_regex(r"[a-z_]{1,40}", fullmatch=True), specs(), max_size=12),
    args=st.one_of(JSON, st.dictionaries(SCALARS, JSON, max_size=3)),
)
def test_any_arguments_bind_or_are_refused_in_few_words(names, args):
    got, words = outcome(compile_arguments("tool", names), args)
    if words is None:
        assert set(got) == set(names)
        for value in got.values():
            check_bound(value)
    else:
        assert words.startswith("tool: ")
        assert len(words) < LONGEST_MESSAGE


@settings(max_examples=40, deadline=None)
@given(one=specs(types=SIMPLE), value=SCALARS)
def test_what_was_bound_binds_again(one, value):
    """A value as it was understood is understood as itself."""
    check = compile_value(one)
    got, words = outcome(check, value)
    if words is None:
        assert check(bool(got) if one.type == "boolean" else got) == got


# ---- single cases


@pytest.mark.parametrize(
    "fields, value, got",
    [
        ({}, "x", "x"),
        ({}, "", ""),
        ({}, "\N{GRINNING FACE}" * 2000, "\N{GRINNING FACE}" * 2000),
        ({"max_length": 3}, "abc", "abc"),
        ({"pattern": "[A-Z]{2}"}, "AB", "AB"),
        ({"enum": ["a", "b"]}, "b", "b"),
        ({"type": "integer"}, 5, 5),
        ({"type": "integer"}, 5.0, 5),
        ({"type": "integer"}, -(2**63), -(2**63)),
        ({"type": "integer", "enum": ["1", "2"]}, 2, 2),
        ({"type": "number"}, 5, 5),
        ({"type": "number"}, 0.1, 0.1),
        ({"type": "number", "minimum": 0, "maximum": 1}, 1, 1),
        ({"type": "boolean"}, True, 1),
        ({"type": "boolean"}, False, 0),
        ({"type": "list"}, [], "[]"),
        ({"type": "list"}, ("a", "é"), '["a", "\\u00e9"]'),
        ({"type": "list", "items": {"type": "boolean"}}, [True], "[1]"),
        ({"type": "date"}, "2024-02-29", "2024-02-29"),
        ({"format": "date"}, "2024-02-29", "2024-02-29"),
        ({"type": "datetime"}, "2026-03-30 09:00", "2026-03-30T09:00:00"),
        ({"type": "datetime"}, "2026-03-30T09:00:00.999", "2026-03-30T09:00:00"),
        ({"format": "time"}, "23:59", "23:59"),
        ({"format": "time"}, "23:59:59", "23:59:59"),
        ({"type": "object"}, {"a": 1}, {"a": 1}),
    ],
)
def test_accepted(fields, value, got):
    result = bound(value, **fields)
    assert result == got
    assert type(result) is type(got)


@pytest.mark.parametrize(
    "fields, value, words",
    [
        ({}, 5, "expected text, got 5"),
        ({}, None, "expected text, got null"),
        ({}, True, "expected text, got true"),
        ({}, ["a"], "expected text, got a list"),
        ({}, {"a": 1}, "expected text, got an object"),
        ({}, b"a", "expected text, got bytes"),
        ({}, "x" * 2001, "expected 0 to 2000 characters, got 2001"),
        ({}, "x" * 10_000_000, "expected 0 to 2000 characters, got 10000000"),
        ({"min_length": 2}, "x", "expected 2 to 2000 characters, got 1"),
        ({}, "a\0b", "text can't contain NUL characters"),
        ({}, "\ud800", "text must be valid Unicode"),
        ({"pattern": "[A-Z]{2}"}, "ABC", "expected text of the form [A-Z]{2}, got 'ABC'"),
        ({"pattern": "[A-Z]{2}"}, "AB\n", "expected text of the form [A-Z]{2}, got 'AB\n'"),
        ({"enum": ["a", "b"]}, "c", "expected one of a, b, got 'c'"),
        ({"type": "integer"}, "5", "expected a whole number, got '5'"),
        ({"type": "integer"}, True, "expected a whole number, got true"),
        ({"type": "integer"}, 5.5, "expected a whole number, got 5.5"),
        ({"type": "integer"}, 2**63, "the number is too large"),
        ({"type": "integer"}, 10**400, "the number is too large"),
        ({"type": "integer"}, 1e300, "the number is too large"),
        ({"type": "integer"}, float("nan"), "expected a finite number"),
        ({"type": "number"}, float("inf"), "expected a finite number"),
        ({"type": "number"}, -float("inf"), "expected a finite number"),
        ({"type": "number"}, "0.1", "expected a number, got '0.1'"),
        ({"type": "number"}, None, "expected a number, got null"),
        ({"type": "number", "minimum": 0.5}, 0.4, "expected at least 0.5, got 0.4"),
        ({"type": "number", "maximum": 2}, 3, "expected at most 2, got 3"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, 0, "expected 1 to 9, got 0"),
        ({"type": "integer", "enum": ["1", "2"]}, 3, "expected one of 1, 2, got 3"),
        ({"type": "boolean"}, 1, "expected true or false, got 1"),
        ({"type": "boolean"}, "true", "expected true or false, got 'true'"),
        ({"type": "list"}, "abc", "expected a list, got 'abc'"),
        ({"type": "list"}, {"a": 1}, "expected a list, got an object"),
        ({"type": "list"}, ["a"] * 201, "expected 0 to 200 items, got 201"),
        ({"type": "list", "max_length": 1}, ["a", "b"], "expected 0 to 1 items, got 2"),
        ({"type": "list", "items": {"type": "integer"}}, [1, "2"], "expected a whole number, got '2'"),
        ({"type": "list"}, [["a"]], "expected text, got a list"),
        ({"type": "date"}, "2026-02-30", "expected a date like 2026-03-30, got '2026-02-30'"),
        ({"type": "date"}, "2026-3-30", "expected a date like 2026-03-30, got '2026-3-30'"),
        ({"type": "date"}, "20260330", "expected a date like 2026-03-30, got '20260330'"),
        ({"type": "date"}, "2026-W14-1", "expected a date like 2026-03-30, got '2026-W14-1'"),
        ({"type": "date"}, "2026-03-30T09:00:00", "expected a date like 2026-03-30, got '2026-03-30T09:00:00'"),
        ({"type": "date"}, "٢٠٢٦-٠٣-٣٠", "expected a date like 2026-03-30, got '٢٠٢٦-٠٣-٣٠'"),
        ({"type": "datetime"}, "2026-03-30", "expected a time like 2026-03-30T09:00:00, got '2026-03-30'"),
        ({"type": "datetime"}, "2026-03-30T09:00:00Z", "expected a time like 2026-03-30T09:00:00, got '2026-03-30T09:00:00Z'"),
        ({"type": "datetime"}, "2026-03-30T24:00:00", "expected a time like 2026-03-30T09:00:00, got '2026-03-30T24:00:00'"),
        ({"type": "datetime"}, "0000-01-01T00:00:00", "expected a time like 2026-03-30T09:00:00, got '0000-01-01T00:00:00'"),
        ({"format": "time"}, "24:00", "expected a time of day like 09:30, got '24:00'"),
        ({"format": "time"}, "9:30", "expected a time of day like 09:30, got '9:30'"),
        ({"format": "time"}, "09:3٠", "expected a time of day like 09:30, got '09:3٠'"),
        ({"type": "object"}, [], "expected an object, got a list"),
    ],
)
def test_refused(fields, value, words):
    with pytest.raises(ValueError, match=r"^(expected|text|the number) ") as caught:
        bound(value, **fields)
    assert str(caught.value) == words


@pytest.mark.parametrize("kind", TYPES)
def test_deep_and_looped_values_are_refused_or_left_alone(kind):
    deep, looped = [], []
    for _ in range(100_000):
        deep = [deep]
    looped.append(looped)
    check = compile_value(spec(type=kind))
    for value in (deep, looped, {"a": deep}):
        if kind == "object" and isinstance(value, dict):
            assert check(value) is value
        else:
            with pytest.raises(ValueError, match=r"^expected "):
                check(value)


def test_long_lists_of_words_are_cut_and_what_was_got_is_still_told():
    with pytest.raises(ValueError, match=r"\.\.\., got 'zzz'$") as caught:
        bound("zzz", enum=[f"value number {n}" for n in range(500)])
    assert len(str(caught.value)) < LONGEST_MESSAGE
    with pytest.raises(ValueError, match=r"\.\.\., got 'zzz'$") as caught:
        bound("zzz", pattern="a" * 900)
    assert len(str(caught.value)) < LONGEST_MESSAGE


def test_all_arguments():
    validate = compile_arguments(
        "rent", {"id": spec(type="integer"), "days": spec(type="integer", default="3"), "note": spec(optional=True)}
    )
    assert validate({"id": 1}) == {"id": 1, "days": 3, "note": None}
    assert validate({"id": 1, "days": None, "note": None}) == {"id": 1, "days": 3, "note": None}
    for args, words in [
        ({}, "rent: the argument 'id' is missing. Its arguments: id, days, note."),
        ({"id": None}, "rent: argument 'id': expected a whole number, got null"),
        ({"id": 1, "day": 2}, "rent: unknown argument 'day'. Its arguments: id, days, note."),
        ({"id": "1"}, "rent: argument 'id': expected a whole number, got '1'"),
        ([1], "rent: arguments must be an object, got a list."),
        (None, "rent: arguments must be an object, got null."),
    ]:
        with pytest.raises(ValueError, match=r"^rent: ") as caught:
            validate(args)
        assert str(caught.value) == words


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "integer", "default": "x"},
        {"type": "integer", "default": "99999999999999999999"},
        {"type": "integer", "default": "0", "minimum": 1},
        {"type": "number", "default": "nan"},
        {"type": "boolean", "default": "yes"},
        {"type": "boolean", "enum": ["1"]},
        {"enum": ["a"], "default": "b"},
        {"pattern": "[a-z]+", "default": "A"},
        {"pattern": "["},
        {"format": "date", "default": "soon"},
        {"max_length": 1, "default": "ab"},
        {"type": "list", "default": ["x"], "items": {"type": "integer"}},
        {"type": "list", "default": "x"},
        {"type": "list", "items": {"type": "object"}},
        {"type": "list", "items": {"type": "list"}},
    ],
)
def test_a_spec_that_does_not_fit_itself_is_refused_at_load(fields):
    with pytest.raises(PackError) as caught:
        compile_value(spec(**fields), "tools.x.args.y", "world.yaml")
    assert (caught.value.file, caught.value.field.startswith("tools.x.args.y")) == ("world.yaml", True)


# ---- the shapes in which models know tools

RENT = ToolDoc(
    "rent",
    "Rent a tool.",
    {
        "id": spec(type="integer", minimum=1, doc="Which."),
        "day": spec(type="date"),
        "at": spec(format="datetime", optional=True),
        "tags": spec(type="list", items={"type": "string", "enum": ["a", "b"]}, max_length=3, default=["a"]),
        "sure": spec(type="boolean", default="false"),
        "code": spec(pattern="[A-Z]{2}", max_length=2),
        "fields": spec(type="object", optional=True),
    },
    writes=True,
)
SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "description": "Which.", "minimum": 1},
        "day": {"type": "string", "format": "date"},
        "at": {"type": "string", "format": "date-time"},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "maxItems": 3, "default": ["a"]},
        "sure": {"type": "boolean", "default": False},
        "code": {"type": "string", "pattern": "^(?:[A-Z]{2})$", "maxLength": 2},
        "fields": {"type": "object"},
    },
    "required": ["id", "day", "code"],
    "additionalProperties": False,
}


def test_the_schema_of_a_tool():
    assert json_schema(RENT) == SCHEMA
    assert json.loads(json.dumps(json_schema(RENT))) == SCHEMA
    assert type(json_schema(RENT)["properties"]["sure"]["default"]) is bool
    assert json_schema(spec(type="boolean", enum=["true"]))["enum"] == [True]
    assert json_schema(spec(type="integer", enum=["1", "2"]))["enum"] == [1, 2]


def test_the_shapes_of_doors():
    assert openai_tool(RENT) == {"type": "function", "function": {"name": "rent", "description": "Rent a tool.", "parameters": SCHEMA}}
    assert mcp_tool(RENT) == {"name": "rent", "description": "Rent a tool.", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": False}}
    with pytest.raises(TypeError):
        json_schema("rent")
