"""What Bayesian models say of a board, column by column."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray, ObjectArray, names_of
from nlpstat_core.formatting import count_of
from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.notes import Note
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import VERDICTS, Pairs
from nlpstat_core.results.ranks import RankDistribution


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PosteriorTable(Pairs):
    """All pairs, one entry each; arrays have shape (n_pairs,). Everything is about a minus b.

    n_units: Units the pair shares; of independent samples, the smaller side's.
    difference: Observed difference, metric points.
    error, freedom: Standard error and degrees of freedom of the observed difference.
    model_code: Positions in `MODELS.keys`, −1 where the posterior is undefined.
    greater, within, less: Posterior probability of a difference above the margin, inside it, below its
        negative.
    estimate: Posterior mean of the difference.
    interval (float array, shape (n_pairs, 2)): Equal-tailed credible interval.
    log_bf: Natural logarithm of BF10 at the chosen prior scale.
    sensitivity (float array, shape (n_pairs, 3)): The same at r = 0.5, 0.707 and 1.
    wins, losses: Units that only a, only b gets right; −1 where scores are not 0 and 1.
    threshold: Probability from which on something is claimed.
    withheld: Pairs that get no verdict whatever their probabilities: the notes say why.
    notes (mapping of str to bool array).
    """

    n_units: IntArray
    difference: FloatArray
    error: FloatArray
    freedom: FloatArray
    model_code: CodeArray
    greater: FloatArray
    within: FloatArray
    less: FloatArray
    estimate: FloatArray
    interval: FloatArray
    log_bf: FloatArray
    sensitivity: FloatArray
    wins: IntArray
    losses: IntArray
    lower_is_better: bool
    threshold: float
    withheld: BoolArray
    notes: Mapping[str, BoolArray] = field(default_factory=dict)

    @property
    def model(self) -> ObjectArray:
        """Key of the model of each pair; None where it is undefined."""
        return names_of(self.model_code, MODELS.keys)

    @property
    def better(self) -> FloatArray:
        """Probability that a is better than b by more than the margin."""
        return self.less if self.lower_is_better else self.greater

    @property
    def worse(self) -> FloatArray:
        """Probability that b is better than a by more than the margin."""
        return self.greater if self.lower_is_better else self.less

    @property
    def verdict_code(self) -> CodeArray:
        """Positions in `VERDICTS`, about a: what has at least the threshold's probability, not withheld."""
        code = np.zeros(len(self), dtype=np.int8)
        for name, probability in (
            ("better", self.better),
            ("worse", self.worse),
            ("equivalent", self.within),
        ):
            code[(probability >= self.threshold) & ~self.withheld] = VERDICTS.index(name)
        return code

    @property
    def verdict(self) -> ObjectArray:
        """better | worse | equivalent | undecided, about a by the metric's direction."""
        return names_of(self.verdict_code, VERDICTS)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PosteriorBoard:
    """Scores and ranks of all systems together; arrays have shape (n_systems,), in column order.

    model: "partial-pooling" or "bayesian-bootstrap".
    score: Observed scores, metric points.
    estimate: Posterior means: under partial pooling the shrunken scores.
    interval (float array, shape (n_systems, 2)): Equal-tailed credible interval of the score.
    ranks: Ranks over posterior draws.
    level: Of the credible intervals.
    tau: Posterior mean of the standard deviation between systems; NaN for the bootstrap.
    prior: Scale of its half-Cauchy prior; NaN for the bootstrap.
    intensity: How far the covariance of the scores was shrunk, 0 to 1; NaN for the bootstrap.
    n_drawn: Units or documents.
    """

    model: str
    score: FloatArray
    estimate: FloatArray
    interval: FloatArray
    ranks: RankDistribution
    level: float
    tau: float
    prior: float
    intensity: float
    n_drawn: int

    def __repr__(self) -> str:
        return f"<PosteriorBoard: {len(self.score):,} systems, {self.model}>"

    @property
    def best(self) -> FloatArray:
        """Posterior probability of being the best system."""
        return self.ranks.best

    @property
    def expected_rank(self) -> FloatArray:
        """Posterior mean of the rank, 1 for the best."""
        return self.ranks.mean_rank

    @property
    def rank_interval(self) -> IntArray:
        """Equal-tailed credible interval of the rank, shape (n_systems, 2)."""
        return self.ranks.middle(self.level)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PosteriorData:
    """What Bayesian models say of a board."""

    analysis: AnalysisData
    model: str
    margin: float
    threshold: float
    scale: float
    draws: int
    seed: int
    pairs: PosteriorTable
    board: PosteriorBoard | None
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        claimed = int(np.count_nonzero(np.maximum(self.pairs.greater, self.pairs.less) >= self.threshold))
        pairs = count_of(len(self.pairs), "pair")
        return (
            f"<Posterior: {self.model}; {claimed:,} of {pairs} with P(difference beyond {self.margin:g}) of "
            f"at least {self.threshold:g}>"
        )

    @property
    def signature(self) -> str:
        """One line that names the settings, those of the analysis behind them."""
        own = f"posterior:{self.model}|margin:{self.margin:g}|threshold:{self.threshold:g}|r:{self.scale:.4g}"
        return f"{own}|draws:{self.draws}|seed:{self.seed}|{self.analysis.signature}"
