"""What is shipped: worlds and tasks with a digest."""

from worldwright.pack.cases import Case
from worldwright.pack.read import Pack, PackMeta, PackTask, PackWorld, read_pack

__all__ = ["Case", "Pack", "PackMeta", "PackTask", "PackWorld", "read_pack"]
