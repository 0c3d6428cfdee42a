"""The knowledge graph: a DAG with evidence, coverage against a profile, sampling to a target."""

import pytest

from worldwright.domain.trades import TRADES
from worldwright.errors import UsageError
from worldwright.knowledge import Concept, KnowledgeGraph, coverage_of, read_profile, sampled, shipped


def test_the_shipped_graph_hangs_together():
    graph = shipped()
    assert [one.id for one in graph.of_kind("domain")] == list(TRADES)
    assert all(one.evidence for one in graph.of_kind("concept"))
    roots = {one.id for one in graph.concepts if not one.above}
    assert roots == {*TRADES, *(one.id for one in graph.of_kind("pattern"))}
    assert "equipment-hire/EH-2" in graph.subtree("equipment-hire")
    assert "remedy/decide" in graph.subtree("remedy")


@pytest.mark.parametrize(
    ("concepts", "told"),
    [
        ([Concept("a", "a", "domain"), Concept("a", "b", "domain")], "'a' stands twice"),
        ([Concept("a", "a", "domain", ("b",))], "hangs on 'b'"),
        ([Concept("a", "a", "area", ("b",)), Concept("b", "b", "area", ("a",))], "above itself"),
    ],
)
def test_a_graph_that_isnt_one_is_refused(concepts, told):
    with pytest.raises(UsageError, match=told):
        KnowledgeGraph(tuple(concepts))


def test_an_unknown_concept_is_told():
    with pytest.raises(UsageError, match="no concept 'nowhere'"):
        shipped().subtree("nowhere")


def test_coverage_lists_gaps_and_how_far_apart():
    found = coverage_of({("hire", "remedy"): 3, ("hire", "triage"): 1}, ["hire"], ["remedy", "triage", "approval"])
    assert [(one.pattern, one.tasks) for one in found.lines] == [("remedy", 3), ("triage", 1), ("approval", 0)]
    assert [one.pattern for one in found.gaps()] == ["approval"]
    assert found.apart == pytest.approx((abs(3 / 4 - 1 / 3) + abs(1 / 4 - 1 / 3) + 1 / 3) / 2)


def test_coverage_against_a_profile(tmp_path):
    (tmp_path / "want.csv").write_text("domain,pattern,weight\nhire,remedy,3\nbank,triage,1\n", encoding="utf-8")
    profile = read_profile(tmp_path / "want.csv")
    found = coverage_of({("hire", "remedy"): 3, ("bank", "triage"): 1}, ["hire", "bank"], ["remedy", "triage"], profile)
    assert found.apart == 0
    assert found.gaps() == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("domain,pattern\na,b\n", "columns domain, pattern and a number"),
        ("domain,pattern,weight\na,b,much\n", "a number"),
        ("domain,pattern,weight\na,b,-1\n", "0 or more"),
        ("domain,pattern,weight\na,b,0\n", "no weight above 0"),
    ],
)
def test_a_profile_that_isnt_one(tmp_path, text, told):
    (tmp_path / "want.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        read_profile(tmp_path / "want.csv")


def test_sampling_fills_families_evenly_and_mixes_kinds():
    there = {
        ("a", "x"): [("k1", n) for n in range(10)] + [("k2", n) for n in range(10, 20)],
        ("b", "x"): [("k1", n) for n in range(20, 25)],
    }
    taken = sampled(there, 8, None, seed=3)
    assert len(taken) == len(set(taken)) == 8
    assert sum(one >= 20 for one in taken) == 4
    assert sum(one < 10 for one in taken) == 2
    assert taken == sampled(there, 8, None, seed=3)


def test_sampling_follows_the_profile_and_ends_with_what_is_there():
    there = {("a", "x"): [("k", n) for n in range(10)], ("b", "x"): [("k", n) for n in range(10, 12)], ("c", "x"): [("k", 99)]}
    taken = sampled(there, 100, {("a", "x"): 3.0, ("b", "x"): 1.0}, seed=0)
    assert sorted(taken) == list(range(12))
    assert sum(one >= 10 for one in taken[:8]) == 2
