"""The sign-flip distribution: exact tails of sums of independently signed weights."""

from nlpstat_core.engine.signflip.binomial import binomial_tail_columns
from nlpstat_core.engine.signflip.columns import sign_flip_columns, sign_flip_rows, weighted_sign_flip_columns
from nlpstat_core.engine.signflip.median import permutation_median_columns
from nlpstat_core.engine.signflip.outcome import ALTERNATIVES, KINDS, Tail, TailColumns
from nlpstat_core.engine.signflip.tail import sign_flip_p_value, sign_flip_tail

__all__ = [
    "ALTERNATIVES",
    "KINDS",
    "Tail",
    "TailColumns",
    "binomial_tail_columns",
    "permutation_median_columns",
    "sign_flip_columns",
    "sign_flip_p_value",
    "sign_flip_rows",
    "sign_flip_tail",
    "weighted_sign_flip_columns",
]
