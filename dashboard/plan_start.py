"""Where planning starts with a board on screen: its test, spread, share of discordant units and family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from nlpstat_core.board.power import intraclass_correlation
from nlpstat_core.board.power.models import planned_model, planned_tests, runs_test
from nlpstat_core.board.power.planning import by_documents
from nlpstat_core.catalogue import TESTS
from nlpstat_core.report.wording import label_of_test, mixture
from nlpstat_core.scores.documents import block_ids

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.board.power import BoardPower
    from nlpstat_core.board.variation.results import Variation

ORIGIN = "plan origin"
MOST_PAIRS = 300  # so many say what the typical one is like
MOST_ALIKE = 0.999  # a plan for units that are all the same says nothing of units
SMALL = 0.2  # of a standard deviation, where nothing better is known


@dataclass(frozen=True)
class PlanStart:
    """What the form begins with.

    Attributes
    ----------
    test : str
    sd : float
        Standard deviation of the differences of the typical pair, metric points.
    decided : float
        Share of units that aren't tied in the typical pair.
    difference : float
    comparisons : int
    runs : RunsStart or None
    documents : DocumentsStart or None
    """

    test: str
    sd: float
    decided: float
    difference: float
    comparisons: int
    runs: RunsStart | None = None
    documents: DocumentsStart | None = None


@dataclass(frozen=True)
class DocumentsStart:
    """What it begins with where units come in documents.

    Attributes
    ----------
    per_document : float
        Mean number of units of a document, above 1.
    icc : float
        Intraclass correlation of the differences of the typical pair, in [0, 1).
    """

    per_document: float
    icc: float


@dataclass(frozen=True)
class RunsStart:
    """What it begins with where systems have training runs.

    Attributes
    ----------
    number : int
        Runs a system.
    items, runs, residual : float
        Standard deviations of one system: items × systems, runs, and what is left.
    """

    number: int
    items: float
    runs: float
    residual: float


def plan_start(analysis: Analysis, board: BoardPower | None, variation: Variation | None = None) -> PlanStart:
    """What a plan for the next test set of this board begins with.

    Parameters
    ----------
    analysis : Analysis
    board : BoardPower or None
        As soon as it is known: the difference that is found for the typical pair.
    variation : Variation or None
        What varies, where systems have training runs.

    Returns
    -------
    PlanStart
    """
    used = next(iter(mixture(analysis.pairs)), "")
    own = planned_tests()
    of_shares = next(key for key in own if TESTS[key].binary_only)
    test = of_shares if analysis.units.solved_or_not else used if used in own else own[0]
    test = test if variation is None else runs_test()
    sds, shares, alike = _spreads(analysis)
    documents = None if variation is not None else _of_documents(analysis, alike)
    if documents is not None and not by_documents(test):
        test = next(key for key in own if by_documents(key))
    sd = _typical(sds, 1.0)
    known = np.array([]) if board is None else board.detectable[np.isfinite(board.detectable)]
    difference = float(np.median(known)) if known.size else SMALL * sd
    return PlanStart(
        test=test,
        sd=_rounded(sd),
        decided=min(1.0, max(0.001, round(_typical(shares, 1.0), 3))),
        difference=_rounded(difference) or SMALL,
        comparisons=max(1, analysis.family_size),
        runs=None if variation is None else _of_runs(variation),
        documents=documents,
    )


def _of_documents(analysis: Analysis, alike: np.ndarray) -> DocumentsStart | None:
    """Nothing without documents, or where each has one unit."""
    ids = block_ids(analysis.units, analysis.config)
    n_documents = 0 if ids is None else np.unique(ids).size
    if n_documents < 2 or n_documents == analysis.units.n_units:
        return None
    known = alike[np.isfinite(alike)]
    icc = float(np.median(known)) if known.size else 0.0
    return DocumentsStart(
        round(analysis.units.n_units / n_documents, 2), _rounded(min(MOST_ALIKE, max(0.0, icc)))
    )


def _of_runs(variation: Variation) -> RunsStart:
    parts = (variation.items_systems, variation.runs, variation.residual)
    items, runs, residual = (_rounded(float(np.sqrt(part))) if part > 0 else 0.0 for part in parts)
    return RunsStart(max(2, round(float(np.median(variation.n_runs)))), items, runs, residual)


def _spreads(analysis: Analysis) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Standard deviation, share of untied units and likeness within documents of some pairs of the board."""
    pairs, values = analysis.pairs, analysis.units.values
    rows = np.unique(np.linspace(0, len(pairs) - 1, min(len(pairs), MOST_PAIRS)).astype(int))
    documents = block_ids(analysis.units, analysis.config)
    sds, shares, alike = [], [], []
    for row in rows:
        gap = values[:, pairs.left[row]] - values[:, pairs.right[row]]
        there = np.isfinite(gap)
        gap = gap[there]
        if gap.size > 1:
            if documents is not None:
                alike.append(intraclass_correlation(gap, documents[there]))
            sds.append(float(gap.std(ddof=1)))
            shares.append(float(np.count_nonzero(gap)) / gap.size)
    return np.array(sds), np.array(shares), np.array(alike)


