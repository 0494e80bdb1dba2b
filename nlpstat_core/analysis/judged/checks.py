"""Do the labelled items look like a random part of all? By the judge's scores and by label columns."""

from dataclasses import replace

import numpy as np
from scipy import special

from nlpstat_core.analysis.judged.sides import Sides
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.resampling import monte_carlo_p
from nlpstat_core.errors import shown
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.judged.corrected import FEWEST_LABELS
from nlpstat_core.results.judge import ColumnCheck, LabelChecks
from nlpstat_core.scores.matrix import ScoreMatrix

LEVEL = 0.05  # of all checks together
MOST_KINDS = 20  # values of a label column whose mixtures are compared
DRAWS, SEED = 9_999, 0
MOST_TOLD = 3
ROUNDING = 1e-12  # of the largest score


def checks_of(people: ScoreMatrix, sides: Sides, alpha: float) -> LabelChecks:
    """Welch's t of the judge's scores (one value a document where these are named), and the mixtures of label
    columns against random draws of as many items or documents.

    Labels drawn by strata are compared within these: of each stratum's scores its mean is taken off, and
    label columns aren't compared.
    """
    labelled, judge = sides.labelled, sides.judge
    if sides.strata is not None:
        sums = np.zeros((int(sides.strata.max()) + 1, judge.shape[1]))
        np.add.at(sums, sides.strata, judge)
        judge = judge - (sums / np.bincount(sides.strata)[:, None])[sides.strata]
    every: BoolArray = np.asarray(labelled.any(axis=1))
    columns: list[tuple[FloatArray, BoolArray]] = [
        (judge.mean(axis=1), every),
        *zip(judge.T, labelled.T, strict=True),
    ]
    found = np.array([_compared(scores, of, sides.documents, alpha) for scores, of in columns]).T
    mixtures = [
        _mixture(name, column, every, sides.documents)
        for name, column in people.labels.items()
        if sides.strata is None
    ]
    told = [one for one in mixtures if one is not None]
    p_values = np.concatenate([found[4], [one.p_value for one in told]])
    adjusted = adjust_p_values(p_values, "holm")
    n = found.shape[1]
    return LabelChecks(
        labelled=found[0],
        unlabelled=found[1],
        lower=found[2],
        upper=found[3],
        p_value=found[4],
        p_adjusted=adjusted[:n],
        columns=tuple(replace(one, p_adjusted=float(p)) for one, p in zip(told, adjusted[n:], strict=True)),
    )


def _compared(
    scores: FloatArray, labelled: BoolArray, documents: IntArray | None, alpha: float
) -> tuple[float, ...]:
    """Means of labelled and unlabelled items, the interval of their difference, p."""
    nothing = (np.nan,) * 3
    if labelled.all():
        return (float(scores.mean()), np.nan, *nothing)
    groups = [scores[labelled], scores[~labelled]]
    if documents is not None:
        codes = [documents[labelled], documents[~labelled]]
        groups = [
            np.array([values[of == one].mean() for one in np.unique(of)])
            for values, of in zip(groups, codes, strict=True)
        ]
    means = (float(groups[0].mean()), float(groups[1].mean()))
    flat = max(map(np.ptp, groups)) <= ROUNDING * float(np.abs(scores).max())
    if min(map(len, groups)) < FEWEST_LABELS or flat:
        return (*means, *nothing)
    return (*means, *_welch(groups[0], groups[1], alpha))


def _welch(a: FloatArray, b: FloatArray, alpha: float) -> tuple[float, float, float]:
    """Ends of Welch's interval of mean(a) − mean(b), and p; one of both may be constant."""
    parts = np.array([float(one.var(ddof=1)) / one.size for one in (a, b)])
    error = float(np.sqrt(parts.sum()))
    freedom = float(parts.sum() ** 2 / (parts**2 / (a.size - 1, b.size - 1)).sum())
    difference = float(a.mean() - b.mean())
    half = float(special.stdtrit(freedom, 1 - alpha / 2)) * error
    p = float(2 * special.stdtr(freedom, -abs(difference) / error))
    return difference - half, difference + half, p


def _mixture(
    name: str, column: tuple[str, ...], labelled: BoolArray, documents: IntArray | None
) -> ColumnCheck | None:
    """Items of every value among labelled and unlabelled ones; None for a column with one value, or many.

    By documents a document counts once, as labelled where one of its items is; where its items differ in the
    column, or every document has a label, nothing can be told.
    """
    kinds, codes = np.unique(np.array(column, dtype=str), return_inverse=True)
    if not 1 < kinds.size <= MOST_KINDS:
        return None
    if documents is not None:
        _, first, of = np.unique(documents, return_index=True, return_inverse=True)
        if (codes != codes[first][of]).any():
            return None
        codes, labelled = codes[first], np.bincount(of, weights=labelled) > 0
    counts = [np.bincount(codes[which], minlength=kinds.size) for which in (labelled, ~labelled)]
    return ColumnCheck(
        name=name,
        kinds=tuple(kinds.tolist()),
        labelled=counts[0],
        unlabelled=counts[1],
        p_value=_p_of_mixture(counts[0], counts[1]),
        p_adjusted=np.nan,
    )


def _p_of_mixture(labelled: IntArray, unlabelled: IntArray) -> float:
    """Chi-squared against random draws of as many items without replacement: right for rare values, too."""
    every, n = labelled + unlabelled, int(labelled.sum())
    if n == 0 or unlabelled.sum() == 0:
        return float("nan")
    expected = every * (n / every.sum())
    rng = np.random.default_rng([SEED, n])
    drawn = rng.multivariate_hypergeometric(every, n, DRAWS)
    distance = ((drawn - expected) ** 2 / expected).sum(axis=1)
    own = ((labelled - expected) ** 2 / expected).sum()
    extreme = np.count_nonzero(distance >= own * (1 - 1e-9))
    return float(monte_carlo_p(np.array(extreme), DRAWS))


def no_random_part(systems: tuple[str, ...], checks: LabelChecks) -> list[str]:
    """What tells labelled from unlabelled items, in words; the mean over systems stands for the systems."""
    odd = np.flatnonzero(checks.p_adjusted < LEVEL)
    if 0 in odd:
        odd = odd[:1]
    whose = ("them", *(f"labelled items of {shown(system)}" for system in systems))
    found = [
        f"the judge gives {whose[i]} {checks.labelled[i]:.4g} on average and the others "
        f"{checks.unlabelled[i]:.4g} (adjusted p = {checks.p_adjusted[i]:.2g})"
        for i in odd[:MOST_TOLD]
    ]
    return found + [
        f"their {one.name} has a different distribution (adjusted p = {one.p_adjusted:.2g})"
        for one in checks.columns
        if one.p_adjusted < LEVEL
    ]
