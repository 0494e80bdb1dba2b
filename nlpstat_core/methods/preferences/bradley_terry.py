"""Bradley and Terry's strengths: how much better each system is than the others, from battles."""

from typing import Any

from nlpstat_core.errors import ScoreError, shown
from nlpstat_core.methods.preferences.fit import fitted
from nlpstat_core.methods.preferences.sandwich import difference_error
from nlpstat_core.records import Procedure
from nlpstat_core.scores.battle_tables import as_battles
from nlpstat_core.scores.battles import TwoClusters


def bradley_terry_strengths(battles: Any, ties: str = "half") -> dict[str, float]:
    """Strengths of systems from battles.

    Parameters
    ----------
    battles : list, mapping of columns, data frame or Battles
        (a, b, winner) each, or columns model_a, model_b and winner. The winner is a side ("a", "model_b",
        "left", "A>B", "A>>B"), a system's name, or a tie ("tie", "both bad", "A=B").
    ties : {"half", "davidson"}
        Half a win for both, or a parameter of their own. The two scales differ: don't mix them.

    Returns
    -------
    dict of str to float
        Natural logarithms with mean zero, by system in the order of their first battles.

    Raises
    ------
    ScoreError
        Battles that can't be read.
    AnalysisError
        No finite strengths: systems that are not connected by wins and ties both ways, which are named.
    ConfigError
        An unknown treatment of ties.

    Notes
    -----
    "half": P(a beats b) = σ(θ_a − θ_b). "davidson": e^(d/2), e^(−d/2) and ν divided by their sum, for win,
    loss and tie with d = θ_a − θ_b; without ties it is "half". Newton's method on the counts of every pair,
    O(battles + systems³).

    References
    ----------
    Bradley and Terry (1952), doi:10.2307/2334029. Davidson (1970), doi:10.1080/01621459.1970.10481082.

    Examples
    --------
    >>> battles = [("A", "B", "A"), ("A", "B", "A"), ("A", "B", "B"), ("B", "A", "tie")]
    >>> strengths = bradley_terry_strengths(battles)
    >>> round(strengths["A"] - strengths["B"], 6)  # 2.5 wins to 1.5: log(5/3)
    0.510826
    """
    found = as_battles(battles)
    fit = fitted(found, ties)
    return dict(zip(found.systems, map(float, fit.strengths), strict=True))


def bradley_terry_difference(
    battles: Any, a: str, b: str, clusters: TwoClusters = None, ties: str = "half"
) -> tuple[float, float]:
    """Difference of two strengths and its standard error.

    Parameters
    ----------
    battles : list, mapping of columns, data frame or Battles
        As for `bradley_terry_strengths`.
    a, b : str
        Names of two systems.
    clusters : str, array-like of length n_battles, or a pair of these
        Battles that are not independent of each other: the name of a column (prompt, rater) or its entries.
        With two kinds both count. None takes every battle alone, which is too sure where prompts repeat.
    ties : {"half", "davidson"}

    Returns
    -------
    difference, standard_error : float
        θ_a − θ_b. The error is NaN where nothing varies (only ties), or where two kinds of clusters leave
        no variance above 0.

    Raises
    ------
    ScoreError
        Battles that can't be read, an unknown system or column, one system twice, one cluster only.
    AnalysisError
        No finite strengths.
    ConfigError
        An unknown treatment of ties.

    Notes
    -----
    Sandwich H⁺(Σ_c u_c u_cᵀ)H⁺·C/(C − 1), u_c the sum of the scores of cluster c, to be compared with
    Student's t with C − 1 degrees of freedom where clusters are alike. Where they are few or uneven
    `rank_preferences` has degrees of freedom of every pair, and what the error lacks. The model's own errors
    are never used: ties as half wins make them too large, repeated prompts too small.

    Examples
    --------
    >>> battles = [("A", "B", "A"), ("A", "B", "A"), ("A", "B", "B"), ("B", "A", "tie")]
    >>> difference, error = bradley_terry_difference(battles, "A", "B")
    >>> round(error, 6)
    1.021256
    """
    found = as_battles(battles)
    left, right = found.position(a), found.position(b)
    if left == right:
        raise ScoreError(f"A difference needs two systems; both are {shown(a)}.")
    fit = fitted(found, ties)
    error = difference_error(fit, found, left, right, clusters)
    return float(fit.strengths[left] - fit.strengths[right]), error


METHOD = Procedure(
    key="half",
    label="Bradley–Terry, ties as half wins",
    summary="Strengths whose differences are log odds of A beating B; a tie is half a win for both.",
    run=bradley_terry_strengths,
    assumptions=(
        "the chance that A beats B depends on the difference of their strengths only",
        "prompts (or raters, whatever names the clusters) are independent",
    ),
    formula=r"P(a \succ b) = \frac{1}{1 + e^{-(\theta_a - \theta_b)}}",
    references=("bradley1952", "liang1986"),
)
