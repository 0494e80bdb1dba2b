"""All tests of all systems together that suit a board."""

from dataclasses import replace

import numpy as np

from nlpstat_core.methods.omnibus.anova import repeated_measures_anova
from nlpstat_core.methods.omnibus.cochran_q import cochran_q
from nlpstat_core.methods.omnibus.friedman import friedman
from nlpstat_core.methods.omnibus.iman_davenport import iman_davenport_of
from nlpstat_core.methods.omnibus.outcome import Omnibus
from nlpstat_core.methods.omnibus.skillings_mack import skillings_mack
from nlpstat_core.scores.matrix import ScoreMatrix


def omnibus_tests(units: ScoreMatrix) -> Omnibus | None:
    """Friedman's test over the units every system has, and the others beside it.

    Returns: Friedman's; in `also` Iman–Davenport, for 0/1 scores Cochran's Q, else the analysis of variance
        without and with Greenhouse and Geisser's correction, and for missing cells Skillings–Mack on all
        units. None with fewer than two units that every system has, or fewer than three systems, and for a
        measure that is no mean, which none of these tests is about.
    """
    if units.measured is not None:
        return None
    complete = units.present.all(axis=1)
    if np.count_nonzero(complete) < 2 or units.n_systems < 3:
        return None
    values = units.values[complete]
    first = friedman(values)
    also = [iman_davenport_of(first, units.n_systems)]
    if np.all((values == 0) | (values == 1)):
        also.append(cochran_q(values))
    else:
        also.extend(repeated_measures_anova(values))
    if units.has_missing:
        also.append(skillings_mack(units.values))
    return replace(first, also=tuple(also))
