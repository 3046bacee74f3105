"""A worker that is killed in the middle of a job: every row comes out once, and with a key as if nothing had happened."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from conftest import records
from pyspark.sql import DataFrame

from lookalike.spark import new_key, privatize

ROWS = 40_000
PATIENCE = 120.0


def slowly(df: DataFrame, folder: Path) -> DataFrame:
    """The same rows, held up between batches; tasks note the processes that they are in."""
    target = str(folder)

    def hold_up(batches):
        for place, batch in enumerate(batches):
            if place == 3:
                Path(target, f"{os.getpid()}-{os.getppid()}-{time.time_ns()}").touch()
            time.sleep(0.05)
            yield batch

    return df.mapInArrow(hold_up, df.schema)


def parent(process: int) -> int:
    """The process that started another."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def kill_one(folder: Path, victim: str, killed: list[int]) -> None:
    """Kills a Python worker, or the executor that it belongs to, as soon as a task is under way."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for note in sorted(folder.iterdir()):
            worker, daemon, _ = map(int, note.name.split("-"))
            try:
                process = worker if victim == "python" else parent(daemon)
                command = Path(f"/proc/{process}/cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            expected = b"pyspark" if victim == "python" else b"CoarseGrainedExecutorBackend"
            assert expected in command
            os.kill(process, signal.SIGKILL)
            killed.append(process)
            return
        time.sleep(0.02)


@pytest.mark.parametrize("victim", ["python", "executor"])
@pytest.mark.parametrize("keyed", [True, False])
def test_a_killed_worker_changes_nothing(spark, aware, tmp_path, victim, keyed):
    secret = {"key": new_key(), "row_key": "id"} if keyed else {}
    df = records(spark, ROWS, partitions=8)
    notes, killed = tmp_path / "notes", []
    notes.mkdir()
    disturbed = privatize(slowly(df, notes), aware, keep="id", **secret)
    killer = threading.Thread(target=kill_one, args=(notes, victim, killed))
    killer.start()
    disturbed.write.parquet(str(tmp_path / "disturbed"))
    killer.join()
    assert len(killed) == 1, "no worker was killed: nothing was tested"
    # Tasks of which the notes are more than one for a partition were run again.
    assert len(list(notes.iterdir())) > 8
    found = spark.read.parquet(str(tmp_path / "disturbed")).collect()
    assert sorted(row["id"] for row in found) == list(range(ROWS))
    if keyed:
        undisturbed = privatize(df, aware, keep="id", **secret).collect()
        assert sorted(found) == sorted(undisturbed)
