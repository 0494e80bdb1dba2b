"""Raters: which columns name them, how far they agree, and ratings in words."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import Remedy, Sentence, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.grades import LONGEST_GRADE, MOST_GRADES
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


def raters_note(raters: Sequence[str], rated: IntArray, scores: FloatArray) -> Note | None:
    """What is said of raters whose scores (each for a system, unit and run) were averaged, if any were."""
    there = ~np.isnan(scores)
    names, rater_of = codes(raters)
    _, place = np.unique(rated, return_inverse=True)
    place, rater_of, scores = place.ravel()[there], rater_of[there], scores[there]
    counts = np.bincount(place) if place.size else np.zeros(0, dtype=np.int64)
    if not counts.size or counts.max() < 2:
        return None
    differ = _share_that_differ(place, scores, counts)
    several = int(np.count_nonzero(counts > 1))
    alpha = _alpha(place, rater_of, scores)
    said = "" if alpha is None else f" Krippendorff's alpha (interval) is {alpha:.3f};"
    text = (
        f"Scores are means over raters ({len(names):,}).{said} of the {several:,} scores rated more "
        f"than once, the ratings differ on {100 * differ:.1f} %. A rater is not a run: tests "
        "treat these raters as fixed."
    )
    if alpha is None:
        text = text.replace(" of the", " Of the", 1)
    return Note("averaged-raters", "info", text)


def _share_that_differ(place: IntArray, scores: FloatArray, counts: IntArray) -> float:
    """Share of what was rated more than once whose ratings are not all the same."""
    high = np.full(counts.size, -np.inf)
    low = np.full(counts.size, np.inf)
    np.maximum.at(high, place, scores)
    np.minimum.at(low, place, scores)
    several = counts > 1
    return float(np.mean(high[several] > low[several]))


def _alpha(place: IntArray, rater_of: IntArray, scores: FloatArray) -> float | None:
    """Krippendorff's alpha of one rating a rater and place, the last; None where it is undefined."""
    which = place * (int(rater_of.max()) + 1) + rater_of
    last = place.size - 1 - np.unique(which[::-1], return_index=True)[1]
    return interval_alpha(place[last], scores[last])


def interval_alpha(place: IntArray, ratings: FloatArray) -> float | None:
    """Krippendorff's alpha for interval data, in linear time.

    With n ratings of places that have m ≥ 2 of them, S the sum of their squared deviations from the mean of
    all and S_u from the mean of place u: 1 − (n − 1)/n · Σ_u S_u m_u/(m_u − 1) / S. It is what the table of
    coincidences gives, since Σ_ij (x_i − x_j)² = 2 m Σ_i (x_i − x̄)².

    place (int array, shape (n,)): What each rating is of; a place with one rating doesn't count.
    Returns: None where no place has two ratings, or all that count are the same.

    Source: Krippendorff (2011), https://repository.upenn.edu/asc_papers/43.
    """
    counts = np.bincount(place)
    kept = counts[place] > 1
    place, ratings = place[kept], ratings[kept]
    if not ratings.size or ratings.min() == ratings.max():
        return None
    scaled = np.ldexp(ratings, -int(np.frexp(np.abs(ratings).max())[1]))  # else squares might overflow
    scaled = scaled - scaled[0]
    total = scaled - scaled.mean()
    means = np.bincount(place, scaled, counts.size) / np.maximum(counts, 1)
    m = counts[place]
    within = float(((scaled - means[place]) ** 2 * m / (m - 1)).sum())
    n = ratings.size
    return float(1 - (n - 1) / n * within / float((total**2).sum()))


def ratings_in_words(labels: Mapping[str, Sequence[str]]) -> str:
    """Which label column may hold ratings, and what to do then; empty where none does.

    >>> ratings_in_words({"human": ("good", "bad", "")})[:39]
    "Column 'human' holds 'bad', 'good': if "
    """
    for name, cells in labels.items():
        words = sorted({cell for cell in cells if cell})
        short = all(len(word) <= LONGEST_GRADE for word in words)
        if 2 <= len(words) <= MOST_GRADES and short and not says(Kind.LABEL, name):
            return (
                f"Column {shown(name)} holds {', '.join(map(shown, words))}: if these are ratings, write "
                "numbers in their place, larger for better."
            )
    return ""
