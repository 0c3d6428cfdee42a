"""Somebody's environments as subjects of an audit, one module a kind; each is imported only when it is asked for."""
