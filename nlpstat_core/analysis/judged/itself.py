"""How the judge errs beside people's labels: confusion, calibration, and what it leans to."""

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy import special

from nlpstat_core.analysis.judged.sides import Sides, as_given, values_like
from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.samples.shares import counted_share_interval
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.judged.corrected import FEWEST_LABELS
from nlpstat_core.methods.judged.rogan_gladen import rogan_gladen
from nlpstat_core.results.judge_itself import Calibration, JudgeItself, Leaning, ZeroOneJudge
from nlpstat_core.scores.matrix import ScoreMatrix

MOST_BINS = 10
_LENGTH_OR_PLACE = re.compile(
    "(?:.*_)?(?:len|length|tokens?|words?|chars?|characters|position|pos|place|order)(?:_count)?",
    re.IGNORECASE,
)


def judge_itself(
    boards: Mapping[str, ScoreMatrix],
    people: ScoreMatrix,
    sides: Sides,
    scores: tuple[str, str],
    turned: bool,
    alpha: float,
) -> JudgeItself:
    """What the labels say of the judge.

    scores: The metrics of people and of the judge; others may hold lengths or positions.
    """
    labelled = sides.labelled
    of_people = np.unique(sides.people[labelled])
    zero_one = of_people.size > 0 and bool(np.isin(of_people, (0.0, 1.0)).all())
    own = sides.judge + 1 if turned else sides.judge  # turned round: 0 and −1
    both = zero_one and bool(np.isin(own, (0.0, 1.0)).all())
    columns = {
        name: values
        for name, board in boards.items()
        if name not in scores and _LENGTH_OR_PLACE.fullmatch(name)
        if (values := values_like(people, board)) is not None
    }
    for board in boards.values():
        for name, cost in board.costs.items():
            own_cost = ScoreMatrix(values=cost, systems=board.systems, units=board.units)
            if _LENGTH_OR_PLACE.fullmatch(name) and (values := values_like(people, own_cost)) is not None:
                columns.setdefault(name, values)
    for name, column in people.labels.items():
        if _LENGTH_OR_PLACE.fullmatch(name) and (row := _numbers(column)) is not None:
            columns.setdefault(name, np.repeat(row[:, None], people.n_systems, axis=1))
    leanings = [one for name, x in columns.items() if (one := _leaning(name, x, sides, alpha)) is not None]
    adjusted = adjust_p_values(np.array([one.p_value for one in leanings]), "holm") if leanings else ()
    return JudgeItself(
        zero_one=_zero_one(sides, own, 1 - alpha) if both else None,
        calibration=_calibration(as_given(sides, turned), 1 - alpha) if zero_one else None,
        leanings=tuple(replace(one, p_adjusted=float(p)) for one, p in zip(leanings, adjusted, strict=True)),
    )


def _numbers(column: tuple[str, ...]) -> FloatArray | None:
    try:
        row = np.array(column, dtype=np.float64)
    except ValueError:
        return None
    return row if np.isfinite(row).all() else None


def _zero_one(sides: Sides, judge: FloatArray, level: float) -> ZeroOneJudge:
    labelled = sides.labelled
    right, given = sides.people == 1, judge == 1
    counts = [
        np.count_nonzero(labelled & (right == is_right) & (given == is_given), axis=0).astype(np.int64)
        for is_right, is_given in ((True, True), (True, False), (False, True), (False, False))
    ]
    both, missed, invented, neither = counts
    positive, negative = both + missed, invented + neither
    unlabelled = (~labelled).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sensitivity, specificity = both / positive, neither / negative
        judged = (given & ~labelled).sum(axis=0) / unlabelled
    found = rogan_gladen(judged, unlabelled, both, positive, neither, negative, level)
    nothing = np.full(both.shape, np.nan)
    if sides.documents is not None or sides.strata is not None:
        found = (nothing, np.stack([nothing, nothing], axis=1))
    return ZeroOneJudge(
        both=both,
        missed=missed,
        invented=invented,
        neither=neither,
        sensitivity=sensitivity,
        sensitivity_interval=counted_share_interval(sensitivity, positive, level),
        specificity=specificity,
        specificity_interval=counted_share_interval(specificity, negative, level),
        rate=found[0],
        rate_interval=found[1],
    )


def _calibration(sides: Sides, level: float) -> Calibration:
    """Bins with about as many labels each; scores that are the same share one."""
    there = sides.labelled
    y, f = sides.people[there], sides.judge[there]
    edges = np.unique(np.quantile(f, np.arange(1, MOST_BINS) / MOST_BINS, method="higher"))
    kinds, bins = np.unique(np.searchsorted(edges, f, side="right"), return_inverse=True)
    labels = np.bincount(bins, minlength=kinds.size).astype(np.int64)
    share = np.bincount(bins, weights=y) / labels
    return Calibration(
        judged=np.bincount(bins, weights=f) / labels,
        share=share,
        interval=counted_share_interval(share, labels, level),
        labels=labels,
    )


def _leaning(name: str, x: FloatArray, sides: Sides, alpha: float) -> Leaning | None:
    """Slope of judge minus people on a column within systems, with errors by item, or by document."""
    there = sides.labelled & ~np.isnan(x)
    rows, columns = np.nonzero(there)
    if rows.size == 0:
        return None
    y, f = sides.people[there], sides.judge[there]
    scale = f.std()
    gap = (f * (y.std() / scale) if scale > 0 else f) - y
    counts = np.bincount(columns, minlength=x.shape[1])
    centred = [
        values - (np.bincount(columns, weights=values, minlength=x.shape[1]) / np.maximum(counts, 1))[columns]
        for values in (x[there], gap)
    ]
    deviation = float(np.sqrt((centred[0] ** 2).mean()))
    clusters = np.unique(rows if sides.documents is None else sides.documents[rows], return_inverse=True)[1]
    n = int(clusters.max()) + 1
    if deviation <= 1e-9 * float(np.abs(x[there]).max()) or n < FEWEST_LABELS:
        return None
    own, gap = centred[0] / deviation, centred[1]
    slope = float((own * gap).sum() / (own**2).sum())
    sums = np.bincount(clusters, weights=own * (gap - slope * own))
    error = float(np.sqrt(n / (n - 1) * (sums**2).sum())) / float((own**2).sum())
    margin = float(special.stdtrit(n - 1, 1 - alpha / 2)) * error
    p = float(2 * special.stdtr(n - 1, -abs(slope) / error)) if error > 0 else float("nan")
    return Leaning(
        name=name,
        slope=slope,
        lower=slope - margin,
        upper=slope + margin,
        deviation=deviation,
        p_value=p,
        p_adjusted=p,
    )
