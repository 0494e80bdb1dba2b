"""No column of scores is lost or merged because of what it is called; what may be scores is asked about."""

import io

import numpy as np
import pandas as pd
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.notes import Note
from nlpstat_core.readers import read_scores
from nlpstat_core.scores.matrix import ScoreMatrix

RNG = np.random.default_rng(3)
WHOLE = RNG.integers(0, 2, (20, 6))
RATINGS = RNG.integers(1, 11, (20, 6))
FRACTIONS = RNG.random((20, 6)).round(3)
PERCENT = (FRACTIONS * 100).round(1)
BOARDS = [WHOLE, RATINGS, FRACTIONS, PERCENT]
MODELS = [
    "lab/pythia-1b-7k-steps",
    "olmo-1b-250b-tokens",
    "mamba-3-epoch",
    "llama-7b-4k-length",
    "gpt2-low-temperature",
    "v2 seed",
]
CALLED = ["confidence", "latency_ms", "turn", "cost", "version", "difficulty", "steps"]


def read(columns: dict[str, object], **choices: object) -> ScoreMatrix:
    text = pd.DataFrame({"item": [f"u{i}" for i in range(20)], **columns}).to_csv(index=False)
    return read_scores((text.encode(), "x.csv"), **choices)  # type: ignore[arg-type]


def note(scores: ScoreMatrix, code: str) -> list[Note]:
    return [note for note in scores.notes if note.code == code]


@pytest.mark.parametrize("values", BOARDS)
@pytest.mark.parametrize("name", [*MODELS, *CALLED])
def test_a_column_like_its_neighbours_is_a_system_whatever_it_is_called(
    name: str, values: np.ndarray
) -> None:
    scores = read({"A": values[:, 0], name: values[:, 1], "B": values[:, 2]})
    assert scores.systems == ("A", name, "B")
    np.testing.assert_array_equal(scores.values, values[:, :3])
    (said,) = note(scores, "systems-named-otherwise")
    assert repr(name) in said.text
    assert said.severity == ("problem" if name in CALLED else "caution")


@pytest.mark.parametrize("name", MODELS[:4])
def test_a_model_that_solves_nothing_is_a_system(name: str) -> None:
    scores = read({"A": WHOLE[:, 0], "B": WHOLE[:, 1], name: np.zeros(20, dtype=int)})
    assert scores.systems == ("A", "B", name)


@pytest.mark.parametrize(
    ("name", "values", "board", "severity"),
    [
        ("timestamp", 1_700_000_000 + np.arange(20) * 17, FRACTIONS, "caution"),
        ("tokens", RNG.integers(200, 900, 20), PERCENT, "caution"),
        ("tokens", RNG.integers(20, 90, 20), FRACTIONS, "caution"),
        ("steps", np.repeat([1, 2, 3, 4, 5], 4), RATINGS, "problem"),  # never falls
        ("turn", np.tile([1, 2], 10), RATINGS, "problem"),  # far narrower than ratings from 1 to 10
        ("seed", np.ones(20, dtype=int), WHOLE, "problem"),
        ("seed", np.full(20, 42), WHOLE, "caution"),
        ("confidence", FRACTIONS[:, 5], WHOLE, "problem"),  # fractions beside right and wrong
        ("is_hard", WHOLE[:, 5], WHOLE, "problem"),
        ("cost", -FRACTIONS[:, 5] * 10, FRACTIONS, "caution"),
        ("epoch", np.full(20, np.nan), FRACTIONS, "caution"),
    ],
)
def test_what_its_values_say_too_is_left_out(
    name: str, values: np.ndarray, board: np.ndarray, severity: str
) -> None:
    scores = read({"A": board[:, 0], "B": board[:, 1], name: values})
    assert scores.systems == ("A", "B")
    (said,) = note(scores, "columns-left-out")
    assert (said.severity, repr(name) in said.text) == (severity, True)
    if not np.isnan(values.astype(float)).all():
        again = read({"A": board[:, 0], "B": board[:, 1], name: values}, roles=f"system=A,system={name}")
        assert again.systems == ("A", name)


def test_a_family_of_columns_is_no_system() -> None:
    own = {name: FRACTIONS[:, i] for i, name in enumerate(["A", "B", "A_confidence", "B_confidence"])}
    scores = read(own)
    assert scores.systems == ("A", "B")
    assert note(scores, "columns-left-out")[0].severity == "problem"
    assert read({"A": own["A"], "B": own["B"], "A-3-epoch": own["A_confidence"]}).n_systems == 3


def test_nothing_but_latencies_is_compared_without_a_word() -> None:
    scores = read({"A_latency": FRACTIONS[:, 0], "B_latency": FRACTIONS[:, 1]})
    assert (scores.systems, scores.notes) == (("A_latency", "B_latency"), ())


@pytest.mark.parametrize("name", ["story", "group", "sample", "section", "category"])
def test_names_of_labels_and_ids_above_scores(name: str) -> None:
    scores = read({"A": FRACTIONS[:, 0], "B": FRACTIONS[:, 1], name: FRACTIONS[:, 2]})
    assert scores.systems == ("A", "B", name)
    assert note(scores, "systems-named-otherwise")[0].severity == "problem"
    documents = np.repeat([1.0, 2, np.nan, 4], 5)
    assert read({"A": RATINGS[:, 0], "B": RATINGS[:, 1], name: documents}).systems == ("A", "B")
    told = read({"A": FRACTIONS[:, 0], "B": FRACTIONS[:, 1], name: FRACTIONS[:, 2]}, label_columns=[name])
    assert told.systems == ("A", "B")


