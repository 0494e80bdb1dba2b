"""From what was given (paths, folders, uploads, archives) to the list of files in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError, about_file, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.disk import read_at_most
from nlpstat_core.readers.open.limits import MIB, Limits
from nlpstat_core.readers.open.packed import (
    MOST_FILES,
    MOST_RECORDS,
    Budget,
    gunzip,
    is_gzip,
    is_workbook,
    is_zip,
    unzip,
    without_ending,
)
from nlpstat_core.readers.open.source import Source
from nlpstat_core.readers.open.table import NAME, table_of_frame
from nlpstat_core.scores.frames import FRAMES, is_frame

Given = str | Path | tuple[bytes, str] | Any  # of what is no file, a data frame or a mapping of columns
_DEEPEST = 6
# Files that lie beside scores, by their names; a summary of results is known by its content elsewhere.
_PASSED_OVER = re.compile(
    r"(?:readme|licen[cs]e|notice|changelog|authors|citation|thumbs\.db|desktop\.ini)(?:\..*)?"
    r"|.*\.(?:log|html?|png|jpe?g|svg|pdf|ya?ml|toml|cfg|ini|lock|py|pyc|sh|ipynb)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Opened:
    """The files of an upload.

    container: Whether they came from one archive, or are several.
    """

    name: str
    sources: tuple[Source, ...]
    container: str = ""
    notes: tuple[Note, ...] = ()


def open_files(given: Given | Sequence[Given], limits: Limits) -> Opened:
    """Bring files into memory, with the members of folders and archives in their place, within bounds."""
    if is_frame(given):
        source = Source(NAME, b"", limits, frame=table_of_frame(given, limits))
        return Opened(name=NAME, sources=(source,))
    several = isinstance(given, list)
    listed = _with_folders(list(given) if several else [given])  # type: ignore[arg-type]
    if not listed:
        raise ScoreFileError("there are no files; give one or several.")
    budget = Budget(limits.max_unpacked_bytes)
    found: list[Source] = []
    size = 0
    for path, one in listed:
        data, path = _load(one, path, limits, budget)
        size += len(data)
        if len(listed) > 1 and size > limits.max_bytes:
            text = "the files are too large together; "
            raise BoundsExceeded(text, Remedy("max_bytes"), " or give fewer files.")
        name = path.rpartition("/")[2]
        try:
            found += _members(path, data, limits, budget, 0)
        except ScoreFileError as error:
            raise about_file(name, error) from None
    kept, notes = _passed_over(found)
    first = listed[0][0].rpartition("/")[2]
    if len(listed) > 1:
        name, container = f"{without_ending(first)} and {len(listed) - 1} more", "files"
    else:
        alone = len(found) == 1 and found[0].path.count("/") <= listed[0][0].count("/")
        name, container = (found[0].name if alone else first), ("" if alone else "zip")
    return Opened(name=name, sources=tuple(kept), container=container, notes=notes)


def _with_folders(given: list[Any]) -> list[tuple[str, Given]]:
    """Paths for messages and names, with the files of a folder in its place."""
    found: list[tuple[str, Given]] = []
    for one in given:
        if isinstance(one, str | Path) and _is_folder(one):
            inside = _files_of(Path(one))
            found += [(path.relative_to(Path(one).parent).as_posix(), path) for path in inside]
        elif isinstance(one, tuple) and len(one) == 2:
            found.append((str(one[1]).replace("\\", "/").lstrip("/"), one))
        elif isinstance(one, str | Path):
            found.append((Path(one).as_posix().lstrip("/"), one))
        else:  # refused where it is opened
            found.append(("", one))
    return found


def _is_folder(path: str | Path) -> bool:
    if not str(path):  # to Path the folder one is in
        raise ScoreFileError("a file without a name can't be opened; name a score file.")
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # too long, or a NUL in it: refused where it is opened
        return False


def _files_of(folder: Path) -> list[Path]:
    """The files of a folder and of the folders in it by name, without hidden ones."""
    try:
        found = sorted(
            path
            for path in folder.rglob("*")
            if path.is_file()
            and not path.is_symlink()
            and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        )
    except OSError as error:
        raise ScoreFileError(f"{shown(folder)} can't be opened ({error.strerror}); check the path.") from None
    if not 0 < len(found) <= MOST_FILES:
        raise ScoreFileError(f"{shown(folder)} holds {len(found):,} files; give 1 to {MOST_FILES:,}.")
    return found


def _load(source: Given, path: str, limits: Limits, budget: Budget) -> tuple[bytes, str]:
    """Content of one file; what a .gz file holds."""
    if isinstance(source, (str, Path)):
        try:
            data = read_at_most(source, limits.max_bytes + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no valid path"
            raise ScoreFileError(f"{shown(source)} can't be opened ({reason}); check the path.") from None
    elif isinstance(source, tuple) and len(source) == 2 and isinstance(source[0], (bytes, bytearray)):
        data = bytes(source[0])
    else:
        raise TypeError(f"Scores are a path, a tuple (bytes, name) or {FRAMES}.")
    name = path.rpartition("/")[2]
    if len(data) > limits.max_bytes:
        text = f"{shown(name)} is larger than {limits.max_bytes / MIB:,.4g} MiB; "
        raise BoundsExceeded(text, Remedy("max_bytes"), " or split the file.")
    if is_gzip(data):
        try:
            data, path = gunzip(data, budget.left), without_ending(path)
        except ScoreFileError as error:
            raise about_file(name, error) from None
        budget.take(len(data))
    if not data.strip():
        raise ScoreFileError(f"{shown(name)} is empty; check how it was written.")
    return data, path


def _members(path: str, data: bytes, limits: Limits, budget: Budget, depth: int) -> list[Source]:
    """A file itself, or everything in an archive, to any sensible depth."""
    if not is_zip(data) or is_workbook(data):
        return [Source(path, data, limits)]
    if depth > _DEEPEST:
        raise ScoreFileError(f"archives are nested more than {_DEEPEST} levels deep; unpack them.")
    members = unzip(data, budget, MOST_RECORDS if path.lower().endswith(".eval") else MOST_FILES)
    if "mimetype" in members and "content.xml" in members:
        raise ScoreFileError("this is an OpenDocument file; save it as .xlsx or CSV.")
    found: dict[str, Source] = {}
    for name, content in members.items():
        if _hidden(name) or (not content.strip() and _PASSED_OVER.fullmatch(name.rpartition("/")[2])):
            continue
        if not content.strip():
            raise ScoreFileError(f"{shown(name)} is empty; give every file scores, or leave it out.")
        if is_gzip(content):
            name, content = without_ending(name), gunzip(content, budget.left)
            budget.take(len(content))
        if is_zip(content) and name.lower().endswith(".zip"):
            name = name[:-4]  # an archive for each system is a folder for each
        for source in _members(f"{path}/{name}", content, limits, budget, depth + 1):
            if source.path in found:
                raise ScoreFileError(f"the archive holds {shown(name)} packed and unpacked; give it once.")
            found[source.path] = source
    if not found and depth == 0:
        raise ScoreFileError("the archive holds no files; put the score files into it.")
    if len(found) > MOST_RECORDS:
        raise ScoreFileError(f"the archives have more than {MOST_RECORDS:,} members; give fewer files.")
    return list(found.values())


def _hidden(name: str) -> bool:
    """Files that systems put into archives by themselves."""
    parts = name.split("/")
    return parts[-1].startswith(".") or "__MACOSX" in parts


def _passed_over(found: list[Source]) -> tuple[list[Source], tuple[Note, ...]]:
    """The files without those whose names say that they hold no scores, unless these are all."""
    kept = [source for source in found if not _PASSED_OVER.fullmatch(source.name)]
    if not kept or len(kept) == len(found):
        return found, ()
    return kept, (passed_over_note([source for source in found if source not in kept]),)


def passed_over_note(sources: Sequence[Source]) -> Note:
    """Say which files were left aside."""
    names = list(dict.fromkeys(source.name for source in sources))
    several = len(sources) > 1
    many, were = (f"{len(sources):,} files hold", "were") if several else ("1 file holds", "was")
    text = f"{many} no scores of test items and {were} ignored: {some_shown(names)}."
    return Note("files-passed-over", "info", text)
