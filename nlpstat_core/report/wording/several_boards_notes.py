"""Notes on several metrics or data sets read together."""

import math
from collections.abc import Mapping

from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.errors import Sentence, shown
from nlpstat_core.formatting import format_p
from nlpstat_core.notes import Note, Severity, doubts
from nlpstat_core.report.wording.several_boards import KINDS, ONE, listed
from nlpstat_core.results.several_boards import BoardsData, PooledData


def boards_notes(boards: BoardsData, left_out: Mapping[str, str]) -> tuple[Note, ...]:
    """What to know before reading several boards together. `left_out`: why boards couldn't be read."""
    notes: list[Note] = []

    def say(code: str, severity: Severity, text: str) -> None:
        notes.append(Note(code, severity, text))

    reasons: dict[str, list[str]] = {}
    for name, why in left_out.items():
        reasons.setdefault(why, []).append(name)
    for why, names in reasons.items():
        who = listed(tuple(map(shown, names)))
        out = f"{who} {'was' if len(names) == 1 else 'were'} left out: "
        say("board-left-out", "caution", Sentence(out, why))
    for name, board in boards.analyses.items():
        for note in doubts(board.scores.notes):
            say(note.code, note.severity, Sentence(f"{shown(name)[1:-1]}: ", note.text))
    if boards.each == "metric":
        say(
            "metrics-not-independent",
            "info",
            "All metrics judge the same outputs, so their agreement is not independent confirmation.",
        )
    lower = tuple(name for name, board in boards.analyses.items() if board.scores.lower_is_better)
    if 0 < len(lower) < len(boards):
        say(
            "mixed-directions", "info", f"Lower scores are better for {listed(lower)}, higher ones elsewhere."
        )
    if boards.family == "each" and boards.config.correction != "none" and len(boards) > 1:
        say(
            "families-apart",
            "info",
            f"The error rate holds for each {ONE[boards.each]} separately; with many {KINDS[boards.each]} "
            "some false difference becomes likely. For one error rate over all of them choose family: all.",
        )
    if boards.family == "all" and CORRECTIONS[boards.config.correction].all_pairs_of_a_board:
        say(
            "shaffer-as-holm",
            "caution",
            "Holm's correction was used: Shaffer's counts which means of one board can be equal together, "
            "and says nothing across boards.",
        )
    return tuple(notes) + _dataset_notes(boards)


def guessed_kind_note(each: str) -> Note:
    """What boards given by name were taken as."""
    why, other = (
        ("they share items or don't name them", "dataset")
        if each == "metric"
        else ("they name their items and share none", "metric")
    )
    return Note(
        "boards-kind-guessed",
        "info",
        f"The boards were taken as {KINDS[each]}, because {why}; if they are {KINDS[other]}, give "
        f"each='{other}'.",
    )


def _dataset_notes(boards: BoardsData) -> tuple[Note, ...]:
    if boards.each != "dataset":
        return ()
    notes = []
    if boards.replicability is None and len(boards) > 1:
        text = (
            f"With {len(boards.agreement):,} pairs on {len(boards):,} data sets, in how many of them each "
            "system beats another was not counted; compare fewer systems, or name a baseline."
        )
        notes.append(Note("counts-left-out", "caution", text))
    if boards.pooled is None and len(boards) > 1:
        text = (
            "The data sets can't be pooled: in some of them lower scores are better, in others higher ones."
        )
        notes.append(Note("not-pooled", "caution", text))
    elif boards.pooled is not None:
        text = (
            "Over data sets each one counts once, whatever its size, and the differences of their scores are "
            "taken as comparable; average ranks ask for less."
        )
        notes.append(Note("datasets-as-units", "info", text))
        notes.extend(_too_few_datasets(boards.pooled))
    if boards.combination == "fisher":
        text = (
            "Counts by Fisher's combination are right only for independent data sets; test sets with shared "
            "sources or items are not."
        )
        notes.append(Note("independence-assumed", "caution", text))
    return tuple(notes)


def _too_few_datasets(found: PooledData) -> tuple[Note, ...]:
    """Say when even the smallest possible p-value over so many data sets can't be significant."""
    n, family, config = found.analysis.units.n_units, found.analysis.family_size, found.analysis.config
    two_sided = config.alternative == "two-sided"
    smallest = 2.0 ** (two_sided - n)
    if not family or smallest * family <= config.alpha:
        return ()
    needed = math.ceil(math.log2(family / config.alpha)) + two_sided
    many = f"{family:,} pairs under Holm at {config.alpha:g}" if family > 1 else f"{config.alpha:g}"
    text = (
        f"With {n} data sets the smallest p-value of Wilcoxon's test is {format_p(smallest)}; {many} would "
        f"need at least {needed} data sets, so no pair can be found to differ over data sets. The counts "
        "of data sets go by the items inside them."
    )
    return (Note("few-datasets", "caution", text),)
