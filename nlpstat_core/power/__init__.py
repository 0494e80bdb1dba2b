"""Was the test set big enough? Planning, power curves, what a board could tell apart."""

from nlpstat_core.power.levels import comparison_alpha
from nlpstat_core.power.planning import PowerPlan, plan, required_units

__all__ = ["PowerPlan", "comparison_alpha", "plan", "required_units"]
