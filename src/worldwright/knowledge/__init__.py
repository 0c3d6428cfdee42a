"""What there is to teach: concepts from coarse to fine with their evidence, coverage, sampling to a target."""

from worldwright.knowledge.coverage import Coverage, Profile, coverage_of, read_profile
from worldwright.knowledge.graph import Concept, KnowledgeGraph, grown, shipped
from worldwright.knowledge.sampling import sampled

__all__ = ["Concept", "Coverage", "KnowledgeGraph", "Profile", "coverage_of", "grown", "read_profile", "sampled", "shipped"]
