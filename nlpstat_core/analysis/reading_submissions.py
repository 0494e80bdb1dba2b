"""read_submissions: gold and outputs with the measures that rank them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from nlpstat_core.analysis.submissions import USUAL, fits, measure_values
from nlpstat_core.errors import ConfigError, ScoreFileError, shown, some_shown, unknown
from nlpstat_core.formatting import count_of
from nlpstat_core.measures import MEASURES, measure_named
from nlpstat_core.measures.label_sets import OF_SETS
from nlpstat_core.measures.spans import SPAN_F1, SPAN_F1_STRICT
from nlpstat_core.notes import Note
from nlpstat_core.readers.open import Limits
from nlpstat_core.readers.submissions import read_outputs
from nlpstat_core.readers.submissions.kinds import NumeralError, are_short
from nlpstat_core.readers.submissions.spelling import scheme_of
from nlpstat_core.scores.submissions import Kind, Submissions, kind_in_words

if TYPE_CHECKING:
    from nlpstat_core.readers.open.files import Given

ATTEMPTS = ("last", "first", "best", "all")
_DEFAULTS = Limits()


def read_submissions(
    gold: "Given | list[Given]",
    systems: "Given | list[Given] | Mapping[str, Given] | None" = None,
    *,
    measure: str | Sequence[str] | None = None,
    kind: Kind | None = None,
    missing_outputs: Literal["refuse", "wrong", "leave-out"] = "refuse",
    attempts: Literal["last", "first", "best", "all"] = "last",
    file: str | None = None,
    id_column: str | None = None,
    gold_column: str | None = None,
    output_column: str | None = None,
    label_columns: Sequence[str] | None = None,
    max_bytes: int = _DEFAULTS.max_bytes,
    max_unpacked_bytes: int = _DEFAULTS.max_unpacked_bytes,
    max_rows: int = _DEFAULTS.max_rows,
    max_columns: int = _DEFAULTS.max_columns,
    max_cells: int = _DEFAULTS.max_cells,
) -> Submissions:
    """Read gold and the outputs of systems; whatever isn't told is found from the content.

    Parameters
    ----------
    gold : str, Path, (bytes, name), a list of these; data frame, mapping of columns, list or {item: answer}
        Items with labels, numbers, texts, tags in CoNLL columns or trees in CoNLL-U. Several files are
        references of the same texts. In memory tags and references are a list an item.
    systems : the same, a mapping of names to these, or None
        One file a system, a folder or archive with one a team (also as platforms export them, archives within
        archives), or one table with a column each. None where gold's own file has them, too. A list in
        gold's order, or {item: answer}, for each name.
    measure : str or sequence of str, optional
        Keys of measures, the official one first; else the usual one of the kind.
    kind : {"labels", "label-sets", "numbers", "texts", "tags", "trees"}, optional
        What outputs are, where the guess is wrong; "label-sets" are several labels an item.
    missing_outputs : {"refuse", "wrong", "leave-out"}
        Items without an output: refused, counted as wrong, or left out of the system's pairs.
    attempts : {"last", "first", "best", "all"}
        Which of several attempts of a team counts: by its name, by the official measure, or each.
    file : str, optional
        Name of the file with the answers, where every team has several.
    id_column, gold_column, output_column : str, optional
        Columns, where the guess is wrong.
    label_columns : sequence of str, optional
        Columns of gold that tell something of the items.
    max_bytes, max_unpacked_bytes, max_rows, max_columns, max_cells : int
        Bounds, as of `read_scores`.

    Returns
    -------
    Submissions
        `reading` holds the keywords as they were settled, and the reason for the kind.

    Raises
    ------
    ScoreFileError
        One sentence: what is wrong, where, what to do.
    ConfigError
        A measure or a choice that can't be used.

    Examples
    --------
    >>> gold = (b"id,label\\n1,yes\\n2,no\\n3,yes\\n", "gold.csv")
    >>> teams = [(b"id,label\\n3,yes\\n2,yes\\n1,yes\\n", "A.csv"), (b"yes\\nno\\nno\\n", "B.txt")]
    >>> board = read_submissions(gold, teams, measure=["macro-f1", "accuracy"])
    >>> board.outputs["A"], board.measures
    (('yes', 'yes', 'yes'), ('macro-f1', 'accuracy'))
    >>> read_submissions(["yes", "no"], {"A": ["yes", "no"], "B": ["no", "no"]}).outputs["B"]
    ('no', 'no')
    """
    if attempts not in ATTEMPTS:
        raise ConfigError(unknown("choice of attempts", attempts, ATTEMPTS))
    named = (measure,) if isinstance(measure, str) else tuple(measure or ())
    if len(set(named)) < len(named):
        raise ConfigError("A measure is named twice; name each once, the official one first.")
    keys = tuple(_key(name) for name in named)
    if kind == "label-sets":
        keys = tuple(OF_SETS.get(key, key) for key in keys)
    read = partial(
        read_outputs,
        gold,
        systems,
        missing_outputs=missing_outputs,
        attempts="all" if attempts == "best" else attempts,
        file=file,
        id_column=id_column,
        gold_column=gold_column,
        output_column=output_column,
        label_columns=label_columns,
        limits=Limits(
            max_bytes=max_bytes,
            max_unpacked_bytes=max_unpacked_bytes,
            max_rows=max_rows,
            max_columns=max_columns,
            max_cells=max_cells,
        ),
    )
    board = _read_first(read, kind, keys)
    if board.kind == "label-sets":
        keys = tuple(OF_SETS.get(key, key) for key in keys)
    chosen = keys or (USUAL[board.kind],)
    if kind is None and (other := _kind_of(chosen)) and _may_be(board, other):
        # Short answers, ratings and few items look like another kind: the measure says what they are.
        try:
            board = read(kind=other)
        except NumeralError:
            raise  # numbers they are, written in two ways
        except ScoreFileError:
            if other == "labels":
                if not _has_lists(board):
                    raise
                board = read(kind="label-sets")
                chosen = tuple(OF_SETS.get(key, key) for key in chosen)
            # Else they are none, and what doesn't fit is said below.
    for key in chosen:
        check_fits(board, key)
    if SPAN_F1_STRICT.key in chosen:
        board = _checked_scheme(board)
    board = replace(board, measures=chosen, reading={**board.reading, "measure": list(chosen)})
    return _best_attempts(board) if attempts == "best" else board


def _read_first(read: Callable[..., Submissions], kind: Kind | None, keys: Sequence[str]) -> Submissions:
    """The board by its likely kind; where that fails, by what all measures are of."""
    try:
        return read(kind=kind)
    except ScoreFileError as error:
        other = _kind_of(keys)
        if kind is None and keys and other in ("texts", "label-sets"):
            with suppress(ScoreFileError):
                return read(kind=other)
        if kind is None and keys and {measure_named(key)[0].kind for key in keys} == {"chances"}:
            label = measure_named(keys[0])[0].label
            said = f"{label} needs gold of 1 and 0, and outputs that are probabilities or scores; here "
            raise ScoreFileError(said, error.sentence) from None
        raise


def _has_lists(board: Submissions) -> bool:
    """Whether items of gold have several answers as a list, or none: labels, where labels are wanted."""
    return board.kind == "texts" and any(len(right) != 1 or not right[0] for right in board.gold)


def _checked_scheme(board: Submissions) -> Submissions:
    """Say whose tags aren't in IOB2, which strict span F1 reads alone; refuse gold in another scheme."""
    strict, lenient = SPAN_F1_STRICT.label, SPAN_F1.label
    scheme = scheme_of(board.gold)
    if scheme != "IOB2":
        raise ConfigError(
            f"{strict} reads IOB2 alone, and gold's tags are in {scheme}; choose {lenient}, which reads both."
        )
    others = {system: scheme_of(board.outputs[system]) for system in board.systems}
    notes = [
        Note(
            "tags-in-other-scheme",
            "caution",
            f"{shown(system)} has tags in {found}, of which {strict} finds only spans that begin with B-; "
            f"{lenient} reads them as they are meant.",
        )
        for system, found in others.items()
        if found != scheme
    ]
    return replace(board, notes=(*board.notes, *notes))


