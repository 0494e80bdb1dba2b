"""What stands beside a board of preferences: fit of the model, direct battles, order and style, plans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.formatting import count_of, p_equals
from nlpstat_core.notes import Note
from nlpstat_core.results.plain import records_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True)
class BattleEffect:
    """What one covariate adds to the log odds of the answer shown first, at equal strengths.

    Attributes
    ----------
    name : str
        "shown first", or what was measured of both answers.
    coefficient, error, lower, upper, p_value : float
        For a style, of one standard deviation of (left − right)/(left + right).
    """

    name: str
    coefficient: float
    error: float
    lower: float
    upper: float
    p_value: float


@dataclass(frozen=True, kw_only=True)
class PreferenceVariant:
    """The board with one choice changed.

    Attributes
    ----------
    changed : str
    top_group : tuple of str
    differ : int
        Pairs found to differ.
    otherwise : int
        Pairs of this board that are decided otherwise there.
    problem : str
        Why there is no such board; the numbers are then 0.
    """

    changed: str
    top_group: tuple[str, ...] = ()
    differ: int = 0
    otherwise: int = 0
    problem: str = ""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PreferenceChecks:
    """Checks of a board, as `check_preferences` gives them.

    Attributes
    ----------
    systems : tuple of str
        As on the board.
    left, right : int arrays, shape (n_pairs,)
        Pairs that met.
    battles : int array, shape (n_pairs,)
    observed, fitted : float arrays, shape (n_pairs,)
        Share of points of a: a tie is half a point.
    residual_error : float array, shape (n_pairs,)
        Of observed − fitted, by clusters; NaN where nothing could differ.
    misfit_p, misfit_adjusted : float arrays, shape (n_pairs,)
        Of the residual, and by Holm over the pairs that met.
    sign_p, sign_adjusted : float arrays, shape (n_pairs,)
        Exact sign test of the pair's own battles, and by Holm over the pairs that met.
    cycles : tuple of (str, str, str)
        Each beats the next and the last the first, by direct battles that decide each of the three.
    effects : tuple of BattleEffect
        Of the order of showing and of styles, where they can be estimated.
    controlled, controlled_error : float arrays, shape (n_systems,), or None
        Strengths at equal order and style.
    variants : tuple of PreferenceVariant
    order : int array, shape (n_systems,)
        Positions of systems on the board, the strongest first.
    needed : float array, shape (n_systems − 1,)
        Battles in all that would separate a place and the next with power 0.8; 0 where they are separated.
    next_pair : (str, str) or None
        Whom to compare next.
    alpha : float
    notes : tuple of Note

    Examples
    --------
    >>> from nlpstat_core import check_preferences, rank_preferences
    >>> battles = [("u", "v", "a")] * 30 + [("v", "w", "a")] * 20 + [("u", "w", "b")] * 25
    >>> checks = check_preferences(battles, rank_preferences(battles, clusters=None))
    >>> checks.cycles, round(checks.fit_p, 4)
    ((('u', 'v', 'w'),), 0.0)
    """

    systems: tuple[str, ...]
    left: IntArray
    right: IntArray
    battles: IntArray
    observed: FloatArray
    fitted: FloatArray
    residual_error: FloatArray
    misfit_p: FloatArray
    misfit_adjusted: FloatArray
    sign_p: FloatArray
    sign_adjusted: FloatArray
    cycles: tuple[tuple[str, str, str], ...]
    effects: tuple[BattleEffect, ...]
    controlled: FloatArray | None
    controlled_error: FloatArray | None
    variants: tuple[PreferenceVariant, ...]
    order: IntArray
    needed: FloatArray
    next_pair: tuple[str, str] | None
    alpha: float
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<PreferenceChecks: {count_of(len(self.left), 'pair')} that met, "
            f"{count_of(len(self.cycles), 'cycle')}, fit {p_equals(self.fit_p)}>"
        )

    @property
    def fit_p(self) -> float:
        """Test of fit: the smallest adjusted p of a residual; NaN where no pair could differ."""
        there = self.misfit_adjusted[~np.isnan(self.misfit_adjusted)]
        return float(there.min()) if there.size else float("nan")

    def pairs_frame(self) -> pd.DataFrame:
        """One row for each pair that met, the largest misfit first.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        names = np.array(self.systems, dtype=object)
        frame = pd.DataFrame(
            {
                "system_a": names[self.left],
                "system_b": names[self.right],
                "battles": self.battles,
                "observed": self.observed,
                "fitted": self.fitted,
                "residual_error": self.residual_error,
                "misfit_p": self.misfit_p,
                "misfit_adjusted": self.misfit_adjusted,
                "sign_p": self.sign_p,
                "sign_adjusted": self.sign_adjusted,
            }
        )
        return frame.sort_values("misfit_p", kind="stable", ignore_index=True)

    def plan_frame(self) -> pd.DataFrame:
        """Neighbours on the board, and the battles in all that would separate them.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        names = np.array(self.systems, dtype=object)[self.order]
        return pd.DataFrame({"system_a": names[:-1], "system_b": names[1:], "battles_needed": self.needed})

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; undefined numbers are None.

        Returns
        -------
        dict
        """
        import pandas as pd

        controlled = None
        if self.controlled is not None:
            frame = pd.DataFrame(
                {
                    "system": self.systems,
                    "strength": self.controlled,
                    "standard_error": self.controlled_error,
                }
            )
            controlled = records_of(frame.iloc[np.argsort(-self.controlled, kind="stable")])
        return {
            "fit_p": None if np.isnan(self.fit_p) else self.fit_p,
            "pairs": records_of(self.pairs_frame()),
            "cycles": [list(cycle) for cycle in self.cycles],
            "effects": [vars(effect) for effect in self.effects],
            "controlled": controlled,
            "variants": [
                {**vars(one), "top_group": list(one.top_group), "problem": one.problem or None}
                for one in self.variants
            ],
            "plan": records_of(self.plan_frame().replace(np.inf, np.nan)),
            "next_pair": None if self.next_pair is None else list(self.next_pair),
            "notes": [note.to_dict() for note in self.notes],
        }
