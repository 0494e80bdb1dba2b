"""One cell of text: a number, nothing, or text."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

MISSING = frozenset(
    {
        *("", "na", "nan", "none", "null", "n/a", "n.a.", "<na>", ".", "-", "--", "\u2013", "\u2014"),
        *("#n/a", "#div/0!", "#ref!", "#value!", "#num!", "#name?", "#null!"),  # spreadsheets write these
    }
)
FLAGS = {"true": 1.0, "false": 0.0}
INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
# Python's float also takes "1_000", "nan" and the digits of other scripts; a score file means none of them.
# Possessive (++): a cell of a million digits and a letter is looked at once, not a million times.
_EXPONENT = "(?:[eE][+-]?[0-9]++)?"
NUMBER = re.compile(rf"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++){_EXPONENT}")
DECIMAL_COMMA = re.compile(rf"[+-]?[0-9]*+,[0-9]++{_EXPONENT}")
DECIMAL_POINT = re.compile(rf"[+-]?[0-9]*+\.[0-9]++{_EXPONENT}")
WHOLE = re.compile(r"[+-]?[0-9]++(?:\.0*+)?")
_MINUS = "\u2212"  # as Word and LaTeX write it
# Marks that people put around the best number, and behind one that differs significantly.
_BEHIND = re.compile(r"(?:\\?\*|\^?\{?\\?dagger\}?|†|‡|↑|↓|[\u00b9\u00b2\u00b3])+$")
_AROUND = re.compile(
    r"(\*\*|__|~~|\*|_|`|\$)(.+)\1|</?(?:b|i|u|strong|em)>(.+)</(?:b|i|u|strong|em)>"
    r"|\\(?:textbf|textit|underline|emph|mathbf|text|bf)\s*\{(.*)\}",
    re.DOTALL,
)
_LONGEST_MARKED = 200  # signs; what is longer is a text, with its marks
_PLAIN = b"0123456789+-.eE "  # what numbers are made of
_AT_ONCE = 100_000


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no score.

    >>> is_missing(" n/a "), is_missing("0")
    (True, False)
    """
    return cell.strip().lower() in MISSING


def number(cell: str, decimal: str = ".") -> float | None:
    """The finite number in a cell (true is 1), NaN where there is none, None where there is something else.

    Returns: Rounded exactly as Python's float; None for text, infinities and numbers beyond float.

    >>> number("-1.5e-1"), number("NA"), number("1_000"), number("1,5"), number("1,5", decimal=",")
    (-0.15, nan, None, None, 1.5)
    >>> number("True"), number("FALSE")
    (1.0, 0.0)
    """
    text = cell.strip()
    lower = text.lower()
    if lower in MISSING:
        return math.nan
    if lower in FLAGS:
        return FLAGS[lower]
    if text[0] == _MINUS:
        text = "-" + text[1:]
    if decimal == ",":
        if "." in text:
            return None  # a point could group thousands: 1.234 stays ambiguous
        text = text.replace(",", ".")
    if not NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def plain(cells: Sequence[str], decimal: str = ".") -> Sequence[str]:
    """Cells ready for `float` if they hold nothing but the signs of numbers; empty ones become "nan".

    Raises ValueError: Other signs: the cells have to be looked at one by one, with `number`.

    >>> list(map(float, plain(["1", "", "-2e3"]))), plain(["0,5"], decimal=",")
    ([1.0, nan, -2000.0], ['0.5'])
    """
    joined = "".join(cells)
    if decimal == ",":
        if "." in joined:
            raise ValueError
        return plain([cell.replace(",", ".") for cell in cells])
    if joined.encode("ascii").translate(None, _PLAIN):
        raise ValueError
    return [cell or "nan" for cell in cells] if "" in cells else cells


def is_text(cell: str, decimal: str = ".") -> bool:
    """Whether a cell holds text: no number (however large), no true or false, no sign of a missing score.

    >>> is_text("news"), is_text("inf"), is_text("1e400"), is_text("")
    (True, False, False, False)
    """
    text = cell.strip()
    lower = text.lower()
    if lower in MISSING or lower in FLAGS or INFINITE.fullmatch(text):
        return False
    if text[0] == _MINUS:
        text = "-" + text[1:]
    if decimal == ",":
        text = text.replace(".", "x").replace(",", ".")
    return not NUMBER.fullmatch(text)


def bare(cell: str) -> str:
    """A cell without bold type and other marks of Markdown, LaTeX and HTML, and without stars behind it.

    >>> bare("**0.51**"), bare("0.3*"), bare(r"\\textbf{A}"), bare("a * b")
    ('0.51', '0.3', 'A', 'a * b')
    """
    text = cell.strip()
    if len(text) > _LONGEST_MARKED:
        return text
    for _ in range(3):
        found = _AROUND.fullmatch(text)
        inner = next(part for part in found.groups()[1:] if part is not None) if found else text
        if text[:1] not in ("*", "_") and NUMBER.match(inner):
            inner = _BEHIND.sub("", inner)
        if inner == text:
            break
        text = inner.strip()
    return text


def is_flag(cell: str) -> bool:
    """Whether a cell holds true or false in words.

    >>> is_flag("True"), is_flag("1")
    (True, False)
    """
    return cell.strip().lower() in FLAGS


def is_whole(cell: str) -> bool:
    """Whether a cell holds a whole number.

    >>> is_whole("12"), is_whole("3.0"), is_whole("0.5"), is_whole("")
    (True, True, False, False)
    """
    return bool(WHOLE.fullmatch(cell.strip()))


def is_infinite(cell: str) -> bool:
    """Whether a cell holds an infinity, in words or as a number too large for a float.

    >>> is_infinite("-inf"), is_infinite("1e400"), is_infinite("1e300")
    (True, True, False)
    """
    text = cell.strip().replace(",", ".")
    if INFINITE.fullmatch(text):
        return True
    return bool(NUMBER.fullmatch(text)) and math.isinf(float(text))


def mostly_text(cells: Iterable[str], decimal: str = ".") -> bool:
    """Whether most cells that say something are text.

    >>> mostly_text(["news", "chat", ""]), mostly_text(["1", "2x", "3"])
    (True, False)
    """
    texts = present = 0
    rest = iter(cells)
    while some := Counter(islice(rest, _AT_ONCE)):  # labels repeat
        for cell, times in some.items():
            if not is_missing(cell):
                present += times
                texts += times * is_text(cell, decimal)
    return 2 * texts > present
