"""Streams: records are released as they come, and again the same when a stream is started again."""

from __future__ import annotations

import time

import pytest
from conftest import records

import lookalike
from lookalike.spark import check_row_keys, estimate, new_key, privatize

PATIENCE = 120.0


def test_a_stream_of_files_is_released_as_the_same_records_at_once(spark, aware, tmp_path):
    source, key = tmp_path / "source", new_key()
    df = records(spark, 4_000)
    df.repartition(4).write.parquet(str(source))
    stream = spark.readStream.schema(df.schema).option("maxFilesPerTrigger", 1).parquet(str(source))
    out = privatize(stream, aware, keep="id", key=key, row_key="id")
    assert out.isStreaming

    def run(name: str) -> list[tuple]:
        query = (
            out.writeStream.format("parquet")
            .option("path", str(tmp_path / name))
            .option("checkpointLocation", str(tmp_path / f"{name}-checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        assert query.lastProgress["batchId"] >= 3, "one batch per file"
        return sorted(spark.read.parquet(str(tmp_path / name)).select("value", "id").collect())

    once = run("first")
    assert [row["id"] for row in sorted(once, key=lambda row: row["id"])] == list(range(4_000))
    # Started again from nothing, and as a batch: one observation, one draw.
    assert once == run("second")
    assert once == sorted(privatize(df, aware, keep="id", key=key, row_key="id").collect())


def test_a_stream_without_a_key_goes_to_memory(spark, point):
    stream = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 100).load()
    out = privatize(stream.selectExpr("cast(10 * (value % 3 + 1) AS int) AS number"), point, value="number")
    query = out.writeStream.format("memory").queryName("released").start()
    try:
        until = time.monotonic() + PATIENCE
        while not (found := spark.table("released").collect()) and time.monotonic() < until:
            time.sleep(0.2)
    finally:
        query.stop()
    assert len(found) >= 100 and {row["number"] for row in found} == {10, 20, 30}


def test_what_needs_an_end_refuses_a_stream(spark, point):
    stream = spark.readStream.format("rate").load()
    for read in [lambda: estimate(stream, point), lambda: check_row_keys(stream, "value")]:
        with pytest.raises(lookalike.InputError, match="a streaming DataFrame, expected one that ends"):
            read()
