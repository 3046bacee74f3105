"""Type checkers see what is public: mypy, strict, on the package and on a program that uses it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import lookalike

pytest.importorskip("mypy", reason="mypy is not installed")

PROGRAM = """
import lookalike

graph = lookalike.SecretGraph({"ana": [0.2, 0.8], "bo": [0.3, 0.7]}, edges=[("ana", "bo")])
mech: lookalike.Mechanism = lookalike.design(graph, epsilon=0.5)
upper: float | None = mech.certify().upper
share: float = mech.estimate(["0"])["0"].share
cohorts: dict[str, lookalike.Estimate] = mech.estimate(["0"], by=["x"])
wrong: int = mech.epsilon_text
"""


def test_a_program_is_checked_against_the_package(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(tmp_path / "program.py")]
    folder = Path(lookalike.__file__).parent.parent
    # What is not installed must be pointed out.
    environment = os.environ | ({} if folder.name == "site-packages" else {"MYPYPATH": str(folder)})
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=environment)
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    assert len(errors) == 1 and "program.py:9" in errors[0], done.stdout + done.stderr
