"""Who sees what: every role, state and link, in everything that leaves, searched byte by byte."""

from __future__ import annotations

import io
import json
import statistics
import time
import zipfile
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event as events
from sqlalchemy import select

from boards.cases import OTHERS, OWN, SYSTEMS, person, scores, shared_board
from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.saved_boards import links, logins, members, saving, states
from nlpstat_core.saved_boards.access import OPERATOR, Viewer, access, board_of_link, boards_of, by_link
from nlpstat_core.saved_boards.errors import BoardError, NotThere
from nlpstat_core.saved_boards.exchange import export_board
from nlpstat_core.saved_boards.projection import overview, own_sheet, projection, still_sees
from nlpstat_core.saved_boards.tables import link

LEADER = "Yggdrasil"  # of the participant's file, so that every other score is a forbidden one
CONFIG = AnalysisConfig(baseline=LEADER, block_column="document")
SECRETS = ("Zebulon", "Wolfram", "Yggdrasil", "Zebulon-and-friends")


def everything(found, *, files: bool = True) -> bytes:
    """All that a projection lets out: its own fields, and every file, unpacked."""
    lines = [repr((found.access, found.own, found.sheet, found.number)).encode()]
    if found.analysis is not None:
        analysis = found.analysis
        lines.append(json.dumps(analysis.to_dict()).encode())
        lines.append(repr((analysis.scores, analysis.units, analysis.config, analysis.notes)).encode())
    for name in found.files if files else ():
        lines += unpacked(found.file(name))
    return b"\n".join(lines)


def unpacked(data: bytes) -> list[bytes]:
    if data[:2] != b"PK":
        return [data]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [name.encode() for name in archive.namelist()] + [
            part for name in archive.namelist() for part in unpacked(archive.read(name))
        ]


def other_scores(found_scores) -> set[bytes]:
    """Every mean and every single score of systems that are not the participant's."""
    values = {name: found_scores.values[:, found_scores.index(name)] for name in OTHERS}
    means = {f"{column.mean():.2f}".encode() for column in values.values()}
    return means | {f"{value:.2f}".encode() for column in values.values() for value in column}


def seen_by(database, viewer: Viewer, board: str):
    try:
        return projection(database, viewer, board)
    except NotThere:
        return None


def viewers(database, board: str) -> dict[str, Viewer]:
    """One of every kind, links included."""
    owner = person("owner")
    found = {role: person(role) for role in ("owner", "editor", "reviewer", "participant", "stranger")}
    kinds = {
        "read": {"kind": "read"},
        "read hidden": {"kind": "read", "hide_names": True},
        "sheet": {"kind": "sheet", "system": OWN},
        "sheet hidden": {"kind": "sheet", "system": OWN, "hide_names": True},
    }
    for name, how in kinds.items():
        found[name] = by_link(links.make_link(database, owner, board, seen=None, **how))
    found["guess"] = by_link("guess")
    return found


# Viewer → what is seen in draft, review and published: nothing, "own", "sheet" or "whole"; then whether the
# names of others may stand in it.
MATRIX = {
    "owner": ("whole", "whole", "whole", True),
    "editor": ("whole", "whole", "whole", True),
    "reviewer": (None, "whole", "whole", True),
    "participant": (None, "own", "whole", True),
    "stranger": (None, None, None, False),
    "read": (None, None, "whole", True),
    "read hidden": (None, None, "whole", False),
    "sheet": (None, "own", "sheet", True),
    "sheet hidden": (None, "own", "sheet", False),
    "guess": (None, None, None, False),
}


@pytest.mark.parametrize("config", [AnalysisConfig(), CONFIG], ids=["all pairs", "baseline"])
def test_the_matrix(database, config):
    board = shared_board(database, config)
    people = viewers(database, board)
    secret = other_scores(scores())
    for place, state in enumerate(("draft", "review", "published")):
        if state != "draft":
            states.change_state(database, person("owner"), board, state, seen=None)
        for kind, viewer in people.items():
            expected, with_names = MATRIX[kind][place], MATRIX[kind][3]
            found = seen_by(database, viewer, board)
            where = f"{kind} in {state}"
            if expected is None:
                assert found is None, where
                assert board not in [one.board for one in boards_of(database, viewer)], where
                continue
            shape = {"whole": found.analysis, "sheet": found.sheet, "own": found.own}
            assert [name for name, value in shape.items() if value is not None] == [expected], where
            hidden = expected == "own" or not with_names
            let_out = everything(found, files=hidden)
            seen = overview(database, viewer, board)
            let_out += repr((seen.access, seen.versions)).encode()
            there = [name for name in SECRETS[:3] if name.encode() in let_out]
            assert bool(there) is not hidden, where
            assert not hidden or SECRETS[3].encode() not in let_out, where
            if expected == "own":
                assert not [score for score in secret if score in let_out], where
                assert OWN.encode() in let_out
                assert found.files == ()
            if kind == "read hidden":
                assert OWN.encode() not in let_out, where
            if kind not in ("owner", "editor", "reviewer"):
                assert seen.comments == (), where
            if kind != "owner":
                assert (seen.members, seen.links) == ((), ()), where


