"""What is dropped on the landing page: one file, several, and how their reading is corrected."""

import numpy as np
import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec
from ui.driver import button, finished, score_file, show, upload, words

from dashboard.scores.reading_form import OPEN_REFUSED
from dashboard.server.privacy import given_files
from dashboard.server.start import options
from dashboard.session.uploads import bounds, most_megabytes, packed
from nlpstat_core.errors import ConfigError
from nlpstat_core.readers import read_scores

MODELS = ("GPT-4", "Claude-3.5", "Llama3-70B", "Gemini-1.5-Pro")


def one_system(name: str, seed: int, ids: bool = True) -> tuple[str, bytes, str]:
    """A file with the scores of one system."""
    values = np.random.default_rng(1).normal(50, 10, 30) + np.random.default_rng(seed).normal(seed, 3, 30)
    lines = [f"u{i}\t{value:.2f}" if ids else f"{value:.2f}" for i, value in enumerate(values)]
    return name, "\n".join(["item\tscore", *lines] if ids else lines).encode(), "text/plain"


def test_several_files_are_one_board(app) -> None:
    files = [one_system(f"{name}.tsv", seed) for seed, name in enumerate(("Tern", "Heron", "Ibis"))]
    finished(app.file_uploader[0].set_value(files).run())
    assert not app.exception
    assert not app.error
    assert "**3 systems**" in words(app)
    assert "Tern.tsv and 2 more" in words(app)
    assert "of 3 pairs" in words(app)
    upload(app, score_file(4))  # the next drop is another board, not one more file of this one
    assert "of 6 pairs" in words(app)


def test_one_file_given_as_a_value_acts_at_once(app) -> None:
    finished(app.file_uploader[0].set_value(("s.csv", score_file(3), "text/csv")).run())
    assert "**3 systems**" in words(app)


def test_files_that_dont_fit_together_are_explained(app) -> None:
    long, short = one_system("A.txt", 1, ids=False), one_system("B.txt", 2, ids=False)
    finished(app.file_uploader[0].set_value([long, (short[0], short[1][:60], short[2])]).run())
    assert not app.exception
    assert "give all files the same lines, or item ids" in app.error[0].value


def test_the_direction_is_flipped_by_one_click(app) -> None:
    upload(app, score_file(3), "ter.csv")
    assert "lower is better" in words(app)
    button(app, "No, higher is better")()
    assert "higher is better" in words(app)
    button(app, "No, lower is better")()
    assert "lower is better" in words(app)


def test_missing_scores_are_counted_by_system_and_pair(app) -> None:
    lines = score_file(3).decode().split("\n")
    cut = [line if not 1 <= i <= 12 else line.rpartition(",")[0] + "," for i, line in enumerate(lines)]
    upload(app, "\n".join(cut).encode())
    table = next(frame.value for frame in app.dataframe if "Missing" in frame.value.columns)
    assert table[["System", "Missing"]].values.tolist()[0] == ["sys002", 12]
    assert "sys000 and sys002: 18 items" in words(app)


def test_menus_of_long_data(app) -> None:
    rows = [
        f"{system},{doc},{i},{i + k},{(i * k) % 5}"
        for k, system in enumerate("AB", start=1)
        for doc in ("x", "y")
        for i in range(10)
    ]
    upload(app, "\n".join(["system,doc,segment,bleu,ter", *rows]).encode())
    assert "Test items named by: doc with segment" in words(app)
    show(app)
    boxes = [box for box in app.selectbox if box.label == "Metric"]
    metric = next(box for box in boxes if "detected from the content" in box.options)
    assert list(metric.options)[1:] == ["bleu", "ter"]
    metric.set_value("ter")
    button(app, "Read again")()
    assert "lower is better" in words(app)


def test_systems_as_rows(app) -> None:
    values = np.random.default_rng(0).random((3, 20)).round(3)
    header = ",".join(["model", *(f"u{i}" for i in range(20))])
    rows = [",".join([f"M{k}", *map(str, row)]) for k, row in enumerate(values.tolist())]
    upload(app, "\n".join([header, *rows]).encode())
    assert "read every row as one system" in app.error[0].value
    show(app, OPEN_REFUSED)
    assert [one.label for one in app.button if one.label == "Read every row as one system"]
    box = next(box for box in app.selectbox if box.label.startswith("Rows of a table"))
    box.set_value(True)
    button(app, "Read again")()
    assert "**3 systems**" in words(app)
    assert "**20 items**" in words(app)


def test_packed_files_are_the_files() -> None:
    files = [(b"1\n2\n", "a.txt"), (b"3\n4\n", "b.txt")]
    data, name = packed(files)
    assert name == "a.txt and 1 more"
    assert read_scores((data, name)).fingerprint == read_scores(list(files)).fingerprint
    twice, _ = packed([(b"1\n2\n", "x.txt"), (b"3\n4\n", "x.txt")])
    assert read_scores((twice, "x")).systems == ("1", "2")
    assert packed(files[:1]) == files[0]
    odd, _ = packed([(b"1\n2\n", "a" * 70_000 + ".txt"), (b"3\n4\n", "\udc80\0b.txt")])
    assert read_scores((odd, "x")).systems == ("a" * 196, "??b")


def test_bounds_are_settings_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--server.maxUploadSize=50" in options()
    assert bounds() == {"max_bytes": most_megabytes() * 2**20}
    monkeypatch.setenv("NLPSTAT_MAX_CELLS", "100")
    assert bounds()["max_cells"] == 100
    monkeypatch.setenv("NLPSTAT_MAX_COLUMNS", "many")
    with pytest.raises(ConfigError, match="NLPSTAT_MAX_COLUMNS must be a whole number"):
        bounds()


def test_a_bound_of_the_server_is_explained(app, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPSTAT_MAX_CELLS", "50")
    upload(app, score_file(3))
    assert "more than 50 cells" in app.error[0].value
    assert "is a setting of this server, and an option of the command line" in app.error[0].value


def test_rows_that_seem_to_be_systems_are_turned_by_one_click(app) -> None:
    rows = [f"{name},team {i % 2},{0.1 * i + 0.1:.2f},{0.2 * i:.2f},{7 - i}" for i, name in enumerate(MODELS)]
    upload(app, "\n".join([",team,BLEU,chrF2,MetricX", *rows]).encode())
    lines = [error.value for error in app.error if "rows seem to be systems" in error.value]
    assert len(lines) == 1
    assert "**3 systems**" in words(app)
    button(app, "Read every row as one system")()
    assert not app.error
    assert "**4 systems**" in words(app)
    assert "describe systems" in words(app)


def test_a_file_that_was_given_up_is_passed_over() -> None:
    there = UploadedFile(UploadedFileRec("1", "a.csv", "text/csv", b"x"), FileURLs())
    assert given_files([DeletedFile("0"), there]) == [there]
    assert given_files(there) == [there]
    assert given_files(DeletedFile("0")) == given_files(None) == given_files([]) == []
