"""block_column="auto": which documents are compared unasked, how that is said, and how it is undone."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.analysis.robustness import robustness
from nlpstat_core.board.settled import settled
from nlpstat_core.cli.program import main
from nlpstat_core.presets import PRESETS
from nlpstat_core.readers import preview, proposed_block
from nlpstat_core.report.exports.data.plain import replay_json
from nlpstat_core.report.exports.documents.report import report_md
from nlpstat_core.report.wording import headline, top_group
from nlpstat_core.report.wording.methods import methods
from nlpstat_core.report.wording.several_boards import boards_headline
from nlpstat_core.scores.documents import shared_documents

DATA = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the shared data sets aren't here")


def board(documents=12, size=5, n_systems=3, name="doc", seed=1, **labels):
    """Systems whose differences are alike within documents."""
    random = np.random.default_rng(seed)
    alike = np.repeat(random.normal(0, 1, (documents, n_systems)), size, axis=0)
    values = np.round(alike + random.normal(0, 1, alike.shape) + 0.3 * np.arange(n_systems), 3)
    named = {name: tuple(f"d{i // size}" for i in range(documents * size))} if name else {}
    return ns.ScoreMatrix(values=values, systems="ABCDEFG"[:n_systems], labels={**named, **labels})


def notes_of(analysis):
    return {note.code: note.text for note in analysis.notes}


@pytest.mark.parametrize(("documents", "used"), [(10, "doc"), (9, None), (2, None)])
def test_ten_documents_are_compared_and_nine_are_not(documents, used):
    analysis = ns.analyse(board(documents))
    assert analysis.config.block_column == used
    assert set(analysis.pairs.test) == {"block-permutation" if used else "permutation-mean"}
    assert ("documents-compared" in notes_of(analysis)) == (used is not None)


def test_documents_have_to_group_the_units_that_can_be_compared():
    assert ns.analyse(board(30, 1)).config.block_column is None
    values = board(12).values.copy()
    values[5:, 0] = values[5:, 1] = np.nan  # one system has scores of the other eleven documents
    scores = ns.ScoreMatrix(values=values, systems="ABC", labels=board(12).labels)
    assert settled(scores, ns.AnalysisConfig()).block_column is None
    values = board(12).values.copy()
    values[::5, 0] = np.nan
    values[15:, 1] = np.nan
    some = ns.ScoreMatrix(values=values, systems="ABC", labels=board(12).labels)
    assert settled(some, ns.AnalysisConfig()).block_column == "doc"
    assert (
        settled(some, ns.AnalysisConfig(missing="complete")).block_column is None
    )  # three documents are left


@pytest.mark.parametrize(
    "name",
    [
        "doc",
        "Document",
        "doc_id",
        "docID",
        "docid",
        "docno",
        "talk",
        "talk_id",
        "dialogue",
        "dialog_id",
        "conversation",
        "Conversation ID",
        "thread",
        "passage_id",
        "article",
        "story_id",
        "block",
    ],
)
def test_names_that_say_document(name):
    assert ns.analyse(board(name=name)).config.block_column == name


@pytest.mark.parametrize(
    "name",
    [
        "repo",
        "domain",
        "dataset",
        "data_set",
        "language",
        "lang_pair",
        "system",
        "annotator",
        "rater",
        "topic",
        "genre",
        "cluster",
        "docking",
        "speaker",
        "category",
        "testset",
        "doctor",
        "item",
    ],
)
def test_names_that_do_not(name):
    analysis = ns.analyse(board(name=name))
    assert analysis.config.block_column is None
    assert analysis.to_dict() == ns.analyse(board(name=name), ns.AnalysisConfig(block_column=None)).to_dict()


def test_a_board_without_documents_is_what_it_was():
    scores = board(name="")
    analysis, alone = ns.analyse(scores), ns.analyse(scores, ns.AnalysisConfig(block_column=None))
    assert analysis.to_dict() == alone.to_dict()
    assert "block_column" not in analysis.signature
    assert analysis.signature == ns.AnalysisConfig().signature


def test_the_settled_value_stands_in_json_and_signature_and_gives_the_same_again():
    scores = board()
    analysis = ns.analyse(scores)
    found = analysis.to_dict()
    assert found["config"]["block_column"] == "doc"
    assert "|block_column:doc|" in found["signature"]
    settings = {name: value for name, value in found["config"].items() if name != "reading"}
    again = ns.analyse(scores, ns.AnalysisConfig.from_mapping(settings))
    assert again.to_dict() == found
    named = ns.analyse(scores, ns.AnalysisConfig(block_column="doc"))
    assert named.to_dict() == found
    null = ns.analyse(scores, ns.AnalysisConfig(block_column=None)).to_dict()
    assert null["config"]["block_column"] is None
    assert "block_column" not in null["signature"]
    assert null["pairs"][0]["p_value"] != found["pairs"][0]["p_value"]


def file_of(scores, folder, name="scores.csv"):
    path = folder / name
    scores.to_frame().to_csv(path, index_label="item")
    return str(path)


def json_of(capsys, *arguments):
    assert main(["analyse", *arguments, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_command_line(tmp_path, capsys):
    path = file_of(board(), tmp_path)
    found = json_of(capsys, path)
    assert found["config"]["block_column"] == "doc"
    note = next(note["text"] for note in found["notes"] if note["code"] == "documents-compared")
    assert "--block-column none" in note
    assert "12 documents (column doc)" in note
    for word in ("none", "None", "NONE"):
        alone = json_of(capsys, path, "--block-column", word)
        assert alone["config"]["block_column"] is None
    assert {pair["test"] for pair in alone["pairs"]} == {"permutation-mean"}
    assert json_of(capsys, path, "--block-column", "auto") == found
    assert main(["analyse", path]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(", comparing 12 documents (column doc).")


def test_replays_of_before_and_of_now(tmp_path, capsys):
    """Settings files written before say null where no documents were named, and mean it."""
    path = file_of(board(), tmp_path)
    found = json_of(capsys, path)
    settings = tmp_path / "replay.json"
    settings.write_text(replay_json(ns.analyse(ns.read_scores(path))), encoding="utf-8")
    assert json.loads(settings.read_text())["block_column"] == "doc"
    assert json_of(capsys, path, "--config", str(settings)) == found
    settings.write_text(json.dumps({**found["config"], "block_column": None}), encoding="utf-8")
    before = json_of(capsys, path, "--config", str(settings))
    assert before["config"]["block_column"] is None
    assert before == json_of(capsys, path, "--block-column", "none")
    settings.write_text("block_column: none\n", encoding="utf-8")  # in YAML this is a word, not null
    assert json_of(capsys, path, "--config", str(settings)) == before
    settings.write_text("alpha: 0.05\n", encoding="utf-8")  # says nothing about documents
    assert json_of(capsys, path, "--config", str(settings)) == found
    settings.write_text("block_column: domain\n", encoding="utf-8")
    assert main(["analyse", path, "--config", str(settings)]) == 2


def test_settings_of_nlpstattest_know_no_documents(tmp_path, capsys):
    path = file_of(board(), tmp_path)
    theirs = tmp_path / "config.yml"
    theirs.write_text("sig_test_alpha: 0.05\n", encoding="utf-8")
    assert json_of(capsys, path, "--config", str(theirs))["config"]["block_column"] is None
    for preset in PRESETS:
        assert settled(board(), preset.config).block_column is None


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "permutation-mean", "bootstrap-mean", "welch-t"])
def test_a_test_by_name_stays_and_the_documents_are_proposed(test):
    scores = board()
    analysis = ns.analyse(scores, ns.AnalysisConfig(test=test, resamples=500))
    assert set(analysis.pairs.test) == {test}
    assert analysis.config.block_column is None
    note = next(note for note in analysis.notes if note.code == "block-column-proposed")
    assert note.severity == "caution"
    assert "--block-column 'doc'" in note.text
    by = {"t": "block t test", "permutation-mean": "block permutation", "bootstrap-mean": "block bootstrap"}
    assert by.get(test, "the recommended test") in note.text


@pytest.mark.parametrize("test", ["block-t", "block-permutation", "block-bootstrap"])
def test_a_test_of_documents_by_name_finds_them(test):
    few = board(6)
    analysis = ns.analyse(few, ns.AnalysisConfig(test=test, resamples=500))
    assert (analysis.config.block_column, set(analysis.pairs.test)) == ("doc", {test})
    with pytest.raises(ns.ConfigError, match="block_column"):
        ns.analyse(few, ns.AnalysisConfig(test=test, block_column=None))
    with pytest.raises(ns.ConfigError, match="block_column"):
        ns.analyse(board(name=""), ns.AnalysisConfig(test=test))


def test_of_several_columns_the_plainest_name_and_the_finest_documents_are_taken():
    talks = {"talk": tuple(f"t{i // 3}" for i in range(60)), "thread": tuple(f"h{i // 2}" for i in range(60))}
    analysis = ns.analyse(board(**talks))
    assert analysis.config.block_column == "doc"
    assert "'thread' (30 documents), 'talk' (20 documents)" in notes_of(analysis)["documents-chosen"]
    swapped = dict(reversed(talks.items()))
    for labels in (talks, swapped):
        analysis = ns.analyse(board(name="", **labels))
        assert analysis.config.block_column == "thread"
        assert "'talk' (20 documents)" in notes_of(analysis)["documents-chosen"]
    small = {"doc": tuple(f"t{i // 10}" for i in range(60)), "talk": tuple(f"t{i // 5}" for i in range(60))}
    assert ns.analyse(board(name="", **small)).config.block_column == "talk"  # six docs are too few


def test_a_document_for_some_rows_is_none():
    cells = tuple("" if i == 7 else f"d{i // 5}" for i in range(60))
    analysis = ns.analyse(board(name="", doc=cells))
    assert analysis.config.block_column is None
    assert "block-column-incomplete" in notes_of(analysis)


def csv_of(header, rows):
    return ("\n".join([header, *rows]).encode(), "scores.csv")


ROWS = [f"u{i},d{i // 5},{i % 7}.5,{i % 5}.25" for i in range(60)]


def test_the_reader_gives_the_role_with_its_reason_and_a_told_role_wins():
    file = csv_of("item,doc,A,B", ROWS)
    seen = preview(file)
    assert seen.guess.roles["doc"] == "block"
    assert seen.guess.reasons["doc"] == "its name says so"
    assert ns.analyse(seen.scores).config.block_column == "doc"
    as_label = ns.read_scores(file, roles="unit=item,label=doc,system=A,system=B")
    assert ns.analyse(as_label).config.block_column is None
    assert preview(csv_of("item,repo,A,B", ROWS)).guess.roles["repo"] == "label"
    repos = ns.read_scores(csv_of("item,repo,A,B", ROWS), roles="block=repo")
    assert ns.analyse(repos).config.block_column == "repo"
    assert "block-column-proposed" in notes_of(ns.analyse(ns.read_scores(csv_of("item,repo,A,B", ROWS))))


def test_documents_that_make_the_ids_together_with_their_segments():
    rows = [
        f"d{i // 5},{i % 5},{system},{(i + len(system)) % 7}" for i in range(60) for system in ("A", "BB")
    ]
    scores = ns.read_scores(csv_of("conversation,turn,system,score", rows))
    assert ns.analyse(scores).config.block_column == "conversation"


@pytest.mark.parametrize("word", ["auto", "none"])
def test_columns_called_by_the_words_of_the_setting(word):
    file = csv_of(f"item,{word},A,B", ROWS)
    scores = ns.read_scores(file, roles=f"label={word}")
    analysis = ns.analyse(scores)
    assert analysis.config.block_column is None
    assert f"--roles block={word}" in notes_of(analysis)["block-column-reserved"]
    told = ns.read_scores(file, roles=f"block={word}")
    analysis = ns.analyse(told)
    assert analysis.config.block_column == word
    assert "block-column-reserved" not in notes_of(analysis)
    again = ns.analyse(told, ns.AnalysisConfig.from_mapping(analysis.config.to_dict()))
    assert again.to_dict() == analysis.to_dict()


def test_evaluation_units_of_rows():
    """Documents that share a unit are one; shuffled rows leave none, and then units are independent again."""
    scores = board(24, 5)
    assert ns.analyse(scores, ns.AnalysisConfig(unit_size=5)).config.block_column is None  # a unit each
    joined = ns.analyse(scores, ns.AnalysisConfig(unit_size=2))
    assert joined.config.block_column == "doc"
    assert "12 documents (column doc)" in headline(joined)
    shuffled = ns.analyse(scores, ns.AnalysisConfig(unit_size=5, shuffle_seed=1))
    assert shuffled.config.block_column is None


def test_counts_in_documents_are_compared_by_document():
    random = np.random.default_rng(5)
    correct = random.binomial(8, [0.5, 0.6, 0.7], (60, 3))
    counts = ns.accuracy_matrix(correct, 8, "ABC")
    labelled = ns.ScoreMatrix(
        values=counts.values, systems="ABC", counts=counts.counts, labels={"doc": board().labels["doc"]}
    )
    analysis = ns.analyse(labelled)
    assert (analysis.config.block_column, set(analysis.pairs.test)) == ("doc", {"block-permutation"})
    assert set(ns.analyse(labelled, ns.AnalysisConfig(block_column=None)).pairs.test) == {"accuracy-exact"}


def test_runs_in_documents():
    rows = [
        f"{system},{run},u{i},d{i // 5},{(i * (run + 2) + 3 * s) % 11}"
        for s, system in enumerate("AB")
        for run in range(3)
        for i in range(60)
    ]
    scores = ns.read_scores(csv_of("system,seed,item,doc,score", rows))
    analysis = ns.analyse(scores)
    assert (analysis.config.block_column, set(analysis.pairs.test)) == ("doc", {"crossed-t"})
    alone = ns.analyse(scores, ns.AnalysisConfig(block_column=None))
    assert alone.pairs.p_value[0] != analysis.pairs.p_value[0]


def test_systems_without_shared_units_are_compared_as_before():
    values = np.full((60, 2), np.nan)
    values[:30, 0], values[30:, 1] = np.arange(30) % 7, np.arange(30) % 5
    scores = ns.ScoreMatrix(values=values, systems="AB", labels=board().labels)
    alone = ns.analyse(scores, ns.AnalysisConfig(block_column=None))
    assert ns.analyse(scores).to_dict() == alone.to_dict()


def boards_file(per_document):
    """Two metrics, or two data sets, of which the second has few documents."""
    rows = [
        f"{system},{track},{track}{i},{track}d{i // size},{(7 * i + 3 * s) % 11},{(5 * i + s) % 13}"
        for s, system in enumerate("ABC")
        for track, size in per_document.items()
        for i in range(60)
    ]
    return csv_of("system,dataset,item,doc,bleu,ter", rows)


def test_several_boards_have_their_own_documents():
    file = boards_file({"x": 5, "y": 20})
    found = ns.analyse_boards(ns.read_boards(file, each="dataset"))
    assert [found[name].config.block_column for name in ("x", "y")] == ["doc", None]
    assert found.to_dict()["config"]["block_column"] == "auto"  # again the same boards
    assert boards_headline(found).endswith(", comparing documents on 1 of them.")
    metrics = ns.analyse_boards(ns.read_boards(file, each="metric", dataset="x"), family="all")
    assert {analysis.config.block_column for analysis in metrics.analyses.values()} == {"doc"}
    assert metrics.to_dict()["config"]["block_column"] == "doc"
    assert "|block_column:doc|" in metrics.signature
    assert boards_headline(metrics).endswith(", comparing documents.")
    together = ns.analyse_boards(
        ns.read_boards(file, each="metric", dataset="x"),
        ns.AnalysisConfig(correction="max-t", intervals=("simultaneous",), resamples=300),
        family="all",
    )
    assert together["bleu"].config.block_column == "doc"
    apart = ns.read_boards(boards_file({"x": 5}), each="metric")
    few = ns.ScoreMatrix(
        values=apart["ter"].values,
        systems=apart["ter"].systems,
        units=apart["ter"].units,
        labels={"doc": tuple(f"d{i // 20}" for i in range(60))},
    )
    with pytest.raises(ns.ConfigError, match="same documents"):
        ns.analyse_boards(
            {"bleu": apart["bleu"], "ter": few}, ns.AnalysisConfig(correction="max-t"), family="all"
        )


def test_gate_and_changes_compare_documents(tmp_path, capsys):
    path = file_of(board(14), tmp_path)
    given = ["gate", path, "--baseline", "A", "--margin", "5", "--json", "-"]
    assert main(given) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["config"]["block_column"] == "doc"
    assert {one["test"] for one in found["candidates"]} == {"block-permutation"}
    assert any(note["code"] == "documents-compared" for note in found["notes"])
    assert main(["gate", path, "--baseline", "A", "--margin", "5"]) == 0
    assert "in 14 documents" in capsys.readouterr().out
    plain = file_of(board(14, name=""), tmp_path, "plain.csv")
    assert main(["changes", plain, path]) == 0
    assert "block_column none → doc" in capsys.readouterr().out


def test_power_audit_posterior_and_robustness_take_the_settled_column():
    scores = board(20)
    analysis = ns.analyse(scores)
    curve = ns.power_curve(scores, "A", "B", test="recommended", sizes=[60], iterations=50)
    assert curve.test == "block-permutation"
    assert ns.power_curve(scores, "A", "B", sizes=[60], iterations=50).test == "t"
    audit = ns.audit(analysis, boards=20)
    assert audit.procedures[0].config.block_column == "doc"
    named = ns.analyse(scores, ns.AnalysisConfig(block_column="doc"))
    assert ns.posterior(analysis).to_dict() == ns.posterior(named).to_dict()
    variants = robustness(analysis).variants
    assert {variant.config.block_column for variant in variants} == {"doc"}
    assert not [variant.problem for variant in variants if variant.problem and "auto" in variant.problem]


def test_it_is_said_everywhere():
    analysis = ns.analyse(board(12))
    assert "comparing 12 documents (column doc)" in headline(analysis)
    text = " ".join(statement.text for statement in methods(analysis))
    assert "60 items in 12 documents" in text
    assert "documents named by the column doc; documents, not items, are taken as independent" in text
    assert "comparing 12 documents (column doc)" in report_md(analysis)
    pair = ns.analyse(board(12, n_systems=2))
    assert headline(pair).endswith("), comparing 12 documents (column doc).")
    alone = ns.analyse(board(12), ns.AnalysisConfig(block_column=None))
    assert "documents" not in headline(alone)


def test_odd_names_and_contents_of_columns():
    odd = "doc\x1b[31m*b*"
    assert ns.analyse(board(name=odd)).config.block_column is None
    cells = tuple(f"=cmd|'{i // 5}'\n" for i in range(60))
    analysis = ns.analyse(board(name="", **{"Doc ID": cells}))
    assert analysis.config.block_column == "Doc ID"
    assert re.search(r"12 documents \(column Doc ID\)", headline(analysis))


@needs_data
def test_nobody_copies_a_headline_that_ignores_documents():
    scores = ns.read_scores(DATA / "wmt24_ende_chrf.csv")
    analysis = ns.analyse(scores)
    assert f"Top group: {', '.join(top_group(analysis.leaderboard))}; 228 of 325 pairs" in headline(analysis)
    assert "comparing 170 documents (column doc)" in headline(analysis)
    assert int(np.count_nonzero(analysis.leaderboard.rank_interval[:, 0] == 1)) == 12
    alone = ns.analyse(scores, ns.AnalysisConfig(block_column=None))
    assert f"Top group: {', '.join(top_group(alone.leaderboard))}; 241 of 325 pairs" in headline(alone)


def test_a_row_without_a_document_is_told_of_and_nothing_is_proposed_that_would_be_refused():
    rng = np.random.default_rng(3)
    labels = ["", *(f"d{i // 10}" for i in range(1, 120))]
    scores = ns.ScoreMatrix(values=rng.normal(size=(120, 3)), systems="ABC", labels={"doc": tuple(labels)})
    found = ns.analyse(scores)
    assert found.config.block_column is None
    (note,) = (note for note in found.notes if note.code.startswith("block-column"))
    assert (note.code, note.severity) == ("block-column-incomplete", "caution")
    assert "names no document in 1 of 120 rows" in note.text
    assert proposed_block(scores) is None


def test_nine_documents_are_too_few_by_a_rule_and_not_by_their_smallest_p():
    rng = np.random.default_rng(3)
    labels = tuple(f"d{i // 10}" for i in range(90))
    scores = ns.ScoreMatrix(values=rng.normal(size=(90, 3)), systems="ABC", labels={"doc": labels})
    (note,) = (note for note in ns.analyse(scores).notes if note.code == "block-column-too-few")
    assert "fewer than 10" in note.text
    assert "would need" not in note.text


def test_few_documents_of_some_pairs_are_not_said_of_all():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(150, 3))
    values[50:, 2] = np.nan  # C has five documents of fifteen
    labels = tuple(f"d{i // 10}" for i in range(150))
    scores = ns.ScoreMatrix(values=values, systems="ABC", labels={"doc": labels})
    (note,) = (note for note in ns.analyse(scores).notes if note.code == "very-few-blocks")
    assert note.text.startswith("In 2 of 3 pairs the shared items belong to fewer than 10 documents")


@given(st.integers(0, 2**32 - 1))
def test_pairs_tell_how_many_documents_both_systems_have(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(36, 3))
    values[rng.random(values.shape) < 0.5] = np.nan
    documents = [f"d{row // 3}" for row in range(36)]
    units = ns.ScoreMatrix(values=values, systems="ABC", labels={"doc": documents})
    left, right = np.array([0, 0, 1]), np.array([1, 2, 2])
    found = shared_documents(units, ns.AnalysisConfig(block_column="doc"), left, right)
    both = ~np.isnan(values[:, left] + values[:, right])
    assert found.tolist() == [len({documents[row] for row in np.flatnonzero(column)}) for column in both.T]
    assert shared_documents(units, ns.AnalysisConfig(block_column=None), left, right) is None


def test_the_frame_of_pairs_counts_items_and_documents():
    rng = np.random.default_rng(1)
    frame = {
        "doc": [f"d{row // 6}" for row in range(120)],
        "A": rng.normal(size=120),
        "B": rng.normal(size=120),
    }
    pairs = ns.analyse(frame).pairs_frame()
    assert (pairs.n_units[0], pairs.n_documents[0]) == (120, 20)
    alone = ns.analyse(frame, ns.AnalysisConfig(block_column=None)).pairs_frame()
    assert "n_documents" not in alone.columns
