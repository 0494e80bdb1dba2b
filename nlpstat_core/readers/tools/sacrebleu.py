"""sacreBLEU: scores of sentences (--sentence-level), one system per file."""

import re
from collections.abc import Sequence

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems
from nlpstat_core.readers.tools.values import ONE_SCORE, has, written_number

# "chrF2|nrefs:1|…|version:2.6.0 = 35.4", before version 2 "BLEU+case.mixed+…+version.1.5.1 = 35.4 …"
_LINE = re.compile(r"(?P<metric>[^\s|+=]+(?:\+\+)?)(?P<signature>[|+][^\s=]+) = (?P<score>\S+)(?: .*)?")
_METRICS = ("BLEU", "chrF", "TER", "sacreBLEU", "BLEURT")
EXAMPLE = """chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = 35.4
chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = 38.9
"""


def _recognises(source: Source) -> str | None:
    """Lines of signature and score; corpus scores as JSON are known in order to be refused."""
    if source.kind == "json":
        start = source.beginning.lstrip()
        named = any(f'"{name}' in start for name in _METRICS)
        boards = start.startswith("[") and has(source, "system") and named
        single = has(source, "name", "score", "signature") and "version:" in source.beginning
        return "corpus scores of sacreBLEU" if boards or single else None
    if source.kind != "text":
        return None
    start = source.beginning.lstrip("\ufeff").lstrip()
    first = start.split("\n", 1)[0].rstrip()
    if start.startswith("sacreBLEU: "):
        return "a message of sacreBLEU"
    match = _LINE.fullmatch(first)
    return "sentence scores of sacreBLEU" if match and "version" in match["signature"] else None


def _tables(sources: Sequence[Source]) -> Tidy:
    if any(source.kind == "json" for source in sources):
        raise ScoreFileError(f"{ONE_SCORE} (sacrebleu --sentence-level).")
    rows = Rows({"system": Role.SYSTEM, "sentence": Role.UNIT})
    systems = file_systems(sources)
    signatures: dict[str, set[str]] = {}
    sizes: dict[str, int] = {}
    for system, source in zip(systems, sources, strict=True):
        for place, (metric, signature, score, line) in enumerate(_scores(source), 1):
            rows.add((system, str(place)), {metric: score}, line)
            signatures.setdefault(metric, set()).add(signature)
            sizes[system] = place
    if len({*sizes.values()}) > 1 and len(signatures) == 1:
        (first, many), *others = sizes.items()
        other, few = next((one, size) for one, size in others if size != many)
        raise ScoreFileError(
            f"system {shown(first)} has {many:,} sentences and {shown(other)} {few:,}; sentences go by their "
            "order here, so score the same test set with every system."
        )
    notes = [
        Note("signatures-differ", "caution", f"The {metric} scores were made with different settings.")
        for metric, several in signatures.items()
        if len(several) > 1
    ]
    return rows.tidy("sentence scores of sacreBLEU", where="line", notes=notes)


def _scores(source: Source) -> list[tuple[str, str, float, int]]:
    """Metric, signature, score and line."""
    found = []
    for place, text in enumerate(source.text.splitlines(), 1):
        if not text.strip():
            continue
        match = _LINE.fullmatch(text.strip())
        if match is None:
            if text.startswith("sacreBLEU: "):
                raise ScoreFileError(f"sacreBLEU wrote no scores but {shown(text.strip())}.")
            raise ScoreFileError(
                f"line {place} should be a signature and a score, not {shown(text.strip())}."
            )
        score = written_number(match["score"], f"line {place}", "; run sacreBLEU again")
        found.append((match["metric"], match["signature"], score, place))
    return found


SACREBLEU = Tool(
    key="sacrebleu",
    label="sacreBLEU --sentence-level, one system per file",
    example=EXAMPLE,
    documented="https://github.com/mjpost/sacrebleu",
    description="System: the file. Item: the sentence, by its order. Score: the metric in the signature.",
    recognises=_recognises,
    tables=_tables,
)
