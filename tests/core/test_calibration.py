"""The kept calibration: complete, explained, as its page and the app say; and its machinery runs."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpstat_core.catalogue import fitting_tests
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.report.wording.calibration import FINDINGS, findings_about
from tests.calibration import boards, designs, interval_designs, type_one
from tests.calibration.explained import RULES, UNEXPLAINED, explanation, unexplained, verdicts
from tests.calibration.report import TITLES, page
from tests.calibration.rows import LEVELS, Figure, Row, distance, distances, load, share

TYPE_ONE = ("type-one", "blocks", "unpaired", "counts", "runs", "omnibus", "categorical", "power")
COVERAGE = (
    "intervals",
    "inversion",
    "designs",
    "scores",
    "boards",
    "ranks",
    "simultaneous",
    "runs-intervals",
)
KEPT = {group: load(group) for group in TITLES}
ALL = [row for rows in KEPT.values() for row in rows]
# One cell in this many standard errors by chance is far less likely than one in all the kept figures.
FAR = 4.5


def bare(subject: str) -> str:
    return subject.split(" (")[0]


def subjects(*groups: str) -> set[str]:
    """Single procedures: several that share an interval stand in one row."""
    return {bare(name) for group in groups for row in KEPT[group] for name in row.subject.split(", ")}


def test_every_test_was_tried_on_true_null_hypotheses() -> None:
    missing = set(TESTS.keys) - subjects(*TYPE_ONE, "measures")
    assert not missing, (
        f"run `make calibration SUBJECT={min(missing)}` and keep tests/calibration/kept/; a test of counts "
        "needs a line in `count_rows` of tests/calibration/designs.py before"
    )
    assert "each-pair" in subjects("type-one")


OF_INTERVALS = ("intervals", "designs", "inversion", "runs-intervals", "documents", "measures")


def test_every_interval_and_effect_size_was_covered() -> None:
    missing = set(EFFECTS.keys) - subjects("intervals", "designs")
    assert not missing, (
        f"give the true value of {min(missing)} in tests/calibration/known.py, then run "
        f"`make calibration SUBJECT={min(missing)}`"
    )
    own_interval = {method.key for method in TESTS if method.key != "mcnemar"}  # its interval is the t test's
    missing = own_interval - subjects(*OF_INTERVALS)
    assert not missing, (
        f"a line for {min(missing)} in tests/calibration/intervals.py (or, for documents, independent "
        f"samples and counts, interval_designs.py), then `make calibration SUBJECT={min(missing)}`"
    )


def test_every_correction_was_tried_on_boards() -> None:
    subjects_of_boards = (row.subject for group in ("boards", "measures") for row in KEPT[group])
    tried = {tuple(subject.split(": ")) for subject in subjects_of_boards if ": " in subject}
    missing = set(CORRECTIONS.keys) - {correction for correction, _ in tried}
    assert not missing, f"run `make calibration SUBJECT={min(missing)}` and keep tests/calibration/kept/"
    assert ("holm", "each-pair") in tried
    resampling = {
        test.key for record in CORRECTIONS if record.resamples for test in fitting_tests(record.key)
    }
    assert {("max-t", test) for test in resampling} <= tried


def test_there_were_enough_replications() -> None:
    assert all(row.replications >= 10_000 for group in TYPE_ONE for row in KEPT[group])
    assert all(row.replications >= 2_000 for group in COVERAGE for row in KEPT[group])
    assert all(row.seconds >= 0 and row.seed >= 0 for row in ALL)


def test_documents_of_any_sizes_keep_the_level() -> None:
    """The default and block t, 5 to 30 documents, equal to one big: at most 7.5 %, geometric with 30 9 %."""
    rows = [row for row in KEPT["documents"] if row.subject in ("block-permutation", "block-t")]
    assert len(rows) == 2 * 5 * 4 * 2
    for row in rows:
        most = 0.09 if row.situation.startswith("geometric") and row.size == "G = 30" else 0.075
        assert row.figures[0].rate <= most, row.name


def test_errors_follow_from_rates() -> None:
    for row in ALL:
        for figure in row.figures:
            if figure.what != "false discovery rate" and figure.nominal is not None:
                most = math.sqrt(figure.rate * (1 - figure.rate) / row.replications)
                if row.group == "preference-boards" and row.subject.endswith((": level", ": intervals")):
                    assert 0 < figure.error < 1.2 * most, row.name  # averages over the pairs of a board
                    continue
                assert figure.error == pytest.approx(most, rel=0.2, abs=1e-4), row.name


@pytest.mark.parametrize("group", TITLES)
def test_every_figure_off_nominal_is_explained_in_one_sentence(group: str) -> None:
    assert KEPT[group]
    for row in KEPT[group]:
        assert not unexplained(row), unexplained(row)
        for key in verdicts(row):
            text = FINDINGS[key].sentence
            assert text.endswith(".")
            assert text.count(". ") == 0


def test_the_page_is_made_from_the_kept_figures() -> None:
    path = Path(__file__).parents[1] / "calibration" / "RESULTS.md"
    assert path.read_text(encoding="utf-8") == page()


def central(row: Row) -> list[float]:
    """What a sentence's figures are about: two-sided at 5 %, or 95 %."""
    kept = ("two-sided", "95 %", "family-wise error")
    return [f.rate for f in row.figures if f.what in kept and f.nominal in (0.05, 0.95)]


