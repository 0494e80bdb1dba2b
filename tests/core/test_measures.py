"""Values of measures: those of the field's libraries, on random and on odd data."""

import itertools
import math
import warnings
from collections import Counter

import jiwer
import numpy as np
import pytest
import sacrebleu.metrics
import seqeval.metrics as seqeval
from core.measure_examples import RATINGS, examples, options_of
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer
from scipy import stats
from seqeval.scheme import IOB2
from sklearn import metrics

import nlpstat_core as ns
from nlpstat_core.engine.swaps.values import pseudo_values, values_of
from nlpstat_core.measures import MEASURES, measure_named
from nlpstat_core.methods.references import REFERENCES

LABELS = st.sampled_from(["a", "b", "c", "Ä ß", "7"])
PAIRS = st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=40)


def golds(gold):
    return sorted(set(gold))


OF_LABELS = {
    "accuracy": lambda y, x: metrics.accuracy_score(y, x),
    "micro-f1": lambda y, x: metrics.f1_score(y, x, average="micro"),
    "balanced-accuracy": lambda y, x: metrics.balanced_accuracy_score(y, x),
    "macro-f1": lambda y, x: metrics.f1_score(y, x, labels=golds(y), average="macro", zero_division=0),
    "weighted-f1": lambda y, x: metrics.f1_score(y, x, labels=golds(y), average="weighted", zero_division=0),
    "mcc": metrics.matthews_corrcoef,
    "cohen-kappa": metrics.cohen_kappa_score,
    "jaccard": lambda y, x: metrics.jaccard_score(y, x, labels=golds(y), average="macro", zero_division=0),
}


@pytest.mark.parametrize("key", OF_LABELS)
@given(PAIRS)
def test_label_measures_are_scikit_learns(key, pairs):
    gold, output = (list(side) for side in zip(*pairs, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = OF_LABELS[key](gold, output)
    assert ns.measure(gold, output, key) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(PAIRS, LABELS, st.sampled_from([0.5, 1.0, 2.0]))
def test_f_of_one_label_is_scikit_learns(pairs, label, beta):
    gold, output = (list(side) for side in zip(*pairs, strict=True))
    gold = [*gold, label]
    output = [*output, "a"]
    asked = {"labels": [label], "average": "macro", "zero_division": 0}
    expected = metrics.fbeta_score(gold, output, beta=beta, **asked)
    assert ns.measure(gold, output, "f-beta", positive=label, beta=beta) == pytest.approx(expected, abs=1e-12)
    one = metrics.f1_score(gold, output, **asked)
    assert ns.measure(gold, output, "f1", positive=label) == pytest.approx(one, abs=1e-12)
    index = metrics.jaccard_score(gold, output, **asked)
    assert ns.measure(gold, output, "jaccard", positive=label) == pytest.approx(index, abs=1e-12)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=40))
def test_quadratic_kappa_is_scikit_learns(pairs):
    gold, output = zip(*pairs, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = metrics.cohen_kappa_score(gold, output, labels=[1, 2, 3, 4, 5], weights="quadratic")
    assert ns.measure(gold, output, "qwk") == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_quadratic_kappa_takes_the_numbers_themselves():
    gold, output = [1, 2, 10, 10, 2], [2, 2, 10, 1, 1]
    y, x = np.array(gold, float), np.array(output, float)
    chance = ((y[:, None] - x) ** 2).mean()
    assert ns.measure(gold, output, "qwk") == pytest.approx(1 - ((y - x) ** 2).mean() / chance, abs=1e-12)
    with pytest.raises(ns.AnalysisError, match="numbers"):
        ns.measure(["good", "bad"], ["good", "good"], "qwk")


OF_NUMBERS = {
    "pearson": lambda y, x: stats.pearsonr(y, x).statistic,
    "spearman": lambda y, x: stats.spearmanr(y, x).statistic,
    "kendall": lambda y, x: stats.kendalltau(y, x).statistic,
    "rmse": lambda y, x: metrics.root_mean_squared_error(y, x),
    "mae": lambda y, x: metrics.mean_absolute_error(y, x),
    "r2": lambda y, x: metrics.r2_score(y, x),
}


@pytest.mark.parametrize("key", OF_NUMBERS)
@given(st.lists(st.tuples(st.integers(-30, 30), st.integers(-9, 9)), min_size=2, max_size=30))
def test_measures_of_numbers_are_those_of_scipy_and_scikit_learn(key, pairs):
    y, x = (np.array(side) / 8 for side in zip(*pairs, strict=True))
    constant = np.ptp(y) == 0 or (np.ptp(x) == 0 and key in ("pearson", "spearman", "kendall"))
    if constant and key not in ("rmse", "mae"):
        assert math.isnan(ns.measure(y, x, key))
    else:
        assert ns.measure(y, x, key) == pytest.approx(OF_NUMBERS[key](y, x), rel=1e-12, abs=1e-12)


OF_CHANCES = {
    "brier": metrics.brier_score_loss,
    "log-loss": lambda y, x: metrics.log_loss(y, x, labels=[0, 1]),
    "roc-auc": metrics.roc_auc_score,
    "average-precision": metrics.average_precision_score,
}


@pytest.mark.parametrize("key", OF_CHANCES)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 20)), max_size=30))
def test_measures_of_probabilities_are_scikit_learns(key, pairs):
    y = np.array([0, 1, *(pair[0] for pair in pairs)])
    x = np.array([0.3, 0.55, *(pair[1] / 20 for pair in pairs)])
    assert ns.measure(y, x, key) == pytest.approx(OF_CHANCES[key](y, x), rel=1e-12, abs=1e-12)


