"""The small readers that mining stands on: names, SQL text, CHECKs, dates, kinds, and how names fit."""

from __future__ import annotations

import pytest

from worldwright.domain.mine.sqlite.checks import Demand, Limits, demand_of, limits_of
from worldwright.domain.mine.sqlite.dates import read_dates
from worldwright.domain.mine.sqlite.joins import confidence
from worldwright.domain.mine.sqlite.kinds import typed
from worldwright.domain.mine.sqlite.layout import Column
from worldwright.domain.mine.sqlite.names_fit import fit
from worldwright.domain.mine.sqlite.profile import Profile, quantiles
from worldwright.domain.mine.sqlite.text import Check, read_table
from worldwright.domain.names import distinct, singular, snake, words

COLUMNS = ["status", "qty", "a b", "x"]


@pytest.mark.parametrize(
    "name, made",
    [
        ("InvoiceLine", "invoice_line"),
        ("HTTPServerID", "http_server_id"),
        ("Order Details", "order_details"),
        ("2nd", "_2nd"),
        ("Größe", "grosse"),
        ("名前 x", "名前_x"),
        ("--", "t"),
    ],
)
def test_snake_case(name, made):
    assert snake(name, "t") == made


def test_names_are_told_apart():
    assert distinct(["A b", "a_b", "a-b", "!"], "t") == {"A b": "a_b", "a_b": "a_b_2", "a-b": "a_b_3", "!": "t"}
    assert words("address2") == ["address", "2"]
    assert [singular(one) for one in ("orders", "companies", "status", "boxes", "people", "gas")] == [
        "order",
        "company",
        "status",
        "box",
        "person",
        "gas",
    ]


@pytest.mark.parametrize(
    "text, limits",
    [
        ("status IN ('open', 'it''s', NULL)", {"status": Limits(values=("open", "it's"))}),
        ("status = 'a' OR status == 'b' OR status IS NULL", {"status": Limits(values=("a", "b"))}),
        ("(qty >= 0 AND qty < 100)", {"qty": Limits(least=0, most=100, below=True)}),
        ("qty BETWEEN 1 AND 5 AND x > -2.5", {"qty": Limits(least=1, most=5), "x": Limits(least=-2.5, above=True)}),
        ("0 <= qty", {"qty": Limits(least=0)}),
        ("[qty]>=(0)", {"qty": Limits(least=0)}),
        ("[a b] in (1, 2)", {"a b": Limits(values=(1, 2))}),
        ("length(status) > 3", None),
        ("lower(status) IN ('a')", None),
        ("qty > x", None),
        ("qty > 0 OR x > 0", None),
        ("status NOT IN ('a')", None),
        ("status <> 'a'", None),
        ("", None),
    ],
)
def test_checks(text, limits):
    assert limits_of(Check(text), COLUMNS) == limits


def test_what_a_check_demands_of_a_state():
    check = Check("status <> 'sent' OR (x IS NOT NULL AND qty > 0)")
    assert demand_of(check, "status", COLUMNS) == Demand(("sent",), "(x IS NOT NULL AND qty > 0)", ("x", "qty"))
    assert demand_of(Check("x > 0 OR status NOT IN ('a', 'b')"), "status", COLUMNS) == Demand(("a", "b"), "x > 0", ("x",))
    assert demand_of(Check("status <> 'sent' AND x > 0"), "status", COLUMNS) is None
    assert demand_of(Check("x > 0 OR qty > 0"), "status", COLUMNS) is None


def test_the_text_of_a_table():
    read = read_table(
        """CREATE TABLE t (
          "check" TEXT, -- the check, of it
          a INTEGER CHECK (a IN (1, 2)), /* one of
          two */ b AS (a + 1) STORED,
          c INT CONSTRAINT foo CHECK (c > 0),
          CONSTRAINT bar CHECK (a < b OR (b > 2))
        ) WITHOUT ROWID"""
    )
    assert read.checks == (Check("a IN (1, 2)", "", "a"), Check("c > 0", "foo", "c"), Check("a < b OR (b > 2)", "bar", ""))
    assert (read.columns["check"].about, read.columns["a"].about) == ("the check, of it", "one of two")
    assert (read.columns["b"].generated, read.without_rowid) == ("a + 1", True)
    assert read_table("CREATE TABLE t AS SELECT 1").columns == {}


