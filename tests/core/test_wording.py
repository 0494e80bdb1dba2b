"""Sentences: every note code has one, none claims equality, names stay names, numbers stay readable."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from core.added import trimmed_t
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.formatting import format_interval, format_p, format_score, p_equals
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.report import wording
from nlpstat_core.report.exports.documents.excel import SMALL_P, p_format
from nlpstat_core.report.exports.paper.table import short_p
from nlpstat_core.report.wording.methods import methods
from nlpstat_core.report.wording.titles import board_title

CORE = Path(ns.__file__).parent
SEVERITIES = {"info", "caution", "problem"}


def nasty_matrices():
    """Small boards that make procedures speak up."""
    rng = np.random.default_rng(6)
    plain = rng.normal(size=(12, 2))
    yield "zeros", np.zeros((6, 2))
    yield "constant", np.column_stack([np.arange(6.0) + 1, np.arange(6.0)])
    yield "one", plain[:1]
    yield "two", plain[:2]
    yield "three", plain[:3]
    yield "ties", np.round(plain)
    yield "binary", (plain > 0).astype(float)
    yield "all-wins", np.column_stack([np.ones(9), np.zeros(9)])
    yield "skewed", np.column_stack([rng.exponential(size=24) ** 3, np.zeros(24)])
    yield "many", rng.normal(size=(6_000, 2))
    yield "disjoint", np.array([[1.0, np.nan], [np.nan, 2.0]])


def batches(values, **options):
    scores = ns.ScoreMatrix(values=values, systems=("a", "b"))
    for chunk in chunks(scores, np.array([0]), np.array([1]), **options):
        yield chunk.batch


@pytest.mark.parametrize(
    ("name", "values"), list(nasty_matrices()), ids=[name for name, _ in nasty_matrices()]
)
def test_every_note_of_every_procedure_has_a_sentence(name, values):
    config = ns.AnalysisConfig(resamples=200)
    for delta in (0.0, 0.5):
        for batch in batches(values, delta=delta):
            for code in found_codes(batch, config):
                severity, text = wording.note_texts()[code]  # also the procedure's own
                assert severity in SEVERITIES
                assert text.endswith(".")
    analysis = ns.analyse(ns.ScoreMatrix(values=values, systems=("a", "b")))
    for note in analysis.pair("a", "b").notes:
        assert "{" not in note.text


def test_a_procedure_has_notes_of_its_own():
    values = np.column_stack([np.r_[np.full(18, 2.0), 5.0, 1.0], np.ones(20)])
    with TESTS.extended(trimmed_t.METHOD):
        (batch,) = batches(values)
        assert "no-inner-spread" in found_codes(batch, ns.AnalysisConfig(resamples=200))
        test_every_note_of_every_procedure_has_a_sentence("constant middle", values)


def found_codes(batch: PairBatch, config):
    from nlpstat_core.methods.diagnosis.lists import diagnose

    codes = {code for code, mask in diagnose(batch, config).notes.items() if mask.any()}
    for method in TESTS:
        if method.design == "blocks":
            continue
        try:
            codes |= {code for code, mask in method.run(batch, config).notes.items() if mask.any()}
        except ns.NlpstatError:
            continue  # needs scores of another kind, and says so
        if method.estimate is not None:
            codes |= {code for code, mask in method.estimate(batch, config).notes.items() if mask.any()}
    for method in EFFECTS:
        codes |= {code for code, mask in method.run(batch, config, True).notes.items() if mask.any()}
    return codes


def test_no_sentence_is_left_over():
    source = "".join(path.read_text(encoding="utf-8") for path in CORE.rglob("*.py"))
    for code in wording.PAIR_NOTES:
        assert source.count(f'{code}"') >= 2, code


ONE_OF_MANY = re.compile(r"(?<![\d.,])1 (item|pair|document|row|system)s\b")


@pytest.mark.parametrize("test", ["recommended", "t", "welch-t", "block-t", "block-permutation"])
@pytest.mark.parametrize("rows", [(1, 1), (1, 3), (2, 2)])
def test_one_is_not_many(test, rows):
    shared = [[float(unit), 2.0 * unit + 1] for unit in range(rows[0])]
    alone = [[np.nan, float(unit)] for unit in range(rows[1] - rows[0])]
    values = np.array(shared + alone)
    scores = ns.ScoreMatrix(values=values, systems=("a", "b"), labels={"doc": ("d",) * len(values)})
    block_column = "doc" if test.startswith("block") else None
    analysis = ns.analyse(scores, ns.AnalysisConfig(test=test, block_column=block_column, resamples=200))
    lines = [note.text for note in (*analysis.notes, *analysis.pair("a", "b").notes)]
    lines += [statement.text for statement in methods(analysis)]
    lines.append(board_title(analysis))
    assert not [text for text in lines if ONE_OF_MANY.search(text)]
    if rows == (1, 1):
        assert any("1 item" in text or "1 document" in text for text in lines)


def test_a_test_that_is_used_once_is_used_for_one_pair():
    rng = np.random.default_rng(0)
    skewed, normal = rng.exponential(size=(2, 200)) ** 2, rng.normal(size=(2, 200))
    scores = ns.ScoreMatrix(values=np.vstack([skewed, normal]).T, systems=tuple("abcd"))
    analysis = ns.analyse(scores, ns.AnalysisConfig(question="each-pair"))
    lines = [note.text for note in analysis.notes] + [statement.text for statement in methods(analysis)]
    assert sum("Paired t test for 1 pair)" in text for text in lines) == 2
    assert not [text for text in lines if ONE_OF_MANY.search(text)]


@pytest.mark.parametrize("key", CORRECTIONS.keys)
def test_headline_names_the_correction(key):
    rng = np.random.default_rng(1)
    scores = ns.ScoreMatrix(values=rng.normal(size=(30, 3)), systems=("a", "b", "c"))
    test = "t" if key == "max-t" else "recommended"
    analysis = ns.analyse(scores, ns.AnalysisConfig(correction=key, test=test, resamples=500))
    sentence = wording.headline(analysis)
    assert ("without correction" if key == "none" else CORRECTIONS[key].label) in sentence
    assert "0.05" in sentence


def test_trap_37_not_significant_is_never_called_equal():
    rng = np.random.default_rng(0)
    analysis = ns.analyse(ns.ScoreMatrix(values=rng.normal(size=(20, 4)), systems=tuple("abcd")))
    texts = [wording.headline(analysis)]
    texts += [wording.verdict_sentence(analysis.pairs, row, analysis.config) for row in range(6)]
    texts += [wording.pair_headline(analysis.pair("a", "b"), analysis.config)]
    assert any("No evidence of a difference" in text for text in texts)
    assert not any(re.search(r"\b(equal|the same|identical|no difference)\b", text) for text in texts)


def test_a_board_of_two_speaks_about_two():
    rng = np.random.default_rng(3)
    u = rng.normal(size=50)
    analysis = ns.analyse(ns.ScoreMatrix(values=np.column_stack([u + 1, u]), systems=("new", "old")))
    assert wording.headline(analysis).startswith("new is better than old")


@given(st.floats(5e-324, 1))
def test_p_is_never_shown_as_zero(p):
    assert float(format_p(p).lstrip("< ")) > 0


def side(value, alpha):
    return (value > alpha) - (value < alpha)


@given(st.data())
def test_p_is_shown_on_its_side_of_alpha(data):
    """In text, in a paper's table and in Excel; with no more digits than that takes."""
    alpha = data.draw(st.sampled_from([0.05, 0.01, 0.1, 0.0005, 0.0123]) | st.floats(1e-6, 0.999))
    near = st.floats(-14, -1).flatmap(lambda size: st.sampled_from([alpha - 10**size, alpha + 10**size]))
    beside = [alpha, float(np.nextafter(alpha, 0)), float(np.nextafter(alpha, 1))]
    p = data.draw(st.floats(1e-12, 1) | near.filter(lambda value: 0 < value <= 1) | st.sampled_from(beside))
    text = format_p(p, alpha=alpha)
    assert side(float(text), alpha) == side(p, alpha)
    assert p_equals(p, alpha=alpha) == f"p = {text}"
    plain = format_p(p)
    if side(float(plain), alpha) == side(p, alpha):
        assert text == plain
    in_paper = short_p(p, alpha)
    assert in_paper == "< 0.001" if p < 0.001 <= alpha else side(float(in_paper), alpha) == side(p, alpha)
    places = p_format(np.array([p, 0.5, np.nan]), alpha).rpartition(".")[2]
    if p >= SMALL_P and abs(p - alpha) > 1e-15:
        assert side(round(p, len(places)), alpha) == side(p, alpha)


