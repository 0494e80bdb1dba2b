"""posterior(analysis): a Bayesian answer beside the frequentist one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.analysis.checked import above, checked_margin, whole_number
from nlpstat_core.analysis.given import check_analysis
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.posterior.measures import measure_draws, measured_board, measured_columns
from nlpstat_core.board.posterior.pairs import (
    BINARY,
    PairColumns,
    PairModels,
    all_undefined,
    pair_columns,
    put_columns,
)
from nlpstat_core.board.posterior.systems import board_scores, bootstrap_board, pooled_board
from nlpstat_core.config import RECOMMENDED
from nlpstat_core.engine.columns.pairing import binary_columns, chunks
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.methods.bayes.bayesian_bootstrap import FEWEST_DRAWN, SHORT, SKEWED
from nlpstat_core.methods.bayes.binary import difference_density
from nlpstat_core.methods.bayes.columns import put, undefined_posteriors
from nlpstat_core.methods.bayes.jzs import SCALE
from nlpstat_core.methods.diagnosis.few_units import NOTE as FEW
from nlpstat_core.methods.diagnosis.few_units import rests_on_few
from nlpstat_core.report.wording.posterior_notes import posterior_notes
from nlpstat_core.results.posterior import PosteriorBoard, PosteriorData, PosteriorTable
from nlpstat_core.scores.documents import block_ids as blocks_named
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.measured import Measured
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

if TYPE_CHECKING:
    import pandas as pd

THRESHOLD = 0.95
DRAWS = 4_000
WHOLE_BOARD = ("partial-pooling", "bayesian-bootstrap")
PAIR_MODELS = (RECOMMENDED, "mean", "binary", *WHOLE_BOARD)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Posterior(PosteriorData):
    """What Bayesian models say of a board.

    Attributes
    ----------
    analysis : Analysis
        The analysis it stands beside.
    model : str
        As asked for: "recommended" takes the model of right and wrong answers where it applies, else that of
        the mean.
    margin : float
        Half width of the region of practical equivalence, metric points; 0 for none.
    threshold : float
        Posterior probability from which on a pair is called better, worse or practically equivalent.
    scale : float
        r of the Bayes factor's Cauchy prior.
    draws, seed : int
        Of ranks, and of the Bayesian bootstrap.
    pairs : PosteriorTable
    board : PosteriorBoard or None
        None where the board can't be modelled as a whole; a note says why.
    notes : tuple of Note

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix, analyse
    >>> values = [[3, 1], [4, 3], [5, 3], [6, 5], [9, 5]]
    >>> found = posterior(analyse(ScoreMatrix(values=values, systems=["A", "B"])))
    >>> found.to_dict()["pairs"][0]["verdict"], found.board_frame()["system"].tolist()
    ('better', ['A', 'B'])
    """

    analysis: Analysis

    def pairs_frame(self) -> pd.DataFrame:
        """All pairs as a pandas frame, one row each."""
        from nlpstat_core.report.exports.data.posterior import pairs_frame

        return pairs_frame(self)

    def board_frame(self) -> pd.DataFrame:
        """The systems as a pandas frame, best expected rank first."""
        from nlpstat_core.report.exports.data.posterior import board_frame

        return board_frame(self)

    def to_dict(self) -> dict[str, Any]:
        """The posterior as plain data, in the shape of posterior.json."""
        from nlpstat_core.report.exports.data.posterior import posterior_to_dict

        return posterior_to_dict(self)


def posterior(
    analysis: Analysis,
    *,
    margin: float | None = None,
    model: str = RECOMMENDED,
    threshold: float = THRESHOLD,
    scale: float = SCALE,
    draws: int = DRAWS,
    seed: int | None = None,
    should_stop: ShouldStop | None = None,
) -> Posterior:
    """Posterior probabilities for every pair of an analysis, and scores and ranks of the whole board.

    Parameters
    ----------
    analysis : Analysis
    margin : float or None
        Half width of the region of practical equivalence, metric points, 0 or more; None takes the analysis's
        equivalence margin, 0 without one.
    model : {"recommended", "mean", "binary", "partial-pooling", "bayesian-bootstrap"}
        Where the pairs' probabilities come from. "recommended": right and wrong answers for scores of 0 and 1
        (not by documents), else the mean. The whole board comes from the Bayesian bootstrap where that is
        chosen, else from partial pooling. Of a measure that is no mean everything is by the Bayesian
        bootstrap of the measure: "recommended" or "bayesian-bootstrap".
    threshold : float
        In (0.5, 1).
    scale : float
        r of the Bayes factor's Cauchy prior, above 0.
    draws : int
        B, of ranks and of the Bayesian bootstrap.
    seed : int or None
        None takes the analysis's.
    should_stop : callable or None

    Returns
    -------
    Posterior
        Everything is about a minus b; verdicts are about a by the metric's direction.

    Raises
    ------
    ConfigError
        Settings that can't be used.
    AnalysisError
        A model named that these scores don't go with.
    Cancelled
        `should_stop` said so.

    Notes
    -----
    No Markov chains: Student's t, a Dirichlet, quadrature over one variable, independent draws. Not corrected
    for many pairs, except that partial pooling shrinks.

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix, analyse
    >>> values = [[3, 1], [4, 3], [5, 3], [6, 5], [9, 5]]
    >>> found = posterior(analyse(ScoreMatrix(values=values, systems=["A", "B"])), margin=0.5)
    >>> round(float(found.pairs.greater[0]), 3), found.pairs.verdict[0]
    (0.974, 'better')
    """
    check_analysis(analysis, "posterior")
    units, config = analysis.units, analysis.config
    if model not in PAIR_MODELS:
        raise ConfigError(unknown("model", model, PAIR_MODELS))
    margin = checked_margin(config.equivalence_margin or 0.0 if margin is None else margin)
    threshold = above("threshold", threshold, 0.5)
    if threshold >= 1:
        raise ConfigError(f"threshold must be above 0.5 and below 1, not {shown(threshold)}.")
    scale = above("scale", scale, 0.0)
    draws = whole_number("draws", draws, 1)
    seed = config.seed if seed is None else whole_number("seed", seed, 0)
    blocks = blocks_named(units, config)
    pairs, unpaired = analysis.pairs, analysis.pairs.unpaired
    if units.measured is not None and model not in (RECOMMENDED, "bayesian-bootstrap"):
        raise AnalysisError(
            f"The model {model} is for scores of items, and {units.measured.label} is not a mean of them; "
            "use bayesian-bootstrap, which recomputes the measure with random weights of the items."
        )
    bootstrapped = model == "bayesian-bootstrap" or units.measured is not None
    if model == "binary":
        _refuse_not_binary(analysis, blocks is not None)
    columns = all_undefined(len(pairs))
    models = PairModels(
        binary=model in (RECOMMENDED, "binary"), margin=margin, level=config.level, scale=scale
    )
    with stoppable(should_stop):
        board: PosteriorBoard | None = None
        problem: str | None = None
        code, found = columns.model_code, columns.posteriors
        if units.measured is not None:
            board, problem = _of_measure(units, units.measured, analysis, columns, margin, draws, seed)
        else:
            together = not unpaired.any()
            for chunk in chunks(units, pairs.left, pairs.right, block_ids=blocks, together=together):
                stop_if_asked()
                put_columns(
                    columns, chunk.positions, pair_columns(chunk.batch, unpaired[chunk.positions], models)
                )
            code = columns.model_code
            try:
                scores = board_scores(units, blocks, bool(unpaired.any()))
                if model == "bayesian-bootstrap":
                    drawn = bootstrap_board(scores, draws, seed)
                    board = drawn.board(units, config.level)
                    whole = drawn.pairs(pairs.left, pairs.right, columns.freedom, margin, config.level)
                else:
                    pooled = pooled_board(scores)
                    board = pooled.board(units, draws, seed, config.level)
                    whole = pooled.pairs(pairs.left, pairs.right, margin, config.level)
                if model in WHOLE_BOARD:
                    spread = ~columns.notes.get("no-spread", np.zeros(len(pairs), dtype=bool))
                    put(found, np.ones(len(pairs), dtype=bool), whole)
                    put(found, ~spread, undefined_posteriors(int(np.count_nonzero(~spread))))
                    code = np.where(spread, MODELS.keys.index(model), -1).astype(np.int8)
            except AnalysisError as error:
                if model in WHOLE_BOARD:
                    raise
                problem = str(error)
    few = rests_on_few(columns.skewness) & (code >= 0) & (code != BINARY)
    withheld = np.zeros(len(pairs), dtype=bool)
    if bootstrapped:
        short = (columns.n_drawn < FEWEST_DRAWN) & (code >= 0)
        withheld = few | short
        columns.notes.update({SHORT: short, SKEWED: few & ~short})
    else:
        columns.notes[FEW] = few
    table = PosteriorTable(
        systems=units.systems,
        left=pairs.left,
        right=pairs.right,
        n_units=columns.n_units,
        difference=columns.difference,
        error=columns.error,
        freedom=columns.freedom,
        model_code=code,
        greater=found.greater,
        within=found.within,
        less=found.less,
        estimate=found.centre,
        interval=found.interval,
        log_bf=columns.log_bf,
        sensitivity=columns.sensitivity,
        wins=columns.wins,
        losses=columns.losses,
        lower_is_better=units.lower_is_better,
        threshold=threshold,
        withheld=withheld,
        notes={name: mask for name, mask in columns.notes.items() if mask.any()},
    )
    return Posterior(
        analysis=analysis,
        model=model,
        margin=margin,
        threshold=threshold,
        scale=scale,
        draws=draws,
        seed=seed,
        pairs=table,
        board=board,
        notes=posterior_notes(analysis, table, board, margin=margin, model=model, problem=problem),
    )


def _of_measure(
    units: ScoreMatrix,
    measured: Measured,
    analysis: Analysis,
    columns: PairColumns,
    margin: float,
    draws: int,
    seed: int,
) -> tuple[PosteriorBoard | None, str | None]:
    """Fill the columns of pairs from draws of the measure."""
    blocks, level, pairs = blocks_named(units, analysis.config), analysis.config.level, analysis.pairs
    of, drawn = None, np.zeros((0, 0))
    for chunk in chunks(units, pairs.left, pairs.right, block_ids=blocks):
        shared = chunk.batch.units.measured
        if shared is not None and shared is not of and shared.n_units:
            of, drawn = shared, measure_draws(shared, draws, seed)
        part = measured_columns(chunk.batch, drawn, margin, level)
        put_columns(columns, chunk.positions, part)
    try:
        return measured_board(units, measured, blocks, draws=draws, seed=seed, level=level), None
    except AnalysisError as error:
        return None, str(error)


def density(found: Posterior, row: int, points: int = 241) -> tuple[FloatArray, FloatArray]:
    """The posterior density of a pair's difference, for drawing.

    found: Its pairs by the model of the mean or of right and wrong answers.
    Returns float arrays, shape (points,): Over 99.9 % of the posterior and a bit more; both empty where it is
        undefined, a single point, or comes from a model of the whole board.
    """
    from scipy import special

    pairs = found.pairs
    key, none = pairs.model[row], (np.zeros(0), np.zeros(0))
    centre, error, freedom = (float(column[row]) for column in (pairs.estimate, pairs.error, pairs.freedom))
    if key == "binary" and pairs.wins[row] >= 0:
        n = int(pairs.n_units[row])
        spread = 4.0 * float(pairs.interval[row, 1] - pairs.interval[row, 0]) / 3.92
        x = np.linspace(max(-1.0, centre - spread), min(1.0, centre + spread), points)
        return x, difference_density(int(pairs.wins[row]), int(pairs.losses[row]), n, x)
    if key != "mean" or not error > 0:
        return none
    reach = float(special.stdtrit(freedom, 0.9995)) if freedom > 2 else 12.0
    t = np.linspace(-1.05 * reach, 1.05 * reach, points)
    log_constant = special.gammaln((freedom + 1) / 2) - special.gammaln(freedom / 2)
    log_density = (
        log_constant - 0.5 * math.log(freedom * math.pi) - (freedom + 1) / 2 * np.log1p(t * t / freedom)
    )
    return centre + error * t, np.exp(log_density) / error


def _refuse_not_binary(analysis: Analysis, in_blocks: bool) -> None:
    if in_blocks:
        raise AnalysisError(
            "The binary model takes items as independent and documents are named; use the model mean, or "
            "bayesian-bootstrap, which weights whole documents."
        )
    if analysis.units.counts is not None:
        raise AnalysisError(
            "The binary model needs one right or wrong answer per item; these scores are counts. "
            "Use the model mean or bayesian-bootstrap."
        )
    if np.count_nonzero(binary_columns(analysis.units)) < 2:
        raise AnalysisError("The binary model needs scores of 0 and 1; no pair of these systems has them.")
