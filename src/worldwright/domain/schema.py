"""The JSON schema of a domain model, for editors and other tools; the file is kept beside this module.

`python -m worldwright.domain.schema src/worldwright/domain/model.schema.json` writes it again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from worldwright.domain.model import DomainModel

__all__ = ["schema_text"]


def schema_text() -> str:
    """The JSON schema, as the file has it."""
    schema = msgspec.json.schema(DomainModel)
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Worldwright domain model", **schema}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m worldwright.domain.schema FILE")
    Path(sys.argv[1]).write_text(schema_text(), encoding="utf-8")
