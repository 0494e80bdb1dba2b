"""Every other test of one pair, for exploration."""

import numpy as np

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.board.pairs.columns import with_interval
from nlpstat_core.board.pairs.one_pair import pair_batch, pair_estimate
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import P_KINDS, Outcomes
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.results.pair import OtherTest


@one_blas_thread()
def other_tests(analysis: Analysis, row: int) -> tuple[OtherTest, ...]:
    """Every test of the catalogue that applies to this pair, for exploration.

    Returns: In catalogue order; left out are tests that are undefined for the pair and, where documents are
        named, those of independent units.
    """
    batch = pair_batch(analysis, row)
    by_documents = batch.units.blocks is not None
    found = []
    for method in TESTS:
        if method.design == "unpaired" and batch.n_units:
            continue  # it would throw the pairing away
        if (method.design == "measure") != (batch.units.measured is not None):
            continue  # a measure that is no mean has a test of its own
        if batch.units.runs is not None and method.design != "runs":
            continue  # it would take these runs as the only ones
        if batch.units.runs is None and by_documents and method.design not in ("blocks", "measure"):
            continue  # it would take the units of one document as independent
        outcome = with_interval(method, batch, analysis.config)
        if not np.isnan(outcome.p_value[0]):
            found.append(_other(method.key, outcome, batch, analysis.config))
    return tuple(found)


def _other(key: str, outcome: Outcomes, batch: PairBatch, config: AnalysisConfig) -> OtherTest:
    difference = float(batch.mean[0] if batch.units.measured is None else batch.difference[0])
    interval = outcome.interval
    estimate = None
    if TESTS[key].estimate is not None or interval is not None:
        shown = (np.nan, np.nan) if interval is None else (float(interval[0, 0]), float(interval[0, 1]))
        estimate = pair_estimate(key, batch, config, difference, shown)[0]
    return OtherTest(
        test=key,
        hypothesis=TESTS[key].hypothesis,
        statistic=float(outcome.statistic[0]),
        p_value=float(outcome.p_value[0]),
        log10_p=float(outcome.log10_p[0]),
        p_kind=P_KINDS[int(outcome.p_kind[0])],
        estimate=estimate,
    )
