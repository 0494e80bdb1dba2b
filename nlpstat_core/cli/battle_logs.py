"""`gate` and `changes` where the files hold battles, not scores."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.cli.output import in_form, mind
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError, shown

if TYPE_CHECKING:
    from nlpstat_core.results.gate import Decision
    from nlpstat_core.results.preferences import Preferences


def battle_gate_text(
    options: argparse.Namespace, config: AnalysisConfig, margin: float
) -> tuple[str, Decision]:
    """Run the gate on battles; those of a baseline that is a file join them."""
    from nlpstat_core.analysis.preference_gate import preference_gate
    from nlpstat_core.cli.terminal import plain_name
    from nlpstat_core.notes import warnings
    from nlpstat_core.readers.battles import read_battles
    from nlpstat_core.report.exports.documents.gate import (
        battle_gate_csv,
        battle_gate_junit,
        battle_gate_md,
    )
    from nlpstat_core.report.wording.preference_gate import battle_gate_summary

    _refuse_settings_of_scores(config, ("alpha", "baseline", "equivalence_margin"))
    files, baseline = list(options.files), str(config.baseline)
    if Path(baseline).exists():
        if options.baseline_system is None:
            raise ConfigError(
                f"{shown(baseline)} holds battles; name the baseline among their systems with "
                "--baseline-system."
            )
        files, baseline = [baseline, *files], options.baseline_system
    found = preference_gate(
        read_battles(files),
        baseline=baseline,
        margin=margin,
        candidates=options.candidate or None,
        alpha=config.alpha,
    )
    mind(options, warnings(found.board.notes))
    text = in_form(
        options,
        found,
        junit=battle_gate_junit,
        csv=battle_gate_csv,
        markdown=battle_gate_md,
        plain=partial(battle_gate_summary, name=plain_name),
    )
    return text, found.decision


def battle_changes_text(options: argparse.Namespace, earlier: AnalysisConfig, config: AnalysisConfig) -> str:
    """What differs between the boards of two logs."""
    from nlpstat_core.analysis.preference_gate import preference_changes
    from nlpstat_core.cli.terminal import plain_name
    from nlpstat_core.notes import warnings
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.wording.preference_gate import preference_changes_text

    made = preference_changes(_board(options.before, earlier), _board(options.after, config))
    mind(options, dict.fromkeys([*warnings(made.after.notes), *warnings(made.before.notes)]))
    return json_text(made.to_dict()) if options.json else preference_changes_text(made, plain_name)


def _board(file: str, config: AnalysisConfig) -> Preferences:
    from nlpstat_core.analysis.preferences import rank_preferences
    from nlpstat_core.readers.battles import read_battles

    _refuse_settings_of_scores(config, ("alpha", "correction"))
    return rank_preferences(read_battles(file), correction=config.correction, alpha=config.alpha)


def _refuse_settings_of_scores(config: AnalysisConfig, known: Collection[str]) -> None:
    """Refuse what would change nothing here."""
    usual = AnalysisConfig().to_dict()
    others = [name for name, value in config.to_dict().items() if value != usual[name] and name not in known]
    if others:
        raise ConfigError(
            f"The files hold battles, of which nothing depends on {', '.join(others)}; leave this out, or "
            "compare scores."
        )
