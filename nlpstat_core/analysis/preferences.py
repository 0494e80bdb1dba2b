"""rank_preferences: from battles to a board of strengths, all pairs tested, with what to mind about it."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from scipy import special

from nlpstat_core.analysis.checked import checked_level, correction_of_p_values
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.ranking.leaderboard import open_ranks, ranks_of
from nlpstat_core.board.ranking.letters import letters
from nlpstat_core.errors import shown
from nlpstat_core.formatting import count_of
from nlpstat_core.memory import refuse_beyond_memory
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.preferences.fit import Fit, fitted
from nlpstat_core.methods.preferences.freedom import degrees_of_freedom
from nlpstat_core.methods.preferences.max_t import MAX_T, Tested, max_t_p_values
from nlpstat_core.methods.preferences.sandwich import clusterings, covariance, effective_clusters
from nlpstat_core.notes import Note
from nlpstat_core.results.preferences import Preferences
from nlpstat_core.scores.battle_columns import prompts_of, prompts_with_gaps, stand_alone
from nlpstat_core.scores.battle_tables import as_battles
from nlpstat_core.scores.battles import Battles, TwoClusters

FEW_CLUSTERS = 20
UNEVEN = 0.5  # effective clusters over clusters
THIN = 5.0  # degrees of freedom
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
    Wald tests of differences of strengths with sandwich errors by cluster. Clusters that are few, or of which
    few hold most battles, make such errors uncertain and too small: every pair has Student's t with its own
    degrees of freedom (Satterthwaite's; clusters − 1 where clusters are alike), and its error is divided by
    the root of the share of the variance that it is expected to find. Where one cluster alone says all that
    is known of a pair, its test is undefined. Rank intervals and the top group follow from the pairs found to
    differ. Position and length bias and the choice of opponents go into strengths; systems that never met are
    compared through others, which rests on the model.

    References
    ----------
    Bell and McCaffrey (2002), Survey Methodology 28(2). Imbens and Kolesár (2016), doi:10.1162/REST_a_00552.

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
    chosen = prompts_of(given) if isinstance(clusters, str) and clusters == "auto" else clusters
    fit = fitted(given, ties)
    coded = _coded(given, chosen)
    matrix, most = covariance(fit, given, coded)
    left, right = np.triu_indices(given.n_systems, 1)
    variances = np.diag(matrix)
    error = _root(np.concatenate([variances, variances[left] + variances[right] - 2 * matrix[left, right]]))
    known = degrees_of_freedom(fit, given, coded, left, right)
    adjusted = error / np.sqrt(known.found)
    half = special.stdtrit(known.freedom, 1 - alpha / 2) * adjusted
    own, pair = slice(given.n_systems), slice(given.n_systems, None)
    between, freedom = error[pair], known.freedom[pair]
    difference = fit.strengths[left] - fit.strengths[right]
    p_value = 2 * special.stdtr(freedom, -np.abs(difference / adjusted[pair]))
    if correction == MAX_T:
        t = np.where(np.isnan(p_value), np.nan, difference / between)
        tested = Tested(left, right, t, between, freedom, known.found[pair], matrix)
        p_adjusted = np.fmax(max_t_p_values(fit, given, coded, tested), p_value)
    else:
        p_adjusted = adjust_p_values(p_value, correction)
    significant = p_adjusted <= alpha
    wins, losses, tied = _records(fit, left, right)
    return Preferences(
        systems=given.systems,
        strength=fit.strengths,
        error=error[own],
        lower=fit.strengths - half[own],
        upper=fit.strengths + half[own],
        freedom=known.freedom[own],
        adjusted_error=adjusted[own],
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
        pair_lower=difference - half[pair],
        pair_upper=difference + half[pair],
        pair_freedom=freedom,
        pair_adjusted_error=adjusted[pair],
        p_value=p_value,
        p_adjusted=p_adjusted,
        significant=significant,
        wins=wins,
        losses=losses,
        ties=tied,
        n_battles=given.n_battles,
        degrees_of_freedom=most,
        treatment=ties,
        clusters=_named(chosen),
        correction=correction,
        alpha=alpha,
        chosen_clusters=chosen,
        source=given.source,
        notes=(
            *given.notes,
            *notes_on_battles(given, coded, most, freedom, known.found[pair], wins + losses + tied),
        ),
    )


def _coded(battles: Battles, clusters: TwoClusters) -> TwoClusters:
    """Clusters as codes, which cost less to take up again than names do."""
    if clusters is None:
        return None
    codes = [codes for sign, codes, _ in clusterings(battles, clusters) if sign > 0]
    return codes[0] if len(codes) == 1 else (codes[0], codes[1])


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


def notes_on_battles(
    battles: Battles, clusters: TwoClusters, most: int, freedom: FloatArray, found: FloatArray, met: IntArray
) -> Iterator[Note]:
    """Notes in their order.

    most: Degrees of freedom of clusters that are alike.
    freedom, found: Degrees of freedom, and the share of the variance that the sandwich finds.
    met (integers, shape (n_pairs,)): Battles of every pair.
    """
    if clusters is None and not stand_alone(battles):
        text = (
            "Every battle counts as independent; where prompts or raters repeat, standard errors are too "
            "small. Name their column as clusters."
        )
        if (gaps := prompts_with_gaps(battles)) is not None:
            name, some = gaps
            text += (
                f" {shown(name)} names prompts, but {count_of(some, 'battle')} "
                f"{'lacks' if some == 1 else 'lack'} one: fill these cells or leave the battles out, and "
                "errors are by prompt."
            )
        yield Note("battles-alone", "caution", text)
    few = (
        [] if clusters is None else [*_few_clusters(effective_clusters(battles, clusters), most + 1, freedom)]
    )
    yield from few
    yield from _thin_pairs(freedom, found, few)
    apart = int(np.count_nonzero(met == 0))
    if apart:
        pairs = _pairs(apart, met.size)
        text = f"{pairs} never met: what is said of them rests on battles with others, and on the model."
        yield Note("never-met", "info", text)


def _pairs(some: int, all_: int) -> str:
    return "1 pair of systems" if some == 1 else f"{some:,} of {all_:,} pairs of systems"


def _few_clusters(effective: float, number: int, freedom: FloatArray) -> Iterator[Note]:
    """What few clusters, or few that hold most battles, do to errors; levels by simulation."""
    if effective >= FEW_CLUSTERS:
        return
    usual = f"{np.median(freedom):.0f}"
    if effective < UNEVEN * number:
        text = (
            f"Of {number:,} clusters a few hold most battles: they carry as much information as about "
            f"{effective:.0f} of equal size. Tests and intervals allow for that with about {usual} degrees "
            f"of freedom instead of {number - 1:,}, so that intervals are wide, and rather too wide than too "
            "narrow: on simulated boards of equal systems tests at 5 % found a difference in 2 to 4 % of "
            "pairs. Spread battles over more clusters, or leave out some of the busiest ones' battles."
        )
        yield Note("uneven-clusters", "caution", text)
        return
    text = (
        f"There are {number} clusters; below {FEW_CLUSTERS} the standard errors are themselves uncertain, "
        f"which tests and intervals allow for with about {usual} degrees of freedom. More clusters would "
        "tell more than more battles of each."
    )
    yield Note("few-clusters", "caution", text)


def _thin_pairs(freedom: FloatArray, found: FloatArray, few: list[Note]) -> Iterator[Note]:
    """Pairs that rest on hardly any clusters, though the board has more.

    few: What was said of clusters already.
    """
    alone = int(np.count_nonzero(np.isnan(found)))
    if alone:
        text = (
            f"All that is known of {_pairs(alone, freedom.size)} comes from one cluster, and nothing says "
            "how much another would differ: without a test."
        )
        yield Note("one-cluster", "caution", text)
    thin = int(np.count_nonzero((freedom < THIN) & ~np.isnan(found)))
    if thin and not few and np.median(freedom) >= THIN:
        text = (
            f"{_pairs(thin, freedom.size)} {'rests' if thin == 1 else 'rest'} on few clusters: fewer than "
            f"{THIN:.0f} degrees of freedom, where others have about {np.median(freedom):,.0f}. Have more "
            "raters or prompts compare these systems."
        )
        yield Note("thin-pairs", "caution", text)
