"""What a gate decided by battles, and what differs between two boards of preferences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nlpstat_core.results.gate import Decision, overall
from nlpstat_core.results.plain import plain_numbers
from nlpstat_core.results.preferences import Preferences
from nlpstat_core.version import VERSION


@dataclass(frozen=True, kw_only=True)
class PreferenceCandidate:
    """One system against the baseline by their battles; differences are candidate − baseline.

    Attributes
    ----------
    system : str
    difference, error : float
        Of strengths (log odds), with its sandwich error.
    lower, upper : float
        Interval at level 1 − 2·alpha/k for k candidates.
    share : float
        Points that the candidate is expected to get against the baseline, a tie being half a point.
    battles : int
        Of the two against each other.
    p_non_inferior, p_inferior, p_superior : float
        One-sided: of "worse by the margin or more", of "worse by less", of "not better"; NaN where nothing
        varies.
    decision : {"pass", "fail", "undecided"}
    superior : bool
        Better than the baseline at the same level.
    battles_to_decide : int or None
        Where undecided: battles of the whole log with which a true difference as large as today's would be
        decided with a chance of 80 %; None where today's lies on the margin.
    """

    system: str
    difference: float
    error: float
    lower: float
    upper: float
    share: float
    battles: int
    p_non_inferior: float
    p_inferior: float
    p_superior: float
    decision: Decision
    superior: bool
    battles_to_decide: int | None


@dataclass(frozen=True, kw_only=True, repr=False)
class PreferenceGate:
    """Every candidate against one baseline by battles, as `preference_gate` gives it.

    Attributes
    ----------
    baseline : str
    margin : float
        A candidate's strength may be smaller by less than this (log odds).
    alpha : float
        Chance of letting through a candidate that is worse by the margin or more, over all candidates.
    candidates : tuple of PreferenceCandidate
    board : Preferences
        The board of all systems, uncorrected, which the differences come from.

    Examples
    --------
    >>> from nlpstat_core import preference_gate
    >>> battles = [("new", "main", "a")] * 30 + [("new", "main", "b")] * 20
    >>> found = preference_gate(battles, baseline="main", margin=0.2)
    >>> found.decision, round(found.candidates[0].difference, 3)
    ('pass', 0.405)
    """

    baseline: str
    margin: float
    alpha: float
    candidates: tuple[PreferenceCandidate, ...]
    board: Preferences

    def __repr__(self) -> str:
        return f"<PreferenceGate: {self.decision} (at most {self.margin:g} weaker than {self.baseline})>"

    @property
    def level(self) -> float:
        """Level of one candidate's one-sided p: alpha over the number of candidates."""
        return self.alpha / len(self.candidates)

    @property
    def decision(self) -> Decision:
        """Fail where a candidate fails, undecided where one is, else pass."""
        return overall(one.decision for one in self.candidates)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; undefined numbers are None.

        Returns
        -------
        dict
        """
        return {
            "version": VERSION,
            "source": self.board.source,
            "decision": self.decision,
            "baseline": self.baseline,
            "margin": self.margin,
            "config": {**self.board.config, "alpha": self.alpha},
            "n_battles": self.board.n_battles,
            "candidates": [plain_numbers(vars(one)) for one in self.candidates],
            "notes": [note.to_dict() for note in self.board.notes],
        }


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PreferenceChanges:
    """What differs between two boards of preferences, as `preference_changes` gives it.

    Attributes
    ----------
    before, after : Preferences
    systems : tuple of str
        Those on both boards, in the order of the later one.
    added, removed : tuple of str
    settings : mapping of str to pair
        What each setting was and is, where that differs.
    ranks : tuple of (str, int, int)
        Systems that moved, with their ranks among those on both boards, before and now.
    flipped : tuple of (str, str, str, str)
        Pairs that are decided otherwise: a, b, and what was and is found of a ("stronger", "weaker",
        "not found to differ").
    n_compared : int
        Pairs of systems on both boards.

    Examples
    --------
    >>> from nlpstat_core import preference_changes, rank_preferences
    >>> few = [("u", "v", "a")] * 5 + [("u", "v", "b")] * 2
    >>> found = preference_changes(*(rank_preferences(battles, clusters=None) for battles in (few, few * 5)))
    >>> found.flipped
    (('u', 'v', 'not found to differ', 'stronger'),)
    """

    before: Preferences
    after: Preferences
    systems: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    settings: Mapping[str, tuple[Any, Any]]
    ranks: tuple[tuple[str, int, int], ...]
    flipped: tuple[tuple[str, str, str, str], ...]
    n_compared: int

    def __repr__(self) -> str:
        return (
            f"<PreferenceChanges: {len(self.flipped):,} of {self.n_compared:,} pairs decided otherwise, "
            f"{len(self.ranks):,} ranks moved>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
        """
        return {
            "version": VERSION,
            "before": {"source": self.before.source, "n_battles": self.before.n_battles},
            "after": {"source": self.after.source, "n_battles": self.after.n_battles},
            "added": list(self.added),
            "removed": list(self.removed),
            "settings": {name: {"before": old, "after": new} for name, (old, new) in self.settings.items()},
            "n_compared": self.n_compared,
            "flipped": [
                dict(zip(("system_a", "system_b", "before", "after"), one, strict=True))
                for one in self.flipped
            ],
            "moved": [
                dict(zip(("system", "rank_before", "rank_after"), one, strict=True)) for one in self.ranks
            ],
        }
