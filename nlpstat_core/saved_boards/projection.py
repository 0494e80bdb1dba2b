"""What one viewer sees of one version: pages, files, links, comments and the command line read only this.

Whatever is not for the viewer is not in it: a projection of a sheet holds no analysis, one of the blind phase
not even the other systems' number.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from sqlalchemy import Connection, select

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import shown
from nlpstat_core.report.exports.documents.participant import Sheet
from nlpstat_core.saved_boards.access import Access, Viewer, access
from nlpstat_core.saved_boards.codec import from_parquet
from nlpstat_core.saved_boards.comments import Comment, comments_of
from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.errors import BoardError, NotThere
from nlpstat_core.saved_boards.links import Link, links_of
from nlpstat_core.saved_boards.members import Member, members_of
from nlpstat_core.saved_boards.tables import as_record, blob, version
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.version import VERSION

SHEET_FILE = "sheet.html"


@dataclass(frozen=True)
class VersionLine:
    """One version in a list; who saved it and its remark are for those who review."""

    number: int
    saved_at: str
    saved_by: str | None
    remark: str
    core_version: str
    systems: int
    units: int
    fingerprint: str


@dataclass(frozen=True)
class Overview:
    """A board without its scores: what the page on it shows beside them.

    versions: Newest first; none where the viewer doesn't see whole versions.
    """

    access: Access
    versions: tuple[VersionLine, ...]
    members: tuple[Member, ...]
    links: tuple[Link, ...]
    comments: tuple[Comment, ...]


@dataclass(frozen=True)
class OwnScore:
    """What a participant sees as long as the board is not published: nothing of others."""

    system: str
    score: float
    n_units: int
    metric: str | None
    lower_is_better: bool


@dataclass(frozen=True, eq=False)
class Projection:
    """A version as one viewer sees it: exactly one of the last three is there.

    analysis: The whole board, with other names where the viewer's link hides them.
    sheet: One participant's.
    """

    access: Access
    number: int
    saved_at: str
    core_version: str
    analysis: Analysis | None = None
    sheet: Sheet | None = None
    own: OwnScore | None = None

    @property
    def recomputed_by_another_version(self) -> bool:
        """Whether the numbers come from another version of the software than at the time of saving."""
        return self.core_version != VERSION

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Names of the files that the viewer can have."""
        return tuple(_makers(self))

    def file(self, name: str) -> bytes:
        """One file. Raises NotThere: No such file for this viewer."""
        made = _makers(self).get(name)
        if made is None:
            raise NotThere("file")
        content = made()
        return content.encode("utf-8") if isinstance(content, str) else content


def _makers(found: Projection) -> Mapping[str, Callable[[], str | bytes]]:
    from nlpstat_core.report.exports.documents.participant import sheet_html
    from nlpstat_core.report.exports.folder import FILES, extras

    if found.sheet is not None:
        sheet = found.sheet
        return {SHEET_FILE: lambda: sheet_html(sheet)}
    if found.analysis is None:
        return {}
    analysis = found.analysis

    def made_by(make: Callable[[Any], str | bytes]) -> Callable[[], str | bytes]:
        return lambda: make(analysis)

    return {name: made_by(make) for name, make in (*FILES, *extras(("all",)))}


def overview(database: Database, viewer: Viewer, board_id: str) -> Overview:
    """A board without its scores. Raises NotThere."""
    with database.reading() as connection:
        found = access(connection, viewer, board_id, database.time())
        return Overview(
            found,
            _versions(connection, found),
            members_of(connection, found),
            links_of(connection, found),
            comments_of(connection, found),
        )


def _versions(connection: Connection, found: Access) -> tuple[VersionLine, ...]:
    if found.sees != "whole":
        return ()
    reviews = "comment" in found.may
    rows = connection.execute(
        select(version)
        .where(version.c.board == found.board, version.c.number.in_(found.versions))
        .order_by(version.c.number.desc())
    ).mappings()
    hidden: dict[str, Any] = {} if reviews else {"saved_by": None, "remark": ""}
    hidden |= {"fingerprint": ""} if found.hide_names else {}
    return tuple(as_record(VersionLine, row, **hidden) for row in rows)


