"""The example files: they can be made again byte for byte, and hold what data/README.md says they hold."""

import csv
import itertools
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from nlpstat_core import measure_values, read_submissions

DATA = Path(__file__).resolve().parents[2] / "data"
ENTRIES = json.loads((DATA / "examples.json").read_text(encoding="utf-8"))
TWO_SYSTEMS = [
    f"{family}-{effect}" for family in ("normal", "beta") for effect in ("null", "greater", "less")
]


def read(key: str, labels: int) -> tuple[list[str], list[list[str]], np.ndarray]:
    """Column names, rows of labels, scores."""
    with (DATA / f"{key}.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    scores = np.array([row[labels:] for row in rows], dtype=float)
    return header, [row[:labels] for row in rows], scores


@pytest.fixture(scope="module")
def remade(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    script = DATA / "make_examples.py"
    run = subprocess.run(
        [sys.executable, "-W", "error", script, folder], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    return folder


def test_script_writes_exactly_the_files_of_the_folder(remade: Path) -> None:
    made = {path.name for path in remade.iterdir()}
    assert made == {path.name for path in DATA.iterdir() if path.suffix in {".csv", ".json", ".zip"}}
    assert made == {"examples.json", "battles.csv", *(entry["file"] for entry in ENTRIES)}


@pytest.mark.parametrize("name", ["examples.json", "battles.csv", *(entry["file"] for entry in ENTRIES)])
def test_made_again_byte_for_byte(remade: Path, name: str) -> None:
    assert (remade / name).read_bytes() == (DATA / name).read_bytes()


WIDE = [entry for entry in ENTRIES if entry["key"] != "several-tracks" and "measures" not in entry]
OUTPUTS = [entry for entry in ENTRIES if "measures" in entry]


@pytest.mark.parametrize("entry", OUTPUTS, ids=lambda entry: entry["key"])
def test_gold_and_outputs_rank_otherwise_by_another_measure(entry: dict) -> None:
    board = read_submissions(DATA / entry["file"], measure=entry["measures"])
    assert (board.n_items, len(board.systems)) == (entry["units"], entry["systems"])
    assert (len(board.labels), board.notes) == (1, ())
    values = measure_values(board)
    first, second = (dict(zip(board.systems, column, strict=True)) for column in values.T[:2])
    if entry["key"].startswith("moods"):
        assert 0 < second["Sandpiper"] - second["Turnstone"] < 0.02
        assert first["Turnstone"] - first["Sandpiper"] > 0.1
    elif entry["key"].startswith("similarity"):
        assert max(first, key=first.__getitem__) == "Linnet"
        assert min(second, key=second.__getitem__) == "Bunting"
    elif entry["key"].startswith("names"):
        assert first["Heron"] - first["Grebe"] > 0.1 > first["Lapwing"] - first["Grebe"] > 0.05
    elif entry["key"].startswith("parses"):
        assert abs(second["Wigeon"] - second["Teal"]) < 0.005
        assert first["Wigeon"] - first["Teal"] > 0.03
        assert second["Teal"] - second["Gadwall"] > 0.01 > 0 > first["Teal"] - first["Gadwall"]
    else:
        assert first["Guillemot"] - first["Puffin"] > 0.1 > 0 > second["Guillemot"] - second["Puffin"]


@pytest.mark.parametrize("entry", WIDE, ids=lambda entry: entry["key"])
def test_list_agrees_with_file(entry: dict) -> None:
    labels = 3 if entry["key"] == "shared-task" else 1
    header, ids, scores = read(entry["key"], labels)
    assert scores.shape == (entry["units"], entry["systems"])
    assert len(set(header)) == len(header) == labels + entry["systems"]
    assert len({row[0] for row in ids}) == entry["units"]
    assert np.isfinite(scores).all()
    assert entry["block_column"] in {None, *header[:labels]}
    assert entry["description"].endswith(".")
    assert entry["title"]


def test_sizes() -> None:
    sizes = {entry["key"]: (entry["systems"], entry["units"]) for entry in ENTRIES}
    assert sizes == {
        "shared-task": (16, 2001),
        "code-leaderboard": (40, 500),
        "several-tracks": (7, 360),
        "conll2000-chunking": (2, 49389),
        "moods-gold-and-outputs": (6, 400),
        "similarity-gold-and-outputs": (5, 250),
        "answers-gold-and-outputs": (4, 200),
        "names-gold-and-outputs": (4, 150),
        "parses-gold-and-outputs": (4, 150),
        **dict.fromkeys(TWO_SYSTEMS, (2, 200)),
    }


@pytest.mark.parametrize("key", TWO_SYSTEMS)
def test_two_systems_show_what_their_name_says(key: str) -> None:
    header, _, scores = read(key, 1)
    assert header == ["item", "A", "B"]
    assert np.corrcoef(scores.T)[0, 1] > 0.7
    z = scores[:, 0] - scores[:, 1]
    paired, unpaired = stats.ttest_1samp(z, 0), stats.ttest_ind(scores[:, 0], scores[:, 1])
    assert abs(paired.statistic) > abs(unpaired.statistic)
    if key.endswith("null"):
        assert min(paired.pvalue, stats.wilcoxon(z).pvalue) > 0.1
    else:
        assert paired.pvalue < 1e-7
        assert (z.mean() > 0) == key.endswith("greater")


@pytest.mark.parametrize(
    ("key", "skewed", "normal"),
    [
        ("normal-null", False, True),
        ("normal-greater", False, True),
        ("normal-less", False, True),
        ("beta-null", False, False),
        ("beta-greater", True, False),
        ("beta-less", True, False),
    ],
)
def test_two_systems_lead_to_different_recommended_tests(key: str, skewed: bool, normal: bool) -> None:
    _, _, scores = read(key, 1)
    z = scores[:, 0] - scores[:, 1]
    assert (abs(stats.skew(z)) >= 0.5) == skewed
    assert (stats.shapiro(z).pvalue > 0.05) == normal


def test_shared_task_is_correlated_so_that_pairing_matters() -> None:
    header, _, scores = read("shared-task", 3)
    assert header[:3] == ["segment", "document", "domain"]
    assert (scores.min(), scores.max()) == (0, 100)
    correlation = np.corrcoef(scores.T)[np.triu_indices(16, 1)]
    assert correlation.min() >= 0.5
    # with correlation r the paired standard error is about sqrt(1 - r) times the unpaired one
    ratios = [np.std(a - b) / np.hypot(np.std(a), np.std(b)) for a, b in itertools.combinations(scores.T, 2)]
    assert max(ratios) < np.sqrt(0.5)


def test_shared_task_has_clusters_ties_and_a_very_close_pair() -> None:
    header, _, scores = read("shared-task", 3)
    names = header[3:]
    pairs = list(itertools.combinations(range(16), 2))
    p = [stats.ttest_rel(scores[:, i], scores[:, j]).pvalue for i, j in pairs]
    differ = np.zeros((16, 16), dtype=bool)
    for (i, j), reject in zip(pairs, multipletests(p, method="holm")[0], strict=True):
        differ[i, j] = differ[j, i] = reject
    order = np.argsort(-scores.mean(axis=0))
    ranked = differ[np.ix_(order, order)]
    assert sum(ranked[:k, k:].all() for k in range(1, 16)) >= 4  # cluster lines

    def separated(a: str, b: str) -> bool:
        return bool(differ[names.index(a), names.index(b)])

    for a, b in itertools.chain(
        itertools.combinations(["Kestrel-2", "Godwit-MT", "Curlew-13B"], 2),
        [("Dunlin-base", "Sandpiper"), ("Plover-large", "Lapwing")],
    ):
        assert not separated(a, b)
    assert not separated("Redstart", "Sandpiper")
    assert separated("Plover-large", "Sandpiper")

    close = scores[:, names.index("Tern-rerank")] - scores[:, names.index("Tern")]
    assert 0 < close.mean() < 0.3
    assert np.mean(close == 0) > 0.75
    assert separated("Tern", "Tern-rerank")
    assert not separated("Plover-large", "Redstart")  # although three times as far apart


def test_shared_task_has_a_system_that_wins_more_often_with_a_lower_mean() -> None:
    header, _, scores = read("shared-task", 3)
    z = scores[:, header.index("Turnstone") - 3] - scores[:, header.index("Dunlin-base") - 3]
    assert z.mean() < 0
    assert stats.skew(z) < -1
    assert stats.binomtest(int(np.sum(z > 0)), int(np.sum(z != 0)), alternative="greater").pvalue < 1e-6


def test_shared_task_mixes_recommended_tests() -> None:
    _, _, scores = read("shared-task", 3)
    tests = {"t": 0, "wilcoxon": 0, "sign": 0}
    for a, b in itertools.combinations(scores.T, 2):
        if abs(stats.skew(a - b)) >= 0.5:
            tests["sign"] += 1
        else:
            tests["t" if stats.shapiro(a - b).pvalue > 0.05 else "wilcoxon"] += 1
    assert tests == {"t": 30, "wilcoxon": 73, "sign": 17}


def test_shared_task_blocks_are_neighbouring_segments_that_depend_on_each_other() -> None:
    header, labels, scores = read("shared-task", 3)
    documents = [row[1] for row in labels]
    runs = [document for document, _ in itertools.groupby(documents)]
    assert len(runs) == len(set(runs)) == 141
    assert {row[2] for row in labels} == {"news", "social", "speech", "literary"}
    z = scores[:, header.index("Heron-70B") - 3] - scores[:, header.index("Avocet") - 3]
    block = np.unique(documents, return_inverse=True)[1]
    sums = np.bincount(block, weights=z - z.mean())
    design_effect = (sums**2).sum() / len(z) / np.var(z)
    assert design_effect > 1.3


def test_code_leaderboard_is_pass_or_fail_with_task_difficulty() -> None:
    header, _, scores = read("code-leaderboard", 1)
    assert header[0] == "task"
    assert set(np.unique(scores)) == {0, 1}
    solved = scores.mean(axis=1)
    assert (solved.min(), solved.max()) == (0, 1)
    independent = np.mean(scores.mean(axis=0) * (1 - scores.mean(axis=0))) / 40
    assert np.var(solved) > 5 * independent  # far more spread than tasks of equal difficulty would show


def test_several_tracks_hold_what_is_promised() -> None:
    header, labels, scores = read("several-tracks", 3)
    assert header == ["dataset", "segment", "system", "chrF", "TER"]
    names, tracks = (list(dict.fromkeys(row[i] for row in labels)) for i in (2, 0))
    entry = next(entry for entry in ENTRIES if entry["key"] == "several-tracks")
    chrf, ter = (scores[:, i].reshape(len(tracks), 60, len(names)) for i in (0, 1))
    assert (len(names), chrf[..., 0].size) == (entry["systems"], entry["units"])
    assert [row[2] for row in labels[: len(names)]] == names  # systems change fastest, tracks slowest
    alder, birch, cedar, elder, hazel = (names.index(name) for name in names[:5])
    assert (chrf.mean(axis=1).argmax(axis=1) == alder).all()
    ahead = chrf[..., birch].mean(axis=1) > chrf[..., cedar].mean(axis=1)
    assert [track for track, there in zip(tracks, ahead, strict=True) if not there] == ["medical"]
    assert stats.ttest_rel(chrf[..., cedar].ravel(), chrf[..., elder].ravel()).pvalue > 0.1
    for scores_of, better in ((chrf, "greater"), (ter, "greater")):  # more chrF is good, more TER is bad
        z = scores_of[..., hazel] - scores_of[..., cedar]
        assert stats.ttest_1samp(z.ravel(), 0, alternative=better).pvalue < 1e-6


def test_conll2000_table() -> None:
    header, _, scores = read("conll2000-chunking", 1)
    assert header == ["item", "hal00", "dej00"]
    hal00, dej00 = scores.astype(int).T
    table = np.zeros((2, 2), dtype=int)
    np.add.at(table, (dej00, hal00), 1)
    assert table.tolist() == [[1463, 994], [476, 46456]]
    only_hal00, only_dej00 = np.sum(hal00 > dej00), np.sum(dej00 > hal00)
    assert (only_hal00, only_dej00) == (994, 476)
    assert only_hal00 / only_dej00 == pytest.approx(2.0882, abs=5e-5)
