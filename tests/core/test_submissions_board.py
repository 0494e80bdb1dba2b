"""What outputs tell beside the board: confusion matrices, labels with intervals, the items that count."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
import seqeval.metrics as seqeval
from scipy import stats
from seqeval.scheme import IOB2

from nlpstat_core.board.submissions.by_label import OTHER, confusions, label_differences, label_scores
from nlpstat_core.board.submissions.differing import as_text, differing_items, in_spans, influence, words_of
from nlpstat_core.errors import AnalysisError
from nlpstat_core.measures import measure_named
from nlpstat_core.scores.submissions import Submissions

RNG = np.random.default_rng(4)
STRICT = {"mode": "strict", "scheme": IOB2}
LABELS = ["a", "b", "rare"]


def board(n=60, missing=True):
    gold = [LABELS[min(2, int(x))] for x in RNG.exponential(0.9, n)]
    outputs = {}
    for system, share in {"X": 0.8, "Y": 0.5, "Z": 0.3}.items():
        outputs[system] = [
            right if RNG.random() < share else str(RNG.choice(["a", "b", "strange"])) for right in gold
        ]
    if missing:
        outputs["Y"][3] = None
    return Submissions(kind="labels", items=[f"i{i}" for i in range(n)], gold=gold, outputs=outputs)


def f1(pairs, label):
    hits = sum(right == output == label for right, output in pairs)
    wrong = sum((right == label) != (output == label) for right, output in pairs)
    return 2 * hits / (2 * hits + wrong) if hits or wrong else 0.0


def jackknife(values, level):
    if len(set(values)) == 1:
        return np.nan  # nothing varies: an interval of one point would say that other items are the same
    n = len(values)
    spread = (n - 1) / n * sum((value - np.mean(values)) ** 2 for value in values)
    return stats.t.ppf((1 + level) / 2, n - 1) * np.sqrt(spread)


@pytest.mark.parametrize("by_document", [False, True])
def test_labels_against_counting_anew(by_document):
    whole = board()
    groups = np.arange(60) // 4 if by_document else None
    found = label_scores(whole, 0.9, groups)
    block = np.arange(60) if groups is None else groups
    for place, system in enumerate(whole.systems):
        column = whole.outputs[system]
        kept = [i for i in range(60) if column[i] is not None]
        for row, label in enumerate(whole.gold_labels):
            pairs = {i: (whole.gold[i], column[i]) for i in kept}
            assert found.f1[place, row] == pytest.approx(f1(pairs.values(), label), abs=1e-12)
            without = [
                f1([pairs[i] for i in kept if block[i] != group], label) for group in sorted({*block[kept]})
            ]
            half = jackknife(without, 0.9)
            expected = np.minimum(1, found.f1[place, row] + half)
            assert found.high[place, row] == pytest.approx(expected, abs=1e-12, nan_ok=True)
            given = [right == label for right, output in pairs.values() if output == label]
            assert found.precision[place, row] == pytest.approx(np.mean(given) if given else 0, abs=1e-12)
    assert found.support.tolist() == [whole.gold.count(label) for label in whole.gold_labels]


@pytest.mark.parametrize(("measure", "how"), [("span-f1", {}), ("span-f1-strict", STRICT)])
def test_types_of_spans_are_seqevals_with_a_jackknife(measure, how):
    rng = np.random.default_rng(7)
    tags = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "I-ORG", "B-ORG"]
    gold = [tuple(rng.choice(tags, 5, p=[0.4] + [0.1] * 6)) for _ in range(25)]
    gold = [tuple(str(tag) for tag in row) for row in gold]
    outputs = {
        name: tuple(
            tuple(tag if rng.random() < share else str(rng.choice([*tags, "B-MISC"])) for tag in row)
            for row in gold
        )
        for name, share in (("X", 0.9), ("Y", 0.6))
    }
    outputs["Y"] = (None, *outputs["Y"][1:])
    whole = Submissions(
        kind="tags", items=[str(i) for i in range(25)], gold=gold, outputs=outputs, measures=(measure,)
    )
    found = label_scores(whole, 0.95)

    def report(system, kept):
        right, given = [list(gold[i]) for i in kept], [list(outputs[system][i]) for i in kept]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of types without a prediction
            return seqeval.classification_report(right, given, output_dict=True, zero_division=0, **how)

    assert found.labels == ("LOC", "ORG", "PER")
    for row, system in enumerate(found.systems):
        kept = [i for i in range(25) if outputs[system][i] is not None]
        said = report(system, kept)
        without = [report(system, [j for j in kept if j != i]) for i in kept]
        for place, label in enumerate(found.labels):
            assert found.precision[row, place] == pytest.approx(said[label]["precision"], abs=1e-12)
            assert found.recall[row, place] == pytest.approx(said[label]["recall"], abs=1e-12)
            assert found.f1[row, place] == pytest.approx(said[label]["f1-score"], abs=1e-12)
            half = jackknife([one[label]["f1-score"] for one in without], 0.95)
            assert found.low[row, place] == pytest.approx(
                np.maximum(0, found.f1[row, place] - half), abs=1e-12, nan_ok=True
            )
            if system == "X":
                assert found.support[place] == said[label]["support"]


def test_by_label_is_for_labels_and_tags():
    texts = Submissions(kind="texts", items=("1",), gold=(("a",),), outputs={"X": ("a",)}, measures=("bleu",))
    with pytest.raises(AnalysisError, match="for labels and tags only, and these are texts"):
        label_scores(texts, 0.95)


def test_differences_by_label_add_up_to_that_in_macro_f1():
    whole = board(missing=False)
    found = label_differences(whole, "X", "Y", 0.95)
    macro = {
        system: np.mean(
            [f1(list(zip(whole.gold, whole.outputs[system], strict=True)), c) for c in found.labels]
        )
        for system in "XY"
    }
    assert found.share.sum() == pytest.approx(macro["X"] - macro["Y"], abs=1e-12)
    turned = label_differences(whole, "Y", "X", 0.95)
    np.testing.assert_allclose(turned.low, -found.high)
    rows = [(right, whole.outputs["X"][i], whole.outputs["Y"][i]) for i, right in enumerate(whole.gold)]
    without = [
        f1([(r, x) for r, x, _ in rows[:i] + rows[i + 1 :]], "b")
        - f1([(r, y) for r, _, y in rows[:i] + rows[i + 1 :]], "b")
        for i in range(60)
    ]
    assert found.high[1] - found.difference[1] == pytest.approx(jackknife(without, 0.95), abs=1e-12)


def test_confusion_matrices_share_rows_and_columns():
    whole = board()
    x, y = confusions(whole, ("X", "Y"))
    assert x.gold == y.gold
    assert x.given == (*x.gold, OTHER)
    assert x.counts.sum() == 60
    assert y.counts.sum() == 59
    for row, right in enumerate(x.gold):
        for column, given in enumerate(x.gold):
            pairs = zip(whole.gold, whole.outputs["X"], strict=True)
            assert x.counts[row, column] == sum(pair == (right, given) for pair in pairs)
    many = [f"l{i}" for i in range(40)]
    crowd = Submissions(kind="labels", items=many, gold=many, outputs={"A": many, "B": many[::-1]})
    assert confusions(crowd, ("A",))[0].counts.shape == (31, 31)
    assert confusions(crowd, ("A",))[0].counts.sum() == 40


def test_differing_items_by_influence():
    whole = board()
    influence = RNG.normal(size=60)
    found = differing_items(whole, "X", "Y", influence)
    unlike = [
        i
        for i in range(60)
        if whole.outputs["Y"][i] is not None and whole.outputs["X"][i] != whole.outputs["Y"][i]
    ]
    assert sorted(found.rows) == unlike
    assert list(np.abs(found.influence)) == sorted(np.abs(influence[unlike]), reverse=True)
    one = differing_items(whole, "X", "Y", influence, only_one=True)
    assert found.only_one == len(one.rows)
    for row, right, gold in zip(one.rows, one.right, one.gold, strict=True):
        assert whole.outputs[{"a": "X", "b": "Y"}[right]][row] == gold == whole.gold[row]
        assert whole.outputs[{"a": "Y", "b": "X"}[right]][row] != gold
    assert len(differing_items(whole, "X", "Y", influence, most=3).rows) == 3


@pytest.mark.parametrize("key", ["accuracy", "macro-f1"])
def test_influence_is_the_difference_less_that_without_the_item(key):
    made, measure = board(30), measure_named(key)[0]
    there = [row for row in range(30) if made.outputs["Y"][row] is not None]

    def difference(rows):
        gold = [made.gold[row] for row in rows]
        value = []
        for system in ("X", "Y"):
            pairs = list(zip(gold, [made.outputs[system][row] for row in rows], strict=True))
            if key == "accuracy":
                value.append(np.mean([right == output for right, output in pairs]))
            else:
                value.append(np.mean([f1(pairs, label) for label in made.gold_labels]))
        return value[0] - value[1], value

    whole, values = difference(there)
    found, pulls = influence(made, "X", "Y", measure, {})
    assert found == pytest.approx(values, abs=1e-12)
    assert np.flatnonzero(np.isnan(pulls)).tolist() == [3]
    for row in there:
        rest = [other for other in there if other != row]
        assert pulls[row] == pytest.approx(len(rest) * (whole - difference(rest)[0]), abs=1e-10)


def test_systems_without_a_shared_item_have_no_influence():
    made = Submissions(
        kind="labels", items=["1", "2"], gold=["a", "b"], outputs={"X": ["a", None], "Y": [None, "b"]}
    )
    values, pulls = influence(made, "X", "Y", measure_named("accuracy")[0], {})
    assert np.isnan(values).all()
    assert np.isnan(pulls).all()


def test_tags_that_mark_the_same_spans_are_the_same_answer():
    """IOB1 beside IOB2: what conlleval reads alike differs on no item; strict spans differ."""
    gold = (("B-PER", "I-PER", "O"), ("O", "B-LOC", "B-LOC"))
    other = (("I-PER", "I-PER", "O"), ("O", "I-LOC", "B-LOC"))
    wrong = (("O", "O", "O"), ("O", "B-LOC", "I-LOC"))
    whole = Submissions(
        kind="tags",
        items=("1", "2"),
        gold=gold,
        outputs={"X": gold, "Y": other, "Z": wrong},
        labels={"tokens": ("Ada Lovelace slept", "near Paris London")},
        measures=("span-f1",),
    )
    assert in_spans(whole).outputs == {"X": gold, "Y": gold, "Z": wrong}
    nothing = np.zeros(2)
    assert differing_items(whole, "X", "Y", nothing).rows == ()
    found = differing_items(whole, "Y", "Z", nothing)
    assert found.right == ("a", "a")
    assert found.gold == ("Ada Lovelace (PER)", "Paris (LOC), London (LOC)")
    assert found.output_b == ("O", "Paris London (LOC)")
    strict = replace(whole, measures=("span-f1-strict",))
    assert in_spans(strict).outputs["Y"] == (("O", "O", "O"), ("O", "O", "B-LOC"))
    assert differing_items(strict, "X", "Y", nothing).right == ("a", "a")
    unlike = replace(whole, labels={"tokens": ("Ada slept", "near Paris London")})
    assert words_of(unlike)[0] is None
    assert as_text("tags", gold[0], words_of(unlike)[0]) == "1:B-PER 2:I-PER"
