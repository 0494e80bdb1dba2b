"""block_bounds(scores, config): what an analysis in blocks will take, before it starts."""

from dataclasses import dataclass
from typing import Any

from nlpstat_core.analysis.estimates import Clock, seconds_of_pairs
from nlpstat_core.analysis.given import as_matrix
from nlpstat_core.board.blocks.pair_files import (
    BYTES_OF_A_FILE,
    BYTES_OF_A_PAIR,
    BYTES_OF_AN_EFFECT,
    seconds_of_writing,
)
from nlpstat_core.board.preparation import prepared_units
from nlpstat_core.board.settled import settled
from nlpstat_core.config import SIMULTANEOUS, AnalysisConfig
from nlpstat_core.engine.columns.pairing import binary_columns
from nlpstat_core.errors import AnalysisError, ConfigError
from nlpstat_core.memory import GIB
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.scores.matrix import ScoreMatrix

CORRECTIONS_IN_BLOCKS = tuple(record.key for record in CORRECTIONS if record.in_blocks)
# Pairs of a block, whatever the machine.
PAIRS_OF_A_BLOCK = 500_000


@dataclass(frozen=True, kw_only=True)
class BlockBounds:
    """What an analysis in blocks will take, known before it starts.

    pairs: Number of pairs.
    gib: GiB of the files, at most.
    minutes: On this machine by one thread, about, from a few pairs; None without a clock.

    >>> BlockBounds(pairs=3, gib=0.5, minutes=None).pairs
    3
    """

    pairs: int
    gib: float
    minutes: float | None


def block_bounds(
    scores: ScoreMatrix | Any, config: AnalysisConfig | None = None, *, clock: Clock | None = None
) -> BlockBounds:
    """What `analyse_blocks` will take: pairs, GiB in files, and by a clock minutes.

    Parameters
    ----------
    scores : ScoreMatrix or data frame
        Rows × systems.
    config : AnalysisConfig or None
        Settings; None means the defaults.
    clock : callable () → float or None
        Seconds since any moment, such as `time.perf_counter`.

    Returns
    -------
    BlockBounds

    Raises
    ------
    ConfigError, AnalysisError
        As in `analyse_blocks`.

    Examples
    --------
    >>> block_bounds(ScoreMatrix(values=[[1, 2, 3]] * 5, systems="ABC")).pairs
    3
    """
    scores, config = as_matrix(scores), config or AnalysisConfig()
    config, run, units = prepared_blocks(scores, config)
    pairs = units.n_systems * (units.n_systems - 1) // 2
    minutes = None
    if clock is not None:  # each block begins anew
        of_a_block = min(pairs, PAIRS_OF_A_BLOCK)
        seconds = seconds_of_pairs(units, run, of_a_block, clock) * pairs / of_a_block
        distinct = units.n_units**2 // 8 + 1 if binary_columns(units).all() else PAIRS_OF_A_BLOCK
        seconds += seconds_of_writing(pairs, _bytes_of_a_pair(config) // 8, distinct, clock)
        minutes = seconds / 60
    return BlockBounds(pairs=pairs, gib=bytes_of_blocks(pairs, config) / GIB, minutes=minutes)


def prepared_blocks(
    scores: ScoreMatrix, config: AnalysisConfig
) -> tuple[AnalysisConfig, AnalysisConfig, ScoreMatrix]:
    """What is compared in blocks: settings as told to people and as run, and the units.

    Raises AnalysisError, ConfigError: Scores and settings that need all pairs at once.
    """
    _refuse_together(scores, config)
    config = settled(scores, config)
    run = as_run(config, runs=scores.runs is not None and config.runs == "training")
    return config, run, prepared_units(scores, run)


def bytes_of_blocks(n_pairs: int, config: AnalysisConfig) -> int:
    """Bytes of the files, and of a block that stands there twice while it is decided."""
    each = _bytes_of_a_pair(config)
    files = -(-n_pairs // PAIRS_OF_A_BLOCK)
    return (n_pairs + min(n_pairs, PAIRS_OF_A_BLOCK)) * each + files * BYTES_OF_A_FILE


def _bytes_of_a_pair(config: AnalysisConfig) -> int:
    return BYTES_OF_A_PAIR + BYTES_OF_AN_EFFECT * (len(config.effects) + len(config.intervals))


def _refuse_together(scores: ScoreMatrix, config: AnalysisConfig) -> None:
    """Scores and settings that need all pairs at once."""
    if scores.measured is not None:
        raise AnalysisError(
            "Pairs in blocks compare means: a measure that isn't a mean is recomputed for all pairs together."
        )
    if config.correction not in CORRECTIONS_IN_BLOCKS:
        raise ConfigError(
            f"Pairs in blocks can't be corrected by {config.correction}: choose "
            f"{', '.join(CORRECTIONS_IN_BLOCKS[:-1])} or {CORRECTIONS_IN_BLOCKS[-1]}."
        )
    if config.baseline is not None:
        raise ConfigError("The pairs with a baseline are few: analyse them without blocks.")
    if config.equivalence_margin is not None:
        raise ConfigError(
            "Pairs in blocks have no equivalence: leave out the margin, or choose fewer systems."
        )
    if SIMULTANEOUS in config.intervals:
        raise ConfigError("Pairs in blocks have no simultaneous intervals: leave them out of the intervals.")
