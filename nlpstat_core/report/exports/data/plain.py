"""An analysis as plain data: the shape of analysis.json."""

import json
import math
from typing import Any

import numpy as np

from nlpstat_core.errors import ScoreError
from nlpstat_core.methods.omnibus.outcome import Omnibus
from nlpstat_core.notes import Note
from nlpstat_core.report.exports.data.by_label import board_by_label, label_scores_to_list
from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.data.numbers import interval, number
from nlpstat_core.report.exports.data.runs import runs_dict
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.pair import Estimate, PairData

# A board of thousands of systems has millions of pairs; the complete table is pairs.csv.
MOST_PAIRS_IN_FULL = 50_000
MOST_PAIRS = 1_000_000
# What is told of every pair, by the names of its columns and in this order; and what is words or nothing.
OF_PAIRS = (
    *("system_a", "system_b", "n_units", "n_a", "n_b", "score_a", "score_b", "difference", "interval"),
    *("interval_simultaneous", "test", "statistic", "df", "p_value", "log10_p", "p_kind", "hypothesis"),
    *("p_adjusted", "p_equivalence", "p_equivalence_adjusted", "significant", "better", "verdict"),
)
WORDS = ("test", "p_kind", "hypothesis", "better", "verdict")


def analysis_to_dict(analysis: AnalysisData) -> dict[str, Any]:
    """The analysis as plain data.

    Returns: Above 50,000 pairs without the pairs' diagnosis and notes, above 1,000,000 without pairs; a note
        says so.
    """
    config = {**analysis.config.to_dict(), "reading": dict(analysis.scores.reading)}
    notes = [note.to_dict() for note in analysis.notes]
    count = len(analysis.pairs)
    if count > MOST_PAIRS:
        text = f"The {count:,} pairs are not listed here; pairs.csv holds all of them."
        notes.append(Note("pairs-left-out", "info", text).to_dict())
    elif count > MOST_PAIRS_IN_FULL:
        text = f"With {count:,} pairs, diagnosis and notes of single pairs are left out."
        notes.append(Note("pair-details-left-out", "info", text).to_dict())
    return {
        "version": analysis.version,
        "signature": analysis.signature,
        "fingerprint": analysis.fingerprint,
        "config": config,
        **_measure(analysis),
        "systems": analysis.units.n_systems,
        "units": analysis.units.n_units,
        "family_size": analysis.family_size,
        "notes": notes,
        "leaderboard": leaderboard_rows(analysis),
        "pairs": pair_rows(analysis) if count <= MOST_PAIRS else [],
        "omnibus": _omnibus(analysis),
        **_by_label(analysis),
        **({} if (runs := runs_dict(analysis)) is None else {"runs": runs}),
    }


def _measure(analysis: AnalysisData) -> dict[str, Any]:
    """The measure that systems are ranked by, where it is not a mean of item scores."""
    measured = analysis.units.measured
    if measured is None:
        return {}
    named = {"name": measured.key, "label": measured.label, "signature": measured.signature}
    return {"measure": {**named, "options": dict(measured.options)}}


def _by_label(analysis: AnalysisData) -> dict[str, Any]:
    """Precision, recall and F1 of every label; nothing where scores don't come from labels or tags."""
    found = board_by_label(analysis)
    if found is None:
        return {}
    rows = label_scores_to_list(found)
    return {
        "by_label": [
            {**row, "system": visible(row["system"]), "label": visible(row["label"])} for row in rows
        ]
    }


def leaderboard_rows(analysis: AnalysisData) -> list[dict[str, Any]]:
    """The leaderboard, one dict per system, best first."""
    board = analysis.leaderboard
    rows = []
    for i, system in enumerate(board.system):
        ranks = None if board.rank_interval is None else [int(end) for end in board.rank_interval[i]]
        also: dict[str, Any] = {} if board.own_score is None else {"own_score": number(board.own_score[i])}
        if board.group is not None:
            also["group"] = int(board.group[i])
        rows.append(
            {
                "system": visible(system),
                "rank": int(board.rank[i]),
                "score": number(board.score[i]),
                **also,
                "n_units": int(board.n_units[i]),
                "interval": interval(board.interval[i]),
                "rank_interval": ranks,
                "cluster": None if board.cluster is None else int(board.cluster[i]),
                "letters": None if board.letters is None else board.letters[i],
            }
        )
    return rows


