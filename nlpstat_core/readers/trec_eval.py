"""Per-topic output of trec_eval -q: one run a file, lines of measure, topic and value."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.cells import is_text, number
from nlpstat_core.readers.choices import told
from nlpstat_core.readers.columns import BadCell
from nlpstat_core.readers.metrics import choose_metric
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.pivot import LongData, pivot
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import HEAD_RECORDS, WHITESPACE, records

ALL, RUN = "all", "runid"
KNOWN = frozenset(["runid", "num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "recip_rank", "ndcg", "P_5"])
USUAL = ("map", "ndcg", "recip_rank")  # what is read when nothing is chosen

EXAMPLE = """map	301	0.0324
map	302	0.2175
runid	all	SystemA
map	all	0.1250
map	301	0.0521
map	302	0.1984
runid	all	SystemB
map	all	0.1253
"""


@dataclass(frozen=True)
class _Measure:
    """The values of one measure: where they stand, of which run (by number) and topic they are."""

    lines: list[int] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)


def matches(probe: Probe) -> str | None:
    """Three columns that begin with measures of trec_eval; ranked lists are known in order to be refused.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    rows = [row for _, row in islice(records(probe.table_text, WHITESPACE, 6), HEAD_RECORDS)]
    if rows and all(len(row) == 6 and row[1] == "Q0" for row in rows):
        return "a ranked list of TREC"
    if rows and all(len(row) >= 3 for row in rows) and any(row[0] in KNOWN for row in rows):
        return "measures of trec_eval"
    return None


def read(probe: Probe) -> Part:
    """Read one measure by topic; a run is called by its runid, else by the file's name.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part
        One system for each run in the file.

    Raises
    ------
    ScoreFileError
        No values by topic, ranked lists, values that are no numbers.
    """
    found, names = _measures(probe)
    measures = [name for name, measure in found.items() if not any(map(is_text, measure.values))]
    if not measures:
        raise ScoreFileError("no values by topic; run trec_eval with -q.")
    wanted = probe.choices.metric or next((name for name in USUAL if name in measures), None)
    place, notes = choose_metric(measures, wanted)
    chosen = found[measures[place]]
    own = probe.stem
    pivoted = pivot(
        LongData(
            systems=[names.get(run, own) for run in chosen.runs],
            units=chosen.topics,
            scores=_scores(measures[place], chosen),
            lines=chosen.lines,
        ),
        probe.choices.limits.max_cells,
    )
    return Part(
        values=pivoted.values,
        systems=pivoted.systems,
        units=pivoted.units,
        metric=measures[place],
        reading=told(metrics=measures),
        notes=notes,
    )


def _measures(probe: Probe) -> tuple[dict[str, _Measure], dict[int, str]]:
    """Values by topic of every measure, and the names of the runs; the summary of a run ends it."""
    found: dict[str, _Measure] = {}
    names: dict[int, str] = {}
    run, ended = 0, False
    for place, row in records(probe.table_text, WHITESPACE, 2):
        if len(row) < 3:
            raise ScoreFileError(
                f"line {place} has too few fields; give measure, topic and value on every line."
            )
        name, topic, value = row
        if topic == "Q0":
            raise ScoreFileError("this is a ranked list, not scores; run trec_eval -q on it.")
        if topic == ALL:
            ended = True
            if name == RUN:
                names[run] = value.strip()
        else:
            run, ended = run + ended, False
            measure = found.get(name) or found.setdefault(name, _Measure())
            measure.lines.append(place)
            measure.runs.append(run)
            measure.topics.append(topic)
            measure.values.append(value.strip())
    return found, names


def _scores(name: str, measure: _Measure) -> FloatArray:
    """The values of a measure as numbers."""
    scores = [number(value) for value in measure.values]
    if None in scores:
        place = scores.index(None)
        raise ScoreFileError(BadCell(measure.lines[place], name, measure.values[place]).message)
    return np.array(scores, dtype=np.float64)


TREC_EVAL = Reader(
    key="trec-eval",
    label="Output of trec_eval -q, one run a file or one after the other",
    example=EXAMPLE,
    matches=matches,
    read=read,
)
