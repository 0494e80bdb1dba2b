"""Resampling: shared random numbers, products for all pairs at once, the Monte Carlo rule.

The random numbers of a run depend on the seed, the position of a unit in the canonical order and the
number of the resample; never on workers, systems or the order in which work is done.
"""

from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.resampling.monte_carlo import monte_carlo_p, reached, standard_error, tie_tolerance
from nlpstat_core.engine.resampling.streams import CHUNK, count_chunks, sign_chunks, stratified_chunks

__all__ = [
    "CHUNK",
    "count_chunks",
    "monte_carlo_p",
    "one_blas_thread",
    "reached",
    "sign_chunks",
    "standard_error",
    "stratified_chunks",
    "tie_tolerance",
]
