"""What boards settle within their time limit keeps to its stated error, where one pair alone can be exact."""

from __future__ import annotations

import math

import pytest
from core.searched_pairs import KINDS, searched_pair

from nlpstat_core.engine.signflip.columns import sign_flip_columns
from nlpstat_core.engine.signflip.outcome import KINDS as P_KINDS
from nlpstat_core.engine.signflip.routes import ONE_PAIR


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=list(KINDS))
def test_p_is_within_its_error(kind):
    for number in range(kind, 12 * len(KINDS), len(KINDS)):
        z = searched_pair(number, 400)[:, None]
        fast, slow = sign_flip_columns(z), sign_flip_columns(z, effort=ONE_PAIR, seed=1)
        error = 4.0 * (fast.error[0] + slow.error[0]) + 1e-11
        apart = (fast.log10_p[0] - slow.log10_p[0]) * math.log(10.0)
        assert abs(math.expm1(apart)) <= error, (number, P_KINDS[fast.kind[0]], P_KINDS[slow.kind[0]])
        assert fast.error[0] <= 0.05
