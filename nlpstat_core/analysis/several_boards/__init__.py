"""Several metrics or data sets in one upload: one analysis for each, and what they say together."""

from nlpstat_core.analysis.several_boards.boards import Boards, analyse_boards
from nlpstat_core.analysis.several_boards.partial_conjunction import partial_conjunction

__all__ = ["Boards", "analyse_boards", "partial_conjunction"]
