"""References: what people run today, and the plainest fast line of numpy."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
from scipy import signal, stats

import nlpstat_core as ns


def scipy_permutation(z: np.ndarray, resamples: int) -> float:
    """scipy.stats.permutation_test of one pair: sign flips of the differences."""
    result = stats.permutation_test(
        (z,), np.mean, permutation_type="samples", n_resamples=resamples, vectorized=True, rng=1
    )
    return float(result.pvalue)


def plain_shared_signs(values: np.ndarray, resamples: int) -> np.ndarray:
    """One shared sign matrix for all systems: the sums only, no p-values yet."""
    rng = np.random.default_rng(1)
    return rng.choice([-1.0, 1.0], (resamples, values.shape[0])) @ values


def scipy_percentile(z: np.ndarray, resamples: int) -> object:
    """scipy.stats.bootstrap of one pair's mean, percentile interval."""
    return stats.bootstrap((z,), np.mean, n_resamples=resamples, method="percentile", rng=1)


def scipy_bootstrap_t(z: np.ndarray, resamples: int) -> object:
    """scipy.stats.bootstrap of one pair's studentised mean: the distribution of t*."""
    centre = z.mean()

    def t(sample: np.ndarray, axis: int = -1) -> np.ndarray:
        n = sample.shape[axis]
        return (sample.mean(axis=axis) - centre) / (sample.std(axis=axis, ddof=1) / np.sqrt(n))

    return stats.bootstrap((z,), t, n_resamples=resamples, method="percentile", rng=1)


def sacrebleu_randomization(board: ns.Submissions, trials: int) -> object:
    """sacreBLEU's paired approximate randomization of one pair; it counts the sentences' n-grams first."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    first, second = list(board.outputs)[:2]
    systems = [(first, list(board.outputs[first])), (second, list(board.outputs[second]))]
    references = [[texts[0] for texts in board.gold]]
    return PairedTest(systems, {"BLEU": BLEU()}, references, test_type="ar", n_samples=trials)()


def has_evalstats() -> bool:
    """Whether the optional peer is installed."""
    return find_spec("evalstats") is not None


def evalstats_board(values: np.ndarray, resamples: int) -> object:
    """evalstats: bootstrap-t of all pairs with Romano and Wolf's correction and simultaneous intervals."""
    import evalstats

    return evalstats.all_pairwise(
        np.ascontiguousarray(values.T),
        [f"system-{i}" for i in range(values.shape[1])],
        method="bootstrap_t",
        n_bootstrap=resamples,
        correction="romano_wolf",
        simultaneous_ci=True,
        rng=np.random.default_rng(1),
    )


def scipy_wilcoxon(values: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """scipy.stats.wilcoxon of all pairs along an axis."""
    return stats.wilcoxon(values[:, left] - values[:, right], axis=0, method="approx").pvalue


def hodges_lehmann_quadratic(z: np.ndarray) -> tuple[float, float, float]:
    """Median of all Walsh averages of one pair with its signed-rank interval, by forming them all."""
    n = z.shape[0]
    i, j = np.triu_indices(n)
    walsh = np.sort((z[i] + z[j]) / 2)
    spread = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    rank = max(1, round(n * (n + 1) / 4 - 1.959963984540054 * spread))
    return float(np.median(walsh)), float(walsh[rank - 1]), float(walsh[-rank])


def convolution_by_fft(differences: np.ndarray) -> float:
    """Exact p of Σ ±d by the published divide and conquer, O(G·N·log(G·N)·log N).

    The distribution of a sum of independent terms is the convolution of theirs: the units are halved until
    one is left, and the halves' distributions are convolved by the fast Fourier transform. (Zmigrod, Vieira
    and Cotterell, 2022, algorithms 2 and 4.)
    """
    steps = np.abs(differences)
    masses = _halved([_coin(int(step)) for step in steps])
    reach = int(steps.sum())
    sums = np.arange(-reach, reach + 1)
    return float(masses[np.abs(sums) >= abs(int(differences.sum()))].sum())


def _coin(step: int) -> np.ndarray:
    """Distribution of ±step on −step … step."""
    mass = np.zeros(2 * step + 1)
    mass[0] += 0.5
    mass[-1] += 0.5
    return mass


def _halved(masses: list[np.ndarray]) -> np.ndarray:
    if len(masses) == 1:
        return masses[0]
    middle = len(masses) // 2
    first, second = _halved(masses[:middle]), _halved(masses[middle:])
    if min(first.size, second.size) < 64:
        return np.convolve(first, second)
    return signal.fftconvolve(first, second)
