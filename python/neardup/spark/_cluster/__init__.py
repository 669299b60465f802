"""What the package asks of Spark: sessions, tasks, exchanges, tables, checkpoints, errors."""
