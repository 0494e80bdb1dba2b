"""The container's steps without a container, and docs/deploy.md followed in a scratch directory.

Images can't be built everywhere; what the Dockerfile copies, runs, checks and starts can be tried: each
instruction is done in an empty folder, with this environment's libraries instead of a download.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shlex
import shutil
import signal
import site
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from app.driver import ROOT, drop, score_file, wait_for_heatmap
from app.proxy import free_ports

PASSWORD = "figures-for-the-operator"
PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile: (instruction, the rest), comments out and lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in joined.splitlines()]


def one(name: str) -> str:
    found = [rest for instruction, rest in instructions() if instruction == name]
    assert len(found) == 1, name
    return found[0]


def sections(language: str, title: str) -> list[str]:
    part = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", part, re.DOTALL)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing of its own, and this one's libraries behind it."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    made = folder / "bin" / "python"
    where = [made, "-c", "import site; print(site.getsitepackages()[0])"]
    inside = Path(subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip())
    (inside / "libraries.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    return made


def inside(python: Path, home: Path, **more: str) -> dict[str, str]:
    """The environment of the container: the Dockerfile's variables, nothing of this shell's."""
    variables = dict(pair.split("=", 1) for pair in shlex.split(one("ENV")))
    assert variables["HOME"] == "/tmp"
    bare = {"PATH": f"{python.parent}:/usr/bin:/bin", "PIP_NO_INDEX": "1", "LANG": "C.UTF-8"}
    return {**bare, **variables, "HOME": str(home), **more}


@pytest.fixture(scope="module")
def image(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder /app as the Dockerfile makes it."""
    app, home = tmp_path_factory.mktemp("app"), tmp_path_factory.mktemp("home")
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    left_out = shutil.ignore_patterns(
        *(line.removeprefix("**/") for line in ignored if line.startswith("**/"))
    )
    for instruction, rest in instructions():
        if instruction == "COPY":
            source, target = rest.split()
            assert f"!{source}" in ignored, f"{source} is kept out by .dockerignore"
            to = app / target
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, to, symlinks=True, ignore=left_out)  # as COPY does
            else:
                to = to / Path(source).name if target.endswith("/") else to
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, to)
        elif instruction == "RUN":
            done = subprocess.run(
                ["sh", "-c", rest],
                cwd=app,
                env=inside(python, home),
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
    return app


@pytest.fixture(scope="module")
def served(image: Path, python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The container's process with the options of compose.yml, under a path."""
    home = tmp_path_factory.mktemp("tmp")
    port = free_ports(1)[0]
    before = content(image)
    entry = [str(port) if word == "8501" else word for word in json.loads(one("ENTRYPOINT"))]
    compose = yaml.safe_load((ROOT / "compose.yml").read_text(encoding="utf-8"))["services"]["app"]
    environment = inside(
        python, home, STREAMLIT_SERVER_BASE_URL_PATH="stats", TMPDIR=str(home), NLPSTAT_METRICS=PASSWORD
    )
    process = subprocess.Popen(
        [*entry, *compose["command"]],
        cwd=image,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield {"process": process, "port": port, "environment": environment, "home": home, "before": before}
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def content(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def workers_end(group: int) -> bool:
    """Whether all processes of a group are gone within some seconds."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def check(served: dict[str, Any], image: Path) -> int:
    """The container's health check."""
    options, _, command = one("HEALTHCHECK").partition("CMD ")
    assert {"--interval=30s", "--timeout=5s", "--start-period=60s", "--retries=3"} == set(options.split())
    words = [*json.loads(command), str(served["port"])]
    done = subprocess.run(words, cwd=image, env=served["environment"], capture_output=True, check=False)
    return done.returncode


def test_the_image_is_slim_and_its_user_is_not_root() -> None:
    steps = instructions()
    assert steps[0][0] == "FROM"
    assert re.fullmatch(r"python:3\.\d+-slim", steps[0][1])
    assert one("WORKDIR") == "/app"
    user = one("USER").split(":")
    assert all(int(number) >= 1000 for number in user)
    order = [instruction for instruction, _ in steps]
    assert order.index("USER") > max(i for i, name in enumerate(order) if name in ("RUN", "COPY"))
    known = {"FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert set(order) <= known
    assert json.loads(one("CMD")) == []


def test_the_image_installs_what_was_tested_and_takes_no_secrets_along() -> None:
    install = next(rest for name, rest in instructions() if name == "RUN" and "pip install" in rest)
    assert install.endswith("-r requirements.txt -c requirements.lock")
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert ignored[0] == "*"
    last = max(place for place, line in enumerate(ignored) if line.startswith("!"))
    for name in ("**/secrets.toml", "**/*.sqlite*"):  # the last line that fits wins
        assert ignored.index(name) > last


def test_the_compose_file_takes_what_it_can_away() -> None:
    app = yaml.safe_load((ROOT / "compose.yml").read_text(encoding="utf-8"))["services"]["app"]
    assert app["read_only"] is True
    assert app["cap_drop"] == ["ALL"]
    assert app["security_opt"] == ["no-new-privileges:true"]
    assert [entry.split(":")[0] for entry in app["tmpfs"]] == ["/tmp"]
    assert app["ports"] == [f"127.0.0.1:8501:{one('EXPOSE')}"]
    for name in app["environment"]:
        assert f"`{name}`" in PAGE


@pytest.mark.browser
def test_the_container_serves_and_writes_nothing(served, image, page) -> None:
    assert check(served, image) in (0, 1)  # 1 while it starts
    for _ in range(600):
        if check(served, image) == 0:
            break
        assert served["process"].poll() is None, served["process"].stdout.read()
        time.sleep(0.2)
    assert check(served, image) == 0
    page.goto(f"http://127.0.0.1:{served['port']}/stats/")
    drop(page, score_file(6, 3000))
    wait_for_heatmap(page)
    assert_figures_are_told(f"http://127.0.0.1:{served['port']}/stats/_nlpstat/metrics")
    assert content(image) == served["before"]
    assert content(served["home"]) == set()
    begun = time.monotonic()
    served["process"].send_signal(signal.SIGTERM)
    served["process"].wait(timeout=30)
    assert time.monotonic() - begun < 15  # stop_grace_period of compose.yml
    assert workers_end(served["process"].pid)
    assert check(served, image) == 1


def assert_figures_are_told(address: str) -> None:
    """What the operator asks for is there, without a name of the board; a proxy's visitors don't see it."""
    knowing = urllib.request.Request(address, headers={"Authorization": f"Bearer {PASSWORD}"})
    with urllib.request.urlopen(knowing) as answer:
        text = answer.read().decode()
    seen = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert seen['nlpstat_sessions{state="active"}'] == "1"
    assert seen['nlpstat_work_total{work="analysed",outcome="done"}'] == "1"
    assert seen['nlpstat_queue{sort="quick",state="waiting"}'] == "0"
    assert float(seen['nlpstat_memory_bytes{process="server"}']) > 5e7
    assert float(seen['nlpstat_memory_bytes{process="quick 1"}']) > 5e7
    assert float(seen["nlpstat_uptime_seconds"]) > 0
    assert "sys0" not in text
    passed_on = urllib.request.Request(address, headers={"X-Forwarded-For": "192.0.2.7"})
    with suppress(urllib.error.HTTPError), urllib.request.urlopen(passed_on) as answer:
        assert "nlpstat_sessions" not in answer.read().decode()


def test_every_setting_that_exists_is_listed_and_no_other() -> None:
    parts = ("dashboard", "nlpstat_core")
    code = [path for part in parts for path in (ROOT / part).rglob("*.py")]
    named = {
        name for path in code for name in re.findall(r"NLPSTAT_[A-Z_]+", path.read_text(encoding="utf-8"))
    }
    assert set(re.findall(r"^\| `(NLPSTAT_[A-Z_]+)`", PAGE, re.MULTILINE)) == named


def test_the_servers_options_are_listed_with_their_values() -> None:
    from dashboard.server.start import options

    listed = dict(re.findall(r"^\| `([a-z]+\.\w+)` \| `([^`]*)`", PAGE, re.MULTILINE))
    assert listed == dict(option.removeprefix("--").split("=", 1) for option in options())


def test_the_bounds_listed_are_those_of_the_code() -> None:
    from dashboard.server.upload_bounds import SECONDS, SERVER_FILES, SESSION_FILES, bounds
    from dashboard.session.uploads import BOUNDS, MOST_SECONDS
    from nlpstat_core.readers import Limits
    from nlpstat_core.saved_boards.limits import Limits as BoardLimits

    defaults = {field.name: field.default for field in dataclasses.fields(Limits)}
    listed = dict(re.findall(r"^\| `(NLPSTAT_MAX_[A-Z_]+)` \| .* \| (\d+) \|$", PAGE, re.MULTILINE))
    numbers = {name: int(value) for name, value in listed.items()}
    assert numbers == {
        **{name: defaults[key] for name, key in BOUNDS.items()},
        "NLPSTAT_MAX_SECONDS": MOST_SECONDS,
        SESSION_FILES: bounds(1).session_files,
        SERVER_FILES: bounds(1).server_files,
        SECONDS: bounds(1).seconds,
        "NLPSTAT_MAX_BOARDS": BoardLimits().boards,
        "NLPSTAT_MAX_BOARD_MEGABYTES": BoardLimits().megabytes,
    }


def test_streamlit_knows_every_variable_that_is_listed() -> None:
    from streamlit import config

    known = {option.env_var for option in config._config_options_template.values()}
    named = set(re.findall(r"`?(STREAMLIT_SERVER_[A-Z_]+)`?", PAGE))
    assert named
    assert named <= known


def test_the_proxy_takes_what_the_app_takes() -> None:
    from dashboard.server.start import options

    size = next(option for option in options() if option.startswith("--server.maxUploadSize="))
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    assert f"client_max_body_size {int(size.partition('=')[2]) + 1}m;" in text


def test_a_scoring_program_leaves_its_page(tmp_path, python) -> None:
    for folder in ("in/ref", "in/res", "out", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    header, *rows = score_file(3, 40).decode().splitlines()
    split = [line.rpartition(",") for line in (header, *rows)]
    (tmp_path / "in/ref/scores.csv").write_text("\n".join(before for before, _, _ in split))
    alone = [f"{before.split(',')[0]},{last}" for before, _, last in split]
    (tmp_path / "in/res/scores.csv").write_text("\n".join(alone))
    command = tmp_path / "bin/nlpstat"
    command.write_text(f'#!/bin/sh\nexec "{python}" -m nlpstat_core "$@"\n')
    command.chmod(0o755)
    environment = {"PATH": f"{command.parent}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    environment |= {"input": str(tmp_path / "in"), "output": str(tmp_path / "out")}
    script = sections("bash", "Codabench")[0]
    done = subprocess.run(
        ["sh", "-ec", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "out/detailed_results.html").read_text(encoding="utf-8")
    assert all(f"sys{i}" in page for i in range(3))


def test_the_recipe_without_a_container_is_followed(tmp_path) -> None:
    """Its three lines, with the address and port of a test and without a download; then the health check."""
    install, other, health = sections("sh", "Without a container")
    lines = install.strip().splitlines()
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("nlpstat_core", "dashboard", "pages", "data", "deploy"):
        shutil.copytree(
            ROOT / name, checkout / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in (
        "setup.py",
        "MANIFEST.in",
        "pyproject.toml",
        "README.md",
        "CHANGELOG.md",
        "requirements.txt",
    ):
        shutil.copy(ROOT / name, checkout)
    assert lines[0] == "python -m venv environment"
    assert lines[1] == "environment/bin/python -m pip install --quiet '.[app]'"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "environment"], cwd=checkout, check=True)
    libraries = next((checkout / "environment" / "lib").glob("python*")) / "site-packages" / "libraries.pth"
    libraries.write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    own = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    offline = f"{lines[1]} --no-index --no-build-isolation"
    subprocess.run(["sh", "-c", offline], cwd=checkout, env=own, check=True)
    for line, start in ((lines[2], ""), (other.strip(), "exec environment/bin/")):
        port = free_ports(1)[0]
        command = (start or "exec ") + line.replace("8501", str(port)).replace("0.0.0.0", "127.0.0.1")
        server = subprocess.Popen(
            ["sh", "-c", command],
            cwd=checkout,
            env=own,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            asked = ["sh", "-c", health.strip().replace("8501", str(port))]
            for _ in range(300):
                if subprocess.run(asked, cwd=checkout, capture_output=True, check=False).returncode == 0:
                    break
                assert server.poll() is None, server.stdout.read()
                time.sleep(0.2)
            else:
                pytest.fail(f"The server of `{line}` doesn't answer.")
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=60)