def projection(
    database: Database, viewer: Viewer, board_id: str, number: int | None = None, **work: Any
) -> Projection:
    """A version as a viewer sees it, recomputed from its scores and settings.

    number: Of the version; None for the latest that the viewer sees.
    **work: `progress`, `should_stop` and `workers` of `analyse`.
    Raises NotThere: No such board or version for this viewer.
    """
    with database.reading() as connection:
        found = access(connection, viewer, board_id, database.time())
        wanted = found.latest if number is None else number
        if wanted not in found.versions:
            raise NotThere("version")
        asked = select(version, blob.c.content).join(blob, version.c.blob == blob.c.sha256)
        asked = asked.where(version.c.board == board_id, version.c.number == wanted)
        row = connection.execute(asked).mappings().one()
    scores, config = from_parquet(row["content"]), AnalysisConfig.from_mapping(json.loads(row["config"]))
    if scores.fingerprint != row["fingerprint"]:
        raise BoardError(
            f"The scores of version {wanted} are not those that were saved: run `nlpstat boards verify`."
        )
    seen = Projection(found, wanted, row["saved_at"], row["core_version"])
    if found.system is not None and found.sees != "whole" and found.system not in scores.systems:
        raise BoardError(f"{shown(found.system)} is not on this version of the board. Ask its owner.")
    if found.sees == "own-score":
        return replace(seen, own=_own(scores, str(found.system)))
    from nlpstat_core.analysis.analyse import analyse
    from nlpstat_core.report.exports.documents.participant import participant_sheet

    analysis = analyse(scores, config, **work)
    if found.sees == "sheet":
        sheet = participant_sheet(analysis, str(found.system), hide_others=found.hide_names)
        return replace(seen, sheet=sheet)
    if found.hide_names:
        analysis = analyse(*_without_names(analysis), **work)
    return replace(seen, analysis=analysis)


def _own(scores: ScoreMatrix, system: str) -> OwnScore:
    """The score of one system from its own column alone."""
    column = scores.index(system)
    own = scores.values[:, column]
    there = ~np.isnan(own)
    score = float(own[there].mean()) if there.any() else float("nan")
    if scores.counts is not None and there.any():
        score = float(scores.counts.hits[there, column].sum() / scores.counts.weights[there, column].sum())
    return OwnScore(system, score, int(there.sum()), scores.metric, scores.lower_is_better)


def _without_names(analysis: Analysis) -> tuple[ScoreMatrix, AnalysisConfig]:
    """The same board with systems called by their rank: no name of a system, file or run is left in it."""
    scores, board, config = analysis.scores, analysis.leaderboard, analysis.config
    ranked = scores.columns([scores.index(name) for name in board.system])
    digits = len(str(len(board)))
    names = {name: f"System {place:0{digits}d}" for place, name in enumerate(board.system, start=1)}
    block = config.block_column
    runs = ranked.runs
    if runs is not None:
        numbers = tuple(tuple(str(i + 1) for i in range(len(one))) for one in runs.names)
        runs = replace(runs, names=numbers, column="")
    hidden = replace(
        ranked,
        systems=tuple(names[name] for name in ranked.systems),
        labels={} if block is None else {block: ranked.labels[block]},
        source="",
        reading={},
        notes=(),
        runs=runs,
        ratings=None,
        costs={},
    )
    return hidden, replace(config, baseline=None if config.baseline is None else names[config.baseline])


def still_sees(database: Database, viewer: Viewer, before: Access, *numbers: int) -> None:
    """Refuse what a viewer was shown and may no longer have: a link was withdrawn, a member removed.

    Raises NotThere: Nothing of the board, less of it, or not this version.
    """
    with database.reading() as connection:
        now = access(connection, viewer, before.board, database.time())
    same = (now.sees, now.system, now.hide_names) == (before.sees, before.system, before.hide_names)
    if not same or not set(numbers) <= set(now.versions):
        raise NotThere("version")


def own_sheet(
    database: Database, viewer: Viewer, board_id: str, number: int | None = None, **work: Any
) -> Projection:
    """The sheet of a participant who sees the whole published board.

    Raises NotThere: The viewer has no system here.
    """
    from nlpstat_core.report.exports.documents.participant import participant_sheet

    found = projection(database, viewer, board_id, number, **work)
    system = found.access.system
    if found.analysis is None or system is None or system not in found.analysis.units.systems:
        raise NotThere("sheet")
    return replace(found, analysis=None, sheet=participant_sheet(found.analysis, system))
