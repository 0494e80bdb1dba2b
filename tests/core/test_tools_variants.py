"""Older, newer and partial outputs of tools: other names of the same fields, words and null for scores."""

from typing import Any

from nlpstat_core.readers import read_scores
from tests.core.toolcheck import board, dumped, refused
from tests.fuzz.toolformats import inspect_log, lines_of


def sample(doc_id: int, **scores: Any) -> dict[str, Any]:
    return {
        "doc_id": doc_id,
        "resps": [["a"]],
        "filtered_resps": ["a"],
        "filter": "none",
        "metrics": list(scores),
        "doc_hash": str(doc_id),
        **scores,
    }


def test_lm_eval_scores_may_begin_with_null_and_tasks_of_corpus_metrics_are_left_out() -> None:
    files = [
        (
            lines_of([sample(0, acc=None), sample(1, acc=one), sample(2, acc=1.0)]),
            f"{name}/samples_arc_{date}",
        )
        for name, one in (("tern", 1.0), ("heron", 0.0))
        for date in ("2025-03-04T10-11-12.5.jsonl",)
    ]
    arc = {"tern": {"0": None, "1": 1, "2": 1}, "heron": {"0": None, "1": 0, "2": 1}}
    assert board(files) == arc
    corpus = [
        (lines_of([sample(i, bleu=["a", "b"]) for i in range(3)]), path.replace("arc", "wmt"))
        for _, path in files
    ]
    scores = read_scores([*files, *corpus])
    assert board([*files, *corpus]) == arc
    assert any("Left out" in note.text and "'wmt'" in note.text for note in scores.notes)
    refused(corpus, "no numbers in the records")


def test_inspect_scorers_in_words_are_left_out() -> None:
    logs = [inspect_log(model, [(1, 1, "C"), (2, 1, "I")]) for model in ("openai/tern", "openai/heron")]
    for log in logs:
        for one in log["samples"]:
            one["scores"]["topic"] = {"value": "birds"}
    files = [(dumped(log), f"{place}.json") for place, log in enumerate(logs)]
    assert board(files)["openai/tern"] == {"1": 1, "2": 0}
    assert any("'topic'" in note.text for note in read_scores(files).notes)
    for log in logs:
        for one in log["samples"]:
            del one["scores"]["match"]
    files = [(dumped(log), f"{place}.json") for place, log in enumerate(logs)]
    refused(files, "gives 'birds', which is neither a number")


def test_evalplus_of_two_data_sets_and_of_the_first_versions() -> None:
    def results(prefix: str, word: str) -> bytes:
        passed = {"nfiles": 1, "base": [[word, [True]]], "plus": [[word, [True]]]}
        failed = {"nfiles": 1, "base": [["failed", [True]]], "plus": [["failed", [True]]]}
        return dumped({"date": "d", "hash": "h", "eval": {f"{prefix}/0": passed, f"{prefix}/1": failed}})

    files = [
        (results(prefix, word), f"{folder}/{model}_temp_0.0.eval_results.json")
        for folder, prefix in (("humaneval", "HumanEval"), ("mbpp", "Mbpp"))
        for model, word in (("tern", "success"), ("heron", "timed out"))
    ]
    assert board(files) == {
        "tern_temp_0.0": {"HumanEval/0": 1, "HumanEval/1": 0, "Mbpp/0": 1, "Mbpp/1": 0},
        "heron_temp_0.0": {"HumanEval/0": 0, "HumanEval/1": 0, "Mbpp/0": 0, "Mbpp/1": 0},
    }


def trial(task: str, model: str, reward: float | None) -> bytes:
    verified = None if reward is None else {"rewards": {"reward": reward}}
    agent = {"name": "terminus-2", "version": "2", "model_info": {"name": model, "provider": "openai"}}
    result = {"task_name": task, "trial_name": f"{task}__x", "agent_info": agent, "verifier_result": verified}
    return dumped(result)


