"""read_boards: every metric, or every data set, of an upload as a score matrix of its own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from nlpstat_core.errors import ConfigError, Remedy, ScoreFileError, shown, unknown
from nlpstat_core.formatting import some_names
from nlpstat_core.notes import RATINGS_IN_WORDS, Note
from nlpstat_core.readers.formats import check_format
from nlpstat_core.readers.open.filenames import system_names
from nlpstat_core.readers.open.files import Given, Opened, open_files
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.read import finished, found
from nlpstat_core.readers.roles.choices import Choices, choices_from
from nlpstat_core.readers.roles.documents import dataset_column, dataset_names
from nlpstat_core.scores.matrix import ScoreMatrix

Each = Literal["metric", "dataset"]
EACH: tuple[str, ...] = get_args(Each)
MOST_TRIED = 100  # where so many files are no boards, the others are none either
WORDS = {"metric": "metrics", "dataset": "data sets"}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
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

    def __repr__(self) -> str:
        return f"<ScoreBoards: {len(self):,} by {self.each}: {some_names(tuple(self.scores))}>"

    def __getitem__(self, name: str) -> ScoreMatrix:
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)


def read_boards(
    source: Given | list[Given], *, each: Each, lower: Sequence[str] | None = None, **choices: Any
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
    settled = choices_from(choices)
    check_format(settled.format)
    if choices.get(each) is not None:
        raise ConfigError(f"{each} chooses one board and each={each!r} all of them; leave one out.")
    opened = open_files(source, settled.limits)
    read, names, problem = _found(opened, each, settled)
    scores: dict[str, ScoreMatrix] = {}
    left_out: dict[str, str] = {}
    for name in names:
        given = {} if lower is None else {"lower_is_better": name in lower}
        try:
            scores[name] = read(name, given)
        except ScoreFileError as error:
            left_out[name] = error.sentence
    for name in lower or ():
        if name not in names:
            if problem is not None and not names:
                raise ConfigError(problem.sentence)
            raise ConfigError(f"{absent(each, name, names)}.")
    if len(scores) < 2:
        _refuse(each, scores, left_out, problem)
    given_lower = {} if lower is None else {"lower": list(lower)}
    return ScoreBoards(each=each, scores=scores, left_out=left_out, reading={**choices, **given_lower})


_Read = Callable[[str, Mapping[str, Any]], ScoreMatrix]


def _found(
    opened: Opened, each: Each, choices: Choices
) -> tuple[_Read, Sequence[str], ScoreFileError | None]:
    """How to read one board, and the names of all; the last is why the files can't be read as a whole."""

    def one(keyword: str) -> _Read:
        def read(name: str, given: Mapping[str, Any]) -> ScoreMatrix:
            own = replace(choices, **{**given, keyword: name})
            return finished(opened, own, found(opened, own))

        return read

    problem = None
    try:
        whole = found(opened, choices)
        if each == "dataset":
            column = dataset_column(whole.part.labels, choices.dataset_column)
            if column is not None:

                def inside(name: str, given: Mapping[str, Any]) -> ScoreMatrix:
                    own = replace(choices, **{**given, "dataset": name})
                    try:
                        return finished(opened, own, whole)
                    except ScoreFileError:
                        if choices.metric is not None:
                            raise
                        return finished(opened, own, found(opened, own))  # with a metric of its own

                return inside, dataset_names(whole.part.labels[column]), None
        scores = finished(opened, choices, whole)
    except ScoreFileError as error:
        problem = error  # files that hold the same systems can't be joined, but each may be a board
    else:
        for keyword, key in ((each, f"{each}s"), ("sheet", "sheets")):
            if key in scores.several and getattr(choices, keyword) is None:
                return one(keyword), scores.several[key], None
        hint = next((note.text for note in scores.notes if note.code == RATINGS_IN_WORDS), "")
        if hint and each == "metric" and len(opened.sources) < 2:
            problem = ScoreFileError(f"there is only one metric of numbers here. {hint}")
    if len(opened.sources) < 2:
        return one(each), (), problem
    names = system_names([source.path for source in opened.sources])
    pairs = zip(names, opened.sources, strict=True)
    by_name = {name: Opened(name=source.name, sources=(source,)) for name, source in pairs}
    members = replace(choices, format=None)

    def of_file(name: str, given: Mapping[str, Any]) -> ScoreMatrix:
        own = replace(members, **given)
        return finished(by_name[name], own, found(by_name[name], own))

    return of_file, names, problem


def read_board(source: Given | list[Given], **choices: Any) -> ScoreMatrix:
    """The scores of a file; of an archive whose files are boards of their own, the first that is one.

    Returns: `several` names the files; a note says which was read.
    """
    settled = choices_from(choices)
    check_format(settled.format)
    opened = open_files(source, settled.limits)
    try:
        return finished(opened, settled, found(opened, settled))
    except ScoreFileError:
        if settled.dataset is not None or len(opened.sources) < 2:
            raise
        names = system_names([one.path for one in opened.sources])
        for name, one in list(zip(names, opened.sources, strict=True))[:MOST_TRIED]:
            alone = Opened(name=one.name, sources=(one,))
            own = replace(settled, dataset=name)
            try:
                finished(alone, replace(settled, format=None), found(alone, replace(settled, format=None)))
                scores = finished(opened, own, found(opened, own))
            except ScoreFileError:
                continue
            text = f"The archive holds {len(names):,} boards; {shown(name)} was read (choose with dataset)."
            return replace(scores, notes=(*scores.notes, Note("dataset-chosen", "info", text)))
        raise


def _refuse(
    each: Each, scores: Mapping[str, ScoreMatrix], left_out: Mapping[str, str], problem: ScoreFileError | None
) -> None:
    if left_out:
        name, why = next(iter(left_out.items()))
        have = f"only {shown(next(iter(scores)))}" if scores else "none"
        raise ScoreFileError(
            f"of the file's {WORDS[each]} {have} can be compared; {shown(name)} can't: ", why
        )
    if problem is not None:
        raise problem
    how = {
        "metric": ("a column 'metric', several columns of scores",),
        "dataset": ("a column such as 'dataset'", Remedy("dataset_column", form="aside")),
    }
    need = f"there is only one board here; several {WORDS[each]} need "
    raise ScoreFileError(need, *how[each], ", sheets or files.")
