"""COMET: what comet-score writes with --to_json, and what it prints."""

import re
from collections.abc import Iterator, Sequence

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import distinct, file_systems, path_names, without_shared_end
from nlpstat_core.readers.tools.values import (
    ONE_SCORE,
    first_lines,
    has,
    mapping,
    number,
    records,
    text_in,
    written_number,
)

METRIC = "COMET"
MOST_MESSAGES = 50  # lines of libraries above the scores
_LINE = re.compile(
    r"(?:(?P<file>(?!Segment \d+\t)[^\t]+)\t)?(?:Segment (?P<segment>\d+)\t)?score: (?P<score>\S+)"
)
EXAMPLE = """tern.txt	Segment 0	score: 0.8123
heron.txt	Segment 0	score: 0.7541
tern.txt	Segment 1	score: 0.6402
heron.txt	Segment 1	score: 0.6917
tern.txt	score: 0.7263
heron.txt	score: 0.7229
"""


def _recognises(source: Source) -> str | None:
    """Segments with a score called COMET, or lines of segment and score."""
    if source.kind == "json":
        return "scores of COMET" if has(source, METRIC, "mt") else None
    found = [hit for line in first_lines(source, MOST_MESSAGES) if (hit := _LINE.fullmatch(line.rstrip()))]
    lines = first_lines(source, 1)
    printed = any(match["segment"] for match in found) or (found and _LINE.fullmatch(lines[0].rstrip()))
    return "scores that COMET printed" if printed else None


def _tables(sources: Sequence[Source]) -> Tidy:
    """One system for each translation file, segments in order."""
    rows = Rows({"system": Role.SYSTEM, "segment": Role.UNIT, "source": Role.TEXT})
    owners = file_systems(sources)
    found = [list(_segments(source)) for source in sources]
    keys = list(dict.fromkeys((i, file) for i, segments in enumerate(found) for file, *_ in segments))
    paths = [file.rpartition(".")[0] or file or owners[i] for i, file in keys]
    if len(set(paths)) < len(paths):  # the same translation's name in several files
        paths = [
            owners[i] if len(sources) == len(keys) else f"{owners[i]}/{path}"
            for (i, _), path in zip(keys, paths, strict=True)
        ]
    short = distinct(without_shared_end(path_names(paths)), [owners[i] for i, _ in keys])
    systems = dict(zip(keys, short, strict=True))
    for i, segments in enumerate(found):
        for file, segment, text, score, line in segments:
            rows.add((systems[i, file], segment, text), {METRIC: score}, line)
    return rows.tidy(f"COMET scores of {len(keys)} translations")


def _segments(source: Source) -> Iterator[tuple[str, str, str, float | None, int]]:
    """Translation file, segment, source text, score and place."""
    if source.kind == "json":
        for file, entries in mapping(source.json, "the file").items():
            for i, entry in enumerate(records(entries, f"the entry of {shown(file)}")):
                score = number(entry.get(METRIC), f"the score of segment {i} of {shown(file)}")
                yield file, str(i), text_in(entry, "src"), score, i + 1
        return
    only_systems = True
    for place, line in enumerate(source.text.splitlines(), 1):
        match = _LINE.fullmatch(line.rstrip())
        if match is None:
            if line.strip() and "\tscore:" in line:
                raise ScoreFileError(
                    f"line {place} should be 'file, Segment 0, score: 0.5' with tabs between."
                )
            continue
        if match["segment"] is not None:
            only_systems = False
            score = written_number(match["score"], f"line {place}", "; give the output as COMET printed it")
            yield match["file"] or "", match["segment"], "", number(score, f"line {place}: the score"), place
    if only_systems:
        raise ScoreFileError(f"{ONE_SCORE} (run comet-score without --only_system).")


COMET = Tool(
    key="comet",
    label="COMET: comet-score --to_json, or its printed lines",
    example=EXAMPLE,
    documented="https://github.com/Unbabel/COMET",
    description="System: the translation file. Item: the segment. Score: COMET.",
    recognises=_recognises,
    tables=_tables,
)