def test_trials_of_harbor_are_runs_of_agent_and_model() -> None:
    job = dumped({"id": "1", "n_total_trials": 3, "stats": {"n_trials": 3}})
    files = [
        (job, "jobs/2025-11-03/result.json"),
        (trial("zork", "gpt-5", 1.0), "jobs/2025-11-03/zork__1/result.json"),
        (trial("zork", "gpt-5", None), "jobs/2025-11-03/zork__2/result.json"),
        (trial("git", "gpt-5", 0.25), "jobs/2025-11-03/git__1/result.json"),
        (trial("zork", "o3", 0.0), "jobs/2025-11-04/zork__1/result.json"),
        (trial("git", "o3", 1.0), "jobs/2025-11-04/git__1/result.json"),
        (dumped({"task": {"path": "zork"}, "agent": {"name": "terminus-2"}}), "jobs/2025-11-04/config.json"),
    ]
    assert board(files) == {
        "terminus-2 openai/gpt-5": {"zork": 0.5, "git": 0.25},
        "terminus-2 openai/o3": {"zork": 0, "git": 1},
    }
    assert any("without a reward" in note.text for note in read_scores(files).notes)
    refused(files[:1], "one score per system")


def test_promptfoo_prompts_with_their_variables_put_in_are_no_systems() -> None:
    def entry(provider: str, place: int, test: int, score: float, **prompt: str) -> dict[str, Any]:
        return {
            "provider": {"id": provider},
            "prompt": prompt,
            "promptIdx": place,
            "vars": {"q": f"Q{test}"},
            "success": True,
            "score": score,
            "namedScores": {},
        }

    rendered = [
        entry(model, place, test, (test + place) / 8, raw=f"Say Q{test}")
        for test in range(3)
        for place, model in enumerate(("tern", "heron"))
    ]
    expected = {name: {str(t): (t + i) / 8 for t in range(3)} for i, name in enumerate(("tern", "heron"))}
    assert board([(dumped({"results": {"results": rendered}}), "x.json")]) == expected
    shown = [{**one, "prompt": {**one["prompt"], "display": "Say {{q}}"}} for one in rendered]
    assert board([(dumped({"results": {"results": shown}}), "x.json")]) == expected
    two = [
        entry("tern", place, test, (test + place) / 8, raw=f"{word} Q{test}")
        for test in range(3)
        for place, word in enumerate(("Say", "Sing"))
    ]
    found = board([(dumped({"results": {"results": two}}), "x.json")])
    assert found["tern | prompt 2"] == {str(test): (test + 1) / 8 for test in range(3)}


def test_vlmevalkit_scores_of_short_answers() -> None:
    def records(scores: list[float]) -> bytes:
        lines = [f"{i}\tWhat?\tcup\tcup\t[1.0]\t{score}" for i, score in enumerate(scores)]
        head = "index\tquestion\tanswer\tprediction\teval_match\teval_score"
        return "\n".join([head, *lines]).encode()

    files = [
        (records(scores), f"{name}_DocVQA_VAL_results.tsv")
        for name, scores in (("tern", [0.5, 1]), ("heron", [0, 0.25]))
    ]
    assert board(files) == {"tern": {"0": 0.5, "1": 1}, "heron": {"0": 0, "1": 0.25}}


def test_old_results_of_mteb_are_refused_with_what_to_do() -> None:
    old = {"mteb_dataset_name": "STS12", "mteb_version": "1.1.1", "test": {"cos_sim": {"spearman": 0.5}}}
    refused([(dumped(old), "tern/STS12.json")], r"written before MTEB 1\.11 .*mteb\.load_results")


def test_trec_eval_of_one_measure_and_comet_below_messages() -> None:
    def lines(scores: list[float]) -> bytes:
        return "".join(f"ndcg_cut_10\t{401 + i}\t{score}\n" for i, score in enumerate(scores)).encode()

    files = [(lines([0.5, 0.25]), "tern.txt"), (lines([1, 0]) + b"ndcg_cut_10\tall\t0.5\n", "heron.txt")]
    assert board(files) == {"tern": {"401": 0.5, "402": 0.25}, "heron": {"401": 1, "402": 0}}
    above = b"Running command: ['java', '-jar', 'trec_eval.jar']\nResults:\n"  # as Pyserini prints them
    assert board([(above + data, name) for data, name in files])["tern"] == {"401": 0.5, "402": 0.25}
    printed = "".join(
        f"{name}.de\tSegment {i}\tscore: {score}\n"
        for i in range(2)
        for name, score in (("tern", i / 2), ("heron", 0.75))
    )
    text = f"Seed set to 1\nFetching 5 files: 100%|#| 5/5 [00:00<?, ?it/s]\n{printed}tern.de\tscore: 0.2500\n"
    assert board([(text.encode(), "comet.out")]) == {
        "tern": {"0": 0, "1": 0.5},
        "heron": {"0": 0.75, "1": 0.75},
    }