def test_calibration_error_is_its_definition():
    rng = np.random.default_rng(1)
    y, x = rng.integers(0, 2, 200), np.round(rng.random(200), 2)
    x[:3] = 0.0, 1.0, 0.5
    expected = 0.0
    for k in range(10):
        here = (x >= k / 10 - 1e-9) & ((x < (k + 1) / 10 - 1e-9) | (k == 9))
        if here.any():
            expected += here.mean() * abs(x[here].mean() - y[here].mean())
    assert ns.measure(y, x, "calibration-error") == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ns.AnalysisError, match="probabilities"):
        ns.measure([0, 1], [0.5, 1.5], "brier")


WORDS = st.lists(st.sampled_from(["the", "cat", "sat", "on", "Mat.", "a", "(ß)", "日本", "42"]), max_size=12)
TEXTS = st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("key", "name", "options"),
    [("bleu", "BLEU", {}), ("chrf", "CHRF", {}), ("chrf++", "CHRF", {"word_order": 2}), ("ter", "TER", {})],
)
@given(TEXTS, st.booleans())
def test_text_measures_are_sacrebleus(key, name, options, texts, several):
    outputs, first, second = ([" ".join(words) for words in side] for side in zip(*texts, strict=True))
    streams = [first, second] if several else [first]
    gold = list(zip(*streams, strict=True))
    expected = getattr(sacrebleu.metrics, name)(**options).corpus_score(outputs, streams).score
    assert ns.measure(gold, outputs, key) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(TEXTS)
def test_error_rates_are_jiwers(texts):
    outputs, gold, _ = ([" ".join(words) for words in side] for side in zip(*texts, strict=True))
    assert ns.measure(gold, outputs, "wer") == pytest.approx(jiwer.wer(gold, outputs), abs=1e-12)
    assert ns.measure(gold, outputs, "cer") == pytest.approx(jiwer.cer(gold, outputs), abs=1e-12)


def test_rouge_is_that_of_rouge_score():
    gold = [("The cat sat on the mat", "A cat sat"), ("Dogs bark",), ("",)]
    outputs = ["the cat sat", "a dog barks", "nothing"]
    for key, kind in (("rouge-1", "rouge1"), ("rouge-2", "rouge2"), ("rouge-l", "rougeL")):
        scorer = rouge_scorer.RougeScorer([kind])
        best = [
            max(scorer.score(text, out)[kind].fmeasure for text in texts)
            for texts, out in zip(gold, outputs, strict=True)
        ]
        assert ns.measure(gold, outputs, key) == pytest.approx(np.mean(best), abs=1e-12)


def test_answers_are_compared_as_squad_does():
    gold, outputs = [("The Cat!", "dog"), "in 1999", "the"], ["a cat", "1999, in May", "an"]
    assert ns.measure(gold, outputs, "exact-match") == pytest.approx(2 / 3)
    assert ns.measure(gold, outputs, "token-f1") == pytest.approx((1 + 0.8 + 1) / 3)


