"""Per-topic output of trec_eval -q: one run a file, lines of measure, topic and value."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.cells import is_text, number
from nlpstat_core.readers.columns import BadCell
from nlpstat_core.readers.metrics import choose_metric
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.pivot import LongData, pivot
from nlpstat_core.readers.record import Probe, Reader, told
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
class _Line:
    """One value: where it stands, of which run (by number), measure and topic it is."""

    number: int
    run: int
    measure: str
    topic: str
    value: str


def matches(probe: Probe) -> str | None:
    """Three columns that begin with measures of trec_eval; ranked lists are known in order to be refused.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    rows = [row for _, row in islice(records(probe.text, WHITESPACE, 6), HEAD_RECORDS)]
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
    lines, names = _lines(probe)
    by_measure: dict[str, list[_Line]] = {}
    for line in lines:
        by_measure.setdefault(line.measure, []).append(line)
    measures = [name for name, found in by_measure.items() if not any(is_text(line.value) for line in found)]
    if not measures:
        raise ScoreFileError("no values by topic; run trec_eval with -q.")
    wanted = probe.choices.metric or next((name for name in USUAL if name in measures), None)
    place, notes = choose_metric(measures, wanted)
    chosen = by_measure[measures[place]]
    pivoted = pivot(
        LongData(
            systems=[names.get(line.run, probe.stem) for line in chosen],
            units=[line.topic for line in chosen],
            scores=np.array([_value(line) for line in chosen]),
            lines=[line.number for line in chosen],
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


def _lines(probe: Probe) -> tuple[list[_Line], dict[int, str]]:
    """Values by topic, and the names of the runs; the summary of a run ends it."""
    found: list[_Line] = []
    names: dict[int, str] = {}
    run, ended = 0, False
    for place, row in records(probe.text, WHITESPACE, 2):
        if len(row) < 3:
            raise ScoreFileError(
                f"line {place} has too few fields; give measure, topic and value on every line."
            )
        measure, topic, value = row[0], row[1], row[2].strip()
        if topic == "Q0":
            raise ScoreFileError("this is a ranked list, not scores; run trec_eval -q on it.")
        if topic == ALL:
            ended = True
            if measure == RUN:
                names[run] = value
        else:
            run, ended = run + ended, False
            found.append(_Line(place, run, measure, topic, value))
    return found, names


def _value(line: _Line) -> float:
    value = number(line.value)
    if value is None:
        raise ScoreFileError(BadCell(line.number, line.measure, line.value).message)
    return value


TREC_EVAL = Reader(
    key="trec-eval",
    label="Output of trec_eval -q, one run a file or one after the other",
    example=EXAMPLE,
    matches=matches,
    read=read,
)
