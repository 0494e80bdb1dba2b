"""Delimited text as a table: the whole text under the dialect that fits it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, NoReturn

from nlpstat_core.errors import Remedy, ScoreFileError, shown
from nlpstat_core.installed import has_arrow
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import is_text
from nlpstat_core.readers.open.dialect import (
    PLAIN,
    WHITESPACE,
    Dialect,
    Fit,
    Record,
    Skipped,
    content_lines,
    find_dialects,
    has_row_names,
    title_records,
)
from nlpstat_core.readers.open.heading import guess_decimal, is_units_row, title_note, title_rows
from nlpstat_core.readers.open.limits import Limits, beyond, too_wide
from nlpstat_core.readers.open.markup import marked_table
from nlpstat_core.readers.open.table import Table

AT_ONCE = 1_000_000  # cells
LONGEST_NOTE = 80  # signs of a footnote that can be told to be left out
QUICK = 200_000  # signs from which on Arrow is worth loading
_AWKWARD = re.compile(r"\n(?:\r?\n|#)")
_UNEVEN = re.compile(r"  | \r?\n|\n |[^\S \n\r]")


def read_delimited(
    text: str,
    limits: Limits,
    delimiter: str | None,
    quotes: bool | None,
    header_row: int | None,
    drop_rows: Sequence[str] = (),
) -> Table:
    """A text as a table; one column where nothing separates columns. Raises ScoreFileError.

    drop_rows: Words of rows that are left out later, whatever their width.
    """
    text = _one_line_end(text)
    if header_row:
        text = _from_line(text, header_row)
    marked = marked_table(text)
    if marked is not None:
        return _table(iter(marked[0]), Dialect("|"), limits, Skipped(), notes=marked[1])
    fits = find_dialects(text, delimiter, quotes, limits.max_columns)
    if not fits:
        return _one_column(text, limits)
    fits = [replace(fit, dialect=replace(fit.dialect, footnotes=tuple(drop_rows))) for fit in fits]
    return _best(text, fits, limits, titled=not header_row)


def _one_line_end(text: str) -> str:
    """Old kinds of line ends; inside of quoted cells they are part of the text."""
    if "\r" in text and ("\n" not in text or '"' not in text) and text.count("\r") > text.count("\r\n"):
        return text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _from_line(text: str, line: int) -> str:
    """The text with nothing above a line; the lines keep their numbers."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
        if not start:
            break
    if (line > 1 and not start) or not text[start:].strip():
        raise ScoreFileError(f"the text has nothing from line {line:,} on; check header_row.")
    return "\n" * (line - 1) + text[start:]


def _one_column(text: str, limits: Limits) -> Table:
    """Lines of one cell each."""
    skipped = Skipped()
    records = ((number, [line.strip()]) for number, line in content_lines(text, skipped))
    return _table(records, Dialect(""), limits, skipped)


def _best(text: str, fits: Sequence[Fit], limits: Limits, titled: bool) -> Table:
    """The table under the first reading that fits the whole text."""
    problems: list[tuple[float, ScoreFileError]] = []
    for fit in fits:
        try:
            table = _whole(text, fit, limits, titled)
        except ScoreFileError as error:
            if len(fits) == 1 or error.sentence.remedy("max_cells"):
                raise
            problems.append((fit.share, error))
            continue
        if fit.dialect.quoting == PLAIN:
            told = [error.sentence for _, error in problems] + [fit.problem for fit in fits if fit.problem]
            return replace(table, quote_problem=told[0]) if told else table
        return _unless_plain(text, table, fits, limits, titled)
    raise max(problems, key=lambda problem: problem[0])[1]


def _whole(text: str, fit: Fit, limits: Limits, titled: bool) -> Table:
    skipped = Skipped()
    records = fit.dialect.records(text, skipped, limits.max_columns)
    skip = title_records(fit.widths) if titled else None
    return _table(records, fit.dialect, limits, skipped, skip=skip, text=text)


