"""Records of settings: what they promise is what AnalysisConfig does."""

from dataclasses import fields, replace
from typing import get_args, get_type_hints

import pytest
from core.added import trim
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpstat_core.config import SETTINGS, AnalysisConfig
from nlpstat_core.errors import ConfigError
from nlpstat_core.settings import Group, Kind, settings_of

ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from([choice for record in SETTINGS.values() for choice in record.choices]),
    st.lists(st.text(max_size=5) | st.floats(), max_size=3),
    st.tuples(st.floats(), st.floats()),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=1),
)


def test_records_are_whole():
    hints = get_type_hints(AnalysisConfig)
    assert list(SETTINGS) == [item.name for item in fields(AnalysisConfig)]
    for name, record in SETTINGS.items():
        assert (record.name, record.default) == (name, getattr(AnalysisConfig(), name))
        assert record.kind in get_args(Kind)
        assert record.group in get_args(Group)
        assert record.label
        assert record.help
        if record.kind == "choice" and record.catalogue is None:
            assert get_args(hints[name]) == record.choices, "the values of its Literal"
        assert (hints[name] is bool) == (record.kind == "flag")
        assert record.kind != "flag" or record.default is False, "its option can only switch it on"
    labels = [label for record in SETTINGS.values() for label in record.labels.values()]
    assert len(set(labels)) == len(labels)
    former = [name for record in SETTINGS.values() for name in record.formerly]
    assert not {*former} & {*SETTINGS}
    assert len(set(former)) == len(former)


@settings(max_examples=400)
@given(name=st.sampled_from(list(SETTINGS)), value=ANYTHING)
def test_a_value_is_kept_for_good_or_refused_by_name(name, value):
    record, refused = SETTINGS[name], ""
    try:
        kept = getattr(AnalysisConfig.from_mapping({name: value}), name)
    except ConfigError as error:
        refused = str(error)
    if refused:
        named = name if record.catalogue is None else record.catalogue.kind
        fits_no_test = f"correction {value} can't be used with test"
        assert any(words in refused for words in (name, named, fits_no_test))
        return
    assert record.checked(kept) == kept
    assert getattr(replace(AnalysisConfig(), **{name: kept}), name) == kept
    for one in kept if record.kind == "choices" else [] if record.parts else [kept]:
        assert isinstance(record.text(one), str)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_lies_between_its_bounds(number):
    """trim: above 0 and below 0.5."""
    if 1e-100 <= number < 0.5:
        assert trim.AnalysisConfig(trim=number).trim == number
        return
    with pytest.raises(ConfigError, match=r"trim must be (above 0 and below 0\.5|a number between)"):
        trim.AnalysisConfig(trim=number)


def test_values_are_told_as_people_read_them():
    assert SETTINGS["test"].text("recommended") == "Recommended"
    assert SETTINGS["test"].text("wilcoxon") == "Wilcoxon signed-rank test"
    assert SETTINGS["intervals"].text("estimate") == "What the test is about"
    assert SETTINGS["continuity"].text(True) == "true"
    assert [SETTINGS["block_column"].text(value) for value in (None, "auto", "doc")] == [
        "none",
        "auto",
        "doc",
    ]
    assert [SETTINGS["block_column"].says_none(value) for value in (None, "None", "doc")] == [
        True,
        True,
        False,
    ]
    assert not SETTINGS["baseline"].says_none("none")  # a system may be called so


def test_one_setting_more_leaves_the_others_alone():
    assert list(settings_of(trim.AnalysisConfig)) == [*SETTINGS, "trim"]
    assert "trim" not in SETTINGS
    with pytest.raises(ConfigError, match="Unknown setting 'trim'"):
        AnalysisConfig.from_mapping({"trim": 0.1})
    assert trim.AnalysisConfig.from_mapping({"trim": "0.1"}).trim == 0.1
