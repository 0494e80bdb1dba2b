"""`score` and `submissions`: gold and outputs as files, their measures, and all pairs compared."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.arguments import UsageError
from nlpstat_core.cli.bounds import reading_bounds
from nlpstat_core.cli.configured import (
    analysed,
    board_of,
    configuration_of,
    settings_of,
    workers_and_files,
    written_board,
)
from nlpstat_core.cli.options import (
    BOUNDS,
    add_settings,
    add_workers,
    names_of,
    option_of,
    real_number,
    whole_number,
)
from nlpstat_core.cli.output import add_output, mind
from nlpstat_core.reading import READING

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.arrays import FloatArray
    from nlpstat_core.board.submissions.by_label import LabelScores
    from nlpstat_core.scores.matrix import ScoreMatrix
    from nlpstat_core.scores.submissions import Submissions

# Keywords of `read_submissions`, with the help of their options.
CHOICES = {
    "kind": "what outputs are, if the guess is wrong: labels, label-sets "
    "(several per item), numbers, texts, tags or trees",
    "missing_outputs": "items without an output: refuse (default), wrong (count as wrong), or leave-out",
    "attempts": "which of a team's attempts counts: last (default), first, best by the measure, or all",
    "file": "name of the file with the answers, if every team has several files",
    "id_column": "column of the item ids",
    "gold_column": "column with the gold answers",
    "output_column": "column of the outputs",
    "label_columns": "columns of gold that describe the items, separated by commas",
}
# Of the intervals of single labels.
LEVEL = 0.95
# Options of measures, with what argparse is told of them.
OF_MEASURES: Mapping[str, tuple[dict[str, Any], str]] = {
    "positive": ({"metavar": "LABEL"}, "the positive label of F1 and similar measures"),
    "beta": ({"metavar": "NUMBER"}, "f-beta: recall weighs beta² times as much as precision (default 0.5)"),
    "bins": ({"metavar": "NUMBER"}, "calibration-error: number of bins of equal width (default 10)"),
    "tokenize": ({"metavar": "NAME"}, "bleu: sacreBLEU's tokenizer: 13a (default), intl, zh, char …"),
    "lowercase": ({"action": "store_const", "const": True}, "bleu: ignore case"),
    "stemmer": ({"action": "store_const", "const": True}, "rouge-1, rouge-2, rouge-l: stem words"),
}
# Those that files of scores don't have as well.
_BY_GOLD_ALONE = tuple(name for name in CHOICES if name not in READING)
_BOUNDS = {name: teaches for name, teaches in READING.items() if name.startswith("max_")}


def add_score_options(parser: argparse.ArgumentParser) -> None:
    """What `score` is given."""
    _add_files(parser)
    parser.add_argument(
        "--by-label",
        action="store_true",
        help="precision, recall and F1 with its 95 %% interval for every label (for tags: type of span)",
    )
    add_output(parser)


def add_submissions_options(parser: argparse.ArgumentParser) -> None:
    """What `submissions` is given."""
    _add_files(parser)
    add_settings(parser)
    add = parser.add_argument
    add("--out", metavar="DIR", help="write JSON, CSV and reports to this folder")
    add("--also", metavar="FILES", help="more files in --out, separated by commas: those of analyse")
    add_output(parser, csv=True)
    add_workers(parser)


def _add_files(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("gold", metavar="GOLD", help="file with the gold answers; it may hold the outputs, too")
    outputs = "outputs: one file per system, a folder, an archive, or a table"
    add("files", nargs="*", metavar="FILE", help=outputs)
    add("--measure", help="measures, separated by commas, the official one first (see `methods`)")
    group = parser.add_argument_group("measures")
    for name, (more, teaches) in OF_MEASURES.items():
        group.add_argument(option_of(name), help=teaches, **more)
    group = parser.add_argument_group("reading")
    for name, teaches in (CHOICES | _BOUNDS | BOUNDS).items():
        group.add_argument(option_of(name), help=teaches)


def add_gold(parser: argparse.ArgumentParser) -> None:
    """Options by which a command that reads files of scores takes outputs of systems, too."""
    group = parser.add_argument_group("outputs instead of scores")
    group.add_argument("--gold", help="file with what is right: the other files then are outputs of systems")
    group.add_argument("--measure", help="what to compare the outputs by, as macro-f1 (see `methods`)")
    for name, (more, teaches) in OF_MEASURES.items():
        group.add_argument(option_of(name), help=teaches, **more)
    for name in _BY_GOLD_ALONE:
        group.add_argument(option_of(name), help=CHOICES[name])


def submissions_command(options: argparse.Namespace) -> str:
    """`submissions`: compare all pairs of systems by their outputs."""
    from nlpstat_core.analysis.sections import split_keys
    from nlpstat_core.analysis.submissions import submission_scores

    config, reading = configuration_of(options)
    workers, also = workers_and_files(options)
    wanted, files = split_keys(also)
    scores = submission_scores(submissions_of(options, reading), **measure_options(options, reading))
    return written_board(options, analysed(options, scores, config, workers), files, wanted)


def quick_analysis(options: argparse.Namespace) -> Analysis:
    """The analysis of scores, or of outputs by --gold, without effect sizes unless they are asked for."""
    by_gold = getattr(options, "gold", None) is not None
    config, reading = configuration_of(options) if by_gold else settings_of(options, tracks=True)
    if options.effects is None:
        config = replace(config, effects=())
    scores = _scores_by_gold(options, reading) if hasattr(options, "gold") else None
    if scores is None:
        with reading_bounds(options):
            scores = board_of(options.files, reading)
    return analysed(options, scores, config)


def _scores_by_gold(options: argparse.Namespace, from_config: Mapping[str, Any]) -> ScoreMatrix | None:
    """The scores of outputs by a measure; None where the files are scores.

    from_config: `reading` of a configuration file.
    Raises UsageError: Options about outputs without gold.
    """
    if options.gold is None:
        for name in ("measure", *OF_MEASURES, *_BY_GOLD_ALONE):
            if getattr(options, name) is not None:
                raise UsageError(
                    f"{option_of(name)} goes with --gold, the file with what is right: the files here are "
                    "scores of items."
                )
        return None
    from nlpstat_core.analysis.submissions import submission_scores

    if options.files == [options.gold]:  # one table of gold and outputs
        options.files = []
    return submission_scores(submissions_of(options, from_config), **measure_options(options, from_config))


def score_command(options: argparse.Namespace) -> str:
    """`score`: outputs by measures."""
    from nlpstat_core.analysis.submissions import measure_values, stray_notes
    from nlpstat_core.board.submissions.by_label import label_scores
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.report.exports.tables.by_label import label_columns

    board = submissions_of(options, {})
    chosen = measure_options(options, {})
    values = measure_values(board, **chosen)
    by_label = label_scores(board, LEVEL) if options.by_label else None
    if options.json:
        return _json(board, values, by_label)
    mind(options, (*board.notes, *stray_notes(board)))
    text = _text(board, values, chosen)
    if by_label is None:
        return text
    order = _best_first(board, values)
    one = "type" if board.kind == "tags" else "label"
    what = f"Intervals: {100 * LEVEL:g} % of each F1 alone, by the jackknife."
    return "\n".join([text, "", *table(label_columns(by_label, order, one)), "", what])


def measure_options(options: argparse.Namespace, from_config: Mapping[str, Any]) -> dict[str, Any]:
    """Options of measures; those of a configuration file where the command line names none."""
    found = {name: from_config[name] for name in OF_MEASURES if from_config.get(name) is not None}
    for name in OF_MEASURES:
        given = getattr(options, name)
        if given is None:
            continue
        if name == "beta":
            given = real_number("--beta", given)
        found[name] = whole_number("--bins", given) if name == "bins" else given
    return found


def submissions_of(options: argparse.Namespace, from_config: Mapping[str, Any]) -> Submissions:
    """What the files of a command hold; options win over `reading` of a configuration."""
    from nlpstat_core.analysis.reading_submissions import read_submissions

    choices: dict[str, Any] = {name: value for name, value in from_config.items() if name in CHOICES}
    for name in (*CHOICES, *_BOUNDS):
        value = getattr(options, name)
        if value is not None:
            choices[name] = whole_number(option_of(name), value) if name in _BOUNDS else value
    if "label_columns" in choices:
        choices["label_columns"] = names_of(choices["label_columns"])
    measures = from_config.get("measure") if options.measure is None else names_of(options.measure)
    if measures == []:
        raise UsageError("--measure needs the name of one.")
    with reading_bounds(options):
        return read_submissions(options.gold, options.files or None, measure=measures, **choices)


def _best_first(board: Submissions, values: FloatArray) -> list[int]:
    """Systems by the official measure, undefined ones last."""
    from nlpstat_core.measures import measure_named

    sign = 1.0 if measure_named(board.measures[0])[0].lower_is_better else -1.0
    official = [sign * value for value in values[:, 0].tolist()]
    return sorted(range(len(board.systems)), key=lambda row: (math.isnan(official[row]), official[row], row))


def _text(board: Submissions, values: FloatArray, chosen: Mapping[str, Any]) -> str:
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.measures import measure_named
    from nlpstat_core.report.exports.tables.table import fixed, names
    from nlpstat_core.scores.submissions import kind_in_words

    order = _best_first(board, values)
    labels = []
    for measure, of_key in map(measure_named, board.measures):
        own = {name: value for name, value in chosen.items() if name in measure.options}
        labels.append(measure.label_with({**own, **of_key}))
    columns = [names("system", (board.systems[row] for row in order))]
    for place, label in enumerate(labels):
        bounded = abs(measure_named(board.measures[place])[0].bounds[1]) <= 1
        columns.append(fixed(label, values[order, place], 4 if bounded else 2))
    lines = [
        f"{board.n_items:,} items with {kind_in_words(board.kind)}: {board.reading['reason']}.",
        "",
        *table(columns),
    ]
    return "\n".join(lines)


def _json(board: Submissions, values: FloatArray, by_label: LabelScores | None) -> str:
    from nlpstat_core.analysis.submissions import stray_notes
    from nlpstat_core.report.exports.data.by_label import label_scores_to_list

    order = _best_first(board, values)
    found: dict[str, Any] = {
        "kind": board.kind,
        "items": board.n_items,
        "measures": list(board.measures),
        "fingerprint": board.fingerprint,
        "reading": dict(board.reading),
        "notes": [note.to_dict() for note in (*board.notes, *stray_notes(board))],
        "systems": [
            {
                "system": board.systems[row],
                **{
                    key: None if math.isnan(value) else value
                    for key, value in zip(board.measures, values[row].tolist(), strict=True)
                },
            }
            for row in order
        ],
    }
    if by_label is not None:
        found["by_label"] = label_scores_to_list(by_label)
    return json.dumps(found, ensure_ascii=False, indent=2)
