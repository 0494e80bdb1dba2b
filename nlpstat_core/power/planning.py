"""Planning a test set: any of units, power, effect and level from the other three."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import Alternative
from nlpstat_core.engine.columns.blocks import VERY_FEW_BLOCKS
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.power.levels import comparison_alpha
from nlpstat_core.power.models import in_documents, planned_model
from nlpstat_core.power.planning_checks import (
    check_above,
    check_alternative,
    check_direction,
    check_power,
    check_whole,
    family_alpha,
    left_out,
)
from nlpstat_core.power.solving import MOST_UNITS

MOST_COMPARISONS = 10**15


@dataclass(frozen=True, kw_only=True)
class PowerPlan:
    """A test set that fits its purpose: four numbers, one of which was computed from the others.

    solved ({"units", "power", "effect", "alpha"}): Which one was computed.
    model: How power was computed: "noncentral-t", "block-noncentral-t", "signed-rank-beta" or
        "exact-binomial".
    effect_kind: What the effect is: "cohen-d" (δ/σ) or "cohen-g" (P(a wins a decided unit) − ½).
    power: Power reached with these units, effect and level; where units were computed it is at least
        `target`.
    target: Power that was asked for.
    alpha: Level of the family.
    comparisons: Size of the family.
    comparison_alpha: Level of one comparison.
    decided: Share of units that are not tied (sign test, McNemar's test).
    documents: Documents the units come in; None for independent units.
    fewest_documents: What a test of documents needs at this level, whatever the effect: ten, or more where
        the smallest p-value of ten is above the level.
    documents_for_power: Where the documents were computed: how many have the power, if fewer than that would
        be enough.
    per_document, design_effect: Units of a document, and the variance of the mean over that of as many
        independent units.
    """

    solved: str
    test: str
    model: str
    effect_kind: str
    units: int
    power: float
    target: float | None
    effect: float
    alpha: float
    alternative: Alternative
    correction: str
    comparisons: int
    comparison_alpha: float
    decided: float
    documents: int | None
    fewest_documents: int | None
    documents_for_power: int | None
    per_document: float
    design_effect: float

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data."""
        return asdict(self)


def plan(
    *,
    units: int | None = None,
    power: float | None = None,
    effect: float | None = None,
    alpha: float | None = None,
    test: str = "t",
    alternative: Alternative = "two-sided",
    correction: str = "none",
    comparisons: int = 1,
    decided: float = 1.0,
    per_document: float = 1.0,
    design_effect: float = 1.0,
) -> PowerPlan:
    """Compute the one of units, power, effect and alpha that is not given.

    units: Test items, at least 2.
    effect: δ/σ for t and Wilcoxon: difference in standard deviations of the differences. For sign and McNemar
        Cohen's g: P(a wins a decided unit) − ½.
    alpha: Level of the whole family, in (0, 1).
    correction: Key of the correction the board will get; power is computed at its strictest step
        (`comparison_alpha`).
    comparisons: Pairs corrected together.
    decided: For sign and McNemar: share of units that one of the systems wins, in (0, 1].
    per_document: Units of a document, at least 1; above 1 the plan is one for the block t test, in whole
        documents.
    design_effect: Variance of the mean by documents over that of as many independent units: as a board has it
        (`document_design_effects`), which may be below 1, or 1 + (m − 1)ρ for documents of m units with an
        intraclass correlation ρ.
    Raises ConfigError: Not exactly one left out, values out of range, or a request that no number can meet.

    t: noncentral t. Documents: the same with G − 1 degrees of freedom and as many more units as the design
    effect says; further documents are taken to be of the same make. Never fewer than `fewest_documents`.
    Wilcoxon: W⁺ for normal differences with its exact mean and variance, as a beta distribution; power of
    simulated tests is off by up to 0.08 with 6 to 9 units, 0.03 with 10 to 19, 0.02 with 20 to 49, 0.01
    beyond. Sign, McNemar: exact binomial. Where power is a saw-tooth in the units, the number is given after
    which it never drops below the target again (with ties and above 50,000 units up to a percent more).

    Source: Cohen (1988); Lehmann (1998), section 4.2; Dixon and Mood (1946).

    >>> plan(effect=0.2, power=0.8, alpha=0.05).units
    199
    >>> round(plan(units=2001, power=0.8, alpha=0.05).effect, 4)
    0.0627
    """
    missing = left_out("three", "fourth", "four", units=units, power=power, effect=effect, alpha=alpha)
    model = planned_model(test)
    check_alternative(alternative)
    if comparisons > MOST_COMPARISONS:
        raise ConfigError(f"comparisons must be at most {MOST_COMPARISONS:,}, not {shown(comparisons)}.")
    check_whole("units", units, MOST_UNITS)
    check_power(power)
    _check(effect, decided, model.largest)
    _check_documents(test, units, per_document, design_effect)
    if whole_documents := per_document > 1:
        model = in_documents(per_document, design_effect)
    level = comparison_alpha(0.5 if alpha is None else alpha, correction, comparisons)
    number = units if units is None or not whole_documents else round(units / per_document)
    if power is not None and effect is not None and number is None:
        check_direction(effect, alternative, "units", "an effect")
        number = model.units(power, effect, level, alternative, decided)
        if number is None:
            raise ConfigError(f"More than {MOST_UNITS:,} items would be needed; ask for a larger effect.")
    elif power is not None and number is not None and effect is None:
        check_above(power, level, "effect")
        effect = model.detectable(number, power, level, alternative, decided)
        if effect is None:
            raise ConfigError(
                f"{number:,} items can't reach power {power:g} at level {level:g}, however large the effect; "
                "more items are needed."
            )
    elif power is not None and number is not None and effect is not None:
        found = model.level(number, power, effect, alternative, decided)
        if found is None:
            raise ConfigError(
                f"Power {power:g} can't be reached with {number:,} items and an effect of {effect:g} at any "
                "level."
            )
        level, alpha = found, family_alpha(found, correction, comparisons, "less power or more items")
    if number is None or effect is None or alpha is None:
        raise ValueError("A plan leaves out one number.")
    fewest = for_power = None
    if whole_documents:
        fewest, for_power = fewest_documents(level, alternative), number
        number = max(number, fewest) if units is None else number
    return PowerPlan(
        solved=missing,
        test=test,
        model=model.key,
        effect_kind=model.effect,
        units=math.ceil(number * per_document - 1e-9) if whole_documents else number,
        power=model.power(number, effect, level, alternative, decided),
        target=power,
        effect=effect,
        alpha=float(alpha),
        alternative=alternative,
        correction=correction,
        comparisons=comparisons,
        comparison_alpha=level,
        decided=decided,
        documents=number if whole_documents else None,
        fewest_documents=fewest,
        documents_for_power=for_power if units is None else None,
        per_document=float(per_document),
        design_effect=float(design_effect),
    )


def required_units(
    effect: float,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    test: str = "t",
    *,
    correction: str = "none",
    comparisons: int = 1,
    decided: float = 1.0,
    per_document: float = 1.0,
    design_effect: float = 1.0,
) -> int:
    """Smallest number of test items from which on power never is below the given one.

    Parameters
    ----------
    effect : float
        δ/σ for t and Wilcoxon; Cohen's g (P(a wins a decided unit) − ½) for sign and McNemar.
    power : float
        In (0, 1).
    alpha : float
        Level of the family.
    alternative : {"two-sided", "greater", "less"}
    test : {"t", "wilcoxon", "sign", "mcnemar"}
    correction, comparisons, decided, per_document, design_effect
        As in `plan`.

    Returns
    -------
    int
        At least 2.

    Raises
    ------
    ConfigError
        Values out of range, or no number of items is enough.

    Notes
    -----
    See `plan`.

    Examples
    --------
    >>> required_units(effect=0.2, power=0.8, alpha=0.05)
    199
    >>> required_units(effect=0.1, power=0.9, alpha=0.01)
    1492
    """
    return plan(
        effect=effect,
        power=power,
        alpha=alpha,
        alternative=alternative,
        test=test,
        correction=correction,
        comparisons=comparisons,
        decided=decided,
        per_document=per_document,
        design_effect=design_effect,
    ).units


def fewest_documents(level: float, alternative: Alternative) -> int:
    """Documents that a test of whole documents needs: ten, and so many signs that p can reach the level."""
    sides = 1 if alternative == "two-sided" else 0
    return max(VERY_FEW_BLOCKS, math.ceil(sides - math.log2(level) - 1e-9))


def _check(effect: float | None, decided: float, largest: float) -> None:
    """Refuse numbers that can't be what they stand for; alpha is checked by `comparison_alpha`."""
    if effect is not None and not (math.isfinite(effect) and abs(effect) <= largest):
        bound = f"between -{largest:g} and {largest:g}" if math.isfinite(largest) else "a finite number"
        raise ConfigError(f"effect must be {bound}, not {shown(effect)}.")
    if not 0 < decided <= 1:
        raise ConfigError(f"decided must be a share above 0 and at most 1, not {shown(decided)}.")


def _check_documents(test: str, units: int | None, per_document: float, design_effect: float) -> None:
    if not (math.isfinite(per_document) and per_document >= 1):
        raise ConfigError(f"per_document must be a number of items, at least 1, not {shown(per_document)}.")
    if not (math.isfinite(design_effect) and design_effect > 0):
        raise ConfigError(f"design_effect must be a ratio above 0, not {shown(design_effect)}.")
    if per_document > 1 and not by_documents(test):
        fitting = next(record for record in TESTS if by_documents(record.key))
        whole = TESTS[fitting.by_documents].in_sentence
        raise ConfigError(
            f"Documents are planned for with test '{fitting.key}' ({whole}), not {shown(test)}."
        )
    if per_document == 1 and design_effect != 1:
        raise ConfigError("A design effect needs documents: say how many items one has (per_document).")
    if units is not None and per_document > 1 and round(units / per_document) < 2:
        raise ConfigError(
            f"{units:,} items in documents of {per_document:g} are fewer than two documents; power needs two."
        )


def by_documents(test: str) -> bool:
    """Whether test sets of whole documents can be planned with a test: by the t test of documents."""
    record = TESTS[test]
    return record.planned and record.power_form == "noncentral-t" and bool(record.by_documents)
