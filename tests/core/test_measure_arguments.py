"""What the functions of a measure say to odd arguments; booleans; letters that ROUGE does not see."""

import numpy as np
import pandas as pd
import pytest

import nlpstat_core as ns

GOLD = ["a", "b", "a", "b"]
MANY = GOLD * 30


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ns.measure(5, 5, "accuracy"), "Gold must be a list with one entry per item, not '5'"),
        (lambda: ns.measure("abab", GOLD), "Gold must be a list with one entry per item, not 'abab'"),
        (lambda: ns.measure(GOLD, b"abab"), "The output must be a list with one entry per item"),
        (lambda: ns.measure({"x": 1}, GOLD), "Gold must be a list"),
        (lambda: ns.measure(None, GOLD), "Gold must be a list"),
        (lambda: ns.measure(np.array(3), GOLD), "Gold must be a list"),
        (lambda: ns.measure("a cat", "a cat", "bleu"), "Gold must be a list"),
        (lambda: ns.measure(np.eye(3), np.eye(3)), "Gold of item 1 must be a label"),
        (lambda: ns.measure([1.0, np.inf], [1, 1]), "Gold of item 2 must be a label .* not 'inf'"),
        (lambda: ns.measure([1, 2], ["x", "y"], "bleu"), "Gold of item 1 must be a text"),
        (lambda: ns.measure(["B-PER"], [("B-PER",)], "span-f1"), "Gold of item 1 must be a list of tags"),
        (lambda: ns.measure([[(0, "root")]], [7], "las"), "The output of item 1 must be a list of"),
        (lambda: ns.measure([1], [2], "pass@1"), "The output of item 1 must be a list of samples"),
        (lambda: ns.measure(["x"], ["x"], "bleu", tokenize="13b"), "Unknown tokenizer '13b'"),
        (lambda: ns.measure_p_value(MANY, MANY, ["a"] * 120, seed=-1), "seed must be a whole number"),
        (lambda: ns.measure_p_value(GOLD, GOLD, ["a"] * 4, seed=-1), "seed must be a whole number"),
        (lambda: ns.measure_p_value(MANY, MANY, ["a"] * 120, seed=1.5), "at least 0, not '1.5'"),
        (lambda: ns.measure_p_value(MANY, MANY, ["a"] * 120, seed=True), "at least 0, not 'True'"),
        (lambda: ns.measure_p_value(GOLD, GOLD, GOLD, documents="xxyy"), "Documents must be a list"),
        (lambda: ns.measure_p_value(GOLD, GOLD, GOLD, documents=["x", None, "y", "y"]), "Item 2 has no"),
        (lambda: ns.measure_difference(GOLD, GOLD, GOLD, level="x"), "level must lie between 0 and 1"),
        (lambda: ns.measure_difference(GOLD, GOLD, GOLD, level=np.nan), "level must lie between 0 and 1"),
    ],
)
def test_odd_arguments_get_one_sentence(call, message):
    with pytest.raises((ns.ConfigError, ns.AnalysisError), match=message):
        call()


@pytest.mark.parametrize("nothing", [None, np.nan, np.float32("nan"), pd.NA, pd.NaT], ids=str)
@pytest.mark.parametrize("measure", ["accuracy", "pearson", "bleu", "span-f1", "wer", "roc-auc", "las"])
def test_what_is_missing_is_named_by_its_place(measure, nothing):
    of_kind = {"bleu": "a b", "wer": "a b", "span-f1": ["B-X"], "las": [(0, "root")]}
    column = [of_kind.get(measure, number) for number in (0, 1, 1)]
    holed = [column[0], nothing, column[2]]
    with pytest.raises(ns.AnalysisError, match=r"^Gold of item 2 is missing; every item needs it\.$"):
        ns.measure(holed, column, measure)
    with pytest.raises(ns.AnalysisError, match=r"^The output of item 2 is missing; leave the item out"):
        ns.measure(column, holed, measure)


@pytest.mark.parametrize(
    "given", [[1, 0, 1], ["1", "0", "1"], [1.0, 0.0, 1.0], np.array([True, False, True])]
)
def test_booleans_are_one_and_zero(given):
    gold = [True, False, True]
    for measure in ("accuracy", "f1", "macro-f1", "mcc"):
        assert ns.measure(gold, given, measure) == 1.0
        assert ns.measure(given, gold, measure) == 1.0
    assert ns.measure(gold, ["True", "False", "False"], "accuracy") == pytest.approx(2 / 3)
    assert ns.measure(gold, [1, 1, 1], "f1", positive=1) == pytest.approx(0.8)
    assert ns.measure(gold, [0.9, 0.1, 0.2], "roc-auc") == 1.0


@pytest.mark.parametrize("measure", ["rouge-1", "rouge-2", "rouge-l"])
def test_rouge_refuses_letters_that_it_takes_for_gaps(measure):
    for texts, message in (
        (["我 喜欢 猫"], "a reference of item 1 has none; choose chrf"),
        (["the cat", "привет мир"], "a reference of item 2 has none"),
        (["привет мир 5", "ещё 7 слов"], "most letters of the references are others"),
    ):
        with pytest.raises(ns.AnalysisError, match=message):
            ns.measure(texts, texts, measure)
    few = ["the café is open", "42"]
    assert ns.measure(few, few, "rouge-1") == 1.0
    assert ns.measure(["我 喜欢 猫"], ["我 喜欢 猫"], "chrf") == pytest.approx(100.0)
