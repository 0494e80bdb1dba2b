"""Names from a user's file as a figure or table may show them: visible, and short where space is."""

import unicodedata
from collections.abc import Sequence

LONGEST_NAME = 32
# Characters that turn the direction of the text after them could make a table say something else.
_TURNERS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_REPLACEMENT = "\ufffd"


def visible(text: str) -> str:
    """Text without line breaks, control characters, lone surrogates and changes of direction.

    Returns: Every such character is shown as �, blanks of any kind as a blank.

    >>> visible("A\\tB"), visible("x\\u202ey")
    ('A B', 'x�y')
    """
    if text.isprintable():  # nearly always, and then nothing of this kind is in it
        return text
    return "".join(_visible_character(character) for character in text)


def _visible_character(character: str) -> str:
    if character.isspace():
        return " "
    if character in _TURNERS or unicodedata.category(character) in ("Cc", "Cs", "Co", "Cn"):
        return _REPLACEMENT
    return character


def width(text: str) -> int:
    """Columns that a text takes in a typeface of equal widths: wide characters two, marks none.

    >>> width("abc"), width("日本")
    (3, 4)
    """
    return len(text) if text.isascii() else sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def short(name: str, limit: int = LONGEST_NAME) -> str:
    """A visible name of at most some columns; the middle of a longer one is left out.

    limit: Columns, at least 5.

    >>> short("a-rather-long-system-name-v2", 12)
    'a-rather…-v2'
    """
    whole = visible(name)
    if width(whole) <= limit:
        return whole
    tail = (limit - 1) // 3
    return f"{_start(whole, limit - 1 - tail)}…{_start(whole[::-1], tail)[::-1]}"


def _start(text: str, columns: int) -> str:
    taken = 0
    for place, character in enumerate(text):
        taken += _columns(character)
        if taken > columns:
            return text[:place]
    return text


def short_names(names: Sequence[str], limit: int = LONGEST_NAME) -> tuple[str, ...]:
    """Short names that still differ: names that came out alike get a number.

    >>> short_names(["a" * 99, "b", "a" * 98], 9)
    ('aaaa…a #1', 'b', 'aaaa…a #3')
    """
    cut = [short(name, limit) for name in names]
    seen: dict[str, int] = {}
    for name in cut:
        seen[name] = seen.get(name, 0) + 1
    room = limit - len(f" #{len(cut)}")
    return tuple(
        name if seen[name] == 1 else f"{short(whole, max(room, 5))} #{place}"
        for place, (whole, name) in enumerate(zip(names, cut, strict=True), start=1)
    )


def plain_file_name(name: str) -> str:
    """A name as every file system takes it.

    >>> plain_file_name("../a b/c:*?"), plain_file_name("日本")
    ('a-b-c', 'system')
    """
    kept = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else " " for char in name)
    return "-".join(kept.strip(" .").replace(".. ", " ").split())[:60].strip(".-") or "system"
