"""`python -m tests.fuzz`: damaged files, random bytes, round trips and bulk; writes RESULTS.md."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.bulkfiles import BULK
from tests.fuzz.report import DISGUISED_TITLE, SETTINGS_TITLE, disguised_part, page, settings_part
from tests.fuzz.settings import Settings
from tests.fuzz.settings import run as run_settings

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHUNK = 2_500


@dataclass
class Run:
    """Everything that came of a run.

    Attributes
    ----------
    seed : int
    outcomes : dict of str to Counter
        What the inputs were made from → outcome → how many.
    failures : list of str
    slowest : tuple of float and str
    peak : int
        KiB.
    deep : int
        Inputs that also went through the preview and the command line.
    trips : dict of str to int
        Format → matrices written and read back.
    bulk : list
        Name, bytes, what came of it, seconds, memory before and at its peak in MiB.
    settings : Settings
        What came of settings files.
    disguised : dict of str to dict of str to int
        What was done to an ordinary table → outcome → how many.
    """

    seed: int
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    peak: int = 0
    deep: int = 0
    trips: dict[str, int] = field(default_factory=dict)
    bulk: list[list[object]] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    disguised: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, row: list[object]) -> None:
        """Count one input, as the worker tells it."""
        index, kind, size, outcome, failure, seconds, peak, deep = row
        self.outcomes.setdefault(str(kind), Counter())[str(outcome)] += 1
        if outcome == "failed":
            self.failures.append(f"{index} ({kind}): {failure}")
        self.slowest = max(self.slowest, (float(str(seconds)), f"{kind}, {size:,} bytes, input {index}"))
        self.peak = max(self.peak, int(str(peak)))
        self.deep += bool(deep)


def main() -> int:
    """Run everything; exit status 1 when an input failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=50_000, help="damaged files and random bytes")
    parser.add_argument("--examples", type=int, default=200, help="matrices written in each format")
    parser.add_argument("--disguised", type=int, default=20_000, help="ordinary tables in disguise")
    parser.add_argument("--disguised-only", action="store_true", help="these alone; renews their part")
    parser.add_argument("--settings", type=int, default=10_000, help="settings files")
    parser.add_argument(
        "--settings-only", action="store_true", help="settings files alone; renews their part"
    )
    parser.add_argument("--no-bulk", action="store_true", help="leave out large files")
    parser.add_argument("--bulk-only", action="store_true", help="large files alone; nothing is written")
    options = parser.parse_args()
    run = Run(options.seed)
    if options.bulk_only:
        bulk(run)
        return 1 if run.failures else 0
    if options.settings_only:
        settings(run, options.settings)
        HERE.joinpath("RESULTS.md").write_text(with_settings(run.settings), encoding="utf-8")
        return 1 if run.failures else 0
    if options.disguised_only:
        disguises(run, options.disguised)
        HERE.joinpath("RESULTS.md").write_text(with_disguises(run), encoding="utf-8")
        return 1 if run.failures else 0
    settings(run, options.settings)
    damaged(run, options.count)
    disguises(run, options.disguised)
    round_trips(run, options.examples)
    if not options.no_bulk:
        bulk(run)
    text = page(run, platform.platform(), os.cpu_count() or 1)
    (HERE / "RESULTS.md").write_text(text, encoding="utf-8")
    print(text)
    return 1 if run.failures else 0


def module(name: str, *arguments: object) -> subprocess.Popen[str]:
    """A process of one of the modules here."""
    command = [sys.executable, "-m", f"tests.fuzz.{name}", *map(str, arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment)


def settings(run: Run, count: int) -> None:
    """Settings files, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        run.settings = run_settings(count, Path(folder), run.seed)
    run.failures += [f"settings {text}" for text in run.settings.failures]
    print(f"{count:,} settings files, {len(run.settings.failures)} failures", file=sys.stderr)


def with_settings(found: Settings) -> str:
    """The recorded page with another part on settings files."""
    before = (HERE / "RESULTS.md").read_text(encoding="utf-8").partition(SETTINGS_TITLE)[0]
    return "\n".join([before.rstrip("\n"), *settings_part(found)]) + "\n"


def disguises(run: Run, count: int) -> None:
    """Ordinary tables with what people do to them."""
    for start in range(0, count, CHUNK):
        text, _ = module("disguises", run.seed, start, min(CHUNK, count - start)).communicate()
        found, wrong = json.loads(text)
        for kind, outcomes in found.items():
            run.disguised[kind] = dict(Counter(run.disguised.get(kind, {})) + Counter(outcomes))
        run.failures += wrong
        print(f"{start:,} of {count:,} tables, {len(run.failures)} failures", file=sys.stderr)


def with_disguises(run: Run) -> str:
    """The recorded page with another part on tables in disguise."""
    page = (HERE / "RESULTS.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(DISGUISED_TITLE)
    after = rest[rest.find("\n## ") :] if "\n## " in rest else ""
    if not rest:  # the first time it stands before the large files
        before, sign, after = page.partition("\n## ")
        after = sign + after
    return "\n".join([before.rstrip("\n"), *disguised_part(run)]) + "\n" + after


def damaged(run: Run, count: int) -> None:
    """Damaged files and random bytes; an input that ends the process is counted and passed over."""
    done = 0
    while done < count:
        many = min(CHUNK, count - done)
        worker = module("worker", run.seed, done, many)
        assert worker.stdout is not None
        seen = 0
        for line in worker.stdout:
            run.add(json.loads(line))
            seen += 1
        if worker.wait() != 0 or seen < many:
            run.failures.append(f"{done + seen}: the process ended with {worker.returncode}")
            seen += 1
        done += seen
        print(f"{done:,} of {count:,} inputs, {len(run.failures)} failures", file=sys.stderr)


def round_trips(run: Run, examples: int) -> None:
    """Matrices written and read back."""
    worker = module("trips", run.seed, examples)
    text, _ = worker.communicate()
    if worker.returncode:
        run.failures.append(f"a round trip: the process ended with {worker.returncode}")
        return
    run.trips = json.loads(text.splitlines()[-1])


def bulk(run: Run) -> None:
    """Large files, each in a process of its own."""
    for name in BULK:
        worker = module("bulk", name)
        text, _ = worker.communicate()
        if worker.returncode:
            run.failures.append(f"bulk, {name}: the process ended with {worker.returncode}")
        else:
            run.bulk.append(json.loads(text.splitlines()[-1]))
        print(f"{name}: {text.strip()}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
