"""Score matrices with names as files may hold them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.scores.matrix import ScoreMatrix

# White space around names means nothing, so it is not part of them.
LETTERS = st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\",;\t|'=+-@#<&\n")
ANY_NAMES = st.text(LETTERS, min_size=1, max_size=12).map(str.strip).filter(bool)
HOSTILE = st.sampled_from(
    ['a"b', '"', "a,b;c\td", "=1+1", "#1", "NA", "nan", "-", "１２", "é\u0301", "x\ny", "'", "𝔸", "_x0041_"]
)
PLAIN_NAMES = st.from_regex(r"\ASys[A-Za-z0-9]{1,9}\Z")
FINITE = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: value + 0.0)
USUAL = st.integers(0, 10_000).map(lambda count: count / 100)


def _may_be_none(name: str) -> bool:
    """Whether a name is no system's where the values are others ("turn", "n_words", "#", "mean scores")."""
    kinds = (Kind.NEVER, Kind.NUMBER, Kind.SUMMARY, Kind.SPREAD)
    return any(says(kind, name) for kind in kinds) or bool(Kind.COUNT_SIGN.fullmatch(name))


@st.composite
def matrices(draw: st.DrawFn, hostile: bool = True, gaps: bool = True) -> ScoreMatrix:
    """A matrix whose first row and first column are complete, so that every name stands in every file.

    Parameters
    ----------
    hostile : bool
        Names that need quotes, and numbers of any size.
    gaps : bool
        Whether scores may be missing.
    """
    names = ANY_NAMES | HOSTILE if hostile else PLAIN_NAMES
    numbers = FINITE | USUAL if hostile else USUAL
    n_units, n_systems = draw(st.integers(2, 8)), draw(st.integers(2, 5))
    own = names.filter(lambda name: not _may_be_none(name))
    systems = draw(st.lists(own, min_size=n_systems, max_size=n_systems, unique=True))
    units = draw(st.lists(names, min_size=n_units, max_size=n_units, unique=True))
    cells = st.lists(numbers, min_size=n_systems, max_size=n_systems)
    values = np.array(draw(st.lists(cells, min_size=n_units, max_size=n_units)))
    if gaps:
        row = st.lists(st.booleans(), min_size=n_systems - 1, max_size=n_systems - 1)
        empty = np.array(draw(st.lists(row, min_size=n_units - 1, max_size=n_units - 1)))
        values[1:, 1:][empty] = np.nan
    return ScoreMatrix(values=values, systems=tuple(systems), units=tuple(units))
