"""What the columns of gold and outputs are: ids, right answers, answers of systems, labels of items."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations

from nlpstat_core.errors import Remedy, ScoreFileError, some_shown
from nlpstat_core.readers.open.cells import number
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.roles.names import Kind, normal, says
from nlpstat_core.readers.submissions.cells import Cell, Cells

# Names of the column with a system's answers, and of that with what is right, the likeliest first.
_CERTAIN = (
    "prediction|predictions|predicted|pred|preds|y_pred|predicted_label|prediction_label|predicted_tags|pred_tags|"
    "output|outputs|system_output|answer|answers|hypothesis|hyp|translation|response|generated|pred_label|label_pred|"
    "filtered_resps|completion|generation|generated_text|model_output|model_answer|mt"
)
# May also say what items are.
_LIKELY = "label|labels|tag|tags|ner_tags|class|category|text|score|value|result|probability|prob"
_GOLDS = (
    "gold|golds|gold_label|gold_labels|gold_answer|gold_score|gold_tags|ground_truth|groundtruth|truth|"
    "true_label|y_true|y_gold|true|target|targets|expected|reference|references|ref|refs|answer|answers|"
    "correct_label|correct_answer|label|labels|tag|tags|class|score|rating|value"
)
_TOLD_OF_ITEMS = (
    "text|sentence|sentence1|sentence2|source|src|question|query|premise|hypothesis|context|passage|tokens|"
    "words|title|body|tweet|comment|reason|explanation|usage"
)
_OR_OF_ITEMS = ("hypothesis", "hyp", "translation", "mt")  # what is judged, where labels or scores are given
_ENOUGH = 5  # rows below a header that tell it from a row
MADE_UP = "column "  # names of columns that have none, with their numbers
CERTAIN, LIKELY = _CERTAIN.split("|"), _LIKELY.split("|")
ANSWERS, GOLDS = [*CERTAIN, *LIKELY], _GOLDS.split("|")
_MORE_LABELS = frozenset(_TOLD_OF_ITEMS.split("|"))


def named_columns(cells: Cells, told: Collection[str | None] = ()) -> Cells:
    """Rows with names for their columns: the first row's, or made-up ones where it is a row as any other."""
    if cells.header is not None:
        return cells
    if not cells.rows:
        raise ScoreFileError("there are no rows; give one answer per line.")
    first = [cell if isinstance(cell, str) else "" for cell in cells.rows[0]]
    if _is_header(first, cells, told):
        names = tuple(cell.strip().lstrip("#").strip() for cell in first)
        return replace(cells, header=names, rows=cells.rows[1:], lines=cells.lines[1:])
    return replace(cells, header=tuple(f"{MADE_UP}{place + 1}" for place in range(cells.width)))


def _is_header(first: Sequence[str], cells: Cells, told: Collection[str | None]) -> bool:
    names = [cell.strip().lstrip("#").strip() for cell in first]
    if len(set(names)) < len(names) or (len(names) > 1 and not all(names[1:])):
        return False
    body = cells.rows[1:]
    if _is_pandas_header(names, body):
        return True
    if any(number(name) is not None for name in names if name):
        return False
    if cells.width > 1 and any(name in told for name in names):
        return True
    if cells.width == 1:
        # A lone word such as "label" may be an answer, too: it is a name where it never comes again.
        numbers = len(body) >= _ENOUGH and all(_is_number(row[0]) for row in body)
        named = normal(names[0]) in {*ANSWERS, *GOLDS} and all(row[0] != first[0] for row in body)
        return named or numbers
    if any(says(Kind.ID, name) or normal(name) in {*ANSWERS, *GOLDS} for name in names if name):
        return all(list(row) != list(cells.rows[0]) for row in body)
    numeric = [place for place in range(len(names)) if body and all(_is_number(row[place]) for row in body)]
    return bool(numeric) or _ids_have_digits(cells)


def _is_pandas_header(names: Sequence[str], body: Sequence[Sequence[Cell]]) -> bool:
    """Whether names are those that pandas gives to an index and columns without names: nothing, 0, 1 …"""
    if len(names) < 2 or names != ["", *map(str, range(len(names) - 1))]:
        return False
    return bool(body) and all(isinstance(row[0], str) and row[0].strip() for row in body)


def _ids_have_digits(cells: Cells) -> bool:
    """Whether a column has digits in all cells but the first, and no first cell of any column comes again."""
    first, body = cells.rows[0], cells.rows[1:]
    if len(body) < _ENOUGH or any(row[place] == cell for place, cell in enumerate(first) for row in body):
        return False
    return any(
        not _has_digit(first[place]) and all(_has_digit(row[place]) and " " not in row[place] for row in body)
        for place in range(cells.width)
    )


def _has_digit(cell: Cell) -> bool:
    return isinstance(cell, str) and any(map(str.isdecimal, cell))


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, str) and bool(cell.strip()) and number(cell) is not None


