"""How sentences of a handbook are read: words, comparisons, fields, sums."""
