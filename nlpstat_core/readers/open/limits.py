"""Bounds of what is read."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, fields

from nlpstat_core.errors import BoundsExceeded, ConfigError, Remedy, ScoreFileError, shown, some_shown

MIB = 1024 * 1024
MOST = 10**15  # of any bound: what one may ask of the libraries that count in it


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of what is read, checked before the costly steps.

    max_bytes: Size of a file, and of several files together.
    max_unpacked_bytes: Size of what compressed files hold: all members of an archive or workbook, a .gz.
    max_rows: Rows of a table: lines of a text, rows of a sheet; objects and lists of JSON.
    max_cells: Cells of a table, labels included.
    Raises ConfigError: A bound below 1 or above 10¹⁵.
    """

    max_bytes: int = 50 * MIB
    max_unpacked_bytes: int = 100 * MIB
    max_rows: int = 2_000_000
    max_columns: int = 20_000
    max_cells: int = 30_000_000

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ConfigError(f"{item.name} must be a whole number, at least 1, not {shown(value)}.")
            if value > MOST:
                raise ConfigError(
                    f"{item.name} must be a whole number, at most {MOST:,}, not {shown(value)}."
                )


def beyond(what: str, remedy: Remedy, whole: str = "file") -> ScoreFileError:
    """The complaint about more than a bound allows, which may be raised."""
    return BoundsExceeded(f"{what}; split the {whole} or ", remedy, ".")


def too_many(what: str, many: int, most: int, whole: str = "file") -> ScoreFileError:
    """The complaint about a table with too many rows."""
    return beyond(f"{many:,} {what} are more than {most:,}", Remedy("max_rows"), whole)


def check_size(rows: int, columns: int, limits: Limits, whole: str = "file") -> None:
    """Refuse a table that has too many rows, columns or cells."""
    if rows > limits.max_rows:
        raise too_many("rows", rows, limits.max_rows, whole)
    if columns > limits.max_columns:
        many = f"{columns:,} columns are more than {limits.max_columns:,}"
        raise beyond(many, Remedy("max_columns"), whole)
    if rows * columns > limits.max_cells:
        many = f"{rows:,} rows × {columns:,} columns are more than {limits.max_cells:,} cells"
        raise beyond(many, Remedy("max_cells"), whole)


def too_wide(line: int, most: int) -> ScoreFileError:
    """The complaint about a line with too many columns."""
    text = f"line {line} has more than {most:,} columns; give a long table or "
    return BoundsExceeded(text, Remedy("max_columns"), ".")


def absent(kind: str, name: object, there: Sequence[str]) -> str:
    """Sentence for a name the user gave that the file doesn't have, without its full stop.

    >>> absent("metric", "blue", ["bleu", "chrf"])
    "there is no metric 'blue' (did you mean 'bleu'?); the file has 'bleu', 'chrf'"
    """
    near = difflib.get_close_matches(str(name), there[:1000], n=1, cutoff=0.5)
    hint = f" (did you mean {shown(near[0])}?)" if near else ""
    return f"there is no {kind} {shown(name)}{hint}; the file has {some_shown(there, 10)}"
