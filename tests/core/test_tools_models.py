"""Tools that evaluate language models: their files with known scores, read cell by cell."""

import io
import json
from typing import Any

import pytest

from nlpstat_core.readers import read_boards, read_scores
from tests.core.toolcheck import board, cells, dumped, refused
from tests.fuzz.toolformats import helm_stat, inspect_log, lines_of, packed_log, trial

ONE_SCORE = "one score per system: nothing to test; give the scores per test item"


def test_inspect_grades_epochs_and_odd_ids() -> None:
    first = inspect_log("openai/gpt-4o", [("a/1", 1, "C"), ("a/1", 2, "I"), ("ü 2", 1, "P"), ("ü 2", 2, "C")])
    second = inspect_log(
        "org/pi", [("ü 2", 1, "N"), ("a/1", 1, 1), ("3", 1, 0.25), ("ü 2", 2, "yes"), ("a/1", 2, "no")]
    )
    expected = {
        "openai/gpt-4o": {"a/1": 0.5, "ü 2": 0.75, "3": None},
        "org/pi": {"a/1": 0.5, "ü 2": 0.5, "3": 0.25},
    }
    assert board([(dumped(first), "x.json"), (dumped(second), "logs/y.json")]) == expected
    second["samples"][0]["id"], second["samples"][3]["id"] = "ü 2", "ü 2"
    assert board([(packed_log(first), "2025_x.eval"), (packed_log(second), "2025_y.eval")]) == expected
    assert board([(packed_log(first), "2025_x.eval"), (dumped(second), "y.json")]) == expected


def test_inspect_several_scorers_and_logs_of_one_model() -> None:
    log = inspect_log("gpt", [(1, 1, "C"), (2, 1, "I"), (3, 1, "P")])
    for sample in log["samples"]:
        sample["scores"]["rubric"] = {
            "value": {"style": 3, "facts": float("nan") if sample["id"] == 1 else 5}
        }
    other = json.loads(json.dumps(log))
    other["eval"] |= {"solver": "few_shot", "task_id": "another"}
    log["eval"] |= {"solver": "zero_shot"}
    files = [(dumped(log), "x.json"), (dumped(other), "y.json")]
    assert read_scores(files).metric == "match"
    assert board(files, metric="rubric/facts") == {
        "gpt (zero_shot)": {"1": None, "2": 5, "3": 5},
        "gpt (few_shot)": {"1": None, "2": 5, "3": 5},
    }


def test_inspect_tries_again_and_logs_without_scores() -> None:
    failed = inspect_log("gpt", [(1, 1, "I"), (2, 1, None)])
    again = inspect_log("gpt", [(1, 1, "C"), (2, 1, "C")])
    again["eval"]["created"] = "2025-02-12T10:00:00-05:00"  # the same task_id
    other = inspect_log("pi", [(1, 1, "C"), (2, 1, None)])
    silent = inspect_log("mute", [(1, 1, None)])
    files = [(dumped(log), f"{i}.json") for i, log in enumerate([failed, again, other, silent])]
    scores = read_scores(files)
    assert board(files) == {"gpt": {"1": 1, "2": 1}, "pi": {"1": 1, "2": None}}
    assert any("has no scores" in note.text for note in scores.notes)


def test_inspect_refused() -> None:
    odd = inspect_log("gpt", [(1, 1, "B+"), (2, 1, "C")])
    refused([(dumped(odd), "x.json"), (dumped(inspect_log("pi", [(1, 1, "C")])), "y.json")], r"gives 'B\+'")
    silent = [(dumped(inspect_log(model, [(1, 1, None)])), f"{model}.json") for model in ("gpt", "pi")]
    refused(silent, "no sample has a score")


def sample(doc: int | str, **more: Any) -> dict[str, Any]:
    return {"doc_id": doc, "doc": {"q": "?"}, "target": "1", "resps": [["1"]], "doc_hash": "1f"} | more


