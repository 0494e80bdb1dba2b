"""Run as a process of its own: read one sheet of a workbook from standard input, write it as JSON.

A hostile workbook can make a compiled reader ask for any memory, or abort; here it ends this process only.
The bounds come as arguments: bytes of memory, rows, columns, cells, and the sheet (empty for the first).
"""

import json
import signal
import sys
from collections.abc import Iterable
from io import BytesIO
from typing import Any

SECONDS = 70


def fill_merged(rows: list[list[Any]], ranges: Iterable[Any], start: tuple[int, int]) -> int:
    """Give the words of cells that are merged downwards to all their rows; how many cells got one."""
    filled = steps = 0
    for (top, left), (bottom, _) in ranges:
        first, column = top - start[0], left - start[1]
        if first < 0 or not 0 <= column < len(rows[0]) or first >= len(rows):
            continue
        word = rows[first][column]
        for row in rows[first + 1 : bottom - start[0] + 1] if isinstance(word, str) else ():
            steps += 1
            if steps > len(rows) * len(rows[0]):
                return filled  # ranges that lie over each other
            if row[column] == "":
                row[column] = word
                filled += 1
    return filled


def end_with_the_caller() -> None:
    """Have the system end this process as soon as the thread that waits for it has ended (Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def main() -> None:
    """Read, check, write; what is wrong with the workbook is told as {"error": …}."""
    memory, rows, columns, cells = map(int, sys.argv[1:5])
    wanted = sys.argv[5] if len(sys.argv) > 5 else None
    end_with_the_caller()
    try:
        import resource

        # The seconds are for systems where this process outlives a caller that is killed. What bounds the
        # caller stays.
        for bound, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, SECONDS)):
            hard = resource.getrlimit(bound)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(bound, (most, most))
    except ImportError:  # not on this system: the time limit of the caller holds
        pass
    import python_calamine

    def given(**answer: object) -> None:
        sys.stdout.write(json.dumps(answer, ensure_ascii=True, default=str))

    try:
        book = python_calamine.CalamineWorkbook.from_filelike(BytesIO(sys.stdin.buffer.read()))
        names = list(book.sheet_names)

        def holds_a_table(sheet: str) -> bool:
            """Whether the first rows hold numbers side by side; a sheet of words alone is passed over."""
            found = book.get_sheet_by_name(sheet)
            if found.start is None or found.end is None or found.end[1] - found.start[1] < 1:
                return False
            high, wide = found.end[0] - found.start[0] + 1, found.end[1] - found.start[1] + 1
            if high > rows or wide > columns or high * wide > cells:
                return True  # refused with its bounds
            some = found.to_python(skip_empty_area=True, nrows=50)
            return any(isinstance(cell, (int, float)) for row in some for cell in row[1:])

        if not names or (wanted is not None and wanted not in names):
            return given(names=names)
        name = next(filter(holds_a_table, names), names[0]) if wanted is None else wanted
        sheet = book.get_sheet_by_name(name)
        start, end = sheet.start, sheet.end
        if start is None or end is None:
            return given(names=names, name=name, first=0, rows=[])
        high, wide = end[0] - start[0] + 1, end[1] - start[1] + 1
        if high > rows or wide > columns or high * wide > cells:
            return given(names=names, name=name, high=high, wide=wide)
        found = sheet.to_python(skip_empty_area=True)
        filled = fill_merged(found, getattr(sheet, "merged_cell_ranges", None) or (), start)
        return given(names=names, name=name, first=start[0] + 1, rows=found, filled=filled)
    except MemoryError:
        return given(error="memory")
    except Exception as error:  # whatever the library says of a broken workbook
        return given(error=str(error)[:200] or type(error).__name__)


if __name__ == "__main__":
    main()
