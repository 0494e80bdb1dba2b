"""All pairs of one board: columns, decisions, ranks."""
