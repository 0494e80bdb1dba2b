"""judge: a judge's scores of all items, corrected by people's of some, as a board of all pairs."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy import special, stats

from nlpstat_core.analysis.checked import above
from nlpstat_core.analysis.metrics.human import human_metric
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.ranking.leaderboard import rank_intervals
from nlpstat_core.errors import AnalysisError, ConfigError, shown, some_shown, unknown
from nlpstat_core.memory import refuse_beyond_memory
from nlpstat_core.methods.corrections import CORRECTIONS, adjust_p_values
from nlpstat_core.methods.judged.corrected import FEWEST_LABELS, corrected_means
from nlpstat_core.notes import Note, doubts
from nlpstat_core.results.judge import JudgedBoard, PairsOfBoard
from nlpstat_core.scores.matrix import ScoreMatrix

FEW_LABELS = 20
LEAST_RANDOM = 0.01  # p from which on labels are told to be no random part of the items
MOST_CELLS = 4_000_000  # of one chunk of pairs
MOST_KINDS = 20  # values of a label column whose shares of labelled items are compared
LABELS_AT_MOST = 1_000_000
WITH_POWER = 0.8


@dataclass(frozen=True, eq=False)
class _Sides:
    """People's and the judge's scores of the same systems and items, on one direction.

    people, judge (floats, shape (n_items, n_systems)): People's NaN where an item has no label.
    documents (ints, shape (n_items,), or None).
    """

    people: FloatArray
    judge: FloatArray
    documents: IntArray | None

    @property
    def labelled(self) -> BoolArray:
        found: BoolArray = ~np.isnan(self.people)
        return found


def judge(
    boards: Mapping[str, ScoreMatrix],
    human: str | None = None,
    judge: str | None = None,
    *,
    documents: str | None = None,
    correction: str = "holm",
    alpha: float = 0.05,
) -> JudgedBoard:
    """Correct a judge's board by people's scores of some items: prediction-powered inference for all pairs.

    The null hypothesis of each pair: people's mean scores of both systems over all items are the same.

    Parameters
    ----------
    boards : mapping of str to ScoreMatrix
        Metrics of the same systems and items, as `read_boards(..., each="metric")` gives them.
    human : str, optional
        The metric people gave, NaN where an item has no label; guessed from the names (MQM, ESA, human …).
    judge : str, optional
        The metric that has every item; the only other one where not given.
    documents : str, optional
        Label column: items of one document belong together.
    correction : str
        Over all pairs; any that needs p-values only.
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
    other labels show that it helps. The labelled items must be a random part of all (checked by the judge's
    scores and by label columns), and the judge not tuned on them. Cost O(n_items · n_pairs).

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
    alpha = above("alpha", alpha, 0)
    if alpha >= 1:
        raise ConfigError(f"alpha must be a number above 0 and below 1, not {shown(alpha)}.")
    ready = [one.key for one in CORRECTIONS if not one.resamples and one.key != "shaffer"]
    if correction not in ready:
        raise ConfigError(unknown("correction of a judged board", correction, ready))
    people_name = human_metric(boards, human).name
    judge_name = _judge_of(boards, people_name, judge)
    people, automatic = boards[people_name], boards[judge_name]
    sides = _sides(people, automatic, people_name, judge_name, documents)
    n_systems = people.n_systems
    left, right = np.triu_indices(n_systems, 1)
    refuse_beyond_memory(left.size * 8 * 30, f"{left.size:,} pairs", "take fewer systems")
    own, _ = _corrected(sides, np.arange(n_systems), None, alpha)
    corrected, labels_of_pairs = _corrected(sides, left, right, alpha)
    alone = _Sides(np.where(sides.labelled, sides.people, np.nan), sides.people, sides.documents)
    by_people, _ = _corrected(alone, left, right, alpha)
    by_judge, _ = _corrected(_Sides(sides.judge, sides.judge, sides.documents), left, right, alpha)
    adjusted = [_adjusted(pairs, correction, alpha) for pairs in (corrected, by_people, by_judge)]
    better = -1.0 if people.lower_is_better else 1.0
    decided = np.where(adjusted[0].significant, better * corrected.difference, 0.0)
    beats = np.zeros((n_systems, n_systems), dtype=bool)
    beats[left[decided > 0], right[decided > 0]] = True
    beats[right[decided < 0], left[decided < 0]] = True
    means = _means(sides.people)
    judged = _means(sides.judge)
    bias = _bias(sides, alpha)
    rank = _ranks(better * own.difference)
    return JudgedBoard(
        systems=people.systems,
        human=people_name,
        judge=judge_name,
        lower_is_better=people.lower_is_better,
        estimate=own.difference,
        lower=own.lower,
        upper=own.upper,
        labels=own.n_items,
        effective=_effective(sides, own.error),
        people=means,
        judged=judged * (-1.0 if people.lower_is_better != automatic.lower_is_better else 1.0),
        bias=bias[0],
        bias_lower=bias[1],
        bias_upper=bias[2],
        bias_p=bias[3],
        rank=rank,
        rank_people=_ranks(better * means),
        rank_judge=_ranks(better * judged),
        rank_interval=rank_intervals(beats),
        left=left,
        right=right,
        corrected=adjusted[0],
        people_pairs=adjusted[1],
        judge_pairs=adjusted[2],
        more_labels=_more_labels(rank, left, right, adjusted[0], labels_of_pairs, alpha),
        n_items=people.n_units,
        documents=documents or "",
        correction=correction,
        alpha=alpha,
        notes=(*doubts([*people.notes, *automatic.notes]), *_notes(people, sides, own, documents)),
    )