def _unless_plain(text: str, table: Table, fits: Sequence[Fit], limits: Limits, titled: bool) -> Table:
    """The quoted table, unless it swallows line ends of a text whose lines all fit without quotes."""
    plain = next((fit for fit in fits if fit.dialect.quoting == PLAIN), None)
    if plain is None or not table.spans_lines:
        return table
    records = plain.dialect.records(text, None, limits.max_columns)
    above = title_records(plain.widths) if titled else 0
    if any(len(row) != len(table.header) for _, row in islice(records, above, None)):
        return table
    other = _whole(text, plain, limits, titled)
    if len(other) == len(table):
        return table
    sentence = (
        f"With quotation marks around cells the file has {len(table):,} rows, without {len(other):,}; every "
        f"line fits without, so {len(other):,} were read (quotes=true reads the others)."
    )
    return replace(other, notes=(*other.notes, Note("quotes-ambiguous", "caution", sentence)))


def _table(
    records: Iterator[Record],
    dialect: Dialect,
    limits: Limits,
    skipped: Skipped,
    skip: int | None = 0,
    notes: tuple[Note, ...] = (),
    text: str = "",
) -> Table:
    """Records as a table: title lines, header, row names, a row of units, then the cells by column.

    `skip` is how many lines of a title are known; None where the first record is the header in any case.
    """
    above = list(islice(records, skip or 0))
    first = list(islice(records, 50))
    more = 0 if skip is None else title_rows([[cell.strip() for cell in row] for _, row in first])
    above, first = [*above, *first[:more]], first[more:]
    if not first:
        raise ScoreFileError("there are only blank and comment lines; give a file with scores.")
    (line, header), *rows = first
    header = [name.strip() for name in header]
    if len(header) > limits.max_columns:
        raise too_wide(line, limits.max_columns)
    if rows and has_row_names(header, [row for _, row in rows], dialect.quoting != PLAIN):
        header = ["", *header]
    body = [[cell.strip() for cell in row] for _, row in rows]
    decimal = guess_decimal(body, beside_commas=dialect.delimiter == ",")
    if above:
        notes = (*notes, title_note([row for _, row in above]))
    if is_units_row(body, decimal):
        notes = (
            *notes,
            Note("units-row", "info", f"Line {rows[0][0]} holds units of measurement and was left out."),
        )
        rows = rows[1:]
    quick = _quick(text, dialect, rows[0][0], len(header)) if rows else None
    if quick is not None and len(quick[0]) * len(header) <= limits.max_cells:
        columns, spans = quick, False
        lines: Sequence[int] = range(rows[0][0], rows[0][0] + len(quick[0]))
    else:
        columns, lines, spans = _columns(chain(rows, records), header, limits, dialect.footnotes)
    return Table(
        header=tuple(header),
        columns=columns,
        lines=lines,
        line=line,
        decimal=decimal,
        delimiter=dialect.delimiter,
        notes=(*notes, *_comment_notes(skipped)),
        spans_lines=spans,
    )


def _quick(text: str, dialect: Dialect, line: int, width: int) -> tuple[Any, ...] | None:
    """The cells by Arrow where a large text holds neither quotes nor comments nor blank lines; else None.

    Arrow splits at the same signs, twenty times as fast; it says nothing about lines that don't fit, so a
    text with such lines is gone through again, as is every text where Arrow isn't installed.
    """
    if len(text) < QUICK or dialect.quoting != PLAIN or not dialect.delimiter or not has_arrow():
        return None
    if _AWKWARD.search(text) or text[0] in "#\n" or text.count("\r") != text.count("\r\n"):
        return None
    if dialect.delimiter == WHITESPACE and _UNEVEN.search(text):
        return None
    import pyarrow as pa
    import pyarrow.compute as compute
    import pyarrow.csv as pc

    names = [str(i) for i in range(width)]
    try:
        found = pc.read_csv(
            pa.BufferReader(text.encode()),
            pc.ReadOptions(use_threads=False, skip_rows=line - 1, column_names=names, block_size=1 << 24),
            pc.ParseOptions(delimiter=dialect.delimiter, quote_char=False, ignore_empty_lines=False),
            pc.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
        )
    except pa.ArrowException:
        return None
    columns = tuple(found.columns)
    return None if compute.min(compute.binary_length(columns[0])).as_py() == 0 else columns


