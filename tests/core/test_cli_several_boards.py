"""`analyse --each`: the summary, the files, the replay, and one line for bad input."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

import nlpstat_core as ns
from nlpstat_core import cli
from nlpstat_core.report.exports.folder import FILES
from nlpstat_core.report.wording import top_sentence
from nlpstat_core.report.wording.several_boards import board_sentence

EXAMPLE = Path(__file__).parents[2] / "data" / "several-tracks.csv"
FAST = ("--test", "t", "--effects", "cohen-d")


def run(capfdbinary, *arguments):
    """Exit status, standard output and standard error of one command."""
    status = cli.main([str(argument) for argument in arguments])
    captured = capfdbinary.readouterr()
    return status, captured.out.decode(), captured.err.decode()


def test_metrics_in_one_table(capfdbinary):
    status, out, err = run(
        capfdbinary, "analyse", EXAMPLE, "--each", "metric", "--family", "all", "-q", *FAST
    )
    assert (status, err) == (0, "")
    assert out.startswith("Alder is the top group on both metrics; ")
    assert "One family of 42 comparisons over all metrics." in out
    assert [line.split()[:2] for line in out.splitlines()[4:6]] == [["chrF", "higher"], ["TER", "lower"]]


def test_data_sets_with_counts_and_pooling(tmp_path, capfdbinary):
    out_folder = tmp_path / "results"
    status, out, told = run(capfdbinary, "analyse", EXAMPLE, "--each", "dataset", "--out", out_folder, *FAST)
    assert status == 0
    assert "Alder  Cedar       6 of 6      6" in out
    assert "With 95 % confidence all 42 counts hold together, whatever the dependence" in out
    assert "no pair can be found to differ over data sets" in told
    data = json.loads((out_folder / "boards.json").read_text(encoding="utf-8"))
    names = {name for name, _ in FILES}
    folders = [board["folder"] for board in data["boards"]]
    assert folders[0] == "1-news"
    for folder in (*folders, "over-data-sets"):
        assert {path.name for path in (out_folder / folder).iterdir()} == names
    for name in ("boards.html", "boards.md"):
        text = (out_folder / name).read_text(encoding="utf-8")
        assert "Alder is in the top group on all 6 data sets" in text
        assert "dror2017" in text
    with (out_folder / "replicability.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(data["replicability"]["pairs"]) == 42
    best = next(row for row in rows if (row["better"], row["worse"]) == ("Birch", "Cedar"))
    assert best["at_least"] == "5"
    assert float(best["p medical"]) > 0.5
    named = next(
        pair
        for pair in data["replicability"]["pairs"]
        if pair["better"] == "Birch" and pair["worse"] == "Cedar"
    )
    assert "medical" not in named["named"]
    assert len(named["p_at_least"]) == 6
    assert data["over_datasets"]["units"] == 6
    assert data["over_datasets"]["average_ranks"]["systems"][0]["system"] == "Alder"


def test_the_config_replays_and_json_stands_alone(tmp_path, capfdbinary):
    arguments = ("--each", "dataset", "--family", "all", "--combination", "fisher", "--metric", "TER")
    status, first, err = run(capfdbinary, "analyse", EXAMPLE, *arguments, *FAST, "--json", "-")
    assert (status, err) == (0, "")
    data = json.loads(first)
    assert data["config"]["boards"] == {"each": "dataset", "family": "all", "combination": "fisher"}
    assert data["config"]["reading"]["metric"] == "TER"
    assert data["family_size"] == 126
    replay = tmp_path / "replay.json"
    replay.write_text(json.dumps(data["config"]), encoding="utf-8")
    _, second, _ = run(capfdbinary, "analyse", EXAMPLE, "--config", replay, "--json", "-")
    assert second == first
    _, other, _ = run(capfdbinary, "analyse", EXAMPLE, "--config", replay, "--family", "each", "--json", "-")
    assert json.loads(other)["family_size"] is None


def test_a_board_of_its_own_replays_alone(tmp_path, capfdbinary):
    out_folder = tmp_path / "results"
    run(capfdbinary, "analyse", EXAMPLE, "--each", "dataset", "--out", out_folder, *FAST)
    written = json.loads((out_folder / "4-medical" / "analysis.json").read_text(encoding="utf-8"))
    _, alone, _ = run(capfdbinary, "analyse", EXAMPLE, "--dataset", "medical", *FAST, "--json", "-")
    assert json.loads(alone) == written
    assert written["config"]["reading"]["dataset"] == "medical"


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (("--family", "all"), "--family goes with --each"),
        (("--each", "sheet"), "Unknown kind of board"),
        (("--each", "metric", "--family", "both"), "Unknown family"),
        (("--each", "dataset", "--combination", "stouffer"), "Unknown combination"),
        (("--each", "metric", "--lower", "WER"), "there is no metric 'WER'"),
        (("--each", "metric", "--metric", "TER"), "leave one out"),
        (
            ("--each", "dataset", "--family", "all", "--test", "t", "--correction", "max-t"),
            "max-t over all boards",
        ),
        (("--each", "metric", "--test", "mcnemar"), "'chrF': McNemar"),
        (("--dataset", "sports"), "there is no data set 'sports'"),
    ],
)
def test_bad_choices_are_one_line_and_write_nothing(arguments, given, tmp_path, capfdbinary):
    out_folder = tmp_path / "results"
    status, out, err = run(capfdbinary, "analyse", EXAMPLE, *arguments, "--out", out_folder)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert given in err
    assert not out_folder.exists()


@pytest.mark.parametrize("boards", ["[1]", "{each: metric, famly: all}", "{each: metric, lower: TER}", "3"])
def test_bad_boards_in_a_configuration(boards, tmp_path, capfdbinary):
    config = tmp_path / "run.yml"
    config.write_text(f"boards: {boards}\n", encoding="utf-8")
    status, out, err = run(capfdbinary, "analyse", EXAMPLE, "--config", config)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_directions_that_are_told(capfdbinary):
    _, out, _ = run(
        capfdbinary, "analyse", EXAMPLE, "--each", "metric", "--lower", "none", *FAST, "--json", "-"
    )
    assert [board["lower_is_better"] for board in json.loads(out)["boards"]] == [False, False]


def test_the_headline_names_the_metric_where_the_file_has_several():
    scores = ns.read_scores(str(EXAMPLE), metric="TER")
    analysis = ns.analyse(scores)
    assert analysis.headline.startswith("TER: Alder is ")
    assert analysis.headline in repr(analysis)
    assert not ns.analyse(replace(scores, reading={})).headline.startswith("TER")
    against = ns.analyse(scores, ns.AnalysisConfig(baseline="Birch"))
    assert top_sentence(against) == against.headline  # a page shows one of them
    boards = ns.analyse_boards({"TER": scores, "chrF": scores})
    assert board_sentence(boards, "TER").count("TER") == 1
