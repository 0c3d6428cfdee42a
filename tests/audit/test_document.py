"""docs/audit.md says what is there: every probe, every fault, an example that does what it shows, the contract's fields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from worldwright.audit.counts import INSTANCE
from worldwright.audit.findings import grouped
from worldwright.audit.policy import Policy, read_policy
from worldwright.audit.probes import battery
from worldwright.audit.probes.document import does, redraw
from worldwright.audit.records import Claim
from worldwright.audit.review import PERSON
from worldwright.audit.run import audit

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")


def test_the_tables_are_in_step():
    assert redraw(TEXT) == TEXT, "run python -m worldwright.audit.probes docs/audit.md"


def test_every_probe_says_what_it_does():
    for name, module in battery().items():
        assert f"| `{name}` |" in TEXT
        assert does(module).strip(), name
        assert module.PROBE.means, name
        assert module.PROBE.repair, name


@pytest.mark.parametrize("text", ["", "<!-- probes --><!-- /probes -->", "<!-- /probes --><!-- probes --><!-- faults --><!-- /faults -->"])
def test_markers_are_needed(text):
    with pytest.raises(ValueError, match="expected one line"):
        redraw(text)


def test_every_source_of_a_label_and_every_field_of_a_policy_is_named():
    named = set(re.findall(r"^\| `([a-z]+)` \| ", TEXT, re.MULTILINE))
    assert {str(claim) for claim in Claim} - {"end"} | {"state", PERSON} <= named
    for field in Policy.__struct_fields__:
        assert field == "digest" or f"`{field}`" in TEXT, field
    assert "instances (case, seed)" in INSTANCE


def test_the_contract_shown_is_the_tested_one():
    assert (Path(__file__).parent / "contract.toml").read_text(encoding="utf-8") in TEXT


def test_the_example_does_what_is_shown(in_process, tmp_path):
    code = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert code is not None
    (tmp_path / "seed_desk.py").write_text(code.group(1), encoding="utf-8")
    done = audit(in_process("environment", tmp_path / "seed_desk.py"), read_policy("default"), seed=0)
    first = grouped(done.findings())[0].first
    assert (first.probe, first.code, first.expected, first.got) == ("collateral", "A4", "fail", "pass")
    assert f"F1 HIGH {first.probe} ({first.code}): {battery()[first.probe].PROBE.means}" in TEXT
    assert f"labelled by {first.by}" in TEXT
    assert first.edit in TEXT
