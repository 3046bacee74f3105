"""A Spark with two worker processes on this machine, and what the tests share."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

# Before Spark is imported: executors must find this Python, and Spark itself is the one that pip installed.
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ.pop("SPARK_HOME", None)

import pyspark
import pytest
from pyspark.sql import DataFrame, SparkSession

import lookalike

CATEGORIES = ["idle", "light", "busy"]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("lookalike")
        .config("spark.executor.memory", "512m")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.local.dir", str(folder / "local"))
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.sql.shuffle.partitions", "2")
        # Small batches, so that a task can be killed between two of them.
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def work(spark: SparkSession) -> Iterator[Path]:
    """Where the executors of this session write what they say."""
    folder = Path(pyspark.__file__).parent / "work" / spark.sparkContext.applicationId
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def aware() -> lookalike.Mechanism:
    profiles = {"ana": [0.2, 0.5, 0.3], "bo": [0.3, 0.4, 0.3]}
    graph = lookalike.SecretGraph(profiles, edges=[("ana", "bo")], categories=CATEGORIES)
    # Much noise, so that two draws differ in many rows.
    return lookalike.design(graph, epsilon=0.01, mechanism="cluster")


@pytest.fixture(scope="session")
def point() -> lookalike.Mechanism:
    return lookalike.local.oracle("k-rr", [10, 20, 30], epsilon=1)


def records(spark: SparkSession, rows: int, partitions: int = 4) -> DataFrame:
    """Rows with an id, a profile, and a value that is a text and one that is a number."""
    return spark.range(rows, numPartitions=partitions).selectExpr(
        "id",
        "if(id % 2 = 0, 'ana', 'bo') AS profile",
        "element_at(array('idle', 'light', 'busy'), cast(id % 3 AS int) + 1) AS value",
        "cast(10 * (id % 3 + 1) AS int) AS number",
        "cast(id AS string) AS name",
    )