def test_lm_eval_tasks_and_results_beside_them() -> None:
    date = "2024-05-01T10-00-00.123"
    files = []
    for model, shift in (("tern", 0), ("heron", 1)):
        arc = [sample(i, acc=float((i + shift) % 2), acc_norm=0.5) for i in range(3)]
        wic = [sample(i, acc=float(i == shift)) for i in range(2)]
        files += [
            (lines_of(arc), f"out/org__{model}/samples_arc_easy_{date}.jsonl"),
            (lines_of(wic), f"out/org__{model}/samples_wic_{date}.jsonl"),
            (
                dumped(
                    {
                        "results": {"arc_easy": {"alias": "arc", "acc_stderr,none": 1}},
                        "model_name": f"org/{model}",
                    }
                ),
                f"out/org__{model}/results_{date}.json",
            ),
        ]
    expected = {
        "org/tern": {"arc_easy:0": 0, "arc_easy:1": 1, "arc_easy:2": 0, "wic:0": 1, "wic:1": 0},
        "org/heron": {"arc_easy:0": 1, "arc_easy:1": 0, "arc_easy:2": 1, "wic:0": 0, "wic:1": 1},
    }
    assert board(files) == expected
    named = [file for file in files if "results_" not in file[1]]
    assert set(board(named)) == {"org__tern", "org__heron"}
    by_task = read_boards(files, each="dataset")
    assert {task: cells(scores) for task, scores in by_task.items()} == {
        task: {
            system: {unit: score for unit, score in row.items() if unit.startswith(task)}
            for system, row in expected.items()
        }
        for task in ("arc_easy", "wic")
    }
    refused([file for file in files if "results_" in file[1]], ONE_SCORE)


def test_lm_eval_one_sample_of_a_task() -> None:
    """One line alone is JSON, not JSON lines; it was refused as no list."""
    files = [
        (lines_of([sample(i, acc=float(i == j)) for i in range(n)]), f"{model}/samples_{task}.jsonl")
        for j, model in enumerate(("tern", "heron"))
        for task, n in (("arc", 3), ("wic", 1))
    ]
    assert board(files)["tern"] == {"arc:0": 1, "arc:1": 0, "arc:2": 0, "wic:0": 1}


def test_lm_eval_two_dates_of_one_model() -> None:
    files = [
        (
            lines_of([sample(i, acc=float(i == j)) for i in range(3)]),
            f"m/samples_wic_2024-05-0{j + 1}T10-00-00.1.jsonl",
        )
        for j in (0, 1)
    ]
    assert [system.partition("2024")[2] for system in board(files)] == [
        "-05-01T10-00-00.1)",
        "-05-02T10-00-00.1)",
    ]


def evalplus(**tasks: list[tuple[str, str | None]]) -> bytes:
    content = {
        task: [
            {
                "task_id": task,
                "solution": "…",
                "base_status": base,
                "plus_status": plus,
                "base_fail_tests": [],
            }
            for base, plus in samples
        ]
        for task, samples in tasks.items()
    }
    return dumped(
        {"date": "2024-05-01 12:00", "hash": "1f", "eval": content, "pass_at_k": {"base": {"pass@1": 0.5}}}
    )


def test_evalplus_samples_are_runs() -> None:
    one = evalplus(t1=[("pass", "pass"), ("pass", "fail")], t2=[("timeout", "pass"), ("pass", "pass")])
    two = evalplus(t2=[("pass", "pass"), ("fail", "fail")], t3=[("fail", "fail"), ("fail", "fail")])
    files = [(one, "gpt_eval_results.json"), (two, "pi.eval_results.json")]
    assert board(files) == {
        "gpt": {"t1": 0.5, "t2": 0.5, "t3": None},
        "pi": {"t1": None, "t2": 0.5, "t3": 0},
    }
    assert board(files, metric="pass (base)")["gpt"] == {"t1": 1, "t2": 0.5, "t3": None}


def test_evalplus_base_only_and_older_files() -> None:
    base = evalplus(t1=[("pass", None)], t2=[("fail", None)])
    older = {
        "hash": "1f",
        "date": "d",
        "eval": {"t1": {"base": [["fail", []]], "plus": []}, "t2": {"base": [["pass", []]]}},
    }
    files = [(base, "a/eval_results.json"), (dumped(older), "b/eval_results.json")]
    assert board(files) == {"a": {"t1": 1, "t2": 0}, "b": {"t1": 0, "t2": 1}}
    broken = evalplus(t1=[("pass", "pass")]).replace(b'"pass"', b"7")
    refused(
        [(broken, "a.json"), (base, "b.json")], "status of task 't1' should be 'pass', 'fail' or 'timeout'"
    )


