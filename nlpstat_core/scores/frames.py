"""Data frames of any library, and mappings of columns, as names and cells."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreError, shown, unknown

Cells = FloatArray | list[str]
FRAMES = 'a data frame (pandas, polars, Arrow), records, a mapping of columns or {"system": {"item": score}}'
_MISSING = ("NAType", "NaTType")  # of pandas
_EXACT = 2**53  # whole numbers below it are the same as floats


def is_frame(given: object) -> bool:
    """Whether something is a data frame that narwhals knows, or a mapping.

    >>> is_frame({"A": [1, 2]}), is_frame("scores.csv")
    (True, False)
    """
    if isinstance(given, Mapping):
        return True
    if isinstance(given, str | bytes | tuple | list | np.ndarray):
        return False
    from narwhals.dependencies import is_into_dataframe, is_polars_lazyframe

    return is_into_dataframe(given) or is_polars_lazyframe(given)


def columns_of(frame: Any) -> dict[str, Cells]:
    """The columns by name: numbers as floats (NaN where missing), the rest as text ("" where missing).

    An index of pandas is the first column, unless it only counts rows; its name is empty where it has none.
    So are the items of a mapping of mappings (or of series with an index), which are joined.
    Raises ScoreError: Names that appear twice or stand in levels, columns of unlike length, lazy frames.

    >>> columns_of({"item": ["s1", None], "A": [True, False]})
    {'item': ['s1', ''], 'A': array([1., 0.])}
    >>> columns_of({"A": {"q1": 1, "q2": 2}, "B": {"q2": 4}})
    {'': ['q1', 'q2'], 'A': array([1., 2.]), 'B': array([nan,  4.])}
    """
    if isinstance(frame, Mapping):
        names, columns = _of_mapping({str(name): cells for name, cells in frame.items()})
    else:
        names, columns = _of_frame(frame)
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise ScoreError(f"Two columns are called {shown(twice)}; give each its own name.")
    return dict(zip(names, columns, strict=True))


def wide_parts(
    frame: Any, item: str | None, labels: Sequence[str], systems: Sequence[str] | None
) -> dict[str, Any]:
    """The parts of a matrix in a frame of one row an item; `ScoreMatrix.from_frame` says which.

    Raises ScoreError: A column that isn't there, or that is told or by its content no system's.
    """
    columns = columns_of(frame)
    if isinstance(item, bool) or not isinstance(item, str | None):
        raise ScoreError(f"item must be the name of a column, not {shown(item)}.")
    names = list(columns)
    if item is None and names and names[0] not in map(str, getattr(frame, "columns", frame)):
        item = names[0]  # the index, or the items of mappings
    labels = _listed(labels)
    told = [*([] if item is None else [item]), *labels]
    chosen = [name for name in names if name not in told] if systems is None else _listed(systems)
    _check_there(columns, [*told, *chosen])
    for name in chosen:
        cells = columns[name]
        if isinstance(cells, list):
            bad = next((cell for cell in cells if cell), "")
            raise ScoreError(
                f"Column {shown(name)} holds text ({shown(bad)}); name it in labels or as item, "
                "or name the columns of scores in systems."
            )
    ids = [name for name in chosen if _may_be_ids(columns[name])] if item is None and systems is None else []
    if ids and len(ids) < len(chosen):
        raise ScoreError(
            f"Column {shown(ids[0])} may be the ids of the items: whole numbers, each once; say "
            f"item={ids[0]!r}, or name the columns of scores in systems."
        )
    return {
        "values": np.stack([np.asarray(columns[name]) for name in chosen], axis=1) if chosen else [[]],
        "systems": tuple(chosen),
        "units": None if item is None else tuple(_texts(columns[item])),
        "labels": {name: tuple(_texts(columns[name])) for name in labels},
    }


def long_parts(frame: Any, system: str, item: str, score: str, labels: Sequence[str]) -> dict[str, Any]:
    """The parts of a matrix in a frame of one row per system and item; see `ScoreMatrix.from_long`."""
    columns = columns_of(frame)
    labels = _listed(labels)
    _check_there(columns, [system, item, score, *labels])
    scores = columns[score]
    if isinstance(scores, list):
        bad = next((cell for cell in scores if cell), "")
        raise ScoreError(f"Column {shown(score)} holds text ({shown(bad)}) where scores are expected.")
    of_systems, of_items = _texts(columns[system]), _texts(columns[item])
    systems, items = _places(of_systems), _places(of_items)
    values = np.full((len(items), len(systems)), np.nan)
    taken = np.zeros(values.shape, dtype=bool)
    found: dict[str, list[str | None]] = {name: [None] * len(items) for name in labels}
    texts = {name: _texts(columns[name]) for name in labels}
    for i, (one, unit) in enumerate(zip(of_systems, of_items, strict=True)):
        place = (items[unit], systems[one])
        if taken[place]:
            raise ScoreError(
                f"System {shown(one)} has two rows for item {shown(unit)}; keep one, or average them first "
                "(read_scores takes several runs)."
            )
        taken[place], values[place] = True, scores[i]
        for name, cells in texts.items():
            if found[name][place[0]] not in (None, cells[i]):
                raise ScoreError(f"Label {shown(name)} of item {shown(unit)} differs between its rows.")
            found[name][place[0]] = cells[i]
    return {
        "values": values,
        "systems": tuple(systems),
        "units": tuple(items),
        "labels": {name: tuple(map(str, cells)) for name, cells in found.items()},
    }


def _listed(names: Sequence[str]) -> list[str]:
    """Names; one alone is a list, too."""
    return [names] if isinstance(names, str) else list(names)


def _check_there(columns: Iterable[str], named: Sequence[str]) -> None:
    there = list(columns)
    for i, name in enumerate(named):
        if name not in there:
            raise ScoreError(unknown("column", str(name), there))
        if name in named[:i]:
            raise ScoreError(f"Column {shown(name)} is named twice; give it one role.")


def _may_be_ids(cells: Cells) -> bool:
    """Whether a column holds whole numbers, each once."""
    numbers = np.asarray(cells, dtype=np.float64)
    return len(numbers) > 2 and len(np.unique(numbers)) == len(numbers) and bool((numbers % 1 == 0).all())


def _texts(cells: Cells) -> list[str]:
    """Cells as names: 3.0 is "3"."""
    if isinstance(cells, list):
        return cells
    return [
        "" if cell != cell else str(int(cell)) if cell.is_integer() else repr(cell) for cell in cells.tolist()
    ]


def _places(names: Sequence[str]) -> dict[str, int]:
    """Distinct names in the order in which they come first, with their places."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def of_records(given: object) -> dict[str, Sequence[Any]] | None:
    """A list of records as a mapping of columns, with None where a record lacks one; None for other things.

    >>> of_records([{"item": "q1", "A": 1}, {"item": "q2", "B": 2}])
    {'item': ['q1', 'q2'], 'A': [1, None], 'B': [None, 2]}
    """
    if not isinstance(given, list) or not given or not all(isinstance(one, Mapping) for one in given):
        return None
    names = dict.fromkeys(name for record in given for name in record)
    return {str(name): [record.get(name) for record in given] for name in names}