def place_of(name: str, header: Sequence[str], remedy: Remedy) -> int:
    """The place of a column that the user named; raises ScoreFileError where there is none."""
    if name not in header:
        raise ScoreFileError(absent("column", name, header), remedy, ".")
    return list(header).index(name)


def ids_place(cells: Cells, known: Collection[str] | None, told: str | None = None) -> int | None:
    """The column of the item ids; None where nothing is one.

    known: Ids of gold, once they are known: the column that holds most of them is it.
    """
    header = cells.header or ()
    if told is not None:
        return place_of(told, header, Remedy("id_column", form="aside"))
    if known:
        shares = [_share(cells, place, known) for place in range(len(header))]
        best = max(range(len(header)), key=lambda place: shares[place], default=0)
        if shares and shares[best] >= 0.5:
            return best
    # What only counts the rows ("Unnamed: 0", index) is an id where nothing else is one.
    counting = [says(Kind.ROW_COUNT, name) for name in header]
    found = [
        place
        for place, name in enumerate(header)
        # One in front is it in any case: ids that come twice are refused with their place.
        if says(Kind.ID, name) and len(header) > 1 and (not place or _all_differ(cells, place))
    ]
    if found:
        # What is written in words ("sentence") is one where nothing else is.
        return min(found, key=lambda place: (_is_worded(cells, place), counting[place]))
    for place, name in enumerate(header):
        if says(Kind.MORE_UNIT, name) and len(header) > 1 and _all_differ(cells, place):
            return place
    unnamed = len(header) > 1 and (not header[0] or header[0] == f"{MADE_UP}1")
    fractions = any("." in str(cell) and _is_number(cell) for cell in cells.column(0)) if unnamed else False
    return 0 if unnamed and _all_differ(cells, 0) and not fractions else None


def key_of(cells: Cells, taken: int) -> tuple[int, ...]:
    """Two columns that name the items together (a document and its sentence); empty where none do.

    taken: The place of what is right.
    """
    header = cells.header or ()
    named = [
        place
        for place, name in enumerate(header)
        if place != taken
        and any(says(kind, name) for kind in (Kind.ID, Kind.MORE_UNIT, Kind.DOCUMENT))
        and not _is_worded(cells, place)
        and all(isinstance(cell, str) and cell.strip() for cell in cells.column(place))
    ]
    for pair in combinations(named, 2):
        if len(set(keys(cells, pair))) == len(cells.rows):
            return pair
    return ()


def keys(cells: Cells, places: Sequence[int]) -> list[str]:
    """The cells of some columns as one id a row."""
    return [":".join(str(row[place]).strip() for place in places) for row in cells.rows]


def _is_worded(cells: Cells, place: int) -> bool:
    """Whether most cells of a column are several words."""
    column = cells.column(place)
    return sum(isinstance(cell, str) and " " in cell.strip() for cell in column) > 0.5 * len(column)


def _share(cells: Cells, place: int, known: Collection[str]) -> float:
    column = [cell.strip() for cell in cells.column(place) if isinstance(cell, str)]
    return len(set(column) & set(known)) / max(1, len(column)) if len(set(column)) > 1 else 0.0


def _all_differ(cells: Cells, place: int) -> bool:
    column = cells.column(place)
    return len(set(column)) == len(column)


def by_names(header: Sequence[str], names: Sequence[str], among: Sequence[int]) -> int | None:
    """The column with the likeliest of these names, else None."""
    spelt = {normal(header[place]): place for place in reversed(among)}
    return next((spelt[name] for name in names if name in spelt), None)


def is_label(name: str) -> bool:
    """Whether a column tells something of the items: their text, document, domain."""
    return says(Kind.LABEL, name) or says(Kind.TEXT, name) or normal(name) in _MORE_LABELS


def answer_place(cells: Cells, ids: int | None, gold_name: str | None, told: str | None) -> list[int]:
    """The columns that may be answers: one where a name or the rest tells; several where each is a system."""
    header = cells.header or ()
    if told is not None:
        return [place_of(told, header, Remedy("output_column", form="aside"))]
    open_ = [place for place in range(len(header)) if place != ids]
    if len(open_) == 1:
        return open_
    # A file may repeat what gold tells of the items: its text, say.
    own = [] if gold_name is None else [normal(gold_name)]
    certain = [name for name in CERTAIN if name not in _OR_OF_ITEMS]
    found = by_names(header, [*certain, *own, *_OR_OF_ITEMS, *LIKELY], open_)
    return open_ if found is None else [found]


def ask_for(what: str, remedy: Remedy, header: Sequence[str]) -> ScoreFileError:
    """The refusal where nobody can tell a column."""
    text = f"it isn't clear which column holds {what}: {some_shown(header, 10)}; "
    return ScoreFileError(text, remedy, ".")
