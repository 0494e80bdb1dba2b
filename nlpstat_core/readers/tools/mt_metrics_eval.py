"""mt-metrics-eval: folders of metric and human scores by segment, one file a metric and language pair."""

import re
from collections import Counter
from collections.abc import Sequence

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.values import first_lines, is_numeric

_PAIR = r"[a-z]{2,3}(?:_[A-Za-z]+)?-[a-z]{2,3}(?:_[A-Za-z]+)?"
_SCORES = re.compile(rf"(?:(?P<pair>{_PAIR})\.)?(?P<metric>.+)\.(?P<level>seg|doc)\.score")
_DOCUMENTS = re.compile(rf"(?P<pair>{_PAIR})\.docs")
_TEXTS = {"system-outputs", "sources", "references"}  # folders of sentences beside the scores
_MISSING = ("none", "nan", "na")
EXAMPLE = """SystemA	0.31
SystemA	0.44
SystemB	0.27
SystemB	0.35
"""


def _recognises(source: Source) -> str | None:
    """Blocks of system and score, in a file and folder that name metric, level and language pair."""
    if source.kind == "text" and source.name.endswith(".txt") and _TEXTS & set(source.folder.split("/")):
        return "sentences of mt-metrics-eval"
    cells = [line.split() for line in first_lines(source, 20)]
    if not cells or any(len(row) != 2 for row in cells):
        return None
    if _DOCUMENTS.fullmatch(source.name):
        return "documents of mt-metrics-eval"
    if not _named(source):
        return None
    fits = all(is_numeric(row[1]) or row[1].lower() in _MISSING for row in cells)
    return "scores of mt-metrics-eval" if fits and not any(is_numeric(row[0]) for row in cells) else None


def _named(source: Source) -> tuple[str, str, str] | None:
    """Language pair, metric and level as file and folder name them."""
    match = _SCORES.fullmatch(source.name)
    if match is None:
        return None
    pair = match["pair"] or source.folder.rpartition("/")[2]
    return (pair, match["metric"], match["level"]) if re.fullmatch(_PAIR, pair) else None


def _tables(sources: Sequence[Source]) -> Tidy:
    """A unit is a segment of a language pair (a document where no segments are scored); metrics are files."""
    documents = {source.stem: source for source in sources if source.name.endswith(".docs")}
    named = [(source, *about) for source in sources if (about := _named(source))]
    if not named:
        raise ScoreFileError("these are not scores of segments; give the files NAME.seg.score.")
    level = "seg" if any(one[3] == "seg" for one in named) else "doc"
    board: dict[tuple[str, str, int], dict[str, float | None]] = {}
    for source, pair, metric, own in named:
        if own != level:
            continue
        for system, place, score in _scores(source):
            board.setdefault((pair, system, place), {})[metric] = score
    labels = {pair: _labels(source) for pair, source in documents.items() if level == "seg"}
    scored = {"system": Role.SYSTEM, "segment": Role.UNIT, "language pair": Role.DATASET}
    rows = Rows({**scored, "domain": Role.LABEL, "document": Role.BLOCK})
    metrics = list(dict.fromkeys(metric for _, _, metric, own in named if own == level))
    for (pair, system, place), scores in board.items():
        known = labels.get(pair, [])
        domain, document = known[place - 1] if place <= len(known) else ("", "")
        found = {metric: scores.get(metric) for metric in metrics}
        rows.add((system, str(place), pair, domain, document), found)
    return rows.tidy(f"scores of {len(metrics)} metrics of mt-metrics-eval")


def _scores(source: Source) -> list[tuple[str, int, float | None]]:
    """System, place among its segments, and score."""
    often: Counter[str] = Counter()
    found: list[tuple[str, int, float | None]] = []
    for line, text in enumerate(source.text.splitlines(), 1):
        if not text.strip():
            continue
        cells = text.split()
        missing = len(cells) == 2 and cells[1].lower() in _MISSING
        if len(cells) != 2 or not (missing or is_numeric(cells[1])):
            raise ScoreFileError(
                f"{shown(source.name)}: line {line} should be a system and a score, not {shown(text)}."
            )
        often[cells[0]] += 1
        found.append((cells[0], often[cells[0]], None if missing else float(cells[1])))
    if len(set(often.values())) > 1:
        (first, many), *others = often.items()
        other, few = next((one, size) for one, size in others if size != many)
        raise ScoreFileError(
            f"{shown(source.name)}: system {shown(first)} has {many:,} scores and {shown(other)} {few:,}; "
            "segments go by order here, so give every system one score per segment (None where it has none)."
        )
    return found


def _labels(source: Source) -> list[tuple[str, str]]:
    """Domain and document of every segment."""
    cells = [line.split() for line in source.text.splitlines() if line.strip()]
    return [(row[0], row[-1]) for row in cells]


MT_METRICS_EVAL = Tool(
    key="mt-metrics-eval",
    label="mt-metrics-eval: folders of *.seg.score",
    example=EXAMPLE,
    named="metric-scores/en-de/chrF-refA.seg.score",
    documented="https://github.com/google-research/mt-metrics-eval",
    description="System: its column. Item: the segment, by order. Scores: each file's metric. "
    "Data set: the language pair. Labels: domain and document.",
    recognises=_recognises,
    tables=_tables,
)