def helm_files(
    model: str, scores: dict[tuple[str, int], float], scenario: str = "mmlu:subject=law"
) -> list[tuple[bytes, str]]:
    name = f"{scenario},model={model}"
    stats = [
        {
            "instance_id": unit,
            "train_trial_index": run,
            "stats": [
                helm_stat("num_prompt_tokens", 411),
                helm_stat("finish_reason_stop", 1),
                helm_stat("f1", score),
            ],
        }
        for (unit, run), score in scores.items()
    ]
    # a second metric class writes the same instances again
    stats += [
        {
            "instance_id": unit,
            "train_trial_index": run,
            "stats": [helm_stat("inference_runtime", 3.5), helm_stat("exact_match", 1 - score)],
        }
        for (unit, run), score in scores.items()
    ]
    return [(dumped(stats), f"runs/{name}/per_instance_stats.json")]


def test_helm_trials_are_runs() -> None:
    files = helm_files("gpt", {("id1", 0): 0.5, ("id1", 1): 1, ("id7", 0): 0}) + helm_files(
        "pi", {("id7", 0): 1, ("id1", 0): 0.25}
    )
    assert board(files, metric="f1") == {"gpt": {"id1": 0.75, "id7": 0}, "pi": {"id1": 0.25, "id7": 1}}
    assert read_scores(files).metric == "exact_match"  # the usual one; tokens and times are none
    spec = {"name": "mmlu:subject=law", "scenario_spec": {}, "adapter_spec": {"model": "openai/gpt-4"}}
    folder = files[0][1].rpartition("/")[0]
    assert set(board([*files, (dumped(spec), f"{folder}/run_spec.json")])) == {"openai/gpt-4", "pi"}


def test_helm_scenarios_and_perturbations() -> None:
    files = [
        file
        for model in ("gpt", "pi")
        for scenario in ("a", "b")
        for file in helm_files(model, {("id1", 0): 1, ("id2", 0): 0}, scenario)
    ]
    assert set(board(files)["pi"]) == {"a:id1", "a:id2", "b:id1", "b:id2"}
    content = json.loads(files[0][0])
    for unit, score in (("id1", 0.125), ("id2", 0.75)):
        stats = [helm_stat("f1", score)]
        typos = {
            "instance_id": unit,
            "train_trial_index": 0,
            "perturbation": {"name": "typos"},
            "stats": stats,
        }
        content.append(typos)
    changed = [(dumped(content), files[0][1]), *files[1:]]
    assert board(changed, metric="f1 (typos)")["gpt"] == {"a:id1": 0.125, "a:id2": 0.75} | dict.fromkeys(
        ("b:id1", "b:id2")
    )
    assert board(changed, metric="f1") == board(files, metric="f1")


def test_helm_refused() -> None:
    total = dumped([helm_stat("exact_match", 0.5)])
    refused([(total, "a/stats.json"), (total, "b/stats.json")], ONE_SCORE)
    (data, path), *_ = helm_files("gpt", {("id1", 0): 0.5})
    broken = data.replace(b'"instance_id": "id1"', b'"instance_id": null')
    refused([(broken, path), *helm_files("pi", {("id1", 0): 1})], "'instance_id' should be a name")


def test_swe_bench_reports() -> None:
    gpt = {
        "total_instances": 5,
        "resolved_instances": 1,
        "submitted_ids": ["a__a-1", "a__a-2", "b__b-1", "b__b-2"],
        "resolved_ids": ["a__a-2"],
        "unresolved_ids": ["a__a-1"],
        "empty_patch_ids": ["b__b-1"],
        "error_ids": ["b__b-2"],
        "incomplete_ids": ["c__c-1"],
    }
    pi = {
        **gpt,
        "resolved_ids": ["c__c-1"],
        "unresolved_ids": [],
        "submitted_ids": ["c__c-1", "a__a-1"],
        "empty_patch_ids": [],
        "error_ids": [],
        "incomplete_ids": [],
    }
    files = [(dumped(gpt), "gpt-4.run7.json"), (dumped(pi), "pi.run7.json")]
    assert board(files) == {
        "gpt-4": {"a__a-1": 0, "a__a-2": 1, "b__b-1": 0, "b__b-2": 0, "c__c-1": None},
        "pi": {"a__a-1": 0, "a__a-2": None, "b__b-1": None, "b__b-2": None, "c__c-1": 1},
    }
    assert any("without a prediction" in note.text for note in read_scores(files).notes)
    refused([(dumped({**gpt, "resolved_ids": "a"}), "x.json"), files[1]], "'resolved_ids' should be a list")


