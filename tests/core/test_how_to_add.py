"""A procedure and a page are one file each, a setting is one record: everything else finds them by itself."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from core.added import half_level, trim, trimmed_difference, trimmed_t
from numpy.testing import assert_allclose
from scipy import stats
from ui.driver import finished, go, open_app, score_file, upload, words

import nlpstat_core as ns
from dashboard import navigation
from dashboard.background import workers
from docs.make_reference import page as reference_page
from nlpstat_core.catalogue import CORRECTIONS, EFFECTS, TESTS
from nlpstat_core.cli import main
from nlpstat_core.methods.diagnosis import DIAGNOSTICS
from nlpstat_core.methods.diagnosis.advice import RULES, lists, reason
from nlpstat_core.methods.omnibus import OMNIBUS
from nlpstat_core.power import board_power
from nlpstat_core.report.wording import label_of_test
from nlpstat_core.report.wording.methods import methods
from tests.calibration import type_one
from tests.calibration.rows import only_subject, standard_error

ROOT = Path(__file__).resolve().parents[2]
LABEL = trimmed_t.METHOD.label


@pytest.fixture
def added():
    """The three procedures in the catalogues while a test runs."""
    with (
        TESTS.extended(trimmed_t.METHOD),
        EFFECTS.extended(trimmed_difference.METHOD),
        CORRECTIONS.extended(half_level.METHOD),
    ):
        yield


@pytest.fixture
def here(monkeypatch):
    """Work of the pages in this process, whose catalogues are extended."""

    def do(self, task, progress, should_stop):
        return task.function(*task.arguments, progress=progress, should_stop=should_stop)

    monkeypatch.setattr(workers.Worker, "do", do)


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(score_file(4, 40))
    return path


def printed(capsys, *arguments):
    """What the command line prints."""
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def config():
    return ns.AnalysisConfig(
        test="trimmed-t", correction="half-level", effects=("trimmed-difference",), resamples=200
    )


def test_what_is_tried_out_is_gone_afterwards():
    before = TESTS.keys
    with TESTS.extended(trimmed_t.METHOD):
        assert TESTS.keys == (*before, "trimmed-t")
        with pytest.raises(ValueError, match="Two test records share a key"):
            TESTS.fill(trimmed_t.METHOD)
    assert TESTS.keys == before
    with pytest.raises(ns.ConfigError, match=r"Unknown test 'trimmed-t'\. Did you mean"):
        ns.AnalysisConfig(test="trimmed-t")


def test_the_nearest_name_is_named_at_construction(added):
    with pytest.raises(ns.ConfigError, match="Did you mean 'trimmed-t'"):
        ns.AnalysisConfig(test="trimed-t")
    with pytest.raises(ns.ConfigError, match="Did you mean 'half-level'"):
        ns.AnalysisConfig(correction="halflevel")
    with pytest.raises(ns.ConfigError, match="Did you mean 'trimmed-difference'"):
        ns.AnalysisConfig(effects=("trimmed-diference",))


def test_it_gives_the_p_value_of_scipy(added, scores):
    units = ns.read_scores(scores)
    analysis = ns.analyse(units, config())
    for row in range(len(analysis.pairs)):
        z = units.values[:, analysis.pairs.left[row]] - units.values[:, analysis.pairs.right[row]]
        error = stats.mstats.trimmed_stde(z, limits=(0.2, 0.2))
        t = stats.trim_mean(z, 0.2) / error
        p = 2 * stats.t.sf(abs(t), z.size - 2 * int(0.2 * z.size) - 1)
        assert_allclose(analysis.pairs.p_value[row], p, rtol=1e-9)
        value = analysis.pairs.effects["trimmed-difference"].value[row]
        assert_allclose(value, stats.trim_mean(z, 0.2), rtol=1e-12)
    m = len(analysis.pairs)
    doubled = stats.false_discovery_control(analysis.pairs.p_value)
    assert_allclose(analysis.pairs.p_adjusted, np.minimum(2 * doubled, 1), rtol=1e-12)
    assert m == 6


def test_the_command_line_lists_and_runs_it(added, scores, tmp_path, capsys):
    listed = printed(capsys, "methods")
    about = listed.index(" about trimmed mean:")
    assert 0 < about < listed.index("  trimmed-t ") < listed.index("Corrections (--correction")
    for record in (trimmed_t.METHOD, trimmed_difference.METHOD, half_level.METHOD):
        assert f"{record.label}: {record.summary}" in listed
    out = tmp_path / "out"
    printed(
        capsys,
        *("analyse", scores, "--test", "trimmed-t", "--correction", "half-level"),
        *("--effects", "trimmed-difference", "--out", out, "--also", "all"),
    )
    data = json.loads((out / "analysis.json").read_text())
    pair = data["pairs"][0]
    assert pair["test"] == "trimmed-t"
    assert pair["hypothesis"] == "trimmed-mean"
    assert "trimmed-difference" in pair["effects"]
    assert (
        LABEL.lower() in printed(capsys, "compare", scores, "sys000", "sys003", "--test", "trimmed-t").lower()
    )
    pair = json.loads(printed(capsys, "compare", scores, "sys000", "sys003", "--json", "-"))
    assert "trimmed-t" in json.dumps(pair)
    settings = ("--test", "trimmed-t", "--effects", "trimmed-difference")
    pair = json.loads(printed(capsys, "compare", scores, "sys000", "sys003", *settings, "--json"))
    assert pair["estimate"]["of"] == "trimmed mean"
    low, high = pair["estimate"]["interval"]
    assert low < pair["estimate"]["value"] < high


def test_reports_say_what_it_is_about(added, scores):
    analysis = ns.analyse(ns.read_scores(scores), config())
    text = " ".join(statement.text for statement in methods(analysis))
    assert "by the same test, the trimmed t test, which is about the 20 % trimmed mean" in text
    assert "The trimmed t test assumes: items are independent; the trimmed mean is approximately" in text
    assert "the 20 % trimmed mean of the differences is 0" in text
    assert "by the method of Half-level (false discovery rate under positive dependence" in text
    assert "Effect sizes are Trimmed mean difference" in text
    notes = {note.code for note in analysis.notes}
    assert {"positive-dependence", "rank-intervals-not-simultaneous"} <= notes


@pytest.mark.parametrize("question", ["mean", "each-pair"])
def test_the_diagnosis_has_it_in_one_list_with_a_true_sentence(added, question):
    standing = {}
    for rule in RULES:
        found = lists(rule, question)
        for name in ("recommended", "non_preferred", "inappropriate"):
            if "trimmed-t" in getattr(found, name):
                assert rule not in standing
                standing[rule] = name
                assert reason(rule, "trimmed-t", question).endswith(".")
    assert {rule: name for rule, name in standing.items() if name == "inappropriate"}.keys() >= {
        *("constant", "f1-counts", "blocks", "few-blocks")
    }
    assert "unpaired" not in standing
    assert standing["normal"] == "non_preferred"
    if question == "mean":
        assert reason("skewed", "trimmed-t", "mean") == (
            "It asks about the 20 % trimmed mean of the differences, not about the mean."
        )
    else:
        assert reason("not-normal", "trimmed-t", "each-pair").startswith("Trimming withstands")


def test_the_catalogues_are_as_before_for_the_diagnosis():
    for rule in RULES:
        assert "trimmed-t" not in lists(rule, "mean").non_preferred


def test_power_knows_its_smallest_p(added, scores):
    analysis = ns.analyse(ns.read_scores(scores), config())
    power = board_power(analysis)
    assert (power.smallest_p == 0).all()  # its distribution is continuous: as small as one likes
    assert not power.impossible.any()
    assert np.isfinite(power.detectable).all()
    assert_allclose(power.comparison_alpha, 0.05 / 12)
    assert set(power.model) == {"shape-t"}  # no form of its own: the t test's, and said to be
    settings = {"test": "trimmed-t", "correction": "half-level"}
    curve = ns.power_curve(analysis.units, "sys000", "sys003", points=2, iterations=20, **settings)
    assert curve.power.shape == (2,)


def test_its_own_note_has_its_sentence(added):
    values = np.column_stack([np.r_[np.full(18, 2.0), 5.0, 1.0], np.ones(20)])
    analysis = ns.analyse(ns.ScoreMatrix(values=values, systems=("a", "b")), config())
    texts = [note.text for note in analysis.pair("a", "b").notes]
    assert "The middle differences are alike: it is undefined." in texts
    assert np.isnan(analysis.pairs.p_value).all()


def test_the_reference_names_all_three(added):
    page = reference_page()
    for key in ("trimmed-t", "half-level", "trimmed-difference", "no-inner-spread"):
        assert f"| `{key}` |" in page, key


def test_every_page_of_the_app_has_it(added, here):
    at = open_app()
    upload(at, score_file(4, 40))
    assert "trimmed-t" in at.selectbox(key="test").options or LABEL in at.selectbox(key="test").options
    finished(at.selectbox(key="test").set_value("trimmed-t").run())
    finished(at.selectbox(key="correction").set_value("half-level").run())
    assert not at.exception
    assert any("Asks about trimmed mean" in caption.value for caption in at.sidebar.caption)
    for page in ("leaderboard", "heatmap", "pair", "power", "report"):
        go(at, page)
        assert not at.exception, page
        assert not at.error, page
        if page in ("pair", "power"):
            assert LABEL.lower() in words(at).lower(), page
    go(at, "methods")
    assert not at.exception
    for record in (trimmed_t.METHOD, trimmed_difference.METHOD, half_level.METHOD):
        assert any(record.label in entry.label for entry in at.expander), record.key


def test_it_is_calibrated_without_a_line_elsewhere(added):
    with only_subject("trimmed-t"):
        rows = next(type_one.rows(2_000))
    assert [row.subject for row in rows] == ["trimmed-t"]
    figure = next(figure for figure in rows[0].figures if figure.nominal == 0.05)
    assert abs(figure.rate - 0.05) < 4.5 * standard_error(0.05, 2_000)


def test_a_page_is_one_file_and_one_line(tmp_path, monkeypatch):
    for name in [entry.name for entry in navigation.PAGES]:
        (tmp_path / f"{name}.py").write_text(navigation.page_path(name).read_text(encoding="utf-8"))
    (tmp_path / "letters.py").write_text('import streamlit as st\n\nst.title("Letters")\n')
    monkeypatch.setattr(navigation, "FOLDER", tmp_path)
    monkeypatch.setattr(
        navigation,
        "PAGES",
        (*navigation.PAGES, navigation.Entry("Publish", "letters", "Letters", ":material/abc:")),
    )
    at = open_app()
    assert not at.exception
    at.switch_page(str(tmp_path / "letters.py")).run()
    assert not at.exception
    assert at.title[0].value == "Letters"


def record_lines():
    """The lines of a setting as its author writes them."""
    source = Path(trim.__file__).read_text(encoding="utf-8")
    fields = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)).body
    return "\n".join(source.splitlines()[fields[-1].lineno - 1 : fields[-1].end_lineno])


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What every front makes of a setting whose record stands in config.py; every other file is as it is."""
    whole = tmp_path_factory.mktemp("with a setting more")
    core = whole / "nlpstat_core"
    core.mkdir()
    for entry in (ROOT / "nlpstat_core").iterdir():
        if entry.name not in ("config.py", "__pycache__"):
            (core / entry.name).symlink_to(entry)
    config = (ROOT / "nlpstat_core" / "config.py").read_text(encoding="utf-8")
    before, method, after = config.partition("    def __post_init__")
    (core / "config.py").write_text(f"{before}{record_lines()}\n\n{method}{after}", encoding="utf-8")
    (whole / "scores.csv").write_bytes(score_file(3, 40))
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "core" / "added" / "fronts.py", whole / "scores.csv"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (whole, ROOT, ROOT / "tests")))},
        cwd=whole,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_setting_is_on_the_command_line_and_reaches_its_procedure(seen):
    assert "--trim TRIM" in seen["help"]
    told = "share of the differences that the trimmed t test leaves out at each end, 0.2 being 20 %"
    assert told in " ".join(seen["help"].split())
    assert seen["refused"] == "trim must be above 0 and below 0.5, not 0.9.\n"
    units = ns.read_scores((score_file(3, 40), "scores.csv")).values
    for pair in json.loads(seen["option"])["pairs"]:
        z = units[:, int(pair["system_a"][3:])] - units[:, int(pair["system_b"][3:])]
        t = stats.trim_mean(z, 0.1) / stats.mstats.trimmed_stde(z, limits=(0.1, 0.1))
        assert_allclose(pair["p_value"], 2 * stats.t.sf(abs(t), 40 - 8 - 1), rtol=1e-9)


