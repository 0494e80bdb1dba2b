"""HELM: per_instance_stats.json or display_predictions.json of each run, named by run_spec.json."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import distinct, path_names
from nlpstat_core.readers.tools.values import ONE_SCORE, has, inside, mapping, name, number, records, text_in

STATS, PREDICTIONS, SPEC = "per_instance_stats", "display_predictions", "run_spec"
_MODEL = re.compile(r",?model=(?P<model>[^,/]+)")
# What HELM counts and measures beside the quality of an answer.
_NO_METRIC = re.compile(
    r"num_|finish_reason_|training_|inference_|batch_size|prompt_truncated|predicted_index|max_prob"
    r"|.*(?:_cost|_runtime|_tokens|_time)$|prompt_length|logprob|logprob_per_byte"
)
_USUAL = ("exact_match", "quasi_exact_match", "quasi_prefix_exact_match", "prefix_exact_match", "f1_score")
EXAMPLE = """[{"instance_id": "id7", "train_trial_index": 0, "stats": [
   {"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": 1, "mean": 1.0},
   {"name": {"name": "num_prompt_tokens", "split": "test"}, "count": 1, "sum": 411, "mean": 411.0}]}]
"""


def _recognises(source: Source) -> str | None:
    """Stats by instance, the run's description, or its aggregated stats."""
    kind = _kind(source)
    return None if kind is None else f"{kind} of a HELM run"


def _kind(source: Source) -> str | None:
    if source.kind != "json":
        return None
    if has(source, "instance_id", "stats", "train_trial_index"):
        return PREDICTIONS if has(source, "predicted_text") else STATS
    if has(source, "scenario_spec", "adapter_spec"):
        return SPEC
    return "aggregated stats" if has(source, "sum_squared", "name") else None


def _tables(sources: Sequence[Source]) -> Tidy:
    kinds = {source.path: _kind(source) for source in sources}
    specs = {one.folder: mapping(one.json, "run_spec.json") for one in sources if kinds[one.path] == SPEC}
    stats = [source for source in sources if kinds[source.path] == STATS]
    folders = {source.folder for source in stats}
    stats += [one for one in sources if kinds[one.path] == PREDICTIONS and one.folder not in folders]
    if not stats:
        raise ScoreFileError(f"{ONE_SCORE} (per_instance_stats.json of HELM).")
    rows = Rows({"system": Role.SYSTEM, "instance": Role.UNIT, "trial": Role.RUN, "dataset": Role.DATASET})
    for (system, scenario), source in zip(_runs(stats, specs), stats, strict=True):
        board: dict[tuple[str, str], dict[str, float | None]] = {}
        for unit, trial, scores in _instances(source):
            board.setdefault((unit, trial), {}).update(scores)
        for (unit, trial), scores in board.items():
            rows.add((system, unit, trial, scenario), scores)
    return rows.tidy("instances of HELM", _default(rows, specs))


def _runs(stats: Sequence[Source], specs: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Model and scenario of each run, from its description or the name of its folder."""
    found = []
    folders = [source.folder for source in stats]
    alone = len(set(folders)) == len(folders)
    short = path_names(folders if alone else [source.path.rpartition(".")[0] for source in stats])
    for place, source in enumerate(stats):
        spec = specs.get(source.folder, {})
        name = spec.get("name")
        run = name if isinstance(name, str) else source.folder.rpartition("/")[2]
        in_name = _MODEL.search(run)
        system = text_in(spec, "adapter_spec", "model").strip()
        system = system or (in_name["model"] if in_name else short[place] or source.stem)
        found.append((system, _MODEL.sub("", run) if in_name else ""))
    if len(set(found)) == len(found):
        return found
    systems = distinct([f"{system}\0{scenario}" for system, scenario in found], short)
    return [(full.replace(f"\0{run}", ""), run) for full, (_, run) in zip(systems, found, strict=True)]


def _instances(source: Source) -> Iterator[tuple[str, str, dict[str, float | None]]]:
    """Instance, trial and scores; stats of perturbed inputs are metrics of their own."""
    for entry in records(source.json, source.name):
        unit = name(entry.get("instance_id"), "'instance_id'")
        trial = name(entry.get("train_trial_index", 0), f"'train_trial_index' of {shown(unit)}")
        kind = inside(entry, "perturbation", "name")
        scores: dict[str, float | None] = {}
        for metric, value in _stats(entry.get("stats"), unit):
            if not _NO_METRIC.match(metric):
                named = f"{metric} ({kind})" if kind else metric
                scores[named] = number(value, f"{shown(metric)} of {shown(unit)}")
        yield unit, trial, scores


def _stats(stats: Any, unit: str) -> Iterator[tuple[str, Any]]:
    if isinstance(stats, dict):
        yield from stats.items()
        return
    for stat in records(stats, f"the stats of {shown(unit)}"):
        named = mapping(stat.get("name"), f"the name of a stat of {shown(unit)}")
        metric = name(named.get("name"), "a metric")
        value = stat.get("mean", stat.get("sum"))
        yield metric, value if stat.get("count", 1) else None


def _default(rows: Rows, specs: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The first metric that the runs ask for, else the usual one."""
    there = dict.fromkeys(metric for scores in rows.scores for metric in scores)
    asked: list[object] = []
    for spec in specs.values():
        metrics = spec.get("metric_specs")
        for one in metrics if isinstance(metrics, list) else ():
            named = inside(one, "args", "names")
            asked += named if isinstance(named, list) else []
    return next((metric for metric in [*asked, *_USUAL] if isinstance(metric, str) and metric in there), None)


HELM = Tool(
    key="helm",
    label="HELM: per_instance_stats.json with run_spec.json",
    example=EXAMPLE,
    documented="https://crfm-helm.readthedocs.io",
    description=(
        "System: the model of the run. Item: the instance. Run: train_trial_index. Data set: the scenario. "
        "Score: each metric; counts of tokens, run times and costs are none."
    ),
    recognises=_recognises,
    tables=_tables,
)
