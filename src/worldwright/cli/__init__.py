"""Commands: one thin file a verb."""
