"""Tables of other people's tools: read right, asked about or refused with a way on, never a wrong board."""

import json

import numpy as np
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.notes import Note
from nlpstat_core.readers import Role, RolesNeeded, preview, read_boards, read_scores, reading_keywords
from nlpstat_core.scores.matrix import ScoreMatrix

RNG = np.random.default_rng(11)
DATASETS = ["Adiac", "Beef", "Car", "Coffee", "Fish", "Ham", "Herring", "Meat"]


def csv(header: list[object], rows: list[list[object]]) -> bytes:
    return "\n".join(",".join(map(str, row)) for row in [header, *rows]).encode()


def read(content: bytes, **choices: object) -> ScoreMatrix:
    return read_scores((content, "x.csv"), **choices)  # type: ignore[arg-type]


def asked(content: bytes, name: str = "x.csv", **choices: object) -> RolesNeeded:
    with pytest.raises(RolesNeeded) as raised:
        read_scores((content, name), **choices)  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)
    return raised.value


def notes(scores: ScoreMatrix, code: str) -> list[Note]:
    return [note for note in scores.notes if note.code == code]


def long_rows(times: int = 1) -> list[dict[str, object]]:
    return [
        {"Iteration": i, "Value": round(float(RNG.normal(200, 30)), 2), "Agent": agent}
        for agent in ("DQN", "PPO", "A2C")
        for _ in range(times)
        for i in range(10)
    ]


@pytest.mark.parametrize("times", [1, 5])
def test_agents_of_reinforcement_learning_are_asked_about(times: int) -> None:
    content = json.dumps(long_rows(times)).encode()
    question = asked(content, "x.json")
    assert "column 'Agent' names systems, but no column names the units" in str(question)
    assert "say roles='unit=Iteration,system=Agent'" in str(question)
    assert question.guess.roles == {
        "Iteration": Role.UNIT,
        "Value": Role.SCORE,
        "Agent": Role.SYSTEM,
    }
    told = {"roles": "unit=Iteration,system=Agent"}
    if times == 1:
        scores = read_scores((content, "x.json"), **told)  # type: ignore[arg-type]
        assert (scores.systems, scores.n_units) == (("DQN", "PPO", "A2C"), 10)
        return
    with pytest.raises(ScoreFileError, match=r"5 rows in all repeat it, so give each .* or a column 'run'"):
        read_scores((content, "x.json"), **told)  # type: ignore[arg-type]


SYSTEMS = "agent framework alg_name algorithm detector method classifier approach team learner solver policy"


@pytest.mark.parametrize("name", SYSTEMS.split())
def test_what_names_systems(name: str) -> None:
    units = [f"i{i}" for i in range(12)]
    rows = [[unit, own, RNG.random()] for unit in units for own in ("tern", "heron", "wren")]
    scores = read(csv(["item", name, "score"], rows))
    assert (scores.systems, scores.units) == (("tern", "heron", "wren"), tuple(units))
    assert {note.severity for note in scores.notes} <= {"info", "caution"}


def test_a_column_of_task_ids_names_no_systems() -> None:
    tasks = {f"openml/t/{i}": name for i, name in enumerate(DATASETS)}
    rows: list[list[object]] = [
        [
            task,
            name,
            framework,
            fold,
            round(float(RNG.random()), 4),
            "auc",
            round(float(RNG.random()) * 900, 1),
        ]
        for task, name in tasks.items()
        for framework in ("autogluon", "TPOT", "H2O")
        for fold in range(10)
    ]
    scores = read(csv(["id", "task", "framework", "fold", "result", "metric", "duration"], rows))
    assert (scores.systems, scores.units) == (("autogluon", "TPOT", "H2O"), tuple(tasks))
    assert scores.runs is not None
    assert scores.runs.numbers.tolist() == [10, 10, 10]


def test_systems_that_only_their_content_tells_are_asked_about() -> None:
    rows: list[list[object]] = [[f"t{i}", f"w{j}", (i * j) % 7] for i in range(10) for j in range(4)]
    assert notes(read(csv(["thing", "who", "value"], rows)), "system-column-guessed")[0].severity == "problem"
    of_sets: list[list[object]] = [[f"i{i}", i % 3, i % 4, part] for part in "xy" for i in range(10)]
    content = csv(["item", "A", "B", "origin"], of_sets)
    assert notes(read(content), "system-column-guessed")[0].severity == "problem"
    scores = read(content, dataset_column="origin")
    assert (scores.systems, scores.n_units, scores.labels["origin"][::10]) == (("A", "B"), 20, ("x", "y"))


