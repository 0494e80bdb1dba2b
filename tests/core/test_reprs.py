"""What a prompt or a notebook shows of a public result fits in a line and dumps no array."""

import contextlib
import dataclasses
import doctest
import io

import numpy as np
import pytest

import nlpstat_core as ns

# Records that are settings or a few plain fields: dataclasses show these themselves.
PLAIN = {"AnalysisConfig", "BlockBounds", "Measure", "Note"}
RESULTS = [
    name
    for name in ns.__all__
    if isinstance(getattr(ns, name), type)
    and dataclasses.is_dataclass(getattr(ns, name))
    and name not in PLAIN
]
# Examples that make a result without giving it a name.
MADE = {
    "ScoreBoards": lambda: ns.read_boards(
        (b"system,item,bleu,ter\nA,1,3,1\nA,2,4,2\nB,1,1,5\nB,2,2,6\n", "scores.csv"), each="metric"
    ),
    "Posterior": lambda: ns.posterior(board()),
    "Audit": lambda: ns.audit(board(), boards=5),
    "Changes": lambda: ns.changes(board(), board()),
    "MetaEvaluation": lambda: ns.meta_evaluate(
        {name: board().scores for name in ("people", "metric")}, human="people"
    ),
    "RunsPlan": lambda: ns.plan_runs(
        units=500, runs=5, difference=0.06, alpha=0.05, sd_items=0.3, sd_runs=0.02, sd_residual=0.2
    ),
    "PairResult": lambda: board().pair("s1", "s2"),
}


def board():
    rng = np.random.default_rng(3)
    return ns.analyse({f"s{k}": rng.normal(k / 4, 1, 30) for k in range(12)})


def of_example(name):
    """The values that the example in a docstring gives names to."""
    names = {"np": np, "ns": ns, **{each: getattr(ns, each) for each in ns.__all__}}
    with contextlib.redirect_stdout(io.StringIO()):
        for example in doctest.DocTestParser().get_examples(getattr(ns, name).__doc__):
            exec(compile(example.source, name, "single"), names)
    return [value for value in names.values() if type(value) is getattr(ns, name)]


@pytest.mark.parametrize("name", RESULTS)
def test_a_public_result_shows_itself_in_a_line(name):
    found = [MADE[name]()] if name in MADE else of_example(name)
    assert found, f"its docstring's example gives a {name} no name: add it to MADE"
    for result in found:
        text = repr(result)
        assert text.startswith(f"<{name}: ")
        assert text.endswith(">")
        assert len(text) <= 250
        assert "\n" not in text
        assert "array(" not in text
        assert "nan" not in text


def test_parts_of_an_analysis_are_no_dumps_either():
    analysis = board()
    parts = (analysis.leaderboard, analysis.pairs, analysis.items(), ns.posterior(analysis).pairs)
    assert [repr(part) for part in parts[:2]] == [
        f"<Leaderboard: 12 systems: {', '.join(analysis.leaderboard.system[:5])} and 7 more>",
        "<PairTable: 66 pairs of 12 systems>",
    ]
    assert all(len(repr(part)) < 120 and "array(" not in repr(part) for part in parts)
    effect = analysis.pair("s1", "s2").effects["cohen-d"]
    assert repr(effect) == f"Estimate(of='cohen-d', value={effect.value!r}, interval={effect.interval!r})"
    told = dataclasses.replace(effect, largest=0.5, achieved=0.94)
    assert repr(told).endswith(", largest=0.5, achieved=0.94)")
