"""What MCC and kappa count: right items, and predictions of every label that gold or a system has."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.measures.encoding import indicator_table, labels_of
from nlpstat_core.measures.record import Column, Encoded


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Right items and predictions of every label; a label that nobody predicts and gold lacks adds 0."""
    from scipy import sparse

    labels = labels_of(gold, outputs)
    n_labels, n_systems = len(labels.known) + len(labels.stray), labels.outputs.shape[0]
    predicted = indicator_table((labels.outputs, labels.outputs >= 0), n_codes=n_labels)
    right = labels.right.astype(np.float64)
    order = (
        np.concatenate(
            [[n_systems * n_labels + s, *range(s * n_labels, (s + 1) * n_labels)] for s in range(n_systems)]
        )
        if n_systems
        else np.array([], dtype=np.int64)
    )
    if isinstance(predicted, np.ndarray):
        table = np.concatenate([predicted, right])[order]
    else:
        table = sparse.vstack([predicted, sparse.csr_array(right)], format="csr")[order]
    return Encoded(gold=labels.gold_counts(n_labels), outputs=table)