def test_p_close_to_the_level_is_told_from_it():
    assert format_p(0.0501, alpha=0.05) == "0.0501"
    assert format_p(0.05001, alpha=0.05) == "0.05001"
    assert format_p(0.049996, alpha=0.05) == "0.049996"
    assert format_p(0.05, alpha=0.05) == "0.05"
    assert short_p(0.0501, 0.05) == "0.0501"
    assert short_p(0.0499, 0.05) == "0.0499"
    assert short_p(0.0462, 0.05) == "0.046"
    assert p_format(np.array([0.0501, 0.0499, 0.3]), 0.05) == "[<0.001]0.00E+00;0.0000"
    assert p_format(np.array([0.05001, 0.3]), 0.05) == "[<0.001]0.00E+00;0.00000"


@given(st.floats(allow_infinity=False, allow_nan=False, width=32))
def test_scores_are_shown_to_four_digits(value):
    assert float(format_score(value)) == pytest.approx(value, rel=6e-4, abs=1e-300)


def test_undefined_and_open_numbers():
    assert format_p(float("nan")) == "undefined"
    assert p_equals(5e-324) == "p < 1e-300"
    assert format_interval(float("nan"), 1.0) == "undefined"
    assert format_interval(-float("inf"), 1.0) == "[-∞, 1]"


