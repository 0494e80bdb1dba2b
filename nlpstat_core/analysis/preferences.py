"""rank_preferences: from battles to a board of strengths, all pairs tested."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from scipy import special

from nlpstat_core.analysis.checked import checked_level, correction_of_p_values
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.ranking.leaderboard import open_ranks, ranks_of
from nlpstat_core.board.ranking.letters import letters
from nlpstat_core.errors import shown
from nlpstat_core.memory import refuse_beyond_memory
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.preferences.fit import Fit, fitted
from nlpstat_core.methods.preferences.max_t import MAX_T, max_t_p_values
from nlpstat_core.methods.preferences.sandwich import covariance, effective_clusters
from nlpstat_core.notes import Note
from nlpstat_core.results.preferences import Preferences
from nlpstat_core.scores.battle_tables import as_battles
from nlpstat_core.scores.battles import LIST, Battles, TwoClusters, coded

# Columns that name ranked lists or prompts, the surest first; an entry that never repeats says nothing about
# its battles.
PROMPTS = (
    LIST,
    "question_id",
    "prompt_id",
    "instruction_id",
    "question",
    "prompt",
    "instruction",
    "item",
    "segment",
)
RATERS = ("judge", "rater", "annotator", "user", "voter", "worker", "evaluator", "assessor")
FEW_CLUSTERS = 20
UNEVEN = 0.5  # effective clusters over clusters
_ARRAYS_OF_PAIRS = 16


def rank_preferences(
    battles: Any,
    *,
    ties: Literal["half", "davidson"] = "half",
    clusters: TwoClusters = "auto",
    correction: str = "holm",
    alpha: float = 0.05,
) -> Preferences:
    """Rank systems by battles: strengths with intervals, all pairs tested, rank intervals.

    Parameters
    ----------
    battles : list, mapping of columns, data frame or Battles
        As for `bradley_terry_strengths`; of files by `read_battles`.
    ties : {"half", "davidson"}
        Half a win for both, or a parameter of their own; the scales differ.
    clusters : str, array-like, a pair of these, or None
        Which battles are not independent: a column (prompt, rater), or two. "auto" takes the column that
        names prompts, if there is one; None takes every battle alone.
    correction : str
        Over all pairs: any that needs p-values only, or "max-t", by multipliers of clusters.
    alpha : float
        Level of decisions; intervals are 1 − alpha.

    Returns
    -------
    Preferences

    Raises
    ------
    ScoreError
        Battles or clusters that can't be used.
    AnalysisError
        No finite strengths; the systems are named.
    ConfigError
        A setting that can't be used.

    Notes
    -----
    Wald tests of differences of strengths with sandwich errors by cluster, Student's t with clusters − 1
    degrees of freedom. Rank intervals and the top group follow from the pairs found to differ. Position and
    length bias and the choice of opponents go into strengths; systems that never met are compared through
    others, which rests on the model.

    Examples
    --------
    >>> battles = [("u", "v", "a")] * 30 + [("v", "w", "a")] * 25 + [("w", "u", "tie")] * 40
    >>> found = rank_preferences(battles, correction="none")
    >>> found.leaderboard_frame()["system"].tolist()
    ['u', 'v', 'w']
    """
    alpha = checked_level(alpha)
    correction_of_p_values(correction, "preferences", also=(MAX_T,))
    given = as_battles(battles)
    if isinstance(clusters, list) and len(clusters) == 2 and set(map(str, clusters)) <= {*given.labels}:
        clusters = tuple(clusters)  # as JSON has it
    n_pairs = given.n_systems * (given.n_systems - 1) // 2
    refuse_beyond_memory(n_pairs * 8 * _ARRAYS_OF_PAIRS, f"{n_pairs:,} pairs", "take fewer systems")
    chosen = _prompts(given) if isinstance(clusters, str) and clusters == "auto" else clusters
    fit = fitted(given, ties)
    matrix, freedom = covariance(fit, given, chosen)
    quantile = float(special.stdtrit(freedom, 1 - alpha / 2))
    left, right = np.triu_indices(given.n_systems, 1)
    variances = np.diag(matrix)
    error = _root(variances)
    between = _root(variances[left] + variances[right] - 2 * matrix[left, right])
    difference = fit.strengths[left] - fit.strengths[right]
    t = difference / between
    p_value = 2 * special.stdtr(freedom, -np.abs(t))
    if correction == MAX_T:
        p_adjusted = np.fmax(max_t_p_values(t, between, left, right, matrix, freedom), p_value)
    else:
        p_adjusted = adjust_p_values(p_value, correction)
    significant = p_adjusted <= alpha
    wins, losses, tied = _records(fit, left, right)
    return Preferences(
        systems=given.systems,
        strength=fit.strengths,
        error=error,
        lower=fit.strengths - quantile * error,
        upper=fit.strengths + quantile * error,
        battles=np.bincount(given.left, minlength=given.n_systems)
        + np.bincount(given.right, minlength=given.n_systems),
        rank=ranks_of(fit.strengths),
        letters=_letters(fit.strengths, left, right, significant),
        share=_shares(fit),
        rank_interval=open_ranks(given.n_systems, left, right, np.where(significant, difference, 0.0)),
        left=left,
        right=right,
        difference=difference,
        difference_error=between,
        pair_lower=difference - quantile * between,
        pair_upper=difference + quantile * between,
        p_value=p_value,
        p_adjusted=p_adjusted,
        significant=significant,
        wins=wins,
        losses=losses,
        ties=tied,
        n_battles=given.n_battles,
        degrees_of_freedom=freedom,
        treatment=ties,
        clusters=_named(chosen),
        correction=correction,
        alpha=alpha,
        chosen_clusters=chosen,
        source=given.source,
        notes=(*given.notes, *_notes(given, chosen, freedom, wins + losses + tied, correction)),
    )


def _prompts(battles: Battles) -> str | None:
    """The column that names prompts: complete, and with prompts that come again."""
    several = complete_columns(battles, PROMPTS).items()
    return next((name for name, many in several if many < battles.n_battles), None)


def complete_columns(battles: Battles, words: Sequence[str]) -> dict[str, int]:
    """Complete columns of some names with several different entries, and how many."""
    named = {name.casefold(): name for name in battles.labels}
    found = {}
    for name in (named[word] for word in words if word in named):
        codes, kinds = coded(battles.labels[name], f"Column {shown(name)}")
        if codes.min() >= 0 and len(kinds) > 1:
            found[name] = len(kinds)
    return found


def _stand_alone(battles: Battles) -> bool:
    """Whether the file names the prompts and none comes again, nor does one of several raters."""
    several = complete_columns(battles, (*PROMPTS, *RATERS)).values()
    return bool(complete_columns(battles, PROMPTS)) and set(several) == {battles.n_battles}


def _letters(
    strengths: FloatArray, left: IntArray, right: IntArray, significant: BoolArray
) -> tuple[str, ...] | None:
    """Letters by system."""
    n = strengths.size
    differ = np.zeros((n, n), dtype=bool)
    differ[left, right] = differ[right, left] = significant
    order = np.argsort(-strengths, kind="stable")
    found = letters(differ[np.ix_(order, order)])
    if found is None:
        return None
    place = np.argsort(order)
    return tuple(found[i] for i in place)


def _shares(fit: Fit) -> FloatArray:
    """P(row beats column), half a tie included."""
    n = fit.counts.n_systems
    first, second = np.divmod(np.arange(n * n), n)
    shares = fit.model.share(fit.parameters, first, second).reshape(n, n)
    shares[np.diag_indices(n)] = np.nan
    return shares


def _root(variance: FloatArray) -> FloatArray:
    """Square roots; NaN where no variance is left above 0."""
    return np.sqrt(np.where(variance > 0, variance, np.nan))


def _records(fit: Fit, left: IntArray, right: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Wins, losses and ties of every pair, also of those that never met."""
    counts, n = fit.counts, fit.counts.n_systems
    whole = np.zeros((3, n, n), dtype=np.int64)
    whole[:, counts.left, counts.right] = counts.wins_left, counts.wins_right, counts.ties
    wins, losses, ties = whole[:, left, right]
    return wins, losses, ties


