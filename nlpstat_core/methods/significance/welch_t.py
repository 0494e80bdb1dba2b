"""Welch's t test of two independent samples."""

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes
from nlpstat_core.engine.samples.independent import shift_outcomes
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest


def welch_t(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Welch's t test: independent samples whose spreads may differ.

    Null hypothesis: the mean of a's scores minus the mean of b's is δ.

    Parameters
    ----------
    batch : PairBatch
        Every unit a system has counts, shared or not; at least two on each side, else undefined.
    config : AnalysisConfig
        `alternative`, `level`; δ is in the batch.

    Returns
    -------
    Outcomes
        t, its asymptotic p-value on Satterthwaite's degrees of freedom and the interval; notes
        "too-few-own-units", "no-pooled-spread".

    Notes
    -----
    t = (ū − v̄ − δ)/√(s_u²/n_u + s_v²/n_v). Cost O(N·S) once and O(1) per pair.
    """
    return shift_outcomes(batch, config, equal_variances=False)


METHOD = SignificanceTest(
    key="welch-t",
    label="Welch's t test (unpaired)",
    summary="Compares the means of two independent samples, whatever their spreads.",
    run=welch_t,
    quantity=MEAN,
    null="the means differ by {delta}",
    assumptions=(
        "all items are independent, also between the systems",
        "the means are approximately normal (normal scores, or many items)",
    ),
    formula=r"t = \frac{\bar u - \bar v - \delta}{\sqrt{s_u^2/n_u + s_v^2/n_v}}",
    references=("welch1947",),
    design="unpaired",
    of_board_scores=True,
    advice=(
        Advice(
            kinds=("unpaired",),
            standing="recommended",
            reason="The systems share no items; this test allows unequal spreads.",
        ),
    ),
)
