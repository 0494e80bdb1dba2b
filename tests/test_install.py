"""Licence, lock file, the server's options, and what the repository holds and leaves out."""

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_says_its_licence():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_the_lock_file_fits_what_the_app_asks_for():
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    locked = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    assert list(locked) == sorted(locked)
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, bounds = re.match(r"([A-Za-z0-9_-]+)(.*)", line).groups()
            version = locked[name.lower().replace("_", "-")]
            for sign, bound in re.findall(r"(>=|<)([0-9.]+)", bounds):
                assert (_numbers(version) >= _numbers(bound)) == (sign == ">="), line


def test_the_options_beside_the_entry_are_those_at_the_top():
    """People look for them at the top; wheel and image take the ones inside the app."""
    top, inside = (ROOT / folder / ".streamlit" / "config.toml" for folder in (".", "dashboard"))
    assert inside.read_bytes() == top.read_bytes(), f"cp {top} {inside}"


def test_the_repository_holds_no_links():
    """Neither a container's COPY nor a checkout without symbolic links follows them."""
    listed = _git("ls-files", "--stage").stdout.splitlines()
    assert [line for line in listed if line.endswith("\tdashboard/app.py")]
    assert not [line for line in listed if line.startswith("120000")]


def test_secrets_and_databases_are_not_committed_by_chance():
    secret = (".streamlit/secrets.toml", "dashboard/.streamlit/secrets.toml")
    kept = (
        "boards.sqlite",
        "boards.sqlite-wal",
        "boards.sqlite-shm",
        "boards.sqlite3",
        "a/b.db",
        "boards.dump",
    )
    for name in (*secret, *kept):
        assert _git("check-ignore", "--no-index", name).returncode == 0, name
    assert _git("check-ignore", "--no-index", ".streamlit/config.toml").returncode == 1
    assert not _git("ls-files", "--cached", "--ignored", "--exclude-standard").stdout


def _git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def _numbers(version):
    return tuple(int(part) for part in re.findall(r"[0-9]+", version))[:3]
