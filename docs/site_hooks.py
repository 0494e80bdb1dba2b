"""The site shows Markdown that is read in the repository, too: links to files outside docs/ become names."""

import re
from typing import Any

OUTSIDE = re.compile(r"\[([^]]*)\]\((?:\.\./)+([^)]+)\)|\[([^]]*)\]\((notebook\.ipynb)\)")
INSIDE = re.compile(r"^(?:docs/)?(.+\.md)(#.*)?$")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """mkdocs calls it with every page."""

    def named(found: re.Match[str]) -> str:
        text, path = found[1] or found[3], found[2] or found[4]
        if page.file.src_path.startswith("for/") and INSIDE.match(path):  # a page of the site
            return found[0]
        return f"{text} (`{path}`)" if text != path else f"`{path}`"

    return OUTSIDE.sub(named, markdown)
