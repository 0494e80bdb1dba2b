"""By battles: is a new system at most a margin weaker than a baseline, and how do two boards differ?"""

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from scipy import special

from nlpstat_core.analysis.checked import checked_level
from nlpstat_core.analysis.preferences import rank_preferences
from nlpstat_core.arrays import IntArray
from nlpstat_core.board.ranking.leaderboard import ranks_of
from nlpstat_core.errors import AnalysisError, ConfigError, shown
from nlpstat_core.methods.preferences.planning import as_number, battles_needed
from nlpstat_core.results.gate import Decision
from nlpstat_core.results.preference_gate import PreferenceCandidate, PreferenceChanges, PreferenceGate
from nlpstat_core.results.preferences import Preferences
from nlpstat_core.scores.battle_tables import as_battles
from nlpstat_core.scores.battles import TwoClusters


def preference_gate(
    battles: Any,
    *,
    baseline: str,
    margin: float,
    candidates: Sequence[str] | None = None,
    ties: Literal["half", "davidson"] = "half",
    clusters: TwoClusters = "auto",
    alpha: float = 0.05,
) -> PreferenceGate:
    """Non-inferiority of systems to a baseline by battles, and superiority.

    Parameters
    ----------
    battles : as for `rank_preferences`
        Old and new battles together; systems that are neither baseline nor candidate help to compare them.
    baseline : str
    margin : float
        Largest loss of strength that doesn't matter, as log odds; 0 asks for superiority. With ties as half
        wins a system weaker by 0.2 gets 45 % of the points against the baseline.
    candidates : sequence of str or None
        None takes every other system.
    ties, clusters : as for `rank_preferences`
    alpha : float

    Returns
    -------
    PreferenceGate

    Raises
    ------
    ConfigError
        A margin below 0, systems that have no battle, the baseline as its own candidate.
    ScoreError, AnalysisError
        As by `rank_preferences`.

    Notes
    -----
    Both one-sided questions are asked at alpha/k for k candidates (Bonferroni) by Wald tests with sandwich
    errors and Student's t, with the error and the degrees of freedom that the board has for the pair. A
    candidate passes where the interval at level
    1 − 2·alpha/k lies above −margin, fails where it lies below, and is undecided otherwise.

    Examples
    --------
    >>> battles = [("new", "main", "a")] * 12 + [("new", "main", "b")] * 40
    >>> preference_gate(battles, baseline="main", margin=0.2).decision
    'fail'
    """
    alpha = checked_level(alpha)
    if not isinstance(margin, int | float) or not (math.isfinite(margin) and margin >= 0):
        raise ConfigError(f"The margin must be a number, 0 or more, not {shown(margin)}.")
    given = as_battles(battles)
    given.position(baseline)
    named = [name for name in given.systems if name != baseline] if candidates is None else list(candidates)
    for name in named:
        given.position(name)
    if not named or baseline in named:
        raise ConfigError(f"A gate needs a candidate beside its baseline {shown(baseline)}.")
    board = rank_preferences(given, ties=ties, clusters=clusters, correction="none", alpha=alpha)
    named = list(dict.fromkeys(named))
    level = alpha / len(named)
    if level >= 0.5:
        raise ConfigError(f"A gate needs alpha below 0.5, not {alpha:g}.")
    made = tuple(_candidate(board, name, baseline, float(margin), level) for name in named)
    return PreferenceGate(baseline=baseline, margin=float(margin), alpha=alpha, candidates=made, board=board)


