"""Presets: the settings of published analyses, alone and with other options."""

import json

import numpy as np
import pytest
from scipy import stats

import nlpstat_core as ns
from nlpstat_core import cli
from nlpstat_core.methods.references import REFERENCES
from nlpstat_core.presets import PRESETS, preset
from nlpstat_core.scores.units import evaluation_units

FIGURE = "nlpstattest-figure-4"


@pytest.fixture
def score_file(tmp_path):
    rng = np.random.default_rng(3)
    lines = [f"s{i}," + ",".join(f"{x:.3f}" for x in rng.normal([0.5, 0.2, 0], 1)) for i in range(200)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["item,A,B,C", *lines]), encoding="utf-8")
    return path


@pytest.mark.parametrize("entry", PRESETS, ids=lambda entry: entry.key)
def test_presets_are_valid_and_cited(entry):
    assert entry.config == ns.AnalysisConfig(**entry.settings)
    assert entry.summary.endswith(".")
    assert entry.references
    assert set(entry.references) <= set(REFERENCES)
    assert entry is preset(entry.key)


def test_the_figure_by_its_definition(score_file):
    """Groups of 15 shuffled rows, Wilcoxon with normal approximation or exact, times the number of pairs."""
    scores = ns.read_scores(score_file)
    found = ns.analyse(scores, preset(FIGURE).config)
    assert found.units.n_units == 13
    assert set(found.pairs.test) == {"wilcoxon"}
    assert found.family_size == 3
    units = evaluation_units(scores, size=15, shuffle_seed=13).values
    wanted = [stats.wilcoxon(units[:, a] - units[:, b]).pvalue for a, b in ((0, 1), (0, 2), (1, 2))]
    np.testing.assert_allclose(found.pairs.p_value, wanted, rtol=1e-9)
    np.testing.assert_allclose(found.pairs.p_adjusted, np.minimum(1, 3 * np.array(wanted)), rtol=1e-9)


def test_options_and_configuration_files_win_over_it(score_file, tmp_path, capfdbinary):
    def settings(*more):
        assert cli.main(["analyse", str(score_file), "--preset", FIGURE, "--json", "-", *more]) == 0
        return json.loads(capfdbinary.readouterr().out)["config"]

    assert settings() | preset(FIGURE).settings == settings()
    assert settings("--unit-size", "5")["unit_size"] == 5
    assert settings("--unit-size", "5")["correction"] == "bonferroni"
    written = tmp_path / "run.yml"
    written.write_text("alpha: 0.01\nunit_size: 4\n", encoding="utf-8")
    both = settings("--config", str(written), "--unit-size", "3")
    assert (both["alpha"], both["unit_size"], both["test"]) == (0.01, 3, "wilcoxon")


def test_an_unknown_preset_is_one_line(score_file, capfdbinary):
    assert cli.main(["analyse", str(score_file), "--preset", "nlpstatest-figure-4"]) == 2
    text = capfdbinary.readouterr()
    assert text.out == b""
    assert text.err.decode().count("\n") == 1
    assert FIGURE in text.err.decode()
    assert cli.main(["methods"]) == 0
    assert FIGURE in capfdbinary.readouterr().out.decode()
