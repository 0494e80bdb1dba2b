"""How much a user may keep, and for how long."""

import os
import unicodedata
from dataclasses import dataclass

from nlpstat_core.errors import shown
from nlpstat_core.saved_boards.errors import BoardError, TooMuch

MEGABYTE = 1024 * 1024
KEEP = "NLPSTAT_KEEP_DAYS"
MOST_DAYS = 36_500
LONGEST_TITLE, LONGEST_COMMENT, LONGEST_IDENTITY = 200, 4_000, 400
MOST_COMMENTS, MOST_MEMBERS, MOST_LINKS, MOST_VERSIONS = 5_000, 1_000, 1_000, 500


@dataclass(frozen=True)
class Limits:
    """Limits of this server. `megabytes`: what all their versions may take together."""

    boards: int = 100
    megabytes: int = 500


def limits() -> Limits:
    """The limits that the environment sets: NLPSTAT_MAX_BOARDS, NLPSTAT_MAX_BOARD_MEGABYTES.

    Raises BoardError: One that is no whole number.
    """
    usual = Limits()
    return Limits(
        _whole("NLPSTAT_MAX_BOARDS", 1_000_000) or usual.boards,
        _whole("NLPSTAT_MAX_BOARD_MEGABYTES", 1_000_000) or usual.megabytes,
    )


def keep_days() -> int | None:
    """Days after its last change that a board is deleted: NLPSTAT_KEEP_DAYS; None keeps it for good."""
    return _whole(KEEP, MOST_DAYS)


def _whole(variable: str, most: int) -> int | None:
    text = os.environ.get(variable)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16 and 1 <= int(text) <= most):
        raise BoardError(f"{variable} must be a whole number from 1 to {most:,}, not {shown(text)}.")
    return int(text)


def plain(text: str, what: str, longest: int, *, lines: bool = False) -> str:
    """Text of a user as it is kept: without control characters, not empty, not too long.

    what: For the message: "A title".
    longest: Characters.
    lines: Whether it may have several lines.
    Raises BoardError: Nothing is left of it. Raises TooMuch: It is too long.

    >>> plain("  WMT\\t24 ", "A title", 20)
    'WMT 24'
    """
    kept = "".join(char if _plain(char, lines) else " " for char in text.replace("\r\n", "\n"))
    kept = kept.strip() if lines else " ".join(kept.split())
    if not kept:
        raise BoardError(f"{what} can't be empty.")
    if len(kept) > longest:
        raise TooMuch(f"{what} may have {longest:,} characters; this has {len(kept):,}.")
    return kept


def _plain(char: str, lines: bool) -> bool:
    """Letters, signs and emoji with their joiners; nothing that turns the text around or can't be stored."""
    return (lines and char == "\n") or char in "\u200c\u200d" or unicodedata.category(char)[0] != "C"
