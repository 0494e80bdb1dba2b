"""Files that are known by their first bytes and hold no scores we read."""

from __future__ import annotations

from nlpstat_core.errors import ScoreFileError

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


def refuse_other_kinds(data: bytes) -> None:
    """Say what a file is, where its first bytes tell and it isn't read.

    Parameters
    ----------
    data : bytes

    Raises
    ------
    ScoreFileError
    """
    kind = next((told for mark, told in _MARKS.items() if data.startswith(mark)), None)
    if data[257:262] == b"ustar":
        kind = "a tar archive; pack the files as .zip"
    if data[:400].lstrip().lower().startswith(_WEB_PAGE):
        kind = "a web page, not the file behind it; download the file itself"
    if kind is not None:
        raise ScoreFileError(f"this is {kind}.")
