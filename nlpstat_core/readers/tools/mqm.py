"""MQM annotations as Google publishes them: one error a line, weighed into a score of the segment."""

from collections.abc import Iterator, Sequence

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.values import is_numeric

NEEDED = ("system", "doc", "rater", "category", "severity")
_SEGMENTS = ("seg_id", "globalsegid", "global_seg_id", "docsegid", "doc_seg_id", "doc_id")
AVERAGES = ("system", "mqm_avg_score", "seg_id")
# The weights of Freitag et al. (2021), the most special first; other severities weigh nothing there.
WEIGHTS = {
    "major/non-translation!": 25.0,
    "minor/fluency/punctuation": 0.1,
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "no_error": 0.0,
}
_TEST = "hotw"  # planted errors that test the raters' attention
NOTE = Note(
    "mqm-weights",
    "info",
    "MQM scores are the sums of the errors' weights with a minus sign: major 5, minor 1, minor punctuation "
    "0.1, non-translation 25.",
)
EXAMPLE = """system	doc	doc_id	seg_id	rater	source	target	category	severity
Tern	talk.1	1	1	rater1	Guten Tag	Good <v>Days</v>	Fluency/Grammar	Minor
Heron	talk.1	1	1	rater1	Guten Tag	Good day	No-error	No-error
"""


def _header(source: Source) -> list[str]:
    first = source.beginning.lstrip("\ufeff").split("\n", 1)[0]
    return [name.strip().lower() for name in first.split("\t")]


def _recognises(source: Source) -> str | None:
    """A header with system, doc, rater, category and severity, or that of the published averages."""
    if source.kind != "text":
        return None
    header = _header(source)
    if set(NEEDED) <= set(header) and set(_SEGMENTS) & set(header):
        return "MQM annotations"
    return "averages of MQM" if tuple(" ".join(header).split()) == AVERAGES else None


def _tables(sources: Sequence[Source]) -> Tidy:
    rows = Rows({"system": Role.SYSTEM, "segment": Role.UNIT, "rater": Role.RATER, "doc": Role.BLOCK})
    weighed = False
    for source in sources:
        if _recognises(source) == "averages of MQM":
            for system, segment, score, line in _averages(source):
                rows.add((system, segment, "", ""), {"MQM": score}, line)
            continue
        weighed = True
        sums: dict[tuple[str, str, str, str], tuple[float, int]] = {}
        for place, weight, line in _errors(source):
            total, first = sums.get(place, (0.0, line))
            sums[place] = total + weight, first
        for place, (total, line) in sums.items():
            rows.add(place, {"MQM": 0.0 - round(total, 6)}, line)
    return rows.tidy("MQM annotations", where="line", lower_is_better=False, notes=[NOTE] if weighed else [])


def _errors(source: Source) -> Iterator[tuple[tuple[str, str, str, str], float, int]]:
    """System, segment, rater and document of each error, its weight and its line; nothing is quoted here."""
    header = _header(source)
    segment = header.index(next(name for name in _SEGMENTS if name in header))
    system, doc, rater, category, severity = (header.index(name) for name in NEEDED)
    for line, text in enumerate(source.text.split("\n"), 1):
        if line == 1 or not text.strip():
            continue
        row = text.rstrip("\r").split("\t")
        if len(row) != len(header):
            raise ScoreFileError(
                f"line {line} has {len(row)} columns instead of {len(header)}; nothing is quoted here, "
                "so put a tab between the columns and none into the text."
            )
        kind, grade = row[category].strip().lower(), row[severity].strip().lower()
        if _TEST in kind or _TEST in grade:
            continue
        unit = f"{row[doc].strip()}:{row[segment].strip()}"
        place = (row[system].strip(), unit, row[rater].strip(), row[doc].strip())
        yield place, _weight(kind, grade, line), line


def _weight(category: str, severity: str, line: int) -> float:
    parts = [severity, *category.split("/")]
    for length in range(len(parts), 0, -1):
        weight = WEIGHTS.get("/".join(parts[:length]))
        if weight is not None:
            return weight
    raise ScoreFileError(
        f"line {line}: the severity {shown(severity)} has no weight; give Major, Minor, Neutral or No-error."
    )


def _averages(source: Source) -> Iterator[tuple[str, str, float | None, int]]:
    for line, text in enumerate(source.text.splitlines(), 1):
        row = text.split()
        if line == 1 or not row:
            continue
        if len(row) != len(AVERAGES) or not (row[1] == "None" or is_numeric(row[1])):
            raise ScoreFileError(f"line {line} should be system, score and segment, not {shown(text)}.")
        yield row[0], row[2], None if row[1] == "None" else float(row[1]), line


MQM = Tool(
    key="mqm",
    label="MQM annotations (one error per line)",
    example=EXAMPLE,
    documented="https://github.com/google/wmt-mqm-human-evaluation",
    description="System: system. Item: doc and segment. Rater: rater. Score: the errors' weights, negative.",
    recognises=_recognises,
    tables=_tables,
)