def test_settings_files_have_it_with_ours_and_with_its_former_name(seen):
    assert seen["file"] == seen["option"]
    assert json.loads(seen["file"])["config"]["trim"] == 0.1
    config, notes = seen["theirs"]
    assert (config["trim"], notes) == (0.1, ["trimmed_share is now called trim."])


def test_a_link_sets_its_widget_and_every_page_knows_it(seen):
    assert seen["sidebar"] == ["Trimmed at each end", "Of the trimmed t test only.", 0.0, 0.5, 0.1]
    assert "?trim=0.1&" in seen["link"]
    assert "trim:0.1" in seen["page"].replace("\\", "")
    assert "trim:0.3" in seen["elsewhere"].replace("\\", "")
    assert trim.AnalysisConfig(trim=0.3).signature.endswith(f"|trim:0.3|v:{ns.__version__}")


def test_the_reference_and_the_help_of_python_tell_of_it(seen):
    told = "share of the differences that the trimmed t test leaves out at each end, 0.2 being 20 %"
    assert f"| `trim` | Trimmed at each end | 0.2 | {told} |" in seen["reference"]
    assert f"| `--trim` | {told} |" in seen["reference"]
    assert f"    trim : float\n        {told.capitalize()}." in seen["doc"]


@pytest.mark.parametrize("record", [trimmed_t.METHOD], ids=lambda record: record.key)
def test_a_new_test_needs_no_word_elsewhere(record):
    """Labels stand in the record, so that a key without one is an error and not a gap."""
    with pytest.raises(ns.ConfigError):
        label_of_test(record.key)
    with TESTS.extended(record):
        assert label_of_test(record.key) == record.label


