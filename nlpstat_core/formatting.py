"""Numbers as people read them. Only the edge formats; everything before keeps full precision."""

import math
from collections.abc import Iterable, Sequence

MOST_DECIMALS = 8


def format_p(p_value: float, log10_p: float | None = None, *, alpha: float | None = None) -> str:
    """A p-value for people: three significant digits, never 0, never on the wrong side of a level.

    log10_p: Its common logarithm, used below 1e-300.
    alpha: Level that p is compared with: digits grow until the text lies below, at or above it as p does.

    >>> format_p(0.04321), format_p(1.0), format_p(2e-7), format_p(5e-324, -514.2)
    ('0.0432', '1', '2.00e-07', '< 1e-300')
    >>> format_p(0.05001), format_p(0.05001, alpha=0.05), format_p(0.049996, alpha=0.05)
    ('0.05', '0.05001', '0.049996')
    """
    if math.isnan(p_value):
        return "undefined"
    if p_value < 1e-300 or (log10_p is not None and log10_p < -300):
        return "< 1e-300"
    if p_value < 1e-4:
        return on_its_side(p_value, "{:.{}e}", 2, alpha)
    return on_its_side(p_value, "{:.{}g}", 3, alpha)


def on_its_side(p_value: float, form: str, digits: int, alpha: float | None) -> str:
    """A p-value with as many digits as it takes to lie below, at or above alpha like p itself.

    form: A format of value and digits, such as "{:.{}f}".
    digits: So many at least.
    alpha: None asks for no more.

    >>> on_its_side(0.0496, "{:.{}f}", 3, 0.05), on_its_side(0.0496, "{:.{}f}", 3, None)
    ('0.0496', '0.050')
    """
    text = form.format(p_value, digits)
    while alpha is not None and (float(text) > alpha, float(text) < alpha) != (
        p_value > alpha,
        p_value < alpha,
    ):
        digits += 1
        text = form.format(p_value, digits)
    return text


def p_equals(p_value: float, symbol: str = "p", *, alpha: float | None = None) -> str:
    """The p-value as an equation: "p = 0.012", "p < 1e-300" or "p undefined".

    alpha: Level that p is compared with, see `format_p`.

    >>> p_equals(0.012), p_equals(float("nan"), "adjusted p")
    ('p = 0.012', 'adjusted p undefined')
    """
    text = format_p(p_value, alpha=alpha)
    return f"{symbol} {text}" if text[0] in "<u" else f"{symbol} = {text}"


def format_score(value: float) -> str:
    """A score or difference for people: four significant digits, plain notation where it is readable.

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

    >>> format_interval(0.1, 0.25)
    '[0.1, 0.25]'
    """
    if math.isnan(low) or math.isnan(high):
        return "undefined"
    return f"[{format_score(low)}, {format_score(high)}]"


def common_decimals(values: Iterable[float], digits: int) -> int:
    """Decimals that show a column's typical value with so many significant digits.

    values: Undefined and infinite ones and zeros don't count.
    Returns: From 0 on; 0 without values.

    >>> common_decimals([60.31, 58.8, 32.4], 4), common_decimals([0.0021, 0.0034], 2)
    (2, 4)
    """
    sizes = sorted(abs(value) for value in values if math.isfinite(value) and value != 0)
    if not sizes:
        return 0
    return max(0, digits - 1 - math.floor(math.log10(sizes[len(sizes) // 2])))


def interval_decimals(ends: Iterable[Sequence[float]]) -> int:
    """Decimals that show two digits of a typical half interval.

    ends: Both ends of every interval.

    >>> interval_decimals([(0.1, 0.2), (0.3, 0.5)]), interval_decimals([(-40, 80)])
    (2, 0)
    """
    return common_decimals(((float(high) - float(low)) / 2 for low, high in ends), 2)


def format_fixed(value: float, decimals: int) -> str:
    """A number in a column whose numbers share their decimals.

    decimals: Above 8 the number is written in powers of ten: a row of zeros can't be read.

    >>> format_fixed(58.8, 2), format_fixed(-0.001, 2), format_fixed(float("inf"), 2), format_fixed(2e-9, 12)
    ('58.80', '0.00', '∞', '2.000e-09')
    """
    if not math.isfinite(value):
        return format_score(value)
    if decimals > MOST_DECIMALS:
        return f"{value:.3e}" if value else "0"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def format_fixed_interval(low: float, high: float, decimals: int) -> str:
    """An interval in a column whose numbers share their decimals.

    >>> format_fixed_interval(0.1, 0.25, 3)
    '[0.100, 0.250]'
    """
    if math.isnan(low) or math.isnan(high):
        return "undefined"
    return f"[{format_fixed(low, decimals)}, {format_fixed(high, decimals)}]"


def format_statistic(value: float) -> str:
    """A test statistic for people: whole numbers in full, others with four significant digits.

    >>> format_statistic(198123.0), format_statistic(-2.345678), format_statistic(966042.5)
    ('198,123', '-2.346', '966,042.5')
    """
    if math.isfinite(value) and abs(value) < 1e15 and (2 * value).is_integer():
        return f"{value:,.0f}" if value.is_integer() else f"{value:,.1f}"
    return format_score(value)


def is_or_are(number: int) -> str:
    """The verb that goes with a number.

    >>> is_or_are(1), is_or_are(0)
    ('is', 'are')
    """
    return "is" if number == 1 else "are"


def count_of(number: int, noun: str) -> str:
    """A number with its noun.

    noun: In the singular; the plural gets an s.

    >>> count_of(1, "system"), count_of(2001, "unit")
    ('1 system', '2,001 units')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def rounded_up(number: int) -> int:
    """An estimated number of items to two digits, never fewer.

    >>> rounded_up(87), rounded_up(1234), rounded_up(200)
    (87, 1300, 200)
    """
    step = int(10 ** max(len(str(number)) - 2, 0))
    return -(-number // step) * step


def duration(seconds: float) -> str:
    """About how long, in the unit that fits.

    >>> duration(4.4), duration(80), duration(130), duration(7000), duration(3e5)
    ('4 seconds', '80 seconds', '2 minutes', '2 hours', '83 hours')
    """
    if seconds < 100:
        return count_of(max(1, round(seconds)), "second")
    if seconds < 100 * 60:
        return count_of(round(seconds / 60), "minute")
    return count_of(round(seconds / 3600), "hour")


def some_names(names: Sequence[str], most: int = 5) -> str:
    """The first of several names, and how many more there are.

    >>> some_names(["a", "b"]), some_names(["a", "b", "c", "d"], most=2)
    ('a, b', 'a, b and 2 more')
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return listed_names(names[:most]) + more


def listed_names(names: Sequence[str]) -> str:
    """All names; by semicolons where a name has a comma.

    >>> listed_names(["a", "b"]), listed_names(["a, tuned", "b"])
    ('a, b', 'a, tuned; b')
    """
    return ("; " if any("," in name for name in names) else ", ").join(names)
