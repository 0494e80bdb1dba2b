"""Settings from a file: replay.json, analysis.json or NLPStatTest's YAML; a bad one changes nothing."""

import streamlit as st

from dashboard.background import settings_file
from dashboard.server.privacy import forget_uploads, given_files
from dashboard.session.reading import SETTING, Pending, begin, draw_waiting, settled
from dashboard.session.settings import adopt
from dashboard.session.state import NAMING, names_not_there, session
from dashboard.session.submissions import use_choices
from dashboard.session.uploads import read
from dashboard.text import in_app, markdown
from nlpstat_core.errors import shown

FIELD = "settings file"
MOST_MEGABYTES = 8
SECONDS = 30  # that reading a settings file may take


def draw_replay() -> None:
    """The field that takes a settings file, folded away, and what came of it."""
    here = session()
    key = f"{FIELD} {here.uploader}"
    # In a popover, so that the first upload field in the browser's page stays the one for scores.
    with st.popover("Load settings …", width="stretch"):
        st.file_uploader(
            "Settings file: replay.json, analysis.json, or NLPStatTest's YAML",
            key=key,
            type=["json", "yml", "yaml"],
            on_change=take_replay,
            args=(key,),
            max_upload_size=MOST_MEGABYTES,
        )
    if here.setting is not None:
        draw_waiting(here.setting.job, SETTING, f"Reading {markdown(here.setting.file[1])}")
    if here.settings_problem is not None:
        st.error(f"These settings can't be used. {markdown(here.settings_problem)}")
    if lines := _notes(here.settings_notes):
        st.caption("  \n".join(markdown(line) for line in lines))


def _notes(notes: tuple[str, ...]) -> tuple[str, ...]:
    """What became of the settings: the first line says at once what of them these scores don't have."""
    wanted, absent = session().wanted, names_not_there()
    missing = [f"the {NAMING[key].kind} {shown(wanted[key])}" for key in absent if key in NAMING]
    if not missing or not notes:
        return notes
    without = f"without {' and '.join(missing)}, which these scores don't have."
    return (f"{notes[0].removesuffix('.')} {without}", *notes[1:])


def take_replay(key: str) -> None:
    """Use the settings of the file in the field, which is emptied; called when the field changes."""
    files = given_files(st.session_state.get(key))
    if not files:
        return
    here, uploaded = session(), files[0]
    data = uploaded.getvalue()
    forget_uploads(files)
    here.uploader += 1
    file = (data, str(uploaded.name))
    here.setting = Pending(file, {}, begin(SETTING, settings_file.found_in, file, {}, SECONDS))
    settle_settings()


def settle_settings() -> None:
    """Use what a settings file was found to hold meanwhile; called before anything of a page is drawn."""
    here = session()
    pending = here.setting
    if pending is None or not pending.job.ended:
        return
    here.setting = None
    found, problem = settled(pending, SETTING)
    if problem is not None:
        here.settings_problem, here.settings_notes = str(problem), ()
    elif found is not None:
        config, reading, notes = found
        here.settings_problem = None
        here.settings_notes = (f"Settings of {pending.file[1]} are in use.", *notes)
        _read_again(reading)
        adopt(config)


def _read_again(reading: dict[str, object]) -> None:
    """Use the reading choices on the data that are there, or keep them for the next file."""
    here = session()
    if reading.get("format") == settings_file.SUBMISSIONS:
        told = {name: value for name, value in reading.items() if name != "format"}
        here.settings_notes += (use_choices(told),)
        return
    if here.scores is None or here.raw is None:
        here.reading = reading
        return
    now = here.scores.reading
    if all(key in now and now[key] == value for key, value in reading.items()):
        return
    before = here.problem, here.refused, here.refused_choices, here.asked, here.spent
    name = here.raw[1]

    def after(done: bool) -> None:
        here = session()
        if done:
            here.settings_notes += (f"{name} was read again with its reading choices.",)
            return
        if here.stopped is not None:
            problem, here.stopped = "Reading it was cancelled.", None
        else:
            problem = "" if here.problem is None else in_app(here.problem)
        here.problem, here.refused, here.refused_choices, here.asked, here.spent = before
        here.settings_notes += (f"Its reading choices don't fit {name} and were left out. {problem}",)

    read(here.raw, reading, after=after)
