"""A visitor who does whatever the app offers, drawn at random: no page may fail.

`python -m tests.visitor --steps 5000 --seed 1` from the root; a failure prints the visit that repeats it
(`--seed 1 --visit 17`) and the way there.
"""

from __future__ import annotations

import argparse
import base64
import json
import logging
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from streamlit.proto.WidgetStates_pb2 import WidgetState  # noqa: E402
from streamlit.testing.v1 import AppTest  # noqa: E402
from ui.driver import PAGE_NAMES, idle, open_app  # noqa: E402

from dashboard.parts.folded import FOLD  # noqa: E402
from dashboard.scores.submissions import FIELDS  # noqa: E402

SHARED = ROOT.parent / "shared" / "data"
LARGEST_FILE = 400_000  # bytes; larger boards only make the same steps slower
STEPS_A_VISIT = 25
MOST_RERUNS = 10
SECONDS_OF_WORK = 20  # then it is cancelled
SECONDS_A_RUN = 120
KINDS = {"page": 20, "widget": 50, "button": 8, "fold": 12, "chart": 8, "table": 8, "load": 3, "reset": 4}
NUMBERS = (
    -1e300,
    -1e9,
    -100,
    -1,
    -1e-9,
    0,
    1e-9,
    0.001,
    0.01,
    0.05,
    0.2,
    0.5,
    0.95,
    0.999,
    1,
    2,
    3,
    7,
    100,
    1e6,
)
COSTLY = {"resamples": (1, 2, 99, 500, 3000), "curve iterations": (100, 200)}  # larger ones only take longer
TEXTS = ("", "A", "sys", "u1", "doc", "zzz", "*", "[", "<b>", "\\", "💥", "a" * 300, "-1", "$x$")
QUERIES: tuple[dict[str, str], ...] = (
    {"a": "A", "b": "B"},
    {"a": "nobody", "b": "A"},
    {"test": "sign", "alpha": "0.2", "correction": "none"},
    {"test": "no such test", "alpha": "abc"},
    {"alpha": "0.999999999", "alternative": "less", "baseline": "A"},
    {"equivalence_margin": "0", "delta": "1e300"},
    {"block_column": "doc", "missing": "complete", "unit_size": "3"},
    {"question": "each-pair", "effects": "cohen-d", "intervals": "estimate"},
    {"seed": "-4", "resamples": "0", "unit_size": "99999999"},
)


def table(names: list[str], rows: list[list[Any]]) -> bytes:
    """A CSV."""
    cells = [[str(cell) for cell in row] for row in [names, *rows]]
    return "\n".join(",".join(f'"{c}"' if set(c) & set(',"') else c for c in row) for row in cells).encode()


def _wide(values: np.ndarray, systems: list[str] | None = None, **labels: list[str]) -> bytes:
    names = systems or [chr(65 + i) if values.shape[1] <= 26 else f"s{i:02d}" for i in range(values.shape[1])]
    rows = [
        [
            f"u{i}",
            *(column[i] for column in labels.values()),
            *("" if np.isnan(v) else f"{v:.12g}" for v in row),
        ]
        for i, row in enumerate(values)
    ]
    return table(["item", *labels, *names], rows)


def _two(rng: np.random.Generator) -> bytes:
    return _wide(rng.normal(50, 9, (int(rng.integers(2, 60)), 2)).round(2))


def _several(rng: np.random.Generator) -> bytes:
    return _wide((rng.normal(50, 9, (int(rng.integers(5, 80)), int(rng.integers(3, 9))))).round(2))


def _seventy(rng: np.random.Generator) -> bytes:
    return _wide((rng.normal(50, 9, (20, 70)) + np.arange(70) / 7).round(1))


def _ragged(rng: np.random.Generator) -> bytes:
    values = rng.normal(0, 1, (30, 5)).round(2)
    values[rng.random(values.shape) < rng.choice([0.05, 0.5])] = np.nan
    values[:2] = rng.normal(0, 1, (2, 5)).round(2)
    return _wide(values)


def _apart(rng: np.random.Generator) -> bytes:
    values = rng.normal(0, 1, (40, 4)).round(2)
    values[:20, :2] = np.nan
    values[20:, 2:] = np.nan
    return _wide(values)


def _solved(rng: np.random.Generator) -> bytes:
    return _wide((rng.random((int(rng.integers(4, 90)), int(rng.integers(2, 6)))) < 0.6).astype(float))


