"""Sentences on a board of preferences: what was found, how, and what to mind."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from nlpstat_core.errors import shown
from nlpstat_core.formatting import count_of, format_fixed, is_or_are, p_equals
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.notes import Note
from nlpstat_core.report.wording.statements import METHODS, RESULTS, Statement, stated
from nlpstat_core.results.preference_checks import BattleEffect, PreferenceChecks
from nlpstat_core.results.preferences import Preferences

MOST_NAMES = 8
_TIES = {
    "half": " with ties as half wins",
    "davidson": " with Davidson's parameter for ties",
}
PITFALLS = (
    "A judge, human or not, may favour the answer shown first or the longer one: show both orders, and "
    "compare strengths at equal order and length.",
    "Systems that never met are compared through others: that rests on the model, so look at the misfit.",
    "Who met whom is rarely random: a system that met strong opponents has fewer wins without being weaker.",
)
_UNTESTED = "these clusters can't show whether there is an effect."
ELO = (
    "Elo ratings depend on the order of the battles: the same battles in another order give other ratings, "
    "and none has a standard error. They describe the log; they are not a ranking to report."
)


def some_names(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """The first names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:most])} and {more:,} more"


def preference_headline(found: Preferences) -> str:
    """Who leads, and how many pairs are found to differ."""
    top, n = found.top_group, len(found.systems)
    pairs = found.p_value.size
    differ = int(found.significant.sum())
    if len(top) == 1:
        lead = f"{top[0]} is found to be stronger than every other system"
        if found.rank_interval[found.systems.index(top[0]), 1] > 1:
            lead = f"No system is found to be stronger than {top[0]}"
    elif len(top) == n:
        lead = f"None of the {n:,} systems is found to be stronger than all others"
    else:
        lead = f"Top group: {some_names(top)}"
    return f"{lead}; {differ:,} of {count_of(pairs, 'pair')} {is_or_are(differ)} found to differ."


def settings_line(found: Preferences) -> str:
    """Ties, clusters, correction and level, as they are said under results."""
    ties = "ties as half wins" if found.treatment == "half" else "ties with their own parameter"
    by = f"errors by {found.clusters}" if found.clusters else "battles taken as independent"
    return f"{ties}, {by}, {CORRECTIONS[found.correction].label}, alpha {found.alpha:g}"


def preference_statements(
    found: Preferences, checks: PreferenceChecks | None = None
) -> tuple[Statement, ...]:
    """The methods paragraph, and what was found."""
    correction = CORRECTIONS[found.correction]
    said = [
        Statement(
            f"Bradley and Terry's model{_TIES[found.treatment]} was fitted to {found.n_battles:,} battles of "
            f"{len(found.systems):,} systems by maximum likelihood; strengths are log odds with mean zero",
            ("bradley1952",) if found.treatment == "half" else ("bradley1952", "davidson1970"),
        ),
        Statement(
            (
                f"Standard errors are sandwich errors with clusters by {found.clusters} "
                f"({found.degrees_of_freedom + 1:,} clusters)"
                if found.clusters
                else "Standard errors are sandwich errors, every battle taken as independent"
            ),
            ("liang1986",),
        ),
        Statement(
            f"All {count_of(found.p_value.size, 'pair')} were compared by two-sided Wald tests (Student's t "
            f"with {_freedom(found)}) at {found.alpha:g}, "
            + (
                "without a correction"
                if found.correction == "none"
                else f"corrected by the method of {correction.label} ({correction.error_rate})"
            ),
            ("bell2002", "imbens2016", *correction.references),
        ),
    ]
    if checks is not None:
        said.append(stated(fit_sentence(checks), heading=RESULTS))
        said += [
            Statement(effect_sentence(effect, found.alpha).rstrip("."), heading=RESULTS)
            for effect in checks.effects
        ]
    said.append(stated(preference_headline(found), heading=RESULTS))
    return tuple(one for heading in (METHODS, RESULTS) for one in said if one.heading == heading)


def _freedom(found: Preferences) -> str:
    """Degrees of freedom of the pairs, in words."""
    there = found.pair_freedom[~np.isnan(found.p_value)]
    if not there.size:
        return f"at most {found.degrees_of_freedom:,} degrees of freedom"
    low, high = (f"{number:,.0f}" for number in (there.min(), there.max()))
    own = low if low == high else f"{low} to {high}"
    return (
        f"{own} degrees of freedom, by Satterthwaite's method from what each cluster holds of a pair; errors "
        "are divided by the root of the share of the variance that they are expected to find"
    )


def fit_sentence(checks: PreferenceChecks) -> str:
    """Whether the strengths explain who beats whom."""
    if math.isnan(checks.fit_p):
        return "The fit can't be tested: the strengths reproduce every pair's share of points exactly."
    wrong = int((checks.misfit_adjusted <= checks.alpha).sum())
    tested = int((checks.misfit_adjusted == checks.misfit_adjusted).sum())
    p = p_equals(checks.fit_p, alpha=checks.alpha)
    if not wrong:
        return (
            f"No misfit is found: in none of {count_of(tested, 'pair')} that met do the battles differ "
            f"significantly from what the strengths predict (smallest {p} after Holm's correction)."
        )
    return (
        f"The strengths don't explain all battles: in {wrong:,} of {count_of(tested, 'pair')} that met, the "
        f"battles differ significantly from what the strengths predict (smallest {p} after Holm's "
        "correction)."
    )


def cycle_sentence(cycle: Sequence[str], name: Callable[[str], str] = str) -> str:
    """Three systems that beat each other in a ring."""
    a, b, c = map(name, cycle)
    return f"{a} beats {b}, {b} beats {c}, and {c} beats {a}."


def effect_sentence(effect: BattleEffect, alpha: float) -> str:
    """What order or style does to who wins."""
    p = p_equals(effect.p_value, alpha=alpha)
    found, tested = effect.p_value <= alpha, not math.isnan(effect.p_value)
    chance = format_fixed(100 / (1 + math.exp(-effect.coefficient)), 1)
    if effect.name == "shown first":
        return f"Of two equally strong systems, the one shown first gets {chance} % of the points ({p}): " + (
            _UNTESTED
            if not tested
            else "the order has an effect."
            if found
            else "no effect of the order is found."
        )
    return (
        f"Of two equally strong systems, the one whose {shown(effect.name)} is larger by one standard "
        f"deviation gets {chance} % of the points ({p}): "
        + (
            _UNTESTED
            if not tested
            else f"{shown(effect.name)} has an effect."
            if found
            else "no effect is found."
        )
    )


def plan_sentence(checks: PreferenceChecks, name: Callable[[str], str] = str) -> str:
    """Whom to compare next."""
    if checks.next_pair is None:
        return "Every system is found to differ from the next one on the board."
    a, b = map(name, checks.next_pair)
    return f"To separate neighbours on the board, the most informative next battle is {a} against {b}."


def preference_notes(found: Preferences, checks: PreferenceChecks | None) -> tuple[Note, ...]:
    """The notes of a board and of its checks."""
    return (*found.notes, *(() if checks is None else checks.notes))
