"""Authors of references: each writes plans that call the world's tools, from brief, tools' docs and handbook; none sees a verifier."""
