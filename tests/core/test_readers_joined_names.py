"""Wide tables whose columns are systems by metrics, as people write them after a pivot."""

import pytest

from nlpstat_core.readers import read_scores
from tests.core.toolcheck import cells


def table(names: list[str]) -> bytes:
    rows = ["item," + ",".join(names)]
    rows += [
        ",".join([f"s{i}", *(str((i + 3) * (place + 1) % 7 / 8) for place in range(len(names)))])
        for i in range(5)
    ]
    return "\n".join(rows).encode()


@pytest.mark.parametrize(
    "names",
    [
        ["Tern_BLEU", "Tern_TER", "Heron_BLEU", "Heron_TER"],
        ["BLEU.Tern", "BLEU.Heron", "TER.Tern", "TER.Heron"],
        ["Tern (BLEU)", "Heron (BLEU)", "Tern (TER)", "Heron (TER)"],
    ],
)
def test_names_of_system_and_metric_are_told_apart(names: list[str]) -> None:
    scores = read_scores((table(names), "x.csv"), metric="TER")
    assert scores.systems == ("Tern", "Heron")
    assert scores.lower_is_better
    ter = [i for i, name in enumerate(names) if "TER" in name]
    for place, own in enumerate(ter):
        assert scores.values[:, place].tolist() == [(i + 3) * (own + 1) % 7 / 8 for i in range(5)]
    assert any(note.code == "header-of-two-rows" for note in scores.notes)
    again = {
        key: value for key, value in scores.reading.items() if key not in ("reason", "columns", "metrics")
    }
    assert cells(read_scores((table(names), "x.csv"), **again)) == cells(scores)


def test_longer_names_of_metrics_and_of_spreads_belong_to_the_metric() -> None:
    names = ["t-5_rouge_l", "t-5_stderr", "m_2_rouge_l", "m_2_stderr"]
    assert read_scores((table(names), "x.csv")).systems == ("t-5", "m_2")


def test_times_and_tokens_belong_to_the_systems_or_stand_beside_them() -> None:
    names = ["A_score", "A_time", "A_tokens", "B_score", "B_time", "B_tokens"]
    scores = read_scores((table(names), "x.csv"))
    assert (scores.metric, list(scores.costs), scores.several) == (None, ["time", "tokens"], {})
    beside = ["A_bleu", "A_ter", "B_bleu", "B_ter", "prompt_tokens", "completion_tokens"]
    scores = read_scores((table(beside), "x.csv"))
    assert (scores.systems, scores.metric) == (("A", "B"), "bleu")


@pytest.mark.parametrize(
    "names",
    [
        ["en-de_bleu", "en-de_ter", "en-fr_bleu", "en-fr_ter"],  # language pairs
        ["rouge1_precision", "rouge1_recall", "rouge2_precision", "rouge2_recall"],  # parts of metrics
        ["base-f", "base-r", "large-f", "large-r"],  # letters say too little
        ["Tern_BLEU", "Tern_TER", "Heron_BLEU", "Egret_TER"],  # no grid
    ],
)
def test_other_names_stay_as_they_are(names: list[str]) -> None:
    told = {"roles": {"system": names}}
    assert read_scores((table(names), "x.csv"), **told).systems == tuple(names)
    long = table(names).replace(b"item", b"system,item").replace(b"\ns", b"\nTern,s")
    long += long.partition(b"\n")[2].join([b"\n", b""]).replace(b"Tern", b"Heron")
    assert read_scores((long, "x.csv"), metric=names[0]).systems == ("Tern", "Heron")
