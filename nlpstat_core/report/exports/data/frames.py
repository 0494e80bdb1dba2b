"""An analysis as pandas frames: full-precision numbers, no time, path or worker count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.report.wording.few_units import marked_systems
from nlpstat_core.report.wording.titles import about
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import PairTable
from nlpstat_core.results.posterior import PosteriorTable
from nlpstat_core.scores.documents import shared_documents

if TYPE_CHECKING:
    import pandas as pd


def provenance(analysis: AnalysisData) -> dict[str, str]:
    """What every table and file says about its origin; `signature` and `fingerprint`."""
    return {"signature": analysis.signature, "fingerprint": analysis.fingerprint}


def origin(analysis: AnalysisData) -> dict[str, str]:
    """Metric and data set where the file names them, `signature` and `fingerprint`: what frames carry."""
    return {**about(analysis), **provenance(analysis)}


def pairs_frame(analysis: AnalysisData) -> pd.DataFrame:
    """All pairs, one row each, in table order.

    Returns: The JSON's columns; intervals as two columns, note codes joined by spaces. `n_units` counts items
        (evaluation units); where documents are compared, `n_documents` counts these.
    """
    import pandas as pd

    pairs = analysis.pairs
    plain = (
        *("system_a", "system_b", "n_units", "n_a", "n_b", "score_a", "score_b", "difference", "interval"),
        *("test", "statistic", "p_value", "log10_p", "p_kind", "hypothesis", "p_adjusted"),
        *("significant", "better", "verdict"),
    )
    columns: dict[str, object] = {}
    for name in plain:
        if name == "interval":
            columns["interval_low"], columns["interval_high"] = pairs.interval[:, 0], pairs.interval[:, 1]
            if pairs.interval_simultaneous is not None:
                columns["interval_simultaneous_low"] = pairs.interval_simultaneous[:, 0]
                columns["interval_simultaneous_high"] = pairs.interval_simultaneous[:, 1]
        else:
            columns[name] = pairs[name]
        if (
            name == "n_b"
            and (documents := shared_documents(analysis.units, analysis.config, pairs.left, pairs.right))
            is not None
        ):
            columns["n_documents"] = documents
        if name == "statistic" and pairs.df is not None:
            columns["df"] = pairs.df
        if name == "p_adjusted" and pairs.p_equivalence is not None:
            columns["p_equivalence"] = pairs.p_equivalence
            columns["p_equivalence_adjusted"] = pairs.p_equivalence_adjusted
    for of, found in (*pairs.effects.items(), *pairs.estimates.items()):
        columns[of] = found.value
        if found.interval is not None:
            columns[f"{of}_low"], columns[f"{of}_high"] = found.interval[:, 0], found.interval[:, 1]
    columns["skewness"] = pairs.diagnosis.skewness
    columns["rests_on_few"] = pairs.rests_on_few
    columns["normality_p"] = pairs.diagnosis.normality_p
    columns["notes"] = note_codes(pairs)
    return _signed(pd.DataFrame(columns), analysis)


def note_codes(pairs: PairTable | PosteriorTable) -> list[str]:
    """The codes of every pair's notes, joined by spaces."""
    codes = np.full(len(pairs), "", dtype=object)
    for code, mask in sorted(pairs.notes.items()):
        codes[mask] += code + " "
    return [text.strip() for text in codes]


def _signed(frame: pd.DataFrame, analysis: AnalysisData) -> pd.DataFrame:
    frame.attrs.update(origin(analysis))
    return frame


def leaderboard_frame(analysis: AnalysisData) -> pd.DataFrame:
    """The leaderboard, best system first."""
    import pandas as pd

    board = analysis.leaderboard
    frame = pd.DataFrame(
        {
            "rank": board.rank,
            "system": list(board.system),
            "score": board.score,
            "interval_low": board.interval[:, 0],
            "interval_high": board.interval[:, 1],
            "n_units": board.n_units,
        }
    )
    if board.own_score is not None:
        frame["own_score"] = board.own_score
    if board.group is not None:
        frame["group"] = board.group
    if board.rank_interval is not None:
        frame["rank_low"], frame["rank_high"] = board.rank_interval[:, 0], board.rank_interval[:, 1]
    if board.cluster is not None:
        frame["cluster"] = board.cluster
    if board.letters is not None:
        frame["letters"] = list(board.letters)
    few = marked_systems(analysis)
    if few.any():
        frame["pairs_on_few"] = few
    return _signed(frame, analysis)


def p_matrix(analysis: AnalysisData, adjusted: bool = True) -> pd.DataFrame:
    """Symmetric matrix of p-values, systems in column order.

    Returns pandas.DataFrame, shape (n_systems, n_systems): NaN on the diagonal and where a pair was not
        compared or is undefined.
    """
    import pandas as pd

    pairs = analysis.pairs
    names = list(pairs.systems)
    matrix = np.full((len(names), len(names)), np.nan)
    p_values = pairs.p_adjusted if adjusted else pairs.p_value
    matrix[pairs.left, pairs.right] = p_values
    matrix[pairs.right, pairs.left] = p_values
    return _signed(pd.DataFrame(matrix, index=names, columns=names), analysis)
