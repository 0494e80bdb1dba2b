"""Pearson's correlation with gold."""

from nlpstat_core.measures.correlations import Numbers, correlation, standardised
from nlpstat_core.measures.record import Law, Measure

METHOD = Measure(
    key="pearson",
    label="Pearson correlation",
    kind="numbers",
    bounds=(-1.0, 1.0),
    summary="Pearson's correlation with gold; undefined where a side is constant. Outputs are exchanged as "
    "z-scores.",
    formula=r"\frac{\sum (x_i - \bar x)(y_i - \bar y)}{\sqrt{\sum (x_i - \bar x)^2 \sum (y_i - \bar y)^2}}",
    encode=Numbers("The Pearson correlation"),
    law=Law(value=correlation, expand=standardised, exchanged="z-scores"),
    reference="SciPy's pearsonr",
)
