"""Sentences on what varies, on designs, and on items."""

import numpy as np

from nlpstat_core.board.items import ItemTable
from nlpstat_core.formatting import count_of, format_score
from nlpstat_core.power.variation.results import Design, PairVariation, Variation

BOARD = "whole board"
COMPONENTS = {"items": "Items", "items_systems": "Items × systems", "runs": "Runs", "residual": "Rest"}
ITEMS_CAUTION = (
    "Look at these: an item that stands out may be hard, easy or odd for good reasons. Nothing here "
    "says that an item is wrong."
)


def variation_title() -> str:
    """Heading of the table of components."""
    return "What varies: components of variance"


def variation_remark(found: Variation) -> str:
    """What stands under the table of components."""
    parts = [
        "Variances of single scores. For a single system the interaction with other systems is a part of "
        "its items."
    ]
    if found.negative:
        named = ", ".join(COMPONENTS[key].lower() for key in found.negative)
        parts.append(f"Estimated below 0, so shown as 0: {named}.")
    if (found.n_runs < 2).any():
        parts.append("A system with one run says nothing about how runs vary.")
    return " ".join(parts)


def designs_sentence(parts: PairVariation) -> str:
    """The standard error now, with twice the items and with twice the runs."""
    of = f"{parts.a} minus {parts.b}" if parts.a else "the average difference of two systems"
    better = "items" if parts.twice_units <= parts.twice_runs else "runs"
    return (
        f"Standard error of {of}: {format_score(parts.now)} now; {format_score(parts.twice_units)} "
        f"with twice the items, {format_score(parts.twice_runs)} with twice the runs. More {better} "
        "reduce it more."
    )


def cheapest_sentence(design: Design | None, difference: float) -> str:
    """What the cheapest design is."""
    if design is None:
        return f"No design with at most 200 runs per system finds a difference of {difference:g}."
    items, runs = count_of(design.n_units, "item"), count_of(design.n_runs, "run")
    return (
        f"The cheapest design that finds a difference of {difference:g}: {items} and {runs} a system, "
        f"at a cost of {design.cost:,.6g} (standard error {format_score(design.error)})."
    )


def run_pairs_sentence(found: Variation, alpha: float) -> str:
    """How often runs of one system are called different from each other; empty where all have one run."""
    pairs, different = int(found.run_pairs.sum()), int(found.run_pairs_different.sum())
    if not pairs:
        return ""
    return (
        f"Runs of one system against each other, by a t test over items at {alpha:g}: {different:,} of "
        f"{count_of(pairs, 'pair')} ({100 * different / pairs:.0f} %) come out different. If runs made no "
        f"difference, about {100 * alpha:g} % would."
    )


def items_sentence(table: ItemTable) -> str:
    """What stands out, in one paragraph."""
    nobody, everybody = int(table.nobody.sum()), int(table.everybody.sum())
    constant, negative = int(table.constant.sum()), int(table.negative.sum())
    copies = int((table.copy_of >= 0).sum())
    if np.isnan(table.solved).all():
        ends = f"on {everybody:,} all get the best score of the board, on {nobody:,} the worst"
    else:
        ends = f"{everybody:,} that all and {nobody:,} that none of them solve"
    scored = int(np.count_nonzero(~np.isnan(table.difficulty)))
    have = "has" if constant == 1 else "have"
    parts = [f"{constant:,} of {count_of(scored, 'item')} {have} the same score for every system ({ends})."]
    if not constant:
        parts = [f"None of {count_of(scored, 'item')} has the same score for every system."]
    if np.isnan(table.item_rest).all():
        parts.append("Correlations over systems need eight systems or more with a score on every item.")
    else:
        on = f"On {count_of(negative, 'item')}" if negative else "On no item do"
        parts.append(f"{on} stronger systems clearly score lower.")
    if copies:
        have = "has" if copies == 1 else "have"
        parts.append(f"{count_of(copies, 'item')} {have} the scores of another one.")
    return " ".join(parts)


def reliability_sentence(table: ItemTable) -> str:
    """How reliable the ranking is, and how many items would keep it; empty where it is undefined."""
    if np.isnan(table.split_half):
        return ""
    alpha = "" if np.isnan(table.alpha) else f"Cronbach's alpha {table.alpha:.3f}; "
    enough = (
        f"{table.enough:,} random items rank the systems nearly as all do (rank correlation of 0.95 or "
        "more in 95 % of draws)."
        if table.sizes.size and table.enough in table.sizes
        else "No part of the items that was tried ranks the systems as all do; all are needed."
    )
    reliability = f"split-half reliability of the ranking {table.split_half:.3f}"
    text = f"{alpha}{reliability}. {enough}"
    return text[0].upper() + text[1:]
