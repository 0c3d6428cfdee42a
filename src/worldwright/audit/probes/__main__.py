"""`python -m worldwright.audit.probes docs/audit.md` makes the document's tables anew."""

import sys
from pathlib import Path

from worldwright.audit.probes.document import redraw

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m worldwright.audit.probes docs/audit.md")
    path = Path(sys.argv[1])
    path.write_text(redraw(path.read_text(encoding="utf-8")), encoding="utf-8")
