"""Authors of verifiers: each writes what should have changed from brief, schema, tools and handbook; none sees a reference."""
