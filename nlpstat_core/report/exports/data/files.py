"""Files into a folder, all of them or none."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from nlpstat_core.errors import NlpstatError, shown


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
