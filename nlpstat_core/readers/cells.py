"""One cell of text: a number, nothing, or text."""

from __future__ import annotations

import math
import re

MISSING = frozenset({"", "na", "nan", "none", "null", "-", "n/a", "#n/a", "<na>"})
INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
# Python's float also takes "1_000", "nan" and the digits of other scripts; a score file means none of them.
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?")
DECIMAL_POINT = re.compile(r"[+-]?[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?")
WHOLE = re.compile(r"[+-]?[0-9]+(?:\.0*)?")


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no score.

    Parameters
    ----------
    cell : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_missing(" n/a "), is_missing("0")
    (True, False)
    """
    return cell.strip().lower() in MISSING


def number(cell: str, decimal: str = ".") -> float | None:
    """The finite number in a cell, NaN where there is no score, None where there is something else.

    Parameters
    ----------
    cell : str
    decimal : {".", ","}
        The decimal mark.

    Returns
    -------
    float or None
        Rounded exactly as Python's float; None for text, infinities and numbers beyond float.

    Examples
    --------
    >>> number("-1.5e-1"), number("NA"), number("1_000"), number("1,5"), number("1,5", decimal=",")
    (-0.15, nan, None, None, 1.5)
    """
    text = cell.strip()
    if text.lower() in MISSING:
        return math.nan
    if decimal == ",":
        if "." in text:
            return None  # a point could group thousands: 1.234 stays ambiguous
        text = text.replace(",", ".")
    if not NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def is_text(cell: str, decimal: str = ".") -> bool:
    """Whether a cell holds text: neither a number (however large) nor a sign of a missing score.

    Parameters
    ----------
    cell : str
    decimal : {".", ","}

    Returns
    -------
    bool

    Examples
    --------
    >>> is_text("news"), is_text("inf"), is_text("1e400"), is_text("")
    (True, False, False, False)
    """
    text = cell.strip()
    if text.lower() in MISSING or INFINITE.fullmatch(text):
        return False
    if decimal == ",":
        text = text.replace(".", "x").replace(",", ".")
    return not NUMBER.fullmatch(text)


def is_whole(cell: str) -> bool:
    """Whether a cell holds a whole number.

    Parameters
    ----------
    cell : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_whole("12"), is_whole("3.0"), is_whole("0.5"), is_whole("")
    (True, True, False, False)
    """
    return bool(WHOLE.fullmatch(cell.strip()))


def is_infinite(cell: str) -> bool:
    """Whether a cell holds an infinity, in words or as a number too large for a float.

    Parameters
    ----------
    cell : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_infinite("-inf"), is_infinite("1e400"), is_infinite("1e300")
    (True, True, False)
    """
    text = cell.strip().replace(",", ".")
    if INFINITE.fullmatch(text):
        return True
    return bool(NUMBER.fullmatch(text)) and math.isinf(float(text))