def is_series(given: object) -> bool:
    """Whether something is a series of pandas, without importing it."""
    return hasattr(given, "index") and hasattr(given, "to_numpy") and not hasattr(given, "columns")


def by_item(cells: Any, counted: bool = True) -> dict[str, Any] | None:
    """Cells by item id, of a mapping or of a series of pandas; None for lists and arrays.

    counted: Whether an index that only counts rows is ids, too.
    Raises ScoreError: An id that appears twice.
    """
    if isinstance(cells, Mapping):
        items = list(cells.items())
    elif is_series(cells) and (counted or not _counts_rows(cells.index)):
        items = list(zip(cells.index, cells.to_numpy(), strict=True))
    else:
        return None
    found: dict[str, Any] = {}
    for item, cell in items:
        if str(item) in found:
            raise ScoreError(f"The item {shown(item)} appears twice; item ids must be unique.")
        found[str(item)] = cell
    return found


def _of_mapping(frame: Mapping[str, Any]) -> tuple[list[str], list[Cells]]:
    """Columns as they are, or joined by the ids of their items where any has some."""
    if all(by_item(cells, counted=False) is None for cells in frame.values()):
        return _of_columns(frame)
    joined = {name: by_item(cells) for name, cells in frame.items()}
    plain = next((name for name, cells in joined.items() if cells is None), None)
    if plain is not None:
        named = next(name for name, cells in joined.items() if cells is not None)
        raise ScoreError(f"{shown(named)} names its items and {shown(plain)} doesn't; give both alike.")
    items = list(dict.fromkeys(item for cells in joined.values() for item in cells or ()))
    columns = [
        _of_values([_scalar((cells or {}).get(item), name, item) for item in items])
        for name, cells in joined.items()
    ]
    return ["", *joined], [items, *columns]


