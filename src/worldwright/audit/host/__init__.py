"""Foreign environments, run in processes of their own: the child that runs them, and the host that asks it."""

from worldwright.audit.host.host import Host, Limits, Request

__all__ = ["Host", "Limits", "Request"]