def test_swe_bench_submissions_and_single_reports() -> None:
    one = {"no_generation": ["a-1"], "no_logs": [], "resolved": ["a-2"]}
    two = {"no_generation": [], "no_logs": ["a-3"], "resolved": ["a-1"]}
    files = [
        (dumped(one), "2024_tern/results/results.json"),
        (dumped(two), "2024_heron/results/results.json"),
    ]
    assert board(files) == {
        "2024_tern": {"a-1": 0, "a-2": 1, "a-3": 0},
        "2024_heron": {"a-1": 1, "a-2": 0, "a-3": 0},
    }
    single = [
        (
            dumped(
                {
                    unit: {
                        "patch_is_None": False,
                        "patch_successfully_applied": True,
                        "resolved": model == unit,
                    }
                }
            ),
            f"logs/run1/{model}/{unit}/report.json",
        )
        for model in ("a-1", "pi")
        for unit in ("a-1", "a-2")
    ]
    assert board(single) == {"a-1": {"a-1": 1, "a-2": 0}, "pi": {"a-1": 0, "a-2": 0}}


def terminal(*trials: dict[str, Any]) -> bytes:
    return dumped({"id": "1f", "results": trials, "n_resolved": 1, "resolved_ids": [], "accuracy": 0.5})


def test_terminal_bench_trials_runs_and_no_verdict() -> None:
    files = [
        (
            terminal(trial("zork", 1, True), trial("zork", 2, None), trial("git", 1, False)),
            "results/tern/run1_2025-08-10__05/results.json",
        ),
        (
            terminal(trial("zork", 1, True), trial("git", 1, True)),
            "results/tern/run2_2025-08-11__06/results.json",
        ),
        (terminal(trial("zork", 1, False)), "results/heron/run1_2025-08-12__07/results.json"),
    ]
    scores = read_scores(files)
    assert board(files) == {"tern": {"zork": 2 / 3, "git": 0.5}, "heron": {"zork": 0, "git": None}}
    assert any("without a verdict" in note.text for note in scores.notes)
    lines = [
        (
            dumped({"agent_name": name, "model_name": "gpt", "run_id": "1", "output_path": "x"}),
            f"{path.rpartition('/')[0]}/run_metadata.json",
        )
        for name, (_, path) in zip(("goose", "goose", "codex"), files, strict=True)
    ]
    assert set(board([*files, *lines])) == {"goose gpt", "codex gpt"}


def test_terminal_bench_single_trials() -> None:
    files = [
        (
            dumped(trial(task, number, bool(number == 1 or system == "b"))),
            f"{system}/run1/{task}/{task}.{number}/results.json",
        )
        for system in ("a", "b")
        for task in ("zork", "git")
        for number in (1, 2)
    ]
    assert board(files) == {"a": {"git": 0.5, "zork": 0.5}, "b": {"git": 1, "zork": 1}}
    broken = [(files[0][0].replace(b'"task_id": "zork"', b'"task_id": []'), files[0][1]), *files[1:]]
    refused(broken, "'task_id' should be a name or a number")


def test_opencompass_runs_in_lists_and_data_sets() -> None:
    files = []
    for model, first in (("tern", True), ("heron", False)):
        runs = [
            {"example_abbr": "0_7", "pred": ["4", "5"], "correct": [first, False]},
            {"example_abbr": "0_8", "pred": ["1", "1"], "correct": [True, True]},
        ]
        files += [
            (dumped({"accuracy (2 runs average)": 75.0, "details": runs}), f"results/{model}/gsm8k.json"),
            (
                dumped(
                    {"score": 1.0, "details": {"type": "PPL", "0": {"pred": "x", "is_correct": not first}}}
                ),
                f"results/{model}/bbh.json",
            ),
        ]
    scores = read_scores(files)
    assert board(files) == {
        "tern": {"0_7": 0.5, "0_8": 1, "0": 0},
        "heron": {"0_7": 0, "0_8": 1, "0": 1},
    }
    assert scores.metric == "correct"
    silent = dumped(
        {"accuracy": 5.0, "details": {"type": "GEN", "0": {"predictions": "x", "references": "y"}}}
    )
    refused([(silent, "results/a/x.json"), (silent, "results/b/x.json")], "hold predictions, and no verdict")