# One word for one thing: what a test compares are items, and what they belong to are documents. The other
# words stay where they are names: of tests, of an option, of a role, of a setting, of a unit of measurement,
# and of the blocks in which pairs are computed that don't fit into memory.
OTHER_WORDS = re.compile(r"\b(units?|blocks?)\b", re.IGNORECASE)
NAMES = re.compile(
    r"\{[^{}]*\}|[\w-]*(?:--|_)[\w-]+|\b(unit|block)=|\bunits? of measurement"
    r"|\bblock by block|\b[Pp]airs in blocks|\bwithout blocks"
    r"|\b[Bb]lock (t|bootstrap|permutation)\b|\b(block-(t|bootstrap|permutation)|max-t-[\w-]+)\b"
)
PATTERN = re.compile(r"\\[sbwd(]|\(\?|\|[a-z]+\|")  # a regular expression says nothing to people
# Said by programs to programmers: what no file and no option leads to.
INSIDE = {
    "A bootstrap of blocks needs items in blocks.",
    "An interval over documents needs items in blocks.",
    "use units",  # a widget's key, as the next three
    "use blocks",
    "unit sizes",
    "unit tolerance",
}


def said_to_people(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of a module that look like words for people: with a blank, or a capital at their beginning."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for call in ast.walk(tree):  # "3 units" is made of a number and a noun
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("count_of", "counts"):
            nouns = [one.value for one in call.args if isinstance(one, ast.Constant)]
            yield from ((call.lineno, noun) for noun in nouns if isinstance(noun, str))
    quiet = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in quiet:
            continue
        text = node.value
        if (" " in text.strip() or text[:1].isupper()) and not PATTERN.search(text):
            yield node.lineno, text


def other_words(text: str) -> bool:
    return text not in INSIDE and bool(OTHER_WORDS.search(NAMES.sub(" ", text)))


def test_items_and_documents_are_called_nothing_else() -> None:
    root = CORE.parent
    places = [
        path for folder in ("nlpstat_core", "dashboard", "pages") for path in (root / folder).rglob("*.py")
    ]
    assert len(places) > 500
    found = [
        f"{path.relative_to(root)}:{line}: {text!r}"
        for path in places
        for line, text in said_to_people(path)
        if other_words(text)
    ]
    for name in ("README.md", "docs/guide.md"):
        prose = re.sub(r"`[^`]*`|```.*?```", " ", (root / name).read_text(encoding="utf-8"), flags=re.DOTALL)
        found += [f"{name}: {line}" for line in prose.splitlines() if other_words(line)]
    assert not found, "\n".join(found)


def test_other_words_are_found() -> None:
    """That the search above finds them, and lets names pass."""
    assert all(
        map(other_words, ("No unit is shared", "Units", "20 evaluation units", "in 3 blocks", "a block"))
    )
    names = (
        "Block t test",
        "--block-column none",
        "give unit=utt_id",
        "share {units} here",
        "unit of measurement",
    )
    assert not any(map(other_words, names))