def _judge_of(boards: Mapping[str, ScoreMatrix], human: str, told: str | None) -> str:
    others = [name for name in boards if name != human]
    if told is not None:
        if told not in others:
            raise AnalysisError(unknown("judge", told, others))
        return told
    if len(others) != 1:
        raise AnalysisError(
            f"There are {len(others)} metrics besides {shown(human)}"
            + (f" ({some_shown(others)})" if others else "")
            + "; say which one is the judge: judge=NAME."
        )
    return others[0]


def _sides(
    people: ScoreMatrix, automatic: ScoreMatrix, human: str, judge: str, documents: str | None
) -> _Sides:
    """Both metrics by people's systems and all items that the judge scored."""
    if set(people.systems) != set(automatic.systems):
        odd = sorted({*people.systems} ^ {*automatic.systems})
        raise AnalysisError(
            f"{shown(human)} and {shown(judge)} need the same systems; {some_shown(odd)} is in one of them."
        )
    if (people.units is None) != (automatic.units is None) or people.n_units != automatic.n_units:
        raise AnalysisError(
            f"{shown(human)} and {shown(judge)} need the same items: leave cells of {shown(human)} empty "
            "where people gave no score."
        )
    rows = np.arange(people.n_units)
    if people.units is not None and automatic.units is not None:
        place = {unit: row for row, unit in enumerate(automatic.units)}
        if missing := [unit for unit in people.units if unit not in place]:
            raise AnalysisError(f"{shown(judge)} lacks items of {shown(human)}: {some_shown(missing)}.")
        rows = np.array([place[unit] for unit in people.units])
    columns = [automatic.systems.index(system) for system in people.systems]
    scores = automatic.values[rows][:, columns]
    if np.isnan(scores).any():
        item, system = np.argwhere(np.isnan(scores))[0]
        raise AnalysisError(
            f"{shown(judge)} has no score of {shown(people.systems[system])} for "
            f"{people.unit_names([item])[0]}; a judge must have one for every item."
        )
    if people.lower_is_better != automatic.lower_is_better:
        scores = -scores
    codes = None
    if documents is not None:
        if documents not in people.labels:
            raise ConfigError(unknown("column of documents", documents, people.labels))
        codes = np.unique(np.array(people.labels[documents], dtype=str), return_inverse=True)[1]
    few = [
        (system, int(count))
        for system, count in zip(people.systems, (~np.isnan(people.values)).sum(axis=0), strict=True)
        if count < FEWEST_LABELS
    ]
    if few:
        name, count = few[0]
        raise AnalysisError(
            f"{shown(human)} has {count} scores of {shown(name)}; at least {FEWEST_LABELS} are needed."
        )
    return _Sides(people.values, scores, codes)


