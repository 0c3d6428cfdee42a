"""Runs with guessed facts: what a tool shows, what a person says and what comes in later are all taken from another seed."""

import re

import pytest
import yaml

from worldwright.errors import UnusableSeed
from worldwright.forge.guessing import guessed
from worldwright.forge.run import Plan as ForgePlan
from worldwright.forge.run import _built
from worldwright.forge.sources import sources_of
from worldwright.pack import Pack
from worldwright.pack.lint.draw import rows_of
from worldwright.reference import replay
from worldwright.sandbox import Plan
from worldwright.synthesis.author_reference.patience import patient
from worldwright.verifier import Status
from worldwright.world.spec import FaultSpec

SEEDS = range(14)
TASKS = {
    "tool": ("it-service-desk", "decide-late-ticket-credit"),
    "person": ("insurance-claims", "decide-payment-on-account"),
    "later": ("equipment-hire", "decide-damage-charge"),
}
BUSY = FaultSpec(0.3, "Busy.")


def posed(trade, name, failing=()):
    """A task of a made world in which nothing counts as hidden but what its own desk may have wrong; its knobs, and the true values' column."""
    built = _built(sources_of([trade])[0], 0, "claims", ForgePlan((trade,), "x", patterns=("remedy",)))
    files = dict(built.world.pack([name]).files)
    world = next(path for path in files if path.endswith("world.yaml"))
    spec = yaml.safe_load(files[world])
    slug = name.partition("-")[2].replace("-", "_")
    spec["hidden"] = {column: by for column, by in spec["hidden"].items() if column.startswith(f"{slug}_")}
    spec["faults"] = {tool: {"rate": BUSY.rate, "error": BUSY.error} for tool in failing}
    plan = next(path for path in files if path.endswith("reference.py"))
    files[plan] = patient(files[plan].decode(), dict.fromkeys(failing, BUSY)).encode()
    files[world] = yaml.safe_dump(spec).encode()
    column = next(one for one in spec["hidden"] if one.startswith(f"{slug}_sources.") and not one.endswith("arrives_at"))
    return built.world.meta[name]["knobs"], next(iter(Pack(files, "").tasks())), column


def passes_with(entry, instance, value):
    """Whether the reference passes if it takes the checked fact to be this."""
    lines = entry.reference.source.splitlines()
    first = lines.index("def decide(row, limit):") + 1
    last = max(n for n, line in enumerate(lines) if re.match(r"\s+true = ", line))
    code = "\n".join([*lines[:first], f"    true = {value!r}", *lines[last + 1 :], ""])
    log, episode = replay(entry.task, instance, Plan("told.py", code))
    with episode:
        return entry.verifier.grade(instance, episode.finish(log.answer, instance.until)).status == Status.PASS


def expected(entry, column):
    """How many instances pass by what is true of the same row one seed further, and how many there are."""
    table, _, name = column.partition(".")
    passed = n = 0
    for seed in SEEDS:
        try:
            instance = entry.task.instance(seed)
        except UnusableSeed:
            continue
        key = instance.params[entry.task.brief.show[0]]
        elsewhere = {row[name] for row in rows_of(entry.world.world.image(seed + 1))[table] if key in row.values()}
        n, passed = n + 1, passed + passes_with(entry, instance, *elsewhere)
    return passed, n


@pytest.mark.parametrize("way", TASKS)
def test_facts_come_from_another_seed_whoever_reveals_them(way):
    knobs, entry, column = posed(*TASKS[way])
    assert knobs["check"] == way
    passed, n = expected(entry, column)
    assert 0 < passed < n
    got = guessed(entry, SEEDS)
    assert (got.passed, got.n) == (passed, n)


def test_a_tool_that_fails_for_a_moment_is_asked_again_in_the_other_state():
    _, plain, column = posed(*TASKS["tool"])
    _, failing, _ = posed(*TASKS["tool"], failing=plain.world.world.spec.revealers(column))
    got = guessed(failing, SEEDS)
    assert (got.passed, got.n) == expected(plain, column)
