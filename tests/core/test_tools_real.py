"""Files that evaluation tools wrote: what comes out is what a plain reading of each file says."""

import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores
from nlpstat_core.readers.open import Limits, Source
from nlpstat_core.readers.tools import TOOLS
from nlpstat_core.readers.tools.record import Tidy
from tests.core.toolcheck import cells

DATA = Path(__file__).parents[3] / "shared" / "data"
REAL = DATA / "tools"
pytestmark = pytest.mark.skipif(not REAL.exists(), reason="the collection of real score files isn't here")

SCORED = "2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval"
SILENT = "2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval"
ONE_SCORE = "one score per system: nothing to test; give the scores per test item"


def tidy_of(key: str, *sources: Source) -> Tidy:
    """What a tool makes of files of one system, which are no board yet."""
    tool = next(tool for tool in TOOLS if tool.key == key)
    assert all(tool.recognises(source) for source in sources)
    return tool.tables(sources)


def members(path: Path) -> list[Source]:
    with zipfile.ZipFile(path) as archive:
        return [Source(f"{path.name}/{name}", archive.read(name), Limits()) for name in archive.namelist()]


def test_logs_of_inspect() -> None:
    grades = {}
    with zipfile.ZipFile(REAL / SCORED) as archive:
        for name in archive.namelist():
            if name.startswith("samples/"):
                sample = json.loads(archive.read(name))
                grades[str(sample["id"])] = 1.0 if sample["scores"]["match"]["value"] == "C" else 0.0
    assert sum(grades.values()) == 8  # the log itself says 0.8 of ten
    table = tidy_of("inspect-ai", *members(REAL / SCORED)).table
    assert dict(zip(table.texts("sample"), map(float, table.texts("match")), strict=True)) == grades
    assert set(table.texts("system")) == {"openai/gpt-4o-mini"}
    with pytest.raises(ScoreFileError, match="no sample has a score"):
        tidy_of("inspect-ai", *members(REAL / SILENT))
    path = REAL / "inspect_security-guide.json"
    guide = tidy_of("inspect-ai", Source(path.name, path.read_bytes(), Limits()))
    assert guide.table.texts("sample") == ["1", "2", "3"]
    assert list(map(float, guide.table.texts("model_graded_fact"))) == [1, 1, 1]


def test_two_logs_of_inspect_with_another_model(tmp_path: Path) -> None:
    other = tmp_path / "other.eval"
    with zipfile.ZipFile(REAL / SCORED) as archive, zipfile.ZipFile(other, "w") as changed:
        for name in archive.namelist():
            data = (
                archive.read(name)
                .replace(b"openai/gpt-4o-mini", b"org/other")
                .replace(b'"value": "I"', b'"value": "P"')
            )
            changed.writestr(name, data)
    scores = read_scores([REAL / SILENT, REAL / SCORED, other])
    assert scores.systems == ("openai/gpt-4o-mini", "org/other")
    assert scores.values.shape == (10, 2)
    np.testing.assert_allclose(scores.values.mean(axis=0), [0.8, 0.9])
    assert scores.metric == "match"


def test_terminal_bench() -> None:
    paths = sorted((REAL / "terminal-bench").glob("*.json"))
    scores = read_scores(paths)
    assert scores.systems == ("goose_claude-4-opus", "goose_claude-4-sonnet")
    read = cells(scores)
    for path in paths:
        content = json.loads(path.read_text(encoding="utf-8"))
        assert read[path.stem] == {
            one["task_id"]: float(bool(one["is_resolved"])) for one in content["results"]
        }
        assert sum(read[path.stem].values()) == content["n_resolved"]  # type: ignore[arg-type]
    assert scores.metric == "is_resolved"


def test_mt_bench_grades() -> None:
    paths = [REAL / "mt_bench" / f"{name}.jsonl" for name in ("Llama-3.1-8B-Instruct", "gemma-2-9b-it")]
    scores = read_scores(paths)
    read = cells(scores)
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            for turn in (1, 2):
                grade = record[f"score_turn{turn}"]
                expected = None if grade == -1 else grade
                assert read[path.stem][f"{record['question_id']}:{turn}"] == expected
    assert scores.values.shape == (160, 2)
    assert (scores.metric, scores.lower_is_better) == ("score", False)
    with pytest.raises(ScoreFileError, match="verdicts on pairs of answers, not scores of single ones"):
        read_scores(REAL / "mt_bench" / "pairwise_EEVE_vs_Mistral.jsonl")
    assert read_scores(REAL / "mt_bench").systems == scores.systems  # the folder, with the verdicts in it


def test_sentences_of_sacrebleu() -> None:
    paths = sorted((REAL / "sacrebleu_sentence_level").glob("*.chrf.txt"))
    scores = read_scores(paths)
    assert scores.systems == ("ANVITA", "GPT4-5shot", "HW-TSC")
    for place, path in enumerate(paths):
        expected = [
            float(line.rpartition(" = ")[2]) for line in path.read_text(encoding="utf-8").splitlines()
        ]
        np.testing.assert_array_equal(scores.values[:, place], expected)
    assert (scores.metric, scores.lower_is_better) == ("chrF2", False)
    with pytest.raises(ScoreFileError, match=ONE_SCORE):
        read_scores(REAL / "sacrebleu_systems.json")
    with pytest.raises(ScoreFileError, match="wrote no scores but"):
        read_scores(REAL / "sacrebleu_two_metrics.txt")


def test_annotations_of_mqm_lose_no_row() -> None:
    path = REAL / "mqm_annotations_first400.tsv"
    header, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")]
    assert {len(row) for row in rows} == {len(header)}
    sums: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        entry = dict(zip(header, row, strict=True))
        weight = {"major": 5.0, "minor": 1.0}.get(entry["severity"].lower(), 0.0)
        if entry["category"].lower() == "non-translation!":
            weight = 25.0
        if (entry["category"].lower(), entry["severity"].lower()) == ("fluency/punctuation", "minor"):
            weight = 0.1
        own = sums.setdefault((entry["system"], f"{entry['doc']}:{entry['seg_id']}"), {})
        own[entry["rater"]] = own.get(entry["rater"], 0.0) + weight
    scores = read_scores(path)
    assert scores.values.shape == (20, 15)
    read = cells(scores)
    for (system, unit), raters in sums.items():
        assert read[system][unit] == pytest.approx(-sum(raters.values()) / len(raters), abs=1e-9)
    assert int(scores.present.sum()) == len(sums)


def test_averages_of_mqm_and_segments_of_wmt() -> None:
    path = DATA / "formats" / "mqm_newstest2021_zhen.avg_seg_scores.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    read = cells(read_scores(path))
    for line in lines:
        system, score, segment = re.split(r"\s+", line.strip())
        expected = None if score == "None" else float(score)
        assert read[system][segment] == expected
    with pytest.raises(ScoreFileError, match=ONE_SCORE):
        read_scores(DATA / "formats" / "wmt20_TER.sys.score")


@pytest.mark.parametrize(
    "name",
    ["arena_hard_leaderboard.csv", "prompts_runs_long.csv", "llm_answers_quoted_text.csv", "reversal"],
)
def test_tables_of_no_tool(name: str) -> None:
    path = REAL / name
    paths = [path] if path.is_file() else sorted(path.glob("gpt-3.5-turbo_reversal_test_results.csv"))
    for one in paths:
        source = Source(one.name, one.read_bytes(), Limits())
        assert [tool.key for tool in TOOLS if tool.recognises(source)] == []
