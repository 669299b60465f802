"""The jobs of a run: each has a half on the driver, which makes the frame, and functions that tasks run."""
