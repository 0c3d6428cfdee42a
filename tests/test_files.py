"""YAML is read by the field's type, faults name their line, digests name content, and what is written reads back equal."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldwright.errors import PackError
from worldwright.files import DERIVED, decode_yaml, digest, encode_yaml, locate, plain
from worldwright.pack.cases import Case
from worldwright.task import Brief
from worldwright.verifier.spec import VerifierSpec
from worldwright.world.records.scenario import Sample
from worldwright.world.spec import EventSpec, PartySpec, WorldSpec

ROOT = Path(__file__).parents[1]


class Inner(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str = ""
    number: int = 0


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of every kind that the format has."""

    text: str = ""
    whole: int = 0
    number: float = 0.0
    claim: bool = False
    perhaps: str | None = None
    perhaps_number: float | None = None
    either: str | list[str] = ""
    shape: str | Inner = ""
    word: Literal["up", "down"] = "up"
    keep: int | Literal["all"] | Inner = 0
    texts: list[str] = []
    table: dict[str, str] = {}
    inner: Inner = Inner()
    inners: list[Inner] = []


def read(text: str) -> Sheet:
    return decode_yaml(text, Sheet, "sheet.yaml")


def refused(text: str, kind: Any = Sheet) -> PackError:
    with pytest.raises(PackError) as caught:
        decode_yaml(text, kind, "sheet.yaml")
    assert caught.value.file == "sheet.yaml"
    return caught.value


LOOKS = [
    "no",
    "on",
    "yes",
    "off",
    "y",
    "true",
    "null",
    "~",
    "1e3",
    "0x10",
    "0o17",
    "012",
    "1_000",
    "2026-03-30",
    "12:30:45",
    ".inf",
    "nan",
    "-",
    "5",
]


@pytest.mark.parametrize("look", [look for look in LOOKS if look != "-"])
def test_text_is_what_stands_there(look):
    assert read(f"text: {look}").text == look
    assert read(f"text: '{look}'").text == look
    assert read(f"texts: [{look}]").texts == [look]
    assert read(f"table: {{{look}: {look}}}").table == {look: look}


@pytest.mark.parametrize("text, value", [("5", 5), ("-5", -5), ("+5", 5), ("012", 12), ("0", 0), ("9007199254740993", 9007199254740993)])
def test_whole_number(text, value):
    assert read(f"whole: {text}").whole == value


@pytest.mark.parametrize("text, value", [("5", 5.0), ("1e3", 1000.0), (".5", 0.5), ("1.", 1.0), ("-1.5E-2", -0.015), ("012", 12.0)])
def test_number(text, value):
    assert read(f"number: {text}").number == value
    assert read(f"perhaps_number: {text}").perhaps_number == value


@pytest.mark.parametrize(
    "look", ["no", "on", "true", "null", "~", "", "1e3", "0x10", "0o17", "1_000", "2026-03-30", "1.0", "'5'", '"5"', "٣", "9" * 5000]
)
def test_no_whole_number(look):
    fault = refused(f"text: x\nwhole: {look}")
    assert (fault.line, fault.field, fault.expected) == (2, "whole", "a whole number")


@pytest.mark.parametrize("look", ["no", "true", "null", "", "0x10", "1_000", "nan", ".nan", "inf", ".inf", "-.inf", "1e400", "'5'", "٣"])
def test_no_number(look):
    fault = refused(f"text: x\nnumber: {look}")
    assert (fault.line, fault.field, fault.expected) == (2, "number", "a number")


@pytest.mark.parametrize("look", ["no", "yes", "on", "True", "TRUE", "1", "", "null", "'true'"])
def test_a_claim_is_true_or_false(look):
    assert read("claim: true").claim is True
    assert read("claim: false").claim is False
    fault = refused(f"claim: {look}")
    assert (fault.line, fault.field, fault.expected) == (1, "claim", "true or false")


def test_nothing_is_no_text():
    assert refused("text:").message == "got nothing"
    assert read("text: ''").text == ""
    assert read("perhaps:").perhaps is None
    assert read("perhaps: null").perhaps is None
    assert read("perhaps: 'null'").perhaps == "null"
    assert read("perhaps: no").perhaps == "no"
    assert read("perhaps_number: null").perhaps_number is None


def test_a_union_is_told_apart_by_its_shape():
    assert read("either: no").either == "no"
    assert read("either: [no, 1]").either == ["no", "1"]
    assert read("shape: 3").shape == "3"
    assert read("shape: {number: 3}").shape == Inner(number=3)
    assert read("keep: 3").keep == 3
    assert read("keep: all").keep == "all"
    assert read("keep: {name: x}").keep == Inner(name="x")
    assert refused("keep: some").expected == "a whole number or one of all or a mapping"
    assert refused("either: {a: b}").expected == "text or a list"
    assert refused("inner: {number: no}").field == "inner.number"
    assert refused("shape: {number: no}").field == "shape.number"


def test_words_of_a_closed_list():
    assert read("word: down").word == "down"
    assert refused("word: left").expected == "one of down, up"