def _candidate(
    board: Preferences, name: str, baseline: str, margin: float, level: float
) -> PreferenceCandidate:
    """level: Of one one-sided test."""
    new, old = board.systems.index(name), board.systems.index(baseline)
    row = int(board.rows_of(np.array([new]), np.array([old]))[0])
    sign = 1.0 if board.left[row] == new else -1.0
    difference, error = sign * float(board.difference[row]), float(board.difference_error[row])
    adjusted, freedom = float(board.pair_adjusted_error[row]), float(board.pair_freedom[row])
    half = float(special.stdtrit(freedom, 1 - level)) * adjusted
    lower, upper = difference - half, difference + half
    not_worse, worse, better = (
        float(special.stdtr(freedom, t / adjusted))
        for t in (-(difference + margin), difference + margin, -difference)
    )
    decision: Decision = "pass" if lower > -margin else "fail" if upper < -margin else "undecided"
    known = np.array([adjusted]), np.array([freedom])
    needed = battles_needed(np.array([difference + margin]), *known, board.n_battles, 2 * level)
    return PreferenceCandidate(
        system=name,
        difference=difference,
        error=error,
        lower=lower,
        upper=upper,
        share=float(board.share[new, old]),
        battles=int(board.wins[row] + board.losses[row] + board.ties[row]),
        p_non_inferior=not_worse,
        p_inferior=worse,
        p_superior=better,
        decision=decision,
        superior=lower > 0,
        battles_to_decide=as_number(float(needed[0])) if decision == "undecided" else None,
    )


_FOUND = {1: "stronger", -1: "weaker", 0: "not found to differ"}


def preference_changes(before: Preferences, after: Preferences) -> PreferenceChanges:
    """What differs between two boards of preferences: settings, systems, decisions, ranks.

    A decision that flipped is an adjusted p that crossed alpha; it is no test of whether the boards differ.
    Strengths of two boards aren't compared: each has mean zero over its own systems.

    Parameters
    ----------
    before, after : Preferences

    Returns
    -------
    PreferenceChanges

    Raises
    ------
    AnalysisError
        Not two boards of preferences, or no two systems on both.

    Examples
    --------
    >>> from nlpstat_core import rank_preferences
    >>> battles = [("u", "v", "a")] * 30 + [("u", "v", "b")] * 10 + [("v", "w", "tie")] * 9
    >>> board = rank_preferences(battles, clusters=None)
    >>> preference_changes(board, board)
    <PreferenceChanges: 0 of 3 pairs decided otherwise, 0 ranks moved>
    """
    if not isinstance(before, Preferences) or not isinstance(after, Preferences):
        raise AnalysisError("preference_changes compares two boards, as `rank_preferences` returns them.")
    both = {*before.systems} & {*after.systems}
    systems = tuple(name for name in after.systems if name in both)
    if len(systems) < 2:
        raise AnalysisError(
            "The two boards have no two systems in common, so no pair can be compared; systems are matched "
            "by name."
        )
    left, right = np.triu_indices(len(systems), 1)
    old, new = (decisions_on(board, systems, left, right) for board in (before, after))
    ranks = [
        ranks_of(board.strength[[board.systems.index(name) for name in systems]]) for board in (before, after)
    ]
    return PreferenceChanges(
        before=before,
        after=after,
        systems=systems,
        added=tuple(name for name in after.systems if name not in both),
        removed=tuple(name for name in before.systems if name not in both),
        settings={
            name: (before.config[name], value)
            for name, value in after.config.items()
            if before.config[name] != value
        },
        ranks=tuple(
            (name, int(was), int(now)) for name, was, now in zip(systems, *ranks, strict=True) if was != now
        ),
        flipped=tuple(
            (systems[left[i]], systems[right[i]], _FOUND[int(old[i])], _FOUND[int(new[i])])
            for i in np.flatnonzero(old != new)
        ),
        n_compared=left.size,
    )


def decisions_on(board: Preferences, systems: tuple[str, ...], left: IntArray, right: IntArray) -> IntArray:
    """1 where the left system is found to be stronger, −1 where the right one is, 0 where neither is."""
    at = np.array([board.systems.index(name) for name in systems])
    rows = board.rows_of(at[left], at[right])
    turned = np.where(board.left[rows] == at[left], 1, -1)
    found = np.where(board.significant[rows], turned * np.sign(board.difference[rows]), 0)
    return np.asarray(found, dtype=np.int64)
