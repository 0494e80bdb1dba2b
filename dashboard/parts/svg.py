"""Shows the core's figures as they are downloaded: to the width of the page, on a phone scrolled sideways."""

import re

import streamlit as st

from dashboard.parts.file_buttons import file_button
from dashboard.theme import DARK, palette_of

# Below this width the words of a figure would be too small to read: it is scrolled instead. On a phone it is
# drawn as large as it was made.
LEAST_PIXELS = 640
# A white sheet dazzles on a dark page: brightness is turned round and hues are kept. The file stays as it is.
TURNED = "filter: invert(0.92) hue-rotate(180deg)"


def draw_svg(name: str, document: str, alt: str) -> None:
    """A figure of the core with a button to download it."""
    with st.container(key=f"svg-{name}"):
        phone = f"@media (max-width: 640px) {{.st-key-svg-{name} img {{min-width: {_width(document)}px}}}}"
        sheet = TURNED if palette_of(st.context.theme.type) is DARK else "background: white"
        st.html(
            f"<style>.st-key-svg-{name} [data-testid=stImage] {{overflow-x: auto}} "
            f".st-key-svg-{name} img {{min-width: {LEAST_PIXELS}px; {sheet}}} "
            f"{phone}</style>"
        )
        st.image(document, width="stretch", alt=alt)
        file_button(f"{name}.svg", document, label=f"Download {name}.svg")


def _width(document: str) -> int:
    """How wide a figure was made, in pixels."""
    found = re.search(r'<svg[^>]* width="(\d+)', document)
    return max(LEAST_PIXELS, int(found[1])) if found else LEAST_PIXELS
