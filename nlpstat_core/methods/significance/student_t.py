"""Student's t test of two independent samples with equal variances."""

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes
from nlpstat_core.engine.samples.independent import shift_outcomes
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest


def student_t(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Student's two-sample t test with the pooled variance.

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
        t, its asymptotic p-value on n_u + n_v − 2 degrees of freedom and the interval; notes
        "too-few-own-units", "no-pooled-spread".

    Notes
    -----
    t = (ū − v̄ − δ)/(s_p·√(1/n_u + 1/n_v)). Cost O(N·S) once and O(1) per pair.
    """
    return shift_outcomes(batch, config, equal_variances=True)


METHOD = SignificanceTest(
    key="student-t",
    label="Student's t test (unpaired)",
    summary="Compares the means of two independent samples with one pooled spread.",
    run=student_t,
    quantity=MEAN,
    null="the means differ by {delta}",
    assumptions=(
        "all items are independent, also between the systems",
        "the scores of both systems spread alike",
        "the means are approximately normal (normal scores, or many items)",
    ),
    formula=r"t = \frac{\bar u - \bar v - \delta}{s_p\sqrt{1/n_u + 1/n_v}}",
    references=("student1908",),
    design="unpaired",
    equal_variances=True,
    of_board_scores=True,
    advice=(Advice(kinds=("unpaired",), standing="non-preferred", reason="It assumes equal spreads."),),
)
