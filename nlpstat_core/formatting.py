"""Numbers as people read them. Only the edge formats; everything before keeps full precision."""

from __future__ import annotations

import math


def format_p(p_value: float, log10_p: float | None = None) -> str:
    """A p-value for people: three significant digits, never 0.

    Parameters
    ----------
    p_value : float
    log10_p : float or None
        Its common logarithm, used below 1e-300.

    Returns
    -------
    str

    Examples
    --------
    >>> format_p(0.04321), format_p(1.0), format_p(2e-7), format_p(5e-324, -514.2)
    ('0.0432', '1', '2.00e-07', '< 1e-300')
    """
    if math.isnan(p_value):
        return "undefined"
    if p_value < 1e-300 or (log10_p is not None and log10_p < -300):
        return "< 1e-300"
    if p_value < 1e-4:
        return f"{p_value:.2e}"
    return f"{p_value:.3g}"


def p_equals(p_value: float, symbol: str = "p") -> str:
    """The p-value as an equation: "p = 0.012", "p < 1e-300" or "p undefined".

    Parameters
    ----------
    p_value : float
    symbol : str

    Returns
    -------
    str

    Examples
    --------
    >>> p_equals(0.012), p_equals(float("nan"), "adjusted p")
    ('p = 0.012', 'adjusted p undefined')
    """
    text = format_p(p_value)
    return f"{symbol} {text}" if text[0] in "<u" else f"{symbol} = {text}"


def format_score(value: float) -> str:
    """A score or difference for people: four significant digits, plain notation where it is readable.

    Parameters
    ----------
    value : float

    Returns
    -------
    str

    Examples
    --------
    >>> format_score(0.284640), format_score(-41.23456), format_score(float("nan"))
    ('0.2846', '-41.23', 'undefined')
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.4g}"


def format_interval(low: float, high: float) -> str:
    """An interval for people.

    Parameters
    ----------
    low, high : float

    Returns
    -------
    str

    Examples
    --------
    >>> format_interval(0.1, 0.25)
    '[0.1, 0.25]'
    """
    if math.isnan(low) or math.isnan(high):
        return "undefined"
    return f"[{format_score(low)}, {format_score(high)}]"
