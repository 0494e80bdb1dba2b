"""trec_eval -q: measure, topic and value on every line, one run per file, or several in one file."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.ir_json import MEASURE
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import distinct, stored_or_path
from nlpstat_core.readers.tools.values import ONE_SCORE, first_lines, is_numeric

MEASURES, LIST, JUDGED = "measures of trec_eval", "a ranked list", "a list of relevance judgements"
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


@dataclass
class _Run:
    """A run: its name, and by topic the values of its measures with their lines."""

    source: Source
    name: str = ""
    topics: dict[str, dict[str, tuple[str, int]]] = field(default_factory=dict)


def _recognises(source: Source) -> str | None:
    """Three columns that begin with measures of trec_eval; lists and judgements are known to be refused."""
    rows = [line.split() for line in first_lines(source, 50)]
    rows = rows[_messages(rows) :]
    if not rows:
        return None
    if all(len(row) == 6 and row[1] == "Q0" for row in rows):
        return LIST
    if all(len(row) == 4 and row[1] == "0" and row[2].upper() != row[2].lower() for row in rows):
        return JUDGED if all(row[3].lstrip("-").isdigit() for row in rows) else None
    if len(rows[0]) == 3 and (any(row[0] in KNOWN for row in rows) or all(map(_is_measured, rows))):
        return MEASURES
    return None


def _messages(rows: Sequence[Sequence[str]]) -> int:
    """How many lines stand above the values: Pyserini prints its command and "Results:" there."""
    said = next((i for i, row in enumerate(rows) if row == ["Results:"]), -1)
    return said + 1


def _is_measured(row: Sequence[str]) -> bool:
    """Whether a line gives the value of a measure that was asked for alone (-m ndcg_cut.10)."""
    named = len(row) == 3 and len(row[0]) > 1 and MEASURE.fullmatch(row[0])
    return bool(named) and is_numeric(row[2])


def _tables(sources: Sequence[Source]) -> Tidy:
    kept = [source for source in sources if _recognises(source) not in (LIST, JUDGED)]
    if not kept:
        raise ScoreFileError(f"this is {_recognises(sources[0])}, not scores; run trec_eval -q on it.")
    runs = [run for source in kept for run in _runs(source)]
    measures = _measures(runs)
    if not measures:
        raise ScoreFileError(f"no values by topic; run trec_eval with -q ({ONE_SCORE}).")
    if len({run.source.path for run in runs}) == len(runs):
        names = stored_or_path([run.name for run in runs], [run.source for run in runs])
    else:
        stems = [run.source.stem for run in runs]
        names = distinct([run.name or stem for run, stem in zip(runs, stems, strict=True)], stems)
    rows = Rows({"run": Role.SYSTEM, "topic": Role.UNIT})
    for name, run in zip(names, runs, strict=True):
        for topic, values in run.topics.items():
            scores = {one: _score(one, *values[one]) for one in measures if one in values}
            rows.add((name, topic), scores, next(iter(values.values()))[1])
    usual = next((measure for measure in USUAL if measure in measures), measures[0])
    return rows.tidy(MEASURES, usual, where="line")


def _runs(source: Source) -> Iterator[_Run]:
    """The runs of a file; the summary of a run ends it."""
    run, ended = _Run(source), False
    lines = source.text.splitlines()
    above = _messages([line.split() for line in lines[:50]])
    for line, text in enumerate(lines[above:], above + 1):
        row = text.split(None, 2)
        if not row:
            continue
        if len(row) < 3:
            raise ScoreFileError(
                f"line {line} has too few fields; give measure, topic and value on every line."
            )
        measure, topic, value = row[0], row[1], row[2].strip()
        if topic == "Q0":
            raise ScoreFileError("this is a ranked list, not scores; run trec_eval -q on it.")
        if topic == ALL:
            ended = True
            run.name = value if measure == RUN else run.name
            continue
        if ended:
            if run.topics:
                yield run
            run, ended = _Run(source), False
        values = run.topics.setdefault(topic, {})
        if measure in values:
            raise ScoreFileError(
                f"line {line}: {shown(run.name or source.stem)} has item {shown(topic)} on line "
                f"{values[measure][1]} already; give {shown(measure)} once for every topic."
            )
        values[measure] = value, line
    if run.topics:
        yield run


def _measures(runs: Sequence[_Run]) -> list[str]:
    """The measures whose values are numbers everywhere (relstring holds letters)."""
    found: dict[str, bool] = {}
    for run in runs:
        for values in run.topics.values():
            for measure, (value, _) in values.items():
                found[measure] = found.get(measure, True) and is_numeric(value)
    return [measure for measure, numeric in found.items() if numeric]


def _score(measure: str, value: str, line: int) -> float | None:
    score = float(value)
    if math.isinf(score):
        raise ScoreFileError(
            f"line {line}, column {shown(measure)}: {shown(value)} is infinite; correct it or leave it out."
        )
    return None if math.isnan(score) else score


TREC_EVAL = Tool(
    key="trec-eval",
    label="trec_eval -q, one run per file, or several in one file",
    example=EXAMPLE,
    documented="https://github.com/usnistgov/trec_eval",
    description="System: the run (runid, else the file). Item: the topic. Scores: the measures.",
    recognises=_recognises,
    tables=_tables,
)
