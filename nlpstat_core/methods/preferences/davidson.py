"""Davidson's extension of Bradley and Terry's model: ties have a parameter of their own."""

from typing import Any

from nlpstat_core.methods.preferences.bradley_terry import bradley_terry_strengths
from nlpstat_core.records import Procedure


def davidson_strengths(battles: Any) -> dict[str, float]:
    """Strengths of systems from battles, with a parameter for ties.

    Parameters
    ----------
    battles : list, mapping of columns, data frame or Battles
        As for `bradley_terry_strengths`.

    Returns
    -------
    dict of str to float
        Natural logarithms with mean zero; not on the scale of strengths with ties as half wins.

    Raises
    ------
    ScoreError, AnalysisError
        Battles that can't be read; no finite strengths.

    Notes
    -----
    Win, loss and tie have probabilities e^(d/2), e^(−d/2) and ν divided by their sum, d = θ_a − θ_b.
    """
    return bradley_terry_strengths(battles, ties="davidson")


METHOD = Procedure(
    key="davidson",
    label="Bradley–Terry–Davidson, ties with their own parameter",
    summary="Strengths as Bradley and Terry's, where ties are likelier the closer two systems are.",
    run=davidson_strengths,
    assumptions=(
        "the chances of a win, a loss and a tie depend on the difference of the two strengths only",
        "prompts (or raters, whatever names the clusters) are independent",
    ),
    formula=r"P(a \succ b),\ P(b \succ a),\ P(a \sim b) \propto e^{d/2},\ e^{-d/2},\ \nu,\quad "
    r"d = \theta_a - \theta_b",
    references=("davidson1970", "liang1986"),
)
