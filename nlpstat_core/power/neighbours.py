"""How many units it takes to tell neighbours on a leaderboard apart."""

from dataclasses import asdict, dataclass, replace

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import VERY_FEW_BLOCKS
from nlpstat_core.engine.distributions.noncentral_t import noncentrality_at
from nlpstat_core.engine.distributions.tails import two_sided_mass
from nlpstat_core.errors import ConfigError
from nlpstat_core.methods.effects import effect_of
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power.binomial import normal_units
from nlpstat_core.power.board import batches_by_test
from nlpstat_core.power.detectable import detectable_differences, needed_over_runs
from nlpstat_core.power.levels import (
    attained_level,
    comparison_alpha,
    detectable_noncentrality,
    one_direction,
)
from nlpstat_core.power.models import EXACT_BINOMIAL, NONCENTRAL_T, PowerModel, TDesign, nearest_model
from nlpstat_core.power.solving import MOST_UNITS
from nlpstat_core.power.standardised import documents_compared, standardised
from nlpstat_core.quantities import WINS
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

# Above this many units the normal approximation of the binomial is within a percent of it.
_MANY = 3_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Neighbours:
    """Units needed to separate pairs of neighbours; arrays have shape (n_neighbours,), best pair first.

    rows: Rows of the pair table.
    upper, lower: The better and the worse system by score.
    n_a, n_b: Units of each system in the comparison; shared ones, or all its own where samples are
        independent.
    n_documents: Documents that these units come in, where documents are compared; else 0.
    independent: Pairs compared as independent samples: units are those of each system.
    effect: Size of the standardised effect: d_z, Cohen's g for tests of signs, Cohen's d for independent
        samples; NaN where undefined.
    interval (float array, shape (n_neighbours, 2)): Its interval at the analysis's level; the lower end is
        negative where it contains 0.
    needed, needed_most, needed_least: Units needed if the true effect is the estimate, the end of the
        interval nearer to 0 (infinity where the interval contains 0), and the far end; in whole documents
        where these are compared, not fewer than ten or than there are.
    """

    rows: IntArray
    upper: tuple[str, ...]
    lower: tuple[str, ...]
    n_a: IntArray
    n_b: IntArray
    n_documents: IntArray
    independent: BoolArray
    effect: FloatArray
    interval: FloatArray
    needed: FloatArray
    needed_most: FloatArray
    needed_least: FloatArray
    power: float
    comparison_alpha: float


def neighbours(
    analysis: AnalysisData, power: float = 0.8, *, should_stop: ShouldStop | None = None
) -> Neighbours:
    """Units needed to separate each pair of neighbours under the analysis's test and correction.

    power: In (α, 1).
    Returns: With a baseline, every system against it.
    Raises ConfigError: A power that is not above the level or not below 1.

    d_z = difference/(se·√n) with its noncentral-t interval; documents and counts enter through se, and
    documents through the degrees of freedom and, where they are swapped, the coarse level of few of them;
    more documents are taken to be of the same make, and where the detectable difference of the documents at
    hand is another than the noncentral t's, so is what is needed, the less the more documents (1/G). Signs:
    Cohen's g with Clopper and Pearson's limits, ties in the same share. Independent samples:
    d = t·√(1/n_a + 1/n_b); units of each system, as many of both.
    Family size and spread are taken to stay as they are. With training runs: `over_runs`.

    Source: Steiger and Fouladi (1997); Cohen (1988).
    """
    config, board = analysis.config, analysis.leaderboard
    if not config.alpha < power < 1:
        raise ConfigError(f"power must be above {config.alpha:g} and below 1, not {power:g}.")
    level = comparison_alpha(config.alpha, config.correction, max(1, analysis.family_size))
    rows = _rows(analysis)
    sizes, needed = np.full((3, rows.shape[0]), np.nan), np.full((3, rows.shape[0]), np.nan)
    place = {int(row): i for i, row in enumerate(rows)}
    documents = np.zeros(rows.shape[0], dtype=np.int64)
    with stoppable(should_stop):
        for some, batch, single in batches_by_test(analysis, rows):
            independent = TESTS[single.test].design == "unpaired"
            for own in np.arange(some.size)[:, np.newaxis] if independent else [np.arange(some.size)]:
                at = [place[int(row)] for row in some[own]]
                sizes[:, at], needed[:, at] = _needed(
                    batch.take(own), single, power, level, len(analysis.pairs)
                )
                documents[at] = documents_compared(batch, single)
    position = {int(column): i for i, column in enumerate(board.column)}
    left, right = analysis.pairs.left[rows], analysis.pairs.right[rows]
    ends = [sorted((int(a), int(b)), key=position.__getitem__) for a, b in zip(left, right, strict=True)]
    names = analysis.units.systems
    return Neighbours(
        rows=rows,
        upper=tuple(names[a] for a, _ in ends),
        lower=tuple(names[b] for _, b in ends),
        n_a=analysis.pairs.n_a[rows],
        n_b=analysis.pairs.n_b[rows],
        n_documents=documents,
        independent=analysis.pairs.unpaired[rows],
        effect=sizes[0],
        interval=sizes[1:].T,
        needed=needed[0],
        needed_most=needed[1],
        needed_least=needed[2],
        power=float(power),
        comparison_alpha=level,
    )


