"""Tables as people paste them: Markdown, the boxes that databases and `tabulate` draw, LaTeX."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from nlpstat_core.errors import shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import bare
from nlpstat_core.readers.open.dialect import Record, content_lines

_LOOKED_AT = 100_000  # signs at the beginning in which a table must start
_IN_RULES = frozenset(" \t|+:=-")
_TABULAR = re.compile(r"\\begin\{(?:tabular|longtable|tabularx|tabu|array)\*?\}")
# Bounded and possessive (++): a hostile text is gone through once.
_COMMANDS = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|addlinespace|centering|endhead|endfirsthead|small|footnotesize)\b"
    r"(?:\[[^\]]{0,40}\])?|\\(?:cmidrule|cline)\s{0,9}+(?:\([^)]{0,40}\))?\s{0,9}+\{[^}]{0,40}\}"
    r"|\\(?:caption|label)\s{0,9}+\{[^}]{0,400}\}|(?<!\\)%[^\n]*+"
)
_SPANNING = re.compile(r"\\multi(?:column|row)\s*\{(\d+|\*)\}\s*\{[^}]*\}\s*\{(.*)\}", re.DOTALL)
_AMPERSAND = re.compile(r"(?<!\\)&")
_ESCAPED = re.compile(r"\\([%&_#$])")


def marked_table(text: str) -> tuple[list[Record], tuple[Note, ...]] | None:
    """The records of the first table of Markdown, of drawn lines or of LaTeX; None where there is none.

    Further tables with the same header are joined to the first; others are named in a note.

    >>> marked_table("| item | A |\\n|---|--:|\\n| s1 | **0.5** |\\n")[0]
    [(1, ['item', 'A']), (3, ['s1', '0.5'])]
    >>> marked_table("item & A \\\\\\\\ \\\\midrule\\ns1 & 5\\\\% \\\\\\\\")[0]
    [(1, ['item', 'A']), (2, ['s1', '5%'])]
    """
    head = [line.strip() for _, line in islice(content_lines(text[:_LOOKED_AT]), 40)]
    if _is_latex(head):
        records = list(_latex(text))
        return (records, (_note("LaTeX"),)) if records else None
    # Answers of language models, in cells of other tables, hold tables of Markdown, too.
    drawn = sum("|" in line or _is_rule(line) for line in head)
    if 2 * drawn < len(head) or not any(map(_is_rule, head)):
        return None
    tables = list(_drawn(text))
    if not tables:
        return None
    first = tables[0]
    others = []
    for table in tables[1:]:
        if table[0][1] == first[0][1]:
            first += table[1:]
        else:
            others.append(table)
    notes = [_note("Markdown")]
    if others:
        many = f"{len(others):,} other tables" if len(others) > 1 else "another table"
        where = f"line {others[0][0][0]}, {shown(' | '.join(others[0][0][1]))}"
        sentence = f"The first table was read; the text holds {many} ({where})."
        notes.append(Note("tables-left-out", "caution", sentence))
    return first, tuple(notes)


def _note(kind: str) -> Note:
    return Note(
        "markdown-table" if kind == "Markdown" else "latex-table", "info", f"The table was read from {kind}."
    )


def _is_rule(line: str) -> bool:
    return _IN_RULES.issuperset(line) and ("-" in line or "=" in line)


def _drawn(text: str) -> Iterator[list[Record]]:
    """Each table: a header with a rule below it, and rows with bars; boxed ones have more rules."""
    last = -1
    block: list[Record | None] = []  # None stands for a rule
    for number, line in content_lines(text):
        belongs = "|" in line or _is_rule(line)
        if block and (number != last + 1 or not belongs):
            yield from _tables_of(block)
            block = []
        if belongs:
            block.append(None if _is_rule(line) else (number, _cells(line)))
            last = number
    yield from _tables_of(block)


def _tables_of(block: Sequence[Record | None]) -> Iterator[list[Record]]:
    """The tables of lines without a gap: a boxed one, or one from each record above a rule to the next."""
    records = [record for record in block if record is not None]
    if not records or None not in block:
        return
    if block[0] is None:
        yield records
        return
    heads = [i for i, below in enumerate(block[1:]) if below is None and block[i] is not None]
    for head, end in zip(heads, [*heads[1:], len(block)], strict=True):
        yield [record for record in block[head:end] if record is not None]


def _cells(line: str) -> list[str]:
    inner = line.strip()
    inner = inner.removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [bare(cell).replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def _is_latex(head: Sequence[str]) -> bool:
    """Whether the first lines begin a table of LaTeX, or are a row of one."""
    first = head[0] if head else ""
    if "&" in first and _COMMANDS.sub("", first).rstrip().endswith("\\\\"):
        return True
    return first.startswith(("\\", "%")) and any(_TABULAR.search(line) for line in head)


def _latex(text: str) -> Iterator[Record]:
    """The rows of a table between & and \\\\; commands that draw rules are left out."""
    start = _TABULAR.search(text)
    place = start.end() if start else 0
    # The columns' letters after \\begin{tabular}, which may hold braces themselves.
    while start and text[place : place + 1] in ("{", "["):
        place = _closing(text, place)
    end = text.find("\\end{", place) if start else -1
    line = text.count("\n", 0, place) + 1
    for row in text[place : end if end >= 0 else len(text)].split("\\\\"):
        bare_row = _COMMANDS.sub("", row)
        cells = [cell for part in _AMPERSAND.split(bare_row) for cell in _spread(part.strip())]
        line += row.count("\n")
        if len(cells) > 1:
            yield line - bare_row.lstrip().count("\n"), cells


def _closing(text: str, start: int) -> int:
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)


def _spread(cell: str) -> list[str]:
    """A cell as text, with empty ones beside it where it spans several columns."""
    spanning = _SPANNING.fullmatch(cell)
    inner = _ESCAPED.sub(r"\1", bare(bare(spanning[2] if spanning else cell)))
    inner = inner.replace("\\pm", "±").replace("{", "").replace("}", "").strip()
    more = int(spanning[1]) - 1 if spanning and "multicolumn" in cell and spanning[1] != "*" else 0
    return [inner, *[""] * min(more, 100)]