def _columns(
    records: Iterator[Record], header: Sequence[str], limits: Limits, footnotes: Sequence[str]
) -> tuple[tuple[Any, ...], Sequence[int], bool]:
    """All cells by column, the line of each row, and whether a record spans several lines."""
    width = len(header)
    per = max(1, AT_ONCE // width)
    parts: list[list[Any]] = []
    lines: list[int] = []
    while batch := list(islice(records, per)):
        rows = [row for _, row in batch]
        if set(map(len, rows)) != {width}:
            for place, (line, row) in enumerate(batch):
                if len(row) != width and not _trim(row, width):
                    if row[0].strip() not in footnotes or len(row) > width:
                        refuse_width(f"line {line}", row, width, last=place > 2 and len(rows[-1]) < width)
                    row += [""] * (width - len(row))
        kept = [record for record in batch if record[1][0] or any(record[1])]
        lines += [line for line, _ in kept]
        if len(lines) * width > limits.max_cells:
            first = f"line {lines[limits.max_cells // width]}"
            raise beyond(f"{first}: the table has more than {limits.max_cells:,} cells", Remedy("max_cells"))
        if kept:
            columns = zip(*(row for _, row in kept), strict=True)
            is_large = (len(batch) == per or bool(parts)) and has_arrow()
            parts.append(_compact(columns) if is_large else [list(cells) for cells in columns])
    if not parts:
        return tuple([] for _ in header), lines, False
    spans = lines[-1] - lines[0] + 1 > len(lines)  # or there are blank lines
    places = lines if spans else range(lines[0], lines[-1] + 1)
    if isinstance(parts[0][0], list):
        return tuple(list(chain(*cells)) for cells in zip(*parts, strict=True)), places, spans
    import pyarrow as pa

    return tuple(map(pa.chunked_array, zip(*parts, strict=True))), places, spans


def _compact(columns: Iterable[Sequence[str]]) -> list[Any]:
    """Texts as Arrow keeps them, in a fifth of the memory."""
    import pyarrow as pa

    return [pa.array(cells, pa.string()) for cells in columns]


def _trim(row: list[str], width: int) -> bool:
    """Take empty cells off the end of a row; whether it fits then."""
    while len(row) > width and not row[-1].strip():
        row.pop()
    return len(row) == width


def refuse_width(where: str, row: Sequence[str], width: int, last: bool) -> NoReturn:
    """Complain about a row that has not as many fields as the header; one of the last may be a footnote."""
    found, word = len(row), row[0].strip()
    kind = f"too many fields (more than {width})" if found > width else f"too few fields ({found})"
    text = (
        f"{where} has {kind}; give every row the {width} fields of the header, "
        "and put cells that hold the delimiter in quotes"
    )
    if (
        last
        and found < width
        and "," not in word
        and len(word) <= LONGEST_NOTE
        and is_text(word)
        and all(map(is_text, filter(None, row)))
    ):
        note = f"; if {shown(word)} is a footnote, leave it out, "
        raise ScoreFileError(text, note, Remedy("drop_rows", word), ".")
    raise ScoreFileError(f"{text}.")


def _comment_notes(skipped: Skipped) -> tuple[Note, ...]:
    """Say how many lines were left out as comments."""
    many, first = skipped.comments, skipped.first_comment
    if not many:
        return ()
    if many == 1:
        text = f"line {first} begins with # and was left out as a comment."
    else:
        text = f"{many:,} lines (the first is line {first}) begin with # and were left out."
    return (Note("comment-lines", "info", text),)
