"""A table that seems to stand on its side: systems as rows, test items, metrics or data sets as columns."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from nlpstat_core.errors import Remedy, Sentence, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.roles.names import (
    ACTORS,
    IDS,
    MORE_IDS,
    SYSTEMS,
    Kind,
    are_metrics,
    is_metric,
    normal,
    says,
)
from nlpstat_core.scores.matrix import ScoreMatrix

MOST_ROWS = 10_000
FEWEST_KNOWN = 3
FEW_ROWS, SAYS_NOTHING = 50, ("", "name", "names", "unnamed_0")  # above rows that may be anything
# What columns of such tables are called, somewhere in their names.
_METRICS = (
    "auto_?rank|rank|average|avg|mean|(?:sp|sent|sacre)?bleu|chrf|ter|x?comet|kiwi|metric_?x|bleurt|bert_?score|rouge|meteor|gemba|"
    "mqm|esa|accuracy|acc|f1|precision|recall|exact_match|elo|win_rate|wins"
)
_DATASETS = (
    "mmlu|gsm8k|hella_?swag|arc|truthful_?qa|wino_?grande|human_?eval|mbpp|ifeval|bbh|gpqa|musr|math|piqa|boolq|"
    "squad|glue|superglue|mnli|qqp|sst2|cola|rte|news|social|speech|literary|conversation"
)
_COLUMN = re.compile(f"(?:.*_)?(?:{_METRICS}|{_DATASETS})+[0-9]*(?:_.*)?")
_PAIR = re.compile("[a-z]{2,3}_[a-z]{2,3}")
# What systems are called, at the beginning of a word of their names, or with a number.
_SYSTEM = re.compile(
    "(?:^|_)(?:gpt|llama|claude|gemini|gemma|mistral|mixtral|qwen|deepseek|command_?r|aya|phi_?[0-9]|falcon|vicuna|"
    "pythia|bloom|nllb|m2m|opus|mbart|(?:ro|de|al)?bert|t5|tower|online_[a-z]|baseline|ensemble|transformer|olmo|"
    "yi_[0-9]|grok|svm|svc|random_?forest|xg_?boost|lightgbm|catboost|knn|1_?nn|rocket|inception_?time|"
    "res_?net|vit_|conv_?next|efficient_?net|swin|lstm|cnn|mlp)"
    rf"|^(?:{SYSTEMS}|{ACTORS})_?(?:\d+|[a-z])$"
)
_ITEM = re.compile(rf"(?:{IDS}|{MORE_IDS}|q|doc|document)_?\d+|\d+")


def transposed_tables(scores: ScoreMatrix) -> Iterator[Note]:
    """Say that rows seem to be systems by their names, by those of the columns or by the shape."""
    units, reading = scores.units, scores.reading
    if "roles" not in reading and "systems_as_rows" not in reading and are_metrics(scores.systems):
        text = f"The systems {some_shown(scores.systems)} are names of metrics: are they systems?"
        yield Note("columns-seem-metrics", "problem", text)
        return
    told = {"systems_as_rows", "system_column"} & set(reading) or "system" in reading.get("roles", ())
    by_file = bool(reading) and "id_column" not in reading
    if units is None or not 1 < scores.n_units <= MOST_ROWS or told or by_file:
        return
    first = str(reading.get("id_column", "id"))
    few = scores.n_units < scores.n_systems or (scores.n_units <= FEW_ROWS and normal(first) in SAYS_NOTHING)
    unnamed = few and not any(says(kind, first) for kind in (Kind.ID, Kind.MORE_UNIT, Kind.LABEL))
    every = all(map(_names_an_item, units))
    items = every or _numbered_alike(units)
    by_columns = not items and _share(_names_no_system, scores.systems) >= 0.5
    by_columns |= not every and _share(_names_an_item, scores.systems) >= 0.5
    by_columns |= not items and 2 * scores.n_units <= scores.n_systems and _numbered_alike(scores.systems)
    by_rows = not by_columns and not any(map(_names_a_system, scores.systems))
    if by_rows and not (unnamed and not items):
        known = sum(map(_names_a_system, units))
        by_rows = known >= min(FEWEST_KNOWN, scores.n_units) and known >= 0.2 * scores.n_units
    if by_columns or by_rows:
        text = (
            f"The rows seem to be systems ({some_shown(units, 2)}) and the columns items, metrics or data "
            f"sets ({some_shown(scores.systems, 2)}); if so, "
        )
        way = Sentence(
            text, Remedy("systems_as_rows", True), ", or, better, give the score of each test item."
        )
        yield Note("rows-seem-systems", "problem", way)
        return
    metrics = [name for name in scores.systems if len(name) > 1 and is_metric(name)]
    if 2 * len(metrics) >= scores.n_systems and are_metrics(metrics):
        text = f"The columns {some_shown(metrics)} are names of metrics: are they systems?"
        yield Note("columns-seem-metrics", "problem", text)


def _names_no_system(name: str) -> bool:
    written = normal(name)
    return bool(_COLUMN.fullmatch(written) or _PAIR.fullmatch(written)) and not _names_a_system(name)


def _names_a_system(name: str) -> bool:
    return bool(_SYSTEM.search(normal(name)))


def _names_an_item(name: str) -> bool:
    return bool(_ITEM.fullmatch(normal(name)))


def _numbered_alike(names: Sequence[str]) -> bool:
    """Whether most names are one word with a number, or whole numbers: u1, u2 …"""
    words = Counter(re.sub(r"\d+", "", name) for name in names if re.search(r"\d", name))
    return bool(words) and 2 * max(words.values()) > len(names)


def _share(fits: Callable[[str], bool], names: Sequence[str]) -> float:
    return sum(map(fits, names)) / len(names)
