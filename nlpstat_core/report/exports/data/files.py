"""Files into a folder, all of them or none, and into one zip: the same bytes for the same files."""

import io
import os
import secrets
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from nlpstat_core.errors import NlpstatError, shown

_MADE = (1980, 1, 1, 0, 0, 0)


def write_files(contents: Iterable[tuple[str, str | bytes]], folder: Path) -> tuple[Path, ...]:
    """Write files into a folder and folders inside it, all of them or none.

    contents (iterable of (str, str or bytes)): By path in the folder, made one after the other.
    folder: Created when it does not exist.
    Raises NlpstatError: The folder can't be written.
    """
    try:
        return tuple(_written(contents, folder))
    except OSError as error:
        raise NlpstatError(f"The folder {shown(folder)} can't be written: {error.strerror}.") from error


def _written(contents: Iterable[tuple[str, str | bytes]], folder: Path) -> list[Path]:
    """Every file under a passing name first; only when all are there, they get their own names."""
    made: list[tuple[Path, Path]] = []
    new: list[Path] = []
    try:
        for name, content in contents:
            path = folder / name
            if not path.parent.exists():
                new.append(path.parent)
                if path.parent != folder and not folder.exists():
                    new.insert(0, folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise IsADirectoryError(None, f"{path.name} is a folder")
            passing = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            made.append((passing, path))
            passing.write_bytes(_as_file(content))
        for passing, path in made:
            os.replace(passing, path)
    except BaseException:
        for passing, _ in made:
            passing.unlink(missing_ok=True)
        for place in reversed(new):
            if place.is_dir() and not any(place.iterdir()):
                place.rmdir()
        raise
    return [path for _, path in made]


def _as_file(content: str | bytes) -> bytes:
    if isinstance(content, bytes):
        return content
    return (content if content.endswith("\n") else content + "\n").encode("utf-8")


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Files in one archive, with a fixed date."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _MADE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return made.getvalue()
