"""The Judges page: what it needs, the corrected board, who moves, checks of the labels, the report."""

from __future__ import annotations

import numpy as np
from ui.driver import finished, go, score_file, unfold, upload, words

import nlpstat_core as ns
from nlpstat_core.report.wording.judge import headline


def judged_file(human: str = "ESA", *, odd: bool = False) -> bytes:
    """Four systems, 120 items of which 40 are labelled, and a judge that favours the last two systems.

    odd: Whether the labelled items are those the judge likes best.
    """
    rng = np.random.default_rng(3)
    truth = np.array([1.5, 1.0, 0.0, -0.5])
    people = truth + rng.normal(size=(120, 1)) + rng.normal(size=(120, 4)) / 2
    judge = people + rng.normal(size=people.shape) / 2 + np.array([0, 0, 3, 3])
    order = np.argsort(-judge.mean(axis=1)) if odd else rng.permutation(120)
    labelled = np.isin(np.arange(120), order[:40])
    rows = [f"item,system,topic,{human},GEMBA"]
    for i in range(120):
        topic = "news" if i % 3 else "chat"
        for k in range(4):
            given = f"{people[i, k]:.2f}" if labelled[i] else ""
            rows.append(f"{i},sys{k},{topic},{given},{judge[i, k]:.2f}")
    return "\n".join(rows).encode()


def test_one_metric_is_not_enough(app) -> None:
    upload(app, score_file(3))
    go(app, "judges")
    assert not app.exception
    assert "have one metric only" in words(app)
    assert "drawn at random" in words(app)


def test_a_judge_that_favours_a_family_is_put_right(app) -> None:
    data = judged_file()
    upload(app, data)
    finished(go(app, "judges"))
    assert not app.exception
    text = words(app)
    found = ns.judge(ns.read_boards((data, "scores.csv"), each="metric"), "ESA", "GEMBA")
    assert headline(found).replace("'", "") in text.replace("'", "")
    assert "'sys0' is better than every other system" in text
    assert "'sys2': rank 1 by the judge alone, 3 corrected. Compared with people, the judge gives it" in text
    assert "gives more points to 'sys2', 'sys3'" in text
    assert "None of 6 checks finds" in text
    assert len(app.get("plotly_chart")) == 5
    boards = [frame.value for frame in app.dataframe if "Rank by judge" in frame.value.columns]
    assert list(boards[0]["System"]) == ["sys0", "sys1", "sys2", "sys3"]
    assert list(boards[0]["Rank by judge"]) == found.rank_judge[found.order].tolist()
    frames = [frame.value for frame in unfold(app).dataframe]
    assert not app.exception
    topics = next(frame for frame in frames if "Share" in frame.columns)
    assert list(topics["Value"]) == ["chat", "news"]
    assert int(topics["Labelled"].sum()) == 40
    command = next(code.value for code in app.code if code.value.startswith("nlpstat judge"))
    assert command.startswith("nlpstat judge scores.csv --human ESA --judge GEMBA --correction holm")


def test_labels_of_the_best_items_are_told(app) -> None:
    upload(app, judged_file(odd=True))
    finished(go(app, "judges"))
    assert not app.exception
    assert "the labelled items differ from the others" in words(app)
    assert "don't look like a random part" in words(app)


def test_people_judge_and_documents_are_chosen(app) -> None:
    upload(app, judged_file("points"))
    finished(go(app, "judges"))
    assert "No metric's name says that people gave it" in words(app)
    assert not app.get("plotly_chart")
    finished(app.selectbox(key="metrics human").set_value("points").run())
    assert not app.exception
    assert "is better than every other system" in words(app)
    finished(app.selectbox(key="metrics human").set_value("GEMBA").run())
    assert not app.exception
    assert "'points' has no score of 'sys0'" in words(app)
    finished(app.selectbox(key="metrics human").set_value("points").run())
    finished(app.selectbox(key="judges documents topic").set_value("topic").run())
    assert not app.exception
    assert "are from 2 values of 'topic'; at least 3 are needed" in words(app)


def test_a_judge_of_verdicts_has_its_errors(app) -> None:
    rng = np.random.default_rng(2)
    rows = ["item,system,human,GPT,length"]
    for i in range(90):
        for k in range(3):
            truth = rng.random() < 0.7 - k / 5
            given = int(truth) if i % 3 == 0 else ""
            rows.append(f"{i},s{k},{given},{int(truth ^ (rng.random() < 0.15))},{rng.integers(20, 99)}")
    upload(app, "\n".join(rows).encode())
    finished(go(app, "judges"))
    assert not app.exception
    text = words(app)
    assert "Over all systems the judge gives 0 to" in text
    assert "isn't found to favour 'length'" in text
    frames = [frame.value for frame in app.dataframe]
    verdicts = next(frame for frame in frames if "Sensitivity" in frame.columns)
    assert verdicts[["1 and 1", "1 and 0", "0 and 1", "0 and 0"]].to_numpy().sum() == 90
    assert len(app.get("plotly_chart")) == 6


