"""What the server has done, for whoever runs it, as figures and on standard error: no scores, no names."""

import json
import os
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from dashboard.background.failures import UnforeseenError
from nlpstat_core.errors import Cancelled, NlpstatError
from nlpstat_core.scores.matrix import ScoreMatrix

LOG = "NLPSTAT_LOG"
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


@contextmanager
def noted(what: str, arguments: Sequence[object]) -> Iterator[None]:
    """Count the work inside once it has ended, however it does; where NLPSTAT_LOG is set, write a line.

    arguments: What it works on; only the size of scores among it is told.
    """
    begun, outcome = time.monotonic(), "failed"
    try:
        yield
        outcome = "done"
    except Cancelled:
        outcome = "cancelled"
        raise
    except NlpstatError as error:
        outcome = "failed" if isinstance(error, UnforeseenError) else "refused"
        raise
    finally:
        count(what, outcome, time.monotonic() - begun)
        if os.environ.get(LOG):
            _write(what, outcome, time.monotonic() - begun, arguments)


def _write(what: str, outcome: str, seconds: float, arguments: Sequence[object]) -> None:
    line = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "work": what,
        "outcome": outcome,
        "seconds": round(seconds, 3),
        **_size(arguments),
    }
    sys.stderr.write(json.dumps(line) + "\n")  # in one piece: lines of several threads don't mix
    sys.stderr.flush()


def _size(arguments: Sequence[object]) -> dict[str, int]:
    """How large the scores are, if there are any."""
    for argument in arguments:
        scores = getattr(argument, "scores", argument)
        if isinstance(scores, ScoreMatrix):
            return {"systems": scores.n_systems, "units": scores.n_units}
    return {}
