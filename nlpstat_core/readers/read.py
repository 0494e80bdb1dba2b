"""read_scores: one door for every format; what was found, checked, directed and checked for oddities."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from nlpstat_core.errors import BoundsExceeded, ScoreError, ScoreFileError, about_file, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.checks.direction import settle_direction
from nlpstat_core.readers.checks.suspects import without_statistics
from nlpstat_core.readers.checks.whole import check_scores
from nlpstat_core.readers.formats import check_format
from nlpstat_core.readers.open.files import Given, Opened, open_files
from nlpstat_core.readers.open.limits import Limits, absent
from nlpstat_core.readers.part import Found, Part
from nlpstat_core.readers.roles.choices import NO_COLUMN, Choices, as_given, choices_from, given_lists
from nlpstat_core.readers.roles.documents import dataset_column, dataset_names, one_dataset
from nlpstat_core.readers.roles.record import RolesNeeded
from nlpstat_core.readers.roles.runs import with_runs_of_names
from nlpstat_core.readers.several_files import read_opened
from nlpstat_core.scores.matrix import ScoreMatrix

_DEFAULTS = Limits()
LONGEST_NAME = (
    1_000_000  # characters; pages send names of units and their labels to the browser again and again
)
PERCENT_DECIMALS = 10  # 100 · 0.57 is 57 and not 56.99999999999999
_HINTS = ("-column-guessed", "columns-left-out")  # notes that may say why there is only one system


def read_scores(
    source: Given | list[Given],
    *,
    format: str | None = None,
    metric: str | None = None,
    dataset: str | None = None,
    dataset_column: str | None = None,
    id_column: str | Sequence[str] | Literal[False] | None = None,
    label_columns: Sequence[str] | None = None,
    system_column: str | None = None,
    run_column: str | Sequence[str] | Literal[False] | None = None,
    systems_as_rows: bool | None = None,
    lower_is_better: bool | None = None,
    delimiter: str | None = None,
    quotes: bool | None = None,
    sheet: str | None = None,
    header_row: int | None = None,
    drop_rows: Sequence[str] | None = None,
    bad_cells: Literal["refuse", "missing"] | None = None,
    repeats: Literal["refuse", "first", "last", "mean"] | None = None,
    as_percent: Sequence[str] | None = None,
    accept: Sequence[str] | None = None,
    roles: Any = None,
    max_bytes: int = _DEFAULTS.max_bytes,
    max_unpacked_bytes: int = _DEFAULTS.max_unpacked_bytes,
    max_rows: int = _DEFAULTS.max_rows,
    max_columns: int = _DEFAULTS.max_columns,
    max_cells: int = _DEFAULTS.max_cells,
) -> ScoreMatrix:
    """Read a score file; whatever isn't told is found from the content.

    Parameters
    ----------
    source : str, Path, (bytes, name), or a list of these
        Several files, or those of a folder or archive, are joined on their unit ids.
    format : str, optional
        Key of a format in READERS.
    metric : str, optional
        Which metric of a file with several; else what to call the only one.
    dataset : str, optional
        Which data set of a file with several (a column names them), or of several files.
    dataset_column : str, optional
        Column of labels that names the data sets.
    id_column : str, sequence of str or False, optional
        Column of the unit ids, or several that make them together; False (or "none") when there is none.
    label_columns : sequence of str, optional
        All columns of labels; the other columns are systems then.
    system_column : str, optional
        Column of the system names in long data, or in a table with systems as rows.
    run_column : str, sequence of str or False, optional
        Column that names the runs (seeds) of a system, or several that do together; "names" where the
        systems' own names hold the run; False (or "none") where nothing is a run.
    systems_as_rows : bool, optional
        Whether a wide table has one row per system and one column per unit.
    lower_is_better : bool, optional
        Direction of the metric.
    delimiter : str, optional
        What stands between columns; a blank for any run of white space.
    quotes : bool, optional
        Whether quotation marks enclose cells of delimited text.
    sheet : str, optional
        Sheet of a workbook.
    header_row : int, optional
        Line of a text, or row of a sheet, with the names of the columns; what stands above is left out.
    drop_rows : sequence of str, optional
        Rows to leave out, such as "Average": those with a cell that is exactly one of these words (a
        number: in the first column only). Rows at an end that are statistics of the others by their names and
        values are left out unasked; "none" keeps them.
    bad_cells : {"refuse", "missing"}, optional
        "missing" takes text among scores ("TBD") as no score; else it is refused with its place.
    repeats : {"refuse", "first", "last", "mean"}, optional
        Which of several rows of one unit (and system and run) counts; else they are refused. First and last
        go by a column of times, where one tells the rows apart, or by their order.
    as_percent : sequence of str, optional
        Systems whose scores are multiplied by 100, because they are shares beside percentages.
    accept : sequence of str, optional
        Codes of problems ("mixed-scales") that somebody looked at and found right: they are remarks then.
    roles : str or mapping, optional
        What the columns are: "unit=utt_id,system=model,score=wer", role → columns, or column → role (`Role`).
        The keywords for columns above are short for these.
    max_bytes, max_unpacked_bytes, max_rows, max_columns, max_cells : int
        Bounds, see `Limits`.

    Returns
    -------
    ScoreMatrix
        Its `reading` holds these keywords as they were settled, and the reason for the format;
        given back they read the same matrix.

    Raises
    ------
    ScoreFileError
        One sentence: what is wrong, where, what to do; `RolesNeeded` where nobody can tell the columns.
    ConfigError
        An unknown format, or a choice that can't be used.

    Examples
    --------
    >>> scores = read_scores((b"item,A,B\\n1,0.5,0.25\\n2,1,\\n", "scores.csv"))
    >>> scores.systems, scores.units, scores.values.tolist()
    (('A', 'B'), ('1', '2'), [[0.5, 0.25], [1.0, nan]])
    """
    keywords = dict(locals())
    choices = choices_from({key: value for key, value in keywords.items() if key != "source"})
    check_format(choices.format)
    opened = open_files(source, choices.limits)
    read = replace(found(opened, choices), table=None)
    # Texts and tables of large files go before the scores are copied and looked at.
    return finished(replace(opened, sources=()), choices, read)


def found(opened: Opened, choices: Choices) -> Found:
    """What files hold, before it is checked; problems come with the name of the file."""
    try:
        return read_opened(opened, choices)
    except RolesNeeded as error:
        raise error.named(opened.name) from None
    except ScoreError as error:
        raise _named(opened, error) from None


def finished(opened: Opened, choices: Choices, read: Found) -> ScoreMatrix:
    """The checked matrix of what was found; raises ScoreFileError and ConfigError."""
    try:
        scores = _assembled(opened.name, read.part, choices)
    except ScoreError as error:
        raise _named(opened, error) from None
    format = choices.format if choices.format == "files" and opened.container else read.format
    return replace(scores, reading={"format": format, "reason": read.reason, **scores.reading})


def _named(opened: Opened, error: ScoreError) -> ScoreFileError:
    return about_file("" if opened.container == "files" else opened.name, error)


def _assembled(name: str, part: Part, choices: Choices) -> ScoreMatrix:
    """Check what every file must hold, settle the direction and look for oddities."""
    datasets = _datasets(part, choices)
    part = with_runs_of_names(one_dataset(part, choices), choices.run_column)
    _check(part)
    _check_lengths(part)
    if choices.as_percent:
        part = _with_percent(part, choices.as_percent)
    given = choices.lower_is_better
    said_by_format = part.lower is not None and given is None
    lower = bool(part.lower)
    remarks: tuple[Note, ...] = ()
    if not said_by_format:
        lower, remarks = settle_direction(given, part.metric, name, part.values)
    scores = ScoreMatrix(
        values=part.values,
        systems=tuple(part.systems),
        units=None if part.units is None else tuple(part.units),
        labels={label: tuple(cells) for label, cells in part.labels.items()},
        lower_is_better=lower,
        metric=part.metric,
        source=name,
        reading={
            **as_given(choices, ["run_column"]),
            **part.reading,
            **as_given(choices),
            "metric": part.metric,
            "lower_is_better": lower,
            **datasets,
        },
        counts=part.counts,
        runs=part.runs,
        ratings=part.ratings,
        costs=part.costs,
    )
    left_out: tuple[Note, ...] = ()
    if NO_COLUMN not in (choices.drop_rows or ()):
        scores, left_out = without_statistics(scores)
    notes = (*part.notes, *left_out, *remarks, *check_scores(scores))
    right = choices.accept or ()
    return replace(scores, notes=tuple(replace(n, severity="info") if n.code in right else n for n in notes))


def _check_lengths(part: Part) -> None:
    """No name of a system or unit and no label is longer than fits on a page."""
    for what, texts in (("system", part.systems), ("item", part.units or ()), *part.labels.items()):
        longest = max(map(len, texts), default=0)
        if longest > LONGEST_NAME:
            raise BoundsExceeded(
                f"a cell of {shown(what)} has {longest:,} characters, more than {LONGEST_NAME:,}; shorten "
                "it, or leave its column out."
            )


def _with_percent(part: Part, systems: Sequence[str]) -> Part:
    """The scores of some systems times 100; raises ScoreFileError for a system that isn't there."""
    for name in systems:
        if name not in part.systems:
            raise ScoreFileError(f"{absent('system', name, part.systems)}.")
    if part.counts is not None and systems:
        raise ScoreFileError("scores made of counts are shares; leave as_percent out.")
    columns, values, runs = [part.systems.index(name) for name in systems], part.values.copy(), part.runs
    values[:, columns] = np.round(100 * values[:, columns], PERCENT_DECIMALS)
    if runs is not None:
        tables = list(runs.values)
        for i in columns:
            tables[i] = np.round(100 * tables[i], PERCENT_DECIMALS)
        runs = replace(runs, values=tuple(tables))
    ratings = part.ratings
    if ratings is not None:
        factor = np.ones(values.shape[1])
        factor[columns] = 100.0
        ratings = ratings.times(factor)
    return replace(part, values=values, runs=runs, ratings=ratings)


def _datasets(part: Part, choices: Choices) -> dict[str, list[str]]:
    """The names of the data sets where the file or the files hold several."""
    column = dataset_column(part.labels, choices.dataset_column)
    inside: Sequence[str] = () if column is None else dataset_names(part.labels[column])
    names = part.datasets or inside
    return given_lists(datasets=names) if len(names) > 1 else {}


def _check(part: Part) -> None:
    present = ~np.isnan(part.values)
    hint = next((f" {note.text}" for note in part.notes if note.code.endswith(_HINTS)), "")
    if not present.any():
        of = "" if part.metric is None else f" of {shown(part.metric)}"
        text = f"no numbers where scores{of} are expected; give every system a column of numbers."
        raise ScoreFileError(text + (hint if "write" in hint else ""))
    if len(part.systems) < 2:
        raise ScoreFileError(
            f"there is only one system, {shown(part.systems[0])}; give two or more, side by side "
            f"or one per file.{hint}"
        )
    scored = int(present.any(axis=1).sum())
    if scored < 2:
        raise ScoreFileError(f"there is only {scored} item with scores; give at least two rows of scores.")
