"""Was the test set big enough? Planning, power curves, what a board could tell apart."""

from nlpstat_core.power.board import BoardPower, board_power, stratified_rows
from nlpstat_core.power.crossed_planning import RunsPlan, plan_runs
from nlpstat_core.power.curves import pair_curve, power_curve
from nlpstat_core.power.levels import comparison_alpha
from nlpstat_core.power.neighbours import Neighbours, neighbours
from nlpstat_core.power.planning import PowerPlan, plan, required_units
from nlpstat_core.power.results import PowerCurve
from nlpstat_core.power.simulation import default_sizes, wilson_band
from nlpstat_core.power.unit_sizes import UnitSizes, document_design_effects, unit_sizes

__all__ = [
    "BoardPower",
    "Neighbours",
    "PowerCurve",
    "PowerPlan",
    "RunsPlan",
    "UnitSizes",
    "board_power",
    "comparison_alpha",
    "default_sizes",
    "document_design_effects",
    "neighbours",
    "pair_curve",
    "plan",
    "plan_runs",
    "power_curve",
    "required_units",
    "stratified_rows",
    "unit_sizes",
    "wilson_band",
]