def _kind_of(keys: Sequence[str]) -> Kind | None:
    """Labels, texts or numbers, where all measures that aren't for anything are measures of these."""
    kinds = {kind for key in keys if (kind := measure_named(key)[0].kind) != "any"}
    wanted: tuple[Kind, ...] = ("labels", "label-sets", "texts", "numbers")
    return next((kind for kind in wanted if kinds == {kind}), None)


def _may_be(board: Submissions, kind: Kind) -> bool:
    """Whether outputs of the kind that was guessed may be another: short answers are of any."""
    if kind == board.kind or board.kind not in ("labels", "texts", "numbers"):
        return False
    if kind == "label-sets":
        return board.kind != "numbers"
    if kind == "labels" and board.kind == "texts":
        return are_short(text for right in board.gold for text in right)
    if kind == "labels":  # numbers that no system breaks are classes, as the scores of essays
        columns = [board.gold, *board.outputs.values()]
        return all(value is None or value.is_integer() for column in columns for value in column)
    return True


def check_fits(board: Submissions, key: str) -> None:
    """Refuse a measure of another kind of outputs, with those that fit."""
    measure = measure_named(key)[0]
    if not fits(board, measure):
        reason = board.reading.get("reason")
        those = [other.key for other in MEASURES.values() if fits(board, other)]
        raise ConfigError(
            f"{measure.label} is a measure of {kind_in_words(measure.kind)}, and the outputs are "
            f"{kind_in_words(board.kind)}{f' ({reason})' if reason else ''}; choose one of "
            f"{', '.join(those)}."
        )


def _key(name: str) -> str:
    """A measure's own key; "pass@3" stays what it is."""
    measure, fixed = measure_named(name)
    return name if fixed else measure.key


def _best_attempts(board: Submissions) -> Submissions:
    """Of every team its best attempt by the official measure, the later of equals."""
    attempt_of: Mapping[str, str] = board.reading.get("attempt_of", {})
    values = dict(
        zip(board.systems, measure_values(replace(board, measures=board.measures[:1])), strict=True)
    )
    lower = measure_named(board.measures[0])[0].lower_is_better
    best: dict[str, str] = {}
    for system in board.systems:
        team = attempt_of.get(system, system)
        value = -values[system][0] if lower else values[system][0]
        held = best.get(team)
        kept = np.nan if held is None else (-values[held][0] if lower else values[held][0])
        if held is None or np.isnan(kept) or value >= kept:
            best[team] = system
    several = [team for team, system in best.items() if system != team]
    reading = {name: value for name, value in board.reading.items() if name != "attempt_of"}
    notes = [note for note in board.notes if note.code != "several-attempts"]
    if several:
        text = (
            f"Several attempts of {count_of(len(several), 'team')} ({some_shown(several, 3)}): the best by "
            f"{board.measures[0]} counts, which makes it look better than one attempt would."
        )
        notes.append(Note("several-attempts", "caution", text))
    return replace(
        board,
        outputs={team: board.outputs[system] for team, system in best.items()},
        notes=tuple(notes),
        reading={**reading, "attempts": "best"},
    )