def test_opencompass_summary() -> None:
    lines = [
        "dataset,version,metric,mode,tern,heron",
        "--------- Exam ---------,-,-,-,-,-",
        "ceval,1f,accuracy,gen,50.25,-",
        "mmlu,-,naive_average,gen,60.00,61.00",
        "gsm8k,2e,accuracy,gen,70.00,71.50",
    ]
    expected = {"tern": {"ceval": 50.25, "gsm8k": 70}, "heron": {"ceval": None, "gsm8k": 71.5}}
    assert board([("\n".join(lines).encode(), "summary.csv")]) == expected
    table = ["20240501", "csv format", "^^^", *lines, "$$$", "", "markdown format", "| dataset | x |"]
    assert board([("\n".join(table).encode(), "summary.txt")]) == expected
    piped = ["| " + " | ".join(line.split(",")) + " |" for line in lines]
    piped.insert(1, "|-----" * 6 + "|")
    assert board([("\n".join(piped).encode(), "summary.md")]) == expected
    refused(
        [("\n".join(lines).replace("70.00", "x").encode(), "summary.csv")],
        "the score of 'tern' is 'x', not a number",
    )


def foo(provider: Any, question: str, score: Any, **more: Any) -> dict[str, Any]:
    entry = {
        "prompt": {"raw": f"Say {question}", "label": "Say {{question}}"},
        "promptIdx": 0,
        "vars": {"question": question},
    }
    return {
        "provider": provider,
        **entry,
        "success": score == 1,
        "score": score,
        "namedScores": {"tone": 0.5},
        "latencyMs": 9,
    } | more


def test_promptfoo_repeats_errors_and_prompts() -> None:
    results = [
        foo({"id": "gpt", "label": ""}, "2+2", 1, testIdx=0),
        foo({"id": "x", "label": "pi"}, "2+2", 0.5, testIdx=0),
        foo({"id": "gpt"}, "é, ü", 0, testIdx=1),
        foo({"id": "x", "label": "pi"}, "é, ü", 0, testIdx=1, failureReason=2),
        foo({"id": "gpt"}, "2+2", 0, testIdx=2),  # the same test again
    ]
    file = dumped({"evalId": "e", "results": {"version": 3, "results": results, "stats": {}}, "config": {}})
    assert board([(file, "out.json")]) == {"gpt": {"0": 0.5, "1": 0}, "pi": {"0": 0.5, "1": None}}
    assert board([(file, "out.json")], metric="tone")["gpt"] == {"0": 0.5, "1": 0.5}
    older = dumped({"version": 2, "results": results[:4], "table": {}, "stats": {}})
    assert board([(older, "out.json")])["gpt"] == {"0": 1, "1": 0}
    assert board([(lines_of(results[:4]), "out.jsonl")])["pi"] == {"0": 0.5, "1": None}
    labels = enumerate(["Be short", "Be\nlong"])
    prompts = [
        foo("gpt", question, i, testIdx=j, prompt={"label": label}, promptIdx=i)
        for i, label in labels
        for j, question in enumerate(["2+2", "3+3"])
    ]
    file = dumped({"evalId": "e", "results": {"results": prompts}})
    assert board([(file, "out.json")]) == {
        "gpt | Be short": {"0": 0, "1": 0},
        "gpt | prompt 2": {"0": 1, "1": 1},
    }
    broken = dumped({"evalId": "e", "results": {"results": [foo("gpt", "2+2", "high", testIdx=0)]}})
    refused([(broken, "out.json")], "'score' of test '0' is 'high', which is not a finite number")


def test_mt_bench_turns_and_judges() -> None:
    def grade(model: str, question: int, turn: int, score: Any, judge: str = "gpt-4") -> dict[str, Any]:
        return {
            "question_id": question,
            "model": model,
            "judge": [judge, "single-v1"],
            "judgment": "…",
            "score": score,
            "turn": turn,
            "tstamp": 1.5e9 + question,
        }

    records = [
        grade("gpt", 81, 1, 8),
        grade("gpt", 81, 2, -1),
        grade("pi", 81, 1, 6.5),
        grade("pi", 81, 2, 7),
    ]
    expected = {"gpt": {"81:1": 8, "81:2": None}, "pi": {"81:1": 6.5, "81:2": 7}}
    assert board([(lines_of(records), "gpt-4_single.jsonl")]) == expected
    assert board([(lines_of(records[:2]), "a.jsonl"), (lines_of(records[2:]), "b.jsonl")]) == expected
    assert board([(lines_of([one]), f"{place}.jsonl") for place, one in enumerate(records)]) == expected
    twice = [*records, grade("gpt", 81, 1, 4, "judge-2")]
    assert board([(lines_of(twice), "x.jsonl")])["gpt"]["81:1"] == 6
    pair = {
        "question_id": 81,
        "model_1": "gpt",
        "model_2": "pi",
        "g1_winner": "tie",
        "g2_winner": "model_1",
        "turn": 1,
        "tstamp": 1.0,
    }
    refused(
        [(lines_of([pair, pair]), "gpt-4_pair.jsonl")],
        "verdicts on pairs of answers, not scores of single ones",
    )
    refused([(lines_of([grade("gpt", 81, 1, "good"), records[1]]), "x.jsonl")], "line 1: the score is 'good'")


