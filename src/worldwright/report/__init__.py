"""Pages that show packs and runs: static HTML, readable from a file, nothing fetched."""

from worldwright.report.write import write_report

__all__ = ["write_report"]
