"""Domain models as files: read, linted with the line and what was expected, and a schema that is in step."""

from __future__ import annotations

from importlib import resources

import pytest

from worldwright.domain import read_model
from worldwright.domain.lint import RULES, lint
from worldwright.domain.model import FACETS, TYPES, DomainModel
from worldwright.domain.schema import schema_text
from worldwright.errors import PackError, UsageError
from worldwright.files import decode_yaml, encode_yaml

GOOD = """\
name: desk
about: A help desk.
source:
  kind: person
  name: by hand
entities:
  - name: customer
    facet: party
    table: Customers
    key: [id]
    fields:
      - {name: id, column: CustomerID, type: integer, nullable: false}
  - name: ticket
    facet: case
    table: tickets
    key: [id]
    fields:
      - {name: id, column: id, type: integer, nullable: false}
      - {name: customer_id, column: customer_id, type: reference}
      - {name: status, column: status, type: text, values: [open, closed]}
      - {name: fee, column: fee, type: money, unit: EUR, least: 0, most: 99.5}
      - {name: closed_on, column: closed_on, type: date, form: iso-date}
    lifecycle:
      field: status
      order: person
      states:
        - name: open
        - name: closed
      start: [open]
      ends: [closed]
      transitions:
        - from: open
          to: closed
          guards:
            - {says: it has an end, fields: [closed_on]}
relations:
  - {from: ticket, fields: [customer_id], to: customer, to_fields: [id], declared: true}
policies:
  - id: fee-cap
    rule: A fee is at most 99.50.
    source: {where: handbook, licence: own words}
    parameters:
      cap: {value: 99.5, unit: EUR}
    applies_to: [ticket.fee]
vocabulary:
  - {word: ticket, of: ticket, means: a request for help}
"""


def found(text: str) -> list[tuple[str, int]]:
    return [(one.rule, one.line) for one in lint(decode_yaml(text, DomainModel, "m.yaml"), "m.yaml", text)]


def test_a_good_model_is_clean_and_comes_back_from_its_text():
    model = decode_yaml(GOOD, DomainModel, "m.yaml")
    assert found(GOOD) == []
    assert decode_yaml(encode_yaml(model), DomainModel, "m.yaml") == model


@pytest.mark.parametrize(
    "old, new, rule, line",
    [
        (
            "key: [id]\n    fields:\n      - {name: id, column: CustomerID",
            "key: [idd]\n    fields:\n      - {name: id, column: CustomerID",
            "unknown-reference",
            10,
        ),
        ("table: tickets\n    key: [id]", "table: tickets\n    key: []", "key-missing", 13),
        ("column: CustomerID, type: integer, nullable: false", "column: CustomerID, type: integer", "key-nullable", 12),
        ("unit: EUR, least: 0", "least: 0", "unit-missing", 21),
        ("form: iso-date", "about: the end", "form-missing", 22),
        ("least: 0, most: 99.5", "least: 100, most: 99.5", "range", 21),
        ("values: [open, closed]", "values: [open, closed], least: p", "outside-range", 20),
        ("field: status\n", "field: stat\n", "unknown-reference", 24),
        ("        - name: closed\n", "        - name: closed\n        - name: limbo\n", "state-unreached", 29),
        ("ends: [closed]", "ends: []", "state-final", 28),
        ("ends: [closed]", "ends: [shut]", "unknown-reference", 30),
        ("          to: closed", "          to: shut", "unknown-reference", 32),
        ("fields: [closed_on]}", "fields: []}", "guard-fieldless", 35),
        ("fields: [closed_on]}", "fields: [ended]}", "unknown-reference", 35),
        ("to: customer, to_fields", "to: client, to_fields", "unknown-reference", 37),
        ("to_fields: [id], declared: true", "to_fields: [id, id], declared: true", "relation-shape", 37),
        ("declared: true", "confidence: 1.5, declared: true", "confidence", 37),
        ("declared: true", "confidence: 0.5", "relation-unbacked", 37),
        ("applies_to: [ticket.fee]", "applies_to: [ticket.fees]", "unknown-reference", 44),
        ("cap: {value: 99.5, unit: EUR}", "cap: {value: 99.5}", "policy-parameter", 43),
        (", licence: own words", "", "licence-missing", 41),
        ("of: ticket, means", "of: tickets, means", "unknown-reference", 46),
        ("  - name: ticket\n", "  - name: customer\n", "twice", 7),
        ("name: closed_on", "name: Closed On", "name", 22),
        ("name: fee,", "name: id,", "twice", 18),
    ],
)
def test_each_fault_is_found_at_its_line(old, new, rule, line):
    assert GOOD.count(old) == 1
    text = GOOD.replace(old, new)
    assert (rule, line) in found(text)


def test_numbers_out_of_range_are_found():
    spread = ", distribution: {n: 9, nulls: 0.5, quantiles: [1, 3, 2], shares: [{value: a, share: 0.7}, {value: b, share: 0.6}]}}"
    text = GOOD.replace("values: [open, closed]}", "values: [open, closed]" + spread)
    assert {rule for rule, _ in found(text)} == {"share", "quantiles"}


def test_unknown_order_and_unseen_states_are_warnings():
    part = GOOD[GOOD.index("      start:") : GOOD.index("relations:")]
    assert [rule for rule, _ in found(GOOD.replace(part, "").replace("order: person", "order: unknown"))] == ["order-unknown"]
    text = GOOD.replace("        - name: closed\n", "        - name: closed\n        - name: limbo\n").replace(
        "ends:", "unseen: [limbo]\n      ends:"
    )
    assert [rule for rule, _ in found(text)] == ["state-unseen"]


def test_a_finding_says_where_what_and_what_was_expected():
    model = decode_yaml(GOOD.replace("unit: EUR, least", "least"), DomainModel, "m.yaml")
    said = str(lint(model, "m.yaml", GOOD)[0])
    assert said == "m.yaml:21: warning [unit-missing] entities.ticket.fields.fee: fee is money (expected unit: a currency, or its cents)"


def test_every_rule_has_a_test_or_is_about_the_whole():
    assert len(RULES) == len({rule.id for rule in RULES.values()})
    assert all(rule.means.endswith(".") and rule.expected for rule in RULES.values())
    assert [
        one.rule for one in lint(decode_yaml("name: a\nabout: b\nsource: {kind: c, name: d}\nentities: []\nformat: 9\n", DomainModel, "m"))
    ] == ["format", "no-entities"]


@pytest.mark.parametrize(
    "text, said",
    [
        (GOOD.replace("facet: case", "facet: thing"), r"m.yaml:14: entities\[1\].facet: got 'thing' \(expected one of "),
        (GOOD.replace("about: A help desk.\n", ""), r"m.yaml:1: the key 'about' is missing"),
        (GOOD.replace("  - name: ticket\n", "  - title: ticket\n"), r"unknown key 'title'"),
    ],
)
def test_what_is_no_model_is_refused_at_its_line(text, said):
    with pytest.raises(PackError, match=said):
        decode_yaml(text, DomainModel, "m.yaml")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="not found"):
        read_model(tmp_path / "no.yaml")
    with pytest.raises(UsageError, match="a folder"):
        read_model(tmp_path)
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not UTF-8 text at byte 0"):
        read_model(tmp_path / "b.yaml")


def test_the_schema_file_is_in_step():
    file = resources.files("worldwright.domain").joinpath("model.schema.json")
    assert file.read_text(encoding="utf-8") == schema_text(), (
        "run python -m worldwright.domain.schema src/worldwright/domain/model.schema.json"
    )
    assert all(f'"{one}"' in schema_text() for one in (*FACETS, *TYPES))
