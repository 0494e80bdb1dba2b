"""A posterior as plain data and frames."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.report.exports.data.frames import note_codes, origin
from nlpstat_core.report.exports.data.numbers import number, records
from nlpstat_core.report.exports.data.plain import MOST_PAIRS
from nlpstat_core.results.posterior import PosteriorData
from nlpstat_core.scores.direction import advantage

if TYPE_CHECKING:
    import pandas as pd

BOARD_COLUMNS = (
    "system",
    "score",
    "estimate",
    "interval_low",
    "interval_high",
    "probability_best",
    "expected_rank",
    "rank_low",
    "rank_high",
)


def board_order(found: PosteriorData) -> IntArray:
    """Columns of the systems by expected rank, then by estimate; empty where the board has no model."""
    board = found.board
    if board is None:
        return np.zeros(0, dtype=np.int64)
    worse = -advantage(board.estimate, found.pairs.lower_is_better)
    return np.lexsort((worse, np.round(board.expected_rank, 9)))


def posterior_to_dict(found: PosteriorData) -> dict[str, Any]:
    """The posterior as plain data; undefined numbers are None; above 1,000,000 pairs without pairs."""
    analysis = found.analysis
    return {
        "version": analysis.version,
        "signature": found.signature,
        "fingerprint": analysis.fingerprint,
        "model": found.model,
        "margin": found.margin,
        "threshold": found.threshold,
        "prior_scale": found.scale,
        "draws": found.draws,
        "seed": found.seed,
        "confidence_level": analysis.config.level,
        "notes": [note.to_dict() for note in found.notes],
        "board": _board(found),
        "pairs": [_pair(found, row, entry) for row, entry in enumerate(records(pairs_frame(found)))]
        if len(found.pairs) <= MOST_PAIRS
        else [],
    }


def _board(found: PosteriorData) -> dict[str, Any] | None:
    board = found.board
    if board is None:
        return None
    return {
        "model": board.model,
        "tau": number(board.tau),
        "tau_prior_scale": number(board.prior),
        "covariance_shrinkage": number(board.intensity),
        "systems": records(board_frame(found)),
    }


def _pair(found: PosteriorData, row: int, entry: dict[str, Any]) -> dict[str, Any]:
    notes, log_bf = entry.pop("notes"), entry.pop("log_bayes_factor")
    return {
        **{key: value for key, value in entry.items() if not key.startswith("log_bayes_factor_")},
        "bayes_factor": _factor(found.pairs.log_bf[row]),
        "log_bayes_factor": log_bf,
        "log_bayes_factor_by_scale": {
            scale: entry[f"log_bayes_factor_{scale}"] for scale in ("0.5", "0.707", "1")
        },
        "notes": notes.split(),
    }


def _factor(log_bf: float) -> float | None:
    return number(math.exp(log_bf)) if log_bf < 709 else None


def pairs_frame(found: PosteriorData) -> pd.DataFrame:
    """All pairs, one row each."""
    import pandas as pd

    pairs = found.pairs
    frame = pd.DataFrame(
        {
            "system_a": pairs.system_a,
            "system_b": pairs.system_b,
            "n_units": pairs.n_units,
            "difference": pairs.difference,
            "model": pairs.model,
            "greater": pairs.greater,
            "within": pairs.within,
            "less": pairs.less,
            "estimate": pairs.estimate,
            "interval_low": pairs.interval[:, 0],
            "interval_high": pairs.interval[:, 1],
            "verdict": pairs.verdict,
            "log_bayes_factor": pairs.log_bf,
            "log_bayes_factor_0.5": pairs.sensitivity[:, 0],
            "log_bayes_factor_0.707": pairs.sensitivity[:, 1],
            "log_bayes_factor_1": pairs.sensitivity[:, 2],
            "notes": note_codes(pairs),
        }
    )
    frame.attrs.update({**origin(found.analysis), "signature": found.signature})
    return frame


def board_frame(found: PosteriorData) -> pd.DataFrame:
    """The systems, best expected rank first; empty where the board has no model."""
    import pandas as pd

    board, order = found.board, board_order(found)
    frame = pd.DataFrame({name: [] for name in BOARD_COLUMNS})
    if board is not None:
        frame = pd.DataFrame(
            {
                "system": [board.ranks.systems[column] for column in order],
                "score": board.score[order],
                "estimate": board.estimate[order],
                "interval_low": board.interval[order, 0],
                "interval_high": board.interval[order, 1],
                "probability_best": board.best[order],
                "expected_rank": board.expected_rank[order],
                "rank_low": board.rank_interval[order, 0],
                "rank_high": board.rank_interval[order, 1],
            }
        )
    frame.attrs.update({**origin(found.analysis), "signature": found.signature})
    return frame