def test_vlmevalkit() -> None:
    head = "index,question,A,B,answer,prediction,split,hit\n"
    one = head + '7,"What, who?",a,b,A,A,dev,1\n8,Where?,a,b,B,A,dev,0\n'
    two = head + '8,Where?,a,b,B,A,dev,1\n9,"Said ""no""",a,b,B,A,dev,0\n'
    files = [(one.encode(), "gpt-4o_MMBench_DEV_result.csv"), (two.encode(), "pi_MMBench_DEV_result.csv")]
    assert board(files) == {"gpt-4o": {"7": 1, "8": 0, "9": None}, "pi": {"7": None, "8": 1, "9": 0}}
    totals = b"split,Overall,ocr\ndev,0.5,0.25\ntest,0.5,0.75\n"
    refused([(totals, "gpt_acc.csv"), (totals, "pi_acc.csv")], ONE_SCORE)
    refused(
        [(one.replace(",1\n", ",yes?\n").encode(), files[0][1]), files[1]],
        "column 'hit': 'yes\\?' isn't a number",
    )


def test_vlmevalkit_as_workbooks() -> None:
    import xlsxwriter

    files = []
    for model, hits in (("Qwen2-VL", (1, 0, 1)), ("InternVL2", (0, 0, 1))):
        target = io.BytesIO()
        book = xlsxwriter.Workbook(target, {"in_memory": True})
        sheet = book.add_worksheet()
        sheet.write_row(
            0, 0, ["index", "question", "A", "B", "answer", "prediction", "category", "hit", "log"]
        )
        for row, hit in enumerate(hits, 1):
            sheet.write_row(row, 0, [row + 10, "What, who?", "a", "b", "A", "B", "ocr", hit, "Prefetch"])
        book.close()
        files.append((target.getvalue(), f"{model}/{model}_MMBench_DEV_EN_openai_result.xlsx"))
    assert board(files) == {
        "Qwen2-VL": {"11": 1, "12": 0, "13": 1},
        "InternVL2": {"11": 0, "12": 0, "13": 1},
    }


def test_ragas() -> None:
    head = "user_input,retrieved_contexts,response,reference,faithfulness,context_recall,token_count\n"
    one = (
        head + '"Who, when?","[\'a, b\']","Ada,\nof course",Ada,0.5,1.0,12\nWhere?,[],London,London,,0.0,7\n'
    )
    two = head + '"Who, when?",[],Bob,Ada,1.0,0.5,3\nWhere?,[],Paris,London,0.25,,2\n'
    files = [(one.encode(), "dense.csv"), (two.encode(), "hybrid.csv")]
    assert board(files) == {"dense": {"1": 0.5, "2": None}, "hybrid": {"1": 1, "2": 0.25}}
    assert board(files, metric="context_recall")["hybrid"] == {"1": 0.5, "2": None}
    fewer = (head + "Where?,[],Paris,London,0.75,,2\n").encode()
    assert board([files[0], (fewer, "small.csv")]) == {
        "dense": {"Who, when?": 0.5, "Where?": None},
        "small": {"Who, when?": None, "Where?": 0.75},
    }


def test_what_lies_beside_is_passed_over_with_a_note() -> None:
    files = [
        (dumped(inspect_log(model, [(1, 1, "C"), (2, 1, grade)])), f"{model}/log.json")
        for model, grade in ("gC", "pI")
    ]
    beside = [
        (b"started at 10:00, using 2 workers\nfinished\n", "logs/run.out"),
        (b"# About", "README.md"),
        (dumped({"seed": 7, "limit": None}), "config.json"),
    ]
    scores = read_scores([*files, *beside])
    assert cells(scores) == {"g": {"1": 1, "2": 1}, "p": {"1": 1, "2": 0}}
    text = " ".join(note.text for note in scores.notes)
    assert "run.out" in text
    assert "config.json" in text


@pytest.mark.parametrize("place", [0, 1])
def test_broken_json_is_one_sentence_about_its_own_file(place: int) -> None:
    log = dumped(inspect_log("gpt", [(1, 1, "C")]))
    files = [(log, "x.json"), (log, "y.json")]
    files[place] = (log[:-30], files[place][1])
    refused(files, f"^'{files[place][1]}': line 1, column .* is not valid JSON")
