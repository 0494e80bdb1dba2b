"""The entry of the app: `streamlit run dashboard/app.py`."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # streamlit adds only this file's own folder
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from dashboard.background.import_turns import taking_turns  # noqa: E402
from dashboard.navigation import SHARED, pages  # noqa: E402
from dashboard.parts.forget import watch_page  # noqa: E402
from dashboard.parts.header import draw_header  # noqa: E402
from dashboard.parts.keyboard import one_stop_a_table  # noqa: E402
from dashboard.parts.menu import grey_out_menu  # noqa: E402
from dashboard.parts.sidebar import sidebar  # noqa: E402
from dashboard.server.guards import REFUSED, guard_running_server, session_allowed  # noqa: E402
from dashboard.server.privacy import keep_uploads_in_memory, never_look_up_the_address  # noqa: E402
from dashboard.server.session_end import reap_closed_sessions  # noqa: E402
from dashboard.server.warm_up import warm_up  # noqa: E402
from dashboard.session.address import enter_page  # noqa: E402
from dashboard.session.links import settings_query, take_link  # noqa: E402
from dashboard.session.preferences import settle_battles  # noqa: E402
from dashboard.session.settings_upload import settle_settings  # noqa: E402
from dashboard.session.submissions import draw_reading_outputs, settle_outputs  # noqa: E402
from dashboard.session.taking_back import draw_taken_back, keep_for_this_tab  # noqa: E402
from dashboard.session.uploads import draw_pending, draw_refused_upload, most_megabytes, open_served, settle  # noqa: E402
from dashboard.theme import AXIS_STYLE  # noqa: E402
from nlpstat_core.saved_boards import configured  # noqa: E402

TITLE = "Which systems really differ?"
NO_MENU = (
    "<style>[data-testid=stSidebar], [data-testid=stExpandSidebarButton] {display: none !important}</style>"
)
# An emoji, not a material icon: for those the browser would fetch a picture from another host.
st.set_page_config(page_title=TITLE, page_icon="🏁", layout="wide")
keep_uploads_in_memory(most_megabytes())
never_look_up_the_address()
guard_running_server()
if not session_allowed():
    st.error(REFUSED)
    st.stop()
reap_closed_sessions()
if configured() is not None:
    from dashboard.saved.signing_out import leave_when_logged_out

    leave_when_logged_out()
st.html(AXIS_STYLE)
page = st.navigation(pages(), expanded=True)
if page.url_path:  # the landing page's is the question itself
    st.set_page_config(page_title=f"{page.title} · {TITLE}")
take_link()
settle()
settle_outputs()
settle_battles()
settle_settings()
open_served()
if page.url_path == SHARED:
    st.html(NO_MENU)
else:  # who was sent a link has no scores here, and nothing to set
    grey_out_menu()
    sidebar()
    keep_for_this_tab()
enter_page(page.url_path, () if page.url_path == SHARED else settings_query())
draw_pending()
draw_reading_outputs()
draw_refused_upload()
draw_header()
draw_taken_back()
with taking_turns():  # the page imports what it draws with
    page.run()
watch_page(page.url_path)
one_stop_a_table()
warm_up()
