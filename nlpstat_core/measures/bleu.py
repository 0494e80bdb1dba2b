"""Corpus BLEU."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.measures.record import Column, Encoded, Law, Measure
from nlpstat_core.measures.texts import counted, library

_ORDER = 4


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """System and reference length, matches and totals of n-grams, by sacreBLEU."""
    metrics = library("sacrebleu.metrics", METHOD.label)
    if options["tokenize"] not in metrics.BLEU.TOKENIZERS:
        raise ConfigError(unknown("tokenizer", options["tokenize"], sorted(metrics.BLEU.TOKENIZERS)))
    metric = metrics.BLEU(tokenize=options["tokenize"], lowercase=bool(options["lowercase"]), force=True)
    return counted(metric, gold, outputs)


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
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


METHOD = Measure(
    key="bleu",
    label="BLEU",
    kind="texts",
    bounds=(0.0, 100.0),
    summary="Corpus BLEU as sacreBLEU has it: tokens of mteval-v13a, exponential smoothing, 0–100.",
    formula=r"100\,e^{\min(0,\,1 - r/h)} \Bigl(\prod_{n=1}^4 \frac{m_n}{t_n}\Bigr)^{1/4}",
    options={"tokenize": "13a", "lowercase": False},
    encode=encode,
    law=Law(value=value),
    reference="sacreBLEU's BLEU",
    references=("papineni2002", "post2018"),
    extra="text",
    library="sacrebleu",
)
