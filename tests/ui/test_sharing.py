"""Links: settings and pair, never scores; opened without data they wait for the file."""

from __future__ import annotations

from urllib.parse import parse_qsl

from ui.driver import finished, go, open_app, score_file, upload, words

from nlpstat_core.config import AnalysisConfig


def link_of(at) -> list[tuple[str, str]]:
    """Names and values behind the question mark of the link in the sidebar."""
    return parse_qsl(at.sidebar.code[0].value.partition("?")[2])


def test_a_link_has_what_is_not_at_its_default_and_no_scores(app) -> None:
    assert link_of(app) == []
    upload(app, score_file(3))
    finished(app.selectbox(key="test").set_value("sign").run())
    app.number_input(key="unit_size").set_value(3).run()
    finished(app.multiselect(key="effects").set_value(["hedges-g", "cohen-d"]).run())
    found = link_of(app)
    assert found[:2] == [("test", "Sign test"), ("effects", "Hedges' g")]
    assert [name for name, _ in found] == ["test", "effects", "effects", "unit_size", "data"]
    assert len(found[-1][1]) == 12


def test_a_link_sets_the_same_again_once_there_are_data(app) -> None:
    upload(app, score_file(3))
    for key, value in (
        ("test", "t"),
        ("baseline", "sys001"),
        ("alternative", "less"),
        ("missing", "complete"),
    ):
        finished(app.selectbox(key=key).set_value(value).run())
    app.number_input(key="confidence_level").set_value(0.9).run()
    app.checkbox(key="continuity").check().run()
    finished(app.multiselect(key="intervals").set_value(["estimate", "hodges-lehmann"]).run())
    finished(app.number_input(key="skewness_high").set_value(2.5).run())
    query = link_of(app)

    other = open_app("leaderboard", **{name: values_of(query, name) for name, _ in query})
    assert "load the same score file" in words_everywhere(other)
    assert other.selectbox(key="baseline").value is None
    go(other, "scores")
    upload(other, score_file(3))
    assert not other.exception
    assert link_of(other) == query
    assert other.selectbox(key="baseline").value == "sys001"
    assert "Against sys001" in words(other)


def values_of(query: list[tuple[str, str]], name: str):
    values = [value for key, value in query if key == name]
    return values if len(values) > 1 else values[0]


def words_everywhere(at) -> str:
    return "\n".join(str(item.value) for kind in ("info", "caption") for item in at.get(kind))


def test_a_pair_in_a_link_opens_once_its_data_are_there(app) -> None:
    at = open_app("pair", a="sys002", b="sys000", data="000000000000")
    assert "sys002 and sys000" in words_everywhere(at)
    go(at, "scores")
    upload(at, score_file(4))
    assert "made for other scores" in words_everywhere(at)
    go(at, "pair")
    assert (at.selectbox(key="a").value, at.selectbox(key="b").value) == ("sys002", "sys000")


def test_the_right_data_lead_on_to_the_pair(app) -> None:
    upload(app, score_file(4))
    go(app, "pair")
    popover = next(code.value for code in app.main.code if "a=" in code.value)
    query = dict(parse_qsl(popover.partition("?")[2]))
    assert set(query) == {"a", "b", "data"}
    at = open_app("pair", **query)
    go(at, "scores")
    upload(at, score_file(4))
    links = [link.proto.label for link in at.sidebar.get("page_link")]
    assert any("The pair of the link" in label for label in links)


def test_names_of_a_link_that_no_data_have_change_nothing(app) -> None:
    at = open_app("leaderboard", baseline="Nobody", test="No such test", alpha="nonsense")
    assert not at.exception
    go(at, "scores")
    upload(at, score_file(3))
    assert not at.exception
    assert at.selectbox(key="test").value == AnalysisConfig().test
    assert "of 3 pairs are found to differ" in words(at)
