"""The example that needs no cluster runs, and says what the page on scale says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_laptop_example_runs_and_the_page_shows_what_it_prints():
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples/laptop/laptop.py")], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = done.stdout.splitlines()
    assert "proved: True" in lines[0]
    assert lines[1] == "charged 1000, asked again 0, same answers: True"
    assert lines[2] == "spent ln(3) of ln(3); whole: True"
    widths = [float(line.split()[-1]) for line in lines if re.match(r" *[\d,]+  0\.", line)]
    assert len(widths) == 6
    # A hundred times as many devices make the error ten times as small.
    assert all(9.5 < one / other < 10.5 for one, other in zip(widths, widths[2:]))
    page = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
    shown = page.split("```text\n")[1].split("```")[0]
    assert shown == "\n".join(lines[-7:]) + "\n"
