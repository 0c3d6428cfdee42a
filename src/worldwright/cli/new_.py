"""placeholder being written"""
def new() -> int:
    """..."""
    return 2
