"""AlpacaEval: preferences of an annotator between a model and the baseline, by instruction."""

from collections.abc import Sequence

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.values import has, name, number, records

METRIC = "win share"
EXAMPLE = """[{"instruction": "Name a lake.", "output_1": "…", "generator_1": "Heron", "output_2": "…",
  "generator_2": "Tern", "annotator": "weighted_alpaca_eval_gpt4_turbo", "preference": 1.93}]
"""


def _recognises(source: Source) -> str | None:
    """Two generators with a preference between them."""
    known = has(source, "generator_1", "generator_2", "preference") and has(source, "instruction")
    return "annotations of AlpacaEval" if known else None


def _tables(sources: Sequence[Source]) -> Tidy:
    """A model's score is its preference over the baseline, 0 to 1; that of a lone model has the rest."""
    rows = Rows(
        {"generator": Role.SYSTEM, "instruction": Role.UNIT, "annotator": Role.RATER, "dataset": Role.LABEL}
    )
    found: list[tuple[str, str, str, str, str, float | None, int]] = []
    for source in sources:
        for place, entry in enumerate(records(source.json, "the file"), 1):
            what = f"entry {place}"
            first, second = (
                name(entry.get(key), f"{what}: {key!r}") for key in ("generator_1", "generator_2")
            )
            unit = name(entry.get("instruction"), f"{what}: 'instruction'")
            by, group = (str(entry.get(key) or "") for key in ("annotator", "dataset"))
            preference = number(entry.get("preference"), f"{what}: 'preference'")
            if preference is not None and not (preference == 0 or 1 <= preference <= 2):
                raise ScoreFileError(
                    f"{what}: the preference is {shown(preference)}; it should be from 1 (the first is "
                    "better) to 2 (the second is better), or 0 for a draw."
                )
            share = None if preference is None else 0.5 if preference == 0 else preference - 1
            found.append((first, second, unit, by, group, share, place))
    alone = len({second for _, second, *_ in found}) == 1
    for first, second, unit, by, group, share, place in found:
        rows.add((second, unit, by, group), {METRIC: share}, place)
        if alone and first != second:
            rows.add((first, unit, by, group), {METRIC: None if share is None else 1 - share}, place)
    return rows.tidy("annotations of AlpacaEval")


ALPACA_EVAL = Tool(
    key="alpaca-eval",
    label="AlpacaEval: annotations.json",
    example=EXAMPLE,
    documented="https://github.com/tatsu-lab/alpaca_eval",
    description=(
        "System: generator_2. Item: the instruction. Rater: the annotator. Score: preference − 1, the share "
        "with which it wins against the baseline."
    ),
    recognises=_recognises,
    tables=_tables,
)
