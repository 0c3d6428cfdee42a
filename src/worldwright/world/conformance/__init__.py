"""The conformance kit: whether a world of your own keeps what `worldwright.world.protocol` promises.

Takes a function that makes the world and some seeds; gives a result for each check. Looks through the protocol alone:
what a world is made of doesn't matter, and what it doesn't have (forks, `asynchronous`, `turns`) is reported as
unsupported. Doesn't prove: a fault that no walk comes across isn't found.
"""

from worldwright.world.conformance.run import CHECKS, conform, known_checks, run_check
from worldwright.world.conformance.subject import CheckResult, Status, Subject, load_factory

__all__ = ["CHECKS", "CheckResult", "Status", "Subject", "conform", "known_checks", "load_factory", "run_check"]
