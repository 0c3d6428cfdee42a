"""The stage order, as one tuple, and the rules of who may import whom.

Takes nothing and imports nothing of the package. Gives `STAGES` (an import may only go to the same or an earlier stage),
`APART`, `NEVER` and `HEAVY` (held over the transitive closure by tests/test_layers.py), and the README's stage figure.
Does not promise that a listed stage exists already: `existing` says which do.

`python -m worldwright.stages README.md` (or `make figure`) redraws the figure in a file.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["APART", "HEAVY", "NEVER", "STAGES", "Stage", "existing", "figure", "redraw"]

HERE = Path(__file__).parent
OPENS = "<!-- stages -->"
CLOSES = "<!-- /stages -->"


@dataclass(frozen=True, slots=True)
class Stage:
    """One folder (or one file) under src/worldwright, what it yields, and what it does in one line."""

    name: str
    yields: str
    does: str


STAGES: tuple[Stage, ...] = (
    Stage("errors", "exceptions", "the exception tree, named by the boundary crossed"),
    Stage("files", "records", "reads what people edit, strictly, and says file and line"),
    Stage("templates", "text", "renders templates; an undefined name is an error"),
    Stage("ledger", "Cost", "charges every step: CPU, wall, tokens, money, minutes"),
    Stage("store", "artefacts", "keeps results by their content, resumable"),
    Stage("sandbox", "Execution", "runs untrusted plans and commands"),
    Stage("model", "Completion", "language models: scripted, recorded, local, hosted"),
    Stage("corpus", "Document", "reads the sources that show real work"),
    Stage("domain", "DomainModel", "one trade: entities, lifecycles, policies, words"),
    Stage("knowledge", "KnowledgeGraph", "what there is to teach, and where it is thin"),
    Stage("world", "World, Episode, Evidence", "executable environments, and their conformance kit"),
    Stage("task", "Task, Brief", "what the agent is asked, without any answer"),
    Stage("reference", "Reference", "known solutions, and their replay"),
    Stage("verifier", "Verifier, Verdict", "checks over the evidence, blind to every reference"),
    Stage("synthesis", "proposals", "writes worlds, tasks, references and verifiers"),
    Stage("solver", "Trace", "the one agent loop, and every solver"),
    Stage("pack", "Pack", "reads, lints, digests and freezes what is shipped"),
    Stage("audit", "Certificate", "measures how often the reward is wrong"),
    Stage("forge", "Funnel", "the whole flow: from sources to certified tasks"),
    Stage("rollout", "Trajectory", "collects episodes at scale"),
    Stage("serve", "rollouts by id", "tasks over MCP, with a control channel apart"),
    Stage("training", "Checkpoint", "policies and their training"),
    Stage("transfer", "TransferReport", "success on held-out work against cost"),
    Stage("evolve", "Generation", "synthesizer against solver, and the curriculum"),
    Stage("export", "bridges", "one file for each foreign framework"),
    Stage("report", "pages", "static HTML pages of packs and runs"),
    Stage("cli", "commands", "one thin file for each verb"),
)

# Neither of a pair may reach the other, in either direction. Names are relative to the package.
APART: tuple[tuple[str, str], ...] = (
    ("reference", "verifier"),
    ("synthesis.author_reference", "synthesis.author_verifier"),
    ("synthesis.author_reference", "verifier"),
    ("synthesis.author_verifier", "reference"),
)

# The stage on the left may reach none of those on the right: solutions stay out of what attempts, collects and trains,
# and the auditor stays out of what it audits.
NEVER: Mapping[str, frozenset[str]] = {
    "solver": frozenset({"reference"}),
    "audit": frozenset({"synthesis"}),
    "rollout": frozenset({"reference"}),
    "serve": frozenset({"reference"}),
    "training": frozenset({"reference"}),
}

# Packages that are slow to import or optional, and the only places that may import them (never a package's `__init__`).
HEAVY: Mapping[str, tuple[str, ...]] = {
    "claude_agent_sdk": ("solver.harness_sdk",),
    "datasets": ("export.trl_training",),
    "llguidance": ("export.trl_calls",),
    "mcp": ("serve.door", "serve.stdio", "solver.harness_sdk"),
    "mcp_types": ("serve.door", "solver.harness_sdk"),
    "pydantic_ai": ("model.hosted",),
    "ray": ("rollout.ray",),
    "starlette": ("export.openenv", "report.studio"),
    "torch": ("export.trl_calls", "export.trl_training", "training", "world.dream"),
    "transformers": ("export.trl_calls", "export.trl_training", "training"),
    "trl": ("export.trl_training",),
    "uvicorn": ("serve.http",),
    "xllamacpp": ("model.local",),
}


def existing(root: Path = HERE) -> tuple[Stage, ...]:
    """The stages that have code under `root` (the package's folder), in order."""
    return tuple(stage for stage in STAGES if (root / f"{stage.name}.py").is_file() or any((root / stage.name).rglob("*.py")))


def figure(root: Path = HERE) -> str:
    """The stages under `root` as text, earliest first, and the rules between those that are there."""
    stages = existing(root)
    names = {stage.name for stage in stages}
    wide = max((len(stage.name) for stage in stages), default=0)
    wider = max((len(stage.yields) for stage in stages), default=0)
    rows = [f"  |  {stage.name:<{wide}}  {stage.yields:<{wider}}  {stage.does}" for stage in stages]
    rules = [f"     {left} <-/-> {right}" for left, right in APART if {left, right} <= names]
    rules += [f"     {left} --/-> {right}" for left in NEVER for right in sorted(NEVER[left]) if {left, right} <= names]
    lines = ["     an import goes to the same stage or up, never down", *rows, "  v"]
    if rules:
        lines += ["     these never reach each other, not even through a third:", *rules]
    return "\n".join(lines)


def redraw(text: str, root: Path = HERE) -> str:
    """`text` with the figure of `root` between its two marker lines; ValueError if they are not there, once each, in order."""
    before, opens, rest = text.partition(OPENS)
    _, closes, after = rest.partition(CLOSES)
    if not (opens and closes) or OPENS in rest or CLOSES in after:
        raise ValueError(f"expected one line {OPENS!r} and after it one line {CLOSES!r} around the stage figure")
    return f"{before}{OPENS}\n```text\n{figure(root)}\n```\n{CLOSES}{after}"


def main(path: Path) -> None:
    """Redraw the figure in the file at `path`."""
    path.write_text(redraw(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m worldwright.stages README.md")
    main(Path(sys.argv[1]))
