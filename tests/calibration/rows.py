"""What one calibration run measured: rows of rates with their errors, and the verdicts that follow."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from nlpstat_core.version import VERSION

FOLDER = Path(__file__).parent / "kept"
LEVELS = (0.01, 0.05, 0.2)
CONFIDENCE = (0.8, 0.95, 0.99)
# Distance from the nominal rate, in standard errors, that chance explains.
GATE = 3.0
# Up to so many standard errors off a row is measured once more, with fresh seed and more replications.
DOUBTFUL = 4.5
MORE = 4


@dataclass(frozen=True)
class Figure:
    """One rate: what it counts, the nominal rate (None: nothing is promised), the rate and its error."""

    what: str
    nominal: float | None
    rate: float
    error: float


@dataclass(frozen=True, kw_only=True)
class Row:
    """One procedure in one situation.

    `bound` says what is promised: "equal" to the nominal rate, "at-most" (tests that may be conservative) or
    "at-least" (intervals that may be).
    """

    group: str
    subject: str
    situation: str
    size: str
    bound: str
    figures: tuple[Figure, ...]
    replications: int
    seed: int
    seconds: float = 0.0
    again: bool = False

    @staticmethod
    def blank(group: str, situation: str, size: str, replications: int, seed: int) -> Row:
        """A row that waits for its subject and figures."""
        return Row(
            group=group,
            subject="",
            situation=situation,
            size=size,
            bound="equal",
            figures=(),
            replications=replications,
            seed=seed,
        )

    def of(self, subject: str, bound: str, figures: tuple[Figure, ...]) -> Row:
        """The same cell's row of one subject."""
        return replace(self, subject=subject, bound=bound, figures=figures)

    @property
    def name(self) -> str:
        return f"{self.group}|{self.subject}|{self.situation}|{self.size}"


def standard_error(rate: float, replications: int) -> float:
    """Of a share of independent replications."""
    return math.sqrt(rate * (1 - rate) / replications)


def share(what: str, nominal: float, hits: float, replications: int) -> Figure:
    """The figure of a counted share."""
    rate = float(hits) / replications
    return Figure(what, nominal, rate, standard_error(rate, replications))


def distance(figure: Figure, bound: str, replications: int) -> float:
    """Standard errors by which a figure breaks its promise: positive above nominal, negative below, 0 kept.

    The error is that of the nominal rate, or the measured one where that is larger.
    """
    if figure.nominal is None:
        return 0.0
    error = max(figure.error, standard_error(figure.nominal, replications))
    off = (figure.rate - figure.nominal) / error
    if abs(off) <= GATE or (bound == "at-most" and off < 0) or (bound == "at-least" and off > 0):
        return 0.0
    return off


def distances(row: Row) -> tuple[float, ...]:
    return tuple(distance(figure, row.bound, row.replications) for figure in row.figures)


def seed_of(name: str) -> int:
    """A seed that depends on the cell's name only, so that a cell can be run alone."""
    return int.from_bytes(sha256(name.encode()).digest()[:4], "little")


# Rows from a number of replications, a seed, and the subjects wanted (None: all of the cell).
Measure = Callable[[int, int, Container[str] | None], Sequence[Row]]


@dataclass(frozen=True)
class Subject:
    """The rows of one procedure: its own, its variants' and those of what is built on it."""

    key: str

    def __contains__(self, subject: object) -> bool:
        names = str(subject).replace(": ", ", ").split(", ")
        return self.key in {name.split(" (")[0] for name in names}


_ASKED: list[Subject] = []


@contextmanager
def only_subject(key: str | None) -> Iterator[None]:
    """While it runs, `measured` measures one procedure; None changes nothing."""
    before = list(_ASKED)
    _ASKED[:] = before if key is None else [Subject(key)]
    try:
        yield
    finally:
        _ASKED[:] = before


def measured(name: str, replications: int, measure: Measure) -> list[Row]:
    """Rows of one cell; doubtful rows are measured a second time, and the second time counts.

    None where one procedure was asked for and the cell does not try it.
    """
    start = time.perf_counter()
    rows = list(measure(replications, seed_of(name), _ASKED[0] if _ASKED else None))
    doubtful = frozenset(row.subject for row in rows if 0 < max(map(abs, distances(row))) <= DOUBTFUL)
    if doubtful:
        found = measure(MORE * replications, seed_of(f"{name}|again"), doubtful)
        second = {row.name: replace(row, again=True) for row in found}
        rows = [second.get(row.name, row) for row in rows]
    seconds = (time.perf_counter() - start) / max(len(rows), 1)
    return [replace(row, seconds=round(seconds, 1)) for row in rows]


def load(group: str) -> list[Row]:
    """The kept rows of a group; none where it has not been run."""
    path = FOLDER / f"{group}.json"
    if not path.exists():
        return []
    return [
        Row(**{**row, "figures": tuple(Figure(*figure) for figure in row["figures"])})
        for row in json.loads(path.read_text(encoding="utf-8"))["rows"]
    ]


def merged(kept: Iterable[Row], found: Iterable[Row]) -> list[Row]:
    """Kept rows with those measured anew in their places; a new procedure's behind the others of its cell."""
    rows = list(kept)
    for row in found:
        names = [other.name for other in rows]
        cell = [
            i for i, other in enumerate(rows) if (other.situation, other.size) == (row.situation, row.size)
        ]
        if row.name in names:
            rows[names.index(row.name)] = row
        else:
            rows.insert(cell[-1] + 1 if cell else len(rows), row)
    return rows


def save(group: str, rows: Iterable[Row], machine: str, only: str | None = None) -> None:
    """Write a group's rows, one line each, with what they were made on and by.

    `only` names the procedure that was measured anew; the others keep what they were made on.
    """
    lines = []
    for row in rows:
        data = asdict(row)
        data["figures"] = [
            [f.what, f.nominal, float(f"{f.rate:.6g}"), float(f"{f.error:.3g}")] for f in row.figures
        ]
        lines.append(json.dumps(data, ensure_ascii=False))
    now = f"{machine}; nlpstat_core {VERSION}"
    if only is not None:
        before = re.sub(rf" \[{re.escape(only)}: [^]]*\]", "", made(group))
        now = f"{before} [{only}: {now}]"
    FOLDER.mkdir(exist_ok=True)
    text = f'{{"made": {json.dumps(now)},\n"rows": [\n' + ",\n".join(lines) + "\n]}\n"
    (FOLDER / f"{group}.json").write_text(text, encoding="utf-8")


def made(group: str) -> str:
    """What the group's figures were made on, and by which version."""
    return str(json.loads((FOLDER / f"{group}.json").read_text(encoding="utf-8"))["made"])