def _counts(rng: np.random.Generator) -> bytes:
    totals = rng.integers(1, 9, 30)
    right = rng.binomial(totals[:, None], [0.5, 0.6, 0.7], (30, 3))
    rows = [[f"u{i}", *(x for s in range(3) for x in (right[i, s], totals[i]))] for i in range(30)]
    return table(["item", *(f"{s}_{kind}" for s in "ABC" for kind in ("correct", "total"))], rows)


def _spans(rng: np.random.Generator) -> bytes:
    rows = [[f"u{i}", s, *rng.integers(0, 4, 3)] for i in range(25) for s in "AB"]
    return table(["sentence", "system", "tp", "fp", "fn"], rows)


def _runs(rng: np.random.Generator) -> bytes:
    runs = {"A": 3, "B": int(rng.integers(1, 5)), "C": 2}
    rows = [
        [f"u{i}", s, r, f"{rng.normal(0.5 + 0.1 * (s == 'A')):.3f}"]
        for s, n in runs.items()
        for r in range(n)
        for i in range(20)
    ]
    return table(["item", "system", "seed", "score"], rows)


def _documents(rng: np.random.Generator) -> bytes:
    sizes = ([4] * 15, [30, *[3] * 12], [5] * 4, [2, 9, 1, 4, 6, 3, 8] * 3)[rng.integers(4)]
    ids = np.repeat(np.arange(len(sizes)), sizes)
    values = rng.normal(0, 1, (len(sizes), 4))[ids] + rng.normal(0, 1, (ids.size, 4)) + [0, 0, 0.3, 1]
    return _wide(values.round(3), None, doc=[f"d{i}" for i in ids])


def _two_metrics(rng: np.random.Generator) -> bytes:
    rows = [
        [f"u{i}", s, f"{rng.normal(50 + 5 * j):.2f}", f"{rng.integers(0, 8)}", f"{rng.normal(30 - j):.1f}"]
        for j, s in enumerate("ABCD")
        for i in range(20)
    ]
    return table(["item", "system", "BLEU", "MQM", "TER"], rows)


def _data_sets(rng: np.random.Generator) -> bytes:
    rows = [
        [f"{name}{i}", name, *rng.normal(0.5, 0.2, 4).round(3)]
        for name, n in (("news", 15), ("law", 8), ("chat", 3))
        for i in range(n)
    ]
    return table(["item", "dataset", "A", "B", "C", "D"], rows)


def _ties(rng: np.random.Generator) -> bytes:
    values = rng.integers(1, 4, (40, 4)).astype(float)
    values[:, 1] = values[:, 0]
    return _wide(values)


def _constant(rng: np.random.Generator) -> bytes:
    values = np.full((12, 3), 5.0)
    values[:, 2] += rng.choice([0.0, 0.5])
    return _wide(values)


def _odd_names(rng: np.random.Generator) -> bytes:
    names = ["<b>x</b>", "$\\alpha$", "=1+2", "a,b", 'quo"te', "系统", "‮rtl", "*", "x" * 120]
    names = [name.replace('"', "'") for name in names]
    return _wide(rng.normal(0, 1, (20, len(names))).round(2), names)


def _extreme(rng: np.random.Generator) -> bytes:
    scale = float(rng.choice([1e-300, 1e-12, 1e12, 1e150]))
    return _wide(rng.normal(1, 1, (25, 3)) * scale)


def _outlier(rng: np.random.Generator) -> bytes:
    values = rng.normal(0, 1, (50, 3)).round(2)
    values[7, 1] = 1e6
    return _wide(values)


def _tiny(rng: np.random.Generator) -> bytes:
    return _wide(rng.normal(0, 1, (int(rng.integers(1, 4)), 3)).round(2))


def _broken(rng: np.random.Generator) -> bytes:
    return [b"", b"item,A\n", b"\xff\xfe", b"item,A,B\nu1,1,x\nu2,2,3\n", b"a,b\n1,2,3\n", b"{]"][
        rng.integers(6)
    ]


MADE: tuple[Callable[[np.random.Generator], bytes], ...] = (
    *(_two, _several, _seventy, _ragged, _apart, _solved, _counts, _spans, _runs, _documents, _two_metrics),
    *(_data_sets, _ties, _constant, _odd_names, _extreme, _outlier, _tiny, _broken),
)


SHARE_OF_OUTPUTS = 0.1  # of what is loaded