def _of_columns(frame: Mapping[str, Any]) -> tuple[list[str], list[Cells]]:
    columns = {name: _of_values(cells) for name, cells in frame.items()}
    first = next(iter(columns), "")
    for name, column in columns.items():
        if len(column) != len(columns[first]):
            raise ScoreError(
                f"Lists of one board need one length: {shown(first)} has {len(columns[first]):,} entries and "
                f"{shown(name)} {len(column):,}; "
                'put None where there is no score, or name the items: {"system": {"item": score}}.'
            )
    return list(columns), list(columns.values())


def _scalar(cell: Any, name: str, item: str) -> Any:
    if isinstance(cell, Mapping | list | tuple | np.ndarray):
        raise ScoreError(
            f"{shown(name)}, {shown(item)}: {shown(cell)} is not a score; give one number per item."
        )
    return cell


def _of_frame(frame: Any) -> tuple[list[str], list[Cells]]:
    import narwhals
    from narwhals.exceptions import DuplicateError

    try:
        known: Any = narwhals.from_native(frame)
        if isinstance(known, narwhals.LazyFrame):
            raise ScoreError("The frame is lazy; collect() it first.")
        names = list(known.columns)
    except DuplicateError:
        names = list(map(str, frame.columns))
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ScoreError(f"Two columns are called {shown(twice)}; give each its own name.") from None
    if any(isinstance(name, tuple) for name in names):
        raise ScoreError("The columns have names in several levels; take one level, as frame['bleu'] does.")
    columns = [_of_series(known[name]) for name in names]
    index = narwhals.maybe_get_index(known)
    if index is not None and not _counts_rows(index):
        values = list(index)
        if values and isinstance(values[0], tuple):
            raise ScoreError("The index has several levels; make them columns with reset_index().")
        names, columns = [index.name or "", *names], [_of_values(values), *columns]
    return [str(name) for name in names], columns


def _counts_rows(index: Any) -> bool:
    """Whether an index of pandas is 0, 1, 2 … without a name."""
    return index.name is None and np.array_equal(np.asarray(index), np.arange(len(index)))


def _of_series(series: Any) -> Cells:
    import narwhals

    if series.dtype == narwhals.Boolean and not series.is_null().any():
        return np.asarray(series.to_numpy(), dtype=np.float64)
    if series.dtype.is_float() or series.dtype.is_integer():
        if series.dtype == narwhals.Float32:
            return _widened(np.asarray(series.to_numpy(), dtype=np.float32))
        if series.dtype.is_float() or series.len() == 0 or series.cast(narwhals.Float64).abs().max() < _EXACT:
            return np.asarray(series.cast(narwhals.Float64).to_numpy(), dtype=np.float64)
    missing = series.is_null().to_list()
    return _of_values([None if gone else cell for cell, gone in zip(series.to_list(), missing, strict=True)])


def _of_values(values: Any) -> Cells:
    """A list, an array or a series of anything."""
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise ScoreError(f"A column must be a list or an array, not {shown(values)}.")
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise ScoreError(f"A column must have one dimension, not {values.ndim}.")
    if isinstance(values, np.ndarray) and values.dtype == np.float32:
        return _widened(values)
    cells = values.tolist() if hasattr(values, "tolist") else list(values)
    cells = [None if type(cell).__name__ in _MISSING else cell for cell in cells]
    there = [cell for cell in cells if cell is not None]
    if all(isinstance(cell, bool | int | float | np.number | np.bool_) for cell in there) and all(
        abs(cell) < _EXACT for cell in there if isinstance(cell, int)
    ):
        return np.array([np.nan if cell is None else float(cell) for cell in cells], dtype=np.float64)
    return [_text(cell) for cell in cells]


def _widened(values: Any) -> FloatArray:
    """Single precision as the shortest number that it stands for: 0.1 and not 0.10000000149011612."""
    return np.array(values.astype(str).tolist(), dtype=np.float64)


def _text(cell: Any) -> str:
    """A cell as text; missing ones of every library are empty."""
    if cell is None or (isinstance(cell, float) and cell != cell) or type(cell).__name__ in _MISSING:
        return ""
    if isinstance(cell, bool):
        return "1" if cell else "0"
    return str(cell)
