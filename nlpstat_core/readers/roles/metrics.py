"""Which of several metrics in a file is read."""

from collections.abc import Sequence

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.roles.names import Kind, normal, says

COUNTS = ({"tp", "fp"}, {"tp", "fn"}, {"correct", "total"}, {"n_correct", "n_total"}, {"correct", "count"})
COUNTED = set().union(*COUNTS)
NAMED = 8


def choose_metric(names: Sequence[str], wanted: str | None) -> tuple[int, tuple[Note, ...]]:
    """Position of the metric to read: the one wanted, else "score", else the first (F1 before its parts).

    Returns: A note names the other metrics when there are any.
    """
    if wanted is not None and wanted not in names:  # "TER" of "TER (refA)" and "TER (refB)"
        wanted = next((name for name in names if name.startswith(f"{wanted} (")), wanted)
    if wanted in names:
        place = list(names).index(str(wanted))
    elif wanted is not None and not (len(names) == 1 and says(Kind.SCORE, names[0])):
        raise ScoreFileError(f"{absent('metric', wanted, names)}.")
    else:
        scored = [i for i, name in enumerate(names) if says(Kind.SCORE, name)]
        place = scored[0] if scored else _whole_first(names)
        if not scored and not says(Kind.F1, names[place]):
            _refuse_counts(names)
    others = [name for i, name in enumerate(names) if i != place]
    if not others:
        return place, ()
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
    sentence = ", ".join(map(shown, others[:NAMED]))
    text = f"The scores are {shown(names[place])}; the file also has {sentence}{more} (choose with metric)."
    return place, (Note("metric-chosen", "info", text),)


def metric_name(names: Sequence[str], place: int, wanted: str | None) -> str | None:
    """What the chosen metric is called; a lone column "score" gives it no name."""
    if len(names) == 1 and says(Kind.SCORE, names[0]):
        return wanted
    return names[place]


def _whole_first(names: Sequence[str]) -> int:
    """The first metric; where it is precision or recall, the F of the same kind, and F1 before counts."""
    if not says(Kind.PART_OF_F, names[0]):
        beside = next((i for i, name in enumerate(names) if says(Kind.F1, name)), 0)
        return beside if normal(names[0]) in COUNTED else 0
    kind = normal(names[0]).rpartition("_")[0]
    whole = [i for i, name in enumerate(names) if says(Kind.WHOLE_F, name)]
    same = [i for i in whole if normal(names[i]).rpartition("_")[0] == kind]
    return next(iter(same or whole), 0)


def _refuse_counts(names: Sequence[str]) -> None:
    known = {normal(name) for name in names}
    for counts in COUNTS:
        if counts <= known:
            given = [name for name in names if normal(name) in counts | {"fn", "fp"}]
            raise ScoreFileError(
                f"the columns {', '.join(map(shown, given))} are counts, not scores; give correct and total, "
                f"or tp, fp and fn, or choose one as the score, for example metric={given[0]!r}."
            )
