"""What is loaded for what: importing the package and asking for help load no library of statistics."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ["scipy", "pandas", "statsmodels", "pyarrow", "numpy", "joblib", "yaml", "streamlit"]
ASK = "import sys; print([name for name in {heavy!r} if name in sys.modules])"
HELP = [
    *([name, "--help"] for name in ("analyse", "compare", "gate", "diagnose", "serve", "formats", "power")),
    *(["power", "curve", "--help"], ["power", "plan", "--help"], ["--help"], ["--version"]),
]
SLIPS = [["nonsense"], ["analyse"], ["serve", "nobody.csv"]]
# `main` leaves by SystemExit after --help and --version.
RUN = """
from nlpstat_core.cli import main
for arguments in {commands!r}:
    try:
        status = main(arguments)
    except SystemExit as leaving:
        status = leaving.code
    assert status in {statuses!r}, (arguments, status)
    assert not [name for name in {heavy!r} if name in __import__("sys").modules], arguments
"""


def loaded(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{ASK.format(heavy=HEAVY)}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_the_package_loads_nothing_before_it_is_used():
    assert loaded("import nlpstat_core") == "[]"


@pytest.mark.parametrize(("commands", "statuses"), [(HELP, (0, None)), (SLIPS, (2,))], ids=["help", "slips"])
def test_help_and_a_slip_of_the_keyboard_load_nothing(commands, statuses):
    assert loaded(RUN.format(commands=commands, statuses=statuses, heavy=HEAVY)) == "[]"


# What an answer in the terminal can do without; each takes between a tenth of a second and a second to load.
UNUSED = [
    "pandas",
    "pyarrow",
    "statsmodels",
    "scipy.stats",
    "scipy.optimize",
    "scipy.linalg",
    "joblib",
    "yaml",
]
ANSWERS = {
    "gate": (["--baseline", "old", "--margin", "5"], ["jinja2"]),
    "analyse": ([], []),
}


@pytest.mark.parametrize("command", ANSWERS)
def test_an_answer_loads_what_it_is_computed_with(command, tmp_path):
    rows = "".join(f"q{i},{i % 7},{i % 5},{i % 3}\n" for i in range(60))
    (tmp_path / "scores.csv").write_text(f"item,old,new,newer\n{rows}", encoding="utf-8")
    words, more = ANSWERS[command]
    asked = [command, str(tmp_path / "scores.csv"), *words]
    # A file of many rows loads pyarrow where it is here, which loads pandas.
    assert loaded(RUN.format(commands=[asked], statuses=(0, 2), heavy=[*UNUSED, *more])).startswith("[")


def test_what_is_left_for_later_is_there_when_asked_for():
    done = subprocess.run(
        [sys.executable, "-m", "nlpstat_core", "power", "plan", "--units", "9", "--test", "which"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "t, wilcoxon, sign" in done.stderr
