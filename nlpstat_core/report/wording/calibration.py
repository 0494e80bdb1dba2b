"""What simulations found about the procedures where they are not exactly as good as they promise.

The figures behind these sentences stand in tests/calibration/RESULTS.md; a test compares the two.
"""

from nlpstat_core.catalogue import CORRECTIONS, EFFECTS, TESTS
from nlpstat_core.methods.diagnosis import DIAGNOSTICS
from nlpstat_core.report.wording.calibration_coverage import COVERAGE
from nlpstat_core.report.wording.calibration_errors import ERRORS
from nlpstat_core.report.wording.calibration_finding import Finding

FINDINGS: dict[str, Finding] = ERRORS | COVERAGE

_NAMES = {
    "each-pair": "Test chosen from the data",
    "board-score": "Scores on the board",
    "simultaneous": "Simultaneous intervals",
    "omnibus": "Tests of all systems together",
    "categorical": "Tests of counts in categories",
}


def findings_about(key: str) -> tuple[str, ...]:
    """What simulations found about a procedure. `key`: of a test, an effect size or a correction."""
    return tuple(finding.sentence for finding in FINDINGS.values() if key in finding.about)


def findings_by_procedure() -> dict[str, tuple[str, ...]]:
    """All findings by the name of the procedure they concern, in the order of the menus."""
    records = (*TESTS, *CORRECTIONS, *EFFECTS, *DIAGNOSTICS)
    names = {record.key: record.label for record in records}
    return {name: findings_about(key) for key, name in (names | _NAMES).items() if findings_about(key)}
