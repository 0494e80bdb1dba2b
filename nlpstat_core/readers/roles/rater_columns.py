"""Which columns of a long table name raters, where their names say so: numbers may be scores all the same."""

from collections.abc import Sequence

from nlpstat_core.errors import Remedy, Sentence, shown
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.long_units import identifies
from nlpstat_core.readers.roles.names import Kind, normal, says

# A column of this name holds a model's scores as often as it numbers people.
EITHER = "judge"
MOST_RATERS = 20


def named_raters(columns: Columns, among: Sequence[int]) -> tuple[int, ...]:
    """Columns called like raters that hold names or whole numbers: other numbers are scores.

    Items that nobody rated leave the rater empty; a judge's whole scores with gaps stay scores.
    """
    return tuple(
        i
        for i in among
        if says(Kind.RATER, name := columns.header[i])
        and (columns.is_text(i) or columns.is_whole(i, gaps=normal(name) != EITHER))
    )


def numbers_called_judge(
    columns: Columns, raters: Sequence[int], unit: Sequence[int], keys: Sequence[int]
) -> int | None:
    """A column of whole numbers called "judge" that no two rows need to be told apart by.

    unit, keys: The columns that name items, and those of systems, runs and metrics.
    """
    for i in raters:
        if normal(columns.header[i]) == EITHER and not columns.is_text(i):
            others = [key for key in keys if key not in raters]
            if identifies(columns, unit, [*others, *(key for key in raters if key != i)]):
                return i
    return None


def may_number_raters(columns: Columns, column: int) -> bool:
    """Whether there are few distinct numbers, so that each may stand for somebody."""
    return len(codes(columns.texts(column))[0]) <= MOST_RATERS


def judge_question(header: Sequence[str], column: int, scores: Sequence[int]) -> Sentence:
    """What to ask of such a column beside columns of scores."""
    every = ",".join(f"score={header[i]}" for i in sorted({column, *scores}))
    return Sentence(
        f"column {shown(header[column])} may hold a judge's scores or number the judges; ",
        Remedy("roles", every),
        ", with rater in place of score where each number stands for a judge.",
    )
