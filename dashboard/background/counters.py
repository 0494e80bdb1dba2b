"""What the server has done so far, and the memory its processes hold: figures without scores or names."""

import os
import threading
from collections import Counter, defaultdict
from pathlib import Path

_lock = threading.Lock()
_ended: Counter[tuple[str, str]] = Counter()
_seconds: defaultdict[str, float] = defaultdict(float)


def count(work: str, outcome: str, seconds: float) -> None:
    """One more piece of work has ended."""
    with _lock:
        _ended[work, outcome] += 1
        _seconds[work] += seconds


def so_far() -> tuple[dict[tuple[str, str], int], dict[str, float]]:
    """Pieces of work that have ended, by work and outcome, and the seconds they took by work."""
    with _lock:
        return dict(_ended), dict(_seconds)


def resident(process: int) -> int:
    """The memory of a process in bytes; 0 when it has ended or the system doesn't tell."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
