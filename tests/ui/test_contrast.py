"""What is written on a cell is read on every colour it may have, and the colours say what matters."""

from __future__ import annotations

import numpy as np
import pytest

from dashboard.figures.cells import DIFFERENCE_VIEW, P_VIEW, SIGNS, cells, evidence
from dashboard.figures.heatmap import colour_scale, heatmap_figure
from dashboard.figures.metrics import metric_pairs_figure, segments_figure, systems_figure
from dashboard.figures.outputs import confusion_figure
from dashboard.figures.replicability import replicability_figure
from dashboard.theme import DARK, INKS, LIGHT, colour_at, contrast, ink_on, palette_of
from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.board.submissions.by_label import confusions
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.report.exports.tables.square import EQUIVALENT
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.submissions import Submissions

READABLE = 4.5  # what small text needs
STANDS_OUT = 3.0  # what a mark without text needs
PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: palette.name)


def board(margin: float | None = None):
    rng = np.random.default_rng(4)
    values = rng.normal(0, 1, (60, 1)) + rng.normal(0, 0.4, (60, 5)) + [0.0, 0.0, 0.3, 0.9, 1.6]
    scores = ScoreMatrix(values=values, systems=tuple("ABCDE"))
    return analyse(scores, AnalysisConfig(equivalence_margin=margin))


@PALETTES
@pytest.mark.parametrize("view", [P_VIEW, DIFFERENCE_VIEW])
def test_a_sign_is_read_on_every_value(palette, view) -> None:
    scale = colour_scale(view, palette)
    for place in np.linspace(0, 1, 501):
        colour = colour_at(scale, float(place))
        assert contrast(ink_on(colour), colour) >= READABLE


@PALETTES
@pytest.mark.parametrize("n_datasets", [1, 2, 3, 7, 40])
def test_counts_are_read_on_every_colour(palette, n_datasets) -> None:
    counts = np.arange(0.0, (n_datasets + 1) ** 2).reshape(n_datasets + 1, -1) % (n_datasets + 1)
    figure = replicability_figure(tuple(map(str, range(n_datasets + 1))), counts, n_datasets, palette)
    shades = dict(_steps_of(figure))
    cells, written = figure.data
    assert len(written.x) == counts.size
    for row, column, ink in zip(written.y, written.x, written.textfont.color, strict=True):
        assert contrast(ink, shades[int(cells.z[row][column])]) >= READABLE


@PALETTES
def test_pairs_and_scores_of_metrics_stand_out_on_either_page(palette) -> None:
    p = np.array([[np.nan, 0.04, 0.5], [0.04, np.nan, 0.001], [0.5, 0.001, np.nan]])
    figure = metric_pairs_figure(("A", "B", "C"), p, 0.05, palette=palette)
    shades = dict(_steps_of(figure))
    for row, column in zip(*np.nonzero(~np.isnan(p)), strict=True):
        shown = contrast(shades[int(figure.data[0].z[row][column])], palette.page)
        assert (shown >= STANDS_OUT) == (p[row, column] <= 0.05)
    named = systems_figure(("A", "B"), np.arange(2.0), np.arange(2.0), "BLEU", palette).data[0]
    assert contrast(named.textfont.color, palette.page) >= READABLE
    density = segments_figure(np.arange(9.0), np.arange(9.0), "BLEU", palette).data[0]
    assert min(contrast(colour, palette.page) for _, colour in density.colorscale) >= STANDS_OUT


def _steps_of(figure):
    """Shade → colour."""
    stops = figure.data[0].colorscale
    return enumerate(colour for _, colour in stops[::2])


@PALETTES
def test_significant_cells_stand_out_and_the_others_recede(palette) -> None:
    scale = colour_scale(P_VIEW, palette)
    for alpha in (0.05, 0.001):
        above = evidence(np.geomspace(alpha * 1.0001, 1, 60), alpha)
        below = evidence(np.geomspace(1e-12, alpha, 60), alpha)
        receding = [contrast(colour_at(scale, float(p)), palette.page) for p in above]
        standing = [contrast(colour_at(scale, float(p)), palette.page) for p in below]
        assert max(receding) < 1.6
        assert min(standing) >= STANDS_OUT
        assert np.all(np.diff(standing) <= 1e-9)  # stronger evidence further from the page


@PALETTES
def test_equivalence_is_written_as_in_the_legend_and_is_seen(palette) -> None:
    square = cells(board(margin=0.5))
    assert (square.verdict == EQUIVALENT).any()
    figure = heatmap_figure(square, palette=palette)
    written = [trace for trace in figure.data[1:] if trace.mode == "text"]
    assert {trace.text for trace in written} == {SIGNS[EQUIVALENT]}
    assert sum(len(trace.x) for trace in written) == (square.verdict == EQUIVALENT).sum()
    scale = colour_scale(P_VIEW, palette)
    for trace in written:
        for row, column in zip(trace.y, trace.x, strict=True):
            colour = colour_at(scale, float(square.colour[row, column]))
            assert contrast(trace.textfont.color, colour) >= READABLE


@PALETTES
def test_every_sign_of_the_heatmap_has_the_ink_of_its_cell(palette) -> None:
    for view in (P_VIEW, DIFFERENCE_VIEW):
        square = cells(board(), view)
        scale = colour_scale(view, palette)
        marks = [trace for trace in heatmap_figure(square, palette=palette).data if trace.hoverinfo == "skip"]
        for trace in marks[1:]:
            for row, column in zip(trace.y, trace.x, strict=True):
                place = float(square.colour[row, column])
                colour = colour_at(scale, place if view == P_VIEW else (place + 1) / 2)
                assert contrast(trace.marker.color, colour) >= STANDS_OUT


def test_the_theme_chooses_the_colours() -> None:
    assert palette_of("dark") is DARK
    assert palette_of("light") is palette_of(None) is LIGHT
    assert set(INKS) == {"#FFFFFF", "#000000"}


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_counts_in_confusion_matrices_are_read_on_their_cells(palette) -> None:
    gold, given = ["a"] * 20 + ["b"] * 10, ["a"] * 13 + ["b"] * 7 + ["a"] * 9 + ["b"]
    board = Submissions(kind="labels", items=list(map(str, range(30))), gold=gold, outputs={"X": given})
    found = confusions(board, ("X",))[0]
    cells, counts = confusion_figure(found, palette).data
    scale = [(float(place), str(colour)) for place, colour in cells.colorscale]
    shares = np.array(cells.z).ravel().tolist()
    assert list(counts.text) == [f"{count}" for count in found.counts.ravel().tolist()]
    for ink, share in zip(counts.textfont.color, shares, strict=True):
        assert contrast(ink, colour_at(scale, share)) >= 4.5