FAULTS = {
    "duplicate key": ("text: a\nwhole: 1\ntext: b\n", 3, "", "stands twice (first in line 1)"),
    "duplicate key inside": ("table:\n  a: x\n  b: y\n  a: z\n", 4, "table", "stands twice (first in line 2)"),
    "duplicate key, quoted": ("table: {a: x, 'a': z}\n", 1, "table", "stands twice"),
    "unknown key": ("text: a\ntxt: b\n", 2, "", "unknown key 'txt'"),
    "unknown key inside": ("inners:\n- name: a\n- nom: b\n", 3, "inners[1]", "unknown key 'nom'"),
    "anchor": ("text: x\ntexts: &a [b]\n", 2, "", "anchors"),
    "alias": ("text: x\nperhaps: *a\n", 2, "", "anchors"),
    "merge key": ("inner:\n  <<: {name: a}\n", 2, "inner", "merge key"),
    "merge key in a table": ("table:\n  <<: {name: a}\n", 2, "table", "merge key"),
    "tag": ("text: x\nperhaps: !!str 5\n", 2, "", "the tag tag:yaml.org,2002:str"),
    "local tag": ("text: !mine 5\n", 1, "", "the tag !mine"),
    "empty tag": ("text: ! 5\n", 1, "", "the tag !"),
    "tag of Python": ("text: !!python/object/apply:os.system [ls]\n", 1, "", "python/object/apply:os.system is not part"),
    "tab as indent": ("inner:\n\tname: a\n", 2, "", "not YAML"),
    "two documents": ("text: a\n---\ntext: b\n", 2, "", "another document"),
    "open bracket": ("text: a\ntexts: [a, b\n", 3, "", "not YAML"),
    "indent": ("text: a\n  whole: 1\n", 2, "", "not YAML"),
    "control character": ("text: a\nperhaps: b\x07\n", 2, "", "control characters"),
    "reserved sign": ("text: a\nperhaps: @b\n", 2, "", "not YAML"),
    "list for a mapping": ("- a\n", 1, "", "got a list"),
    "text for a mapping": ("inner: a\n", 1, "inner", "got 'a'"),
    "mapping for a list": ("texts: {a: b}\n", 1, "texts", "got a mapping"),
    "mapping for text": ("text: {a: b}\n", 1, "text", "got a mapping"),
    "a key that is a list": ("table:\n  [a]: b\n", 2, "table", "a key is not text"),
    "nothing": ("", 1, "", "the file is empty"),
    "a comment": ("# nothing here\n", 1, "", "the file is empty"),
    "lone surrogate": ("text: \ud800\n", 1, "", "not YAML"),
}


@pytest.mark.parametrize("text, line, field, message", FAULTS.values(), ids=FAULTS)
def test_fault_names_its_place(text, line, field, message):
    fault = refused(text)
    assert message in fault.message
    assert (fault.line, fault.field) == (line, field)
    assert fault.expected
    assert str(fault).startswith(f"sheet.yaml:{line}: ")


def test_missing_key():
    fault = refused("\nname: a\n", Case)
    assert fault.message == "the key 'verdict' is missing"
    assert fault.line == 2


def test_a_key_called_merge_in_quotes_is_a_name():
    assert read("table: {'<<': x}").table == {"<<": "x"}
    assert read("text: <<").text == "<<"


