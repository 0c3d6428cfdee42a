"""The engine's tests notice when the engine is wrong: each known way to get it wrong is put into a copy, and named tests must fail.

A mutant is a replacement of exact text, so that it breaks loudly when the engine moves on. The tests run in a process of
their own against the copy; a run that collects nothing or errs counts as not noticed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "worldwright"
TESTS = "tests/world"
GUARD = """
import os, pytest, worldwright
if not worldwright.__file__.startswith(os.environ["MUTANT_ROOT"] + os.sep):
    raise pytest.UsageError(f"the tests would run against {worldwright.__file__}")
"""
RUNNER = """
import json, os, sys
import apsw, apsw.ext, hypothesis, jinja2.sandbox, msgspec, pydantic_monty, pytest, yaml
codes = []
for root, args in json.load(sys.stdin):
    child = os.fork()
    if not child:
        out = os.open(os.path.join(root, "output.txt"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1), os.dup2(out, 2)
        os.environ["MUTANT_ROOT"] = root
        sys.path.insert(0, root)
        code = 3
        try:
            code = int(pytest.main(args))
            sys.stdout.flush()
        finally:
            os._exit(code)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(json.dumps(codes))
"""


@dataclass(frozen=True)
class Mutant:
    """Texts of one file to replace, each found once, and the tests of which every one must fail (in one of its cases)."""

    name: str
    file: str
    edits: tuple[tuple[str, str], ...]
    fail: tuple[str, ...]


MUTANTS = (
    Mutant(
        "the rollback is skipped",
        "connection.py",
        (('self.db.execute("ROLLBACK")', 'self.db.execute("COMMIT")'),),
        (
            "test_reset.py::test_results_are_the_same_on_a_used_connection",
            "test_reset.py::test_evidence_tables_are_empty_at_the_start",
        ),
    ),
    Mutant(
        "changes are not followed",
        "changes.py",
        (("        self._session.attach()\n", ""),),
        ("test_reset.py::test_a_closed_episode_touches_nothing", "test_fork.py::test_changes_across_marks_and_segments"),
    ),
    Mutant(
        "the session outlives the rollback",
        "episode.py",
        (("self.changes.drop()", "pass"),),
        ("test_reset.py::test_closing_without_finishing_leaves_nothing_to_follow",),
    ),
    Mutant(
        "a fork is a copy of the pages, which inside a transaction are the start state's",
        "episode.py",
        (
            (
                "connection.begin(self._clock)\n            copy_rows(",
                "connection.db.authorizer = None\n"
                '            connection.db.deserialize("main", self.connection.db.serialize("main"))\n'
                "            connection.begin(self._clock)\n            (lambda *_: None)(",
            ),
        ),
        ("test_fork.py::test_branches_do_not_touch_each_other", "test_fork.py::test_a_cascade_survives_a_fork"),
    ),
    Mutant(
        "after a fork nothing fires any more",
        "branch.py",
        (("            db.config(switch, 1)", "            db.config(switch, 0)"),),
        ("test_fork.py::test_references_are_held_and_triggers_fire_after_a_fork",),
    ),
    Mutant(
        "the clock is this machine's",
        "database.py",
        (("(datetime.datetime.fromisoformat(moment) - _EPOCH)", "(datetime.datetime.now() - _EPOCH)"),),
        (
            "test_clock.py::test_defaults_and_triggers_follow",
            "test_clock.py::test_the_start_state_is_made_at_the_worlds_time",
            "test_clock.py::test_two_episodes_have_their_own_clocks",
        ),
    ),
    Mutant(
        "every exception of a call is a refusal",
        "episode.py",
        (("except ToolRefusal as refused:", "except Exception as refused:"),),
        (
            "test_tools.py::test_an_unexpected_exception_comes_out_of_the_call",
            "test_tools.py::test_a_handbook_page_that_can_not_be_rendered_is_the_worlds_failure",
            "test_reset.py::test_a_write_that_spends_its_budget_ends_the_episode_and_nothing_else",
        ),
    ),
    Mutant(
        "a ValueError of the world is a refusal",
        "episode.py",
        (("except ToolRefusal as refused:", "except (ToolRefusal, ValueError) as refused:"),),
        ("test_tools.py::test_an_unexpected_exception_comes_out_of_the_call",),
    ),
    Mutant(
        "nobody looks whether the transaction is still there",
        "connection.py",
        (("if not self.db.in_transaction:", "if False:"),),
        (
            "test_reset.py::test_a_write_that_spends_its_budget_ends_the_episode_and_nothing_else",
            "test_reset.py::test_a_trigger_that_rolls_back_is_noticed",
        ),
    ),
    Mutant(
        "a connection whose state was lost is used again",
        "connection.py",
        (("if not connection.broken and len(", "if len("),),
        (
            "test_reset.py::test_a_write_that_spends_its_budget_ends_the_episode_and_nothing_else",
            "test_reset.py::test_a_trigger_that_rolls_back_is_noticed",
        ),
    ),
    Mutant(
        "last_insert_rowid() is shared by calls",
        "tools.py",
        (("            connection.db.set_last_insert_rowid(0)\n", ""),),
        ("test_tools.py::test_last_insert_rowid_is_zero_at_the_start_of_a_call",),
    ),
    Mutant(
        "last_insert_rowid() leaks from the agent to the world",
        "episode.py",
        (("            self.connection.db.set_last_insert_rowid(0)\n", ""),),
        ("test_tools.py::test_last_insert_rowid_is_zero_at_the_start_of_a_call",),
    ),
    Mutant(
        "a text that was proven once is proven for all roles",
        "policy.py",
        (
            (
                "self._proven.get((sql, role)) or",
                "next((one for (text, _), one in self._proven.items() if text == sql), None) or",
            ),
        ),
        (
            "test_policy.py::test_a_text_proven_under_one_role_is_not_proven_under_another",
            "test_policy.py::test_special_functions_are_for_their_roles",
        ),
    ),
    Mutant(
        "a table of which no column is used is not seen to be read",
        "policy.py",
        (('database = "temp" if table.lower() in _EVIDENCE else "main"', 'database = "main"'),),
        ("test_policy.py::test_evidence_is_read_by_those_who_may", "test_reset.py::test_evidence_tables_are_empty_at_the_start"),
    ),
    Mutant(
        "events are counted as the agent's",
        "episode.py",
        (("with self.changes.as_world(), self.connection.all_or_nothing():", "with self.connection.all_or_nothing():"),),
        (
            "test_changes.py::test_columns_of_one_row_are_told_apart",
            "test_changes.py::test_deleting_an_events_row_is_a_change",
            "test_parties.py::test_what_a_person_writes_is_the_worlds",
        ),
    ),
    Mutant(
        "triggers and cascades are counted as the agent's",
        "changes.py",
        (("if change.indirect or self._by == WORLD:", "if self._by == WORLD:"),),
        ("test_causes.py::test_a_cascade_within_a_table_is_the_worlds",),
    ),
    Mutant(
        "what an agent takes back leaves nothing to it",
        "changes.py",
        (("blamed = taken_back(writes)", "blamed = frozenset()"),),
        (
            "test_causes.py::test_what_is_taken_back_leaves_the_rest_to_the_agent",
            "test_causes.py::test_a_cascade_is_the_agents_once_the_row_is_back",
            "test_causes.py::test_what_is_taken_back_whole_is_all_the_agents",
        ),
    ),
    Mutant(
        "calls share a segment whatever they set off",
        "episode.py",
        (
            ("        if tool.spreads:\n            self.changes.cut()\n        outcome", "        outcome"),
            ("        if tool.spreads:\n            self.changes.cut()\n        return outcome", "        return outcome"),
        ),
        ("test_causes.py::test_what_is_made_anew_stands", "test_causes.py::test_a_loop_on_a_row_that_stays_is_seen"),
    ),
    Mutant(
        "what the world took back counts as taken back by the agent",
        "causes.py",
        (("return _causes(loop) if any(one.world for one in loop) else iter(())", "return iter(())"),),
        ("test_causes.py::test_what_the_world_took_back_was_not_taken_back_by_the_agent",),
    ),
    Mutant(
        "half of a refused call stays",
        "connection.py",
        (('self.db.execute("ROLLBACK TO whole", can_cache=False)', "pass"),),
        (
            "test_tools.py::test_a_result_too_long_undoes_the_write",
            "test_tools.py::test_a_trigger_that_fails_without_undoing_is_undone",
            "test_events.py::test_an_effect_that_fails_leaves_no_half",
        ),
    ),
    Mutant(
        "the state before can be written",
        "connection.py",
        (('return _DENY if database == "before" else _OK', "return _OK"),),
        ("test_reset.py::test_before_is_never_written_at_run_time",),
    ),
)


GROUPS = {
    "the state": {"connection.py", "branch.py", "changes.py", "causes.py"},
    "the episode": {"episode.py"},
    "the texts": {"policy.py", "tools.py", "database.py"},
}


def run(jobs: list[tuple[Path, set[str]]]) -> list[tuple[int, str]]:
    """For each copy and its tests the exit code and the output. What all runs need is imported once, the package never."""
    options = ["-q", "--tb=no", "--import-mode=importlib", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "mutant_guard"]
    asked = [(str(root), [*options, *sorted(f"{TESTS}/{node}" for node in nodes)]) for root, nodes in jobs]
    for root, _ in jobs:
        (root / "mutant_guard.py").write_text(GUARD, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE", "COV_", "PYTEST", "PYTHONPATH"))}
    env = kept | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-c", RUNNER]
    done = subprocess.run(command, cwd=ROOT, env=env, input=json.dumps(asked), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    codes = json.loads(done.stdout.splitlines()[-1])
    return [(code, (root / "output.txt").read_text(encoding="utf-8")) for code, (root, _) in zip(codes, jobs, strict=True)]


def copy(root: Path) -> Path:
    """The package, with its compiled files, which stay good for all but what is changed."""
    shutil.copytree(PACKAGE, root / "worldwright")
    return root


def mutate(root: Path, mutant: Mutant) -> None:
    place = root / "worldwright" / "world" / "records" / mutant.file
    text = place.read_text(encoding="utf-8")
    for old, new in mutant.edits:
        assert text.count(old) == 1, f"{mutant.file} holds {text.count(old)} times: {old}"
        text = text.replace(old, new)
    place.write_text(text, encoding="utf-8")


def test_every_mutant_is_in_a_group():
    assert {mutant.file for mutant in MUTANTS} == set().union(*GROUPS.values())


def test_an_unchanged_copy_passes(tmp_path):
    nodes = {node for mutant in MUTANTS for node in mutant.fail}
    ((code, output),) = run([(copy(tmp_path), nodes)])
    assert code == 0, output[-3000:]
    assert not re.search("failed|error|skipped", output), output[-3000:]


@pytest.mark.parametrize("files", GROUPS.values(), ids=GROUPS.keys())
def test_mutants_are_noticed(tmp_path, files):
    mutants = [mutant for mutant in MUTANTS if mutant.file in files]
    jobs = []
    for n, mutant in enumerate(mutants):
        root = copy(tmp_path / str(n))
        mutate(root, mutant)
        jobs.append((root, set(mutant.fail)))
    for mutant, (code, output) in zip(mutants, run(jobs), strict=True):
        told = f"{mutant.name}: {output[-3000:]}"
        assert code == 1, told
        assert not re.search(r"\berrors?\b", output.splitlines()[-1]), told
        deaf = [node for node in mutant.fail if not re.search(rf"^FAILED {TESTS}/{re.escape(node)}(\[|\s|$)", output, re.MULTILINE)]
        assert deaf == [], told


def test_tests_that_would_run_against_another_package_stop(tmp_path):
    """The guard: here there is no copy, so that at best an installed package is found."""
    ((code, output),) = run([(tmp_path, {"test_schema.py::test_triggers_and_views_are_named"})])
    assert code not in (0, 1), output
