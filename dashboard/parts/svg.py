"""Shows the core's figures as they are downloaded: to the width of the page, on a phone scrolled sideways."""

import re

import streamlit as st

# Below this width the words of a figure would be too small to read: it is scrolled instead. On a phone it is
# drawn as large as it was made.
LEAST_PIXELS = 640


def draw_svg(name: str, document: str, alt: str) -> None:
    """A figure of the core with a button to download it.

    name: File name of the download, without its ending.
    document: SVG.
    alt: What it shows, for screen readers.
    """
    with st.container(key=f"svg-{name}"):
        phone = f"@media (max-width: 640px) {{.st-key-svg-{name} img {{min-width: {_width(document)}px}}}}"
        st.html(
            f"<style>.st-key-svg-{name} [data-testid=stImage] {{overflow-x: auto}} "
            f".st-key-svg-{name} img {{min-width: {LEAST_PIXELS}px; background: white}} "
            f"{phone}</style>"
        )
        st.image(document, width="stretch", alt=alt)
        st.download_button(
            f"Download {name}.svg",
            data=document.encode("utf-8"),
            file_name=f"{name}.svg",
            mime="image/svg+xml",
            on_click="ignore",
            icon=":material/download:",
            key=f"download {name}.svg",
        )


def _width(document: str) -> int:
    """How wide a figure was made, in pixels."""
    found = re.search(r'<svg[^>]* width="(\d+)', document)
    return max(LEAST_PIXELS, int(found[1])) if found else LEAST_PIXELS
