"""Student's t test of two independent samples with equal variances."""

from __future__ import annotations

from nlpstat_core.catalogue import Method
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.pairs.outcomes import Outcomes, SignificanceRun
from nlpstat_core.samples.independent import shift_outcomes


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

    References
    ----------
    Student (1908), doi:10.1093/biomet/6.1.1.
    """
    return shift_outcomes(batch, config, equal_variances=True)


METHOD: Method[SignificanceRun] = Method(
    key="student-t",
    label="Student's t test (unpaired)",
    summary="Compares the means of two independent samples with one pooled spread.",
    run=student_t,
    hypothesis="mean",
    null="the means differ by {delta}",
    assumptions=(
        "all units are independent, also between the systems",
        "the scores of both systems spread alike",
        "the means are approximately normal (normal scores, or many units)",
    ),
    formula=r"t = \frac{\bar u - \bar v - \delta}{s_p\sqrt{1/n_u + 1/n_v}}",
    references=("student1908",),
    design="unpaired",
)
