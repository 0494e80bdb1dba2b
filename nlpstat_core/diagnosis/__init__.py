"""Looking at the data before testing: summary, shape, normality, and the tests that suit them."""

from collections.abc import Callable
from typing import Any

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.diagnosis import normality, variance_ratio

DIAGNOSTICS: Catalogue[Callable[..., Any]] = Catalogue(
    "diagnostic", (normality.METHOD, variance_ratio.METHOD)
)
