"""What to mind about a posterior: notes on the model, the data and single pairs."""

import numpy as np

from nlpstat_core.formatting import count_of, is_or_are
from nlpstat_core.methods.bayes.bayesian_bootstrap import FEWEST_DRAWN, SHORT, SKEWED
from nlpstat_core.methods.diagnosis.few_units import NOTE as FEW
from nlpstat_core.notes import Note
from nlpstat_core.report.wording.documents import PROPOSED, TOO_FEW
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.posterior import PosteriorBoard, PosteriorTable

UNCORRECTED = (
    "The probabilities are pair by pair and not corrected for many pairs: {called} called better or worse "
    "here, where the test, corrected for all of them, finds {found}. In simulations where systems hardly "
    "differ, the system called better at 0.95 was the worse one in about one pair of five."
)
# Notes of the analysis that hold for its posterior, too.
CARRIED = (
    PROPOSED,
    TOO_FEW,
    "blocks-merged",
    "very-few-blocks",
    "few-blocks",
    "unequal-blocks",
    "few-effective-blocks",
    "runs-averaged",
)


SHRUNKEN = (
    "There is no correction for many pairs; instead all scores are shrunk towards the board's mean, which "
    "makes chance winners less extreme."
)


def _uncorrected(analysis: AnalysisData, pairs: PosteriorTable) -> str:
    """How many pairs the posterior calls better or worse, beside the number that the test finds."""
    called = int(np.count_nonzero((pairs.verdict_code == 1) | (pairs.verdict_code == 2)))
    found = int(np.count_nonzero(analysis.pairs.separated))
    some = f"{called:,} of {count_of(len(pairs), 'pair')} {is_or_are(called)}"
    return UNCORRECTED.format(called=some, found=f"{found:,}")


FEW_UNITS = 20


def posterior_notes(
    analysis: AnalysisData,
    pairs: PosteriorTable,
    board: PosteriorBoard | None,
    *,
    margin: float,
    model: str,
    problem: str | None,
) -> tuple[Note, ...]:
    """Notes on a posterior. `problem`: why the board could not be modelled as a whole."""
    notes: list[Note] = []

    def tell(code: str, severity: str, text: str) -> None:
        notes.append(Note(code, severity, text))  # type: ignore[arg-type]

    pooled = model == "partial-pooling"
    if len(pairs) > 1 or pooled:
        tell("posterior-not-corrected", "info", SHRUNKEN if pooled else _uncorrected(analysis, pairs))
    notes.extend(note for note in analysis.notes if note.code in CARRIED)
    if not margin:
        tell(
            "posterior-no-margin",
            "info",
            "No region of practical equivalence is set: any difference above 0, however small, counts as "
            "better. Set a margin to ask for differences that matter.",
        )
    elif (analysis.units.is_binary or analysis.units.counts is not None) and margin >= 1:
        tell("posterior-wide-margin", "caution", "The margin is as wide as the whole scale of the scores.")
    if problem is not None:
        tell("posterior-no-board", "caution", f"No ranks and shrunken scores: {problem}")
    fewest = FEWEST_DRAWN if board is not None and board.model == "bayesian-bootstrap" else FEW_UNITS
    if board is not None and board.n_drawn < fewest:
        drawn = "documents" if analysis.config.block_column is not None else "items"
        tell(
            "posterior-few-units",
            "caution",
            f"With {board.n_drawn} {drawn} the probabilities of ranks are too sure of themselves: "
            + (
                "partial pooling takes the variance of the scores as known."
                if board.model == "partial-pooling"
                else "the Bayesian bootstrap uses only scores that were observed."
            ),
        )
    if board is not None and board.intensity >= 0.005:
        singular = analysis.units.n_systems >= board.n_drawn
        tell(
            "posterior-shrunk-covariance",
            "caution" if singular else "info",
            f"The covariance of the scores was moved {100 * board.intensity:.0f} % of the way towards equal "
            "variances and correlations of all systems"
            + (", because there are as many systems as items or more." if singular else "."),
        )
    if analysis.config.block_column is not None:
        tell(
            "posterior-documents",
            "info",
            "Documents are compared: standard errors and degrees of freedom allow for their sizes "
            "(CR2), and the Bayes factor's effect size is in standard deviations between documents.",
        )
    if "binary" in pairs.model:
        tell(
            "posterior-bayes-factor-binary",
            "info",
            "For scores of 0 and 1 the Bayes factor still rests on the normal approximation of the mean.",
        )
    for code, (severity, one, many) in _PAIR_NOTES.items():
        mask = pairs.notes.get(code)
        if mask is not None and mask.any():
            count = int(mask.sum())
            tell(f"posterior-{code}", severity, one if count == 1 else many.format(count=f"{count:,}"))
    return tuple(notes)


_PAIR_NOTES = {
    "no-shared-units": (
        "caution",
        "One pair shares no item: nothing can be said about it.",
        "{count} pairs share no item: nothing can be said about them.",
    ),
    "too-few-units": (
        "caution",
        "One pair shares too few items (or documents) for a posterior.",
        "{count} pairs share too few items (or documents) for a posterior.",
    ),
    "identical-scores": (
        "caution",
        "One pair has the same score on every item: the model of the mean takes its difference as 0.",
        "{count} pairs have the same score on every item: the model of the mean takes their difference of 0 "
        "as known.",
    ),
    "no-spread": (
        "caution",
        "One pair differs by the same amount on every item: without a spread there is no posterior, and no "
        "Bayes factor.",
        "{count} pairs differ by the same amount on every item: without a spread there is no posterior, and "
        "no Bayes factor.",
    ),
    "measure-undefined": (
        "caution",
        "The measure of one pair is undefined in some draws of weights: nothing can be said about it.",
        "The measure of {count} pairs is undefined in some draws of weights: nothing can be said about them.",
    ),
    SHORT: (
        "caution",
        f"One pair shares fewer than {FEWEST_DRAWN} items (or documents), where the Bayesian bootstrap is "
        "too sure of itself: it gets no verdict.",
        f"{{count}} pairs share fewer than {FEWEST_DRAWN} items (or documents), where the Bayesian bootstrap "
        "is too sure of itself: they get no verdict.",
    ),
    SKEWED: (
        "caution",
        "The differences of one pair are so skewed that a few items decide (fewer than 25 times the squared "
        "skewness): it gets no verdict.",
        "The differences of {count} pairs are so skewed that a few items decide (fewer than 25 times the "
        "squared skewness): they get no verdict.",
    ),
    FEW: (
        "caution",
        "The differences of one pair are so skewed that a few items decide (fewer than 25 times the squared "
        "skewness): its probabilities may be far from the truth.",
        "The differences of {count} pairs are so skewed that a few items decide (fewer than 25 times the "
        "squared skewness): their probabilities may be far from the truth.",
    ),
    "unpaired": (
        "info",
        "One pair is compared as two independent samples.",
        "{count} pairs are compared as independent samples.",
    ),
}
