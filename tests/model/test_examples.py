"""Every example task, done by both solvers over a real client library: what the reference does, said by a model.

The model is a server that knows the reference's calls and answer (chat), or its text (code); what is tested is that nothing of a
task gets lost between a provider's wire form and the world: argument types, people, waiting, lists, answers of every type.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from worldwright.model import Access, Settings
from worldwright.pack import read_pack
from worldwright.rollout import Job, collect
from worldwright.solver import attempt
from worldwright.solver.chat import ChatSolver
from worldwright.solver.code import CodeSolver
from worldwright.solver.plan import PlanSolver
from worldwright.verifier import Status

from .loopback import Reply

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").iterdir())
FORMS = ("openai", "anthropic")
AT_ONCE = 6


def reference_log(entry, seed, solver_seed):
    """The calls of the reference on this instance, and its answer."""
    with attempt(entry.task, entry.task.instance(seed), PlanSolver(entry.reference, name="reference"), seed=solver_seed) as made:
        return [(call.tool, msgspec.json.decode(call.args)) for call in made.evidence.calls], made.trace.answer


@pytest.mark.slow
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda path: path.name)
def test_chat_does_every_example_task(provider, hosted, folder):
    pack = read_pack(folder)
    for n, entry in enumerate(pack.tasks()):
        calls, answer = reference_log(entry, 0, 0)
        steps = [Reply(calls=calls[at : at + AT_ONCE]) for at in range(0, len(calls), AT_ONCE)]
        steps.append(Reply(calls=[("answer", answer or {})]))
        form, stream = FORMS[n % 2], n % 4 > 1
        server = provider(form, lambda request, number, steps=steps: steps[number - 1])
        [run] = collect([Job(entry, ChatSolver(Access(hosted(server, stream=stream)), settings=Settings(500)), 0)], pack.digest)
        assert run.verdict.status is Status.PASS, (entry.name, run.trace.detail, run.verdict)
        assert run.trace.counts.calls == len(calls)


@pytest.mark.slow
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda path: path.name)
def test_code_does_every_example_task(provider, hosted, folder):
    pack = read_pack(folder)
    for n, entry in enumerate(pack.tasks()):
        server = provider(FORMS[n % 2], lambda request, number, entry=entry: Reply(f"```python\n{entry.reference.source}\n```"))
        [run] = collect([Job(entry, CodeSolver(Access(hosted(server))), 0)], pack.digest)
        assert run.verdict.status is Status.PASS, (entry.name, run.trace.detail, run.verdict)
        assert run.spent.requests == 1
