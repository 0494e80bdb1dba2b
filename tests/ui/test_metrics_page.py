"""The Metrics page: what it needs, the human metric guessed and told, the answer and its parts."""

from __future__ import annotations

import time

import numpy as np
import pytest
from ui.driver import finished, go, score_file, unfold, upload, words

from nlpstat_core.analysis.meta_evaluation import meta_evaluate
from nlpstat_core.methods.correlation.system_statistics import SYSTEM_STATISTICS
from nlpstat_core.readers import read_boards
from nlpstat_core.report.wording.metrics import LABELS
from tests.ui import deeds


def judged_file(human: str = "MQM") -> bytes:
    """Four systems, 40 items, a metric near people and one far from them."""
    rng = np.random.default_rng(3)
    rows = [f"item,system,{human},near,far"]
    for i in range(40):
        for k, system in enumerate(("sysA", "sysB", "sysC", "sysD")):
            score = -3 + k / 2 + rng.normal()
            rows.append(f"{i},{system},{min(score, 0):.1f},{score + rng.normal() / 4:.2f},{rng.normal():.2f}")
    return "\n".join(rows).encode()


def test_one_metric_is_not_enough(app) -> None:
    upload(app, score_file(3))
    go(app, "metrics")
    assert not app.exception
    assert "have one metric only" in words(app)
    assert "one of them given by people" in words(app)


def test_the_answer_and_its_parts(app) -> None:
    upload(app, judged_file())
    finished(go(app, "metrics"))
    assert not app.exception
    text = words(app)
    assert "'near' agrees best with people" in text
    assert "the name of 'MQM' says MQM" in text
    assert len(app.get("plotly_chart")) == 3
    frames = [frame.value for frame in unfold(app).dataframe]
    systems = next(frame for frame in frames if "People" in frame.columns)
    assert list(systems.index) == ["sysA", "sysB", "sysC", "sysD"]
    assert any(list(frame.columns) == list(frame.index) == ["near", "far"] for frame in frames)
    for statistic in ("segment-kendall", "acc-eq"):
        finished(app.selectbox(key="metrics statistic").set_value(statistic).run())
        assert not app.exception
    finished(app.segmented_control(key="metrics exchange").set_value("systems").run())
    assert not app.exception


def test_agreement_on_systems_stands_there_while_the_rest_is_computed(app, monkeypatch) -> None:
    monkeypatch.setattr("dashboard.background.upload_tasks.judged_metrics", deeds.never_judged)
    upload(app, judged_file())
    app.switch_page("../pages/metrics.py").run()
    for _ in range(100):
        if "So far: " in words(app):
            break
        time.sleep(0.2)
        app.run()
    assert not app.exception
    (known,) = [frame.value for frame in app.dataframe]
    found = meta_evaluate(read_boards((judged_file(), "scores.csv"), each="metric"), resamples=1)
    assert sorted(known["Metric"]) == sorted(found.metrics)
    for name in SYSTEM_STATISTICS:
        whole = dict(zip(found.metrics, found.values(name), strict=True))
        assert known.set_index("Metric")[LABELS[name]].to_dict() == pytest.approx(whole, nan_ok=True)


def test_the_human_metric_is_asked_for(app) -> None:
    upload(app, judged_file("points"))
    finished(go(app, "metrics"))
    assert "No metric's name says that people gave it" in words(app)
    assert not app.get("plotly_chart")
    finished(app.selectbox(key="metrics human").set_value("points").run())
    assert not app.exception
    assert "agrees best with people" in words(app)


def test_directions_are_shown_and_changed(app) -> None:
    rows = ["system,item,human,TER,far"]
    rng = np.random.default_rng(4)
    for i in range(30):
        for k in range(4):
            score = k + rng.normal()
            rows.append(f"s{k},{i},{score:.1f},{score + rng.normal() / 4:.2f},{rng.normal():.2f}")
    upload(app, "\n".join(rows).encode())
    finished(go(app, "metrics"))
    assert app.multiselect(key="metrics lower").value == ["TER"]
    assert "'TER' goes against people" in words(app)
    finished(app.multiselect(key="metrics lower").set_value([]).run())
    assert not app.exception
    assert "'TER' agrees best with people" in words(app)
    assert app.multiselect(key="metrics lower").value == []
