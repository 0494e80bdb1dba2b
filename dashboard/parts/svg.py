"""Shows the core's figures as they are downloaded: to the width of the page, on a phone scrolled sideways."""

import streamlit as st

# Below this width the words of a figure would be too small to read: it is scrolled instead.
LEAST_PIXELS = 640


def draw_svg(name: str, document: str, alt: str) -> None:
    """A figure of the core with a button to download it.

    name: File name of the download, without its ending.
    document: SVG.
    alt: What it shows, for screen readers.
    """
    with st.container(key=f"svg-{name}"):
        st.html(
            f"<style>.st-key-svg-{name} [data-testid=stImage] {{overflow-x: auto}} "
            f".st-key-svg-{name} img {{min-width: {LEAST_PIXELS}px}}</style>"
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
