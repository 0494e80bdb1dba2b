"""What the labels say of the judge, and what is to mind about them."""

import numpy as np
from scipy import special

from nlpstat_core.analysis.judged.checks import no_random_part
from nlpstat_core.analysis.judged.sides import Sides
from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import shown, some_shown
from nlpstat_core.formatting import count_of, is_or_are
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.judged.corrected import FEWEST_LABELS, corrected_means
from nlpstat_core.methods.judged.stratified import stratified_means
from nlpstat_core.notes import Note
from nlpstat_core.results.judge import CONSTANT_JUDGE, LabelChecks, PairsOfBoard
from nlpstat_core.scores.matrix import ScoreMatrix

FEW_LABELS = 20
_DOCUMENTS = ("doc", "doc_id", "docid", "document", "document_id", "story", "conversation", "article")


def bias_of(sides: Sides, alpha: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """How much more a judge gives one system than the others, on items labelled for all: with t intervals.

    The judge's points are first brought to people's by their spreads over the labelled items of all systems.
    """
    n_systems = sides.people.shape[1]
    rows = sides.labelled.all(axis=1)
    nothing = np.full(n_systems, np.nan)
    if rows.sum() < FEWEST_LABELS:
        return nothing, nothing, nothing, nothing
    y, f = sides.people[rows], sides.judge[rows]
    scale = f.std()
    if judge_is_constant(sides):
        return nothing, nothing, nothing, nothing
    f = f * (y.std() / scale) if scale > 0 else f
    gap = (f - y) - (f - y).mean(axis=1, keepdims=True)
    if sides.strata is not None:
        sizes = np.bincount(sides.strata)
        if np.bincount(sides.strata[rows], minlength=sizes.size).min() < FEWEST_LABELS:
            return nothing, nothing, nothing, nothing
    codes = None if sides.documents is None else sides.documents[rows]
    if codes is not None and np.unique(codes).size < FEWEST_LABELS:
        return nothing, nothing, nothing, nothing
    every = np.ones(len(gap), dtype=bool)
    if sides.strata is None:
        found = corrected_means(gap, gap, every, codes)
    else:
        found = stratified_means(gap, gap, every, sides.strata[rows], sizes)
    margin = special.stdtrit(found.freedom, 1 - alpha / 2) * found.error
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(
            found.error > 0, 2 * special.stdtr(found.freedom, -np.abs(found.estimate / found.error)), np.nan
        )
    return found.estimate, found.estimate - margin, found.estimate + margin, adjust_p_values(p, "holm")


def notes_of(
    people: ScoreMatrix, checks: LabelChecks, own: PairsOfBoard, documents: str | None
) -> list[Note]:
    """What is said of few labels, labels of an odd part of the items, and documents that nobody named."""
    notes = []
    fewest = int(own.n_items.min())
    if fewest < FEW_LABELS:
        text = (
            f"{fewest} labels of a system are few; below {FEW_LABELS} the standard errors are themselves "
            f"uncertain."
        )
        notes.append(Note("few-labels", "caution", text))
    if odd := no_random_part(people.systems, checks):
        text = (
            f"The labelled items don't look like a random part of all: {'; '.join(odd)}. The correction "
            "holds for items like the labelled ones only."
        )
        notes.append(Note("labels-not-random", "caution", text))
    same = [name for name, error in zip(people.systems, own.error, strict=True) if error == 0]
    if same:
        text = f"All labels of {some_shown(same)} are the same, so no error can be estimated for them."
        notes.append(Note("labels-alike", "caution", text))
    if documents is None and (named := [name for name in people.labels if name.casefold() in _DOCUMENTS]):
        text = f"Items count as independent; those of one {named[0]} may not be: name it as documents."
        notes.append(Note("documents-not-named", "caution", text))
    return notes


def notes_of_pairs(pairs: PairsOfBoard) -> list[Note]:
    """That pairs share too few labelled items."""
    apart = int(np.count_nonzero(np.isnan(pairs.difference)))
    if not apart:
        return []
    text = (
        f"{apart:,} of {count_of(pairs.difference.size, 'pair')} of systems {is_or_are(apart)} not compared: "
        f"a pair needs {FEWEST_LABELS} items that are labelled for both (as many documents, or as many in "
        "every stratum, where these are named). Label the same items of all systems."
    )
    return [Note("pairs-without-labels", "caution", text)]


def judge_is_constant(sides: Sides) -> bool:
    """Whether the judge gives all outputs the same score."""
    return bool(np.nanmin(sides.judge) == np.nanmax(sides.judge))


def notes_of_judge(sides: Sides, systems: tuple[str, ...], judge: str) -> list[Note]:
    """What is said of a judge that tells nothing: of outputs, of an item's systems, or of some systems."""
    scores = sides.judge
    if judge_is_constant(sides):
        text = (
            f"{shown(judge)} gives every output the same score, so nothing is corrected: all that follows is "
            "from people's labels alone."
        )
        return [Note(CONSTANT_JUDGE, "caution", text)]
    if (np.ptp(scores, axis=1) == 0).all():
        text = (
            f"{shown(judge)} gives the systems of every item the same score, so it tells nothing of pairs: "
            "these are decided by people's labels alone."
        )
        return [Note("judge-without-differences", "caution", text)]
    flat = [name for name, own in zip(systems, scores.T, strict=True) if np.ptp(own) == 0]
    if not flat:
        return []
    text = (
        f"{shown(judge)} gives all outputs of {some_shown(flat)} the same score, so their means are from "
        "people's labels alone."
    )
    return [Note("judge-constant-for-some", "caution", text)]
