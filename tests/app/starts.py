"""Fresh servers on one core, visited at once or a little later: does anybody see an error?

Run it with `python tests/app/starts.py [TIMES]`; it prints one line a start that went wrong and the figures.
A visitor comes as soon as the server listens, or up to a second later, when the imports behind the first page
are half done; it opens the landing page and another one.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]

from app.driver import running_server  # noqa: E402
from app.visitor import Visitor, completed  # noqa: E402

from dashboard.navigation import LANDING, PAGES  # noqa: E402

NAMES = tuple(entry.name for entry in PAGES if entry.name != LANDING)
TIMES, LATEST = 100, 1.0


async def look_around(address: str, page: str) -> float:
    """Open the landing page and another; seconds until both were there."""
    begun = time.perf_counter()
    async with Visitor(address) as visitor:
        assert visitor.drawn, "The landing page is empty."
        await visitor.run(page=page)
        assert visitor.words, f"The page {page} is empty."
    return time.perf_counter() - begun


def started(times: int) -> tuple[list[float], list[str]]:
    """Start servers one after the other.

    Parameters
    ----------
    times : int

    Returns
    -------
    seconds : list of float
        From the first sign of the server until a visitor has seen two pages.
    problems : list of str
    """
    seconds, problems = [], []
    for start in range(times):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log.txt"
            with running_server(log) as address:
                time.sleep(LATEST * start / max(1, times - 1))
                try:
                    seconds.append(completed(look_around(address, NAMES[start % len(NAMES)])))
                except Exception as error:  # whatever a visitor may see
                    problems.append(f"start {start}: {type(error).__name__}: {error}")
            if "Traceback" in log.read_text():
                problems.append(f"start {start}: a traceback in the log:\n{log.read_text()[-2000:]}")
    return seconds, problems


def main() -> None:
    """Print the figures."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    seconds, problems = started(times)
    for problem in problems:
        print(problem)
    ordered = sorted(seconds)
    print(
        f"{times} fresh starts on one core: {len(problems)} errors; two pages seen after "
        f"{ordered[len(ordered) // 2]:.1f} s (median), {ordered[-1]:.1f} s at most"
    )


if __name__ == "__main__":
    main()
