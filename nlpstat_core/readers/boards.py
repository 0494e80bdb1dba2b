"""read_boards: every metric, or every data set, of an upload as a score matrix of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from nlpstat_core.errors import ConfigError, ScoreFileError, shown, unknown
from nlpstat_core.readers.choices import choices_from
from nlpstat_core.readers.datasets import dataset_column, dataset_names
from nlpstat_core.readers.filenames import system_names
from nlpstat_core.readers.firstboard import files_inside
from nlpstat_core.readers.names import absent
from nlpstat_core.readers.read import finished, flat, found, read_scores
from nlpstat_core.readers.record import Probe
from nlpstat_core.readers.source import Source, load
from nlpstat_core.scores import ScoreMatrix

Each = Literal["metric", "dataset"]
EACH: tuple[str, ...] = get_args(Each)
WORDS = {"metric": "metrics", "dataset": "data sets"}


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreBoards(Mapping[str, ScoreMatrix]):
    """Score matrices by the name of their metric or data set.

    Attributes
    ----------
    each : {"metric", "dataset"}
        What the names are.
    scores : mapping of str to ScoreMatrix
        In the order of the file.
    left_out : mapping of str to str
        Metrics or data sets that can't be read as scores of several systems, and why.
    reading : mapping
        Keywords of `read_boards`.

    Examples
    --------
    >>> text = b"system,item,bleu,ter\\nA,1,3,1\\nA,2,4,2\\nB,1,1,5\\nB,2,2,6\\n"
    >>> read_boards((text, "scores.csv"), each="metric")["ter"].systems
    ('A', 'B')
    """

    each: Each
    scores: Mapping[str, ScoreMatrix]
    left_out: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> ScoreMatrix:
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)


def read_boards(
    source: Source | list[Source],
    *,
    each: Each,
    lower: Sequence[str] | None = None,
    **choices: Any,
) -> ScoreBoards:
    """Read every metric, or every data set, of a file, an archive, a workbook or several files.

    Parameters
    ----------
    source : str, Path, (bytes, name), or a list of these
        As for `read_scores`.
    each : {"metric", "dataset"}
        What the boards are. Metrics: those of a metric column, of several columns of scores, else the
        sheets of a workbook, else the files. Data sets: the values of a column that names them
        (`dataset_column`), else the sheets, else the files.
    lower : sequence of str, optional
        Names of the boards whose lower scores are better; higher ones are better in all others. Without it
        the name of each metric tells.
    **choices
        Keywords of `read_scores`.

    Returns
    -------
    ScoreBoards

    Raises
    ------
    ScoreFileError
        Fewer than two boards, or what is wrong with the file.
    ConfigError
        A choice that can't be used.

    Examples
    --------
    >>> text = b"system,item,bleu,ter\\nA,1,3,1\\nA,2,4,2\\nB,1,1,5\\nB,2,2,6\\n"
    >>> boards = read_boards((text, "scores.csv"), each="metric")
    >>> {name: scores.lower_is_better for name, scores in boards.items()}
    {'bleu': False, 'ter': True}
    """
    if each not in EACH:
        raise ConfigError(unknown("kind of board", each, EACH))
    choices_from(choices)
    if choices.get(each) is not None:
        raise ConfigError(f"{each} chooses one board and each={each!r} all of them; leave one out.")
    source = _flat(source)
    read, names, problem = _found(source, each, choices)
    scores: dict[str, ScoreMatrix] = {}
    left_out: dict[str, str] = {}
    for name in names:
        told = {} if lower is None else {"lower_is_better": name in lower}
        try:
            scores[name] = read(name, told)
        except ScoreFileError as error:
            left_out[name] = str(error)
    for name in lower or ():
        if name not in names:
            raise ConfigError(f"{absent(each, name, names)}." if names else str(problem))
    if len(scores) < 2:
        _refuse(each, scores, left_out, problem)
    told_lower = {} if lower is None else {"lower": list(lower)}
    return ScoreBoards(each=each, scores=scores, left_out=left_out, reading={**choices, **told_lower})


def _flat(source: Source | list[Source]) -> Source | list[Source]:
    """One file as itself, several with the files of a folder in its place."""
    files = flat(source if isinstance(source, list) else [source])
    return files[0] if len(files) == 1 else files


_Read = Callable[[str, Mapping[str, Any]], ScoreMatrix]


def _found(
    source: Source | list[Source], each: Each, choices: Mapping[str, Any]
) -> tuple[_Read, Sequence[str], ScoreFileError | None]:
    """How to read one board, and the names of all; the last is why the source can't be read as a whole."""

    def one(keyword: str) -> _Read:
        return lambda name, told: read_scores(source, **{**choices, **told, keyword: name})

    problem = None
    if each == "dataset" and not isinstance(source, list):
        inside = _inside(source, choices)
        if inside is not None:
            return (*inside, None)
    try:
        whole = read_scores(source, **choices)
    except ScoreFileError as error:
        problem = error  # files that hold the same systems can't be joined, but each may be a board
    else:
        for keyword, key in ((each, f"{each}s"), ("sheet", "sheets")):
            if key in whole.several and choices.get(keyword) is None:
                return one(keyword), whole.several[key], None
    files = files_inside(source, choices)
    if len(files) < 2:
        return one(each), (), problem
    names = system_names([name for _, name in files])
    by_name = dict(zip(names, files, strict=True))
    members = {key: value for key, value in choices.items() if key != "format"}
    return lambda name, told: read_scores(by_name[name], **{**members, **told}), names, problem


def _inside(source: Source, choices: Mapping[str, Any]) -> tuple[_Read, Sequence[str]] | None:
    """How to take data sets out of a file that is read once; None where no column names them."""
    settled = choices_from(choices)
    probe = Probe(*load(source, settled.limits), settled)
    try:
        part, format = found(probe)
    except ScoreFileError:
        return None  # reading it as a whole will say why, or find several files
    column = dataset_column(part.labels, settled.dataset_column)
    if column is None:
        return None

    def read(name: str, told: Mapping[str, Any]) -> ScoreMatrix:
        return finished(replace(probe, choices=replace(settled, dataset=name, **told)), part, format)

    return read, dataset_names(part.labels[column])


def _refuse(
    each: Each,
    scores: Mapping[str, ScoreMatrix],
    left_out: Mapping[str, str],
    problem: ScoreFileError | None,
) -> None:
    if left_out:
        name, why = next(iter(left_out.items()))
        have = f"only {shown(next(iter(scores)))}" if scores else "none"
        raise ScoreFileError(
            f"of the file's {WORDS[each]} {have} can be compared; {shown(name)} can't: {why}"
        )
    if problem is not None:
        raise problem
    how = {
        "metric": "a column 'metric', several columns of scores, sheets or files",
        "dataset": "a column such as 'dataset' (or say dataset_column), sheets or files",
    }
    raise ScoreFileError(f"there is only one board here; several {WORDS[each]} need {how[each]}.")
