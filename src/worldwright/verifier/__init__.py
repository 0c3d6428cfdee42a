"""The test of whether a task was done: checks over the evidence, written blind to every reference."""

from worldwright.verifier.spec import VerifierSpec
from worldwright.verifier.statements import FUNCTIONS
from worldwright.verifier.verdict import Check, Status, Verdict
from worldwright.verifier.verifier import Preflight, Verifier

__all__ = ["FUNCTIONS", "Check", "Preflight", "Status", "Verdict", "Verifier", "VerifierSpec"]
