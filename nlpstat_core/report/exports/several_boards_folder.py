"""The files of several boards: an overview, and a folder for every board."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.files import write_files, zipped
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.data.several_boards import (
    agreement_frame,
    boards_frame,
    boards_to_dict,
    folder_names,
    ranks_frame,
    replicability_frame,
)
from nlpstat_core.report.exports.documents.blocks import Section
from nlpstat_core.report.exports.documents.several_boards import boards_html, boards_md
from nlpstat_core.report.exports.folder import FILES, Maker, extras
from nlpstat_core.results.several_boards import BoardsData

OVER_DATASETS = "over-data-sets"


def boards_files(
    boards: BoardsData, also: Iterable[str] = (), sections: Sequence[Section] = ()
) -> Iterator[tuple[str, str | bytes]]:
    """Every file of several boards, one after the other.

    also: Keys of EXTRAS: further files of every board.
    sections: For the overview, about all boards together.
    Yields path: boards.json, boards.csv, agreement.csv, boards.html and boards.md; for data sets also
        replicability.csv, average-ranks.csv and a folder over-data-sets; and for every board a folder with
        the files of a single analysis.
    """
    yield "boards.json", json_text(boards_to_dict(boards))
    yield "boards.csv", csv_text(boards_frame(boards))
    yield "agreement.csv", csv_text(agreement_frame(boards))
    yield "boards.html", boards_html(boards, sections)
    yield "boards.md", boards_md(boards, sections)
    for section in sections:
        yield from section.files.items()
    makers: tuple[tuple[str, Maker], ...] = (*FILES, *extras(also))
    if boards.replicability is not None:
        yield "replicability.csv", csv_text(replicability_frame(boards.replicability))
    if boards.pooled is not None:
        yield "average-ranks.csv", csv_text(ranks_frame(boards.pooled))
        for name, render in FILES:
            yield f"{OVER_DATASETS}/{name}", render(boards.pooled.analysis)
    for board, folder in folder_names(boards).items():
        for name, make in makers:
            yield f"{folder}/{name}", make(boards.analyses[board])


def write_boards(
    boards: BoardsData, folder: Path, also: Iterable[str] = (), sections: Sequence[Section] = ()
) -> tuple[Path, ...]:
    """Write every file of several boards, all of them or none.

    folder: Created when it does not exist.
    Raises NlpstatError: The folder can't be written.
    """
    return write_files(boards_files(boards, also, sections), folder)


def boards_zip(boards: BoardsData) -> bytes:
    """Every file of several boards in one archive."""
    return zipped(dict(boards_files(boards)))
