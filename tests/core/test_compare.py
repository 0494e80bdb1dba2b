"""`compare`: NLPStatTest's four steps on its two columns, and its YAML."""

import json

import numpy as np
import pytest

from nlpstat_core import cli
from nlpstat_core.readers.settings_files import renamed

STEPS = ("Step 1: data analysis", "Step 2: significance test", "Step 3: effect sizes", "Step 4: power")
THEIRS = """
eval_unit_size: 2
eval_unit_met: median
shuffled: True
random_seed: 13
normal_test_alpha: 0.01
sig_test_alpha: 0.1
sig_test_name: permutation
sig_boot_perm_B: 500
mu: 0
h1: greater
eff_size_ind: wilcoxonr
power_B: 50
report_output_dir: report
"""


@pytest.fixture
def two_columns(tmp_path):
    rng = np.random.default_rng(1)
    base = rng.normal(size=80)
    rows = np.round(np.stack([base + 0.2 + rng.normal(scale=0.3, size=80), base], axis=1), 4)
    path = tmp_path / "scores.txt"
    path.write_text("".join(f"{u} {v}\n" for u, v in rows), encoding="utf-8")
    return path


def run(capfdbinary, *arguments):
    status = cli.main([str(argument) for argument in arguments])
    captured = capfdbinary.readouterr()
    return status, captured.out.decode(), captured.err.decode()


def test_the_four_steps_in_order(two_columns, capfdbinary):
    status, out, err = run(capfdbinary, "compare", two_columns, "--iterations", "50", "--points", "3")
    assert status == 0
    assert err.startswith("info: Each pair's test was chosen")
    places = [out.index(step) for step in STEPS]
    assert places == sorted(places)
    for owed in (
        "skewness",
        "Shapiro–Wilk",
        "recommended",
        "H0 for",
        "p-value",
        "Cohen's d",
        "Hodges–Lehmann",
    ):
        assert owed in out
    assert run(capfdbinary, "compare", two_columns, "--iterations", "50", "--points", "3")[1] == out


def test_json_is_the_pair(two_columns, capfdbinary):
    _, out, _ = run(capfdbinary, "compare", two_columns, "--test", "t", "--json", "-")
    pair = json.loads(out)
    _, board, _ = run(capfdbinary, "analyse", two_columns, "--test", "t", "--json", "-")
    assert pair["p_value"] == json.loads(board)["pairs"][0]["p_value"]


def test_two_of_many(tmp_path, capfdbinary):
    path = tmp_path / "wide.csv"
    rows = "".join(f"s{i},{i % 7},{i % 5},{i % 3}\n" for i in range(30))
    path.write_text("item,A,B,C\n" + rows, encoding="utf-8")
    status, out, err = run(capfdbinary, "compare", path)
    assert (status, out) == (2, "")
    assert "3 systems" in err
    assert run(capfdbinary, "compare", path, "A")[0] == 2
    assert run(capfdbinary, "compare", path, "A", "Z")[0] == 2
    status, out, _ = run(capfdbinary, "compare", path, "C", "A", "--iterations", "20")
    assert status == 0
    assert "A − C" in out


def test_their_configuration_means_the_same(two_columns, tmp_path, capfdbinary):
    theirs, ours = tmp_path / "config.yml", tmp_path / "ours.yml"
    theirs.write_text(THEIRS, encoding="utf-8")
    ours.write_text(
        "unit_size: 2\nunit_metric: median\nshuffle_seed: 13\nnormality_alpha: 0.01\nalpha: 0.1\n"
        "test: permutation-mean\nresamples: 500\nalternative: greater\neffects: [wilcoxon-r]\n",
        encoding="utf-8",
    )
    lines = [
        run(capfdbinary, "analyse", two_columns, "--config", path, "--json", "-") for path in (theirs, ours)
    ]
    assert [status for status, _, _ in lines] == [0, 0]
    by_theirs, by_ours = (json.loads(out) for _, out, _ in lines)
    renamed_keys = [note for note in by_theirs["notes"] if note["code"] == "setting-renamed"]
    assert "sig_test_alpha is now called alpha." in [note["text"] for note in renamed_keys]
    by_theirs["notes"] = [note for note in by_theirs["notes"] if note["code"] != "setting-renamed"]
    assert by_theirs == by_ours
    _, _, told = run(capfdbinary, "compare", two_columns, "--config", theirs, "--iterations", "20")
    assert "sig_test_alpha is now called alpha." in told
    assert "power_B has no effect here: see power curve --iterations." in told


def test_our_names_win_and_unknown_ones_are_refused(two_columns, tmp_path, capfdbinary):
    data, notes = renamed({"sig_test_alpha": 0.1, "alpha": 0.01, "shuffled": False, "random_seed": 3})
    # Theirs chooses the test from the data, and takes units as independent.
    assert data == {"alpha": 0.01, "question": "each-pair", "block_column": None}
    assert len(notes) == 2
    assert renamed({"alpha": 0.1}) == ({"alpha": 0.1}, ())
    path = tmp_path / "bad.yml"
    path.write_text("sig_test_alpha: 0.1\nsig_test_beta: 3\n", encoding="utf-8")
    status, out, err = run(capfdbinary, "compare", two_columns, "--config", path)
    assert (status, out, err.count("\n")) == (2, "", 1)
