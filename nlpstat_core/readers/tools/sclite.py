"""sclite: alignments of utterances (.pra, .prf, .sgml) and summaries by speaker (.sys, .raw)."""

import re
from collections.abc import Callable, Iterator, Sequence

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.tools.kaldi import NOTE, error_rates
from nlpstat_core.readers.tools.record import Role, Rows, Scores, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import stored_or_path
from nlpstat_core.readers.tools.values import ONE_SCORE

_ID = re.compile(r"id:\s*\((?P<id>.*)\)\s*")
_COUNTS = re.compile(r"Scores:\s*\(#C #S #D #I\)\s*(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})\s*")
_SYSTEM = re.compile(r"^System name:\s*(.*\S)", re.M)
_TITLE = re.compile(r"<SYSTEM\s[^>]*?title=\"([^\"]*)\"", re.I)
_PATH = re.compile(r"<PATH\s[^>]*?id=\"\(?(?P<id>.*?)\)?\"[^>]*>\s*(?P<words>.*?)</PATH>", re.I | re.S)
_WORD = re.compile(r"(?:^|:)([CSDI]),")
_SPEAKER = re.compile(r"\s*\|\s*(?P<id>[^|]*\S)\s*\|\s*\d+\s+(?P<words>\d+)\s*\|(?P<cells>[^|]*)\|.*")
_SUMMARY = "SYSTEM SUMMARY PERCENTAGE"
_DETAILS = "DETAILED OVERALL REPORT FOR THE SYSTEM"
EXAMPLE = """System name:   tern.ctm

id: (spk1-001)
Scores: (#C #S #D #I) 4 1 0 0

id: (spk1-002)
Scores: (#C #S #D #I) 7 0 1 0
"""


def _recognises(source: Source) -> str | None:
    """The headings of sclite's own reports."""
    kind = _kind(source)
    return None if kind is None else f"{kind[0]} of sclite"


def _kind(source: Source) -> tuple[str, Callable[[Source], Iterator[tuple[str, Scores, int]]]] | None:
    beginning = source.beginning
    if "(#C #S #D #I)" in beginning and "id: (" in beginning:
        return "alignments", _alignments
    if _TITLE.search(beginning[:2000]) and "<PATH " in beginning:
        return "alignments (SGML)", _sgml
    if _SUMMARY in beginning[:500] and "#Wrd" in beginning:
        return "a summary by speaker", _speakers
    return ("sums over all speakers", _sums) if beginning.lstrip().startswith(_DETAILS) else None


def _tables(sources: Sequence[Source]) -> Tidy:
    kinds = [kind for source in sources if (kind := _kind(source)) is not None]
    best = next(kind for read in (_alignments, _sgml, _speakers, _sums) for kind in kinds if kind[1] is read)
    kept = [source for source, kind in zip(sources, kinds, strict=True) if kind[1] is best[1]]
    if best[1] is _speakers:  # .raw holds counts, .sys percentages of the same speakers
        raw = [source for source in kept if source.name.endswith(".raw")]
        kept = raw or kept
    elif any(source.name.endswith(".pra") for source in kept):
        kept = [source for source in kept if source.name.endswith(".pra")]  # .prf repeats it with times
    unit = "speaker" if best[1] is _speakers else "utterance"
    rows = Rows({"system": Role.SYSTEM, unit: Role.UNIT})
    for system, source in zip(stored_or_path([_name(source) for source in kept], kept), kept, strict=True):
        for own, scores, line in best[1](source):
            rows.add((system, own), scores, line)
    return rows.tidy(f"{best[0]} of sclite", where="line", lower_is_better=True, notes=[NOTE])


def _name(source: Source) -> str:
    """The system's name as sclite wrote it: that of the file it scored."""
    match = _SYSTEM.search(source.beginning) or _TITLE.search(source.beginning)
    if match:
        return match[1].rpartition("/")[2]
    rows = [line.strip(" |") for line in source.beginning.splitlines()[:6] if line.strip().startswith("|")]
    return rows[0].rpartition("/")[2] if rows and not set(rows[0]) <= set("-|") else ""


def _alignments(source: Source) -> Iterator[tuple[str, Scores, int]]:
    utterance = None
    for line, text in enumerate(source.text.splitlines(), 1):
        if match := _ID.fullmatch(text):
            if utterance is not None:
                raise ScoreFileError(
                    f"line {line}: the utterance {utterance!r} before has no scores; run sclite again."
                )
            utterance = match["id"]
        elif text.startswith("Scores:"):
            counts = _COUNTS.fullmatch(text)
            if utterance is None or counts is None:
                raise ScoreFileError(
                    f"line {line} should be the scores of an utterance, '(#C #S #D #I)' and four counts; "
                    "give the file as sclite wrote it."
                )
            correct, substituted, deleted, inserted = map(int, counts.groups())
            yield utterance, error_rates(correct, substituted, inserted, deleted), line
            utterance = None


def _sgml(source: Source) -> Iterator[tuple[str, Scores, int]]:
    text = source.text
    for place, given in enumerate(_PATH.finditer(text), 1):
        words = _WORD.findall(given["words"].strip())
        counts = [words.count(kind) for kind in "CSID"]
        yield given["id"], error_rates(*counts), place


def _speakers(source: Source) -> Iterator[tuple[str, Scores, int]]:
    """Rows of speakers up to the sum; percentages have a point, counts have none."""
    for line, text in enumerate(source.text.splitlines(), 1):
        if set(text.strip(" |")) == {"="}:
            return
        match = _SPEAKER.fullmatch(text)
        if match is None:
            continue
        cells = match["cells"].split()  # Corr, Sub, Del, Ins, Err, S.Err
        words = int(match["words"])
        try:
            error = float(cells[4].strip("*"))
        except (IndexError, ValueError):
            raise ScoreFileError(
                f"line {line} should have six numbers; give the file as sclite wrote it."
            ) from None
        percent = "." in cells[4]  # "*" marks counts of a speaker without reference words
        rate = None if not words else error / 100 if percent else error / words
        yield match["id"], {"wer": rate, **({} if percent else {"errors": error})}, line


def _sums(source: Source) -> Iterator[tuple[str, Scores, int]]:
    raise ScoreFileError(f"{ONE_SCORE} (sclite -o pralign).")


SCLITE = Tool(
    key="sclite",
    label="sclite: .pra, .prf, .sgml, .sys, .raw",
    example=EXAMPLE,
    documented="https://github.com/usnistgov/SCTK",
    description="System: as named there. Item: the utterance (.sys, .raw: the speaker). Scores: wer, errors.",
    recognises=_recognises,
    tables=_tables,
)
