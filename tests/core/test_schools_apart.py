"""Every sentence, searched: a posterior is never significant, a p-value never the probability of a truth.

Strings are taken from the code itself, so that a new sentence is searched before anybody reads it.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Files that speak of posteriors only.
BAYESIAN = (
    *(ROOT / "nlpstat_core" / "methods" / "bayes").glob("*.py"),
    *(ROOT / "nlpstat_core" / "board" / "posterior").glob("*.py"),
    *(ROOT / "nlpstat_core").glob("*/**/posterior.py"),
    *(ROOT / "dashboard").glob("**/*posterior*.py"),
    ROOT / "pages" / "posterior.py",
)
EVERY = [
    path
    for folder in ("nlpstat_core", "dashboard", "pages")
    for path in sorted((ROOT / folder).glob("**/*.py"))
]
# Words of tests, where a posterior is told; the sentences that set the two apart may name them.
OF_TESTS = re.compile(r"\bsignifican\w*|\breject\w*|\bconfidence interval", re.IGNORECASE)
# What a p-value is not.
OF_TRUTH = re.compile(
    r"\bp(?:-value)?s? (?:is|are|gives?|means?|says?) (?:the |a )?(?:probabilit\w+|chance) "
    r"(?:that|of (?:the|a) null)"
    r"|(?<!not the )probability (?:that|of) (?:the |a )?null (?:hypothesis )?(?:is true|being)"
    r"|probability that (?:the|this|a) (?:result|difference) (?:is|was|arose|came) (?:due to|by) chance",
    re.IGNORECASE,
)


def sentences(path):
    """Strings of a file that aren't docstrings, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def found(paths, pattern):
    return [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in paths
        for line, text in sentences(path)
        if pattern.search(text)
    ]


def test_no_posterior_is_significant():
    assert len(BAYESIAN) > 12
    assert found(BAYESIAN, OF_TESTS) == []


def test_no_p_value_is_the_probability_of_a_hypothesis():
    assert found(EVERY, OF_TRUTH) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "p is the probability that the null hypothesis is true",
        "p-values are the chance that it holds",
        "the probability that the null hypothesis is true",
        "the probability that this difference is due to chance",
    ],
)
def test_the_search_finds_what_it_looks_for(wrong):
    assert OF_TRUTH.search(wrong)
    assert OF_TESTS.search("A is significantly better")
