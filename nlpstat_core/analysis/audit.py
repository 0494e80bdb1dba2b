"""audit(analysis): how often the very procedure claims something on boards where nothing differs."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from nlpstat_core.analysis.audit_result import Audit
from nlpstat_core.analysis.audited_boards import counts_of_boards
from nlpstat_core.analysis.checked import whole_number
from nlpstat_core.analysis.given import check_analysis
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.arrays import IntArray
from nlpstat_core.board.audit.null_boards import (
    BoardMaker,
    goes_quickly,
    halved_runs,
    permuted_boards,
    resampled_boards,
)
from nlpstat_core.board.pairs.columns import Progress
from nlpstat_core.board.preparation import prepared_units
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.resampling.sharing_out import check_workers, is_long, shared_out
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.report.wording.audit import audit_notes
from nlpstat_core.results.audit import ProcedureAudit
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.means_only import refuse_measured
from nlpstat_core.stopping import ShouldStop, stoppable

NULLS = ("resampled", "permuted", "partial", "runs")
BOARDS = 400
# Boards go to several workers in so many pieces for each, but for pieces of fewer differences than these.
PIECES, FEWEST = 16, 2_000_000
# What a board costs beside its differences, in as many of those; how much less the quick t test costs.
BESIDE, QUICKER = 100_000, 20


def default_null(units: ScoreMatrix) -> str:
    """How null boards are made unless something else is asked for.

    Returns: "permuted" for counts and for scores of 0 and 1, which can't be centred; else "resampled".
    """
    return "permuted" if units.counts is not None or units.is_binary else "resampled"


def nulls_of(analysis: Analysis) -> tuple[str, ...]:
    """The kinds of null boards that can be made from an analysis, the default first."""
    found = []
    for kind in dict.fromkeys((default_null(analysis.units), *NULLS)):
        try:
            if kind == "runs":
                _twins(analysis)
            else:
                _maker(analysis, kind)
        except AnalysisError:
            continue
        found.append(kind)
    return tuple(found)


def audit(
    analysis: Analysis,
    null: str | None = None,
    boards: int = BOARDS,
    seed: int | None = None,
    *,
    also: Sequence[str] = (),
    workers: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Audit:
    """Run the very procedure of an analysis on boards made from its scores on which nothing differs.

    Parameters
    ----------
    analysis : Analysis
    null : {"resampled", "permuted", "partial", "runs"} or None
        "resampled": every system centred at the common mean, units (or documents) drawn with replacement.
        "permuted": systems exchange their scores within every unit (or document).
        "partial": only systems of the same cluster are made equal, by centring, or by exchanging where scores
        are counts or 0 and 1; false claims are counted among them alone.
        "runs": every system that has several runs against itself, a random half of them against as many
        others, corrected over these pairs; tests that count runs need four runs of a system.
        None takes "permuted" for counts and scores of 0 and 1, else "resampled".
    boards : int
        Null boards, at least 1.
    seed : int or None
        None takes the analysis's.
    also : sequence of str
        Tests to run on the same boards with the same correction, for comparison.
    workers : int
        Boards that are computed at once: by threads, by processes where they take long, or by joblib's
        active backend, such as a Dask cluster. Results don't depend on it.
    progress : callable (boards done, boards in all) or None
    should_stop : callable or None

    Returns
    -------
    Audit

    Raises
    ------
    ConfigError
        Settings that can't be used.
    AnalysisError
        Scores that such null boards can't be made of.
    Cancelled
        `should_stop` said so.

    Notes
    -----
    Choice of test, test and correction are those of the analysis; resampling seeds differ between boards.
    The t test on complete scores takes one matrix product a board.
    Board i depends on the seed and i only. A claim is p_adjusted ≤ alpha.

    Examples
    --------
    >>> from nlpstat_core import AnalysisConfig, ScoreMatrix, analyse
    >>> values = [[3, 1], [4, 3], [5, 3], [6, 5], [9, 5], [4, 4]]
    >>> analysis = analyse(ScoreMatrix(values=values, systems=["A", "B"]), AnalysisConfig(test="t"))
    >>> audit(analysis, null="permuted", boards=50).procedures[0].family_wise < 0.2
    True
    """
    check_analysis(analysis, "audit")
    units, config = analysis.units, analysis.config
    refuse_measured(units, "An audit of the procedure")
    kind = default_null(units) if null is None else null
    if kind not in NULLS:
        raise ConfigError(unknown("null", kind, NULLS))
    boards = whole_number("boards", boards, 1)
    check_workers(workers)
    seed = config.seed if seed is None else whole_number("seed", seed, 0)
    procedures = _procedures(config, also)
    compared = analysis.pairs.left, analysis.pairs.right
    if kind == "runs":
        make, twins, ways = _twins(analysis)
        procedures = tuple(replace(procedure, baseline=None) for procedure in procedures)
        compared = 2 * np.arange(twins), 2 * np.arange(twins) + 1
        null_pair = np.ones(twins, dtype=bool)
    else:
        make, group = _maker(analysis, kind)
        ways = math.inf
        null_pair = group[compared[0]] == group[compared[1]]
    if not null_pair.any():
        raise AnalysisError("No two compared systems share a cluster: there is no pair to make equal.")
    of_boards = partial(
        counts_of_boards, make=make, seed=seed, procedures=procedures, compared=compared, null_pair=null_pair
    )
    quick = sum(goes_quickly(units, procedure) for procedure in procedures)
    each = (len(procedures) - quick + quick / QUICKER) * (null_pair.size * units.n_units + BESIDE)
    long = is_long(int(boards * each), units.values.size)
    at_once = 1 if workers == 1 else max(1, boards // (PIECES * workers), int(FEWEST // each))
    pieces = (range(start, min(start + at_once, boards)) for start in range(0, boards, at_once))
    counted = []
    with stoppable(should_stop), one_blas_thread():
        for some in shared_out(of_boards, pieces, workers, lambda first: long):
            counted += some
            if progress is not None:
                progress(len(counted), boards)
    counts = np.array(counted)
    found = tuple(
        ProcedureAudit(
            config=replace(config, test=procedure.test, question=procedure.question),
            claims=counts[:, which, 0],
            separated=counts[:, which, 1],
            histogram=counts[:, which, 2:].sum(axis=0),
        )
        for which, procedure in enumerate(procedures)
    )
    return Audit(
        analysis=analysis,
        null=kind,
        seed=seed,
        null_pairs=int(np.count_nonzero(null_pair)),
        procedures=found,
        notes=tuple(audit_notes(analysis, kind, ways)),
    )


def _procedures(config: AnalysisConfig, also: Sequence[str]) -> tuple[AnalysisConfig, ...]:
    """The analysis's own procedure and those beside it, for boards of ready evaluation units."""
    if config.delta:
        raise AnalysisError(
            f"On null boards all systems are equal, so a hypothesised difference of {config.delta:g} is not "
            "true there; analyse with delta 0 to audit the procedure."
        )
    if isinstance(also, str):
        raise ConfigError(f"also must be a list of tests, not {shown(also)}.")
    lean = replace(config, effects=(), intervals=(), unit_size=1, shuffle_seed=None, missing="pairwise")
    wanted = dict.fromkeys(key for key in also if key != config.test)
    for key in wanted:
        if key != RECOMMENDED and key not in TESTS:
            raise ConfigError(unknown("test", key, (RECOMMENDED, *TESTS.keys)))
    return (lean, *(replace(lean, test=key) for key in wanted))


