"""Our functions beside their references, task by task."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import nlpstat_core as ns
from nlpstat_core.engine.resampling.threads import using_threads
from nlpstat_core.methods.corrections.family import Comparisons
from nlpstat_core.methods.corrections.simultaneous import simultaneous_intervals
from nlpstat_core.methods.effects.hodges_lehmann import hodges_lehmann
from nlpstat_core.methods.significance.bootstrap_mean import bootstrap_mean
from nlpstat_core.methods.significance.permutation_mean import permutation_mean
from nlpstat_core.methods.significance.wilcoxon import wilcoxon
from tests.benchmarks import boards, peers
from tests.benchmarks.clock import Row, side_by_side, typical
from tests.calibration.other_intervals import bootstrap_mean_interval

RESAMPLES = 10_000
CONFIG = ns.AnalysisConfig(test="t", resamples=RESAMPLES)


def all_rows() -> Iterator[Row]:
    """Every line of the first table."""
    yield from permutation_rows()
    yield from bootstrap_rows()
    yield from whole_board_rows()
    yield from rank_rows()
    yield from exact_rows()
    yield from measure_rows()


def threaded(ours: Callable[[], None]) -> Callable[[], None]:
    """The same on two threads, as `workers=2` has it."""

    def run() -> None:
        with using_threads(2):
            ours()

    return run


def _pairs(scores: ns.ScoreMatrix) -> int:
    return scores.n_systems * (scores.n_systems - 1) // 2


def _shape(scores: ns.ScoreMatrix) -> str:
    return f"{scores.n_systems} × {scores.n_units:,}"


def _one_pair(scores: ns.ScoreMatrix) -> np.ndarray:
    return scores.values[:, 0] - scores.values[:, 1]


def permutation_rows() -> Iterator[Row]:
    """All-pairs permutation test of the mean against the loop over pairs and the plain numpy line."""
    for size, goal in ((boards.W1, 1000), (boards.W2, 1000), (boards.W3, 5000)):
        for kind, scores in (
            ("real", boards.real_board(*size)),
            ("2 decimals", boards.real_board(*size, decimals=2)),
        ):
            z, board = _one_pair(scores), f"{_shape(scores)}, {kind}"

            def ours(scores: ns.ScoreMatrix = scores) -> None:
                for batch in boards.batches(scores):
                    permutation_mean(batch, CONFIG)

            timed = side_by_side(ours, lambda z=z: peers.scipy_permutation(z, RESAMPLES), _pairs(scores), 3)
            yield Row(
                "permutation test, p exact", board, timed[0], "scipy permutation_test, loop", timed[1], goal
            )
            plain = side_by_side(
                ours, lambda scores=scores: peers.plain_shared_signs(scores.values, RESAMPLES), 1, 3
            )
            yield Row(
                "permutation test, p exact", board, plain[0], "numpy, shared signs, sums only", plain[1], 1
            )
            if size == boards.W3:
                both = typical(threaded(ours))
                name = "permutation test, p exact, 2 threads"
                yield Row(name, board, both, "scipy permutation_test, loop", timed[1], goal)


def bootstrap_rows() -> Iterator[Row]:
    """Bootstrap intervals and the studentised bootstrap test of all pairs."""
    scores = boards.real_board(*boards.W1)
    z, pairs = _one_pair(scores), _pairs(scores)

    def interval() -> None:
        for batch in boards.batches(scores):
            bootstrap_mean_interval(batch, CONFIG)

    def studentised() -> None:
        for batch in boards.batches(scores):
            bootstrap_mean(batch, CONFIG)

    percentile, scipy_t = "bootstrap, percentile interval", "scipy bootstrap of t, loop"
    for threads, ours in (("", interval), (", 2 threads", threaded(interval))):
        timed = side_by_side(ours, lambda: peers.scipy_percentile(z, RESAMPLES), pairs, 3)
        yield Row(percentile + threads, _shape(scores), timed[0], "scipy bootstrap, loop", timed[1], 150)
    for threads, ours in (("", studentised), (", 2 threads", threaded(studentised))):
        timed = side_by_side(ours, lambda: peers.scipy_bootstrap_t(z, RESAMPLES), pairs, 3)
        yield Row("bootstrap-t, p and interval" + threads, _shape(scores), timed[0], scipy_t, timed[1], 100)


def whole_board_rows() -> Iterator[Row]:
    """Bootstrap-t, max-T and simultaneous intervals of a whole board against evalstats, where it is there."""
    if not peers.has_evalstats():
        return
    scores = boards.real_board(*boards.EVALSTATS)
    config = ns.AnalysisConfig(test="bootstrap-mean", correction="max-t", resamples=RESAMPLES)

    def ours() -> None:
        analysis = ns.analyse(scores, config)
        pairs = analysis.pairs
        simultaneous_intervals(
            Comparisons(units=analysis.units, left=pairs.left, right=pairs.right, config=config)
        )

    timed = side_by_side(ours, lambda: peers.evalstats_board(scores.values, RESAMPLES), 1, 1)
    yield Row(
        "bootstrap-t, max-T, intervals", _shape(scores), timed[0], "evalstats all_pairwise", timed[1], 30
    )


def rank_rows() -> Iterator[Row]:
    """Wilcoxon's test against SciPy's axis version; Hodges–Lehmann against all Walsh averages."""
    for size in (boards.W1, boards.W2):
        scores = boards.real_board(*size, decimals=6)
        left, right = np.triu_indices(scores.n_systems, k=1)

        def ranks(scores: ns.ScoreMatrix = scores) -> None:
            for batch in boards.batches(scores):
                wilcoxon(batch, CONFIG)

        def axis(scores: ns.ScoreMatrix = scores, left: np.ndarray = left, right: np.ndarray = right) -> None:
            peers.scipy_wilcoxon(scores.values, left, right)

        timed = side_by_side(ranks, axis)
        yield Row("Wilcoxon, all pairs", _shape(scores), timed[0], "scipy wilcoxon, axis", timed[1], 4)
    scores = boards.real_board(*boards.W1, decimals=6)
    z = _one_pair(scores)

    def centres() -> None:
        for batch in boards.batches(scores):
            hodges_lehmann(batch, CONFIG, True)

    timed = side_by_side(centres, lambda: peers.hodges_lehmann_quadratic(z), _pairs(scores), 3)
    yield Row(
        "Hodges–Lehmann with interval", _shape(scores), timed[0], "all Walsh averages, loop", timed[1], 80
    )


def exact_rows() -> Iterator[Row]:
    """Exact p from integer counts against the published convolution by FFT."""
    for n_units in (1_000, 10_000, 100_000):
        differences = boards.count_differences(n_units)
        timed = side_by_side(
            lambda d=differences: ns.sign_flip_p_value(d),
            lambda d=differences: peers.convolution_by_fft(d),
            1,
            3,
        )
        name = "FFT convolution (2022)"
        yield Row("exact p of one pair, counts", f"N = {n_units:,}", timed[0], name, timed[1], 40)


def measure_rows() -> Iterator[Row]:
    """Corpus BLEU of all pairs, counting, intervals and Holm with it, against sacreBLEU's own test."""
    board = boards.text_submissions()
    pairs = len(board.systems) * (len(board.systems) - 1) // 2
    timed = side_by_side(
        lambda: ns.analyse(board), lambda: peers.sacrebleu_randomization(board, RESAMPLES), pairs, 1
    )
    shape = f"{len(board.systems)} × {board.n_items:,} sentences"
    yield Row("corpus BLEU, all pairs", shape, timed[0], "sacrebleu paired-ar, loop", timed[1], 20)
