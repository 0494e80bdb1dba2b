"""Kaldi: per_utt, the alignment of every utterance with its counts of errors."""

import re
from collections.abc import Iterator, Sequence

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Scores, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems

_OTHER = re.compile(r"\S+\s+(?:ref|hyp|op)(?:\s.*)?")
_COUNTS = re.compile(r"(?P<utterance>\S+)\s+#csid\s+(?P<counts>.*)")
# What stands beside per_utt in the folder wer_details: sums by speaker and by word, the best setting.
_BESIDE = re.compile(
    r"SPEAKER\s+id\s+#SENT|(?:correct|substitution|insertion|deletion)\s+\S+\s+\S+\s+\d+\s*(?:\n|$)"
)
EXAMPLE = """utt-1 ref  the  cat  sat
utt-1 hyp  the  hat  sat
utt-1 op    C    S    C
utt-1 #csid 2 1 0 0
"""
# What a mean over utterances is, and what compares whole test sets.
NOTE = Note(
    "wer-by-utterance",
    "info",
    "wer is each utterance's own word error rate; with the metric errors, systems are compared by their "
    "numbers of errors, which ranks them as the word error rate of the whole test set does.",
)


def error_rates(correct: int, substituted: int, inserted: int, deleted: int) -> Scores:
    """Word error rate and number of errors of an utterance; no rate where nothing was said.

    >>> error_rates(2, 1, 0, 1), error_rates(0, 0, 3, 0)
    ({'wer': 0.5, 'errors': 2.0}, {'wer': None, 'errors': 3.0})
    """
    words = correct + substituted + deleted
    errors = substituted + inserted + deleted
    return {"wer": errors / words if words else None, "errors": float(errors)}


def _recognises(source: Source) -> str | None:
    """Lines of an utterance with its counts #csid."""
    if source.kind != "text":
        return None
    if "#csid" not in source.beginning:
        beside = source.folder.endswith("wer_details") or _BESIDE.match(source.beginning)
        return "sums of Kaldi" if beside else None
    first = source.beginning.lstrip().split("\n", 1)[0].strip()
    return "utterances scored by Kaldi" if _OTHER.fullmatch(first) or _COUNTS.fullmatch(first) else None


def _tables(sources: Sequence[Source]) -> Tidy:
    """One system a file, named by the folder that differs; a unit is an utterance."""
    kept = [source for source in sources if "#csid" in source.beginning]
    if not kept:
        raise ScoreFileError("these are sums over utterances; give per_utt, from the same folder.")
    rows = Rows({"system": Role.SYSTEM, "utterance": Role.UNIT})
    for system, source in zip(file_systems(kept, r"[._-]?per_utt"), kept, strict=True):
        for line, utterance, counts in _counts(source):
            rows.add((system, utterance), error_rates(*counts), line)
    return rows.tidy("utterances scored by Kaldi", where="line", lower_is_better=True, notes=[NOTE])


def _counts(source: Source) -> Iterator[tuple[int, str, list[int]]]:
    for line, text in enumerate(source.text.splitlines(), 1):
        match = _COUNTS.fullmatch(text.strip())
        if match is None:
            if text.strip() and not _OTHER.fullmatch(text.strip()):
                raise ScoreFileError(
                    f"line {line} should be an utterance with ref, hyp, op or #csid, not {shown(text)}."
                )
            continue
        counts = match["counts"].split()
        whole = all(count.isascii() and count.isdigit() and len(count) < 10 for count in counts)
        if len(counts) != 4 or not whole:
            raise ScoreFileError(
                f"line {line}: #csid should be four counts (correct, substituted, inserted, deleted), "
                f"not {shown(match['counts'])}."
            )
        yield line, match["utterance"], [int(count) for count in counts]


KALDI = Tool(
    key="kaldi",
    label="Kaldi: per_utt with #csid",
    example=EXAMPLE,
    documented="https://github.com/kaldi-asr/kaldi/blob/master/egs/wsj/s5/utils/scoring/wer_per_utt_details.pl",
    description="System: the file or the folder. Item: the utterance. Scores: wer, errors; lower is better.",
    recognises=_recognises,
    tables=_tables,
)
