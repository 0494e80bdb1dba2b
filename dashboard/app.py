"""The entry of the app: `streamlit run dashboard/app.py`."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # streamlit adds only this file's own folder
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from dashboard.address import enter_page  # noqa: E402
from dashboard.controls import sidebar  # noqa: E402
from dashboard.navigation import pages  # noqa: E402
from dashboard.privacy import keep_uploads_in_memory, never_look_up_the_address  # noqa: E402
from dashboard.sharing import take_link  # noqa: E402
from dashboard.theme import AXIS_STYLE  # noqa: E402
from dashboard.uploads import most_megabytes  # noqa: E402
from dashboard.warming import warm_up  # noqa: E402

# An emoji, not a material icon: for those the browser would fetch a picture from another host.
st.set_page_config(page_title="Which systems really differ?", page_icon="🏁", layout="wide")
keep_uploads_in_memory(most_megabytes())
never_look_up_the_address()
st.html(AXIS_STYLE)
page = st.navigation(pages())
take_link()
sidebar()
enter_page(page.url_path)
page.run()
warm_up()
