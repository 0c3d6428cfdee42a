"""A contract is read strictly, and held against a certificate clause by clause: met, not met, or can't be said."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from worldwright.audit.acceptance import Known, PassRate, is_met, judge, read_pass_rates
from worldwright.audit.contract import Contract, read_contract
from worldwright.audit.policy import read_policy
from worldwright.errors import PackError, UsageError
from worldwright.ledger import Cost

EXAMPLE = Path(__file__).parent / "contract.toml"
NOTHING = Known()


def contract(text: str, folder: Path) -> Contract:
    path = folder / "c.toml"
    path.write_text(text, encoding="utf-8")
    return read_contract(path)


def found(text: str, folder: Path, certificate, known: Known = NOTHING) -> dict[str, str]:
    return {one.name: one.status for one in judge(contract(text, folder), certificate, known)}


def rate(task: str, low: float, high: float, solver: str = "s") -> PassRate:
    return PassRate(task, solver, 5, 10, low, high)


def test_the_example_is_read_and_has_every_field():
    terms = read_contract(EXAMPLE)
    assert terms.bounds.tasks == 3
    for table in terms.__struct_fields__:
        part = getattr(terms, table)
        assert part is not None
        assert all(getattr(part, name) is not None for name in part.__struct_fields__)


@pytest.mark.parametrize(
    "text, said",
    [
        ("[bounds]\nmost_false_accept = 1.5\n", r"c\.toml:2: bounds\.most_false_accept: got 1\.5 \(expected a share from 0 to 1\)"),
        (
            "\n[bounds]\nmost_false = 0.1\n",
            r"c\.toml:3: bounds\.most_false: .*unknown field `most_false` \(expected one of most_false_accept",
        ),
        ("[limits]\n", r"c\.toml:1: limits: .*unknown field `limits` \(expected one of bounds, difficulty"),
        ("[licence]\nallowed = 'MIT'\n", r"c\.toml:2: licence\.allowed: Expected `array`, got `str`"),
        ("[difficulty]\nleast = 0.1\n", r"c\.toml:1: difficulty: .*missing required field `solver`"),
        ("[coverage]\nprobes = ['telepathy']\n", r"c\.toml:2: coverage\.probes: there is no kind of probe 'telepathy'"),
        ("[bounds\n", r"c\.toml:1: not TOML"),
    ],
)
def test_a_broken_contract_names_its_line_and_field(tmp_path, text, said):
    with pytest.raises(PackError, match=said):
        contract(text, tmp_path)


def test_no_contract(tmp_path):
    with pytest.raises(UsageError, match="expected a contract"):
        read_contract(tmp_path / "c.toml")


def test_an_empty_contract_asks_for_the_verdict(examined, tmp_path):
    assert found("", tmp_path, examined("sound").certificate) == {"verdict": "met"}
    assert found("", tmp_path, examined("lax").certificate) == {"verdict": "not met"}


def test_bounds(examined, tmp_path):
    text = "[bounds]\nmost_false_accept = {0}\nmost_false_refusal = {0}\ntask_most_false_accept = {1}\ntasks = {2}\n"
    sound = examined("sound").certificate
    assert set(found(text.format(0.6, 0.96, 1), tmp_path, sound).values()) == {"met"}
    assert found(text.format(0.5, 0.5, 2), tmp_path, sound) == {
        "verdict": "met",
        "bounds.most_false_accept": "not met",
        "bounds.most_false_refusal": "not met",
        "bounds.task_most_false_accept": "not met",
        "bounds.tasks": "not met",
    }
    lax = found(text.format(1, 1, 1), tmp_path, examined("lax").certificate)
    assert (lax["bounds.most_false_accept"], lax["bounds.tasks"]) == ("can't be said", "not met")


@pytest.mark.parametrize(
    "rates, status",
    [
        (None, "can't be said"),
        ((), "can't be said"),
        ((rate("hand-out", 0.3, 0.7),), "met"),
        ((rate("hand-out", 0.1, 0.7),), "can't be said"),
        ((rate("hand-out", 0.85, 0.99),), "not met"),
        ((rate("hand-out", 0.3, 0.7, "other"),), "can't be said"),
    ],
)
def test_difficulty_is_a_band_for_the_whole_interval(examined, tmp_path, rates, status):
    text = "[difficulty]\nsolver = 's'\nleast = 0.2\nmost = 0.8\n"
    assert found(text, tmp_path, examined("sound").certificate, Known(rates=rates))["difficulty"] == status


def test_coverage_and_licence(examined, tmp_path):
    sound = examined("sound").certificate
    text = "[coverage]\nconcepts = ['refunds']\nprobes = ['collateral', 'doubled']\n[licence]\nallowed = ['MIT']\n"
    assert found(text, tmp_path, sound) == {
        "verdict": "met", "coverage.concepts": "can't be said", "coverage.probes": "met", "licence.allowed": "can't be said",
    }  # fmt: skip
    known = Known(licence="GPL-3.0", concepts=frozenset({"returns"}))
    vague = found(text, tmp_path, examined("vague").certificate, known)
    assert [vague[name] for name in ("coverage.concepts", "coverage.probes", "licence.allowed")] == ["not met"] * 3
    assert set(found(text, tmp_path, sound, Known(licence="MIT", concepts=frozenset({"refunds"}))).values()) == {"met"}


def test_cost_is_for_each_accepted_task(examined, tmp_path):
    text = "[cost]\nmost_cents = 10\nmost_cpu_seconds = 60\n"
    three = examined("three").certificate
    assert found(text, tmp_path, three)["cost.most_cents"] == "can't be said"
    assert found(text, tmp_path, three, Known(cost=Cost(cents=30, cpu=181))) == {
        "verdict": "met", "cost.most_cents": "met", "cost.most_cpu_seconds": "not met",
    }  # fmt: skip
    assert found(text, tmp_path, examined("lax").certificate, Known(cost=Cost()))["cost.most_cents"] == "not met"


def test_a_policy_is_its_text(examined, tmp_path):
    certificate = examined("sound").certificate
    text = "[policy]\nname = 'default'\nleast_version = 1\n"
    assert found(text, tmp_path, certificate)["policy"] == "not met"
    shipped = read_policy("default")
    lock = msgspec.structs.replace(
        certificate.lock.policy,
        name="default",
        version=shipped.version,
        sha256=shipped.digest,
        admission=shipped.admission,
        certification=shipped.certification,
    )

    def under(**more):
        return msgspec.structs.replace(
            certificate, lock=msgspec.structs.replace(certificate.lock, policy=msgspec.structs.replace(lock, **more))
        )

    assert found(text, tmp_path, under())["policy"] == "met"
    assert found(text, tmp_path, under(sha256="1" * 64))["policy"] == "not met"
    assert found(text, tmp_path, under(admission=2))["policy"] == "not met"
    assert found(text.replace("= 1", "= 9"), tmp_path, under())["policy"] == "not met"


def test_what_cannot_be_said_is_not_met_for_who_signs(examined, tmp_path):
    clauses = judge(contract("[licence]\nallowed = ['MIT']\n", tmp_path), examined("sound").certificate, Known())
    assert not is_met(clauses)
    assert clauses[1].found == "the subject states no licence"


def test_pass_rates_come_from_a_rollout(tmp_path):
    path = tmp_path / "r.json"
    path.write_text(
        '{"out": "x", "lines": [{"task": "w/t", "solver": "s", "passed": 1, "n": 2, "low": 0.1, "high": 0.9, "masked": 0}]}',
        encoding="utf-8",
    )
    assert read_pass_rates(path) == (PassRate("w/t", "s", 1, 2, 0.1, 0.9),)
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(UsageError, match="not the output of `worldwright rollout --json`"):
        read_pass_rates(path)
