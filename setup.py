"""The wheel: the core as it stands, and the app inside one package of its own.

`dashboard/`, `pages/` and `data/` stand side by side in the repository, and would be names that others
use in site-packages: there they are `nlpstat_app/dashboard` and so on, run from there by `nlpstat serve`.
"""

import re
import tomllib
from pathlib import Path

from setuptools import find_packages, setup

LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:)([^)]+)\)")

TOPS = ("dashboard", "pages", "data")
FOLDERS = sorted({path.parent.as_posix() for top in TOPS for path in Path(top).rglob("*.py")})
APP = {folder.replace("/", "."): folder for folder in FOLDERS}


def readme(source: str | None) -> str:
    """The README for an index: links into the repository lead to its address, or are names of files."""

    def outside(found: re.Match[str]) -> str:
        picture, text, path = found.groups()
        if source is None:
            return "" if picture else text if text == path else f"{text} ({path})"
        return f"{picture}[{text}]({source}/{'raw' if picture else 'blob'}/HEAD/{path})"

    return LINK.sub(outside, Path("README.md").read_text(encoding="utf-8"))


URLS = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]

setup(
    long_description=readme(URLS.get("Source")),
    long_description_content_type="text/markdown",
    packages=[
        *find_packages(include=["nlpstat_core*"]),
        *(f"nlpstat_app.{name}" for name in APP),
    ],
    package_dir={f"nlpstat_app.{name}": folder for name, folder in APP.items()},
    package_data={
        "nlpstat_core": ["py.typed", "methods/literature.csv", "report/exports/documents/templates/*"],
        "nlpstat_app.dashboard": [".streamlit/config.toml"],
        "nlpstat_app.data": ["*.csv", "*.json", "*.zip"],
    },
)
