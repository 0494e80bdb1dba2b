"""CSV files that open safely in a spreadsheet."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from nlpstat_core.report.exports.data.names import visible

if TYPE_CHECKING:
    import pandas as pd

# A cell that starts with one of these is a formula to a spreadsheet, also after leading blanks, and to some
# also as a wide or small form of the sign (＝ ＋ － ＠ ﹦ …), which East Asian keyboards write.
_FORMULA_STARTS = frozenset("=+-@")


def safe_cell(value: object) -> object:
    """Text as a spreadsheet may open it: without control characters, formulas with an apostrophe before.

    Returns: Numbers unchanged.

    >>> safe_cell("=1+1"), safe_cell(" ＝1+1"), safe_cell("BLEU"), safe_cell(-1.5)
    ("'=1+1", "' ＝1+1", 'BLEU', -1.5)
    """
    if not isinstance(value, str):
        return value
    text = visible(value)
    first = unicodedata.normalize("NFKC", text.lstrip()[:1])[:1]
    return "'" + text if first in _FORMULA_STARTS else text


def csv_text(frame: pd.DataFrame) -> str:
    """A frame as CSV: full-precision numbers, LF line ends, no formula from a user's name.

    frame: What its `attrs` hold (metric, data set, signature and fingerprint of an analysis) becomes its last
        columns: every reader of CSV takes them, and they survive sorting, filtering and joining files.
    """
    import pandas as pd

    safe = frame.assign(**{str(name): value for name, value in frame.attrs.items()})
    for name in safe.columns:
        if safe[name].dtype == object or pd.api.types.is_string_dtype(safe[name]):
            safe[name] = safe[name].map(safe_cell)
    safe.columns = pd.Index([safe_cell(str(name)) for name in safe.columns])  # some come from a file, too
    return safe.to_csv(index=False, lineterminator="\n")
