"""Compiles LaTeX where an engine is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def compile_tex(source: str, engine: str, folder: Path) -> Path:
    """Run an engine once over a document and give back the PDF; a visible skip where it isn't installed."""
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    (folder / "paper.tex").write_text(source, encoding="utf-8")
    command = [engine, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=250)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]
    return folder / "paper.pdf"
