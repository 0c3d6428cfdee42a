"""Text graders: their data sets, the form of a completion that they pay, and what their source hints at."""
