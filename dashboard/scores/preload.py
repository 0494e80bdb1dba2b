"""Has the browser fetch and prepare what draws tables and charts, while the user looks for a file.

The chart library is large: preparing it takes a browser longer than the server needs for the analysis.
"""

import json
from functools import cache
from pathlib import Path

import streamlit as st

# The parts of Streamlit's page that the first answer needs; their names go on with a mark of the version.
PARTS = ("DataFrame", "PlotlyChart")

# Modules are known by their address, so the page finds them prepared. Without them it only takes longer.
_PREPARE = """
export default function () {
  const page = document.querySelector('script[type=module][src*="/static/js/"]');
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 500));
  const prepare = ([first, ...rest]) => first && idle(() =>
    import(new URL(first, page.src).href)
      .then(() => prepare(rest), (reason) => console.debug("not prepared", first, reason)));
  if (page) prepare(MODULES);
}
"""


@cache
def modules() -> tuple[str, ...]:
    """The file names of the parts, of the version of Streamlit that is installed.

    Returns: Only those that are there.
    """
    folder = Path(st.__file__).parent / "static" / "static" / "js"
    return tuple(file.name for part in PARTS for file in sorted(folder.glob(f"{part}.*.js"))[:1])


# The names are a part of the script: data for it would have the server load pandas for the empty page.
_prepare = st.components.v2.component("prepare_charts", js=_PREPARE.replace("MODULES", json.dumps(modules())))


def prepare_charts() -> None:
    """Have the browser prepare them once it has nothing else to do."""
    with st.sidebar:
        _prepare(key="prepare charts")
