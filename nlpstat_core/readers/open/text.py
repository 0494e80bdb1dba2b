"""From bytes to text: encodings, and files that are known by their first bytes to be something else."""

import codecs
import re

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.notes import Note

_MARKS = {
    b"BZh": "a bzip2 file; unpack it, or pack it as .gz or .zip",
    b"\xfd7zXZ": "an xz file; unpack it, or pack it as .gz or .zip",
    b"\x28\xb5\x2f\xfd": "a Zstandard file; unpack it, or pack it as .gz or .zip",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive; pack the files as .zip",
    b"Rar!\x1a": "a RAR archive; pack the files as .zip",
    b"%PDF-": "a PDF; export the scores as CSV",
    b"\x93NUMPY": "a NumPy array, which names no systems; write it as CSV with a header",
    b"\x89HDF": "an HDF5 file; export the scores as CSV or Parquet",
    b"SQLite format 3": "an SQLite database; export the scores as CSV",
    b"ARROW1": "a Feather file; write the scores as Parquet or CSV",
    b"\x80\x04\x95": "a pickle, which could run code when opened; write the scores as CSV",
    b"\x80\x05\x95": "a pickle, which could run code when opened; write the scores as CSV",
    b"\x89PNG": "a picture; give the scores as CSV",
    b"\xff\xd8\xff": "a picture; give the scores as CSV",
}
_WEB_PAGE = (b"<!doctype html", b"<html")
_UTF16 = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")  # what no text file needs
_WINDOWS = re.compile(rb"[\x80-\x9f]")


def decode(data: bytes) -> tuple[str, tuple[Note, ...]]:
    """Text of a file: UTF-8, UTF-16 or, with a note, Latin-1; raises ScoreFileError for what is no text."""
    _refuse_other_kinds(data)
    for mark, encoding in _UTF16:
        if data.startswith(mark):
            return _utf16(data[len(mark) :], encoding), ()
    if 0 in data:
        head = data[:400]
        for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
            if len(head) >= 4 and not any(zeros):
                return _utf16(data, encoding), ()
        line = data.count(b"\n", 0, data.index(0)) + 1
        raise ScoreFileError(
            f"line {line} holds a NUL byte, so this is not a text file; export the scores as CSV."
        )
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        return _latin(data, error.start)


def _refuse_other_kinds(data: bytes) -> None:
    kind = next((given for mark, given in _MARKS.items() if data.startswith(mark)), None)
    if data[257:262] == b"ustar":
        kind = "a tar archive; pack the files as .zip"
    if data[:400].lstrip().lower().startswith(_WEB_PAGE):
        kind = "a web page, not the file behind it; download the file itself"
    if kind is not None:
        raise ScoreFileError(f"this is {kind}.")


def _utf16(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise ScoreFileError("the file is broken UTF-16; export the scores as UTF-8.") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ScoreFileError(
            f"line {line} holds a NUL, so this is not a text file; export the scores as CSV."
        )
    return text.removeprefix("\ufeff")


def _latin(data: bytes, position: int) -> tuple[str, tuple[Note, ...]]:
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
    sentence = f"The file isn't UTF-8 (line {line}); it was read as {label}, so check accents in names."
    return text, (Note("encoding-guessed", "caution", sentence),)