def _outputs(rng: np.random.Generator) -> bytes:
    """Gold and the outputs of some systems in one table: labels, numbers or texts, some missing."""
    n, systems = int(rng.integers(2, 50)), [f"team{i}" for i in range(int(rng.integers(1, 5)))]
    answers = (["yes", "no", "<b>", "$x$"], [0.5, 1.25, 3.75, -2.0], ["a cat sat", "", "dogs ran", "系统"])
    pool = answers[rng.integers(len(answers))]
    hidden = 0.0 if rng.random() < 0.7 else 0.1
    rows = [
        [f"i{i}", *("" if k and rng.random() < hidden else pool[j] for k, j in enumerate(chosen))]
        for i, chosen in enumerate(rng.integers(0, len(pool), (n, 1 + len(systems))))
    ]
    return table(["id", "gold", *systems], rows)


def real_files() -> list[Path]:
    """Score files of the project and, where they are, the shared ones; not the very large."""
    found = [*sorted((ROOT / "data").glob("*.csv")), *sorted(SHARED.glob("*.csv"))]
    return [path for path in found if path.stat().st_size <= LARGEST_FILE]


class _Failures(logging.Handler):
    """What Streamlit writes to the log of the server when a page fails."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the end of the traceback."""
        if record.exc_info:
            lines = "".join(traceback.format_exception(*record.exc_info)).splitlines(keepends=True)
            self.texts = ["".join(lines[-12:])]


FAILED = _Failures()
logging.getLogger("streamlit.error_util").addHandler(FAILED)


class PageFailed(AssertionError):
    """A page ended with an exception."""


