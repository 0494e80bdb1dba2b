"""Cancel reaches into every long loop: within a second the work has stopped."""

import pickle
import time

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.analysis.robustness import robustness
from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution
from nlpstat_core.methods.corrections.family import Comparisons
from nlpstat_core.methods.corrections.simultaneous import simultaneous_intervals
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power.curves import power_curve
from nlpstat_core.scores.count_matrices import count_matrix
from nlpstat_core.scores.counts import Counts
from nlpstat_core.stopping import Asked, stop_if_asked, stoppable

# In processor time of the working thread, so that a busy machine is not measured.
A_SECOND = 1.0
BEFORE = 0.15
DESIGNS = {"paired": {}, "blocks": {"block_column": "document"}, "unpaired": {}}
CASES = [
    *[(test.key, "holm") for test in TESTS if test.design in DESIGNS],
    *[(key, "max-t") for key in ("t", "permutation-mean", "bootstrap-mean", "block-permutation", "block-t")],
]


class Impatient:
    """Says stop once the thread has worked for a while, and remembers the longest time it was not asked."""

    def __init__(self, before: float = BEFORE) -> None:
        self.end = time.thread_time() + before
        self.last, self.longest, self.refused = time.thread_time(), 0.0, 0

    def __call__(self) -> bool:
        now = time.thread_time()
        self.longest, self.last = max(self.longest, now - self.last), now
        self.refused += now > self.end
        return now > self.end


@pytest.fixture(scope="module")
def board():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(104, 1)) + rng.normal(size=(104, 120))
    scores = ns.ScoreMatrix(
        values=values,
        systems=tuple(f"s{i}" for i in range(120)),
        labels={"document": tuple(f"d{i // 4}" for i in range(104))},
    )
    ns.analyse(scores.columns([0, 1, 2]))  # imports of the first use are not waited for
    return scores


def stopped(work) -> Impatient:
    """Run work that takes a should_stop; it may end by itself, else it must obey the first time."""
    asked = Impatient()
    try:
        work(asked)
    except ns.Cancelled:
        assert asked.refused == 1
    else:
        assert asked.refused == 0
    assert asked.longest < A_SECOND
    assert time.thread_time() - asked.last < A_SECOND
    return asked


@pytest.mark.parametrize(("test", "correction"), CASES)
def test_every_test_stops_within_a_second(board, test, correction):
    design = DESIGNS[TESTS[test].design]
    config = ns.AnalysisConfig(test=test, correction=correction, effects=(), resamples=60_000, **design)
    scores = board
    if test == "mcnemar":
        scores = ns.ScoreMatrix(values=(board.values > 0).astype(float), systems=board.systems)
    asked = stopped(lambda ask: ns.analyse(scores, config, should_stop=ask))
    if "bootstrap" in test or correction == "max-t":
        assert asked.refused == 1, "a case that ends so soon proves nothing"


@pytest.mark.parametrize("kind", ["accuracy", "f1"])
def test_exact_tests_of_counts_stop_within_a_second(kind):
    rng = np.random.default_rng(3)
    total = rng.integers(3, 40, size=(300, 1))
    hits = rng.binomial(total, 0.8 + 0.1 * rng.random(90))
    misses = total - hits if kind == "accuracy" else rng.binomial(total, 0.2, size=hits.shape)
    counts = Counts(kind=kind, hits=hits, misses=misses)
    scores = count_matrix(counts, [f"s{i}" for i in range(90)])
    assert stopped(lambda ask: ns.analyse(scores, ns.AnalysisConfig(effects=()), should_stop=ask)).refused


def test_effects_power_ranks_and_robustness_stop_within_a_second(board):
    lean = ns.analyse(board, ns.AnalysisConfig(test="t", effects=(), resamples=400_000))
    costly = ns.AnalysisConfig(test="t", effects=("rank-biserial",), intervals=("rank-biserial",))
    average = ns.AnalysisConfig(test="t", effects=("cohen-d-av",), intervals=("cohen-d-av",))
    a, b = board.systems[:2]
    assert stopped(lambda ask: ns.analyse(board, costly, should_stop=ask)).refused
    assert stopped(lambda ask: ns.analyse(board, average, should_stop=ask)).refused
    assert stopped(
        lambda ask: power_curve(board, a, b, test="bootstrap-mean", iterations=1000, should_stop=ask)
    ).refused
    assert stopped(lambda ask: board_rank_distribution(lean, should_stop=ask)).refused
    assert stopped(lambda ask: robustness(lean, should_stop=ask)).refused


@pytest.mark.parametrize("test", ["bootstrap-mean", "t"])
def test_simultaneous_intervals_stop_within_a_second(board, test):
    analysis = ns.analyse(board, ns.AnalysisConfig(test="t", effects=()))
    config = ns.AnalysisConfig(test=test, resamples=50_000, block_column=None)
    pairs = analysis.pairs
    known = Comparisons(units=analysis.units, left=pairs.left, right=pairs.right, config=config)

    def work(ask):
        with stoppable(ask):
            simultaneous_intervals(known)

    assert stopped(work).refused


def test_worker_threads_are_asked_too(board):
    calls = []

    def soon():
        calls.append(1)
        return len(calls) > 40

    config = ns.AnalysisConfig(test="bootstrap-mean", effects=())
    with pytest.raises(ns.Cancelled):
        ns.analyse(board, config, workers=2, should_stop=soon)
    assert len(calls) < 60


def test_who_is_asked_inside_is_asked_inside_only():
    with stoppable(lambda: True):
        with pytest.raises(ns.Cancelled):
            stop_if_asked()
        with stoppable(lambda: False):
            stop_if_asked()
        with stoppable(None), pytest.raises(ns.Cancelled):
            stop_if_asked()
    stop_if_asked()


def test_nobody_is_asked_in_another_process():
    assert pickle.loads(pickle.dumps(Asked(lambda: True))).should_stop is None
