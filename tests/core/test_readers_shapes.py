"""Tables of other people's tools: read right, asked about or refused with a way on, never a wrong board."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.cli.program import main
from nlpstat_core.errors import ScoreFileError
from nlpstat_core.notes import Note
from nlpstat_core.readers import Role, preview, read_boards, read_scores, reading_keywords
from nlpstat_core.report.exports.documents.report import report_md
from nlpstat_core.report.wording import headline, top_sentence
from nlpstat_core.report.wording.few_units import second_line
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.core.reading import asked, read

RNG = np.random.default_rng(11)
DATASETS = ["Adiac", "Beef", "Car", "Coffee", "Fish", "Ham", "Herring", "Meat"]


def csv(header: list[object], rows: list[list[object]]) -> bytes:
    return "\n".join(",".join(map(str, row)) for row in [header, *rows]).encode()


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
    assert "column 'Agent' names systems, but no column names the items" in str(question)
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
@pytest.mark.parametrize("name", ["{}", "fold{}", "seed_{}", "resample_{}", "run {}"])
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


MODELS = ["resnet50", "vit_base_patch16", "convnext_tiny", "efficientnet_b0", "deit_small", "swin_tiny"]
SOLVED = RNG.integers(0, 2, (6, 10)).tolist()
ACCURACY = RNG.uniform(0.5, 0.9, (8, 8)).round(3).tolist()


def named(names: list[str], rows: list[list[float]]) -> list[list[object]]:
    return [[name, *row] for name, row in zip(names, rows, strict=False)]


TRANSPOSED = {
    "datasets": csv(
        ["dataset_name", *(f"dataset{i}" for i in range(1, 9))], named(["clf1", "clf2", "clf3"], ACCURACY)
    ),
    "topics": csv(["topic", *range(301, 311)], named([f"sys{i}" for i in range(1, 7)], SOLVED)),
    "questions": csv(["", *(f"q{i}" for i in range(10))], named(["tern", "heron", "wren", "rook"], SOLVED)),
    "models": csv(["item", *(f"q{i}" for i in range(10))], named(["gpt-4", "claude-3", "llama-2"], SOLVED)),
    "no name": csv(["", *DATASETS], named(["tern", "heron", "wren", "rook"], ACCURACY)),
    "names": csv(["name", "first", "second", "third"], named(MODELS, [row[:3] for row in ACCURACY])),
    "leaderboard": csv(["", "mmlu", "gsm8k", "hellaswag"], named(MODELS, [row[:3] for row in ACCURACY])),
    "thousands": csv(
        ["fullname", "Average", "IFEval", "BBH", "MATH", "GPQA"],
        [[f"{['qwen', 'llama', 'nous'][i % 3]}-{i}b", *RNG.random(5).round(3)] for i in range(3_000)],
    ),
    "shared task": csv(
        ["", "LPs", "AutoRank", "MetricX", "CometKiwi"],
        [[name, "en-de", 1 + i / 3, 2 + i * 0.7, 0.7 - i / 50] for i, name in enumerate(MODELS)],
    ),
}


CODES = ["rows-seem-systems", "mixed-scales", "statistics-as-systems"]


@pytest.mark.parametrize("shape", TRANSPOSED)
def test_tables_on_their_side_are_asked_about(shape: str) -> None:
    content = TRANSPOSED[shape]
    scores = read(content)
    (note,) = notes(scores, "rows-seem-systems")
    assert note.severity == "problem"
    assert "if so, say systems_as_rows=True, or, better, give the score of each test item" in note.text
    turned = read(content, systems_as_rows=True)
    assert turned.systems == scores.units
    assert not notes(turned, "rows-seem-systems")
    right = read(content, accept=CODES)
    assert {note.severity for note in right.notes} <= {"info", "caution"}
    assert right.reading["accept"] == CODES


UPRIGHT = {
    "datasets": csv(["dataset_name", "clf1", "clf2", "clf3"], named(DATASETS, [r[:3] for r in ACCURACY])),
    "known systems": csv(["", "SVM", "RandomForest", "ROCKET"], named(DATASETS, [r[:3] for r in ACCURACY])),
    "topics": csv(["topic", "sys1", "sys2"], [[301 + i, *row[:2]] for i, row in enumerate(SOLVED)]),
    "questions": csv(["", "A", "B", "C"], [[f"q{i}", *row[:3]] for i, row in enumerate(SOLVED)]),
    "numbers": csv(["", "A", "B", "C"], [[i, *row[:3]] for i, row in enumerate(SOLVED)]),
    "sentences": csv(
        ["sentence", "A", "B"], named(["It rains.", "Go!", "Why not?"], [r[:2] for r in SOLVED])
    ),
}


@pytest.mark.parametrize("shape", UPRIGHT)
def test_tables_that_stand_upright_are_read(shape: str) -> None:
    assert {note.severity for note in read(UPRIGHT[shape]).notes} <= {"info", "caution"}


@pytest.mark.parametrize(
    "first", ["model", "System", "llm", "framework", "agent", "classifier", "architecture"]
)
def test_one_row_a_system_in_every_disguise_is_refused(first: str) -> None:
    rows: list[list[object]] = [[name, 80 + i, 95 - i / 2, 25.5, 224] for i, name in enumerate(MODELS)]
    with pytest.raises(
        ScoreFileError, match=r"one row per system: .* systems_as_rows=True if every other column"
    ):
        read(csv([first, "top1", "top5", "param_count", "img_size"], rows))
    records = [dict(zip((first, "pass@1", "pass@10"), row[:3], strict=True)) for row in rows]
    with pytest.raises(ScoreFileError, match=r"one row per system|one score per system"):
        read_scores((json.dumps(records).encode(), "results.json"))
    nested = {str(row[0]): {"pass@1": row[1], "pass@10": row[2]} for row in rows}
    with pytest.raises(ScoreFileError, match="one score per system"):
        read_scores((json.dumps(nested).encode(), "results.json"))


def test_metrics_and_times_of_one_system_are_no_board() -> None:
    rows: list[list[object]] = [
        [name, *row[:2], 100 * row[2]] for name, row in zip(DATASETS, ACCURACY, strict=True)
    ]
    header: list[object] = ["dataset", "accuracy", "f1", "time_training_seconds"]
    assert "'accuracy' and 'f1' are names of metrics" in str(asked(csv(header, rows)))
    with pytest.raises(ScoreFileError, match=r"only one system, 'accuracy'.*'time_training_seconds'"):
        read(csv([header[0], header[1], header[3]], [[row[0], row[1], row[3]] for row in rows]))
    unlike = csv(["dataset", "purity", "nmi", "ari"], named(DATASETS, [row[:3] for row in ACCURACY]))
    assert "'purity' and 'nmi' are names of metrics" in str(asked(unlike))
    items: list[list[object]] = [[f"u{i}", *row[:3]] for i, row in enumerate(ACCURACY)]
    (note,) = notes(read(csv(["item", "accuracy", "f1", "depth"], items)), "columns-seem-metrics")
    assert note.severity == "problem"


N = 60
SHARES = {name: np.clip(RNG.normal(0.6 + i / 20, 0.15, N), 0, 1).round(3) for i, name in enumerate("ABC")}
PERCENT = {name: (100 * own).round(1) for name, own in SHARES.items()}
TRUE = {name: RNG.integers(0, 2, N) for name in "AB"}
GRADES = {name: RNG.integers(1, 6, N) for name in "AB"}
SECONDS = 1_700_000_000 + np.cumsum(RNG.integers(1, 99, N))
COUNTER = np.cumsum(RNG.integers(1, 3, N))


def wide(*tables: dict[str, np.ndarray], **more: np.ndarray) -> bytes:
    columns = {name: own for table in (*tables, more) for name, own in table.items()}
    rows: list[list[object]] = [[f"u{i}", *(own[i] for own in columns.values())] for i in range(N)]
    return csv(["item", *columns], rows)


@pytest.mark.parametrize(
    "columns",
    [
        {"tstamp": SECONDS, "turn": RNG.integers(1, 6, N)},
        {"begin": SECONDS, "end": SECONDS + 7},
        {"begin_ms": 1000 * SECONDS, "annotator": RNG.integers(1, 4, N)},
        {"seed": RNG.integers(1, 9, N), "epoch": RNG.integers(1, 9, N)},
    ],
)
def test_nothing_but_times_and_counters_is_asked_about(columns: dict[str, np.ndarray]) -> None:
    first, second = columns
    question = asked(wide(columns))
    assert f"{first!r} and {second!r} seem to hold times, counters or settings, not scores" in str(question)
    assert f"roles='system={first},system={second}' if they are systems" in str(question)
    assert read(wide(columns), roles=f"system={first},system={second}").n_systems == 2


@pytest.mark.parametrize("unit", [1, 1_000, 1_000_000])
@pytest.mark.parametrize("board", [SHARES, PERCENT, TRUE])
def test_times_since_1970_are_no_system_whatever_they_are_called(
    board: dict[str, np.ndarray], unit: int
) -> None:
    scores = read(wide(board, x=unit * SECONDS))
    assert scores.systems == tuple(board)
    assert "'x'" in notes(scores, "columns-left-out")[0].text


def problems(scores: ScoreMatrix) -> dict[str, str]:
    return {note.code: note.text for note in scores.notes if note.severity == "problem"}


@pytest.mark.parametrize(
    ("board", "name", "values"),
    [
        (GRADES, "annotator", RNG.integers(1, 5, N)),
        (GRADES, "coder_id", RNG.integers(1, 5, N)),
        (SHARES, "temperature", RNG.choice([0, 0.3, 0.7, 1.0], N)),
        (SHARES, "weight", RNG.uniform(0, 1, N).round(2)),
        (SHARES, "fold", SHARES["A"][::-1]),
        (SHARES, "p-value", RNG.uniform(0, 1, N).round(3)),
        ({name: (50 * own).round() for name, own in SHARES.items()}, "c", COUNTER),
    ],
)
def test_columns_that_may_be_no_systems_are_asked_about(
    board: dict[str, np.ndarray], name: str, values: np.ndarray
) -> None:
    content = wide(board, **{name: values})
    scores = read(content)
    said, *_ = problems(scores).values()
    assert scores.systems == (*board, name)
    assert f"{name!r} (roles='ignored={name}' if they are none)" in said
    assert read(content, roles=f"ignored={name}").systems == tuple(board)
    assert not problems(read(content, accept=list(problems(scores))))


@pytest.mark.parametrize(
    ("board", "name", "values"),
    [
        (PERCENT, "annotator", RNG.integers(1, 4, N)),
        (TRUE, "annotator", RNG.integers(1, 4, N)),
        (SHARES, "time", RNG.uniform(0, 90, N).round(2)),
        (TRUE, "fold", RNG.integers(2, 6, N)),
    ],
)
def test_columns_that_can_be_no_systems_are_left_out(
    board: dict[str, np.ndarray], name: str, values: np.ndarray
) -> None:
    scores = read(wide(board, **{name: values}))
    assert scores.systems == tuple(board)
    assert repr(name) in notes(scores, "columns-left-out")[0].text


@pytest.mark.parametrize(
    "name", ["InceptionTime", "H-InceptionTime", "lightweight", "DeepSeek-Coder", "run57"]
)
def test_names_that_end_like_something_else_stay_systems_without_a_question(name: str) -> None:
    scores = read(wide(SHARES, **{name: SHARES["A"][::-1]}))
    assert (scores.systems[-1], problems(scores)) == (name, {})


def test_what_may_be_a_system_and_is_left_out_says_how_it_becomes_one() -> None:
    scores = read(wide(TRUE, temperature=RNG.choice([0, 0.7], N)))
    assert scores.systems == ("A", "B")
    told = "(roles='system=A,system=B,system=temperature' if they are systems)"
    assert told in problems(scores)["columns-left-out"]


@pytest.mark.parametrize("typo", [655.0, 6550.0, -300.0, 1e300])
def test_one_score_far_outside_is_asked_about(typo: float) -> None:
    board = {**PERCENT, "B": PERCENT["B"].copy()}
    board["B"][7] = typo
    scores = read(wide(board))
    said = problems(scores)["far-cell"]
    assert said.startswith(f"{typo:g} stands among scores from ")
    assert said.endswith(
        "(system 'B', item 'u7'); if it is wrong, correct it or leave the row out (drop_rows=('u7',))."
    )
    assert list(problems(scores)) == ["far-cell"]
    assert not problems(read(wide(board), drop_rows=["u7"]))
    assert not problems(read(wide(board), accept=["far-cell"]))


def test_scores_without_bounds_may_reach_far() -> None:
    for seed in range(20):
        own = np.random.default_rng(seed)
        losses = {name: own.lognormal(3, 2, N).round(2) for name in "ABC"}
        assert "far-cell" not in problems(read(wide(losses)))
    hard = {name: np.where(np.arange(N) == 3, 900.0, own) for name, own in PERCENT.items()}
    assert "far-cell" not in problems(read(wide(hard)))  # for every system


def test_shares_beside_percent_become_percent() -> None:
    board = {**PERCENT, "B": SHARES["B"]}
    said = problems(read(wide(board)))["mixed-scales"]
    assert said.endswith("are all on the same scale? If these are shares of 1, say as_percent=('B',).")
    scores = read(wide(board), as_percent=["B"])
    np.testing.assert_array_equal(scores.values, np.column_stack(list(PERCENT.values())))
    assert not problems(scores)
    again = read(wide(board), **reading_keywords(json.loads(json.dumps(dict(scores.reading)))))
    assert again.fingerprint == scores.fingerprint
    with pytest.raises(ScoreFileError, match="there is no system 'D'"):
        read(wide(board), as_percent=["D"])
    unlike = read(wide({"A": SHARES["A"], "B": SHARES["B"], "C": (10 * SHARES["C"]).round(2)}))
    assert "as_percent" not in problems(unlike)["mixed-scales"]


def test_the_guess_of_a_file_that_cannot_be_read_goes_by_more_than_names() -> None:
    content = wide(SHARES, confidence=SHARES["A"][::-1], tokens=RNG.integers(100, 900, N))
    seen = preview((content + b"\nu0,1,1,1,1,1", "x.csv"))
    assert seen.scores is None
    assert seen.guess is not None
    assert (seen.guess.of(Role.SYSTEM), seen.guess.of(Role.IGNORED)) == (
        ("A", "B", "C", "confidence"),
        ("tokens",),
    )


def test_no_command_says_a_result_before_the_question_is_settled(tmp_path, capsys) -> None:
    board = {**PERCENT, "B": SHARES["B"]}
    (tmp_path / "x.csv").write_bytes(wide(board))
    assert main(["analyse", str(tmp_path / "x.csv")]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith(
        "No result is given until this question is answered: Scores between 0 and 1 for 'B', up to "
    )
    assert first.endswith("say --as-percent B. If the file was read correctly, say --accept mixed-scales.")
    assert main(["analyse", str(tmp_path / "x.csv"), "--as-percent", "B"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(headline(analyse(read(wide(PERCENT)))))
    assert main(["analyse", str(tmp_path / "x.csv"), "--accept", "mixed-scales"]) == 0
    assert "better" in capsys.readouterr().out.splitlines()[0]


def test_reports_and_sentences_wait_for_the_answer() -> None:
    odd = read(wide(TRUE, **{"p-value": RNG.uniform(0, 1, N).round(3)}))
    for scores in (odd, replace(odd, notes=(*odd.notes, Note("far-cell", "problem", "655 stands there.")))):
        analysis = analyse(scores)
        assert top_sentence(analysis) == headline(analysis)
        assert second_line(analysis) == ""
        assert headline(analysis).startswith(
            "No result is given until this question is answered: Read as systems"
        )
        assert ("1 more question" in headline(analysis)) == (scores is not odd)
        assert "No result is given until this question is answered" in report_md(analysis)
    fact = replace(odd, notes=(Note("disjoint-pairs", "problem", "339 pairs share no item."),))
    assert not headline(analyse(fact)).startswith("No result")


NOISE = np.random.default_rng(23).normal(0, 4, (N, 3))
HARD = np.clip(np.random.default_rng(24).uniform(40, 70, (N, 1)) + np.array([0, 5, 9]) + NOISE, 1, 99).round(
    1
)
SHEET = dict(zip(("BERT", "T5", "Ours"), HARD.T, strict=True))
ONES = dict(zip(("BERT", "T5", "Ours"), (HARD.T > 55).astype(int), strict=True))
TAILS = ["{}_0.3", "${} \\pm 0.3$", "'{}", "{} pts", "{}/100", "{}.", "~{}", "<{}", "{}a"]


@pytest.mark.parametrize("cell", TAILS)
def test_a_column_of_more_than_numbers_is_asked_about(cell: str) -> None:
    scores = read(wide(SHEET, **{"STD-Net": np.array([cell.format(x) for x in HARD[:, 1]])}))
    assert scores.systems == tuple(SHEET)
    assert "Column 'STD-Net' holds more than numbers" in problems(scores)["label-column-guessed"]


@pytest.mark.parametrize("name", ["words", "n", "Size", "Classes", "Schwierigkeit"])
@pytest.mark.parametrize("high", [6, 40, 3_000])
def test_whole_numbers_beside_fractions_are_asked_about(name: str, high: int) -> None:
    content = wide(SHEET, **{name: np.random.default_rng(1).integers(1, high, N)})
    scores = read(content)
    assert (
        f"whole numbers among fractions may not be scores: {name!r}"
        in problems(scores)["whole-numbers-as-systems"]
    )
    assert not problems(read(content, roles=f"ignored={name}"))
    assert not problems(read(wide(SHEET, right=ONES["T5"] * 100))).get("whole-numbers-as-systems")


@pytest.mark.parametrize("name", ["Task", "Dataset", "Section", "Question", "Item"])
def test_a_system_called_like_a_label_is_asked_about(name: str) -> None:
    scores = read(wide(ONES, **{name: ONES["T5"][::-1]}))
    told = f"system=BERT,system=T5,system=Ours,system={name}"
    assert told in problems(scores)["columns-left-out"]
    assert not problems(read(wide(ONES, **{name: np.repeat(np.arange(N // 5), 5)})))  # as documents are


ODD_ROWS = {"year": [2018, 2019, 2023], "params (M)": [110, 770, 7000], "p": [0.01, 0.2, 0.03]}


@pytest.mark.parametrize("name", ODD_ROWS)
@pytest.mark.parametrize("first", [True, False])
def test_a_row_far_from_all_others_at_an_end_is_asked_about(name: str, first: bool) -> None:
    lines = wide(SHEET).decode().split("\n")
    row = ",".join(map(str, [name, *ODD_ROWS[name]]))
    content = "\n".join([lines[0], row, *lines[1:]] if first else [*lines, row]).encode()
    assert f"The row {name!r} is far outside all others" in problems(read(content))["far-row"]
    assert not problems(read(content, drop_rows=[name]))


@pytest.mark.parametrize("name", ["Average {}", "Mean of {}", "Mittelwert {}", "Subtotal {}"])
def test_means_of_groups_amid_the_rows_are_asked_about(name: str) -> None:
    lines = wide(SHEET).decode().split("\n")
    for end in (60, 40, 20):
        means = HARD[end - 20 : end].mean(axis=0).round(1)
        lines.insert(1 + end, ",".join(map(str, [name.format("ABC"[end // 20 - 1]), *means])))
    content = "\n".join(lines).encode()
    assert f"The items {name.format('A')!r}" in problems(read(content))["summary-row"]
    assert problems(read(content, drop_rows=[name.format(one) for one in "ABC"])) == {}
    same = re.sub(f"{name.format('[ABC]')},", "Mean,", content.decode())
    with pytest.raises(ScoreFileError, match=r"'Mean' seems to sum up the others: .*drop_rows='Mean'"):
        read(same.encode())
    assert not problems(read(same.encode(), drop_rows=["Mean"]))


def test_a_second_table_below_the_first_is_refused_with_its_place() -> None:
    lines = wide(SHEET).decode().split("\n")
    with pytest.raises(ScoreFileError, match="line 13 repeats the header: if another table begins there"):
        read("\n".join([*lines[:11], ",,,", *lines[:1], *lines[1:11]]).encode())


def test_names_of_groups_above_the_header() -> None:
    content = b",Baselines,,New\n" + wide(SHEET)
    with pytest.raises(ScoreFileError, match="if the lower row names the systems, say header_row=2"):
        read(content)
    assert read(content, header_row=2).systems == tuple(SHEET)


@pytest.mark.parametrize("name", ["Consensus", "Δ", "均值", "Average_Performance"])
def test_a_column_that_is_the_mean_of_the_others_is_no_silent_system(name: str) -> None:
    own = HARD[:, 2] - HARD[:, 1] if name == "Δ" else HARD.mean(axis=1)
    scores = read(wide(SHEET, **{name: own.round(2)}))
    left_out = bool(notes(scores, "summary-column"))
    assert left_out == (name not in scores.systems)
    assert left_out or "statistics-as-systems" in problems(scores)
    other = read(wide(SHEET, Average_Performance=own.round(1) - 7.3))
    assert "'Average_Performance'" in problems(other)["statistics-as-systems"]


@pytest.mark.parametrize("gap", ["-", ""])
def test_ticks_and_gaps_are_asked_about(gap: str) -> None:
    scores = read(wide({name: np.where(own > 0, "1", gap) for name, own in ONES.items()}))
    assert "if an empty cell means a wrong answer, write 0 there" in problems(scores)["only-one-value"]


def test_a_system_in_another_range_is_asked_about() -> None:
    assert "far-system" in problems(read(wide(SHEET, other=(1500 + 10 * HARD[:, 0]).round(1))))
    assert "far-system" in problems(read(wide(SHEET, other=-HARD[:, 0] - 3)))
    assert not problems(read(wide(SHEET, weak=(HARD[:, 0] / 2).round(1))))
