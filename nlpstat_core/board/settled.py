"""Which documents are compared: `block_column="auto"` becomes the name of a column, or None."""

from dataclasses import replace

from nlpstat_core.board.preparation import grouped_rows
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AUTO, NONE, RECOMMENDED, AnalysisConfig
from nlpstat_core.errors import AnalysisError
from nlpstat_core.readers.roles.documents import compared_documents, document_columns
from nlpstat_core.scores.documents import whole_documents
from nlpstat_core.scores.matrix import ScoreMatrix

# The test of a measure that is no mean.
SWAP = "swap"


def settled(scores: ScoreMatrix, config: AnalysisConfig) -> AnalysisConfig:
    """The settings with the column of documents that is used, or None: all that follows sees only these.

    Returns: A name that was given stays. "auto": for recommended tests the first of `documents_found`, for a
        test of documents the first column with their role, else None. "none" is None where no column has this
        name. A measure that is no mean has no effect sizes of item scores.
    Raises AnalysisError: Rows that can't be joined to evaluation units.
    """
    column = config.block_column
    if column == AUTO:
        column = _automatic(scores, config)
    elif column is not None and column.lower() == NONE and column not in scores.labels:
        column = None
    if scores.measured is None:
        return replace(config, block_column=column)
    return replace(
        config,
        test=SWAP if config.test == RECOMMENDED else config.test,
        effects=(),
        block_column=column,
    )


def _automatic(scores: ScoreMatrix, config: AnalysisConfig) -> str | None:
    if config.test == RECOMMENDED:
        return next(iter(documents_found(scores, config)), None)
    if TESTS[config.test].design == "blocks":  # asked for by name, it needs documents, many or few
        return next(iter((*documents_found(scores, config), *document_columns(scores))), None)
    return None


def documents_found(scores: ScoreMatrix, config: AnalysisConfig) -> tuple[str, ...]:
    """Columns whose documents recommended tests can compare, after rows were joined to evaluation units.

    config: Units and missing scores; its column of documents doesn't matter.
    Returns: The one that is used first.
    """
    complete = config.missing == "complete"
    if config.unit_size == 1 or not document_columns(scores):
        return compared_documents(scores, complete=complete)
    units = grouped_rows(scores, config)
    labels: dict[str, tuple[str, ...]] = {}
    for column in document_columns(scores):
        if all(scores.labels[column]):
            try:
                labels[column] = whole_documents(scores, units, config, column).labels[column]
            except AnalysisError:
                continue  # all documents run into one, so there are none to compare
    return compared_documents(replace(units, labels=labels), complete=complete)