def _rows(analysis: AnalysisData) -> IntArray:
    """Rows of neighbours in the order of the board; with a baseline all rows."""
    if analysis.config.baseline is not None:
        return np.arange(len(analysis.pairs))
    column, pairs = analysis.leaderboard.column, analysis.pairs
    # All at once: looking through millions of pairs for each of thousands of neighbours takes minutes.
    wanted = _keys(column[:-1], column[1:], len(column))
    keys = _keys(pairs.left, pairs.right, len(column))
    there = np.flatnonzero(np.isin(keys, wanted))
    place = {int(key): i for i, key in enumerate(wanted)}
    return there[np.argsort([place[int(key)] for key in keys[there]], kind="stable")].astype(np.int64)


def _keys(a: IntArray, b: IntArray, size: int) -> IntArray:
    """One number per pair, the same in either order."""
    keys: IntArray = np.minimum(a, b).astype(np.int64) * size + np.maximum(a, b)
    return keys


def _needed(
    batch: PairBatch, config: AnalysisConfig, power: float, level: float, n_pairs: int
) -> tuple[FloatArray, FloatArray]:
    """Size of the effect, near and far end of its interval, and the units each needs; shape (3, n_pairs)."""
    if batch.units.runs is not None:
        return needed_over_runs(batch, config, power, level)
    form, side = nearest_model(config.test), one_direction(config.alternative)
    sizes, decided, design, step = _sizes(batch, config, form)
    forms = [form] * batch.n_pairs
    if form is NONCENTRAL_T:
        forms = [own.model() for own in _designs(batch, config, design, power, level, n_pairs)]
    direction = np.sign(standardised(batch, config).difference - batch.delta)
    wrong = direction == {"two-sided": 2, "greater": -1, "less": 1}[config.alternative]
    needed = np.full(sizes.shape, np.inf)
    for which, pair in np.ndindex(sizes.shape):
        stop_if_asked()
        size = float(sizes[which, pair])
        if np.isnan(size):
            needed[which, pair] = np.nan
        elif size > 0 and not wrong[pair]:
            found = _units(forms[pair], size, power, level, side, float(decided[pair]))
            needed[which, pair] = np.ceil(found * step - 1e-9)
    # With independent samples the difference is told in standard deviations of one system, not of a − b.
    return sizes * np.sqrt(design.samples), needed


