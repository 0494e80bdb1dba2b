"""judge: a judge's scores of all items, corrected by people's of some, as a board of all pairs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nlpstat_core.analysis.checked import checked_level, correction_of_p_values
from nlpstat_core.analysis.given import as_boards
from nlpstat_core.analysis.judged.itself import judge_itself
from nlpstat_core.analysis.judged.labels import bias_of, checks_of, notes_of, notes_of_judge, notes_of_pairs
from nlpstat_core.analysis.judged.pairs import (
    adjusted_pairs,
    corrected_pairs,
    means_of,
    more_labels,
    narrower_by,
    pairs_by_max_t,
    turned_back,
)
from nlpstat_core.analysis.judged.raters import (
    clusters_of,
    groups_of,
    notes_of_raters,
    raters_table,
    ratings_of,
    standardised,
)
from nlpstat_core.analysis.judged.sides import LABELLED_ONLY, Sides, as_given, on_all_items, sides_of
from nlpstat_core.analysis.metrics.aligned import human_metric
from nlpstat_core.board.ranking.leaderboard import open_ranks, ranks_of
from nlpstat_core.errors import AnalysisError, ConfigError, Remedy, shown, some_shown, unknown
from nlpstat_core.memory import refuse_beyond_memory
from nlpstat_core.methods.corrections import max_t
from nlpstat_core.notes import RATINGS_IN_WORDS, doubts
from nlpstat_core.results.judge import JudgedBoard, worth_of
from nlpstat_core.results.judge_itself import JudgeRaters
from nlpstat_core.scores.matrix import ScoreMatrix

MAX_T = max_t.METHOD.key


def judge(
    boards: Mapping[str, ScoreMatrix | Any],
    human: str | None = None,
    judge: str | None = None,
    *,
    documents: str | None = None,
    strata: str | None = None,
    raters: str | None = None,
    standardise_raters: bool = False,
    correction: str = "holm",
    alpha: float = 0.05,
) -> JudgedBoard:
    """Correct a judge's board by people's scores of some items: prediction-powered inference for all pairs.

    The null hypothesis of each pair: people's mean scores of both systems over all items are the same.

    Parameters
    ----------
    boards : mapping of str to ScoreMatrix or data frame
        Metrics of the same systems and items, as `read_boards(..., each="metric")` gives them.
    human : str, optional
        The metric people gave, NaN where an item has no label; guessed from the names (MQM, ESA, human …).
    judge : str, optional
        The metric that has every item; the only other one where not given.
    documents : str, optional
        Label column: items of one document belong together.
    strata : str, optional
        Label column of the strata that labelled items were drawn from, as `plan_labels` writes it; each item
        then counts by its probability.
    raters : str, optional
        Column of the raters, where several people gave the labels: errors then hold for other raters, too.
        Raters who judged items together count as runs do; groups of raters that share no item are clusters.
    standardise_raters : bool
        Whether each rater's ratings are brought to mean 0 and standard deviation 1 first, as WMT does.
    correction : str
        Over all pairs; any that needs p-values only, or max-t, by signs of items that all pairs share.
    alpha : float
        Level of decisions; intervals are 1 − alpha.

    Returns
    -------
    JudgedBoard

    Raises
    ------
    AnalysisError
        Metrics that don't fit together, gaps in the judge, fewer than three labels of a system.
    ConfigError
        A setting that can't be used.

    Notes
    -----
    Every mean and every difference is that of `corrected_mean`: labels corrected by the judge as far as the
    other labels show that it helps, which is settled for every mean and every difference by itself: the
    difference of a pair needn't be that of the two means. The labelled items must be a random part of all
    (checked by the judge's scores and by label columns), and the judge not tuned on them. Cost
    O(n_items · n_pairs).

    References
    ----------
    Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> people = rng.integers(0, 5, (60, 3)) + np.array([1.0, 0, 0])
    >>> boards = {"judge": ScoreMatrix(values=people + rng.normal(size=people.shape), systems="ABC")}
    >>> people[30:] = np.nan
    >>> judge(boards | {"human": ScoreMatrix(values=people, systems="ABC")}).labels.tolist()
    [30, 30, 30]
    """
    alpha = checked_level(alpha)
    correction_of_p_values(correction, "a judged board", also=(MAX_T,))
    boards = as_boards(boards, "judge")
    people_name = people_of(boards, human)
    judge_name = judge_of(boards, people_name, judge)
    automatic = boards[judge_name]
    people = on_all_items(boards[people_name], automatic, people_name, judge_name)
    sides = sides_of(people, automatic, people_name, judge_name, documents, strata)
    drawn, of_raters = sides, None
    if raters is not None:
        sides, of_raters = _with_raters(people, sides, people_name, raters, standardise_raters, alpha)
        people = replace(people, values=sides.people, ratings=None)
    elif standardise_raters:
        raise ConfigError("standardise_raters needs raters, the column that names them.")
    n_systems = people.n_systems
    left, right = np.triu_indices(n_systems, 1)
    per_pair = 30 + (12 * people.n_units if correction == MAX_T else 0)
    refuse_beyond_memory(left.size * 8 * per_pair, f"{left.size:,} pairs", "take fewer systems")
    own, _ = corrected_pairs(sides, np.arange(n_systems), None, alpha)
    corrected, labels_of_pairs = corrected_pairs(sides, left, right, alpha)
    alone = replace(sides, judge=sides.people)
    own_people, _ = corrected_pairs(alone, np.arange(n_systems), None, alpha)
    by_people, _ = corrected_pairs(alone, left, right, alpha)
    judged_only = Sides(sides.judge, sides.judge, sides.documents)
    if correction == MAX_T:
        if sides.strata is not None or sides.ratings is not None:
            raise ConfigError(
                "max-t changes signs of items, which tells nothing of strata and of raters who judged items "
                "together: choose another correction, as holm."
            )
        adjusted = [pairs_by_max_t(one, left, right, alpha) for one in (sides, alone, judged_only)]
    else:
        by_judge, _ = corrected_pairs(judged_only, left, right, alpha)
        adjusted = [adjusted_pairs(pairs, correction, alpha) for pairs in (corrected, by_people, by_judge)]
    better = -1.0 if people.lower_is_better else 1.0
    decided = np.where(adjusted[0].significant, better * corrected.difference, 0.0)
    means = own_people.difference
    judged = means_of(sides.judge)
    bias = bias_of(sides, alpha)
    level = alpha if correction == "none" else alpha / max(1, int((~np.isnan(corrected.p_value)).sum()))
    rank = ranks_of(better * own.difference)
    turned = people.lower_is_better != automatic.lower_is_better
    checks = checks_of(people, as_given(drawn, turned), alpha)
    return JudgedBoard(
        systems=people.systems,
        human=people_name,
        judge=judge_name,
        lower_is_better=people.lower_is_better,
        estimate=own.difference,
        lower=own.lower,
        upper=own.upper,
        labels=own.n_items,
        effective=worth_of(own, own_people),
        people=means,
        people_lower=own_people.lower,
        people_upper=own_people.upper,
        judged=-judged if turned else judged,
        bias=bias[0],
        bias_lower=bias[1],
        bias_upper=bias[2],
        bias_p=bias[3],
        rank=rank,
        rank_people=ranks_of(better * means),
        rank_judge=ranks_of(better * judged),
        rank_interval=open_ranks(n_systems, left, right, decided),
        left=left,
        right=right,
        corrected=adjusted[0],
        people_pairs=adjusted[1],
        judge_pairs=turned_back(adjusted[2]) if turned else adjusted[2],
        checks=checks,
        itself=judge_itself(boards, people, sides, (people_name, judge_name), turned, alpha),
        narrower=narrower_by(adjusted[0], labels_of_pairs, people.n_units, alpha),
        more_labels=more_labels(rank, left, right, adjusted[0], labels_of_pairs, level),
        n_items=people.n_units,
        documents=documents or "",
        strata=strata or "",
        raters=raters or "",
        of_raters=of_raters,
        correction=correction,
        alpha=alpha,
        turned=turned,
        notes=(
            *doubts([*people.notes, *automatic.notes]),
            *(note for note in people.notes if note.code == LABELLED_ONLY),
            *notes_of(people, checks, own, documents),
            *notes_of_pairs(corrected),
            *notes_of_judge(sides, people.systems, judge_name),
            *notes_of_raters(people, of_raters),
        ),
    )


def _with_raters(
    people: ScoreMatrix, sides: Sides, human: str, raters: str, standardise: bool, alpha: float
) -> tuple[Sides, JudgeRaters]:
    """People's scores with their ratings, or with groups of raters as clusters; and the raters."""
    if sides.strata is not None:
        raise ConfigError("Name raters or strata, not both: a rater's weight within strata isn't known.")
    given = ratings_of(people, human, raters)
    groups = groups_of(given)
    clusters = clusters_of(groups, human)
    if clusters is not None and sides.documents is not None:
        raise ConfigError(
            "Name documents or raters, not both: these raters share no items, so each is a cluster of its "
            "own items."
        )
    used = standardised(given) if standardise else given
    table = raters_table(given, groups, standardise, alpha)
    sides = replace(sides, people=used.means if standardise else sides.people)
    if clusters is None:
        return replace(sides, ratings=used.values), table
    return replace(sides, documents=clusters), table


def people_of(boards: Mapping[str, ScoreMatrix], told: str | None) -> str:
    """The metric of people: the one that was told, else the one whose name says so.

    Raises AnalysisError: None; with what to do where a column of the file may hold ratings in words.
    """
    try:
        return human_metric(boards, told).name
    except AnalysisError as error:
        notes = [note for board in boards.values() for note in board.notes]
        hint = next((f" {note.text}" for note in notes if note.code == RATINGS_IN_WORDS), "")
        raise AnalysisError(error.sentence, hint) from None


def judge_of(boards: Mapping[str, ScoreMatrix], human: str, told: str | None) -> str:
    """The judge: the one that was told, else the only metric beside people's."""
    others = [name for name in boards if name != human]
    if told is not None:
        if told not in others:
            raise AnalysisError(unknown("judge", told, others))
        return told
    if len(others) != 1:
        some = f" ({some_shown(others)})" if others else ""
        raise AnalysisError(
            f"There are {len(others)} metrics besides {shown(human)}{some}; ",
            Remedy("judge"),
            " with the name of one.",
        )
    return others[0]