def _typical(found: np.ndarray, otherwise: float) -> float:
    positive = found[found > 0]
    return float(np.median(positive)) if positive.size else otherwise


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def start_plan(analysis: Analysis, board: BoardPower | None, variation: Variation | None = None) -> PlanStart:
    """Put what the board says into the form, once for every analysis; what the user changes then stays.

    Parameters
    ----------
    analysis : Analysis
    board : BoardPower or None
    variation : Variation or None

    Returns
    -------
    PlanStart
    """
    origin = (analysis.fingerprint, analysis.config, board is not None, variation is not None)
    start = plan_start(analysis, board, variation)
    if st.session_state.get(ORIGIN) != origin:
        st.session_state[ORIGIN] = origin
        values: dict[str, Any] = {
            "test": start.test,
            "sd": start.sd,
            "decided": start.decided,
            "difference": start.difference,
            "comparisons": start.comparisons,
            "per document": 1.0,  # what another board left there is not about this one
        }
        if start.documents is not None:
            values |= {"per document": start.documents.per_document, "icc": start.documents.icc}
        if start.runs is not None:
            values |= {
                "runs": start.runs.number,
                "sd items": start.runs.items,
                "sd runs": start.runs.runs,
                "sd residual": start.runs.residual,
            }
        for name, value in values.items():
            st.session_state[f"plan {name}"] = value
    return start


def start_sentence(analysis: Analysis, start: PlanStart) -> str:
    """What the form was filled with.

    Parameters
    ----------
    analysis : Analysis
    start : PlanStart

    Returns
    -------
    str
    """
    used = next(iter(mixture(analysis.pairs)), start.test)
    planned = start.test if start.documents is None else TESTS[start.test].by_documents
    test = label_of_test(planned)
    if planned != used and start.runs is None:
        test += f" (in place of “{label_of_test(used)}”, whose power has no formula)"
    if start.runs is not None:
        spread = f"the board's components of variance, {start.runs.number} runs a system"
        return (
            f"Filled in from this board: {test}, {spread}, "
            f"{start.comparisons:,} comparisons, {analysis.units.n_scored:,} items now."
        )
    if planned_model(start.test).effect == "cohen-g":
        spread = f"{100 * start.decided:.3g} % of the items decided between two systems"
    else:
        spread = f"a standard deviation of {start.sd:g} of the differences"
    if start.documents is not None:
        spread += f" and an intraclass correlation of {start.documents.icc:g} within documents"
    within = "" if start.documents is None else f"{start.documents.per_document:g} items per document, "
    return (
        f"Filled in from this board: {test}, {spread} in the typical pair, {within}"
        f"{start.comparisons:,} comparisons, {analysis.units.n_scored:,} items now."
    )
