"""What changed since an earlier board, for two files: every state of it, and that the board loses nothing."""

from __future__ import annotations

import json

import pytest
from ui.driver import button, finished, go, open_app, score_file, upload, words
from ui.test_inner_names import NAMES, everything
from ui.test_several_boards import archive, long_file
from ui.test_sharing import link_of

import nlpstat_core as ns
from dashboard.background import changes, readings
from dashboard.parts.folded import FOLD
from nlpstat_core.cli import main
from tests.ui.deeds import never_compared, read_earlier_for_ever

FIELD = "earlier-"


def opened(at):
    """The leaderboard with the part about an earlier board open."""
    go(at, "leaderboard")
    at.session_state[FOLD.format("changes")] = True
    return finished(at.run())


def give(at, *files: tuple[bytes, str]):
    """Drop files on the field for the earlier board."""
    field = next(item for item in at.file_uploader if str(item.key).startswith(FIELD))
    field.set_value([(name, data, "text/csv") for data, name in files]).run()
    finished(at)
    assert not at.exception
    return at


# Two systems have changed places since, and one is new.
OCTOBER = score_file(5, seed=2).replace(b"sys003,sys004", b"sys004,sys003")


def compare(at, board: bytes, earlier: bytes, name: str = "october.csv"):
    upload(at, board)
    return give(opened(at), (earlier, name))


def test_added_systems_flips_and_moves_are_told(app, tmp_path, capsys) -> None:
    compare(app, score_file(6, seed=1), OCTOBER)
    assert not app.error
    text = words(app)
    assert "Earlier board: **october.csv** · higher is better · 5 systems × 30 items" in text
    assert "Added: sys005." in text
    assert "The settings are the same." in text
    assert "15 comparisons are corrected together, 10 before" in text
    flips = next(frame.value for frame in app.dataframe if "A is now" in frame.value.columns)
    assert set(flips["Scores"]) == {"not the same"}
    earlier = ns.read_scores((OCTOBER, "october.csv"))
    means = dict(zip(earlier.systems, earlier.values.mean(axis=0), strict=True))
    gaps = [means[a] - means[b] for a, b in zip(flips["System A"], flips["System B"], strict=True)]
    assert flips["A − B before"].tolist() == pytest.approx(gaps)
    moves = next(frame.value for frame in app.dataframe if "Rank now" in frame.value.columns)
    assert moves["Score before"].tolist() == pytest.approx([means[name] for name in moves["System"]])
    assert "Ranks that moved" in text
    assert NAMES.findall(everything(app)) == []
    # The same as on the command line, to take away.
    for data, name in ((OCTOBER, "october.csv"), (score_file(6, seed=1), "scores.csv")):
        (tmp_path / name).write_bytes(data)
    assert main(["changes", str(tmp_path / "october.csv"), str(tmp_path / "scores.csv"), "--json", "-"]) == 0
    printed = json.loads(capsys.readouterr().out)
    drawn, files = result(app)
    assert json.loads(files["changes.json"]) == printed
    assert len(flips) == printed["n_flipped"] > 0
    assert printed["before"]["fingerprint"] in files["changes.txt"]
    assert [item.label for item in app.get("download_button")][-2:] == ["changes.txt", "changes.json"]
    assert drawn["n_moved"] == len(printed["moved"])


def test_the_fold_names_the_file_and_is_open_when_one_comes_back(app) -> None:
    def fold():
        return next(item for item in app.expander if item.label.startswith("What changed since"))

    compare(app, score_file(4), score_file(4, seed=2), "<i>october.csv")
    go(app, "power")
    go(app, "leaderboard")
    assert "october.csv" in fold().label
    assert "Earlier board: **" in words(app)
    forget = next(item for item in app.button if item.label == "Forget this file")
    assert forget.proto.type == "secondary"
    finished(forget.click().run())
    assert fold().label == "What changed since an earlier board?"
    assert "Drop the score file of the earlier board" in next(item.label for item in app.file_uploader)


