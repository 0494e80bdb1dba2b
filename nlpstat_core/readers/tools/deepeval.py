"""deepeval: test runs as JSON, with the scores of every metric for every test case."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems
from nlpstat_core.readers.tools.values import has, mapping, name, number, records, text_in

CASES = ("testCases", "conversationalTestCases", "test_cases", "test_results", "testResults")
METRICS = ("metricsData", "metrics_data")
EXAMPLE = """{"testCases": [{"name": "test_case_0", "input": "When?", "actualOutput": "1843", "success": true,
  "metricsData": [{"name": "Answer Relevancy", "threshold": 0.5, "success": true, "score": 0.91}]}]}
"""


def _recognises(source: Source) -> str | None:
    """Test cases with data of metrics."""
    if source.kind != "json" or not any(has(source, key) for key in METRICS):
        return None
    return "a test run of deepeval" if any(has(source, key) for key in CASES) else None


def _tables(sources: Sequence[Source]) -> Tidy:
    rows = Rows({"system": Role.SYSTEM, "test case": Role.UNIT, "input": Role.TEXT})
    for system, source in zip(file_systems(sources), sources, strict=True):
        seen: set[str] = set()
        run = mapping(source.json, "the file")
        cases = chain.from_iterable(records(run.get(key) or [], f"{key!r}") for key in CASES)
        for place, case in enumerate(cases, 1):
            unit = name(case.get("name", place), f"the name of test case {place}")
            if unit in seen:
                raise ScoreFileError(f"two test cases are called {shown(unit)}; give each its own name.")
            seen.add(unit)
            rows.add((system, unit, text_in(case, "input")), dict(_scores(case, unit)), place)
    return rows.tidy("test runs of deepeval")


def _scores(case: Mapping[str, Any], unit: str) -> Iterator[tuple[str, float | None]]:
    for key in METRICS:
        for metric in records(case.get(key) or [], f"the metrics of {shown(unit)}"):
            called = name(metric.get("name"), f"the name of a metric of {shown(unit)}")
            yield called, number(metric.get("score"), f"{shown(called)} of {shown(unit)}")


DEEPEVAL = Tool(
    key="deepeval",
    label="deepeval: a test run as JSON, one system per file",
    example=EXAMPLE,
    documented="https://deepeval.com/docs",
    description="System: the file. Item: the test case. Scores: its metrics.",
    recognises=_recognises,
    tables=_tables,
)