@pytest.mark.parametrize(
    "values, form, least",
    [
        (["2024-02-29", "2024-03-01"], "iso-date", "2024-02-29"),
        (["2024-02-29T10:00:00Z"], "iso-datetime-zoned", "2024-02-29T10:00:00"),
        (["13/02/2024", "01/02/2024"], "eu-slashes-date", "2024-02-01"),
        (["02/13/2024", "01/02/2024"], "us-slashes-date", "2024-01-02"),
        (["01/02/2024", "03/04/2024"], "day-or-month-first-slashes-date", "2024-02-01"),
        (["1.2.24"], "eu-dots-date", "2024-02-01"),
        (["12 Jan 2020", "Feb 3, 2021"], "month-name-date", "2020-01-12"),
        (["02/13/2024 1:05 PM"], "us-slashes-datetime", "2024-02-13T13:05:00"),
        ([1709283600], "epoch-seconds", "2024-03-01T09:00:00"),
        ([1709283600000], "epoch-milliseconds", "2024-03-01T09:00:00"),
        ([20240301], "compact-date", "2024-03-01"),
        ([2460370.875], "julian-day", "2024-03-01T09:00:00"),
        (["9:30", "17:45"], "clock", "09:30"),
        (["2024-03-01", "0000-00-00"], "blank | iso-date", "2024-03-01"),
    ],
)
def test_dates(values, form, least):
    dated = read_dates(dict.fromkeys(values, 1), may_be_numbers=True)
    assert dated is not None
    assert (dated.form, min(dated.iso.values())) == (form, least)


@pytest.mark.parametrize("values", [["2024-02-30"], ["a", "b"], [5, 7], ["1.2.3"], ["10.1.2.3"], [""], ["2024-01-01", "x", "y"]])
def test_no_dates(values):
    assert read_dates(dict.fromkeys(values, 1), may_be_numbers=True) is None


def test_numbers_are_moments_only_where_something_says_so():
    assert read_dates({1709283600: 5}, may_be_numbers=False) is None


def kind(name: str, values: list, declared: str = "") -> str:
    counts: dict = {}
    for one in values:
        counts[one] = counts.get(one, 0) + 1
    classes = {
        "integer": sum(isinstance(v, int) for v in values),
        "real": sum(isinstance(v, float) for v in values),
        "text": sum(isinstance(v, str) for v in values),
    }
    profile = Profile(len(values), 0, counts, {k: n for k, n in classes.items() if n}, True)
    found = typed("t", Column(name, declared, False, "", 0), profile, Limits())
    return f"{found.type} {found.unit}".strip()


@pytest.mark.parametrize(
    "name, values, declared, made",
    [
        ("unit_price", [9.5, 0.99], "", "money"),
        ("price_usd", [9, 10], "", "money USD"),
        ("amount_cents", [950], "", "money cents"),
        ("price", [0.12345, 2.5], "", "number"),
        ("total", [3, 4], "", "integer"),
        ("total", [3.25, 4.5], "", "money"),
        ("discount", [0, 0.05, 0.25], "", "number"),
        ("discount", [], "REAL", "number"),
        ("price", [], "REAL", "money"),
        ("payment_type", [1, 2], "", "integer"),
        ("tax_rate", [0.19], "", "number"),
        ("weight", [1.25], "DECIMAL(10,2)", "number"),
        ("cost", ["$1,234.50", "$3"], "", "money USD"),
        ("is_open", [0, 1], "", "boolean"),
        ("n", [0, 1], "", "integer"),
        ("n", [0, 1], "BOOL", "boolean"),
        ("agreed", ["yes", "no"], "", "boolean"),
        ("zip", ["01234", "99999"], "", "text"),
        ("size", [1709283600], "", "integer"),
        ("created_at", [1709283600], "", "datetime"),
        ("x", [1.0, 2.0], "INTEGER", "integer"),
    ],
)
def test_kinds(name, values, declared, made):
    assert kind(name, values, declared) == made


@pytest.mark.parametrize(
    "table, column, to, key, least, most",
    [
        ("orders", "customer_id", "customers", "id", 1, 1),
        ("orders", "customerid", "Customer", "CustomerID", 1, 1),
        ("orders", "billing_customer_id", "customers", "id", 0.8, 0.8),
        ("orders", "customer", "tbl_customer", "id", 0.9, 0.9),
        ("orders", "cust_id", "customers", "id", 0.6, 0.6),
        ("staff", "manager_id", "staff", "id", 0.8, 0.8),
        ("orders", "approved_by", "users", "id", 0.6, 0.6),
        ("orders", "id", "customers", "id", 0, 0),
        ("orders", "qty", "customers", "id", 0, 0),
        ("order_lines", "order_id", "orders", "order_id", 1, 1),
    ],
)
def test_how_names_fit(table, column, to, key, least, most):
    assert least <= fit(table, column, to, key) <= most


def test_confidence_follows_its_formula():
    assert confidence(1.0, 1.0, 0.3, 97) == pytest.approx(1 - 0.15 * (1 - 0.75 * 0.3 * 0.97))
    assert confidence(1.0, 0.0, 0.3, 1000) < 0.5, "small numbers are found in any run of numbers"
    assert confidence(0.8, 1.0, 1.0, 1000) < 0.5
    assert confidence(1.0, 0.0, 1.0, 20) > 0.6


def test_quantiles():
    assert quantiles(dict.fromkeys(range(1, 101), 1)) == [5, 25, 50, 75, 95]
    assert quantiles({7: 1000, 9: 1}) == [7, 7, 7, 7, 7]
    assert quantiles({}) == []