def pair_rows(analysis: AnalysisData) -> list[dict[str, Any]]:
    """The pairs in table order, one dict each."""
    from nlpstat_core.methods.diagnosis.lists import diagnosis_dict
    from nlpstat_core.report.wording import pair_notes

    pairs = analysis.pairs
    in_full = len(pairs) <= MOST_PAIRS_IN_FULL
    columns = {name: pairs[name] for name in OF_PAIRS}
    codes_of = _codes_by_row(analysis) if in_full else {}
    rows = []
    for row in range(len(pairs)):
        own = {name: None if column is None else column[row] for name, column in columns.items()}
        entry = _entry(own, _table_estimate(analysis, row), _table_effects(analysis, row))
        if in_full:
            entry["diagnosis"] = diagnosis_dict(pairs.diagnosis, row, analysis.config.question)
            entry["notes"] = [note.to_dict() for note in pair_notes(analysis, row, codes_of.get(row, ()))]
        rows.append(entry)
    return rows


def _entry(
    own: dict[str, Any], estimate: dict[str, Any] | None, effects: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """A pair as an entry of analysis.json. `own`: by OF_PAIRS; what is None there may be left out."""
    entry: dict[str, Any] = {}
    for name, value in own.items():
        if name in OF_PAIRS[:2]:  # the settings keep a name as it is: they are read back
            entry[name] = visible(str(value))
        elif name.startswith("interval"):
            entry |= {} if value is None else {name: interval(value)}
        elif name in WORDS:
            entry[name] = value
        elif name == "significant":
            entry[name] = bool(value)
        elif name.startswith("n_"):
            entry[name] = int(value)
        elif value is not None:
            entry[name] = number(value)
    return {**entry, "estimate": estimate, "effects": effects}


def _codes_by_row(analysis: AnalysisData) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code, mask in analysis.pairs.notes.items():
        for row in np.flatnonzero(mask):
            found.setdefault(int(row), []).append(code)
    return found


def _table_effects(analysis: AnalysisData, row: int) -> dict[str, Any]:
    return {
        key: {
            "value": number(effect.value[row]),
            "interval": None if effect.interval is None else interval(effect.interval[row]),
        }
        for key, effect in analysis.pairs.effects.items()
    }


def _table_estimate(analysis: AnalysisData, row: int) -> dict[str, Any] | None:
    for of, estimate in analysis.pairs.estimates.items():
        if not math.isnan(estimate.value[row]):
            ends = None if estimate.interval is None else interval(estimate.interval[row])
            return {"of": of, "value": number(estimate.value[row]), "interval": ends}
    return None


def _omnibus(analysis: AnalysisData) -> dict[str, Any] | None:
    omnibus = analysis.omnibus
    if omnibus is None:
        return None
    return {**_omnibus_test(omnibus), "also": [_omnibus_test(test) for test in omnibus.also]}


def _omnibus_test(omnibus: Omnibus) -> dict[str, Any]:
    return {
        "test": omnibus.test,
        "statistic": number(omnibus.statistic),
        "p_value": number(omnibus.p_value),
        "log10_p": number(omnibus.log10_p),
        "degrees_of_freedom": list(omnibus.degrees_of_freedom),
        "n_units": omnibus.n_units,
    }


def pair_to_dict(pair: PairData) -> dict[str, Any]:
    """One pair with everything, in the shape of an entry of analysis.json."""
    estimate = None if pair.estimate is None else {"of": pair.estimate.of, **_ends(pair.estimate)}
    effects = {key: _ends(effect) for key, effect in pair.effects.items()}
    return {
        **_entry({name: getattr(pair, name) for name in OF_PAIRS}, estimate, effects),
        "diagnosis": pair.diagnosis.to_dict(),
        "notes": [note.to_dict() for note in pair.notes],
    }


def _ends(estimate: Estimate) -> dict[str, Any]:
    return {"value": number(estimate.value), "interval": interval(estimate.interval)}


def json_text(data: Any) -> str:
    """JSON as this project writes it: indented, UTF-8, no NaN.

    Raises ScoreError: A name that is not valid Unicode.
    """
    text = json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ScoreError("A name holds characters that are not valid Unicode; rename the system.") from error
    return text


def replay_json(analysis: AnalysisData) -> str:
    """The settings and reading choices as a file for --config."""
    return json_text({**analysis.config.to_dict(), "reading": dict(analysis.scores.reading)})
