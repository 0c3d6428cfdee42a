"""Holding a pack to its format and to what a fair task needs."""

from worldwright.pack.lint.findings import RULES, Finding, Rule
from worldwright.pack.lint.run import LintReport, lint

__all__ = ["RULES", "Finding", "LintReport", "Rule", "lint"]
