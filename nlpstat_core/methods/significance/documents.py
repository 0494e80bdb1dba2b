"""Units in documents, systems with runs: the test that takes the place of one that would not see them."""

from dataclasses import replace

from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.errors import AnalysisError, Remedy
from nlpstat_core.records import SignificanceTest


def as_run(config: AnalysisConfig, *, runs: bool = False) -> AnalysisConfig:
    """The settings with the test that is really run.

    runs: Whether the units have training runs (`ScoreMatrix.runs` of what is compared).
    Returns: The same without documents and runs, for the recommended test and for tests of documents; else
        with the block test of the same question, or with the test over items and runs.
    Raises AnalysisError: Documents are named and no test of documents asks what this test asks; or a test of
        something other than means where the systems have training runs.

    Units of one document are not independent, so a test of single units would find too much; so would one
    that takes the training runs at hand as the only ones.

    >>> as_run(AnalysisConfig(test="t", block_column="doc")).test
    'block-t'
    """
    if config.test == RECOMMENDED:
        return config
    method = TESTS[config.test]
    if runs:
        return _over_runs(config, method)
    if config.block_column is None:
        return config
    if method.design in ("blocks", "measure"):
        return config
    if not method.by_documents:
        choices = ", ".join(entry.key for entry in TESTS if entry.design == "blocks")
        raise AnalysisError(
            f"{method.label} takes every item as independent, and no test of whole documents asks what it "
            f"asks; with documents named choose one of {choices}, or name no column of documents."
        )
    return replace(config, test=method.by_documents)


def _over_runs(config: AnalysisConfig, method: SignificanceTest) -> AnalysisConfig:
    """The settings with a test that counts runs; raises AnalysisError where none asks the same."""
    if method.design == "runs":
        return config
    crossed = next(entry for entry in TESTS if entry.design == "runs")
    if method.about_means and method.design in ("paired", "blocks"):
        return replace(config, test=crossed.key)
    raise AnalysisError(
        f"{method.label} treats the runs of the systems as fixed, and no test over items and "
        f"runs asks what it asks; choose {crossed.key}, or take the runs as samples",
        Remedy("runs", "samples", "aside"),
        " where results need to hold for these runs only.",
    )
