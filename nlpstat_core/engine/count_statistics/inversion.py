"""Large planes: the tilted law of all swaps by one two-dimensional FFT on a window around its mass."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.fft import irfft2, next_fast_len, rfft2
from scipy.special import expit, log_expit

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.count_statistics.swaps import Swaps, sheared
from nlpstat_core.engine.signflip.outcome import LOG_2
from nlpstat_core.stopping import stop_if_asked

SLACK = 41.0
NEGLIGIBLE = -41.0
MOST_POINTS = 1 << 23
FACTORS_AT_ONCE = 1 << 18
DIRECTIONS = 12
BISECTIONS = 60
STEEPEST = 40.0
CHERNOFF_SLOPES = np.geomspace(1e-3, 1e2, 100)


@dataclass(frozen=True)
class Tilt:
    """A tilted walk: slope s, log-odds of each swap, centre of the tilted law, K(s) − s·centre."""

    slope: FloatArray
    lift: FloatArray
    centre: FloatArray
    peak: float


def log_tail_inverted(swaps: Swaps, strict: bool) -> tuple[float, float] | None:
    """log P(difference ≥ observed), with its relative error, for walks with many units.

    swaps: The walk.
    strict: Whether ties with the observed difference are left out.
    Returns (log_p, error) or None: None when the window has more than 8 million points.

    With K(s) = Σ log((1 + e^(s·d_i))/2) and s along the gradient of the difference, chosen so that the tilted
    mean lies on the curve through the observed difference, P = Σ tilted mass·exp(K(s) − s·x) over the points
    reached: nothing cancels, however small P is. The window on each axis comes from Chernoff bounds of the
    tilted law, capped at its support. As on the line, the inequality of the means proves most nodes of the
    characteristic function negligible at the cost of one FFT. Cost O(points log points).
    """
    tilt = tilted(swaps)
    steps, multiple = sheared(swaps.steps, swaps.counts)
    windows = [_window(steps[:, axis], swaps.counts, tilt.lift) for axis in (0, 1)]
    sizes = [int(next_fast_len(high - low + 1, real=True)) for low, high in windows]
    if sizes[0] * sizes[1] > MOST_POINTS:
        return None
    mass = _tilted_mass(steps, swaps, tilt.lift, sizes)
    stop_if_asked()
    mass = np.roll(mass, (-windows[0][0], -windows[1][0]), axis=(0, 1))
    hits = _axis(windows[0], sizes[0])[:, None]
    misses = _axis(windows[1], sizes[1])[None, :] - multiple * hits
    reached = swaps.reached(hits, misses, strict)
    stop_if_asked()
    climb = tilt.slope[0] * (hits - tilt.centre[0]) + tilt.slope[1] * (misses - tilt.centre[1])
    factor = np.exp(np.minimum(-climb[reached], 600.0))
    stop_if_asked()
    share = float(np.dot(mass[reached], factor))
    if share <= 0.0:
        return None
    rounding = 4e-16 * float(mass.max()) * math.sqrt(float(np.dot(factor, factor))) / share
    return tilt.peak + math.log(share), 1e-13 + rounding + math.exp(-SLACK) / share


def tilted(swaps: Swaps) -> Tilt:
    """Tilt along the gradient until the tilted mean lies where the difference is the observed one."""
    steps = swaps.steps.astype(float)
    target = float(swaps.difference(np.zeros(1), np.zeros(1))[0])
    centre, slope = np.zeros(2), np.zeros(2)
    for _ in range(DIRECTIONS):
        gradient = swaps.gradient(centre)
        rise = np.abs(steps @ gradient)
        low, high = 0.0, STEEPEST / float(np.median(rise[rise > 0.0])) if np.any(rise > 0.0) else 0.0
        for _ in range(BISECTIONS):
            middle = (low + high) / 2.0
            mean = _mean(swaps, steps, middle * gradient)
            short = float(swaps.difference(mean[:1], mean[1:])[0]) < target
            low, high = (middle, high) if short else (low, middle)
        before, slope = slope, low * gradient
        centre = _mean(swaps, steps, slope)
        if np.allclose(before, slope, rtol=1e-3, atol=0.0):
            break
    lift = steps @ slope
    peak = -float(np.dot(swaps.counts, log_expit(-lift) + LOG_2)) - float(slope @ centre)
    return Tilt(slope, lift, centre, peak)


def _mean(swaps: Swaps, steps: FloatArray, slope: FloatArray) -> FloatArray:
    return np.asarray((swaps.counts * expit(steps @ slope)) @ steps, dtype=np.float64)


def _window(along: IntArray, counts: FloatArray, lift: FloatArray) -> tuple[int, int]:
    """Interval of one coordinate outside which the tilted law has mass below 1e-17 on either side."""
    moves = along.astype(float)
    support = int(np.dot(np.minimum(moves, 0.0), counts)), int(np.dot(np.maximum(moves, 0.0), counts))
    swapped = expit(lift)
    mean = float(np.dot(counts * swapped, moves))
    spread = math.sqrt(float(np.dot(counts * swapped * expit(-lift), moves * moves)))
    if spread == 0.0:
        return support
    slopes = CHERNOFF_SLOPES / spread
    bend = slopes[:, None] * moves
    # log(q + p·e^(ud)) with log-odds l of p is log1p(e^(l + ud)) − log1p(e^l).
    rising = (log_expit(-lift) - log_expit(-lift - bend)) @ counts
    falling = (log_expit(-lift) - log_expit(-lift + bend)) @ counts
    high = math.ceil(max(float(np.min((rising + SLACK) / slopes)), mean))
    low = math.floor(min(-float(np.min((falling + SLACK) / slopes)), mean))
    return max(min(low, 0), support[0]), min(max(high, 0), support[1])


def _axis(window: tuple[int, int], size: int) -> FloatArray:
    return np.arange(size, dtype=np.float64) + window[0]


def _tilted_mass(steps: IntArray, swaps: Swaps, lift: FloatArray, sizes: list[int]) -> FloatArray:
    """Tilted probabilities of all points modulo the sizes of the window."""
    counts, rows, columns = swaps.counts, sizes[0], sizes[1]
    spread = 0.25 / np.cosh(lift / 2.0) ** 2
    keep = np.flatnonzero(_log_bounds(steps, counts, spread, rows, columns) > NEGLIGIBLE)
    half = columns // 2 + 1
    node = np.stack([keep // half, keep % half], axis=1)
    phi = np.zeros(rows * half, dtype=np.complex128)
    chunk = max(1, FACTORS_AT_ONCE // counts.size)
    swapped, stayed = expit(lift), expit(-lift)
    for start in range(0, keep.size, chunk):
        stop_if_asked()
        part = node[start : start + chunk]
        turns = np.outer(part[:, 0] * columns, steps[:, 0]) + np.outer(part[:, 1] * rows, steps[:, 1])
        angle = 2.0 * np.pi / (rows * columns) * (turns % (rows * columns))
        with np.errstate(divide="ignore"):
            size = 0.5 * np.log1p(-np.minimum(4.0 * spread * np.sin(angle / 2.0) ** 2, 1.0)) @ counts
        turn = np.arctan2(swapped * np.sin(angle), stayed + swapped * np.cos(angle)) @ counts
        phi[keep[start : start + chunk]] = np.exp(size - 1j * turn)
    return np.asarray(irfft2(phi.reshape(rows, half), s=(rows, columns)), dtype=np.float64)


def _log_bounds(
    steps: IntArray, counts: FloatArray, spread: FloatArray, rows: int, columns: int
) -> FloatArray:
    """Upper bounds of log|φ| at all nodes, by the inequality of the means (spread is p·q of each step)."""
    mass = 2.0 * counts * spread
    histogram = np.zeros((rows, columns))
    np.add.at(histogram, (steps[:, 0] % rows, steps[:, 1] % columns), mass)
    units = float(counts.sum())
    lost = (float(mass.sum()) - rfft2(histogram).real.ravel()) / units
    return 0.5 * units * np.log1p(-np.clip(lost, 0.0, 1.0 - 1e-16))
