"""How a text is written as a table: the delimiter, and whether quotation marks enclose cells."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.open.cells import DECIMAL_COMMA, is_missing, is_text
from nlpstat_core.readers.open.limits import too_wide

WHITESPACE = " "
DELIMITERS = ("\t", ";", ",", "|")
DELIMITER_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "pipe", " ": "whitespace"}
# How cells may be enclosed: in quotes that are doubled inside, in quotes with backslashes inside, not at all.
QUOTED, ESCAPED, PLAIN = "quoted", "escaped", "plain"
COMMENT = "#"
MOST_COMMENTS = 100_000
SAMPLE_RECORDS, SAMPLE_SIGNS = 200, 1_000_000
_BLOCK = 1 << 20
# An answer of a language model in one cell may be longer than the 131,072 signs that csv takes at most.
csv.field_size_limit(max(csv.field_size_limit(), 1 << 27))

Record = tuple[int, list[str]]


@dataclass
class Skipped:
    """Lines that hold no record, counted while reading."""

    comments: int = 0
    first_comment: int = 0

    def count(self, line: int) -> None:
        """One more comment; raises ScoreFileError for more than a table has."""
        self.comments += 1
        self.first_comment = self.first_comment or line
        if self.comments > MOST_COMMENTS:
            raise ScoreFileError(
                f"line {line}: more than {MOST_COMMENTS:,} lines begin with {COMMENT}; take them out."
            )


@dataclass(frozen=True)
class Dialect:
    """A way to read a text as records.

    delimiter: One sign; a blank stands for any run of white space.
    footnotes: First cells of rows that may be shorter than the header.
    """

    delimiter: str
    quoting: str = PLAIN
    footnotes: tuple[str, ...] = ()

    def records(self, text: str, skipped: Skipped | None, most: int) -> Iterator[Record]:
        """Records with the line each begins on, without blank lines and comments; quotes must fit."""
        if self.quoting != PLAIN:
            yield from _quoted(text, self, Skipped() if skipped is None else skipped)
        else:
            sign = None if self.delimiter == WHITESPACE else self.delimiter
            for number, line in content_lines(text, skipped):
                yield number, line.split(sign, most)


@dataclass(frozen=True)
class Fit:
    """A dialect with the widths of the first records under it."""

    dialect: Dialect
    widths: Sequence[int]
    share: float
    width: int
    problem: str = ""


def _blocks(text: str) -> Iterator[str]:
    """Many whole lines at a time: a list of all lines at once would take much memory."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK) + 1 or len(text)
        yield text[start:end]
        start = end


def text_lines(text: str) -> Iterator[str]:
    """Lines with their ends."""
    for block in _blocks(text):
        *lines, last = block.split("\n")
        for line in lines:
            yield line + "\n"
        if last:
            yield last


def content_lines(text: str, skipped: Skipped | None = None) -> Iterator[tuple[int, str]]:
    """Lines that are neither blank nor comments, without their ends, with their numbers."""
    skipped = Skipped() if skipped is None else skipped
    number = 0
    for block in _blocks(text):
        if block.isspace():
            number += block.count("\n")
            continue
        for line in block.removesuffix("\n").split("\n"):
            number += 1
            if not line or line.isspace():
                continue
            if line[0] == COMMENT:
                skipped.count(number)
            else:
                yield number, line.rstrip("\r")


def _quoted(text: str, dialect: Dialect, skipped: Skipped) -> Iterator[Record]:
    """Records with the csv module; a line inside a quoted field is never blank and never a comment."""
    first, between = 0, True
    white = dialect.delimiter == WHITESPACE

    def feed() -> Iterator[str]:
        nonlocal first, between
        for number, line in enumerate(text_lines(text), 1):
            if between:
                if line.isspace():
                    continue
                if line[0] == COMMENT:
                    skipped.count(number)
                    continue
                first, between = number, False
            yield line.rstrip() + "\n" if white and line.count('"') % 2 == 0 else line

    reader = csv.reader(
        feed(),
        delimiter=dialect.delimiter,
        doublequote=dialect.quoting == QUOTED,
        escapechar="\\" if dialect.quoting == ESCAPED else None,
        strict=True,
        skipinitialspace=True,
    )
    try:
        for row in reader:
            between = True
            if len(row) > 1 or (row and row[0].strip()):
                yield first, row
    except csv.Error as error:
        raise ScoreFileError(f"line {first}: {_problem(str(error))}.") from None


def _problem(problem: str) -> str:
    """What the csv module complains about, in our words: it would show signs of the file as they are."""
    if "limit" in problem:
        return f"a cell is longer than {csv.field_size_limit():,} characters; check the quotes"
    if "end of data" in problem:
        return "a quote is opened and never closed; close it, and double every quote inside a cell"
    if "new-line" in problem:
        return "a line break is where none is allowed; save the file with one kind of line break"
    return "a cell continues after its closing quote; double every quote inside a cell"


