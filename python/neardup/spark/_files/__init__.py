"""Documents in files: which they are, and their numbers."""
