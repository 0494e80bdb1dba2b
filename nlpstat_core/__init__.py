"""Which systems on a leaderboard really differ: exact paired tests, corrections, effect sizes, power.

>>> import nlpstat_core as ns
>>> ns.AnalysisConfig().correction
'holm'
"""

TYPE_CHECKING = False  # to a checker of types it is true
if TYPE_CHECKING:
    from typing import Any

    from nlpstat_core.analysis.analyse import analyse, compare
    from nlpstat_core.analysis.audit import audit
    from nlpstat_core.analysis.audit_result import Audit
    from nlpstat_core.analysis.block_bounds import BlockBounds, block_bounds
    from nlpstat_core.analysis.changes import Changes, changes
    from nlpstat_core.analysis.composite import composite
    from nlpstat_core.analysis.cost import score_against_cost
    from nlpstat_core.analysis.gate import Gate, gate
    from nlpstat_core.analysis.in_blocks import BlockAnalysis, analyse_blocks
    from nlpstat_core.analysis.judge import judge
    from nlpstat_core.analysis.label_plan import plan_labels
    from nlpstat_core.analysis.meta_evaluation import MetaEvaluation, meta_evaluate
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.posterior import Posterior, posterior
    from nlpstat_core.analysis.posterior_of_differences import bayes_factor, posterior_probabilities
    from nlpstat_core.analysis.preference_boards import connected_boards, preference_boards
    from nlpstat_core.analysis.preference_checks import check_preferences
    from nlpstat_core.analysis.preference_gate import preference_changes, preference_gate
    from nlpstat_core.analysis.preferences import rank_preferences
    from nlpstat_core.analysis.rank_tracks import rank_tracks
    from nlpstat_core.analysis.reading_submissions import read_submissions
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.analysis.several_boards import Boards, analyse_boards, partial_conjunction
    from nlpstat_core.analysis.submissions import measure_values
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.engine.count_statistics import exact_accuracy_p_value, exact_f1_p_value
    from nlpstat_core.engine.signflip import sign_flip_p_value
    from nlpstat_core.errors import (
        AnalysisError,
        Cancelled,
        ConfigError,
        NlpstatError,
        ScoreError,
        ScoreFileError,
    )
    from nlpstat_core.measures.record import Measure
    from nlpstat_core.measures.single import measure, measure_difference, measure_p_value
    from nlpstat_core.methods.composite.weighted_mean import composite_p_value
    from nlpstat_core.methods.corrections import adjust_p_values
    from nlpstat_core.methods.correlation.fisher_z import fisher_z
    from nlpstat_core.methods.correlation.permutation import permuted_correlation
    from nlpstat_core.methods.correlation.steiger import steiger
    from nlpstat_core.methods.correlation.williams import williams
    from nlpstat_core.methods.judged.corrected import corrected_mean
    from nlpstat_core.methods.preferences.bradley_terry import (
        bradley_terry_difference,
        bradley_terry_strengths,
    )
    from nlpstat_core.methods.significance.crossed_t import crossed_t_p_value
    from nlpstat_core.notes import Note
    from nlpstat_core.power import PowerCurve, RunsPlan, plan_runs, power_curve, required_units
    from nlpstat_core.readers import ScoreBoards, read_boards, read_scores
    from nlpstat_core.readers.battles import read_battles
    from nlpstat_core.results.cost import CostFront
    from nlpstat_core.results.judge import JudgedBoard
    from nlpstat_core.results.label_plan import LabelPlan
    from nlpstat_core.results.preference_checks import PreferenceChecks
    from nlpstat_core.results.preference_gate import PreferenceChanges, PreferenceGate
    from nlpstat_core.results.preferences import Preferences
    from nlpstat_core.results.tracks import TrackRanking
    from nlpstat_core.scores.battles import Battles
    from nlpstat_core.scores.count_matrices import accuracy_matrix, f1_matrix
    from nlpstat_core.scores.matrix import ScoreMatrix
    from nlpstat_core.scores.score_battles import battles_of_scores
    from nlpstat_core.scores.submissions import Submissions
    from nlpstat_core.version import VERSION as __version__

