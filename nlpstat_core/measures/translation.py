"""What sacreBLEU counts of translations: BLEU, chrF, chrF++ and TER."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.measures.record import Column, Encoded, Law, Measure
from nlpstat_core.measures.texts import counted, library

_ORDER = 4
_SQUARE = 4.0  # β = 2


def of_bleu(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """System and reference length, matches and totals of n-grams, by sacreBLEU."""
    metrics = library("sacrebleu.metrics", BLEU.label)
    if options["tokenize"] not in metrics.BLEU.TOKENIZERS:
        raise ConfigError(unknown("tokenizer", options["tokenize"], sorted(metrics.BLEU.TOKENIZERS)))
    metric = metrics.BLEU(tokenize=options["tokenize"], lowercase=bool(options["lowercase"]), force=True)
    return counted(metric, gold, outputs)


def bleu(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Brevity penalty times the geometric mean of precisions, exponentially smoothed, 0–100.

    own: System length, reference length, matches of four orders, totals of four orders.
    """
    length, wanted, matches, totals = own[0], own[1], own[2 : 2 + _ORDER], own[2 + _ORDER :]
    unmatched = (matches == 0).astype(np.float64)
    smoothed = 0.5 ** np.cumsum(unmatched, axis=0)
    precision = np.where(matches == 0, smoothed, matches) / np.where(totals > 0, totals, 1.0)
    scored = (totals > 0).all(axis=0) & (matches > 0).any(axis=0) & (length > 0)
    logs = np.log(np.where(scored, precision, 1.0)).mean(axis=0)
    short = np.where(scored, np.minimum(0.0, 1 - wanted / np.where(length > 0, length, 1.0)), 0.0)
    found: FloatArray = np.where(scored, 100 * np.exp(logs + short), 0.0)
    return found


BLEU = Measure(
    key="bleu",
    label="BLEU",
    kind="texts",
    bounds=(0.0, 100.0),
    summary="Corpus BLEU as sacreBLEU has it: tokens of mteval-v13a, exponential smoothing, 0–100.",
    formula=r"100\,e^{\min(0,\,1 - r/h)} \Bigl(\prod_{n=1}^4 \frac{m_n}{t_n}\Bigr)^{1/4}",
    options={"tokenize": "13a", "lowercase": False},
    encode=of_bleu,
    law=Law(value=bleu),
    reference="sacreBLEU's BLEU",
    references=("papineni2002", "post2018"),
    extra="text",
    library="sacrebleu",
)


def of_chrf(
    gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, word_order: int
) -> Encoded:
    """n-grams of outputs, of references and of both, three numbers for each order, by sacreBLEU."""
    metrics = library("sacrebleu.metrics", CHRF.label)
    return counted(metrics.CHRF(word_order=word_order), gold, outputs)


def chrf(gold: FloatArray, own: FloatArray) -> FloatArray:
    """F with β = 2 of precision and recall averaged over the orders that both sides have, 0–100."""
    hypothesis, reference, matched = own[0::3], own[1::3], own[2::3]
    both = (hypothesis > 0) & (reference > 0)
    orders = np.maximum(both.sum(axis=0), 1)
    precision, recall = (
        np.where(both, matched / np.where(both, table, 1.0), 0.0).sum(axis=0) / orders
        for table in (hypothesis, reference)
    )
    below = _SQUARE * precision + recall
    found: FloatArray = 100 * (1 + _SQUARE) * precision * recall / np.where(below > 0, below, 1.0)
    return found


CHRF = Measure(
    key="chrf",
    label="chrF",
    kind="texts",
    bounds=(0.0, 100.0),
    summary="chrF as sacreBLEU has it: n-grams of up to six characters, β = 2, 0–100.",
    formula=r"100\,\frac{(1 + \beta^2) P R}{\beta^2 P + R}",
    encode=partial(of_chrf, word_order=0),
    law=Law(value=chrf),
    reference="sacreBLEU's CHRF",
    references=("popovic2015", "post2018"),
    extra="text",
    library="sacrebleu",
)


CHRF_PLUS_PLUS = replace(
    CHRF,
    key="chrf++",
    label="chrF++",
    summary="chrF with n-grams of up to two words in addition to those of characters, as sacreBLEU has it, "
    "0–100.",
    encode=partial(of_chrf, word_order=2),
    reference="sacreBLEU's CHRF (word_order=2)",
    references=("popovic2017", "post2018"),
)


def of_ter(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Edits with shifts, and the mean length of the references, by sacreBLEU."""
    return counted(library("sacrebleu.metrics", TER.label).TER(), gold, outputs)


def edit_rate(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Edits over length, 0–100 and above; where references are empty, 100 with edits and 0 without."""
    edits, length = own
    there = length > 0
    found: FloatArray = 100 * np.where(there, edits / np.where(there, length, 1.0), np.sign(edits))
    return found


TER = Measure(
    key="ter",
    label="TER",
    kind="texts",
    lower_is_better=True,
    bounds=(0.0, float("inf")),
    summary="Translation edit rate as sacreBLEU has it, in percent of the references' length.",
    formula=r"100\,\frac{\text{edits}}{\text{length of references}}",
    encode=of_ter,
    law=Law(value=edit_rate, linear=True),
    reference="sacreBLEU's TER",
    references=("snover2006", "post2018"),
    extra="text",
    library="sacrebleu",
)