@pytest.mark.parametrize("key", [key for key, finding in FINDINGS.items() if finding.rates])
def test_the_figures_of_a_sentence_are_those_measured(key: str) -> None:
    found = [rate for row in ALL if key in verdicts(row) for rate in central(row)]
    assert (round(100 * min(found)), round(100 * max(found))) == FINDINGS[key].rates


def test_every_sentence_is_needed_and_belongs_to_something() -> None:
    used = {key for row in ALL for key in verdicts(row)}
    assert set(FINDINGS) == used
    known = {*TESTS.keys, *EFFECTS.keys, *CORRECTIONS.keys}
    for key in known:
        assert all(text.endswith(".") for text in findings_about(key))
    assert {rule.key for rule in RULES} == used


def test_no_excuse_reaches_further_than_what_was_measured() -> None:
    """Every subject, situation and size that a rule names has a row that it explains."""
    for rule in RULES:
        rows = [row for row in ALL if any(rule.explains(row, off) for off in distances(row))]
        for what in ("group", "subject", "situation", "size"):
            named = getattr(rule, f"{what}s")
            assert set(named) == {getattr(row, what) for row in rows}, (rule.key, rule.direction, what)


@pytest.mark.parametrize("key", FINDINGS)
def test_a_sentence_stands_beside_the_procedures_it_explains(key: str) -> None:
    concerned = {bare(name) for row in ALL if key in verdicts(row) for name in row.subject.split(", ")}
    entries = {*TESTS.keys, *EFFECTS.keys, *CORRECTIONS.keys}
    assert concerned & entries <= set(FINDINGS[key].about)


def test_the_methods_page_shows_every_sentence() -> None:
    from ui.driver import open_app, words

    shown = words(open_app("methods"))
    for finding in FINDINGS.values():
        assert finding.sentence in shown.replace("\\", "")


def test_reports_say_how_the_chosen_test_kept_its_level() -> None:
    """The methods paragraph of a report gives the range 0.033 to 0.058; 0/1 scores stay below it."""
    chosen = [row for row in KEPT["type-one"] if row.subject == "each-pair" and row.situation[0] == "E"]
    rates = [central(row)[0] for row in chosen if row.situation != "E: binary"]
    assert len(rates) >= 21
    assert min(rates) == pytest.approx(0.033, abs=0.003)
    assert max(rates) < 0.058
    assert "0.05 for exchangeable systems (0.033 to 0.058)" in TESTS["sign"].when_chosen


