"""Tables of results on pages: the numbers that the report writes."""

import math

from dashboard.parts.result_table import frame_of
from nlpstat_core.report.exports.tables.table import counts, fixed


def test_whole_numbers_are_rounded_as_the_report_rounds_them() -> None:
    """A page once cut 39.99 labels to 39 where the report and the command line wrote 40."""
    columns = [fixed("worth", [39.99, 103.6, 7.2], 0), counts("labels", [40, 40, 7])]
    frame = frame_of(columns)
    assert frame["worth"].tolist() == [40, 104, 7]
    assert [cell.text for cell in columns[0].cells] == ["40", "104", "7"]
    holes = frame_of([fixed("worth", [39.99, math.nan], 0)])["worth"]
    assert holes[0] == 40
    assert math.isnan(holes[1])
