"""Overall scores of a benchmark and two shared tasks, made again as composites, and what they separate.

As docs/examples.md has it. The data are public and not part of the project (docs/examples.md says where they
are): folders of the names below, where NLPSTAT_SHARED_TASKS says. Without them these tests are skipped.
"""

import dataclasses
import re

import pandas as pd
import pytest

import nlpstat_core as ns
from nlpstat_core.report.wording import headline
from tests.core.fetched import fetched

PARTS = ("Big", "PUD", "Small", "Surprise")
PLACE = re.compile(r"^(?: ?\d+\.|   )\s+(.+?) \([^)]*\)\s+software\d(?:-P)?\s+([\d.]+)", re.MULTILINE)
WOES = {
    "revdict-sgns": ("MSE", "cos", "rank"),
    "revdict-char": ("MSE", "cos", "rank"),
    "defmod": ("MvSc.", "S-BLEU", "L-BLEU"),
}
LANGUAGES = ("EN", "ES", "FR", "IT", "RU")


def tracks_of(table, **options):
    """A track a column, from those rows that have a number there."""
    return {
        name: ns.ScoreMatrix(values=column.to_numpy()[None, :], systems=tuple(column.index), **options)
        for name, column in ((name, table[name].dropna()) for name in table)
    }


def means(board):
    return pd.Series(board.values.mean(axis=0), index=board.systems)


def ranks(analysis):
    return dict(
        zip(analysis.leaderboard.system, map(tuple, analysis.leaderboard.rank_interval.tolist()), strict=True)
    )


def separated(analysis):
    return int(analysis.pairs.separated.sum())


def in_order(published):
    return list(published.sort_values(ascending=False, kind="stable").index)


