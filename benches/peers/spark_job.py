"""Parquet in, Parquet out, on a Spark with two worker processes of one core each on this machine.

    spark_job.py SOURCE TARGET --job lookalike|keyed|identity|numpy

All jobs read the columns profile and value, pass them to a Python worker by `mapInArrow`, and write the column value:

- lookalike: `lookalike.spark.privatize`; keyed: the same with a key, and a row key that Spark makes, also passed on to Python
- identity: the value as it is
- numpy: an alias table in numpy, as fast as it was made to go (`alias_numpy.Packed`), with pyarrow for texts and codes

Each job is first run on the first rows, unclocked, so that all processes are up and everything is proved.
"""

import argparse
import json
import os
import shutil
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
# Executors inherit it: the job in numpy is beside this file.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))

import pyspark
from pyspark.sql import DataFrame, SparkSession

WARM = 200_000


def session(folder: Path) -> SparkSession:
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    return (
        SparkSession.builder.master("local-cluster[2,1,2048]")
        .config("spark.executor.memory", "2g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.local.dir", str(folder))
        # A file of 100 million rows has some 100 MB: enough parts that both workers are busy to the end.
        .config("spark.sql.files.maxPartitionBytes", "4m")
        .getOrCreate()
    )


def identity(batches):
    for batch in batches:
        yield batch.select(["value"])


def in_numpy(batches):
    import alias_numpy
    import numpy
    import pyarrow
    import pyarrow.compute
    import response

    size, total = response.SIZE, 1 << 53
    keep = numpy.array([[int(response.keep(at) * total)] * size for at in range(size)], numpy.uint64)
    redraw = numpy.full((size, size), total // size, numpy.uint64)
    rng = numpy.random.Generator(numpy.random.SFC64())
    draw = alias_numpy.packed_keep(keep, redraw, rng, numpy.uint64)
    profiles, values = pyarrow.array(response.PROFILES), pyarrow.array(response.VALUES)
    for batch in batches:
        found = [
            pyarrow.compute.index_in(batch.column(name), names).to_numpy(zero_copy_only=False).view(numpy.uint32)
            for name, names in (("profile", profiles), ("value", values))
        ]
        outputs = numpy.empty_like(found[1])
        draw(*found, outputs)
        yield pyarrow.record_batch({"value": values.take(pyarrow.array(outputs))})


def released(df: DataFrame, job: str, mechanism: Path) -> DataFrame:
    if job == "identity":
        return df.mapInArrow(identity, "value string")
    if job == "numpy":
        return df.mapInArrow(in_numpy, "value string")
    import lookalike
    import lookalike.spark

    keyed = {"key": lookalike.spark.new_key(), "row_key": "row"} if job == "keyed" else {}
    if job == "keyed":
        df = df.selectExpr("profile", "value", "monotonically_increasing_id() AS row")
    return lookalike.spark.privatize(df, lookalike.load(mechanism), **keyed)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--job")
    asked = parser.parse_args()
    spark = session(asked.target.with_suffix(".local").resolve())
    spark.sparkContext.setLogLevel("ERROR")
    df = spark.read.parquet(str(asked.source)).select("profile", "value")
    mechanism = asked.source.with_name("mechanism.json")
    warm = df.limit(WARM).repartition(4)
    released(warm, asked.job, mechanism).write.mode("overwrite").parquet(str(asked.target))
    start = time.perf_counter()
    released(df, asked.job, mechanism).write.mode("overwrite").parquet(str(asked.target))
    seconds = time.perf_counter() - start
    records = spark.read.parquet(str(asked.target)).count()
    application = spark.sparkContext.applicationId
    spark.stop()
    shutil.rmtree(asked.target.with_suffix(".local"), ignore_errors=True)
    shutil.rmtree(Path(pyspark.__file__).parent / "work" / application, ignore_errors=True)
    print(json.dumps({"records": records, "seconds": seconds}))


if __name__ == "__main__":
    main()
