"""A table as columns, each of numbers or of text: by a short cut where one fits, else record by record."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, zip_longest

from nlpstat_core.readers.cells import mostly_text
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.fast import fast_columns, is_worth_it
from nlpstat_core.readers.rowwise import Pass, misjudged_texts
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.table import Head, Table
from nlpstat_core.readers.textlines import too_many
from nlpstat_core.readers.values import value_columns

SAMPLE_CELLS = 50_000


def load_columns(table: Table, limits: Limits, keep_text: Iterable[int] = ()) -> Columns:
    """Read a whole table.

    A column is text when most of its cells that say something aren't numbers.

    Parameters
    ----------
    table : Table
    limits : Limits
    keep_text : iterable of int
        Columns that are text whatever they hold (ids, labels).

    Returns
    -------
    Columns

    Raises
    ------
    ScoreFileError
        Rows with too many or too few fields, no rows, too many rows or cells.
    """
    forced = set(keep_text)
    text_columns = forced | _text_in_sample(table.head, forced)
    if table.values is not None and len(table.values.lines) > limits.max_rows:
        raise too_many("rows", len(table.values.lines), limits.max_rows)
    quick = None
    if is_worth_it(table.text):
        quick = fast_columns(table.text, table.head, limits, text_columns)
    elif table.values is not None:
        quick = value_columns(table, limits, text_columns)
    if quick is not None and not misjudged_texts(quick.texts, forced, table.head.decimal):
        return quick
    done = Pass(table, limits, text_columns)
    wrong = done.misjudged(forced)
    if wrong:  # a column that looks different further down than in the sample
        done = Pass(table, limits, text_columns ^ wrong)
    return done.columns()


def _text_in_sample(head: Head, forced: set[int]) -> set[int]:
    """Columns that are text as far as the first rows tell."""
    rows = head.rows[: max(1, SAMPLE_CELLS // len(head.header))]
    cells = zip_longest(*rows, fillvalue="")
    return {
        column
        for column, column_cells in islice(enumerate(cells), len(head.header))
        if column not in forced and mostly_text(column_cells, head.decimal)
    }
