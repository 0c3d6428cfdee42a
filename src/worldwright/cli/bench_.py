"""placeholder being written"""
def bench() -> int:
    """..."""
    return 2
