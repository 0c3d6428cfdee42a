"""Domain models from what a trade leaves behind."""
