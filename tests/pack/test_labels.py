"""A task's family and side, as its pack says; and what lint and reading refuse."""

from __future__ import annotations

import pytest

from worldwright.errors import PackError
from worldwright.pack import Pack
from worldwright.pack.labels import Label, labelled
from worldwright.pack.lint import lint
from worldwright.rollout import Job, collect
from worldwright.solver import SOLVERS

FAMILIES = b'\n[families]\n"loan-desk/settle-fine" = "library/remedy"\n'


def with_toml(pack: Pack, more: bytes) -> Pack:
    return Pack({**pack.files, "pack.toml": pack.files["pack.toml"] + more})


def test_a_family_is_on_the_side_that_lists_it():
    labels = labelled({"w/a": "d/p", "w/b": "d/q", "w/c": "d/r"}, {"train": ["d/p"], "held_out": ["d/q", "d/p2"]})
    assert labels == {"w/a": Label("d/p", "train"), "w/b": Label("d/q", "held_out"), "w/c": Label("d/r", "unlabelled")}


@pytest.mark.parametrize(
    "more, split",
    [(b"", "unlabelled"), (b"[splits]\nheld_out = ['library/remedy']\n", "held_out"), (b"[splits]\ntrain = ['x/y']\n", "unlabelled")],
)
def test_the_label_travels_into_the_trajectory(loan_desk_pack, more, split):
    pack = with_toml(loan_desk_pack, FAMILIES + more)
    (made,) = collect([Job(pack.tasks()[0], SOLVERS["noop"](), 0)], pack.digest)
    assert made.label == Label("library/remedy", split)


def test_what_has_no_label_says_so(loan_desk_pack):
    assert loan_desk_pack.tasks()[0].label == Label("unlabelled", "unlabelled")


@pytest.mark.parametrize(
    "splits, said",
    [
        (b"train = ['d/p']\nheld_out = ['d/p']\n", "the family 'd/p' is listed under train and held_out"),
        (b"'../up' = []\n", "the split '../up' is not a plain name"),
        (b"masked = []\n", "the split 'masked' is not a plain name"),
        (b"unlabelled = []\n", "the split 'unlabelled' is not a plain name"),
    ],
)
def test_sides_that_arent_clear_are_refused(loan_desk_pack, splits, said):
    with pytest.raises(PackError) as caught:
        with_toml(loan_desk_pack, b"\n[splits]\n" + splits)
    assert said in str(caught.value)
    assert (caught.value.file, caught.value.field) == ("pack.toml", "splits")
    assert caught.value.line > 1


def test_lint_finds_labels_of_nothing_and_tasks_without_one(loan_desk_pack):
    found = lint(with_toml(loan_desk_pack, b'\n[families]\n"loan-desk/gone" = "library/remedy"\n'), [0], fast=True).findings
    assert [one.message for one in found] == [
        "there is no task 'loan-desk/gone'",
        "the task 'loan-desk/settle-fine' has no family, others have",
    ]
    assert {(one.rule, one.file) for one in found} == {("format", "pack.toml")}
    assert lint(with_toml(loan_desk_pack, FAMILIES), [0], fast=True).is_clean