def folds(seed: int, runs: int = 30) -> list[list[object]]:
    own = np.random.default_rng(seed)
    return [[name, *own.uniform(0.5, 0.9, runs).round(4)] for name in DATASETS]


@pytest.mark.parametrize("first", ["dataset", "", "problem", "Resamples:", "accuracy_resamples"])
@pytest.mark.parametrize("name", ["{}", "fold{}", "seed_{}", "resample_{}"])
def test_columns_that_count_are_asked_about(first: str, name: str) -> None:
    content = csv([first, *(name.format(i) for i in range(30))], folds(1))
    question = asked(content)
    begin, end = name.format(0), name.format(29)
    assert f"'{begin}' to '{end}' seem to be runs of one system, not systems; give one such file" in str(
        question
    )
    assert "run_column='none' if each is a system" in str(question)
    assert read(content, run_column="none").n_systems == 30
    seen = preview((content, "x.csv"))
    assert seen.guess is not None
    assert (seen.guess.of(Role.UNIT), len(seen.guess.of(Role.RUN))) == ((first,) if first else (), 30)


@pytest.mark.parametrize("end", ["", ","])
@pytest.mark.parametrize("first", ["dataset", "Resamples:", "accuracy_resamples"])
def test_a_file_of_resamples_for_each_system(first: str, end: str) -> None:
    tables = {name: folds(seed) for seed, name in enumerate(["HC2", "ROCKET", "TSF"])}
    header = [first, *range(30)]
    files = [
        (csv([*header, *([""] * bool(end))], [[*row, *([""] * bool(end))] for row in rows]), f"{name}.csv")
        for name, rows in tables.items()
    ]
    scores = read_scores(files)
    assert (scores.systems, scores.units) == (tuple(tables), tuple(DATASETS))
    assert scores.runs is not None
    for own, rows in zip(scores.runs.values, tables.values(), strict=True):
        np.testing.assert_array_equal(own, np.array([row[1:] for row in rows], dtype=float))
    assert "were read as 30 runs of one system" in notes(scores, "columns-are-runs")[0].text
    again = read_scores(files, **reading_keywords(json.loads(json.dumps(dict(scores.reading)))))
    assert again.fingerprint == scores.fingerprint
    seen = preview(files)
    assert seen.guess is not None
    assert len(seen.guess.of(Role.RUN)) == 30


def test_numbers_that_count_nothing_stay_systems() -> None:
    assert read(csv(["topic", "run1", "run2", "run3"], folds(1, 3))).systems == ("run1", "run2", "run3")
    assert read(csv(["item", "7", "9", "12"], folds(1, 3))).n_systems == 3
    assert read(csv(["item", "sys1", "sys2", "sys3"], folds(1, 3))).n_systems == 3


DIAGRAMS = csv(
    ["dataset", "method", "loss", "diagram"],
    [
        [name, method, round(float(RNG.random()), 3), diagram]
        for diagram in ("val", "test")
        for name in DATASETS
        for method in ("a", "b", "c")
    ],
)


@pytest.mark.parametrize("told", [{"dataset_column": "diagram"}, {"roles": "dataset=diagram"}])
def test_several_data_sets_with_the_same_items(told: dict[str, str]) -> None:
    with pytest.raises(
        ScoreFileError, match=r"whether it names data sets, .*dataset_column='diagram', or roles="
    ):
        read(DIAGRAMS)
    both = read(DIAGRAMS, **told)
    assert (both.systems, both.n_units, both.units[0] if both.units else "") == (
        tuple("abc"),
        16,
        "Adiac:val",
    )
    assert read(DIAGRAMS, dataset="test", **told).n_units == 8
    boards = read_boards((DIAGRAMS, "x.csv"), each="dataset", **told)
    assert {name: scores.n_units for name, scores in boards.items()} == {"val": 8, "test": 8}
    ids = read(DIAGRAMS, id_column="dataset", **told)
    assert ids.n_units == 16


@pytest.mark.parametrize("index", [True, False])
def test_tasks_of_challenges_are_data_sets(index: bool) -> None:
    keys = [(t, a, c) for t in ("T1", "T2") for a in ("A1", "A2", "A3") for c in range(12)]
    rows: list[list[object]] = [[i, t, a, RNG.random(), f"C{c}"] for i, (t, a, c) in enumerate(keys)]
    header: list[object] = ["", "task", "alg_name", "value", "case"]
    content = csv(header[not index :], [row[not index :] for row in rows])
    scores = read(content)
    assert (scores.systems, scores.n_units) == (("A1", "A2", "A3"), 24)
    np.testing.assert_array_equal(scores.values[0], [rows[12 * k][3] for k in range(3)])
    assert set(read_boards((content, "x.csv"), each="dataset")) == {"T1", "T2"}
