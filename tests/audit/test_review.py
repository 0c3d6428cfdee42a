"""What a person says of a lead counts for the very run that was shown, and for nothing else."""

from __future__ import annotations

import msgspec
import pytest

from worldwright.audit.review import PERSON, Reviewed, add_review, apply_review, queue, read_reviews
from worldwright.errors import UsageError


def disputed(dossier):
    return next(one for one in dossier.audit.outcomes if one.label == "disputed" and one.kind == "lead")


def answer(dossier, one, verdict="wrong", **more):
    given = {"digest": dossier.audit.digest, "case": one.case, "seed": one.seed, "probe": one.probe, "variant": one.variant, "got": one.got}
    return Reviewed(**{**given, "verdict_is": verdict, "by": "Ada", **more})


def test_a_wrong_verdict_becomes_a_finding(examined):
    dossier = examined("vague")
    one = disputed(dossier)
    assert (one.got, one.ok) == ("pass", None)
    audit = apply_review(dossier.audit, [answer(dossier, one, note="it went to somebody else")])
    found = [new for new in audit.findings() if new.by == PERSON]
    assert [(new.seed, new.variant, new.expected, new.label, new.severity) for new in found] == [
        (one.seed, one.variant, "fail", "wrong", "high")
    ]
    assert found[0].why.endswith("Ada says that the verdict is wrong: it went to somebody else.")


def test_a_right_verdict_counts_too(examined):
    dossier = examined("vague")
    one = disputed(dossier)
    audit = apply_review(dossier.audit, [answer(dossier, one, "wrong"), answer(dossier, one, "right")])
    new = next(new for new in audit.outcomes if new.by == PERSON)
    assert (new.ok, new.kind, new.label) == (True, "", "right")


@pytest.mark.parametrize("field, value", [("digest", "x"), ("seed", 99), ("variant", "x"), ("got", "fail"), ("case", "x"), ("probe", "x")])
def test_an_answer_holds_for_what_was_shown_alone(examined, field, value):
    dossier = examined("vague")
    entry = msgspec.structs.replace(answer(dossier, disputed(dossier)), **{field: value})
    assert not [one for one in apply_review(dossier.audit, [entry]).outcomes if one.by == PERSON]


def test_the_queue_holds_what_is_open_disputed_first(examined):
    dossier = examined("vague")
    leads = dossier.findings.leads
    waiting = queue(dossier.audit.digest, leads, [])
    assert waiting
    assert [one.label == "disputed" for one in waiting] == sorted((one.label == "disputed" for one in waiting), reverse=True)
    done = [answer(dossier, waiting[0])]
    assert queue(dossier.audit.digest, leads, done) == waiting[1:]
    assert queue("another digest", leads, done) == waiting


def test_the_file_is_only_added_to(examined, tmp_path):
    dossier = examined("vague")
    path = tmp_path / "deep" / "review.jsonl"
    entries = [answer(dossier, disputed(dossier), minutes=0.5), answer(dossier, disputed(dossier), "right")]
    for one in entries:
        add_review(path, one)
    assert read_reviews(path) == entries
    assert read_reviews(tmp_path / "none.jsonl") == []
    path.write_text('{"digest": 3}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"review\.jsonl:1: not a review"):
        read_reviews(path)
