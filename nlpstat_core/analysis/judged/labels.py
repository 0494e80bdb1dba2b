"""What labels say of the judge, whether they look like a random part of all items, what is to mind."""

from dataclasses import replace

import numpy as np
from scipy import special

from nlpstat_core.analysis.judged.sides import Sides
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.resampling import monte_carlo_p
from nlpstat_core.errors import shown, some_shown
from nlpstat_core.formatting import count_of, is_or_are
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.judged.corrected import FEWEST_LABELS, corrected_means, stratified_means
from nlpstat_core.notes import Note
from nlpstat_core.results.judge import CONSTANT_JUDGE, ColumnCheck, LabelChecks, PairsOfBoard
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


FEW_LABELS = 20
_DOCUMENTS = ("doc", "doc_id", "docid", "document", "document_id", "story", "conversation", "article")


def bias_of(sides: Sides, alpha: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """How much more a judge gives one system than the others, on items labelled for all: with t intervals.

    The judge's points are first brought to people's by their spreads over the labelled items of all systems.
    """
    n_systems = sides.people.shape[1]
    rows = sides.labelled.all(axis=1)
    nothing = np.full(n_systems, np.nan)
    if rows.sum() < FEWEST_LABELS:
        return nothing, nothing, nothing, nothing
    y, f = sides.people[rows], sides.judge[rows]
    scale = f.std()
    if judge_is_constant(sides):
        return nothing, nothing, nothing, nothing
    f = f * (y.std() / scale) if scale > 0 else f
    gap = (f - y) - (f - y).mean(axis=1, keepdims=True)
    if sides.strata is not None:
        sizes = np.bincount(sides.strata)
        if np.bincount(sides.strata[rows], minlength=sizes.size).min() < FEWEST_LABELS:
            return nothing, nothing, nothing, nothing
    codes = None if sides.documents is None else sides.documents[rows]
    if codes is not None and np.unique(codes).size < FEWEST_LABELS:
        return nothing, nothing, nothing, nothing
    every = np.ones(len(gap), dtype=bool)
    if sides.strata is None:
        found = corrected_means(gap, gap, every, codes)
    else:
        found = stratified_means(gap, gap, every, sides.strata[rows], sizes)
    margin = special.stdtrit(found.freedom, 1 - alpha / 2) * found.error
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(
            found.error > 0, 2 * special.stdtr(found.freedom, -np.abs(found.estimate / found.error)), np.nan
        )
    return found.estimate, found.estimate - margin, found.estimate + margin, adjust_p_values(p, "holm")


def notes_of(
    people: ScoreMatrix, checks: LabelChecks, own: PairsOfBoard, documents: str | None
) -> list[Note]:
    """What is said of few labels, labels of an odd part of the items, and documents that nobody named."""
    notes = []
    fewest = int(own.n_items.min())
    if fewest < FEW_LABELS:
        text = (
            f"{fewest} labels of a system are few; below {FEW_LABELS} the standard errors are themselves "
            f"uncertain."
        )
        notes.append(Note("few-labels", "caution", text))
    if odd := no_random_part(people.systems, checks):
        text = (
            f"The labelled items don't look like a random part of all: {'; '.join(odd)}. The correction "
            "holds for items like the labelled ones only."
        )
        notes.append(Note("labels-not-random", "caution", text))
    same = [name for name, error in zip(people.systems, own.error, strict=True) if error == 0]
    if same:
        text = f"All labels of {some_shown(same)} are the same, so no error can be estimated for them."
        notes.append(Note("labels-alike", "caution", text))
    if documents is None and (named := [name for name in people.labels if name.casefold() in _DOCUMENTS]):
        text = f"Items count as independent; those of one {named[0]} may not be: name it as documents."
        notes.append(Note("documents-not-named", "caution", text))
    return notes


def notes_of_pairs(pairs: PairsOfBoard) -> list[Note]:
    """That pairs share too few labelled items."""
    apart = int(np.count_nonzero(np.isnan(pairs.difference)))
    if not apart:
        return []
    text = (
        f"{apart:,} of {count_of(pairs.difference.size, 'pair')} of systems {is_or_are(apart)} not compared: "
        f"a pair needs {FEWEST_LABELS} items that are labelled for both (as many documents, or as many in "
        "every stratum, where these are named). Label the same items of all systems."
    )
    return [Note("pairs-without-labels", "caution", text)]


def judge_is_constant(sides: Sides) -> bool:
    """Whether the judge gives all outputs the same score."""
    return bool(np.nanmin(sides.judge) == np.nanmax(sides.judge))


def notes_of_judge(sides: Sides, systems: tuple[str, ...], judge: str) -> list[Note]:
    """What is said of a judge that tells nothing: of outputs, of an item's systems, or of some systems."""
    scores = sides.judge
    if judge_is_constant(sides):
        text = (
            f"{shown(judge)} gives every output the same score, so nothing is corrected: all that follows is "
            "from people's labels alone."
        )
        return [Note(CONSTANT_JUDGE, "caution", text)]
    if (np.ptp(scores, axis=1) == 0).all():
        text = (
            f"{shown(judge)} gives the systems of every item the same score, so it tells nothing of pairs: "
            "these are decided by people's labels alone."
        )
        return [Note("judge-without-differences", "caution", text)]
    flat = [name for name, own in zip(systems, scores.T, strict=True) if np.ptp(own) == 0]
    if not flat:
        return []
    text = (
        f"{shown(judge)} gives all outputs of {some_shown(flat)} the same score, so their means are from "
        "people's labels alone."
    )
    return [Note("judge-constant-for-some", "caution", text)]
