"""Joint null distributions of all pairs of a board: shared sign flips and shared bootstrap resamples."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.resampling.monte_carlo import tie_tolerance
from nlpstat_core.engine.resampling.products import flipped_sums
from nlpstat_core.engine.resampling.sharing_out import Told
from nlpstat_core.engine.resampling.step_down import StepDown
from nlpstat_core.engine.resampling.streams import CHUNK
from nlpstat_core.engine.resampling.studentised import (
    MOST_FLAT,
    observed_t,
    pair_parts,
    resampled_t,
    tail_values,
)
from nlpstat_core.engine.resampling.threads import in_order
from nlpstat_core.stopping import stop_if_asked

Progress = Callable[[int, int], None]
_CELLS = 65_536
# Numbers of one table of statistics (2 MB) and of the sums of one group of resamples (4 MB): fixed.
_TABLE = 262_144
_MOST_SUMS = 524_288


@dataclass(frozen=True, eq=False, kw_only=True)
class FlippedPairs:
    """Pairs whose differences are flipped by shared signs, one sign per row.

    columns (float array, shape (n_rows, n_systems)): Scores summed over what shares a sign (a unit, or a
        block).
    shift (float array, shape (n_rows,)): What is subtracted from every difference: δ times the units of the
        row.
    side: 0 for two sides, +1 for a above b, −1 for a below b.
    """

    columns: FloatArray
    shift: FloatArray
    left: IntArray
    right: IntArray
    side: int = 0

    def sums(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Σz, √Σz² and Σ|z| of every pair, each of shape (n_pairs,)."""
        systems = np.ascontiguousarray(self.columns.T)
        total, squares, absolute = np.empty((3, self.left.shape[0]))
        step = max(1, _CELLS // max(1, systems.shape[1]))
        for start in range(0, total.shape[0], step):
            stop_if_asked()
            part = slice(start, start + step)
            z = systems[self.left[part]] - systems[self.right[part]] - self.shift
            total[part] = z.sum(axis=1)
            squares[part] = np.einsum("ij,ij->i", z, z)
            absolute[part] = np.abs(z).sum(axis=1)
        return total, np.sqrt(squares), absolute

    def step_down(self, resamples: int, seed: int, progress: Progress | None = None) -> StepDown:
        """Step-down maxima of Σεz/√Σz² under shared random signs.

        Returns: Pairs without non-zero difference are outside the maximum.

        Σz² doesn't change under flips, so dividing by its root puts quiet and noisy pairs on one scale.
        Cost O(B·n·S) for the sums and O(B) per pair for the maxima.
        """
        total, scale, absolute = self.sums()
        included = scale > 0
        unit = np.where(included, scale, 1.0)
        steps = StepDown(
            tail_values(total / unit, self.side), tie_tolerance(absolute) / unit, resamples, included
        )
        with_shift = np.column_stack([self.columns, self.shift]) if self.shift.any() else self.columns
        order = steps.order
        first, second, unit = self.left[order], self.right[order], unit[order][:, np.newaxis]
        told = Told(progress)

        def walk(which: slice) -> tuple[slice, StepDown]:
            here = steps.of_some(which.stop - which.start)
            sums = flipped_sums(with_shift, which.stop, seed, first=which.start)
            by_system = np.concatenate([some for _, some in sums], axis=1)
            step = max(1, _TABLE // by_system.shape[1])
            for start in range(0, order.shape[0], step):
                stop_if_asked()
                part = slice(start, min(start + step, order.shape[0]))
                table = by_system[first[part]]
                table -= by_system[second[part]]
                if with_shift is not self.columns:
                    table -= by_system[-1]
                table /= unit[part]
                here.add(part, slice(None), tail_values(table, self.side))
                done = (which.stop - which.start) * part.stop / order.shape[0]
                told.tell(which.start + int(done), resamples)
            return which, here

        sent = with_shift.size + 6 * order.size
        for which, here in in_order(walk, _groups(resamples, with_shift.shape[1]), sent):
            steps.take(which, here)
            if progress is not None:
                progress(which.stop, resamples)
        return steps


def _groups(resamples: int, n_columns: int) -> Iterator[slice]:
    """Resamples of several chunks, whose sums stand side by side: long rows cost less per number."""
    many = CHUNK * max(1, _MOST_SUMS // (n_columns * CHUNK))
    for start in range(0, resamples, many):
        yield slice(start, min(start + many, resamples))


def flat_share(batch: PairBatch) -> FloatArray:
    """Probability that a bootstrap resample of a pair has no spread.

    batch: At least one unit.
    Returns float array, shape (n_pairs,): Σ (n_v/n)^n over the distinct differences v, n_v units each.
    """
    n, share = batch.n_units, np.empty(batch.n_pairs)
    for part, rows in batch.rows():
        ordered = np.sort(rows, axis=1)
        for pair, z in enumerate(ordered, start=part.start):
            ends = np.flatnonzero(np.diff(z, append=np.inf) > 0)
            share[pair] = np.sum((np.diff(ends, prepend=-1) / n) ** n)
    return share


def studentised_step_down(
    batch: PairBatch, side: int, resamples: int, seed: int, progress: Progress | None = None
) -> tuple[StepDown, FloatArray]:
    """Step-down maxima of the studentised bootstrap, all pairs in the same resamples.

    batch: At least two units.
    side: 0 for two sides, +1 or −1 for one.
    progress: Every group of pairs meets all resamples: all is the number of groups times B.
    Returns steps: Outside the maximum are pairs without spread, and those whose resamples have none in more
        than 1 % of cases: their infinite t* would be every pair's maximum.
    Returns standard_error (float array, shape (n_pairs,)).

    The resamples are those of the bootstrap test of the mean. Cost O(B·n) per pair.
    """
    observed = observed_t(batch)
    included: BoolArray = (observed.standard_error > 0) & (flat_share(batch) <= MOST_FLAT)
    t = np.where(included, tail_values(observed.t, side), 0.0)
    steps = StepDown(t, observed.tolerance, resamples, included)
    parts = list(pair_parts(steps.order.shape[0], batch.n_units, 1))
    for number, part in enumerate(parts):
        chosen = batch.take(steps.order[part])
        for which, t_star in resampled_t(chosen, resamples, seed):
            table = tail_values(t_star, side)
            table[np.isnan(table)] = np.inf
            steps.add(part, which, table)
            if progress is not None:
                progress(number * resamples + which.stop, len(parts) * resamples)
    return steps, observed.standard_error
