"""plan_labels: which items people are to label next, drawn by seed with known probabilities."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from nlpstat_core.analysis.checked import whole_number
from nlpstat_core.analysis.given import as_boards
from nlpstat_core.analysis.judge import judge_of
from nlpstat_core.analysis.judged.sides import judge_without_gaps, on_all_items, values_like
from nlpstat_core.analysis.metrics.aligned import human_metric
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, shown
from nlpstat_core.results.label_plan import LabelPlan
from nlpstat_core.scores.matrix import ScoreMatrix

LABELS_OF_A_STRATUM = 20  # fewer leave little to tune the judge by
FEWEST_OF_A_STRATUM = 8
# Groups by the judge's mean score, and within each by how much its scores of the systems differ.
GROUPS = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (3, 2)}


def plan_labels(
    boards: Mapping[str, ScoreMatrix | Any],
    n_labels: int,
    human: str | None = None,
    judge: str | None = None,
    *,
    seed: int = 0,
) -> LabelPlan:
    """Draw items that people are to label next, by strata of a judge's scores.

    Parameters
    ----------
    boards : mapping of str to ScoreMatrix or data frame
        The judge's metric, and people's where there are labels already.
    n_labels : int
        How many items to label besides those that have a label.
    human : str, optional
        The metric of people; guessed from the names, or "human" where there is none yet.
    judge : str, optional
        The metric that has every item; the only other one where not given.
    seed : int
        Of the draw.

    Returns
    -------
    LabelPlan

    Raises
    ------
    AnalysisError
        More labels than items without one, gaps in the judge, metrics that don't fit together.
    ConfigError
        A number or seed that can't be used.

    Notes
    -----
    Strata are items of about the same mean score by the judge and, within, of small or large disagreement
    between systems; as many as have 20 labels each, at most six. Every label goes where it makes the errors
    of differences smallest by the judge's own spread (Neyman's allocation in whole numbers), at first where a
    stratum has fewer than eight. Within a stratum all items without a label are equally likely. Labels that
    are there already must have been drawn at random. Give the plan's column of strata to `judge(strata=…)`.
    O(n_items · n_systems + n_labels).

    Examples
    --------
    >>> scores = np.random.default_rng(0).normal(size=(200, 3))
    >>> plan = plan_labels({"GEMBA": ScoreMatrix(values=scores, systems="ABC")}, 40, seed=1)
    >>> int(plan.chosen.sum()), int(plan.scores_frame()["label_next"].eq("yes").sum())
    (40, 120)
    """
    n_labels = whole_number("n_labels", n_labels, 1)
    seed = whole_number("seed", seed, 0)
    boards = as_boards(boards, "plan_labels")
    name = _human_of(boards, human)
    judge_name = judge_of(boards, name, judge)
    automatic = boards[judge_name]
    judge_without_gaps(automatic, automatic.values, judge_name)
    people = np.full(automatic.values.shape, np.nan)
    if name in boards:
        given = values_like(automatic, on_all_items(boards[name], automatic, name, judge_name))
        if given is None:
            raise AnalysisError(
                f"{shown(name)} and {shown(judge_name)} need the same systems and items: leave cells of "
                f"{shown(name)} empty where people gave no score."
            )
        people = given
    labelled: BoolArray = np.asarray(~np.isnan(people).all(axis=1))
    free = int((~labelled).sum())
    if n_labels > free:
        raise AnalysisError(
            f"{n_labels:,} labels are requested, but only {free:,} items have none yet; request fewer."
        )
    rng = np.random.default_rng([seed, automatic.n_units])
    stratum = _strata(automatic.values, int(labelled.sum()) + n_labels, rng.permutation(automatic.n_units))
    chosen = _drawn(automatic.values, stratum, labelled, n_labels, rng)
    share = np.bincount(stratum, weights=labelled | chosen) / np.bincount(stratum)
    return LabelPlan(
        human=name,
        judge=judge_name,
        systems=automatic.systems,
        items=tuple(automatic.unit_names(np.arange(automatic.n_units))),
        people=people,
        judged=automatic.values,
        stratum=stratum + 1,
        chosen=chosen,
        labelled=labelled,
        probability=share[stratum],
        seed=seed,
    )


def _human_of(boards: Mapping[str, ScoreMatrix], told: str | None) -> str:
    if told is not None:
        return told
    try:
        return human_metric(boards).name
    except AnalysisError:
        if "human" in boards:
            raise
        return "human"


def _strata(judged: FloatArray, total: int, ties: IntArray) -> IntArray:
    """Stratum of every item, from 0; `ties`: an order for items that are the same."""
    n = judged.shape[0]
    fit = [
        many for many in GROUPS if total >= many * LABELS_OF_A_STRATUM and n >= 2 * many * FEWEST_OF_A_STRATUM
    ]
    by_score, by_spread = GROUPS[max(fit, default=1)]
    found = np.zeros(n, dtype=np.int64)
    scores = _groups(judged.mean(axis=1), by_score, ties)
    for group in range(by_score):
        rows = np.flatnonzero(scores == group)
        found[rows] = group * by_spread + _groups(judged[rows].std(axis=1), by_spread, ties[rows])
    return found


def _groups(values: FloatArray, many: int, ties: IntArray) -> IntArray:
    """Groups of about the same size in the order of values."""
    place = np.empty(values.size, dtype=np.int64)
    place[np.lexsort((ties, values))] = np.arange(values.size)
    return np.asarray(place * many // max(values.size, 1))


def _drawn(
    judged: FloatArray, stratum: IntArray, labelled: BoolArray, n_labels: int, rng: np.random.Generator
) -> BoolArray:
    """Each label to the stratum where it helps most, then at random within the strata."""
    sizes = np.bincount(stratum)
    many = sizes.size
    differences = judged - judged.mean(axis=1, keepdims=True) if judged.shape[1] > 1 else judged
    spread = np.array([differences[stratum == one].std() for one in range(many)])
    weight = sizes * np.maximum(spread, 1e-9 * max(float(spread.max()), 1e-300))
    has = np.bincount(stratum, weights=labelled, minlength=many).astype(np.int64)
    free, takes = sizes - has, np.zeros(many, dtype=np.int64)
    for _ in range(n_labels):
        count, room = has + takes, takes < free
        few = room & (count < FEWEST_OF_A_STRATUM)
        gain = weight / np.sqrt(np.maximum(count, 1) * (count + 1))
        if few.any():
            gain = np.where(few, -count, -np.inf)
        takes[int(np.argmax(np.where(room, gain, -np.inf)))] += 1
    chosen = np.zeros(stratum.size, dtype=bool)
    for one in range(many):
        rows = np.flatnonzero((stratum == one) & ~labelled)
        chosen[rng.permutation(rows)[: takes[one]]] = True
    return chosen
