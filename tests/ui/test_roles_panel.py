"""The panel that shows what every column was taken for, asks where that is unsure, and changes it."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from openpyxl import Workbook
from ui.driver import button, choose, editor, finished, roles, score_file, settings_field, show, upload, words

from dashboard.background.readings import look
from dashboard.background.roles import TEXTS, WORDS, choices_for, guessed_words
from dashboard.scores.reading_form import OPEN_REFUSED
from nlpstat_core.readers import Role, read_scores, reading_keywords
from nlpstat_core.readers.formats import TEXTS as FORMATS_OF_TEXT

TOOLS = Path(__file__).parents[3] / "shared" / "data" / "tools"
needs_data = pytest.mark.skipif(not TOOLS.exists(), reason="the collection of real score files isn't here")

# Ids that differ in every system: which column names the test items can only be guessed.
UNSURE = (
    "id,system,piece,score\n"
    + "".join(
        f"{s}{i},{s},{i},{np.random.default_rng(i).random() + 0.1 * k:.3f}\n"
        for k, s in enumerate(("tern", "ibis", "heron"))
        for i in range(40)
    )
).encode()
KEYWORDS = ("id_column", "system_column", "systems_as_rows", "label_columns", "block_column", "roles=")


def test_unsure_roles_are_asked_for_before_any_headline(app) -> None:
    upload(app, UNSURE, "long.csv")
    assert not app.exception
    assert not app.error
    assert "What are these columns?" in words(app)
    assert "no item is shared by two systems" in app.warning[0].value
    assert "pairs are found to differ" not in words(app)
    assert roles(app) == {"id": "test item", "system": "system", "piece": "score", "score": "score"}
    assert not [word for word in KEYWORDS if word in words(app)]
    choose(app, id="left out", piece="test item")
    assert "This becomes **3 systems × 40 items** · no score missing." in words(app)
    button(app, "Read the file with these roles")()
    assert not app.exception
    assert "What are these columns?" not in words(app)
    assert "**3 systems**" in words(app)
    assert app.session_state["_session"].scores.units[:2] == ("0", "1")
    assert "of 3 pairs" in words(app)


def test_the_guess_can_be_taken_as_it_is(app) -> None:
    upload(app, UNSURE, "long.csv")
    assert "**3 systems × 120 items**" in words(app)
    button(app, "Read the file with these roles")()
    assert "**120 items**" in words(app)


def test_cancel_keeps_what_was_there(app) -> None:
    upload(app, score_file(4), "board.csv")
    app.selectbox(key="test").set_value("sign").run()
    finished(app)
    before = app.session_state["_session"]
    fingerprint, raw, choices = before.scores.fingerprint, before.raw, dict(before.choices)
    upload(app, UNSURE, "long.csv")
    assert "of 6 pairs" not in words(app)
    assert "Cancel keeps board.csv" in words(app)
    button(app, "Cancel, don't")()
    after = app.session_state["_session"]
    assert (after.scores.fingerprint, after.raw, after.choices) == (fingerprint, raw, choices)
    assert app.selectbox(key="test").value == "sign"
    assert "of 6 pairs" in words(app)
    assert not app.warning
    assert not app.error


def test_cancel_of_the_first_file_leaves_the_empty_page(app) -> None:
    upload(app, UNSURE, "long.csv")
    button(app, "Cancel, don't")()
    assert not app.exception
    assert app.session_state["_session"].scores is None
    assert "Drop the scores of several systems" in words(app)


def test_a_column_of_a_wide_table_is_left_out(app) -> None:
    upload(app, score_file(4), "ter.csv")
    button(app, "No, higher is better")()
    show(app)
    assert roles(app) == {"item": "test item", **{f"sys{i:03d}": "system" for i in range(4)}}
    assert "This is **4 systems × 30 items**" in words(app)
    choose(app, sys002="left out")
    assert "This becomes **3 systems × 30 items**" in words(app)
    assert "**4 systems**" in words(app)  # not before it is applied
    button(app, "Read the file with these roles")()
    assert "**3 systems**" in words(app)
    assert "higher is better" in words(app)  # what was told before stays
    assert app.session_state["_session"].scores.systems == ("sys000", "sys001", "sys003")
    assert roles(app)["sys002"] == "left out"
    choose(app, sys002="system")
    button(app, "Read the file with these roles")()
    assert "**4 systems**" in words(app)


def test_roles_that_give_no_scores_can_not_be_applied(app) -> None:
    upload(app, score_file(3))
    show(app)
    choose(app, sys001="left out", sys002="left out")
    assert next(item for item in app.button if item.label == "Read the file with these roles").disabled
    assert any("no numbers in any column" in warning.value for warning in app.warning)
    assert "**3 systems**" in words(app)
    button(app, "Undo changes")()
    assert "This is **3 systems × 30 items**" in words(app)


def test_another_metric_of_a_long_table(app) -> None:
    text = "system,item,bleu,ter,tokens\n" + "".join(
        f"{s},u{i},{i + k},{50 - i - k},{i * 7}\n" for k, s in enumerate("AB") for i in range(20)
    )
    upload(app, text.encode(), "long.csv")
    show(app)
    assert roles(app) == {
        "system": "system",
        "item": "test item",
        "bleu": "score",
        "ter": "score",
        "tokens": "left out",
    }
    choose(app, bleu="left out")
    button(app, "Read the file with these roles")()
    assert app.session_state["_session"].scores.metric == "ter"
    assert "lower is better" in words(app)


def test_a_refused_file_is_mended_by_its_roles(app) -> None:
    text = "key,question_text,A,B\n" + "".join(f"{i % 5},g{i},{i % 3},{i % 4}\n" for i in range(20))
    upload(app, text.encode(), "x.csv")
    assert "was on line 2 already" in app.error[0].value
    assert not [word for word in KEYWORDS if word in app.error[0].value]
    show(app, OPEN_REFUSED)
    choose(app, key="left out", question_text="test item")
    button(app, "Read the file with these roles")()
    assert not app.error
    assert "**20 items**" in words(app)


@needs_data
def test_logs_of_inspect_as_an_archive(app) -> None:
    """Two logs of one task: the real one, and the same of another model."""
    one = TOOLS / "2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval"
    target, other = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(one) as log, zipfile.ZipFile(other, "w") as copy:
        for name in log.namelist():
            copy.writestr(name, log.read(name).replace(b"gpt-4o-mini", b"gpt-4o"))
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("logs/a.eval", one.read_bytes())
        archive.writestr("logs/b.eval", other.getvalue())
    upload(app, target.getvalue(), "logs.zip")
    assert not app.error
    assert "**2 systems**" in words(app)
    show(app)
    assert list(roles(app).values())[:2] == ["system", "test item"]
    assert "score" in roles(app).values()
    assert "This is **2 systems" in words(app)


def workbook_with_titles() -> bytes:
    book = Workbook()
    rows = [["WMT scores of 2024"], [], ["segment", "Tern", "Ibis", "notes", "chars"]]
    rows += [[f"s{i}", i % 7 + 0.5, i % 5 + 1, "fine", 100 + i] for i in range(25)]
    for row in rows:
        book.active.append(row)
    book.create_sheet("empty")
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_a_workbook_with_a_title_block(app) -> None:
    upload(app, workbook_with_titles(), "scores.xlsx")
    assert not app.exception
    show(app)
    assert roles(app)["segment"] == "test item"
    assert editor(app).value["First values"][0] == "s0 · s1 · s2"
    assert list(roles(app)) == ["segment", "Tern", "Ibis", "notes", "chars"]
    assert roles(app)["chars"] == "left out"  # 100, 101, … are no scores
    choose(app, chars="system")
    button(app, "Read the file with these roles")()
    assert "**3 systems**" in words(app)


def test_another_sheet_of_a_refused_workbook_is_one_click(app) -> None:
    book = Workbook()
    for sheet, cell in ((book.active, "about 3"), (book.create_sheet("fine"), 3)):
        for row in [
            ["item", "Tern", "Ibis"],
            ["s0", 1, 2],
            ["s1", cell, 1],
            *[[f"t{i}", i % 3, 1] for i in range(9)],
        ]:
            sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    upload(app, target.getvalue(), "scores.xlsx")
    assert "isn't a number" in app.error[0].value
    show(app, OPEN_REFUSED)
    button(app, "fine")()
    assert not app.error
    assert "**11 items**" in words(app)
    assert app.session_state["_session"].scores.reading["sheet"] == "fine"


def test_roles_stand_in_the_replay_file(app) -> None:
    upload(app, UNSURE, "long.csv")
    choose(app, id="left out", piece="test item")
    button(app, "Read the file with these roles")()
    scores = app.session_state["_session"].scores
    reading = json.loads(json.dumps(dict(scores.reading)))
    assert reading["roles"]["unit"] == ["piece"]
    assert read_scores((UNSURE, "long.csv"), **reading_keywords(reading)).fingerprint == scores.fingerprint
    button(app, "Forget")()
    content = json.dumps({"reading": reading, "test": "sign"}).encode()
    settings_field(app).upload("replay.json", content, "application/json").run()
    upload(app, UNSURE, "long.csv")
    assert "What are these columns?" not in words(app)
    assert "**40 items**" in words(app)
    assert app.session_state["_session"].scores.fingerprint == scores.fingerprint


def test_roles_in_the_words_of_the_menus() -> None:
    assert list(WORDS) == [str(role) for role in Role]
    seen = look((UNSURE, "long.csv"), {}, 8)
    roles = guessed_words(seen)
    assert set(roles) <= set(WORDS.values())
    kept = {"lower_is_better": True, "id_column": "id", "format": "wide-csv", "metric": "score"}
    assert choices_for(seen, roles, kept) == {
        "lower_is_better": True,
        "metric": "score",
        "roles": {"unit": ["id"], "system": ["system"], "score": ["piece", "score"]},
    }
    assert set(TEXTS) == set(FORMATS_OF_TEXT)
    none = choices_for(seen, ["label", "system", "label", "left out"], kept)
    assert none["roles"]["unit"] == ["none"]
    assert "metric" not in none
