"""Shared tasks from their submissions: published scores, all pairs tested, the board in a sentence.

The data are public and not part of the project (docs/examples.md says where they are): folders of the names
below, beside the checkout or where NLPSTAT_SHARED_TASKS says. Without them these tests are skipped.
"""

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.measures.spans import lenient_spans
from nlpstat_core.report.wording import headline
from tests.core.fetched import fetched

# Derczynski et al. (2017), F1 of entities, in per cent.
WNUT = {
    "uh_ritual": 41.86,
    "spinningbytes": 40.78,
    "sjtu_adapt": 40.42,
    "arcada": 39.98,
    "flytxt": 38.35,
    "mic-cis": 37.06,
    "drexel_cci": 26.30,
}


@pytest.fixture(scope="module")
def entities():
    """WNUT 2017 as it was published: seven files, with CRLF, tabs or spaces, words one team had corrected."""
    folder = fetched("emerging_entities_17")
    return ns.read_submissions(folder / "emerging.test.annotated", folder / "submissions", measure="span-f1")


def test_wnut_2017_has_its_published_scores_and_all_pairs(entities):
    assert (entities.kind, entities.n_items, len(entities.systems)) == ("tags", 1287, 7)
    values = dict(zip(entities.systems, ns.measure_values(entities)[:, 0], strict=True))
    assert {name: round(100 * value, 2) for name, value in values.items()} == WNUT
    assert [note.code for note in entities.notes] == ["words-not-as-in-gold"]
    analysis = ns.analyse(entities)
    assert list(analysis.leaderboard.system) == list(WNUT)
    assert len(analysis.pairs) == 21
    assert np.isfinite(analysis.pairs.p_value).all()
    assert headline(analysis) == (
        "Top group: uh_ritual, spinningbytes, sjtu_adapt, arcada, flytxt; 7 of 21 pairs are found to differ "
        "in span F1 after Holm at 0.05."
    )


def test_wnut_2017_against_plain_swaps(entities):
    """p of the pair nearest to the limit against 100,000 exchanges counted anew, without tilting."""
    a, b = "mic-cis", "uh_ritual"
    right = [lenient_spans(tags) for tags in entities.gold]

    def counts(system):
        found = [lenient_spans(tags) for tags in entities.outputs[system]]
        return np.array([[len(f & r), len(f)] for f, r in zip(found, right, strict=True)], dtype=float)

    gold = sum(map(len, right))
    own, other = counts(a), counts(b)

    def f1(sums):
        return 2 * sums[..., 0] / (sums[..., 1] + gold)

    observed = f1(own.sum(0)) - f1(other.sum(0))
    rng, total, draws = np.random.default_rng(5), own.sum(0) + other.sum(0), 100_000
    hits = 0
    for _ in range(10):
        signs = rng.choice([-1.0, 1.0], (draws // 10, len(own)))
        left = (total + signs @ (own - other)) / 2
        hits += int((np.abs(f1(left) - f1(total - left)) >= abs(observed) - 1e-12).sum())
    plain = hits / draws
    found = ns.measure_p_value(entities.gold, entities.outputs[a], entities.outputs[b], "span-f1")
    assert found == pytest.approx(plain, abs=4 * np.sqrt(plain / draws) + 0.05 * plain)


def test_semeval_2018_task_12_has_all_pairs():
    folder = fetched("arct2018")
    board = ns.read_submissions(folder / "gold.tsv", folder / "submissions", measure="accuracy")
    analysis = ns.analyse(board)
    assert len(analysis.pairs) == 231
    assert headline(analysis) == (
        "GIST is significantly better than every other system; 33 of 231 pairs are found to differ in "
        "accuracy after Holm at 0.05."
    )


def test_wmt23_has_sacrebleu_s_scores_and_all_pairs():
    folder = fetched("wmt23_cs-uk")
    board = ns.read_submissions(folder / "reference.txt", folder / "outputs", measure=["bleu", "chrf"])
    rows = [line.split("\t") for line in (folder / "scores.tsv").read_text().splitlines()[1:]]
    expected = {name: (float(bleu), float(chrf)) for name, bleu, chrf in rows}
    values = ns.measure_values(board)
    assert np.allclose([expected[name] for name in board.systems], values, rtol=0, atol=1e-9)
    analysis = ns.analyse(board)
    assert len(analysis.pairs) == 78
    assert headline(analysis) == (
        "GPT4-5shot is significantly better than every other system; 58 of 78 pairs are found to differ in "
        "BLEU after Holm at 0.05."
    )
