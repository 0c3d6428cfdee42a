"""How well an audit's labelled runs tell a verifier from weaker and stricter ones."""

from worldwright.audit.mutate.mutants import Mutant, mutants
from worldwright.audit.mutate.score import Kill, LabelledRun, MutationScore, score, scores

__all__ = ["Kill", "LabelledRun", "Mutant", "MutationScore", "mutants", "score", "scores"]