def test_hidden_names_change_no_number(database):
    board = shared_board(database, state="published")
    token = links.make_link(database, person("owner"), board, "read", hide_names=True, seen=None)
    shown = projection(database, by_link(token), board).analysis
    whole = analyse(scores(), AnalysisConfig())
    assert shown.leaderboard.system == ("System 1", "System 2", "System 3", "System 4")
    for name in ("rank", "score", "rank_interval", "interval", "cluster"):
        assert shown.leaderboard[name].tolist() == whole.leaderboard[name].tolist(), name
    assert sorted(shown.pairs.p_adjusted) == sorted(whole.pairs.p_adjusted)


def test_a_participants_sheet_agrees_with_the_board(database):
    board = shared_board(database, state="published")
    found = own_sheet(database, person("participant"), board)
    assert (found.analysis, found.sheet.system) == (None, OWN)
    whole = analyse(scores(), AnalysisConfig())
    place = whole.leaderboard.system.index(OWN)
    assert found.sheet.standing.startswith(f"Rank {whole.leaderboard.rank[place]} of 4")
    assert len(found.sheet.against.rows) == 3
    column = scores().values[:, 1]
    others = scores().values[:, [0, 2, 3]].mean(axis=1)
    worst = int((column - others).argmin())
    assert found.sheet.far.rows[0][0].text == f"item-{worst}"
    for role in ("owner", "reviewer", "stranger"):
        with pytest.raises(NotThere):
            own_sheet(database, person(role), board)


def test_only_the_published_version_is_shown_to_participants_and_links(database):
    board = shared_board(database, state="published")
    link_viewer = by_link(links.make_link(database, person("owner"), board, "read", seen=None))
    more = scores(9, (*SYSTEMS, "Unannounced"))
    saving.save_version(database, person("editor"), board, more, AnalysisConfig())
    for viewer in (person("participant"), link_viewer):
        found = projection(database, viewer, board)
        assert found.number == 1
        assert b"Unannounced" not in everything(found)
        with pytest.raises(NotThere):
            projection(database, viewer, board, 2)
        assert [line.number for line in overview(database, viewer, board).versions] == [1]
    states.change_state(database, person("owner"), board, "published", seen=None)
    assert projection(database, link_viewer, board).number == 2
    with pytest.raises(NotThere):
        projection(database, link_viewer, board, 1)


def test_an_address_counts_only_where_it_is_verified_and_names_of_other_issuers_do_not(database):
    board = shared_board(database, state="review")
    unverified = replace(person("reviewer"), email=None)
    elsewhere = Viewer(issuer="https://evil.example.org", subject="owner", email=None)
    for viewer in (unverified, elsewhere, Viewer(), Viewer(email="")):
        assert boards_of(database, viewer) == ()
        with pytest.raises(NotThere):
            overview(database, viewer, board)
    assert overview(database, replace(person("reviewer"), email="Reviewer@Example.org"), board)


def test_a_participant_whose_system_is_gone_is_told(database):
    board = shared_board(database)
    saving.save_version(database, person("owner"), board, scores(3, OTHERS), AnalysisConfig())
    states.change_state(database, person("owner"), board, "review", seen=None)
    with pytest.raises(BoardError, match="is not on this version"):
        projection(database, person("participant"), board)


@contextmanager
def statements(database):
    lines: list[str] = []

    def note(connection, cursor, statement, parameters, context, many) -> None:
        lines.append(statement)

    events.listen(database.engine, "before_cursor_execute", note)
    yield lines
    events.remove(database.engine, "before_cursor_execute", note)