def test_errors_hold_for_other_raters_on_request(app) -> None:
    rng = np.random.default_rng(4)
    rows = ["item,system,rater,ESA,GEMBA"]
    for i in range(60):
        for k in range(3):
            judged = rng.normal() + k
            for place in range(4 if i % 3 == 0 else 1):
                given = f"{judged + place + rng.normal():.2f}" if i % 3 == 0 else ""
                rows.append(f"{i},s{k},{'abcd'[place] if given else ''},{given},{judged:.2f}")
    upload(app, "\n".join(rows).encode())
    finished(go(app, "judges"))
    assert not app.exception
    assert "unless 'rater' is named as raters" in words(app)
    for way, flags in (("others", "--rater rater"), ("standardised", "--rater rater --standardise-raters")):
        finished(app.selectbox(key="judges raters rater").set_value(way).run())
        assert not app.exception
        assert "Standard errors generalise to other raters like these 4" in words(app)
        raters = next(frame.value for frame in app.dataframe if "Beside the others" in frame.value.columns)
        assert len(raters) == 4
        command = next(code.value for code in app.code if code.value.startswith("nlpstat judge"))
        assert command.endswith(flags)


def test_a_plan_is_drawn_and_its_file_loaded_again(app) -> None:
    upload(app, judged_file())
    finished(go(app, "judges"))
    finished(app.number_input(key="judges labels").set_value(60).run())
    assert not app.exception
    strata = next(frame.value for frame in app.dataframe if "To label" in frame.value.columns)
    assert strata["To label"].sum() == 60
    assert strata["Labelled"].sum() == 40
    assert len(strata) == 4
    finished(app.number_input(key="judges labels").set_value(500).run())
    assert "80 items have none yet" in words(app)
    rng = np.random.default_rng(0)
    rows = ["item,system,stratum,label_next,human,GPT"]
    for i in range(100):
        for k in range(3):
            chosen = i % 4 == 0 if i < 60 else i % 2 == 0
            given = f"{rng.normal() + k:.2f}" if chosen else ""
            rows.append(
                f"{i},s{k},stratum {1 + (i >= 60)},{'yes' if chosen else 'no'},{given},{rng.normal() + k:.2f}"
            )
    go(app, "scores")
    upload(app, "\n".join(rows).encode())
    finished(go(app, "judges"))
    assert not app.exception
    assert app.selectbox(key="judges strata stratum, label_next").value == "stratum"
    command = next(code.value for code in app.code if code.value.startswith("nlpstat judge"))
    assert "--strata stratum" in command


def test_the_report_has_a_section(app) -> None:
    upload(app, judged_file())
    go(app, "report")
    finished(app.pills(key="report sections").set_value(["judge"]).run())
    assert not app.exception
    text = words(app)
    assert "A judge corrected by people" in text
    methods = next(code.value for code in app.code if "prediction-powered means" in code.value)
    assert "40 labels" in methods
    assert "is better than every other system" in methods


def test_ratings_in_words_are_named_where_a_metric_is_missing(app) -> None:
    rows = ["item,system,human,GEMBA"]
    for i in range(40):
        rows += [f"{i},s{k},{['bad', 'good'][(i + k) % 2] if i < 20 else ''},{i % 7 + k}" for k in range(2)]
    upload(app, "\n".join(rows).encode())
    go(app, "judges")
    assert not app.exception
    assert "'human' holds 'bad', 'good': if these are ratings" in " ".join(one.value for one in app.info)


def test_documents_are_proposed_however_many_there_are(app) -> None:
    rng = np.random.default_rng(5)
    rows = ["item,system,doc,human,GEMBA"]
    for i in range(240):
        for k in range(3):
            given = f"{rng.normal() + k:.2f}" if i % 3 == 0 else ""
            rows.append(f"{i},s{k},d{i // 2},{given},{rng.normal() + k:.2f}")
    upload(app, "\n".join(rows).encode())
    finished(go(app, "judges"))
    assert app.selectbox(key="judges documents doc").value == "doc"
    assert "--documents doc" in " ".join(one.value for one in app.code)