def find_dialects(text: str, delimiter: str | None, quotes: bool | None, most: int) -> list[Fit]:
    """The ways to read a text under which its beginning fits best, the likeliest first.

    most: Columns beyond which nothing is looked at.
    Returns: One delimiter, quoted or not; nothing where none gives two columns.
    """
    start = next(content_lines(text), None)
    if start is None:
        raise ScoreFileError("there are only blank and comment lines; give a file with scores.")
    line, first = start
    cut = text.find("\n", SAMPLE_SIGNS) + 1
    sample = text[:cut] if cut else text
    quotings = [QUOTED, *([ESCAPED] if '\\"' in text else []), PLAIN] if '"' in text else [PLAIN]
    if quotes is not None and '"' in text:
        quotings = [quoting for quoting in quotings if (quoting != PLAIN) == quotes]
    candidates = [delimiter] if delimiter else _possible(sample, first)
    best: tuple[float, bool, int] = (0.0, False, 0)
    chosen: list[Fit] = []
    for sign in candidates:
        if sign == WHITESPACE and best[0] == 1.0:
            continue  # blanks inside names of a table that fits already
        own = [_fit(sample, Dialect(sign, quoting), most, bool(cut)) for quoting in quotings]
        key = max((fit.share, sign == "\t" and fit.share == 1.0, fit.width) for fit in own)
        if (max(fit.width for fit in own) > 1 or delimiter) and (not chosen or key > best):
            best, chosen = key, own
    if not chosen:
        return []
    if max(fit.width for fit in chosen) > most:
        raise too_wide(line, most)
    return sorted(chosen, key=lambda fit: -fit.share)  # stable: quoted before plain where both fit


def _possible(sample: str, first: str) -> list[str]:
    """Delimiters worth a try: those of the first line, and of a line further down below a title."""
    cells = first.split(None, 100)
    if len(cells) > 1 and all(DECIMAL_COMMA.fullmatch(cell) or is_missing(cell) for cell in cells):
        return [WHITESPACE]  # 0,5 0,25
    some = [line for _, line in islice(content_lines(sample), 30)]
    return [
        sign
        for sign in (*DELIMITERS, WHITESPACE)
        if any(sign in line.strip() or (sign == WHITESPACE and "\t" in line.strip()) for line in some)
    ]


def _fit(sample: str, dialect: Dialect, most: int, is_cut: bool) -> Fit:
    """How well the first records agree under a dialect."""
    widths: list[int] = []
    problem = ""
    try:
        for _, row in islice(dialect.records(sample, None, most), SAMPLE_RECORDS):
            widths.append(len(row))
    except ScoreFileError as error:
        if not (is_cut and len(widths) > 1):  # the cut may be to blame
            problem = str(error)
    if problem or not widths:
        guess = next(content_lines(sample), (0, ""))[1].count(dialect.delimiter) + 1
        return Fit(dialect, widths, 0.0, guess, problem)
    skip = title_records(widths)
    body = widths[skip:]
    width = _header_width(body)
    named = int(body[0] == width - 1)  # a header without a name for the names of the rows
    return Fit(dialect, widths, (sum(own == width for own in body) + named) / len(body), width)


def _header_width(widths: Sequence[int]) -> int:
    """Columns of a table: those of its first record, or one more where all others have a name in front."""
    if len(widths) > 1 and set(widths[1:]) == {widths[0] + 1}:
        return widths[1]
    return widths[0]


def title_records(widths: Sequence[int]) -> int:
    """How many records stand above the header: fewer fields than all that follow.

    >>> title_records([1, 1, 4, 4, 4, 4]), title_records([4, 4, 3, 4]), title_records([3, 4, 4, 4])
    (2, 0, 0)
    """
    if len(widths) < 4:
        return 0
    usual = Counter(widths[1:]).most_common(1)[0][0]
    for place, width in enumerate(widths[:12]):
        if width == usual:
            rest = widths[place:]
            fits = rest.count(usual) > 0.9 * len(rest) and len(rest) > 2
            above = widths[:place]
            return place if fits and all(own <= max(1, usual // 3) for own in above) else 0
    return 0


def has_row_names(header: Sequence[str], rows: Sequence[Sequence[str]], raw_quoted: bool) -> bool:
    """Whether every row has one field more than the header, the first a name: R's write.table."""
    return (
        bool(rows)
        and all(len(row) == len(header) + 1 for row in rows)
        and (raw_quoted or all(is_text(row[0]) for row in rows))
        and any(cell and not is_text(cell) for row in rows for cell in row[1:])
    )
