"""How a p-value was computed, in words."""

from collections.abc import Mapping

# By the kind of a p-value: in a table, and in a sentence after "computed".
SHORT: Mapping[str, str] = {
    "exact": "exact",
    "contour": "numerical integration",
    "asymptotic": "asymptotic or parametric",
    "monte-carlo": "random resamples",
}
LONG: Mapping[str, str] = {
    "exact": "exactly",
    "contour": "by numerical integration of the permutation distribution (no random numbers)",
    "asymptotic": "from the test's asymptotic or parametric distribution",
    "monte-carlo": "from random resamples",
}


def computed_text(kind: str | None, *, long: bool = False) -> str:
    """How a p-value was computed, or "undefined" where there is none.

    >>> computed_text("contour")
    'numerical integration'
    """
    return (LONG if long else SHORT).get(kind or "", "undefined")
