"""Signatures: the same plan under other names is the same, another structure isn't."""

from worldwright.synthesis.signature import plan_signature, verifier_signature
from worldwright.verifier.spec import Expectation, VerifierSpec, WrittenBy

PLAN = """
def solve(customer):
    for row in list_hires(customer_id=customer):
        if row["state"] == "open":
            close_hire(hire_id=row["id"], days=14)
    return {"n": 1}
"""


def test_names_and_thresholds_make_no_other_plan():
    other = PLAN.replace("list_hires", "list_claims").replace("close_hire", "settle").replace('"state"', '"status"').replace("14", "30")
    assert plan_signature(PLAN) == plan_signature(other.replace("customer", "party"))


def test_docstrings_and_imports_make_no_other_plan():
    assert plan_signature(PLAN) == plan_signature('"""Says a lot."""\nimport re\n' + PLAN)


def test_another_step_makes_another_plan():
    more = PLAN.replace("            close_hire", "            look(row['id'])\n            close_hire")
    assert plan_signature(PLAN) != plan_signature(more)
    assert plan_signature(PLAN) != plan_signature(PLAN.replace("==", "!="))


def test_the_same_column_twice_is_another_plan_than_two_columns():
    assert plan_signature("def solve(a):\n    return f(a['x'], a['x'])\n") != plan_signature(
        "def solve(a):\n    return f(a['x'], a['y'])\n"
    )


def spec(rows: str, name: str = "one") -> VerifierSpec:
    return VerifierSpec(WrittenBy("procedural"), {name: rows}, expect=[Expectation(f"SELECT id FROM {name}", insert="t")])


def test_verifiers_by_their_structure():
    one = spec("SELECT a.id FROM before.hires a WHERE a.state = 'open' AND a.days > 14")
    two = spec("SELECT k.id FROM before.claims k WHERE k.status = 'new' AND k.age > 30", "rows_of")
    assert verifier_signature(one) == verifier_signature(two)
    assert verifier_signature(one) != verifier_signature(spec("SELECT a.id FROM before.hires a WHERE a.state = 'open' OR a.days > 14"))