@pytest.mark.parametrize("opens, closes", [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", "")])
@pytest.mark.parametrize("levels", [200, 10_000])
def test_deep_nesting_is_refused(opens, closes, levels):
    text = f"texts:\n {opens * levels}{closes * levels}\n"
    fault = refused(text)
    assert fault.line == 2
    assert "nest" in fault.message or "deep" in fault.message
    assert locate(text, "texts[0]") == 0


def test_nesting_as_packs_need_it():
    text = "[" * 99 + "]" * 99
    assert plain(text, "x") is not None


def test_byte_order_mark_and_line_ends():
    assert read("\ufefftext: a\nwhole: 3\n") == Sheet(text="a", whole=3)
    dos = "text: |\r\n  a\r\n  b\r\nwhole: no\r\n"
    assert read(dos.replace("no", "3")) == Sheet(text="a\nb\n", whole=3)
    assert refused(dos).line == 4


def test_line_of_a_folded_text_is_its_key():
    assert refused("text: >\n  a\n  b\nwhole: |\n  c\n").line == 4


def test_plain_reads_without_types():
    assert plain("a: [no, {b: 012}]", "x") == {"a": ["no", {"b": "012"}]}
    assert plain("", "x") is None


WORLD = """\
title: T
tools:
  find.it:
    doc: A
    args:
      x: {type: string}
  find:
    doc: B
    require:
      - that: SELECT 1
        otherwise: no
      - {that: SELECT 2,
         otherwise: no}
hidden:
  scans.scanned_on: find
rules:
  - name: a lorry comes
    due: SELECT
  - {name: ends, due: SELECT}
"""


@pytest.mark.parametrize(
    "field, line",
    [
        ("title", 1),
        ("tools", 2),
        ("tools.find", 7),
        ("tools.find.doc", 8),
        ("tools.find.it.args.x", 6),
        ("tools.find.require[0].that", 10),
        ("tools.find.require[1].that", 12),
        ("tools.find.require[1].otherwise", 13),
        ("tools.find.require[7].otherwise", 9),
        ("tools.find.rows", 7),
        ("hidden.scans.scanned_on", 15),
        ("rules.a lorry comes.due", 18),
        ("rules[0].due", 18),
        ("rules.ends.due", 19),
        ("nowhere.at.all", 1),
        ("", 1),
    ],
)
def test_locate(field, line):
    assert locate(WORLD, field) == line


def test_locate_by_name_at_the_top_of_a_list():
    text = "- name: a b\n  due: x\n- name: c.d\n  due: y\n"
    assert locate(text, "c.d.due") == 4
    assert locate(text, "[1].due") == 4
    assert locate(text, "a b") == 1
    assert locate("a: [", "a") == 0
    assert locate("", "a") == 0


# ---- round trips

KINDS: dict[str, Any] = {
    "world.yaml": WorldSpec,
    "brief.yaml": Brief,
    "verifier.yaml": VerifierSpec,
    "events.yaml": list[EventSpec],
    "parties.yaml": dict[str, PartySpec],
    "cases.yaml": list[Case],
    "sample.yaml": Sample,
}
EXAMPLES = sorted(path for path in (ROOT / "examples").rglob("*.yaml") if path.name in KINDS)


def test_every_kind_of_file_is_in_an_example():
    assert {path.name for path in EXAMPLES} == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_examples_come_back_equal(name):
    for path in EXAMPLES:
        if path.name == name:
            record = decode_yaml(path.read_text(encoding="utf-8"), KINDS[name], str(path))
            again = encode_yaml(record)
            assert decode_yaml(again, KINDS[name], str(path)) == record
            assert encode_yaml(decode_yaml(again, KINDS[name], str(path))) == again


# What YAML has no way to write (most control characters, a lone surrogate), or what every reader turns into something else.
WRITABLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TEXTS = st.one_of(
    WRITABLE,
    st.sampled_from(
        [
            *LOOKS,
            "<<",
            "",
            " a",
            "a ",
            "\n",
            "\na",
            "a\n",
            " a\nb",
            "a\n\n",
            "a\n b\n  c",
            "a: b",
            "# a",
            "a #b",
            "'",
            '"',
            "- a",
            "{a}",
            "\t",
            "a\tb",
            "a\r\nb",
            "x" * 300,
            ("word " * 60).strip(),
        ]
    ),
)
INNERS = st.builds(Inner, name=TEXTS, number=st.integers(-(2**63), 2**63 - 1))
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SHEETS = st.builds(
    Sheet,
    text=TEXTS,
    whole=st.integers(-(10**30), 10**30),
    number=FLOATS,
    claim=st.booleans(),
    perhaps=st.none() | TEXTS,
    perhaps_number=st.none() | FLOATS,
    either=TEXTS | st.lists(TEXTS, max_size=3),
    shape=TEXTS | INNERS,
    word=st.sampled_from(["up", "down"]),
    keep=st.integers() | st.just("all") | INNERS,
    texts=st.lists(TEXTS, max_size=4),
    table=st.dictionaries(TEXTS, TEXTS, max_size=4),
    inner=INNERS,
    inners=st.lists(INNERS, max_size=3),
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(SHEETS)
def test_what_is_written_reads_back_equal(sheet):
    assert read(encode_yaml(sheet)) == sheet


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(["a", ":", " ", "\n", "-", "[", "]", "{", "}", "'", '"', "|", ">", "#", "&", "*", "!", "<<", "\t", "---"]),
        max_size=30,
    ).map("".join)
)
def test_any_text_is_read_or_refused(text):
    try:
        found: Sheet | PackError = read(text)
    except PackError as fault:
        found = fault
    assert isinstance(found, Sheet) or (found.file == "sheet.yaml" and found.line >= 1)


# ---- digests

FILES = {"pack.toml": b"a", "worlds/w/world.yaml": b"b", "worlds/w/schema.sql": b"c"}


def test_digest_is_over_sorted_paths_and_contents():
    lines = "".join(f"{path} {hashlib.sha256(FILES[path]).hexdigest()}\n" for path in sorted(FILES))
    assert digest(FILES) == hashlib.sha256(lines.encode()).hexdigest()
    assert digest(dict(reversed(FILES.items()))) == digest(FILES)


def test_digest_sees_every_byte_and_path():
    others = [FILES | {"pack.toml": b"A"}, FILES | {"new.md": b""}, {path: data for path, data in FILES.items() if path != "pack.toml"}]
    others.append({path.replace("schema", "schemA"): data for path, data in FILES.items()})
    assert len({digest(one) for one in [FILES, *others]}) == 5


@pytest.mark.parametrize("name", sorted(DERIVED))
def test_derived_files_lie_outside_the_digest(name):
    assert digest(FILES | {name: b"x", f"worlds/w/{name}": b"y"}) == digest(FILES)
    assert digest(FILES | {f"{name}.md": b"x"}) != digest(FILES)