def result(at):
    """What was found, as the session holds it."""
    held = at.session_state["_session"].results
    return next(value for key, value in held.items() if key[0] == "changes")


def test_both_are_analysed_under_the_settings_of_the_board(app) -> None:
    upload(app, score_file(4))
    finished(app.selectbox(key="correction").set_value("bonferroni").run())
    finished(app.number_input(key="alpha").set_value(0.2).run())
    give(opened(app), (score_file(4, seed=3), "october.csv"))
    assert "The settings are the same." in words(app)
    found = json.loads(result(app)[1]["changes.json"])
    for when in ("before", "after"):
        assert "adj:bonferroni" in found[when]["signature"]
        assert "alpha:0.2" in found[when]["signature"]
    finished(app.selectbox(key="baseline").set_value("sys003").run())
    assert "3 pairs compared on both boards" in words(app)


def test_the_same_file_changed_nothing(app) -> None:
    compare(app, score_file(4), score_file(4))
    text = words(app)
    assert "The scores are the same." in text
    assert "No decision changed among the 6 pairs compared on both boards." in text
    assert not any("A is now" in frame.value.columns for frame in app.dataframe)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "This file can't be used."),
        (b"item,A,B\nu1,1,x\n", "This file can't be used."),
        (b"%PDF-1.7 nothing", "This file can't be used."),
        (score_file(4).replace(b"sys", b"other"), "no system in common"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence_and_the_board_stays(app, data, text) -> None:
    upload(app, score_file(4))
    before = words(opened(app))
    give(app, (data, "october.csv"))
    assert [text in error.value for error in app.error] == [True]
    assert NAMES.findall(everything(app)) == []
    assert set(before.split("\n")) <= set(words(app).split("\n"))
    button(app, "Forget this file")()
    assert not app.error
    assert app.session_state["_session"].earlier is None
    give(app, (score_file(3), "october.csv"))
    assert not app.error
    assert "Added: sys003." in words(app)


def test_settings_that_the_earlier_board_cannot_have_are_told(app) -> None:
    upload(app, score_file(4))
    finished(app.selectbox(key="baseline").set_value("sys003").run())
    give(opened(app), (score_file(3), "october.csv"))
    assert len(app.error) == 1
    assert "The settings of this board can't be used with the earlier one" in app.error[0].value
    assert "sys003" in app.error[0].value
    assert NAMES.findall(everything(app)) == []


def test_metric_data_set_and_direction_follow_the_board(app) -> None:
    upload(app, long_file())
    give(opened(app), (long_file(), "october.csv"))
    assert "The scores are the same." in words(app)
    for label, value in (("Metric", "ter"), ("Data set", "talks")):
        finished(next(box for box in app.selectbox if box.label == label).set_value(value).run())
        opened(app)
    assert "metric ter · data set talks · lower is better" in words(app)
    assert "The scores are the same." in words(app)
    assert not any("of the earlier board" in box.label for box in app.selectbox)
    button(go(app, "scores"), "No, higher is better")()
    opened(app)
    assert "metric ter · data set talks · higher is better" in words(app)
    assert "The scores are the same." in words(app)


def test_another_name_of_the_metric_is_chosen_and_told(app) -> None:
    upload(app, long_file())
    earlier = long_file().replace(b"bleu", b"sacrebleu")
    give(opened(app), (earlier, "october.csv"))
    assert any("Not the same metric: this board shows bleu" in item.value for item in app.warning)
    box = next(box for box in app.selectbox if box.label == "Metric of the earlier board")
    finished(box.set_value("ter").run())
    assert "different metrics" in app.error[0].value
    finished(next(box for box in app.selectbox if box.label == "Metric").set_value("ter").run())
    opened(app)
    assert not app.error
    assert "The scores are the same." in words(app)


def test_how_the_board_was_read_holds_where_it_fits(app) -> None:
    def file(header: bytes) -> bytes:
        return header + score_file(4)

    upload(app, file(b"a title\n"))
    assert "of 6 pairs are found to differ" in words(app)
    give(opened(app), (file(b"a title\n"), "october.csv"))
    assert "The scores are the same." in words(app)
    give(app, (score_file(4), "september.csv"))
    assert "The scores are the same." in words(app)


def test_several_files_and_archives_are_one_board(app) -> None:
    lines = score_file(2).decode().split("\n")
    one, two = (
        "\n".join(f"{line.split(',')[0]},{line.split(',')[place]}" for line in lines).encode()
        for place in (1, 2)
    )
    upload(app, score_file(2))
    give(opened(app), (one, "sys000.csv"), (two, "sys001.csv"))
    assert "Earlier board: **sys000.csv and 1 more**" in words(app)
    assert "The scores are the same." in words(app)
    upload(go(app, "scores"), score_file(3))
    give(opened(app), (archive(), "all.zip"))
    box = next(box for box in app.selectbox if box.label == "Data set of the earlier board")
    finished(box.set_value(box.options[1]).run())
    assert not app.error
    assert f"data set {box.options[1]} · higher is better" in words(app)


def test_the_file_can_be_put_aside_and_is_forgotten_with_the_data(app) -> None:
    compare(app, score_file(4), score_file(3))
    button(app, "Forget this file")()
    assert "Earlier board" not in words(app)
    assert not any(key[0] == "changes" for key in app.session_state["_session"].results)
    give(app, (score_file(3), "october.csv"))
    button(app, "Forget my data")()
    assert app.session_state["_session"].earlier is None
    upload(go(app, "scores"), score_file(4))
    assert "Earlier board" not in words(opened(app))


def test_undo_brings_the_file_back_with_the_board(app) -> None:
    compare(app, score_file(4), score_file(3))
    button(app, "Forget my data")()
    button(app, "Undo")()
    assert "Added: sys003." in words(opened(app))


def test_another_board_is_compared_with_the_same_file(app) -> None:
    compare(app, score_file(4), score_file(3))
    upload(go(app, "scores"), score_file(5))
    assert "Added: sys003, sys004." in words(opened(app))


def test_reading_can_be_cancelled_and_started_again(app, monkeypatch) -> None:
    upload(app, score_file(4))
    opened(app)
    monkeypatch.setattr("dashboard.session.reading.PATIENCE", 0.1)
    with monkeypatch.context() as patched:
        patched.setattr(readings, "read_earlier", read_earlier_for_ever)
        field = next(item for item in app.file_uploader if str(item.key).startswith(FIELD))
        field.set_value([("october.csv", score_file(3), "text/csv")]).run()
        button(app, "Cancel")()
        assert "Reading october.csv was cancelled." in words(app)
    button(app, "Start again")()
    assert "Added: sys003." in words(app)


def test_comparing_tells_how_far_it_is_and_can_be_cancelled(app, monkeypatch) -> None:
    upload(app, score_file(4))
    opened(app)
    with monkeypatch.context() as patched:
        patched.setattr(changes, "compared", never_compared)
        field = next(item for item in app.file_uploader if str(item.key).startswith(FIELD))
        field.set_value([("october.csv", score_file(3), "text/csv")]).run()
        assert "of 6 pairs are found to differ" in words(app)
        button(app, "Cancel")()
        assert any("Comparing with the earlier board was cancelled." in item.value for item in app.warning)
    button(app, "Start again")()
    assert "Added: sys003." in words(app)


def test_a_link_and_another_session_know_nothing_of_the_file(app) -> None:
    upload(app, score_file(4))
    query = link_of(opened(app))
    give(app, (score_file(3).replace(b"sys002", b"sysunseen"), "unseen.csv"))
    assert link_of(app) == query
    assert "Removed: sysunseen." in words(app)
    other = open_app()
    upload(other, score_file(4))
    assert "unseen" not in words(opened(other))
