"""Looking at the data before testing: summary, shape, normality, and the tests that suit them."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.methods.diagnosis import normality, variance_ratio
from nlpstat_core.records import Procedure

DIAGNOSTICS: Catalogue[Procedure] = Catalogue("diagnostic", (normality.METHOD, variance_ratio.METHOD))
