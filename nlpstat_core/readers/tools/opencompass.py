"""OpenCompass: results with details by item, and the summary of data sets."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Source, Table, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems, folder_systems
from nlpstat_core.readers.tools.values import (
    first_lines,
    has,
    is_number,
    is_numeric,
    mapping,
    number,
    text_in,
)

# The verdicts that OpenCompass looks for itself, then other scores of evaluators.
VERDICTS = ("correct", "is_correct", "cascade_correct", "score", "acc", "accuracy")
HEAD = ("dataset", "version", "metric", "mode")
MEANS = ("naive_average", "weighted_average", "harmonic_mean", "standard_deviation", "sum")
_SUMS_FIRST = re.compile(r'\s*\{\s*(?:"[^"{}\[\]]*"\s*:\s*[-\d.eE+a-zN]+\s*,\s*)*"details"\s*:\s*[\[{]')
_FIRST_ITEM = re.compile(r'\s*\{\s*"0"\s*:\s*\{')
EXAMPLE = """{"accuracy": 50.0, "details": {"type": "GEN",
  "0": {"prompt": "…", "pred": "4", "answer": "4", "correct": true},
  "1": {"prompt": "…", "pred": "7", "answer": "9", "correct": false}}}
"""


def _recognises(source: Source) -> str | None:
    """Results with details, or a table that begins with dataset, version, metric and mode."""
    if source.kind == "json":
        keys = (*VERDICTS, "pred", "prediction", "predictions", "example_abbr")
        if _SUMS_FIRST.match(source.beginning) and any(has(source, key) for key in keys):
            return "details of OpenCompass"
        return "predictions of OpenCompass" if _is_predictions(source) else None
    named = all(word in source.beginning for word in HEAD)  # lines needn't be looked at otherwise
    if named and any(_is_head(_cells(line)) for line in first_lines(source, 400)):
        return "a summary of OpenCompass"
    return None


def _is_predictions(source: Source) -> bool:
    """Prompt and answer of each item, before anybody evaluated them."""
    return bool(_FIRST_ITEM.match(source.beginning)) and has(source, "origin_prompt", "prediction")


def _cells(line: str) -> list[str]:
    inside = line.strip()
    parts = inside.strip("|").split("|") if inside.startswith("|") else inside.split(",")
    return [part.strip() for part in parts]


def _is_head(cells: Sequence[str]) -> bool:
    return tuple(cells[: len(HEAD)]) == HEAD and len(cells) > len(HEAD)


def _tables(sources: Sequence[Source]) -> Tidy:
    """Details where there are some (system: the folder of the model), else the summary."""
    details = [source for source in sources if source.kind == "json" and not _is_predictions(source)]
    if not details and all(source.kind == "json" for source in sources):
        raise ScoreFileError("these are predictions without verdicts; give the results with their details.")
    sources = [source for source in sources if source.kind != "json"] or sources
    return _details(details) if details else _summary(sources[0], len(sources))


def _details(sources: Sequence[Source]) -> Tidy:
    rows = Rows({"model": Role.SYSTEM, "item": Role.UNIT, "run": Role.RUN, "dataset": Role.DATASET})
    folders = {source.folder for source in sources}
    datasets = [source.stem for source in sources]
    if len(folders) == 1:  # no folder of a model: the files are the models
        systems, datasets = file_systems(sources), [""] * len(sources)
    else:
        systems = folder_systems([source.folder for source in sources])
        if len(set(datasets)) == len(datasets) == len(folders):
            datasets = [""] * len(sources)
    silent: list[str] = []
    for system, dataset, source in zip(systems, datasets, sources, strict=True):
        found = list(_items(mapping(source.json, "the file").get("details")))
        if not any(scores for *_, scores in found):
            silent.append(source.name)
        else:
            for item, run, scores in found:
                rows.add((system, item, run, dataset), scores)
    if not rows.places:
        raise ScoreFileError(
            f"the details hold predictions, and no verdict ({', '.join(VERDICTS[:3])} …) for each; "
            "run an evaluator that writes one."
        )
    notes = []
    if silent:
        text = f"Details without verdicts are left out: {some_shown(silent)}."
        notes.append(Note("details-without-verdicts", "caution", text))
    return rows.tidy("details of OpenCompass", notes=notes)


def _items(details: Any) -> Iterator[tuple[str, str, dict[str, float | None]]]:
    """Item, run and verdict; several runs of an item stand in lists."""
    listed = dict(enumerate(details)) if isinstance(details, list) else details
    for key, entry in listed.items() if isinstance(listed, dict) else ():
        if not isinstance(entry, dict):
            continue  # "type": "GEN"
        item = text_in(entry, "example_abbr") or str(key)
        verdict = next((name for name in VERDICTS if _is_verdict(entry.get(name))), None)
        values = entry.get(verdict) if verdict else None
        if verdict is None or values is None:
            yield item, "1", {}
            continue
        for run, value in enumerate(values if isinstance(values, list) else [values], 1):
            yield item, str(run), {"correct": number(value, f"{shown(verdict)} of item {shown(item)}")}


def _is_verdict(value: Any) -> bool:
    several = value if isinstance(value, list) else [value]
    return bool(several) and all(is_number(one) for one in several)


def _summary(source: Source, files: int) -> Tidy:
    """Data sets as units, models as systems; rows of means over data sets are left out."""
    lines = source.text.lstrip("\ufeff").splitlines()  # of several marks of byte order one stays
    start = next(i for i, line in enumerate(lines) if _is_head(_cells(line)))
    head = _cells(lines[start])
    table: list[tuple[int, list[str]]] = []
    means = 0
    for line, text in enumerate(lines[start + 1 :], start + 2):
        cells = _cells(text)
        if not text.strip() or set(text.strip()) == {"$"}:
            break
        if set("".join(cells)) <= {"-", ":"} or cells[2:3] == ["-"]:
            continue  # a line of the Markdown table, a heading between data sets
        if len(cells) != len(head):
            raise ScoreFileError(f"line {line} has {len(cells)} columns instead of {len(head)}.")
        if cells[2] in MEANS:
            means += 1
            continue
        table.append((line, cells))
    often = [cells[0] for _, cells in table]
    rows = []
    lines_of = []
    for line, cells in table:
        unit = cells[0] if often.count(cells[0]) == 1 else f"{cells[0]} ({cells[2]})"
        for system, cell in zip(head[len(HEAD) :], cells[len(HEAD) :], strict=True):
            if cell != "-" and not is_numeric(cell):
                raise ScoreFileError(
                    f"line {line}: the score of {shown(system)} is {shown(cell)}, not a number."
                )
            rows.append((system, unit, cells[2], None if cell == "-" else float(cell)))
            lines_of.append(line)
    scores = Table.of(("model", "dataset", "metric", "score"), rows, lines=lines_of, where="line")
    notes = []
    if means:
        text = f"{means:,} rows of means over data sets are left out."
        notes.append(Note("means-left-out", "info", text))
    if files > 1:
        text = f"{shown(source.name)} is read; the other summaries aren't."
        notes.append(Note("same-summary", "info", text))
    return Tidy(
        table=scores,
        roles={"model": Role.SYSTEM, "dataset": Role.UNIT, "metric": Role.LABEL, "score": Role.SCORE},
        reason="a summary of OpenCompass: data sets are the items",
        notes=tuple(notes),
    )


OPENCOMPASS = Tool(
    key="opencompass",
    label="OpenCompass: details of results, or the summary",
    example=EXAMPLE,
    documented="https://opencompass.readthedocs.io",
    description=(
        "Details: system, the folder of the model; item, the entry; data set, the file; score, correct. "
        "Summary: item, the data set; system, the column."
    ),
    recognises=_recognises,
    tables=_tables,
)
