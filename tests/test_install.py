"""The package says its licence, and its lock file fits what it asks for."""

import re
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


def _numbers(version):
    return tuple(int(part) for part in re.findall(r"[0-9]+", version))[:3]
