"""The files that `--out` writes, and those that can be had besides."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.files import write_files, zipped
from nlpstat_core.report.exports.data.frames import leaderboard_frame, pairs_frame
from nlpstat_core.report.exports.data.plain import analysis_to_dict, json_text, replay_json
from nlpstat_core.report.exports.data.runs import items_frame
from nlpstat_core.report.exports.documents.blocks import Section
from nlpstat_core.report.exports.documents.excel import workbook
from nlpstat_core.report.exports.documents.participant import participant_sheets
from nlpstat_core.report.exports.documents.report import (
    methods_text,
    references_bib,
    report_html,
    report_md,
    report_tex,
)
from nlpstat_core.report.exports.figures.board import board_svg
from nlpstat_core.report.exports.figures.intervals import interval_svg
from nlpstat_core.report.exports.figures.matrix import matrix_svg
from nlpstat_core.report.exports.paper.table import paper_table
from nlpstat_core.results.analysis import AnalysisData

Maker = Callable[["AnalysisData"], str | bytes]

# One line per file; the order is the order they are written in.
FILES: tuple[tuple[str, Callable[[AnalysisData], str]], ...] = (
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

    teaches: What they are, for help and documentation.
    files (tuple of (str, callable)): Name and maker of each.
    """

    key: str
    teaches: str
    files: tuple[tuple[str, Maker], ...]


# Files that take chosen sections.
WITH_SECTIONS: dict[str, Callable[[AnalysisData, Sequence[Section]], str]] = {
    "report.html": report_html,
    "report.md": report_md,
    "report.tex": report_tex,
    "methods.txt": methods_text,
    "references.bib": references_bib,
}


def sectioned(
    makers: Iterable[tuple[str, Maker]], sections: Sequence[Section]
) -> tuple[tuple[str, Maker], ...]:
    """Files with the sections that were chosen, and the files of these sections."""
    if not sections:
        return tuple(makers)

    def of(name: str, make: Maker) -> Maker:
        if name == "everything.zip":
            return partial(bundle, sections=sections)
        sectioned_report = WITH_SECTIONS.get(name)
        return make if sectioned_report is None else lambda analysis: sectioned_report(analysis, sections)

    own = {name: content for section in sections for name, content in section.files.items()}
    return (
        *((name, of(name, make)) for name, make in makers),
        *((name, lambda analysis, content=content: content) for name, content in own.items()),
    )


def bundle(analysis: AnalysisData, sections: Sequence[Section] = ()) -> bytes:
    """Every file of an analysis: all that can be had but this archive itself."""
    makers = sectioned((*FILES, *extras(extra.key for extra in EXTRAS if extra.key != "zip")), sections)
    return zipped({name: make(analysis) for name, make in makers})


EXTRAS: tuple[Extra, ...] = (
    Extra("xlsx", "everything as an Excel workbook, one sheet per table", (("analysis.xlsx", workbook),)),
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
    Extra(
        "table",
        "the leaderboard as a small LaTeX table (booktabs) to paste into a paper",
        (("table.tex", paper_table),),
    ),
    Extra("replay", "the settings and reading choices, for --config", (("replay.json", replay_json),)),
    Extra(
        "items",
        "every item: difficulty, correlation with the rest, what stands out",
        (("items.csv", lambda analysis: csv_text(items_frame(analysis))),),
    ),
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
    Extra("zip", "all files above in one archive", (("everything.zip", bundle),)),
)


def extras(keys: Iterable[str]) -> tuple[tuple[str, Maker], ...]:
    """The files behind some keys of EXTRAS.

    keys: "all" stands for every one.
    Raises ConfigError: An unknown key, with the nearest one that exists.
    """
    by_key = {extra.key: extra for extra in EXTRAS}
    asked: dict[str, None] = {}
    for key in keys:
        if key != "all" and key not in by_key:
            raise ConfigError(unknown("further file", key, [*by_key, "all"]))
        asked.update(dict.fromkeys(by_key if key == "all" else (key,)))
    return tuple(file for key in by_key if key in asked for file in by_key[key].files)


def write_folder(
    analysis: AnalysisData, folder: Path, also: Iterable[str] = (), sections: Sequence[Section] = ()
) -> tuple[Path, ...]:
    """Write every file of an analysis, all of them or none.

    folder: Created when it does not exist.
    Raises NlpstatError: The folder can't be written.
    """
    makers = sectioned((*FILES, *extras(also)), sections)
    return write_files(((name, make(analysis)) for name, make in makers), folder)
