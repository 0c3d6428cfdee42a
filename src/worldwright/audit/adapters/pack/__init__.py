"""Packs as subjects of an audit."""

from worldwright.audit.adapters.pack.subject import PackSubject

__all__ = ["PackSubject"]
