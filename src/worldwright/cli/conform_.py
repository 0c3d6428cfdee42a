"""placeholder being written"""
def conform() -> int:
    """..."""
    return 2
