"""What looks odd in a score matrix, said in notes; the direction of a metric."""

from nlpstat_core.readers.checks.whole import check_scores, document_column, proposed_block

__all__ = ["check_scores", "document_column", "proposed_block"]
