"""Which systems on a leaderboard really differ: exact paired tests, corrections, effect sizes, power.

>>> import nlpstat_core as ns
>>> ns.AnalysisConfig().correction
'holm'
"""

from nlpstat_core.analysis import Analysis, analyse, compare
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.corrections import adjust_p_values
from nlpstat_core.counts import accuracy_matrix, f1_matrix
from nlpstat_core.errors import (
    AnalysisError,
    Cancelled,
    ConfigError,
    NlpstatError,
    ScoreError,
    ScoreFileError,
)
from nlpstat_core.notes import Note
from nlpstat_core.pairs.pair import PairResult
from nlpstat_core.power import PowerCurve, power_curve, required_units
from nlpstat_core.readers import ScoreBoards, read_boards, read_scores
from nlpstat_core.scores import ScoreMatrix
from nlpstat_core.several import Boards, analyse_boards, partial_conjunction
from nlpstat_core.signflip import sign_flip_p_value
from nlpstat_core.structured import exact_accuracy_p_value, exact_f1_p_value
from nlpstat_core.version import VERSION as __version__

__all__ = [
    "Analysis",
    "AnalysisConfig",
    "AnalysisError",
    "Boards",
    "Cancelled",
    "ConfigError",
    "NlpstatError",
    "Note",
    "PairResult",
    "PowerCurve",
    "ScoreBoards",
    "ScoreError",
    "ScoreFileError",
    "ScoreMatrix",
    "__version__",
    "accuracy_matrix",
    "adjust_p_values",
    "analyse",
    "analyse_boards",
    "compare",
    "exact_accuracy_p_value",
    "exact_f1_p_value",
    "f1_matrix",
    "partial_conjunction",
    "power_curve",
    "read_boards",
    "read_scores",
    "required_units",
    "sign_flip_p_value",
]
