"""The page on Spark runs as it is written, and so does the example."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def guide():
    """The module that runs the pages of the package."""
    spec = importlib.util.spec_from_file_location("test_guide", ROOT / "crates/lookalike-python/tests/test_guide.py")
    found = importlib.util.module_from_spec(spec)
    sys.modules["test_guide"] = found
    spec.loader.exec_module(found)
    return found


def in_folder(block: str, folder: Path) -> str:
    """The block with its folders in another one: Spark's JVM would make them where it was started."""
    for name in ("released", "incoming", "outgoing", "checkpoint"):
        block = block.replace(f'"{name}"', f'"{folder / name}"')
    return block


def test_the_page_on_spark_runs_as_written(spark, tmp_path):
    runner = guide()
    page = "docs/spark.md"
    sections = runner.sections_of(page, (ROOT / page).read_text(encoding="utf-8"))
    assert len(sections) == 4
    # The page is one story: what a section made is there for the next.
    blocks = [(line, in_folder(block, tmp_path)) for section in sections for line, block in section.blocks]
    assert runner.Section(page, "all", blocks).run() == len(blocks)
    assert len(list(tmp_path.iterdir())) == 4


def test_the_example_runs(tmp_path):
    script = ROOT / "examples/spark/cluster.py"
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_HOME"}
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = done.stdout.splitlines()
    assert "proved: True" in lines[0] and len([line for line in lines if " to " in line]) == 4
    for line in lines:
        if " to " in line:
            lower, upper = (float(word) for word in line.split(",")[0].split()[1::2])
            truth = float(line.rpartition(" ")[2])
            # All four at once are within with 95 %, and within twice the width but for less than one run in 10,000.
            assert lower - (upper - lower) / 2 < truth < upper + (upper - lower) / 2