def test_guessed_expired_withdrawn_and_unopened_links_get_the_same_answer(database):
    owner = person("owner")
    board = shared_board(database, state="published")
    past = replace(database, now=lambda: database.now() - timedelta(days=2))
    expired = links.make_link(past, owner, board, "read", days=1, seen=None)
    revoked = links.make_link(database, owner, board, "read", seen=None)
    found = next(one for one in overview(database, owner, board).links if one.expires_at > database.time())
    links.revoke_link(database, owner, board, found.id, seen=None)
    answers, asked, seconds = set(), {}, {}
    tokens = {"expired": expired, "revoked": revoked, "guessed": "A" * 43, "odd": "\ud800\x00é" * 9, "": ""}
    for kind, token in tokens.items():
        with statements(database) as text, pytest.raises(NotThere) as caught:
            board_of_link(database, by_link(token))
        answers.add(str(caught.value))
        asked[kind] = tuple(text)
        seconds[kind] = statistics.median(timed(database, token) for _ in range(15))
    assert len(answers) == 1
    assert len(set(asked.values())) == 1, "the same statements in the same order take the same time"
    assert max(seconds.values()) < 3 * min(seconds.values()) + 0.005
    with database.reading() as connection:
        kept = repr(connection.execute(select(link)).all())
        assert not [token for token in (expired, revoked) if token in kept]


def timed(database, token: str) -> float:
    begun = time.perf_counter()
    with pytest.raises(NotThere):
        board_of_link(database, by_link(token))
    return time.perf_counter() - begun


def test_a_link_leads_to_its_own_board_only(database):
    first = shared_board(database, state="published")
    second = saving.save_board(database, person("owner"), "other", scores(4), AnalysisConfig())
    states.change_state(database, person("owner"), second, "published", seen=None)
    viewer = by_link(links.make_link(database, person("owner"), first, "read", seen=None))
    assert board_of_link(database, viewer) == first
    with pytest.raises(NotThere):
        projection(database, viewer, second)
    assert boards_of(database, viewer) == ()


# What happens while somebody has a board on screen, and for whom of the matrix nothing more is made of it.
LOSSES = {
    "removed": ("editor", "reviewer", "participant"),
    "withdrawn": ("read", "read hidden", "sheet", "sheet hidden"),
    "draft again": ("reviewer", "participant", "read", "read hidden", "sheet", "sheet hidden"),
    "a new version": ("participant", "read", "read hidden", "sheet", "sheet hidden"),
    "another system": ("participant",),
    "logged out": ("owner", "editor", "reviewer", "participant"),
    "deleted": tuple(kind for kind in MATRIX if kind not in ("stranger", "guess")),
    "nothing": (),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_what_is_on_screen_is_asked_for_again_before_a_file_is_made_of_it(database, loss):
    board = shared_board(database, state="published")
    owner = person("owner")
    people = {kind: replace(who, cookie="c" * 64) for kind, who in viewers(database, board).items()}
    on_screen = {
        kind: found for kind, who in people.items() if (found := seen_by(database, who, board)) is not None
    }
    assert set(on_screen) == {kind for kind, expected in MATRIX.items() if expected[2]}
    if loss == "removed":
        for role in ("editor", "reviewer", "participant"):
            members.remove_member(database, owner, board, f"{role}@example.org", seen=None)
    elif loss == "withdrawn":
        for one in overview(database, owner, board).links:
            links.revoke_link(database, owner, board, one.id, seen=None)
    elif loss == "draft again":
        states.change_state(database, owner, board, "draft", seen=None)
    elif loss == "a new version":
        saving.save_version(database, owner, board, scores(3), AnalysisConfig())
        states.change_state(database, owner, board, "published", seen=None)
    elif loss == "another system":
        members.set_member(
            database, owner, board, "participant@example.org", "participant", "Wolfram", seen=None
        )
    elif loss == "logged out":
        logins.end_login(database, "c" * 64)
    elif loss == "deleted":
        saving.delete_board(database, owner, board)
    refused = set()
    for kind, found in on_screen.items():
        try:
            still_sees(database, people[kind], found.access, found.number)
        except NotThere:
            refused.add(kind)
    assert refused == set(LOSSES[loss])


def test_exports_hold_members_for_the_owner_only_and_no_way_in(database):
    board = shared_board(database)
    token = links.make_link(database, person("owner"), board, "read", seen=None)
    exports = [export_board(database, person(role), board) for role in ("owner", "editor")]
    by_owner, by_editor = (b"\n".join(unpacked(data)) for data in exports)
    assert b'"members":[{' in by_owner
    assert b'"members":[]' in by_editor
    assert token.encode() not in by_owner
    for role in ("reviewer", "participant", "stranger"):
        with pytest.raises(BoardError):
            export_board(database, person(role), board)
    with database.reading() as connection:
        assert access(connection, OPERATOR, board, database.time()).role == "owner"
