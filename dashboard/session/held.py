"""What a session holds of single parts of pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dashboard.background.jobs import Job
from dashboard.background.looks import File, Look, Offers, Read
from dashboard.server.session_end import give_back_memory_soon
from dashboard.session.state import Session
from nlpstat_core.errors import Sentence
from nlpstat_core.scores.matrix import ScoreMatrix

if TYPE_CHECKING:
    from nlpstat_core.scores.like import Like


UNDO_SECONDS = 10.0


@dataclass
class Earlier:
    """The file of an earlier board.

    instead: Metric, data set or sheet that was chosen because the file has none of the board's name.
    wanted: What it was read for last: the board, how that was read, and what was chosen instead.
    job: While it is being read.
    problem: Why it can't be read.
    """

    file: tuple[bytes, str]
    instead: dict[str, str] = field(default_factory=dict)
    wanted: tuple[Like, dict[str, object], dict[str, str]] | None = None
    job: Job[ScoreMatrix] | None = None
    scores: ScoreMatrix | None = None
    problem: Sentence | None = None


@dataclass
class SecondLook:
    """The one second look at a refused file. `job`: While it is going on."""

    file: File
    choices: dict[str, object]
    problem: Sentence
    job: Job[Offers] | None
    found: Offers


@dataclass
class Opened:
    """The panel of one file, as long as it is open.

    number: Grows with every file and reading, so that menus start from the guess.
    tried: The choices that were tried last, what is read so or None, and why nothing is.
    trying: The choices that are being tried, and the job that does it.
    """

    file: tuple[bytes, str]
    choices: dict[str, object]
    seen: Look
    number: int
    tried: tuple[Mapping[str, object], Read | None, Sentence] | None = field(default=None)
    trying: tuple[Mapping[str, object], Job[Read]] | None = field(default=None)


class Forgotten:
    """What was forgotten, for as long as that can be undone; then nothing is left of it.

    named: Settings that name systems or columns of its scores.
    """

    def __init__(self, old: Session, named: dict[str, object]) -> None:
        self.until = time.monotonic() + UNDO_SECONDS
        self._kept: tuple[Session, dict[str, object]] | None = (old, named)
        timer = threading.Timer(UNDO_SECONDS, self.drop)
        timer.daemon = True
        timer.start()

    def drop(self) -> None:
        """Let go of everything, whether or not a browser still looks."""
        self._kept = None
        give_back_memory_soon()

    def take(self) -> tuple[Session, dict[str, object]] | None:
        """What is still there; it can be taken once."""
        kept, self._kept = self._kept, None
        return kept

    @property
    def seconds_left(self) -> float:
        """How long it can still be undone."""
        return 0.0 if self._kept is None else max(0.0, self.until - time.monotonic())
