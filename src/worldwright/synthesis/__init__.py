"""Writing worlds, tasks, references and verifiers: the only place that makes packs."""
