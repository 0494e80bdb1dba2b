"""Metrics judged by people as JSON, CSV and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nlpstat_core.report.exports.latex import long_table
from nlpstat_core.report.exports.latex_text import PREAMBLE, broken, text
from nlpstat_core.report.exports.names import short_names
from nlpstat_core.report.exports.numbers import number
from nlpstat_core.report.exports.plain import json_text
from nlpstat_core.report.exports.table import Cell, Column, Table
from nlpstat_core.report.exports.tables import csv_text
from nlpstat_core.report.wording.metrics import LABELS, disagreement_sentence, headline, reason

if TYPE_CHECKING:
    from nlpstat_core.analysis.meta_evaluation import MetaEvaluation


def metrics_frame(found: MetaEvaluation) -> pd.DataFrame:
    """One row per metric: every statistic with its interval and cluster."""
    columns: dict[str, Any] = {"metric": list(found.metrics)}
    for name in LABELS:
        columns[name] = found.values(name)
        columns[f"{name} lower"] = [one.lower[name] for one in found.found]
        columns[f"{name} upper"] = [one.upper[name] for one in found.found]
        columns[f"{name} rank"] = found.ranks(name)
    columns["acc-eq threshold"] = [one.threshold for one in found.found]
    columns["cells"] = [found.judged.cells[name] for name in found.metrics]
    return pd.DataFrame(columns)


def comparisons_frame(found: MetaEvaluation) -> pd.DataFrame:
    """One row per pair of metrics and statistic."""
    parts = []
    for name in LABELS:
        values = found.values(name)
        parts.append(
            pd.DataFrame(
                {
                    "statistic": name,
                    "metric_a": [found.metrics[i] for i in found.left],
                    "metric_b": [found.metrics[i] for i in found.right],
                    "difference": values[found.left] - values[found.right],
                    "p_value": found.p_values[name],
                    "p_adjusted": found.p_adjusted[name],
                    "significant": found.p_adjusted[name] <= found.alpha,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def systems_frame(found: MetaEvaluation) -> pd.DataFrame:
    """One row per metric and system: both means, higher being better, over the cells both have."""
    rows = []
    for name, one in zip(found.metrics, found.found, strict=True):
        for place, system in enumerate(found.judged.systems):
            rows.append(
                {
                    "metric": name,
                    "system": system,
                    "human": one.human_scores[place],
                    "score": one.system_scores[place],
                }
            )
    return pd.DataFrame(rows)


def disagreements_frame(found: MetaEvaluation) -> pd.DataFrame:
    """One row per pair of systems that a metric and people order differently, both significantly."""
    names = ["metric", "people_prefer", "metric_prefers", "p_human", "p_metric"]
    return pd.DataFrame(
        [[getattr(one, name) for name in names] for one in found.disagreements], columns=names
    )


def metrics_to_dict(found: MetaEvaluation) -> dict[str, Any]:
    """A meta-evaluation as plain data."""
    metrics = []
    for place, (name, one) in enumerate(zip(found.metrics, found.found, strict=True)):
        metrics.append(
            {
                "metric": name,
                "cells": found.judged.cells[name],
                "without_systems": list(found.judged.without.get(name, ())),
                "tie_threshold": number(one.threshold),
                "statistics": {
                    key: {
                        "value": number(one.values[key]),
                        "lower": number(one.lower[key]),
                        "upper": number(one.upper[key]),
                        "rank": int(found.ranks(key)[place]) or None,
                    }
                    for key in LABELS
                },
            }
        )
    comparisons = [
        {
            "statistic": key,
            "metric_a": found.metrics[a],
            "metric_b": found.metrics[b],
            "p_value": number(found.p_values[key][pair]),
            "p_adjusted": number(found.p_adjusted[key][pair]),
            "significant": bool(found.p_adjusted[key][pair] <= found.alpha),
        }
        for key in LABELS
        for pair, (a, b) in enumerate(zip(found.left, found.right, strict=True))
        if not np.isnan(found.p_values[key][pair])
    ]
    return {
        "version": found.version,
        "signature": found.signature,
        "human": {"metric": found.human.name, "reason": reason(found), "others": list(found.human.others)},
        "headline": headline(found),
        "alpha": found.alpha,
        "correction": found.correction,
        "systems": list(found.judged.systems),
        "units": found.judged.n_units,
        "notes": [note.to_dict() for note in found.notes],
        "metrics": metrics,
        "comparisons": comparisons,
        "disagreements": disagreements_frame(found).to_dict("records"),
    }


def metrics_table(found: MetaEvaluation) -> Table:
    """Every metric with every statistic, best first by soft pairwise accuracy."""
    order = np.argsort(-found.values("soft-pairwise-accuracy"), kind="stable")
    ranks = {name: found.ranks(name) for name in LABELS}
    rows = []
    for place in order:
        cells = [Cell(found.metrics[place], name=True)]
        for name in LABELS:
            value = found.found[place].values[name]
            shown = "n/a" if np.isnan(value) else f"{value:.3f}"
            compared = not np.isnan(value) and not np.isnan(found.p_values[name]).all()
            cells.append(Cell(f"{shown} ({ranks[name][place]})" if compared else shown, key=value))
        rows.append(tuple(cells))
    remark = "In brackets the rank of the metric's cluster: metrics that no significant difference separates."
    columns = (Column("Metric"), *(Column(label, numbers=True) for label in LABELS.values()))
    return Table("Metrics judged by people", columns, tuple(rows), remark)


def metrics_tables(found: MetaEvaluation) -> tuple[Table, Table]:
    """Statistics of systems, and of segments: the halves of `metrics_table`, which fit on a page."""
    whole = metrics_table(found)
    over_systems = [name.startswith(("soft", "system")) for name in LABELS]
    halves = [
        [0, *(i + 1 for i, own in enumerate(over_systems) if own is wanted)] for wanted in (True, False)
    ]
    systems, segments = (
        Table(
            title,
            tuple(whole.columns[i] for i in chosen),
            tuple(tuple(row[i] for i in chosen) for row in whole.rows),
            remark,
        )
        for title, chosen, remark in ((whole.title, halves[0], ""), ("Segments", halves[1], whole.remark))
    )
    return systems, segments


def metrics_tex(found: MetaEvaluation) -> str:
    """A LaTeX document that compiles by itself."""
    names = dict(zip(found.metrics, short_names(found.metrics, 24), strict=True))
    tables = metrics_tables(found)
    listed = "\n".join(f"\\item[{note.severity}] {text(note.text)}" for note in found.notes)
    parts = [
        PREAMBLE,
        "\\begin{document}\n\\section*{Metrics judged by people}",
        f"\\noindent\\textbf{{{broken(headline(found))}}}",
        f"{text(reason(found))} {text(disagreement_sentence(found))}",
        f"\\begin{{description}}\n{listed}\n\\end{{description}}" if listed else "",
        *("{\\footnotesize\n" + long_table(table, names) + "\n}" for table in tables),
        f"\\bigskip\\noindent{{\\footnotesize\\sloppy {broken(found.signature)}\\par}}",
        "\\end{document}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def metrics_files(found: MetaEvaluation) -> dict[str, str]:
    """Every file of a meta-evaluation, by name."""
    return {
        "metrics.json": json_text(metrics_to_dict(found)),
        "metrics.csv": csv_text(metrics_frame(found)),
        "comparisons.csv": csv_text(comparisons_frame(found)),
        "systems.csv": csv_text(systems_frame(found)),
        "disagreements.csv": csv_text(disagreements_frame(found)),
        "metrics.tex": metrics_tex(found),
    }
