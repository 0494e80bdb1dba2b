"""Where planning starts with a board on screen: its test, spread, share of discordant units and family."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from nlpstat_core.catalogue import TESTS
from nlpstat_core.power.board import batches_by_test
from nlpstat_core.power.levels import detectable_noncentrality, one_direction
from nlpstat_core.power.models import planned_model, planned_tests, runs_test, yardstick
from nlpstat_core.power.planning import by_documents
from nlpstat_core.power.standardised import documents_compared, standardised
from nlpstat_core.report.wording import label_of_test, mixture
from nlpstat_core.report.wording.power import swaps_phrase

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.power import BoardPower
    from nlpstat_core.power.variation.results import Variation

ORIGIN = "plan origin"
MOST_PAIRS = 300  # so many say what the typical one is like
LEAST_EFFECT = 0.001  # where the mean hardly varies by documents
SMALL = 0.2  # of a standard deviation, where nothing better is known


@dataclass(frozen=True)
class PlanStart:
    """What the form begins with.

    sd: Standard deviation of the differences of the typical pair, metric points.
    decided: Share of units that aren't tied in the typical pair.
    assumed: Whether the difference is a guess, because that of the board isn't known.
    """

    test: str
    sd: float
    decided: float
    difference: float
    comparisons: int
    assumed: bool
    runs: RunsStart | None = None
    documents: DocumentsStart | None = None


@dataclass(frozen=True)
class DocumentsStart:
    """What it begins with where units come in documents.

    per_document: Mean number of units of a document, above 1.
    design_effect: Variance of the typical pair's mean difference over that of as many independent items.
    """

    per_document: float
    design_effect: float


@dataclass(frozen=True)
class RunsStart:
    """What it begins with where systems have training runs.

    number: Runs a system.
    items, runs, residual: Standard deviations of one system: items × systems, runs, and what is left.
    """

    number: int
    items: float
    runs: float
    residual: float


def plan_start(analysis: Analysis, board: BoardPower | None, variation: Variation | None = None) -> PlanStart:
    """What a plan for the next test set of this board begins with.

    board: As soon as it is known: the difference that is found for the typical pair.
    variation: What varies, where systems have training runs.
    """
    used = next(iter(mixture(analysis.pairs)), "")
    own = planned_tests()
    of_shares = next(key for key in own if TESTS[key].binary_only)
    test = of_shares if analysis.units.solved_or_not else used if used in own else own[0]
    test = test if variation is None else runs_test()
    typical = _typical(analysis)
    documents = None if variation is not None else _of_documents(typical)
    if documents is not None and not by_documents(test):
        test = next(key for key in own if by_documents(key))
    sd = typical.sd
    known = np.array([]) if board is None else board.detectable[np.isfinite(board.detectable)]
    difference = float(np.median(known)) if known.size else SMALL * sd
    if board is not None and known.size and documents is None and analysis.units.measured is not None:
        # Swaps keep the squares: the spread under which t finds what swaps find with as many items.
        side = one_direction(analysis.config.alternative)
        n, level = typical.n_units, board.comparison_alpha
        sd = difference * np.sqrt(n) / detectable_noncentrality(board.power, n - 1, level, side)
    return PlanStart(
        test=test,
        sd=_rounded(sd),
        decided=min(1.0, max(0.001, round(typical.decided, 3))),
        difference=_rounded(difference) or SMALL,
        comparisons=max(1, analysis.family_size),
        assumed=not known.size,
        runs=None if variation is None else _of_runs(variation),
        documents=documents,
    )


def _of_documents(typical: _Typical) -> DocumentsStart | None:
    """Nothing without documents, or where each has one unit."""
    if not 2 <= typical.n_documents < typical.n_units:
        return None
    effect = typical.design_effect if np.isfinite(typical.design_effect) else 1.0
    return DocumentsStart(
        _rounded(typical.n_units / typical.n_documents, 6), max(LEAST_EFFECT, _rounded(effect))
    )


def _of_runs(variation: Variation) -> RunsStart:
    parts = (variation.items_systems, variation.runs, variation.residual)
    items, runs, residual = (_rounded(float(np.sqrt(part))) if part > 0 else 0.0 for part in parts)
    return RunsStart(max(2, round(float(np.median(variation.n_runs)))), items, runs, residual)


@dataclass(frozen=True)
class _Typical:
    """The pair in the middle of some pairs of the board by the error of its difference."""

    sd: float = 1.0
    decided: float = 1.0
    design_effect: float = 1.0
    n_units: int = 0
    n_documents: int = 0


def _typical(analysis: Analysis) -> _Typical:
    """One pair and all its numbers, so that what is said of it fits together."""
    pairs = analysis.pairs
    rows = np.unique(np.linspace(0, len(pairs) - 1, min(len(pairs), MOST_PAIRS)).astype(int))
    found = []
    for _, batch, config in batches_by_test(analysis, rows):
        seen, n = standardised(batch, config), batch.n_units
        if n < 2 or TESTS[config.test].design in ("unpaired", "runs"):
            seen = standardised(batch, replace(config, test=yardstick()))
        alone = batch.score_error if TESTS[config.test].design in ("blocks", "counts") else seen.error
        with np.errstate(divide="ignore", invalid="ignore"):
            effects = (seen.error / alone) ** 2
        documents = documents_compared(batch, config)
        found += [
            (float(error), _Typical(float(one * np.sqrt(n)), float(decided), float(effect), n, documents))
            for error, one, decided, effect in zip(seen.error, alone, seen.decided, effects, strict=True)
            if n > 1 and error > 0 and one > 0
        ]
    found.sort(key=lambda pair: pair[0])
    return found[len(found) // 2][1] if found else _Typical()


def _rounded(value: float, digits: int = 3) -> float:
    return float(f"{value:.{digits}g}")


def start_plan(analysis: Analysis, board: BoardPower | None, variation: Variation | None = None) -> PlanStart:
    """Put what the board says into the form, once for every analysis; what the user changes then stays.

    board: As far as it is known; where more of it is known than before, only what still stands as it was put
        there follows.
    """
    origin = (analysis.fingerprint, analysis.config, variation is not None)
    looked = 0 if board is None else int(board.looked_at.sum())
    known: tuple[object, int, PlanStart | None] = st.session_state.get(ORIGIN, (None, 0, None))
    before = known[2] if known[0] == origin else None
    if before is not None and known[1] == looked:
        return before
    start = plan_start(analysis, board, variation)
    st.session_state[ORIGIN] = (origin, looked, start)
    put = {} if before is None else _form(before)
    for name, value in _form(start).items():
        key = f"plan {name}"
        if before is None or st.session_state.get(key) == put.get(name):
            st.session_state[key] = value
    return start


def _form(start: PlanStart) -> dict[str, str | float]:
    """What stands in the form, by field."""
    values: dict[str, str | float] = {
        "test": start.test,
        "sd": start.sd,
        "decided": start.decided,
        "difference": start.difference,
        "comparisons": start.comparisons,
        "per document": 1.0,  # what another board left there is not about this one
    }
    if start.documents is not None:
        values |= {
            "per document": start.documents.per_document,
            "design effect": start.documents.design_effect,
        }
    if start.runs is not None:
        values |= {
            "runs": start.runs.number,
            "sd items": start.runs.items,
            "sd runs": start.runs.runs,
            "sd residual": start.runs.residual,
        }
    return values


def start_sentence(analysis: Analysis, start: PlanStart) -> str:
    """What the form was filled with."""
    used = next(iter(mixture(analysis.pairs)), start.test)
    planned = start.test if start.documents is None else TESTS[start.test].by_documents
    test, measured = label_of_test(planned), analysis.units.measured
    if measured is not None and start.test == yardstick():
        test = swaps_phrase(measured.label, documents=start.documents is not None)
    elif planned != used and start.runs is None:
        test += f" (in place of “{label_of_test(used)}”, whose power has no formula)"
    if start.runs is not None:
        spread = f"the board's components of variance, {start.runs.number} runs per system"
    elif planned_model(start.test).effect == "cohen-g":
        spread = f"{100 * start.decided:.3g} % of the items not tied between two systems"
    else:
        of_what = "the differences" if measured is None else "what exchanging an item's outputs moves"
        spread = f"a standard deviation of {start.sd:g} of {of_what}"
    if start.runs is None:
        if start.documents is not None:
            spread += f" and a design effect of {start.documents.design_effect:g} of its documents"
        spread += " in the typical pair"
    within = "" if start.documents is None else f"{start.documents.per_document:g} items per document, "
    guess = (
        " The difference to find is a guess: the smallest detectable difference of this board isn't known."
        if start.assumed
        else ""
    )
    return (
        f"Filled in from this board: {test}, {spread}, {within}"
        f"{start.comparisons:,} comparisons, currently {analysis.units.n_scored:,} items.{guess}"
    )
