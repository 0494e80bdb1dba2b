"""The files that `--out` writes, and those that can be had besides."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.errors import ConfigError, NlpstatError, shown, unknown
from nlpstat_core.exports.board_figure import board_svg
from nlpstat_core.exports.bundle import bundle, replay_json
from nlpstat_core.exports.excel import workbook
from nlpstat_core.exports.frames import leaderboard_frame, pairs_frame
from nlpstat_core.exports.html import report_html
from nlpstat_core.exports.interval_figure import interval_svg
from nlpstat_core.exports.latex import report_tex
from nlpstat_core.exports.markdown import report_md
from nlpstat_core.exports.matrix_figure import matrix_svg
from nlpstat_core.exports.methods_text import methods_text, references_bib
from nlpstat_core.exports.participant import participant_sheets
from nlpstat_core.exports.plain import analysis_to_dict, json_text
from nlpstat_core.exports.tables import csv_text

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

Maker = Callable[["Analysis"], str | bytes]

# One line per file; the order is the order they are written in.
FILES: tuple[tuple[str, Callable[[Analysis], str]], ...] = (
    ("analysis.json", lambda analysis: json_text(analysis_to_dict(analysis))),
    ("leaderboard.csv", lambda analysis: csv_text(leaderboard_frame(analysis))),
    ("pairs.csv", lambda analysis: csv_text(pairs_frame(analysis))),
    ("report.html", report_html),
    ("report.md", report_md),
    ("report.tex", report_tex),
)


@dataclass(frozen=True)
class Extra:
    """Files that are written when `--also` names them.

    Attributes
    ----------
    key : str
    teaches : str
        What they are, for help and documentation.
    files : tuple of (str, callable)
        Name and maker of each.
    """

    key: str
    teaches: str
    files: tuple[tuple[str, Maker], ...]


EXTRAS: tuple[Extra, ...] = (
    Extra("xlsx", "everything as an Excel workbook, one sheet a table", (("analysis.xlsx", workbook),)),
    Extra(
        "figures",
        "the plot of scores, the square of all pairs and both in one picture as vector figures",
        (("leaderboard.svg", interval_svg), ("pairs.svg", matrix_svg), ("board.svg", board_svg)),
    ),
    Extra(
        "methods",
        "methods and results as plain text, with their references as BibTeX",
        (("methods.txt", methods_text), ("references.bib", references_bib)),
    ),
    Extra("replay", "the settings and reading choices, for --config", (("replay.json", replay_json),)),
    Extra("zip", "all files above in one archive", (("everything.zip", bundle),)),
    Extra(
        "participants",
        "one page per system: its rank interval, whom it ties with, where it loses",
        (("participants.zip", participant_sheets),),
    ),
    Extra(
        "participants-hidden-names",
        "the same with the names of all other systems hidden",
        (("participants-hidden-names.zip", partial(participant_sheets, hide_others=True)),),
    ),
)


def extras(keys: Iterable[str]) -> tuple[tuple[str, Maker], ...]:
    """The files behind some keys of EXTRAS.

    Parameters
    ----------
    keys : iterable of str
        "all" stands for every one.

    Returns
    -------
    tuple of (str, callable)

    Raises
    ------
    ConfigError
        An unknown key, with the nearest one that exists.
    """
    by_key = {extra.key: extra for extra in EXTRAS}
    asked: dict[str, None] = {}
    for key in keys:
        if key != "all" and key not in by_key:
            raise ConfigError(unknown("file for --also", key, [*by_key, "all"]))
        asked.update(dict.fromkeys(by_key if key == "all" else (key,)))
    return tuple(file for key in by_key if key in asked for file in by_key[key].files)


def write_folder(analysis: Analysis, folder: Path, also: Iterable[str] = ()) -> tuple[Path, ...]:
    """Write every file of an analysis, all of them or none.

    Parameters
    ----------
    analysis : Analysis
    folder : Path
        Created when it does not exist.
    also : iterable of str
        Keys of EXTRAS.

    Returns
    -------
    tuple of Path

    Raises
    ------
    NlpstatError
        The folder can't be written.
    """
    makers: tuple[tuple[str, Maker], ...] = (*FILES, *extras(also))
    return write_files(((folder / name, make(analysis)) for name, make in makers), folder)


def write_files(contents: Iterator[tuple[Path, str | bytes]], folder: Path) -> tuple[Path, ...]:
    """Write files into a folder and folders inside it, all of them or none.

    Parameters
    ----------
    contents : iterator of (Path, str or bytes)
        Made one after the other.
    folder : Path
        Created when it does not exist.

    Returns
    -------
    tuple of Path

    Raises
    ------
    NlpstatError
        The folder can't be written.
    """
    try:
        return tuple(_written(contents, folder))
    except OSError as error:
        raise NlpstatError(f"The folder {shown(folder)} can't be written: {error.strerror}.") from error


def _written(contents: Iterator[tuple[Path, str | bytes]], folder: Path) -> list[Path]:
    """Every file under a passing name first; only when all are there, they get their own names."""
    made: list[tuple[Path, Path]] = []
    new: list[Path] = []
    try:
        for path, content in contents:
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
