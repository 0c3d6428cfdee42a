def write_report(*a, **k): return None
