"""The sign test."""

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes, outcomes_from_tails, undefined_outcomes
from nlpstat_core.engine.samples.locations import medians
from nlpstat_core.engine.signflip import binomial_tail_columns
from nlpstat_core.methods.significance.smallest import of_untied_units
from nlpstat_core.quantities import WINS
from nlpstat_core.records import Advice, SignificanceTest


def sign(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Exact sign test of wins against losses.

    Null hypothesis: a unit that is not tied is as likely won (u − v > δ) as lost (u − v < δ).

    Parameters
    ----------
    batch : PairBatch
        Wins and losses are counted on the differences rounded to the scores' decimals.
    config : AnalysisConfig
        `alternative`; δ is in the batch.

    Returns
    -------
    Outcomes
        The number of wins and its exact p-value, for every n. Ties are left out; a pair of ties only has
        p = 1, a pair without any unit is undefined (note "too-few-units").

    Notes
    -----
    With w wins and l losses, two-sided p = min(1, 2·P(Bin(w + l, ½) ≥ max(w, l))). Cost O(n) per pair.
    """
    if batch.n_units == 0:
        return undefined_outcomes(batch.n_pairs, "too-few-units")
    tails = binomial_tail_columns(batch.wins, batch.losses, config.alternative)
    return outcomes_from_tails(batch.wins.astype(float), tails, (batch.wins - batch.losses).astype(float))


METHOD = SignificanceTest(
    key="sign",
    label="Sign test",
    summary="Counts the items that each system wins, whatever the size of the difference.",
    run=sign,
    by_wins=True,
    quantity=WINS,
    null="a difference is as likely above {delta} as below it (ties are left out)",
    assumptions=("items are independent",),
    formula=r"p = \min\Bigl(1,\, 2 \sum_{k \ge \max(w, l)} \binom{w + l}{k} 2^{-(w + l)}\Bigr)",
    references=("dixon1946",),
    design="paired",
    estimate=medians,
    quick=True,
    looks_at="signs",
    lowest_with_all_signs=True,
    smallest_p=of_untied_units,
    power_form="exact-binomial",
    planned=True,
    when_chosen="In simulations the procedure kept its level of 0.05 for exchangeable systems (0.033 to "
    "0.058); with equal means but skewed differences the sign test it then chooses, which is not about the "
    "mean, rejects in 21 % (20 items), 72 % (100 items) and 100 % (1,000 items) of the comparisons",
    advice=(
        Advice(
            kinds=("normal", "not-normal"),
            standing="non-preferred",
            reason="It ignores the size of the differences and loses power.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("skewed",),
            standing="recommended",
            reason="The differences are skewed, so their median is compared; this test is exact.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("binary",),
            standing="non-preferred",
            reason="For 0/1 scores it is McNemar's exact test under another name.",
        ),
        Advice(
            kinds=("constant",),
            standing="non-preferred",
            reason="With equal differences it gives the same p-value.",
            questions=("mean",),
        ),
        Advice(
            kinds=("constant",),
            standing="recommended",
            reason="All differences are equal; counting wins and losses is still defined.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("accuracy-counts",),
            standing="non-preferred",
            reason="It ignores the size of the differences and loses power.",
        ),
    ),
)