TAGS = st.lists(
    st.sampled_from(["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "I-ORG", "B-ORG"]), min_size=1, max_size=8
)


@given(st.lists(st.tuples(TAGS, st.randoms(use_true_random=False)), min_size=1, max_size=5))
def test_span_f1_is_seqevals(items):

    gold = [tags for tags, _ in items]
    outputs = [[tag if rng.random() < 0.6 else rng.choice(tags) for tag in tags] for tags, rng in items]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lenient = seqeval.f1_score(gold, outputs, zero_division=0)
        strict = seqeval.f1_score(gold, outputs, mode="strict", scheme=IOB2, zero_division=0)
    assert ns.measure(gold, outputs, "span-f1") == pytest.approx(lenient, abs=1e-12)
    assert ns.measure(gold, outputs, "span-f1-strict") == pytest.approx(strict, abs=1e-12)


def test_attachment_counts_tokens():
    gold = [((2, "nsubj"), (0, "root")), ((0, "root"),)]
    output = [((2, "obj"), (1, "root")), ((0, "root"),)]
    assert ns.measure(gold, output, "uas") == pytest.approx(2 / 3)
    assert ns.measure(gold, output, "las") == pytest.approx(1 / 3)
    with pytest.raises(ns.AnalysisError, match="tokens"):
        ns.measure(gold, [((2, "obj"),), ((0, "root"),)], "uas")


def test_edits_weigh_precision_more():
    tp, fp, fn = 3, 1, 4
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    expected = 1.25 * precision * recall / (0.25 * precision + recall)
    counts = [(2, 1, 0), (1, 0, 4)]
    assert ns.measure([None, None], counts, "edit-f0.5") == pytest.approx(expected, abs=1e-12)


@settings(max_examples=15)
@given(st.lists(st.sampled_from("yabc"), min_size=1, max_size=7), st.integers(1, 7))
def test_samples_count_every_set_of_k(samples, k):
    k = min(k, len(samples))
    sets = list(itertools.combinations(samples, k))

    def won(chosen):
        most = max(Counter(chosen).values())
        tied = [one for one, count in Counter(chosen).items() if count == most]
        return ("y" in tied) / len(tied)

    expected = {
        "pass@": np.mean(["y" in chosen for chosen in sets]),
        "pass^": np.mean([set(chosen) == {"y"} for chosen in sets]),
        "majority@": np.mean([won(chosen) for chosen in sets]),
    }
    for name, value in expected.items():
        assert ns.measure(["y"], [samples], f"{name}{k}") == pytest.approx(value, abs=1e-12)
    with pytest.raises(ns.AnalysisError, match="fewer than k"):
        ns.measure(["y"], [samples], f"pass@{len(samples) + 1}")


def test_a_stray_label_is_an_error_of_its_item_only():
    gold = ["a"] * 4 + ["b"] * 4 + ["c"] * 4
    output = ["a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "a", "unparsed"]
    ours = ns.measure(gold, output, "macro-f1")
    everyone = metrics.f1_score(gold, output, average="macro", zero_division=0)
    assert ours == pytest.approx(4 / 3 * everyone, abs=1e-12)  # three labels, not four
    assert everyone < ours


def test_what_cannot_be_measured_says_so():
    with pytest.raises(ns.ConfigError, match="macro-f1"):
        ns.measure(["a"], ["a"], "makro-f1")
    with pytest.raises(ns.ConfigError, match="by its key"):
        ns.measure(["a"], ["a"], None)
    with pytest.raises(ns.AnalysisError, match="no reference"):
        ns.measure([()], ["a"], "exact-match")
    with pytest.raises(ns.ConfigError, match="positive"):
        ns.measure(["a", "b", "c"], ["a", "b", "c"], "f1")
    with pytest.raises(ns.ConfigError, match="no label"):
        ns.measure(["a", "b"], ["a", "b"], "f1", positive="c")
    with pytest.raises(ns.ConfigError, match="no options"):
        ns.measure(["a"], ["a"], "accuracy", positive="a")
    with pytest.raises(ns.AnalysisError, match="one output per item"):
        ns.measure(["a", "b"], ["a"], "accuracy")
    with pytest.raises(ns.AnalysisError, match="missing"):
        ns.measure(["a", "b"], ["a", None], "accuracy")
    with pytest.raises(ns.ConfigError, match="alternative"):
        ns.measure_p_value(["a"], ["a"], ["a"], alternative="bigger")


@pytest.mark.parametrize("key", MEASURES)
def test_resamples_and_left_out_items_are_measured_anew(key):
    """Weights are copies of items, and a pseudo-value is the measure without its item."""
    gold, a, _ = examples(key)
    measured = MEASURES[key].measured(gold, [a], **options_of(key))[0]
    weights = np.random.default_rng(3).multinomial(12, np.full(12, 1 / 12), size=4).T.astype(float)
    found = values_of(measured).weighted(weights)[0]
    for resample, value in zip(weights.T.astype(int), found, strict=True):
        rows = np.repeat(np.arange(12), resample)
        if len({str(gold[row]) for row in rows}) == len({str(one) for one in gold}):
            again = ns.measure([gold[r] for r in rows], [a[r] for r in rows], key, **options_of(key))
            assert value == pytest.approx(again, rel=1e-9, abs=1e-12, nan_ok=True)
    value, pseudo = pseudo_values(values_of(measured), np.arange(12))
    without = ns.measure(gold[:4] + gold[5:], a[:4] + a[5:], key, **options_of(key))
    assert pseudo[0, 4] == pytest.approx(12 * value[0] - 11 * without, rel=1e-9, abs=1e-10)
    if MEASURES[key].is_mean:
        assert pseudo[0] == pytest.approx(measured.of_system(0)[0], abs=1e-9)


def test_a_measure_of_ones_own():
    own = ns.Measure(
        key="mine",
        statistics=lambda gold, output: (float(gold == output), 1.0),
        value=lambda sums: sums[0] / sums[1],
    )
    gold, a, b = RATINGS
    assert ns.measure(gold, a, own) == ns.measure(gold, a, "accuracy")
    assert ns.measure_p_value(gold, a, b, own) == ns.measure_p_value(gold, a, b, "accuracy")
    assert measure_named(own) == (own, {})
    with pytest.raises(ns.ConfigError, match="statistics"):
        ns.Measure(key="empty")


def test_measures_say_what_readers_need():
    for key, method in MEASURES.items():
        assert method.key == key
        assert method.summary.endswith(".")
        assert method.formula
        assert method.reference
        assert set(method.references) <= set(REFERENCES)
        assert method.bounds[0] < method.bounds[1]