# Settings' defaults are names that people read; findings say which procedures a simulation is about.
MAY_LIST_KEYS = {"nlpstat_core/config.py", "nlpstat_core/methods/diagnosis/normality.py"}
SOURCES = [
    path for top in ("nlpstat_core", "dashboard", "pages") for path in sorted((ROOT / top).rglob("*.py"))
]


def listed_keys(tree, keys):
    """Keys of procedures that stand together in a tuple, list, set or mapping, with their lines."""
    types = {node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript)}  # Literal[…]
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict) and node not in types:
            items = node.keys if isinstance(node, ast.Dict) else node.elts
            found = {item.value for item in items if isinstance(item, ast.Constant)} & keys
            if len(found) > 1:
                yield node.lineno, found


def test_no_list_of_procedures_stands_outside_their_records():
    keys = {*TESTS.keys, *EFFECTS.keys, *CORRECTIONS.keys, *OMNIBUS.keys, *DIAGNOSTICS.keys}
    problems = []
    for path in SOURCES:
        name = str(path.relative_to(ROOT))
        text = path.read_text(encoding="utf-8")
        written = sum(f'"{key}"' in text for key in keys)  # most files name none, and need no parser
        if written > 1 and name not in MAY_LIST_KEYS and not path.name.startswith("calibration_"):
            problems += [
                f"{name}, line {line}: {sorted(found)}" for line, found in listed_keys(ast.parse(text), keys)
            ]
    assert not problems, "procedures are listed; say in their records what they share"