def _maker(analysis: Analysis, kind: str) -> tuple[BoardMaker, IntArray]:
    """What makes the boards, and the group of every system that is made equal with others."""
    units, config = analysis.units, analysis.config
    if units.n_units < 2:
        raise AnalysisError("An audit needs at least two items.")
    if kind == "permuted" and units.runs is not None:
        raise AnalysisError(
            "Systems that exchange single scores would lose what makes their training runs differ; use the "
            "null resampled, or runs."
        )
    fixed = units.counts is not None or units.is_binary
    if kind == "resampled" and fixed:
        what = "Counts" if units.counts is not None else "Scores of 0 and 1"
        raise AnalysisError(
            f"{what} can't be centred at a common mean without becoming something else, which would get "
            "other tests; use the null permuted."
        )
    group = np.zeros(units.n_systems, dtype=np.int64)
    if kind == "partial":
        board = analysis.leaderboard
        if board.cluster is None:
            raise AnalysisError(
                "The null partial makes systems of one cluster equal, and there are no clusters with a "
                "baseline; use resampled or permuted."
            )
        parts = board.cluster if board.group is None else board.cluster + units.n_systems * board.group
        group[board.column] = parts
    groups = [np.flatnonzero(group == part) for part in np.unique(group)]
    if kind == "permuted" or (kind == "partial" and fixed):
        return permuted_boards(units, config.block_column, groups), group
    own = bool(analysis.pairs.unpaired.any())
    return resampled_boards(units, config.block_column, groups, own_units=own), group


def _twins(analysis: Analysis) -> tuple[BoardMaker, int, float]:
    """What compares systems with themselves, of how many, and how many boards there are."""
    scores, config = analysis.scores, analysis.config
    if scores.runs is None:
        raise AnalysisError(
            "An audit by runs compares runs of one system with each other; these scores hold one run of each."
        )
    if CORRECTIONS[config.correction].all_pairs_of_a_board:
        raise AnalysisError(
            f"{CORRECTIONS[config.correction].label} corrects all pairs of a board together, and an audit by "
            "runs compares every system with itself only; analyse with holm to audit by runs."
        )
    counted = analysis.units.runs is not None
    # Runs that are samples aren't counted by the analysis, but they are split here all the same.
    kept = replace(config, test=RECOMMENDED, correction="holm", runs="training", baseline=None)
    units = analysis.units if counted else prepared_units(scores, kept)
    if units.n_units < 2:
        raise AnalysisError("An audit needs at least two items.")
    make, twins, ways = halved_runs(units, 2 if counted else 1)
    if not twins:
        most = int(scores.runs.numbers.max())
        raise AnalysisError(
            f"Halves of two runs or more can't be made where no system has four runs (the most here is "
            f"{most}); use the null resampled, or analyse with runs=samples."
            if counted
            else "No system has two runs that could be compared with each other."
        )
    return make, twins, ways