__all__ = [
    "Analysis",
    "AnalysisConfig",
    "AnalysisError",
    "Audit",
    "Battles",
    "BlockAnalysis",
    "BlockBounds",
    "Boards",
    "Cancelled",
    "Changes",
    "ConfigError",
    "CostFront",
    "Gate",
    "JudgedBoard",
    "LabelPlan",
    "Measure",
    "MetaEvaluation",
    "NlpstatError",
    "Note",
    "PairResult",
    "Posterior",
    "PowerCurve",
    "PreferenceChanges",
    "PreferenceChecks",
    "PreferenceGate",
    "Preferences",
    "RunsPlan",
    "ScoreBoards",
    "ScoreError",
    "ScoreFileError",
    "ScoreMatrix",
    "Submissions",
    "TrackRanking",
    "__version__",
    "accuracy_matrix",
    "adjust_p_values",
    "analyse",
    "analyse_blocks",
    "analyse_boards",
    "audit",
    "battles_of_scores",
    "bayes_factor",
    "block_bounds",
    "bradley_terry_difference",
    "bradley_terry_strengths",
    "changes",
    "check_preferences",
    "compare",
    "composite",
    "composite_p_value",
    "connected_boards",
    "corrected_mean",
    "crossed_t_p_value",
    "exact_accuracy_p_value",
    "exact_f1_p_value",
    "f1_matrix",
    "fisher_z",
    "gate",
    "judge",
    "measure",
    "measure_difference",
    "measure_p_value",
    "measure_values",
    "meta_evaluate",
    "partial_conjunction",
    "permuted_correlation",
    "plan_labels",
    "plan_runs",
    "posterior",
    "posterior_probabilities",
    "power_curve",
    "preference_boards",
    "preference_changes",
    "preference_gate",
    "rank_preferences",
    "rank_tracks",
    "read_battles",
    "read_boards",
    "read_scores",
    "read_submissions",
    "required_units",
    "score_against_cost",
    "sign_flip_p_value",
    "steiger",
    "williams",
]

# Where each name is. They are loaded when first asked for: the command line has to be able to stop in silence
# while it loads them, and `nlpstat --version` needs none.
_HOMES = {
    "analysis.analyse": ("analyse", "compare"),
    "analysis.preference_checks": ("check_preferences",),
    "analysis.preference_gate": ("preference_changes", "preference_gate"),
    "analysis.preferences": ("rank_preferences",),
    "analysis.result": ("Analysis",),
    "analysis.audit": ("audit",),
    "analysis.audit_result": ("Audit",),
    "analysis.block_bounds": ("BlockBounds", "block_bounds"),
    "analysis.changes": ("Changes", "changes"),
    "analysis.composite": ("composite",),
    "analysis.preference_boards": ("connected_boards", "preference_boards"),
    "analysis.cost": ("score_against_cost",),
    "analysis.gate": ("Gate", "gate"),
    "analysis.in_blocks": ("BlockAnalysis", "analyse_blocks"),
    "analysis.judge": ("judge",),
    "analysis.rank_tracks": ("rank_tracks",),
    "analysis.label_plan": ("plan_labels",),
    "analysis.meta_evaluation": ("MetaEvaluation", "meta_evaluate"),
    "analysis.pair": ("PairResult",),
    "analysis.posterior": ("Posterior", "posterior"),
    "analysis.posterior_of_differences": ("bayes_factor", "posterior_probabilities"),
    "analysis.several_boards": ("Boards", "analyse_boards", "partial_conjunction"),
    "analysis.reading_submissions": ("read_submissions",),
    "analysis.submissions": ("measure_values",),
    "power": ("PowerCurve", "RunsPlan", "plan_runs", "power_curve", "required_units"),
    "config": ("AnalysisConfig",),
    "engine.count_statistics": ("exact_accuracy_p_value", "exact_f1_p_value"),
    "engine.signflip": ("sign_flip_p_value",),
    "errors": ("AnalysisError", "Cancelled", "ConfigError", "NlpstatError", "ScoreError", "ScoreFileError"),
    "measures.record": ("Measure",),
    "measures.single": ("measure", "measure_difference", "measure_p_value"),
    "methods.corrections": ("adjust_p_values",),
    "methods.composite.weighted_mean": ("composite_p_value",),
    "methods.correlation.fisher_z": ("fisher_z",),
    "methods.correlation.permutation": ("permuted_correlation",),
    "methods.correlation.steiger": ("steiger",),
    "methods.correlation.williams": ("williams",),
    "methods.judged.corrected": ("corrected_mean",),
    "methods.preferences.bradley_terry": ("bradley_terry_difference", "bradley_terry_strengths"),
    "methods.significance.crossed_t": ("crossed_t_p_value",),
    "notes": ("Note",),
    "readers": ("ScoreBoards", "read_boards", "read_scores"),
    "readers.battles": ("read_battles",),
    "results.cost": ("CostFront",),
    "results.judge": ("JudgedBoard",),
    "results.label_plan": ("LabelPlan",),
    "results.tracks": ("TrackRanking",),
    "results.preference_checks": ("PreferenceChecks",),
    "results.preference_gate": ("PreferenceChanges", "PreferenceGate"),
    "results.preferences": ("Preferences",),
    "scores.battles": ("Battles",),
    "scores.count_matrices": ("accuracy_matrix", "f1_matrix"),
    "scores.matrix": ("ScoreMatrix",),
    "scores.score_battles": ("battles_of_scores",),
    "scores.submissions": ("Submissions",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> "Any":
    """A public name at its first use."""
    import importlib

    if name == "__version__":
        found = importlib.import_module("nlpstat_core.version").VERSION
    elif name in _HOME_OF:
        found = getattr(importlib.import_module(f"nlpstat_core.{_HOME_OF[name]}"), name)
    else:
        raise AttributeError(f"module 'nlpstat_core' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
