"""Numbers written with signs around them: percent, thousands, money, marks, spreads, shares, verdicts."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nlpstat_core.notes import Severity
from nlpstat_core.readers.open.cells import bare, is_missing, number

LONGEST = 80  # signs of a cell that holds one number
SAMPLE = 200  # cells that tell whether all are worth a look
MOST_UNEXPLAINED = 0.2  # share of cells that may stay unexplained, and are refused one by one
_SPACES = "[ \u00a0\u2009\u202f'’]"  # what stands between groups of thousands
_GROUPED = {
    ".": re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+|[+-]?[0-9]{1,3}(?:,[0-9]{3}){2,}"),
    ",": re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+|[+-]?[0-9]{1,3}(?:\.[0-9]{3}){2,}"),
}
_ONE_GROUP = {
    ".": re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}"),
    ",": re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}"),
}
_SPACED = re.compile(rf"[+-]?[0-9]{{1,3}}(?:{_SPACES}[0-9]{{3}})+(?:[.,][0-9]+)?")
_MONEY = re.compile(r"([+-]?)\s*(?:[$€£¥₹]|USD|EUR|GBP)\s*(.+)|(.+?)\s*(?:[$€£¥₹]|USD|EUR|GBP)")
_SPREAD = re.compile(
    r"(.+?)\s*(?:±|\+/-|\+-)\s*[0-9.,]+%?|(\S+?)\s*(?:\([^()]*[0-9][^()]*\)|\[[^\[\]]*[0-9][^\[\]]*\])"
)
# A number and what it is measured in, or out of.
MEASURED = re.compile(
    r"[+-]?[0-9]+(?:[.,][0-9]+)?\s*(?P<unit>[mnµ]?s|secs?|seconds?|min(?:utes)?|h(?:rs?|ours)?|[kmgt]i?b|px|p(?:oin)?ts?"
    r"|tok(?:ens?)?(?:/s)?|db|k?hz|fps|k?wh|eur|usd|/\s*[0-9.]+)",
    re.IGNORECASE,
)
_SHARE = re.compile(r"([0-9]{1,9})\s*/\s*([0-9]{1,9})")
VERDICTS = {
    **dict.fromkeys(("pass", "passed", "correct", "right", "success", "solved", "resolved"), 1.0),
    **dict.fromkeys(("✓", "✔", "✔️", "✅", "☑"), 1.0),
    **dict.fromkeys(("fail", "failed", "incorrect", "wrong", "failure", "unsolved", "unresolved"), 0.0),
    **dict.fromkeys(("✗", "✘", "✖", "✖️", "❌", "✕", "☒"), 0.0),
}
_YES_OR_NO = {"yes": 1.0, "y": 1.0, "no": 0.0, "n": 0.0}
# Kind → what is said of it.
PERCENT, THOUSANDS, MONEY, MARKS = (
    "percent-signs",
    "thousands-signs",
    "currency-signs",
    "marks-around-numbers",
)
SPREADS, SHARES, VERDICT = "spreads-left-out", "shares-read", "verdicts-read"
SAID: dict[str, tuple[Severity, str]] = {
    PERCENT: ("info", "Percent signs were removed: 5% was read as 5"),
    THOUSANDS: ("info", "Thousands separators were removed"),
    MONEY: ("info", "Currency signs were removed"),
    MARKS: ("info", "Stars, bold type and other marks around numbers were removed"),
    SPREADS: ("caution", "Text after ± or in brackets after a score was removed"),
    SHARES: ("info", "Fractions were read as numbers: 3/5 as 0.6"),
    VERDICT: ("info", "Verdicts were read as 1 and 0"),
}


@dataclass(frozen=True)
class Written:
    """How the cells of a column are written.

    kind: Key of SAID.
    values (mapping of str to (float or None)): The number of each cell; None where a cell isn't written so.
    """

    kind: str
    values: Mapping[str, float | None]


def written_numbers(
    known: Mapping[str, float | None],
    times: Mapping[str, int],
    decimal: str,
    grouped: Callable[[], bool] = bool,
) -> Written | None:
    """How cells are written of which some are no plain numbers; None where nothing explains them.

    known (mapping of str to (float or None)): Distinct cells, with the plain numbers among them.
    grouped: Whether other columns show that thousands are grouped; asked only where it matters.

    >>> written_numbers({"12%": None, "3.5%": None}, {"12%": 1, "3.5%": 1}, ".")
    Written(kind='percent-signs', values={'12%': 12.0, '3.5%': 3.5})
    >>> written_numbers({"fail": None, "pass": None}, {"fail": 3, "pass": 5}, ".").values["pass"]
    1.0
    """
    there = [cell for cell in known if not is_missing(cell)]
    odd = [cell for cell in there if known[cell] is None and len(cell) <= LONGEST]
    if not odd or not any(cell.lower() in VERDICTS or any(map(str.isdigit, cell)) for cell in odd[:50]):
        return None
    most = MOST_UNEXPLAINED * sum(times[cell] for cell in there)
    some = odd[:: len(odd) // SAMPLE + 1]
    hopeless = 2 * most / sum(times[cell] for cell in odd) * len(some)
    readings = {
        PERCENT: _percent,
        VERDICT: _verdict,
        THOUSANDS: _thousands,
        MONEY: _money,
        SHARES: _share,
        MARKS: _marked,
        SPREADS: _spread,
    }
    for kind, read in readings.items():
        if sum(read(cell, decimal) is None for cell in some) > hopeless:
            continue  # sentences need not be gone through seven times
        found = {cell: read(cell, decimal) for cell in odd}
        good = any(value is not None for value in found.values())
        if kind in (PERCENT, VERDICT, SHARES) and len(odd) < len(there):
            continue  # 5 beside 5% may be either
        if kind == THOUSANDS and good and not (shows_groups(known, decimal) or grouped()):
            continue
        known_now = {**known, **found}
        if good and sum(times[cell] for cell in there if known_now[cell] is None) <= most:
            return Written(kind, known_now)
    return None


def said_right(known: Mapping[str, float | None]) -> Written | None:
    """Yes and no as 1 and 0, for a column whose name says that it tells what is right; None for other words.

    >>> said_right({"Yes": None, "no": None, "": math.nan}).values["Yes"], said_right({"maybe": None})
    (1.0, None)
    """
    odd = [cell for cell, value in known.items() if value is None]
    if not odd or any(cell.lower() not in _YES_OR_NO for cell in odd):
        return None
    return Written(VERDICT, {**known, **{cell: _YES_OR_NO[cell.lower()] for cell in odd}})


def may_be_thousands(cell: str, decimal: str) -> bool:
    """Whether a cell is 1,200 or the like: thousands, or a number with decimals, and no text.

    >>> may_be_thousands("1,200", "."), may_be_thousands("1,20", ".")
    (True, False)
    """
    return bool(_ONE_GROUP[decimal].fullmatch(cell))


def _percent(cell: str, decimal: str) -> float | None:
    return _finite(cell[:-1], decimal) if cell.endswith("%") else None


def _verdict(cell: str, decimal: str) -> float | None:
    return VERDICTS.get(cell.lower())


def _thousands(cell: str, decimal: str) -> float | None:
    if _GROUPED[decimal].fullmatch(cell) or _ONE_GROUP[decimal].fullmatch(cell):
        return number(cell.replace("." if decimal == "," else ",", ""), decimal)
    if _SPACED.fullmatch(cell):
        joined = re.sub(_SPACES, "", cell)
        return number(joined, "," if "," in joined else ".")
    return None


def shows_groups(known: Mapping[str, float | None], decimal: str) -> bool:
    """Whether 1,200 can only be thousands: another cell says so, or smaller whole numbers stand beside it.

    known (mapping of str to (float or None)): Distinct cells, with the plain numbers among them.

    >>> shows_groups({"1,200": None, "950": 950.0}, "."), shows_groups({"1,200": None}, ".")
    (True, False)
    """
    if any(_GROUPED[decimal].fullmatch(cell) or _SPACED.fullmatch(cell) for cell in known):
        return True
    if not any(may_be_thousands(cell, decimal) for cell in known):
        return False
    plain = [value for value in known.values() if value is not None and value == value]
    return bool(plain) and all(value == int(value) and abs(value) < 1000 for value in plain)


def _money(cell: str, decimal: str) -> float | None:
    found = _MONEY.fullmatch(cell)
    return _amount((found[1] or "") + (found[2] or found[3]), decimal) if found else None


def _amount(text: str, decimal: str) -> float | None:
    plain = _finite(text, decimal)
    return _thousands(text.strip(), decimal) if plain is None else plain


def _share(cell: str, decimal: str) -> float | None:
    found = _SHARE.fullmatch(cell)
    if found is None or int(found[2]) == 0 or int(found[1]) > int(found[2]):
        return None
    return int(found[1]) / int(found[2])


def _marked(cell: str, decimal: str) -> float | None:
    inner = bare(cell)
    return None if inner == cell else _finite(inner.removesuffix("%"), decimal)


def _spread(cell: str, decimal: str) -> float | None:
    found = _SPREAD.fullmatch(bare(cell))
    return _finite(bare(found[1] or found[2]).removesuffix("%"), decimal) if found else None


def _finite(text: str, decimal: str) -> float | None:
    value = number(text, decimal)
    return None if value is None or math.isnan(value) else value
