"""Certificates: verdicts by rule, two kinds of numbers that are never mixed, and the same bytes for the same audit."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import msgspec
import pytest

from worldwright.audit.certificate import Certificate, Mutation, certificate_of, read_certificate, read_lock, schema_text
from worldwright.audit.counts import INSTANCE, TASK, structure_of
from worldwright.audit.lock import Request, encode, plain_name
from worldwright.audit.probes import battery
from worldwright.audit.subject import Act, Facts, Known, Tool
from worldwright.audit.taxonomy import taxonomy
from worldwright.errors import UsageError

ROOT = Path(__file__).parents[2]


def only(certificate: Certificate):
    assert len(certificate.cases) == 1
    return certificate.cases[0]


# ---- verdicts


def test_a_sound_desk_is_accepted(examined):
    certificate = examined("sound").certificate
    case = only(certificate)
    assert (certificate.verdict, certificate.reasons) == ("accepted", ())
    assert (case.controls.paid, case.controls.references, case.controls.refused, case.controls.idle) == (10, 10, 10, 10)
    assert case.instances == case.wanted == {"admission": 6, "certification": 4}
    assert case.findings == ()


def test_a_confirmed_finding_rejects_and_the_worst_comes_first(examined):
    certificate = examined("lax").certificate
    case = only(certificate)
    assert certificate.verdict == "rejected"
    assert certificate.reasons[0].startswith("collateral (A4): ")
    assert {found.probe for found in case.findings} == {"collateral"}
    assert [found.count for found in case.findings] == sorted((found.count for found in case.findings), reverse=True)
    assert case.stopped
    assert case.instances == {"admission": 3, "certification": 0}


@pytest.mark.parametrize(
    "name, verdict, reason",
    [
        ("deaf", "rejected", "reference (R3): reference: expected pass, got fail"),
        ("mute", "undetermined", "no known solution: nothing shows that the reward can be earned"),
        ("fragile", "rejected", "start (R5): start: expected holds, got error"),
        ("same", "undetermined", "only 1 distinct instance on the certification seeds tried (the policy wants 4)"),
    ],
)
def test_verdicts_by_rule(examined, name, verdict, reason):
    certificate = examined(name).certificate
    assert certificate.verdict == verdict
    assert any(reason in one for one in certificate.reasons), certificate.reasons


@pytest.mark.parametrize(
    "policy, verdict, reason",
    [
        ("every kind", "accepted", ""),
        ("forgiving", "accepted", ""),
        ("no certificate", "undetermined", "the policy 'small' certifies nothing"),
        ("unheard of", "undetermined", "required kinds left out, there is no such kind: telepathy"),
        ("harsh", "accepted", ""),
    ],
)
def test_the_policy_decides(examined, policy, verdict, reason):
    certificate = examined("sound", policy=policy).certificate
    assert certificate.verdict == verdict, certificate.reasons
    assert reason in " ".join(certificate.reasons)


def test_errors_that_an_agent_provokes_reject_under_a_policy_that_says_so(examined):
    dossier = examined("sound")
    one = next(one for one in dossier.audit.outcomes if one.probe == "dodge")
    outcomes = (*dossier.audit.outcomes, msgspec.structs.replace(one, got="error"))
    harsh = msgspec.structs.replace(dossier.audit.policy, reject_errors=True)
    audit = msgspec.structs.replace(dossier.audit, outcomes=outcomes, policy=harsh)
    certificate = certificate_of(audit, {}, Request())
    assert certificate.verdict == "rejected"
    assert "end in 'error' instead of a verdict" in certificate.reasons[0]


def test_what_was_not_asked_for_is_said_and_never_a_pass(examined):
    certificate = examined("sound", Request(only=("collateral",))).certificate
    assert certificate.verdict == "undetermined"
    said = " ".join(certificate.reasons)
    assert "the idle run was not tried" in said
    assert "required kinds left out, not among the kinds that were asked for (--only): reference, untouched, episodes" in said
    assert any("left out: not among the kinds" in one for one in certificate.not_checked)


# ---- what is counted


def test_instances_are_counted_by_stage_and_each_count_says_all_that_it_must(examined):
    case = only(examined("sound").certificate)
    lines = {(line.probe, line.stage): line for line in case.lines}
    assert (lines["collateral", "admission"].measure.n, lines["collateral", "certification"].measure.n) == (6, 4)
    assert lines["collateral", "admission"].trials > 6
    for line in case.lines:
        measure = line.measure
        assert measure.unit == INSTANCE
        assert measure.selection.startswith("n fixed by the policy before the first probe; ")
        assert sum(measure.labelled_by.values()) == line.certain
        assert measure.n <= {"admission": 6, "certification": 4, "held-out": 4}[line.stage]
    assert lines["collateral", "certification"].measure.most == pytest.approx(1 - 0.05**0.25, abs=1e-6)
    totals = {(one.side, one.stage): one.measure for one in case.totals}
    assert (totals["accept", "admission"].n, totals["accept", "certification"].n) == (6, 4)


def test_no_bound_is_given_where_the_same_instances_chose_the_stop(examined):
    case = only(examined("lax").certificate)
    wrong = next(line for line in case.lines if line.probe == "collateral")
    assert wrong.measure.wrong > 0
    assert all(line.measure.most is None and line.measure.least is None for line in case.lines)
    assert "the same instances chose the stop" in wrong.measure.selection
    whole = only(examined("lax", Request(whole=True)).certificate)
    assert not whole.stopped
    assert next(line for line in whole.lines if line.probe == "collateral").measure.least is not None


def test_tasks_that_differ_in_names_alone_are_one_structure(examined):
    certificate = examined("three").certificate
    assert [one.cases for one in certificate.structures] == [("north", "south", "west")]
    assert {measure.n for measure in certificate.tasks.values()} == {1}
    assert {measure.unit for measure in certificate.tasks.values()} == {TASK}
    assert certificate.tasks["accept"].most == pytest.approx(0.95)


def test_a_task_that_was_stopped_is_clean_on_no_side(examined):
    tasks = examined("lax").certificate.tasks
    assert [(tasks[side].wrong, tasks[side].n) for side in ("accept", "refuse", "hold")] == [(1, 1), (0, 0), (0, 0)]
    assert tasks["refuse"].most is None


def test_structure_is_words_tools_and_calls():
    acts = (Act("find", {"owner": "Ada"}), Act("hand_out", {"id": 3}))
    one = Facts("a", 0, "Hand out the parcel of Ada, number 17.", (Tool("find"), Tool("hand_out")), reference=Known("reference", acts, 5))
    other = msgspec.structs.replace(
        one, case="b", prompt="Hand out the parcel of Bo, number 4.", reference=Known("reference", (acts[0], *acts), 9)
    )
    assert structure_of(one) == structure_of(other)
    assert structure_of(one) != structure_of(msgspec.structs.replace(one, prompt="Send the parcel of Ada, number 17, back."))
    assert structure_of(one) != structure_of(msgspec.structs.replace(one, reference=Known("reference", acts[1:], 5)))


def test_what_is_not_checked_is_said(examined):
    said = examined("vague").certificate.not_checked
    assert any(": unknown: " in one for one in said), said
    assert any("whose right verdict nobody can say count in no rate" in one for one in said)
    assert said[-1].startswith("the rate among runs of real solvers")
    assert "mutants of the verifier" in said


def test_a_kind_without_a_certain_label_is_unknown(examined):
    kinds = {kind.probe: kind for kind in only(examined("vague").certificate).kinds}
    assert kinds["argument"].status == "unknown"
    assert "no trial has a certain label" in kinds["argument"].reason
    sound = {kind.probe: kind for kind in only(examined("sound").certificate).kinds}
    assert (sound["doubled"].status, sound["doubled"].reason) == ("not applicable", "every trial ends as a known solution does")


def test_mutation_scores_are_kept_apart(examined):
    dossier = examined("sound")
    certificate = certificate_of(dossier.audit, {}, Request(), [Mutation("hand-out", 3, 1, 2, ("free shelf",))])
    score = only(certificate).mutation
    assert score is not None
    assert (score.score, score.unit) == (0.75, "a mutant of the verifier")
    assert "mutants of the verifier" not in certificate.not_checked


# ---- bytes


def test_the_same_audit_gives_the_same_bytes(in_process, examined, small):
    from worldwright.audit.dossier import examine

    again = examine(in_process("sound"), small, seed=0, request=Request())
    text = encode(again.certificate)
    assert text == encode(examined("sound").certificate)
    assert str(ROOT).encode() not in text
    assert encode(examine(in_process("sound"), small, seed=7, request=Request()).certificate) != text


def test_a_certificate_and_its_lock_are_read_back(examined, tmp_path):
    certificate = examined("lax").certificate
    (tmp_path / "c.json").write_bytes(encode(certificate))
    (tmp_path / "l.json").write_bytes(encode(certificate.lock))
    assert read_certificate(tmp_path / "c.json") == certificate
    assert read_lock(tmp_path / "c.json") == read_lock(tmp_path / "l.json") == certificate.lock
    assert certificate.lock.probes == {name: module.PROBE.version for name, module in battery().items()}


@pytest.mark.parametrize("text, said", [("{}", "not a lock or a certificate"), ("no", "not a lock"), (None, "No such file")])
def test_what_is_no_lock_is_refused(tmp_path, text, said):
    path = tmp_path / "x.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        read_lock(path)


def test_another_schema_is_refused(examined, tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(encode(examined("lax").certificate).replace(b"worldwright.certificate/1", b"worldwright.certificate/9"))
    with pytest.raises(UsageError, match=r"certificate/9.*expected worldwright\.certificate/1"):
        read_certificate(path)


def test_the_schema_file_is_in_step():
    file = resources.files("worldwright.audit").joinpath("certificate.schema.json")
    assert file.read_text(encoding="utf-8") == schema_text(), (
        "run python -m worldwright.audit.certificate src/worldwright/audit/certificate.schema.json"
    )


def test_names_carry_no_folders():
    assert plain_name("/home/ada/desk.py") == "desk.py"
    assert plain_name("python:desks:sound") == "python:desks:sound"


# ---- taxonomy


def test_the_taxonomy_has_every_code_and_probes_use_no_other():
    codes = [one.code for one in taxonomy()]
    assert codes == [*(f"A{n}" for n in range(1, 13)), *(f"R{n}" for n in range(1, 7)), *(f"I{n}" for n in range(1, 6))]
    assert {code for module in battery().values() for code in module.PROBE.codes} <= set(codes)
