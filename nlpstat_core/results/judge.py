"""A board of a judge's scores, corrected by people's on some of the items."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.formatting import some_names
from nlpstat_core.notes import Note
from nlpstat_core.results.judge_itself import JudgeItself, JudgeRaters
from nlpstat_core.results.plain import records_of
from nlpstat_core.version import VERSION

if TYPE_CHECKING:
    import pandas as pd


# The code of the note on a judge that gives every output the same score.
CONSTANT_JUDGE = "constant-judge"


@dataclass(frozen=True, eq=False, kw_only=True)
class PairsOfBoard:
    """All pairs by one source of scores; arrays of shape (n_pairs,), about a minus b in people's points.

    difference, error: NaN where too few items have both.
    p_value, p_adjusted: NaN where nothing varies or too little is known.
    significant: Found to differ.
    n_items: Items (or labelled items) that both systems have.
    """

    difference: FloatArray
    error: FloatArray
    lower: FloatArray
    upper: FloatArray
    p_value: FloatArray
    p_adjusted: FloatArray
    significant: BoolArray
    n_items: IntArray


def worth_of(corrected: PairsOfBoard, alone: PairsOfBoard) -> FloatArray:
    """Labels that people alone would need for each corrected error, drawn alike; NaN where it is 0."""
    ratio = np.full(corrected.error.shape, np.nan)
    np.divide(alone.error, corrected.error, out=ratio, where=corrected.error > 0)
    return np.asarray(corrected.n_items * ratio**2)


@dataclass(frozen=True, eq=False, kw_only=True)
class ColumnCheck:
    """Whether labelled items are the mixture by a label column that all items are.

    kinds: Values of the column.
    labelled, unlabelled (int arrays, shape (n_kinds,)): Items (or documents) of every value.
    p_value: NaN where it can't be told.
    """

    name: str
    kinds: tuple[str, ...]
    labelled: IntArray
    unlabelled: IntArray
    p_value: float
    p_adjusted: float


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelChecks:
    """Whether the labelled items look like a random part of all; p adjusted by Holm over all checks together.

    The first entry of every array is the mean over systems, then every system in its order.

    labelled, unlabelled (float arrays, shape (n_systems + 1,)): The judge's mean of labelled items and of the
        others; NaN where every item is labelled.
    lower, upper: Interval of labelled − unlabelled at 1 − alpha.
    p_value, p_adjusted: NaN where it can't be told.
    columns: One entry a label column with few values.
    """

    labelled: FloatArray
    unlabelled: FloatArray
    lower: FloatArray
    upper: FloatArray
    p_value: FloatArray
    p_adjusted: FloatArray
    columns: tuple[ColumnCheck, ...]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class JudgedBoard:
    """What people and a judge say of systems together, as `judge` gives it.

    Attributes
    ----------
    systems : tuple of str
    human, judge : str
        Names of the two metrics.
    lower_is_better : bool
        Direction of people's scores.
    estimate, lower, upper : float arrays, shape (n_systems,)
        People's mean over all items, corrected from the judge's, with intervals at 1 − alpha.
    labels : int array, shape (n_systems,)
        Items that people judged.
    effective : float array, shape (n_systems,)
        Labels that people alone, drawn alike, would need for the same error of the mean.
    people, people_lower, people_upper : float arrays, shape (n_systems,)
        Mean of the labels alone, with its t interval.
    judged : float array, shape (n_systems,)
        Mean of the judge's scores of all items (in the judge's points).
    bias, bias_lower, bias_upper, bias_p : float arrays, shape (n_systems,)
        Judge minus people on the labelled items, in people's points and direction, less the mean of that over
        the systems, as far as items are labelled for all; p adjusted by Holm over systems. NaN where that
        can't be told.
    rank, rank_people, rank_judge : int arrays, shape (n_systems,)
    rank_interval : int array, shape (n_systems, 2)
        Ranks that the pairs found to differ by the corrected board leave open.
    left, right : int arrays, shape (n_pairs,)
    corrected, people_pairs, judge_pairs : PairsOfBoard
        By labels and judge together, by labels alone, and by the judge alone (in the judge's points).
    narrower : float
        What 20 more labelled items would leave of the widths of the pairs' intervals, the median pair's; NaN
        where fewer than 20 items have no label.
    checks : LabelChecks
        Whether the labelled items look like a random part of all.
    itself : JudgeItself
        How the judge errs: 0/1 verdicts, calibration, length and position.
    more_labels : int or None
        Labelled items in all with which the first two of the corrected board would be told apart with a
        chance of about 80 %; None where no number is enough or they differ already.
    n_items : int
    documents : str
        Column of the documents; empty where items stand alone.
    strata : str
        Column of the strata that labels were drawn from; empty where all items were as likely.
    raters : str
        Column of the raters; empty where errors are those of these raters only.
    of_raters : JudgeRaters or None
        How many ratings each gave, how severe each is, and whether ratings were standardised.
    correction : str
    alpha : float
    turned : bool
        Whether the judge's scores have the other direction than people's: its scores were turned round to
        correct them; `judged`, `judge_pairs` and `checks` have them as they are.
    notes : tuple of Note

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix, judge
    >>> rng = np.random.default_rng(0)
    >>> people = rng.normal(size=(200, 2)) + [1, 0]
    >>> automatic = people + rng.normal(size=(200, 2)) + [0, 3]
    >>> people[40:] = np.nan
    >>> boards = {"ESA": ScoreMatrix(values=people, systems="AB")}
    >>> found = judge(boards | {"judge": ScoreMatrix(values=automatic, systems="AB")}, human="ESA")
    >>> found.top_group, found.rank.tolist(), found.rank_judge.tolist()
    (('A',), [1, 2], [2, 1])
    """

    systems: tuple[str, ...]
    human: str
    judge: str
    lower_is_better: bool
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    labels: IntArray
    effective: FloatArray
    people: FloatArray
    people_lower: FloatArray
    people_upper: FloatArray
    judged: FloatArray
    bias: FloatArray
    bias_lower: FloatArray
    bias_upper: FloatArray
    bias_p: FloatArray
    rank: IntArray
    rank_people: IntArray
    rank_judge: IntArray
    rank_interval: IntArray
    left: IntArray
    right: IntArray
    corrected: PairsOfBoard
    people_pairs: PairsOfBoard
    judge_pairs: PairsOfBoard
    checks: LabelChecks
    itself: JudgeItself
    narrower: float
    more_labels: int | None
    n_items: int
    documents: str
    strata: str
    raters: str
    of_raters: JudgeRaters | None
    correction: str
    alpha: float
    turned: bool = False
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<JudgedBoard: {len(self.systems):,} systems by {self.human} and {self.judge} on "
            f"{self.n_items:,} items. Top group: {some_names(self.top_group)}>"
        )

    @property
    def order(self) -> IntArray:
        """Positions of systems, the best first."""
        return np.argsort(self.rank, kind="stable")

    @property
    def top_group(self) -> tuple[str, ...]:
        """Systems that no other is found to be better than, the best first."""
        return tuple(self.systems[place] for place in self.order if self.rank_interval[place, 0] == 1)

    @property
    def standardised(self) -> bool:
        """Whether each rater's ratings were brought to mean 0 and standard deviation 1."""
        return self.of_raters is not None and self.of_raters.standardised

    @property
    def worth_of_pairs(self) -> FloatArray:
        """Labels that people alone would need for each pair's corrected error; NaN where it is 0."""
        return worth_of(self.corrected, self.people_pairs)

    def leaderboard_frame(self) -> pd.DataFrame:
        """One row per system, the best first.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        names = ("estimate", "lower", "upper", "labels", "effective", "people")
        bias = ("bias", "bias_lower", "bias_upper", "bias_p")
        columns = {
            "rank": self.rank,
            "system": self.systems,
            **{name: getattr(self, name) for name in names},
            **{name: getattr(self, name) for name in ("people_lower", "people_upper", "judged")},
            "rank_low": self.rank_interval[:, 0],
            "rank_high": self.rank_interval[:, 1],
            "rank_people": self.rank_people,
            "rank_judge": self.rank_judge,
            **{name: getattr(self, name) for name in bias},
        }
        return pd.DataFrame(columns).iloc[self.order].reset_index(drop=True)

    def pairs_frame(self) -> pd.DataFrame:
        """One row a pair.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        names = np.array(self.systems, dtype=object)
        columns: dict[str, Any] = {"system_a": names[self.left], "system_b": names[self.right]}
        for prefix, pairs in (
            ("", self.corrected),
            ("people_", self.people_pairs),
            ("judge_", self.judge_pairs),
        ):
            columns |= {f"{prefix}{name}": getattr(pairs, name) for name in pairs.__dataclass_fields__}
        return pd.DataFrame(columns)

    def checks_frame(self) -> pd.DataFrame:
        """One row a check of whether the labelled items are a random part of all.

        Returns
        -------
        DataFrame
            `about` is "all systems", a system or a label column, as `kind` says; means are the judge's.
        """
        import pandas as pd

        found, columns = self.checks, self.checks.columns
        nothing = np.full(len(columns), np.nan)
        return pd.DataFrame(
            {
                "kind": ["mean", *["system"] * len(self.systems), *["label column"] * len(columns)],
                "about": ["all systems", *self.systems, *(one.name for one in columns)],
                **{
                    name: np.concatenate([getattr(found, name), nothing])
                    for name in ("labelled", "unlabelled", "lower", "upper")
                },
                **{
                    name: np.concatenate([getattr(found, name), [getattr(one, name) for one in columns]])
                    for name in ("p_value", "p_adjusted")
                },
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; undefined numbers are None.

        Returns
        -------
        dict
        """
        return {
            "version": VERSION,
            "human": self.human,
            "judge": self.judge,
            "lower_is_better": self.lower_is_better,
            "config": {
                "documents": self.documents or None,
                "strata": self.strata or None,
                "raters": self.raters or None,
                "standardise_raters": self.standardised,
                "correction": self.correction,
                "alpha": self.alpha,
            },
            "n_items": self.n_items,
            "top_group": list(self.top_group),
            "more_labels": self.more_labels,
            "narrower_by_20_labels": None if math.isnan(self.narrower) else self.narrower,
            "leaderboard": records_of(self.leaderboard_frame()),
            "pairs": records_of(self.pairs_frame()),
            "checks": records_of(self.checks_frame()),
            "zero_one": records_of(self.itself.zero_one_frame(self.systems)),
            "calibration": records_of(self.itself.calibration_frame()),
            "leanings": records_of(self.itself.leanings_frame()),
            "raters": [] if self.of_raters is None else records_of(self.of_raters.frame()),
            "notes": [note.to_dict() for note in self.notes],
        }
