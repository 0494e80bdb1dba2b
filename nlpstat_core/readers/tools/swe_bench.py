"""SWE-bench: reports of the harness, results of published submissions, reports of single instances."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems, folder_systems
from nlpstat_core.readers.tools.values import has, mapping, names, number

RESOLVED = "resolved"
_FAILED = ("submitted_ids", "completed_ids", "unresolved_ids", "empty_patch_ids", "error_ids")
# Lists of submissions: of those that were tried, by how far they came.
_TRIED = re.compile(
    '"(?:no_generation|no_logs|generated|with_logs|install_fail|no_apply|applied|test_errored)"'
)
_LISTS = re.compile(r'"resolved"\s*:\s*\[')
_REPORT = re.compile(r'"(?:un)?resolved_ids"\s*:\s*\[')
EXAMPLE = """{"total_instances": 3, "submitted_instances": 3, "resolved_instances": 1,
 "submitted_ids": ["a__a-1", "a__a-2", "b__b-7"], "resolved_ids": ["a__a-1"],
 "unresolved_ids": ["a__a-2"], "empty_patch_ids": ["b__b-7"], "error_ids": []}
"""


def _recognises(source: Source) -> str | None:
    """The lists of instances of a report, or the report of an instance."""
    if source.kind != "json" or has(source, "is_resolved"):
        return None
    if has(source, "total_instances", "resolved_instances") or _REPORT.search(source.beginning):
        return "a report of SWE-bench"
    listed = _LISTS.search(source.beginning) or has(source, "no_logs")
    if listed and _TRIED.search(source.beginning):
        return "results of a submission to SWE-bench"
    if has(source, "patch_successfully_applied"):
        return "reports of instances of SWE-bench"
    return None


def _tables(sources: Sequence[Source]) -> Tidy:
    """One system a file (a folder, where every instance has its file); a unit is an instance."""
    boards: dict[str, dict[str, float | None]] = {}
    silent: set[str] = set()  # systems whose files name what was resolved, and not all that wasn't
    without = 0
    for system, source in zip(_systems(sources), sources, strict=True):
        content = mapping(source.json, "the file")
        board = boards.setdefault(system, {})
        if has(source, "patch_successfully_applied"):
            board.update(_instances(content))
        elif "resolved_ids" in content:
            board.update(_board(content, _FAILED, "resolved_ids"))
            if not any(content.get(key) for key in _FAILED):
                silent.add(system)
            without += len(set(names(content.get("incomplete_ids"), "'incomplete_ids'")))
        else:
            lists = [key for key, one in content.items() if key != RESOLVED and isinstance(one, list)]
            board.update(_board(content, lists, RESOLVED))
            silent.add(system)
    units = list(dict.fromkeys(unit for board in boards.values() for unit in board))
    rows = Rows({"system": Role.SYSTEM, "instance": Role.UNIT})
    for system, board in boards.items():
        for unit in units if system in silent else board:
            rows.add((system, unit), {RESOLVED: board.get(unit, 0.0)})
    return rows.tidy("reports of SWE-bench", notes=_notes(silent, without))


def _notes(silent: set[str], without: int) -> list[Note]:
    notes = []
    if without:
        text = f"{without:,} instances without a prediction count as missing scores, not as failures."
        notes.append(Note("no-prediction", "caution", text))
    if silent:
        text = (
            "Instances that a system's file doesn't name count as not resolved; instances that no file names "
            "are not included."
        )
        notes.append(Note("unnamed-instances", "info", text))
    return notes


def _systems(sources: Sequence[Source]) -> list[str]:
    """Files' names; where instances have a file each, the folders above them."""
    single = [has(one, "patch_successfully_applied") and one.folder.count("/") > 0 for one in sources]
    if not all(single):
        return file_systems(sources)
    return folder_systems([source.folder.rpartition("/")[0] for source in sources])


def _instances(content: Mapping[str, Any]) -> dict[str, float | None]:
    return {
        unit: number(mapping(report, f"the report of {unit!r}").get(RESOLVED), f"'resolved' of {unit!r}")
        for unit, report in content.items()
    }


def _board(content: Mapping[str, Any], failed: Iterable[str], resolved: str) -> dict[str, float | None]:
    """0 for instances in the lists of those that failed or were tried, 1 for those that were resolved."""
    tried = {unit: 0.0 for key in failed for unit in names(content.get(key), f"'{key}'")}
    return {**tried, **dict.fromkeys(names(content.get(resolved), f"'{resolved}'"), 1.0)}


SWE_BENCH = Tool(
    key="swe-bench",
    label="SWE-bench: reports and results of submissions",
    example=EXAMPLE,
    documented="https://github.com/SWE-bench/SWE-bench",
    description="System: the file or the folder. Item: the instance. Score: resolved, 1 or 0.",
    recognises=_recognises,
    tables=_tables,
)
