"""One trade, as entities, relations, lifecycles, policies and vocabulary: read, linted, merged, mined."""

from worldwright.domain.model import DomainModel, read_model

__all__ = ["DomainModel", "read_model"]