def test_a_system_that_is_mostly_words_is_a_problem_where_its_numbers_may_be_scores() -> None:
    cells = ["0.5 points", "0.25", "failed", "0.75 points"] * 5
    scores = read({"A": FRACTIONS[:, 0], "B": FRACTIONS[:, 1], "C": cells})
    assert note(scores, "label-column-guessed")[0].severity == "problem"
    remarks = ["too long", "see above", "fine", "x"] * 4 + ["1", "fine", "no", "x"]
    scores = read({"A": FRACTIONS[:, 0], "B": FRACTIONS[:, 1], "C": remarks})
    assert note(scores, "label-column-guessed")[0].severity == "caution"
    flags = read({"A": WHOLE[:, 0], "B": WHOLE[:, 1], "C": WHOLE[:, 2] == 1})
    assert flags.n_systems == 3 or note(flags, "label-column-guessed")[0].severity == "problem"


def test_a_few_names_with_trials_are_no_runs() -> None:
    names = ["A", "B", "C-trial1", "C-trial3", "D", "E"]
    scores = read(dict(zip(names, FRACTIONS.T, strict=True)))
    assert scores.systems == tuple(names)
    assert "'C-trial1', 'C-trial3'" in note(scores, "runs-not-joined")[0].text
    assert read(dict(zip(names, FRACTIONS.T, strict=True)), run_column="names").n_systems == 5
    family = ["A-trial1", "A-trial2", "B-trial1", "B-trial2", "C", "D"]
    assert read(dict(zip(family, FRACTIONS.T, strict=True))).systems == ("A", "B", "C", "D")


def sheet(**columns: object) -> ScoreMatrix:
    target = io.BytesIO()
    frame = pd.DataFrame(columns)
    frame.insert(0, "item", [f"u{i}" for i in range(len(frame))])
    frame.to_excel(target, index=False)
    return read_scores((target.getvalue(), "x.xlsx"))


@pytest.mark.parametrize("form", ["{}", "{} %", "{}%", " {} "])
def test_decimal_commas_of_one_column_of_a_workbook(form: str) -> None:
    words = [form.format(str(value).replace(".", ",")) for value in PERCENT[:, 2]]
    scores = sheet(A=PERCENT[:, 0], B=PERCENT[:, 1], C=words)
    assert scores.systems == ("A", "B", "C")
    np.testing.assert_array_equal(scores.values, PERCENT[:, :3])


@pytest.mark.parametrize("scale", [1, 100])
@pytest.mark.parametrize("mark", [".", ","])
def test_percentages_above_a_numeric_mean(scale: int, mark: str) -> None:
    own = 60 + FRACTIONS[:9, 2].round(2) * 30
    words = [f"{value:.1f}%".replace(".", mark) for value in own]
    mean = float(np.mean([round(value, 1) for value in own]))
    beside = [*PERCENT[:9, 0], PERCENT[:9, 0].mean()]
    scores = sheet(A=beside, B=beside[::-1], C=[*words, mean / scale])
    assert scores.systems == ("A", "B", "C")
    np.testing.assert_allclose(scores.values[:, 2], [*own.round(1), mean], rtol=1e-12)
    assert "percent-signs-added" in {note.code for note in scores.notes}


def test_a_number_that_may_be_either_stays_a_question() -> None:
    words = ["0.1%", "100%", "50%", "10%", "30%", "70%", "20%"]
    scores = sheet(A=PERCENT[:8, 0], B=PERCENT[:8, 1], C=[*words, 0.3])
    assert scores.systems == ("A", "B")
    (said,) = note(scores, "label-column-guessed")
    assert ("'C'" in said.text, said.severity) == (True, "problem")


def test_a_word_among_decimal_commas_is_told_as_in_csv() -> None:
    words = [str(value).replace(".", ",") for value in PERCENT[:, 2]]
    with pytest.raises(ScoreFileError, match=r"row 6, column 'C': 'broken' isn't a number"):
        sheet(A=PERCENT[:, 0], B=PERCENT[:, 1], C=[*words[:4], "broken", *words[5:]])
    scores = read({"A": PERCENT[:, 0], "B": PERCENT[:, 1], "C": words})
    assert note(scores, "label-column-guessed")[0].severity == "problem"


def test_whole_scores_in_the_first_column_are_asked_about() -> None:
    own = ["3,5,4", "1,4,5", "9,8,9", "2,2,1", "7,7,8", "5,6,3"]
    scores = read_scores(("\n".join(["A,B,C", *own]).encode(), "x.csv"))
    assert note(scores, "id-column-guessed")[0].severity == "problem"
    scores = read_scores(("\n".join(["nr,B,C", *sorted(own)]).encode(), "x.csv"))
    assert note(scores, "id-column-guessed")[0].severity == "caution"


def test_words_that_are_no_numbers_stay_words() -> None:
    scores = sheet(kind=["1,5 kg", "2,5", "x%", "3,5"] * 5, A=PERCENT[:, 0], B=PERCENT[:, 1])
    assert scores.labels["kind"][:4] == ("1,5 kg", "2,5", "x%", "3,5")
