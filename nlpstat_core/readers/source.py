"""From a path or an upload to bytes, and from bytes to text, within bounds."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, fields
from pathlib import Path

from nlpstat_core.errors import ConfigError, ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.gzipped import gunzip, is_gzip, without_ending
from nlpstat_core.readers.kinds import refuse_other_kinds

Source = str | Path | tuple[bytes, str]

MIB = 1024 * 1024
MOST_FILES = 5_000
_UTF16 = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")  # what no text file needs
_WINDOWS = re.compile(rb"[\x80-\x9f]")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of what is read, checked before the costly steps.

    Attributes
    ----------
    max_bytes : int
        Size of a file, and of several files together.
    max_unpacked_bytes : int
        Size of what a compressed file holds: all members of an archive or workbook, a .gz.
    max_rows : int
        Rows of a table: lines of a text, rows of a sheet; objects and lists of JSON.
    max_columns : int
        Columns of a table.
    max_cells : int
        Cells of a table, labels included.

    Raises
    ------
    ConfigError
        A bound below 1.
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


@dataclass(frozen=True)
class Decoded:
    """Text of a file with the encoding it was in.

    Attributes
    ----------
    text : str
    encoding : str
    notes : tuple of Note
    """

    text: str
    encoding: str
    notes: tuple[Note, ...] = ()


def load(source: Source, limits: Limits) -> tuple[bytes, str]:
    """Content and display name of a source; what a .gz file holds.

    Parameters
    ----------
    source : path, or (bytes, name)
    limits : Limits

    Returns
    -------
    tuple of bytes and str
        The name is the last part of the path only.

    Raises
    ------
    ScoreFileError
        A file that isn't there, can't be opened, is empty or too large, also once unpacked.
    TypeError
        Something else than a path or (bytes, name).
    """
    if isinstance(source, (str, Path)):
        name = Path(source).name
        try:
            with Path(source).open("rb") as file:
                data = file.read(limits.max_bytes + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no valid path"
            raise ScoreFileError(f"{shown(source)} can't be opened ({reason}); check the path.") from None
    elif isinstance(source, tuple) and len(source) == 2 and isinstance(source[0], (bytes, bytearray)):
        data, name = bytes(source[0]), re.split(r"[/\\]", str(source[1]))[-1]
    else:
        raise TypeError("A score file is a path or a tuple (bytes, name).")
    if len(data) > limits.max_bytes:
        limit = f"{limits.max_bytes / MIB:,.4g} MiB"
        raise ScoreFileError(f"{shown(name)} is larger than {limit}; raise max_bytes or split the file.")
    if is_gzip(data):
        try:
            data, name = gunzip(data, limits.max_unpacked_bytes), without_ending(name)
        except ScoreFileError as error:
            raise ScoreFileError(f"{shown(name)}: {error}") from None
    if not data.strip():
        raise ScoreFileError(f"{shown(name)} is empty; give a file with scores.")
    return data, name


def is_folder(path: str | Path) -> bool:
    """Whether a path is a folder.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    bool
    """
    try:
        return Path(path).is_dir()
    except ValueError:  # a NUL in the path
        return False


def files_of(folder: str | Path) -> list[Source]:
    """The files of a folder by name, without hidden ones and without what is in folders inside.

    Parameters
    ----------
    folder : str or Path

    Returns
    -------
    list of Path

    Raises
    ------
    ScoreFileError
        No files, too many, or a folder that can't be opened.
    """
    try:
        found = sorted(path for path in Path(folder).iterdir() if path.is_file() and path.name[0] != ".")
    except OSError as error:
        raise ScoreFileError(f"{shown(folder)} can't be opened ({error.strerror}); check the path.") from None
    if not 0 < len(found) <= MOST_FILES:
        raise ScoreFileError(f"{shown(folder)} holds {len(found):,} files; give 1 to {MOST_FILES:,}.")
    return list(found)


def decode(data: bytes) -> Decoded:
    """Text of a file: UTF-8, UTF-16 or, with a note, Latin-1.

    Parameters
    ----------
    data : bytes

    Returns
    -------
    Decoded

    Raises
    ------
    ScoreFileError
        Files of another kind, NUL bytes or content that is no text.
    """
    refuse_other_kinds(data)
    for mark, encoding in _UTF16:
        if data.startswith(mark):
            return _utf16(data[len(mark) :], encoding)
    if 0 in data:
        head = data[:400]
        for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
            if len(head) >= 4 and not any(zeros):
                return _utf16(data, encoding)
        position = data.index(0)
        line = data.count(b"\n", 0, position) + 1
        raise ScoreFileError(f"line {line} holds a NUL byte, so this is no text; export the scores as CSV.")
    try:
        return Decoded(data.decode("utf-8-sig"), "utf-8")
    except UnicodeDecodeError as error:
        return _latin(data, error.start)


def _utf16(data: bytes, encoding: str) -> Decoded:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise ScoreFileError("the file is broken UTF-16; export the scores as UTF-8.") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ScoreFileError(f"line {line} holds a NUL, so this is no text; export the scores as CSV.")
    return Decoded(text.removeprefix("\ufeff"), encoding)


def _latin(data: bytes, position: int) -> Decoded:
    """Text of bytes that aren't UTF-8; Windows writes its own signs between 0x80 and 0x9f."""
    line = data.count(b"\n", 0, position) + 1
    encoding = "cp1252" if _WINDOWS.search(data) else "latin-1"
    try:
        if _CONTROL.search(data):
            raise ValueError
        text = data.decode(encoding)
    except ValueError:
        raise ScoreFileError(
            f"line {line} holds bytes of no known text encoding; export the scores as UTF-8."
        ) from None
    label = "Windows-1252" if encoding == "cp1252" else "Latin-1"
    note = Note(
        "encoding-guessed",
        "caution",
        f"The file isn't UTF-8 (line {line}); it was read as {label}, so check accents in names.",
    )
    return Decoded(text, encoding, (note,))