def latex_rows(path):
    return [re.split(r"\s*&\s*", line.rstrip("\\ \n")) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def mteb():
    """A row a model, a column a data set; and the published averages."""
    head, *rows = latex_rows(fetched("mtebpaper/plotstables/all_en.txt"))
    table = pd.DataFrame(rows, columns=head).set_index("Dataset").drop(columns="Language")
    table = table.apply(pd.to_numeric)
    return table.drop("Average").T, table.loc["Average"].dropna()


def test_mteb_s_average_is_the_mean_over_56_data_sets(mteb):
    table, published = mteb
    assert table.shape == (31, 56)
    board = ns.composite(tracks_of(table), tracks="sampled", missing_tracks="exclude")
    assert set(board.systems) == set(published.index) == set(table.index) - {"Ada Similarity"}
    # Scores and averages are both rounded to two digits.
    assert means(board)[published.index].to_numpy() == pytest.approx(published.to_numpy(), abs=0.01)
    assert list(ns.analyse(board).leaderboard.system) == in_order(published)


def test_mteb_s_average_is_the_mean_of_seven_tasks_weighted_by_their_data_sets():
    _, sets, head, *rows = latex_rows(fetched("mtebpaper/plotstables/avg_table.txt"))
    weights = {task: int(count) for task, count in zip(head[1:8], sets[1:8], strict=True)}
    assert sum(weights.values()) == int(sets[8]) == 56
    table = pd.DataFrame(rows, columns=head).set_index(head[0]).apply(pd.to_numeric)
    published = table.pop("Avg.").dropna()
    official, equal = (
        means(ns.composite(tracks_of(table.dropna()), weights=given, tracks="sampled"))
        for given in (weights, None)
    )
    assert official[published.index].to_numpy() == pytest.approx(published.to_numpy(), abs=0.01)
    assert in_order(official)[:6] == in_order(published)[:6]
    # Each kind of task alike: the first two stay, SGPT-5.8B-msmarco, third for its retrieval, doesn't.
    assert in_order(equal)[:5] == ["ST5-XXL", "GTR-XXL", "GTR-XL", "ST5-XL", "GTR-Large"]
    assert in_order(official)[2] == "SGPT-5.8B-msmarco"
    assert "SGPT-5.8B-msmarco" not in in_order(equal)[:6]


def test_what_56_data_sets_separate(mteb):
    table, _ = mteb
    board = ns.composite(tracks_of(table), tracks="sampled", missing_tracks="exclude")
    analysis = ns.analyse(board)
    assert headline(analysis) == (
        "Top group: ST5-XXL, GTR-XXL, SGPT-5.8B-msmarco, GTR-XL, GTR-Large, MPNet, MiniLM-L12, MiniLM-L6; "
        "272 of 435 pairs are found to differ in the mean after Holm at 0.05."
    )
    assert list(analysis.leaderboard.system).index("ST5-XL") == 5
    near, far = (analysis.pair("ST5-XXL", name) for name in ("ST5-XL", "MiniLM-L6"))
    assert (round(abs(near.difference), 2), round(abs(far.difference), 2)) == (1.65, 3.25)
    assert near.better == "ST5-XXL"
    assert near.p_adjusted == pytest.approx(0.00012, abs=5e-6)
    assert far.p_adjusted == pytest.approx(0.53, abs=0.005)
    assert (table.loc["ST5-XXL"] > table.loc["ST5-XL"]).sum() == 46
    assert list(analysis.leaderboard.system).index("MiniLM-L6") == 11
    assert ranks(analysis)["ST5-XXL"] == (1, 13)
    assert any("Left out because they lack a track: 'Ada Similarity" in note.text for note in analysis.notes)


@pytest.fixture(scope="module")
def parsing():
    """CoNLL 2017's page of LAS: a row a team, a column a treebank; published means by group of treebanks."""
    folder = "depparse-conll-data/conll2017-test-runs-v3/results-web-markdown"
    text = fetched(f"{folder}/results-las.md").read_text()
    page = dict(zip(*[iter(re.split(r"^#{2,3} (.+)$", text, flags=re.MULTILINE)[1:])] * 2, strict=True))
    places = {title: pd.Series(dict(PLACE.findall(body)), dtype=float) for title, body in page.items()}
    groups = {"All": (None, places["All treebanks"])}
    for part in PARTS:
        title = next(title for title in page if title.startswith(part))
        names = re.search(r"treebanks[^:]*: ([a-z_, ]+)\.", page[title])[1].split(", ")
        groups[part] = names, places[title]
    table = pd.DataFrame({title: place for title, place in places.items() if re.fullmatch("[a-z_]+", title)})
    return table, groups


@pytest.mark.parametrize("part", ["All", *PARTS])
def test_the_overall_score_of_conll_2017_is_the_mean_over_treebanks(parsing, part):
    """Groups of treebanks are weights of 0 and 1."""
    table, groups = parsing
    assert table.shape == (33, 81)
    assert not table.isna().any(axis=None)
    names, published = groups[part]
    weights = None if names is None else {name: float(name in names) for name in table}
    found = means(ns.composite(tracks_of(table), weights=weights, tracks="sampled"))
    assert found[published.index].to_numpy() == pytest.approx(published.to_numpy(), abs=0.0101)
    # The published order, but for teams that are equal in the two digits.
    ours = found[published.index].to_numpy()
    assert (ours[:-1] >= ours[1:] - 0.01).all()
    assert published.index[0] == found.idxmax() == {"Small": "C2L2", "Surprise": "C2L2"}.get(part, "Stanford")


def test_conll_2017_has_its_published_order(parsing):
    table, groups = parsing
    board = ns.composite(tracks_of(table), tracks="sampled")
    assert list(ns.analyse(board).leaderboard.system) == list(groups["All"][1].index)


def test_what_81_treebanks_and_49_languages_separate(parsing):
    table, _ = parsing
    board = ns.composite(tracks_of(table), tracks="sampled")
    treebanks = ns.analyse(board)
    assert headline(treebanks) == (
        "Top group: Stanford, C2L2; 406 of 528 pairs are found to differ in the mean after Holm at 0.05."
    )
    assert all(high - low < 3 for low, high in list(ranks(treebanks).values())[:5])
    assert ranks(treebanks)["IMS"] == (2, 3)
    assert ranks(treebanks)["HIT-SCIR"] == (4, 5)
    assert list(ranks(treebanks).items())[7] == ("ÚFAL – UDPipe 1.2", (6, 14))
    languages = tuple(name.split("_")[0] for name in table)
    assert len(set(languages)) == 49
    by_language = dataclasses.replace(board, labels={"language": languages})
    found = ns.analyse(by_language, ns.AnalysisConfig(block_column="language"))
    assert headline(found).startswith("Top group: Stanford, C2L2, IMS; 381 of 528 pairs are found to differ")


@pytest.fixture(scope="module", params=WOES)
def dictionaries(request):
    """SemEval-2022 Task 1: a subtask, all submissions' scores, the published ranks of users."""
    folder = fetched("codwoe/rankings")
    submissions = pd.read_csv(folder / "submission_scores" / f"res_{request.param}.csv")
    published = pd.read_csv(folder / "final_rankings" / f"{request.param}_rankings-per-users.csv")
    published = (
        published[published["user"].notna()].set_index("user").drop(columns="Comments", errors="ignore")
    )
    return request.param, submissions, published.apply(pd.to_numeric, errors="coerce")


def best_places(submissions, language, metrics):
    """A row a user: the best place that one of the user's submissions takes among all of them, by metric."""
    columns = [f"{language} {metric}" for metric in metrics]
    rising = {"MSE", "rank"}
    places = {
        name: submissions[name].rank(method="max", ascending=name.split()[1] in rising) for name in columns
    }
    return pd.DataFrame(places).groupby(submissions["user"]).min().dropna()


def of_a_language(submissions, language, metrics):
    table = best_places(submissions, language, metrics)
    return means(ns.composite(tracks_of(table, lower_is_better=True), tracks="sampled"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_codwoe_ranks_by_the_mean_of_places_under_three_metrics(dictionaries, language):
    task, submissions, published = dictionaries
    found = of_a_language(submissions, language, WOES[task])
    expected = published[f"Avg {language}"].dropna()
    assert set(found.index) == set(expected.index)
    assert found[expected.index].to_numpy() == pytest.approx(expected.to_numpy(), abs=1e-12)
    assert found.rank().to_dict() == published[f"Rank {language}"].dropna().to_dict()


def test_five_languages_separate_nobody(dictionaries):
    """Five signs have a p of 2⁻⁴ at least."""
    task, submissions, _ = dictionaries
    scores = pd.DataFrame({name: of_a_language(submissions, name, WOES[task]) for name in LANGUAGES})
    board = ns.composite(tracks_of(scores, lower_is_better=True), tracks="sampled", missing_tracks="exclude")
    analysis = ns.analyse(board, ns.AnalysisConfig(correction="none"))
    first, count = {
        "revdict-sgns": ("dkorenci", 6),
        "revdict-char": ("pzchen", 5),
        "defmod": ("cunliang.kong", 6),
    }[task]
    assert analysis.leaderboard.system[0] == first
    assert len(analysis.leaderboard.system) == count
    assert analysis.pairs_frame()["p_value"].min() == 2.0**-4
    assert separated(analysis) == 0
    assert any("With fewer than 6 no pair can reach a level of 5 %" in note.text for note in analysis.notes)
