"""The literature that methods cite, as data for the Methods page and for BibTeX."""

from nlpstat_core.methods.references.bayes import BAYES
from nlpstat_core.methods.references.comparing import SIGNIFICANCE
from nlpstat_core.methods.references.judging import METRICS
from nlpstat_core.methods.references.looking import DIAGNOSIS
from nlpstat_core.methods.references.measuring import EFFECT_SIZES
from nlpstat_core.methods.references.ranking import MANY_SYSTEMS
from nlpstat_core.methods.references.record import Reference
from nlpstat_core.methods.references.resampling import RESAMPLING

__all__ = ["REFERENCES", "Reference"]

REFERENCES: dict[str, Reference] = (
    SIGNIFICANCE | RESAMPLING | EFFECT_SIZES | MANY_SYSTEMS | DIAGNOSIS | BAYES | METRICS
)
