"""The wheel: the core as it stands, and the app inside one package of its own.

`dashboard/`, `pages/` and `data/` stand side by side in the repository, and would be names that others
use in site-packages: there they are `nlpstat_app/dashboard` and so on, run from there by `nlpstat serve`.
"""

from pathlib import Path

from setuptools import find_packages, setup

TOPS = ("dashboard", "pages", "data")
FOLDERS = sorted({path.parent.as_posix() for top in TOPS for path in Path(top).rglob("*.py")})
APP = {folder.replace("/", "."): folder for folder in FOLDERS}

setup(
    packages=[
        *find_packages(include=["nlpstat_core*"]),
        *(f"nlpstat_app.{name}" for name in APP),
    ],
    package_dir={f"nlpstat_app.{name}": folder for name, folder in APP.items()},
    package_data={
        "nlpstat_core": ["py.typed", "methods/literature.csv", "report/exports/documents/templates/*"],
        "nlpstat_app.dashboard": [".streamlit/config.toml"],
        "nlpstat_app.data": ["*.csv", "*.json"],
    },
)
