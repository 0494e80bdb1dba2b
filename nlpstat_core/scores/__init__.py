"""The score matrix and what its rows are: counts behind a score, evaluation units, documents, direction."""
