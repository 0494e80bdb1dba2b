"""Several boards as plain data and as frames: boards.json and the CSV files beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nlpstat_core.notes import Note
from nlpstat_core.report.exports.data.names import plain_file_name, visible
from nlpstat_core.report.exports.data.numbers import number
from nlpstat_core.report.exports.data.plain import MOST_PAIRS_IN_FULL, analysis_to_dict
from nlpstat_core.report.wording import top_group
from nlpstat_core.report.wording.several_boards import boards_headline
from nlpstat_core.results.several_boards import BoardsData, PooledData, Replicability

if TYPE_CHECKING:
    import pandas as pd


def replay_of_boards(boards: BoardsData) -> dict[str, Any]:
    """Settings, reading choices and what the boards are: a file for --config."""
    reading = {key: value for key, value in boards.reading.items() if key != "lower"}
    chosen = {"each": boards.each, "family": boards.family, "combination": boards.combination}
    lower = boards.reading.get("lower")
    return {
        **boards.config.to_dict(),
        "reading": reading,
        "boards": chosen if lower is None else {**chosen, "lower": list(lower)},
    }


def folder_names(boards: BoardsData) -> dict[str, str]:
    """A folder for every board, by its name."""
    digits = len(str(len(boards)))
    return {
        name: f"{place:0{digits}d}-{plain_file_name(visible(name))}"
        for place, name in enumerate(boards.analyses, start=1)
    }


def boards_to_dict(boards: BoardsData) -> dict[str, Any]:
    """Several boards as plain data; the analyses themselves are in the boards' folders."""
    folders = folder_names(boards)
    notes = [note.to_dict() for note in boards.notes]
    in_full = len(boards.agreement) <= MOST_PAIRS_IN_FULL
    if not in_full:
        text = (
            "The pairs are too many to be listed here; agreement.csv and replicability.csv hold all of them."
        )
        notes.append(Note("pairs-left-out", "info", text).to_dict())
    return {
        "version": boards.version,
        "signature": boards.signature,
        "config": replay_of_boards(boards),
        "each": boards.each,
        "family": boards.family,
        "family_size": boards.family_size,
        "headline": boards_headline(boards),
        "notes": notes,
        "boards": [
            {
                "name": name,
                "folder": folders[name],
                "fingerprint": analysis.fingerprint,
                "lower_is_better": analysis.scores.lower_is_better,
                "systems": analysis.units.n_systems,
                "units": analysis.units.n_units,
                "family_size": analysis.family_size,
                "separated": int(analysis.pairs.separated.sum()),
                "top_group": list(top_group(analysis.leaderboard)),
            }
            for name, analysis in boards.analyses.items()
        ],
        "agreement": agreement_frame(boards).to_dict("records") if in_full else [],
        "over_datasets": None if boards.pooled is None else _pooled_dict(boards.pooled),
        "replicability": None
        if boards.replicability is None
        else _replicability_dict(boards.replicability, in_full),
    }


def _pooled_dict(found: PooledData) -> dict[str, Any]:
    data = analysis_to_dict(found.analysis)
    ranked = None
    if found.ranks is not None:
        ranked = {
            "alpha": found.ranks.alpha,
            "critical_difference": found.ranks.critical_difference,
            "systems": ranks_frame(found).to_dict("records"),
        }
    return {**data, "systems_everywhere": list(found.everywhere), "average_ranks": ranked}


def _replicability_dict(found: Replicability, in_full: bool) -> dict[str, Any]:
    rows = []
    for row in range(len(found) if in_full else 0):
        n = int(found.n_datasets[row])
        named = (found.named[:, row], found.named_together[:, row])
        rows.append(
            {
                "better": found.systems[found.better[row]],
                "worse": found.systems[found.worse[row]],
                "n_datasets": n,
                "at_least": int(found.at_least[row]),
                "at_least_together": int(found.at_least_together[row]),
                "p_at_least": [number(p) for p in found.p_at_least[:n, row]],
                "p_values": [number(p) for p in found.p_values[:, row]],
                "named": [name for name, there in zip(found.datasets, named[0], strict=True) if there],
                "named_together": [
                    name for name, there in zip(found.datasets, named[1], strict=True) if there
                ],
            }
        )
    return {
        "combination": found.method,
        "alpha": found.alpha,
        "confidence": 1 - found.alpha,
        "statements": len(found),
        "datasets": list(found.datasets),
        "pairs": rows,
    }


def boards_frame(boards: BoardsData) -> pd.DataFrame:
    """One row per board."""
    import pandas as pd

    rows = []
    for name, analysis in boards.analyses.items():
        rows.append(
            {
                boards.each: name,
                "lower_is_better": analysis.scores.lower_is_better,
                "systems": analysis.units.n_systems,
                "units": analysis.units.n_units,
                "family_size": analysis.family_size,
                "pairs": len(analysis.pairs),
                "separated": int(analysis.pairs.separated.sum()),
                "top_group": "; ".join(top_group(analysis.leaderboard)),
            }
        )
    return pd.DataFrame(rows)


def agreement_frame(boards: BoardsData) -> pd.DataFrame:
    """One row per pair: on how many boards it is decided in which way."""
    import pandas as pd

    found = boards.agreement
    return pd.DataFrame(
        {
            "system_a": found.system_a,
            "system_b": found.system_b,
            "boards": found.boards,
            "a_better": found.for_a,
            "b_better": found.for_b,
            "not_separated": found.neither,
        }
    )


def replicability_frame(found: Replicability) -> pd.DataFrame:
    """One row per direction of a pair; after the counts the one-sided p-value of every data set."""
    import pandas as pd

    names = pd.Series(found.systems, dtype=object)
    frame = pd.DataFrame(
        {
            "better": names.iloc[found.better].to_numpy(),
            "worse": names.iloc[found.worse].to_numpy(),
            "n_datasets": found.n_datasets,
            "at_least": found.at_least,
            "at_least_together": found.at_least_together,
        }
    )
    p_values = pd.DataFrame({f"p {name}": found.p_values[i] for i, name in enumerate(found.datasets)})
    return pd.concat([frame, p_values], axis=1)


def ranks_frame(found: PooledData) -> pd.DataFrame:
    """Average ranks over data sets, best first; empty where too few systems are in every data set."""
    import pandas as pd

    if found.ranks is None:
        return pd.DataFrame({"system": [], "average_rank": []})
    frame = pd.DataFrame({"system": found.ranks.systems, "average_rank": found.ranks.average_rank})
    return frame.sort_values("average_rank", kind="stable", ignore_index=True)
