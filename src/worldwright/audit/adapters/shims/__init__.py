"""Files that run beside somebody else's code, in its interpreter: each offers the protocol for plain Python environments for it."""