def row(*figures: Figure, bound: str = "equal") -> Row:
    return replace(Row.blank("type-one", "E: normal", "n = 20", 10_000, 1), bound=bound, figures=figures)


def test_verdicts_follow_from_the_numbers() -> None:
    near, high, low = (share("two-sided", 0.05, hits, 10_000) for hits in (560, 580, 420))
    assert distances(row(near, high, low)) == pytest.approx((0.0, 3.42, -3.67), rel=0.01)
    assert distances(row(low, bound="at-most")) == (0.0,)
    assert distance(high, "at-most", 10_000) > 3
    assert distance(share("95 %", 0.95, 1_960, 2_000), "at-least", 2_000) == 0.0
    assert distance(share("95 %", 0.95, 1_860, 2_000), "at-least", 2_000) < -3
    assert distance(Figure("differences found", None, 0.4, 0.01), "equal", 2_000) == 0.0
    exact = replace(row(high), subject="permutation-mean")
    assert verdicts(exact) == (UNEXPLAINED,)
    assert unexplained(exact) == [f"{exact.name}, ABOVE: two-sided 5.8 ± 0.23 %"]
    (told,) = unexplained(replace(row(near, low), subject="permutation-mean"))
    assert "BELOW: two-sided 4.2" in told
    assert explanation(replace(row(high), subject="t"), 9.0) == UNEXPLAINED


def agrees(kept: Row, live: Row) -> None:
    """Both runs measure the same rates."""
    for old, new in zip(kept.figures, live.figures, strict=True):
        assert (old.what, old.nominal) == (new.what, new.nominal)
        middle = (old.rate + new.rate) / 2
        spread = math.sqrt(max(middle * (1 - middle), 1e-4) * (1 / kept.replications + 1 / live.replications))
        assert abs(old.rate - new.rate) <= FAR * spread, (kept.name, old, new)


def agree(kept: list[Row], live: list[Row]) -> None:
    known = {row.name: row for row in kept}
    assert live
    for found in live:
        agrees(known[found.name], found)


def test_a_small_run_of_type_one_errors_agrees() -> None:
    cells = type_one.rows(300)
    agree(KEPT["type-one"], [row for _, rows in zip(range(6), cells, strict=False) for row in rows])


def test_small_runs_of_other_designs_agree() -> None:
    agree(KEPT["blocks"], next(designs.block_rows(200)))
    agree(KEPT["unpaired"], next(designs.unpaired_rows(60)))
    agree(KEPT["counts"], next(designs.count_rows(200)))


def test_a_small_run_of_intervals_and_boards_agrees() -> None:
    agree(KEPT["scores"], next(interval_designs.score_rows(300)))
    agree(KEPT["designs"], next(interval_designs.design_rows(200)))
    agree(KEPT["boards"], boards.board_cell("binary", "all equal", 40, 3, None))


def test_replications_are_reproducible() -> None:
    first, second = (next(designs.count_rows(50)) for _ in range(2))
    assert [row.figures for row in first] == [row.figures for row in second]
    assert np.isin([figure.nominal for figure in first[0].figures], LEVELS).all()


def test_the_note_and_the_guide_on_uneven_raters_say_what_was_measured() -> None:
    """ "2 to 4 % of pairs"; "96 %, 1 % and 3 %" of 40 uneven raters."""
    uneven = [row for row in KEPT["preference-boards"] if "uneven raters" in row.size]
    levels = [
        row.figures[1].rate for row in uneven if row.subject.endswith(": level") and "equal" in row.situation
    ]
    assert (round(100 * min(levels)), round(100 * max(levels))) == (2, 4)
    told = {
        row.subject: row.figures[0].rate
        for row in uneven
        if (row.situation, row.size) == ("a quarter ties, all equal", "1,000 battles, 40 uneven raters")
    }
    measured = [told[f"half: {what}"] for what in ("intervals", "holm", "max-t")]
    assert [round(100 * rate) for rate in measured] == [96, 1, 3]
    guide = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")
    assert "now it is 96 %, 1 % and 3 %" in guide