def _corrected(
    sides: _Sides, left: IntArray, right: IntArray | None, alpha: float
) -> tuple[PairsOfBoard, FloatArray]:
    """Corrected means of systems, or of differences of pairs, with what more labels would make smaller.

    Systems with labels on the same items are computed together.
    """
    n = left.size
    labelled = sides.labelled
    names = ("difference", "error", "lower", "upper", "p_value")
    found = {name: np.full(n, np.nan) for name in names}
    counts, of_labels = np.zeros(n, dtype=np.int64), np.full(n, np.nan)
    _, kinds = np.unique(labelled, axis=1, return_inverse=True)
    keys = kinds[left] * (kinds.max() + 1) + (0 if right is None else kinds[right])
    step = max(1, MOST_CELLS // labelled.shape[0])
    for key in np.unique(keys):
        group = np.flatnonzero(keys == key)
        first = group[0]
        both = labelled[:, left[first]] & (True if right is None else labelled[:, right[first]])
        labels = int(both.sum())
        counts[group] = labels
        known = labels if sides.documents is None else np.unique(sides.documents[both]).size
        if min(labels, known) < FEWEST_LABELS:
            continue
        judge_there = ~np.isnan(sides.judge[:, left[first]])
        if right is not None:
            judge_there &= ~np.isnan(sides.judge[:, right[first]])
        for start in range(0, group.size, step):
            some = group[start : start + step]
            y, f = sides.people[both][:, left[some]], sides.judge[judge_there][:, left[some]]
            if right is not None:
                y, f = y - sides.people[both][:, right[some]], f - sides.judge[judge_there][:, right[some]]
            codes = None if sides.documents is None else sides.documents[judge_there]
            mean = corrected_means(y, f, both[judge_there], codes)
            margin = float(special.stdtrit(mean.freedom, 1 - alpha / 2)) * mean.error
            with np.errstate(divide="ignore", invalid="ignore"):
                t = np.abs(mean.estimate / mean.error)
            p = np.where(mean.error > 0, 2 * special.stdtr(mean.freedom, -t), np.nan)
            values = (mean.estimate, mean.error, mean.estimate - margin, mean.estimate + margin, p)
            for name, value in zip(names, values, strict=True):
                found[name][some] = value
            of_labels[some] = mean.of_labels
    never = np.zeros(n, dtype=bool)
    return (
        PairsOfBoard(**found, p_adjusted=found["p_value"], significant=never, n_items=counts),
        of_labels,
    )


def _adjusted(pairs: PairsOfBoard, correction: str, alpha: float) -> PairsOfBoard:
    adjusted = adjust_p_values(pairs.p_value, correction)
    return replace(pairs, p_adjusted=adjusted, significant=adjusted <= alpha)


def _means(values: FloatArray) -> FloatArray:
    there = ~np.isnan(values)
    return np.asarray(np.where(there, values, 0).sum(axis=0) / there.sum(axis=0))


def _effective(sides: _Sides, error: FloatArray) -> FloatArray:
    """Labels that people alone would need for the corrected errors."""
    spread = np.array([np.var(column[~np.isnan(column)], ddof=1) for column in sides.people.T])
    found = np.full(error.shape, np.nan)
    np.divide(spread, error**2, out=found, where=error > 0)
    return found


def _ranks(values: FloatArray) -> IntArray:
    """1 for the largest; equal ones share the best."""
    return np.asarray(1 + np.searchsorted(np.sort(-values), -values, side="left"))


def _bias(sides: _Sides, alpha: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
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
    f = f * (y.std() / scale) if scale > 0 else f
    gap = (f - y) - (f - y).mean(axis=1, keepdims=True)
    codes = None if sides.documents is None else sides.documents[rows]
    if codes is not None and np.unique(codes).size < FEWEST_LABELS:
        return nothing, nothing, nothing, nothing
    found = corrected_means(gap, gap, np.ones(len(gap), dtype=bool), codes)
    margin = float(special.stdtrit(found.freedom, 1 - alpha / 2)) * found.error
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(
            found.error > 0, 2 * special.stdtr(found.freedom, -np.abs(found.estimate / found.error)), np.nan
        )
    return found.estimate, found.estimate - margin, found.estimate + margin, adjust_p_values(p, "holm")


def _more_labels(
    rank: IntArray, left: IntArray, right: IntArray, pairs: PairsOfBoard, of_labels: FloatArray, alpha: float
) -> int | None:
    """Labels with which the first two would be told apart alone, at today's difference and spread."""
    first, second = np.argsort(rank, kind="stable")[:2]
    row = int(np.flatnonzero((left == min(first, second)) & (right == max(first, second)))[0])
    n, gap, error = int(pairs.n_items[row]), abs(float(pairs.difference[row])), float(pairs.error[row])
    if pairs.significant[row] or not (gap > 0 and error > 0):
        return None
    rest = error**2 - float(of_labels[row]) ** 2 / n
    wanted = float(special.ndtri(1 - alpha / 2) + special.ndtri(WITH_POWER))
    room = (gap / wanted) ** 2 - rest
    needed = math.ceil(float(of_labels[row]) ** 2 / room) if room > 0 else LABELS_AT_MOST
    return needed if n < needed < LABELS_AT_MOST else None


def _notes(people: ScoreMatrix, sides: _Sides, own: PairsOfBoard, documents: str | None) -> list[Note]:
    notes = []
    fewest = int(own.n_items.min())
    if fewest < FEW_LABELS:
        text = f"{fewest} labels of a system are few; below {FEW_LABELS} the errors are uncertain themselves."
        notes.append(Note("few-labels", "caution", text))
    if odd := _no_random_part(people, sides):
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


_DOCUMENTS = ("doc", "doc_id", "docid", "document", "document_id", "story", "conversation", "article")


def _no_random_part(people: ScoreMatrix, sides: _Sides) -> list[str]:
    """What tells labelled from unlabelled items: the judge's scores, or a label column."""
    labelled = sides.labelled.any(axis=1)
    if labelled.all():
        return []
    mean = sides.judge.mean(axis=1)
    groups: list[FloatArray] = []
    for of in (labelled, ~labelled):
        if sides.documents is None:
            groups.append(mean[of])
        else:  # one value a document
            codes, values = sides.documents[of], mean[of]
            groups.append(np.array([values[codes == code].mean() for code in np.unique(codes)]))
    found = []
    if min(map(len, groups)) >= FEWEST_LABELS and max(map(np.ptp, groups)) > 0:
        p = float(stats.ttest_ind(*groups, equal_var=False).pvalue)
        if p < LEAST_RANDOM:
            found.append(
                f"the judge gives them {groups[0].mean():.4g} on average and the others "
                f"{groups[1].mean():.4g} (p = {p:.2g})"
            )
    if sides.documents is None:
        for name, column in people.labels.items():
            kinds, codes = np.unique(np.array(column, dtype=str), return_inverse=True)
            table = np.array([np.bincount(codes[of], minlength=kinds.size) for of in (labelled, ~labelled)])
            if 1 < kinds.size <= MOST_KINDS:
                p = float(stats.chi2_contingency(table, correction=False).pvalue)
                if p < LEAST_RANDOM:
                    found.append(f"their {name} is another mixture (p = {p:.2g})")
    return found