def _sizes(
    batch: PairBatch, config: AnalysisConfig, form: PowerModel
) -> tuple[FloatArray, FloatArray, TDesign, float]:
    """Effects without sign with both ends, share of decided units, and what more units come in.

    Returns design: Of units, or of documents.
    Returns step: How many units one of these has.
    """
    if form is EXACT_BINOMIAL:
        both = effect_of(WINS).run(batch.unshifted, replace(config, alternative="two-sided"), True)
        ends = np.full((batch.n_pairs, 2), np.nan) if both.interval is None else both.interval
        up = both.value >= 0
        near, far = np.where(up, ends[:, 0], -ends[:, 1]), np.where(up, ends[:, 1], -ends[:, 0])
        decided = (batch.wins + batch.losses) / max(batch.n_units, 1)
        return np.stack([np.abs(both.value), near, far]), decided, TDesign(), 1.0
    seen = standardised(batch, config)
    spread = (seen.error > 0) & (seen.df > 0)
    t = np.where(spread, np.abs(seen.difference - batch.delta) / np.where(spread, seen.error, 1.0), np.nan)
    mass, root = two_sided_mass(config.level, "two-sided"), np.sqrt(seen.units)
    sizes = np.full((3, batch.n_pairs), np.nan)
    sizes[0] = t / root
    if spread.any():
        sizes[1, spread] = noncentrality_at(t[spread], seen.df, 1 - mass) / root[spread]
        sizes[2, spread] = noncentrality_at(t[spread], seen.df, mass) / root[spread]
    # The pairs of a batch share their units, or there is one pair only.
    units = float(seen.units[0])
    step = units / (documents_compared(batch, config) or units)
    design = TDesign(worth=step, freedom=(seen.df + seen.samples) * step / units, samples=seen.samples)
    return sizes, np.ones(batch.n_pairs), design, step


@dataclass(frozen=True, kw_only=True)
class _DocumentsAtHand(TDesign):
    """More documents of the make of those at hand, whose power differs from the noncentral t's.

    ratio: Detectable difference of the noncentral t over that of these documents; 0 where they detect none.
    coarse: Whether documents are swapped, so that few of them attain few levels.
    """

    number: int
    ratio: float
    coarse: bool

    def power(
        self, number: int, effect: float, alpha: float, alternative: Alternative, decided: float = 1.0
    ) -> float:
        """Power with so many documents: the more of them, the nearer to the noncentral t's."""
        worth = 1 + (self.ratio - 1) * min(1.0, self.number / number)
        if self.ratio == 0:
            worth = float(number > self.number)
        level = attained_level(number, alpha, alternative) if self.coarse else alpha
        if level <= 0 or worth <= 0:
            return 0.0
        return super().power(number, effect * worth, level, alternative)


def _designs(
    batch: PairBatch, config: AnalysisConfig, design: TDesign, power: float, level: float, n_pairs: int
) -> list[TDesign]:
    """The design of every pair: that of the batch, and where documents are compared what they detect now."""
    number = documents_compared(batch, config)
    if not number or design == TDesign():
        return [design] * batch.n_pairs
    seen, side = standardised(batch, config), one_direction(config.alternative)
    coarse = TESTS[config.test].sign_flips
    reached = attained_level(number, level, side) if coarse else level
    detected, _ = detectable_differences(batch, config, power, level, n_pairs)
    closed = (
        detectable_noncentrality(power, number * design.freedom - 1, reached, side) if reached else np.nan
    )
    design = replace(design, least=min(VERY_FEW_BLOCKS, number))
    found: list[TDesign] = []
    for size, error in zip(detected.tolist(), seen.error.tolist(), strict=True):
        ratio = closed * error / size if size > 0 else np.nan
        ratio = ratio if np.isfinite(ratio) else 1.0
        found.append(_DocumentsAtHand(**asdict(design), number=number, ratio=ratio, coarse=coarse))
    return found


def _units(
    form: PowerModel, size: float, power: float, level: float, side: Alternative, decided: float
) -> float:
    """Units or documents needed for an effect above 0; infinity beyond what can be counted."""
    size = min(size, form.largest)
    if form is EXACT_BINOMIAL:
        rough = normal_units(size, power, level, side) / decided
        if rough > _MANY:
            return float(np.ceil(rough)) if rough <= MOST_UNITS else np.inf
    found = form.units(power, size, level, side, decided)
    return np.inf if found is None else float(found)