def _named(clusters: TwoClusters) -> str:
    if clusters is None:
        return ""
    kinds = clusters if isinstance(clusters, tuple) else (clusters,)
    return " and ".join(kind if isinstance(kind, str) else "the clusters that were given" for kind in kinds)


def _few_clusters(effective: float, number: int, correction: str) -> Iterator[Note]:
    """What few clusters, or few that hold most battles, do to errors; levels by simulation."""
    if effective >= FEW_CLUSTERS:
        return
    if effective < UNEVEN * number:
        text = (
            f"Of {number:,} clusters a few hold most battles: they carry as much information as about "
            f"{effective:.0f} of equal size. Errors and p-values are too small there: on simulated boards of "
            "equal systems with 40 such clusters (9 of equal size) 95 % intervals covered 91 %, and 19 % of "
            "boards (28 % with max-T) found a difference instead of 5 %. Spread battles over more clusters, "
            "or leave out some of the busiest ones' battles."
        )
        yield Note("uneven-clusters", "caution", text)
        return
    text = f"There are {number} clusters; below {FEW_CLUSTERS} the standard errors are themselves uncertain."
    if correction == "max-t":
        text += (
            " max-T rests on them most: with 10 even clusters 10 % of simulated boards of equal systems "
            "found a difference instead of 5 %; Holm kept its level."
        )
    yield Note("few-clusters", "caution", text)


def _notes(
    battles: Battles, clusters: TwoClusters, freedom: int, met: IntArray, correction: str
) -> list[Note]:
    notes = []
    if clusters is None and not _stand_alone(battles):
        text = (
            "Every battle counts as independent; where prompts or raters repeat, standard errors are too "
            "small."
        )
        notes.append(Note("battles-alone", "caution", f"{text} Name their column as clusters."))
    elif clusters is not None:
        notes.extend(_few_clusters(effective_clusters(battles, clusters), freedom + 1, correction))
    apart = int(np.count_nonzero(met == 0))
    if apart:
        pairs = "1 pair of systems" if apart == 1 else f"{apart:,} of {met.size:,} pairs of systems"
        text = f"{pairs} never met: what is said of them rests on battles with others, and on the model."
        notes.append(Note("never-met", "info", text))
    return notes