@dataclass
class Visit:
    """One session and the way it took.

    Attributes
    ----------
    seed : str
        Of everything that is drawn.
    path : list of str
        What was done, in words.
    """

    seed: str
    path: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Draw the board, open the app."""
        self.random = random.Random(self.seed)
        self.numbers = np.random.default_rng(self.random.getrandbits(32))
        self.selected: dict[str, WidgetState] = {}
        query = self.random.choice(QUERIES) if self.random.random() < 0.2 else {}
        page = self.random.choice(PAGE_NAMES) if self.random.random() < 0.3 else None
        self.path.append(f"open {page or 'the app'} {query or ''}")
        self.at = self.checked(lambda: open_app(page, **query))
        self.at.default_timeout = SECONDS_A_RUN
        self.load()

    def checked(self, act: Callable[[], AppTest]) -> AppTest:
        """Do something; a page that fails ends the visit."""
        try:
            at = act()
        except Exception as error:
            raise PageFailed(f"{type(error).__name__}: {error}") from error
        if at.exception:  # the page itself tells nothing of it
            raise PageFailed("".join(FAILED.texts[-1:]) or str(at.exception[0].value))
        return at

    def rerun(self, change: WidgetState | None = None) -> None:
        """Run the script as after a click, with all that is selected, until work has ended."""
        states = self.at._tree.get_widget_states()
        there = {getattr(node, "proto", None) and getattr(node.proto, "id", "") for node in self.at._tree}
        self.selected = {one: state for one, state in self.selected.items() if one in there}
        for state in (*self.selected.values(), *([change] if change is not None else [])):
            for old in [known for known in states.widgets if known.id == state.id]:
                states.widgets.remove(old)
            states.widgets.append(state)
        self.at = self.checked(lambda: self.at._run(states))
        for turn in range(MOST_RERUNS):
            cancel = [button for button in self.at.button if button.label == "Cancel"]
            if not cancel:
                return
            idle(SECONDS_OF_WORK / MOST_RERUNS)
            click = cancel[0].click() if turn == MOST_RERUNS - 1 else self.at
            self.at = self.checked(click.run)

    def load(self) -> None:
        """Drop another file, at times an example."""
        self.at = self.checked(lambda: self.at.switch_page("../pages/scores.py").run())
        self.selected.clear()
        kind = self.random.random()
        if kind < 0.75:
            make = self.random.choice(MADE)
            data, name = make(self.numbers), f"{make.__name__.strip('_')}.csv"
        else:
            file = self.random.choice(real_files())
            data, name = file.read_bytes(), file.name
        self.path.append(f"load {name}")
        field = "upload-"
        if kind < SHARE_OF_OUTPUTS:
            data, name, field = _outputs(self.numbers), "gold and outputs.csv", "gold-"
            self.path[-1] = f"load {name}"
            self.at.session_state[FOLD.format(FIELDS)] = True
            self.at = self.checked(self.at.run)
        fields = [one for one in self.at.file_uploader if str(one.key).startswith(field)]
        if fields:
            fields[0].upload(name, data, "text/csv")
            self.rerun()
        for one in [one for one in self.at.button if one.key == "gold alone"]:
            self.rerun(WidgetState(id=one.proto.id, trigger_value=True))

    def step(self) -> str:
        """One thing that a visitor may do; returns its kind."""
        kinds = list(KINDS.items())
        kind = self.random.choices([name for name, _ in kinds], [weight for _, weight in kinds])[0]
        getattr(self, f"_{kind}")()
        return kind

    def _page(self) -> None:
        page = self.random.choice(PAGE_NAMES if self.random.random() < 0.2 else PAGE_NAMES[:-1])
        self.path.append(f"page {page}")
        self.at = self.checked(lambda: self.at.switch_page(f"../pages/{page}.py").run())
        self.selected.clear()
        self.rerun()

    def _load(self) -> None:
        self.load()

    def _reset(self) -> None:
        """Back to settings that fit something."""
        self.path.append("reset")
        button = next(one for one in self.at.button if one.label == "Reset settings")
        self.rerun(WidgetState(id=button.proto.id, trigger_value=True))

    def _widget(self) -> None:
        """Another value of a widget, of the page more often than of the sidebar."""
        where = self.at.main if self.random.random() < 0.6 else self.at.sidebar
        offered = [node for node in where if (found := self._drawn(node)) is not None and found.id]
        if offered:
            node = self.random.choice(offered)
            state = self._drawn(node)
            assert state is not None
            self.path.append(f"{node.type} {getattr(node, 'label', '')!r} ← {_told(state)}")
            self.rerun(state)

    def _drawn(self, node: Any) -> WidgetState | None:
        """A value for a widget as the browser would send it; None for what is none, or is disabled."""
        proto = getattr(node, "proto", None)
        if proto is None or getattr(proto, "disabled", False) or getattr(proto, "form_id", ""):
            return None
        state = WidgetState(id=getattr(proto, "id", "") or "")
        kind = node.type
        if kind in ("selectbox", "radio", "select_slider"):
            options = list(proto.options)
            if not options or kind != "selectbox":
                return None
            state.string_value = self.random.choice(options)
        elif kind == "multiselect":
            options = list(proto.options)
            state.string_array_value.data[:] = self.random.sample(
                options, self.random.randint(0, len(options))
            )
        elif kind == "button_group":
            options = [one.content for one in proto.options]
            single = proto.click_mode == proto.SINGLE_SELECT
            most = 1 if single else len(options)
            state.string_array_value.data[:] = self.random.sample(options, self.random.randint(1, most))
        elif kind in ("checkbox", "toggle"):
            state.bool_value = self.random.random() < 0.5
        elif kind == "text_input":
            state.string_value = self.random.choice(TEXTS)
        elif kind == "number_input":
            state.double_value = self._number(node, proto)
        else:
            return None
        return state

    def _number(self, node: Any, proto: Any) -> float:
        pool = COSTLY.get(str(node.key), NUMBERS)
        low = proto.min if proto.has_min else -np.inf
        high = proto.max if proto.has_max else np.inf
        whole = proto.data_type == proto.INT
        fitting = [x for x in pool if low <= x <= high and (not whole or (x == int(x) and abs(x) < 1e15))]
        ends = [x for x in (low, high) if np.isfinite(x) and str(node.key) not in COSTLY]
        return float(self.random.choice([*fitting, *ends] or [low]))

    def _button(self) -> None:
        offered = [one for one in self.at.button if not one.proto.disabled and one.label != "Cancel"]
        if offered:
            one = self.random.choice(offered)
            self.path.append(f"button {one.label!r}")
            self.rerun(WidgetState(id=one.proto.id, trigger_value=True))

    def _fold(self) -> None:
        offered = [one for one in self.at.expander if one.proto.id]
        if offered:
            one = self.random.choice(offered)
            state = WidgetState(id=one.proto.id, bool_value=self.random.random() < 0.8)
            self.path.append(f"fold {one.label!r} ← {state.bool_value}")
            self.rerun(state)

    def _chart(self) -> None:
        charts = [one for one in self.at.get("plotly_chart") if one.proto.id and one.proto.selection_mode]
        if charts:
            chart = self.random.choice(charts)
            points = _points(json.loads(chart.proto.spec))
            chosen = [self.random.choice(points)] if points and self.random.random() < 0.85 else []
            self._select(chart, "chart", {"points": chosen, "point_indices": [], "box": [], "lasso": []})

    def _table(self) -> None:
        tables = [one for one in self.at.dataframe if one.proto.id and one.proto.selection_mode]
        if tables:
            found = self.random.choice(tables)
            n, names = len(found.value), [str(name) for name in found.value.columns]
            modes = {type(found.proto).SelectionMode.Name(mode) for mode in found.proto.selection_mode}
            rows = [self.random.randrange(n)] if n and any("ROW" in mode for mode in modes) else []
            cells = []
            if n and names and any("CELL" in mode for mode in modes):
                cells = [[self.random.randrange(n), self.random.choice(names)]]
            self._select(found, "table", {"rows": rows, "columns": [], "cells": cells})

    def _select(self, node: Any, kind: str, selection: dict[str, Any]) -> None:
        state = WidgetState(id=node.proto.id, string_value=json.dumps({"selection": selection}))
        self.selected[state.id] = state
        self.path.append(f"{kind} {node.key!r} ← {json.dumps(selection)[:120]}")
        self.rerun()


def _told(state: WidgetState) -> str:
    kind = str(state.WhichOneof("value"))
    value = getattr(state, kind)
    return repr(list(value.data) if kind == "string_array_value" else value)[:100]


def _points(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """What can be hit in a chart: marks of scatter traces that answer to the pointer, and bars."""
    found = []
    for number, trace in enumerate(spec.get("data", [])):
        marks = trace.get("type") == "bar" or "markers" in str(trace.get("mode", "markers"))
        if trace.get("type", "scatter") in ("scatter", "scattergl", "bar") and marks:
            if trace.get("hoverinfo") == "skip":
                continue
            x, y = (_numbers(trace.get(axis)) for axis in "xy")
            for index, (one, other) in enumerate(zip(x, y, strict=False)):
                found.append(
                    {
                        "curve_number": number,
                        "point_number": index,
                        "point_index": index,
                        "x": one,
                        "y": other,
                    }
                )
    return found


def _numbers(values: Any) -> list[Any]:
    if isinstance(values, dict):
        raw = np.frombuffer(base64.b64decode(values["bdata"]), dtype=np.dtype(values["dtype"]))
        return [] if raw.dtype.kind not in "iuf" else [value.item() for value in raw]
    return list(values or [])


def visits(seed: int, steps: int) -> Iterator[tuple[int, Visit | None, str]]:
    """Visits until so many steps are done; a failure is yielded with the visit that met it."""
    done = number = 0
    while done < steps:
        yield from one_visit(seed, number, min(STEPS_A_VISIT, steps - done))
        done += STEPS_A_VISIT
        number += 1


def one_visit(seed: int, number: int, steps: int = STEPS_A_VISIT) -> Iterator[tuple[int, Visit | None, str]]:
    """The steps of one visit: its number, the visit where it failed, and the kind of step or what failed."""
    visit = Visit.__new__(Visit)
    visit.seed, visit.path = f"{seed}/{number}", []
    try:
        visit.__post_init__()
        for _ in range(steps):
            yield number, None, visit.step()
    except PageFailed as error:
        yield number, visit, str(error)


def report(seed: int, number: int, visit: Visit, problem: str) -> str:
    """What is printed about a failure."""
    way = "\n".join(f"  {place:3d}. {text}" for place, text in enumerate(visit.path))
    return f"python -m tests.visitor --seed {seed} --visit {number}\n{way}\n  {problem}"


def main() -> int:
    """Visit from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--visit", type=int, help="this visit alone")
    parser.add_argument("--log", action="store_true", help="say every step on standard error")
    options = parser.parse_args()
    begun, kinds, failures = time.perf_counter(), Counter[str](), 0
    steps = (
        visits(options.seed, options.steps)
        if options.visit is None
        else one_visit(options.seed, options.visit)
    )
    for number, visit, text in steps:
        if visit is None:
            kinds[text] += 1
            if options.log:
                print(f"visit {number}: {kinds.total()} steps", file=sys.stderr, flush=True)
            continue
        failures += 1
        print(report(options.seed, number, visit, text), flush=True)
    taken = time.perf_counter() - begun
    print(f"{kinds.total()} steps in {taken:.0f} s, {failures} failures: {dict(kinds)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
