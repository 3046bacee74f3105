"""Parquet in, Parquet out, on Spark: the package against the same job without any work, and against numpy."""

from row import Bench, Row, Side, Step
from rows import parquet_files

LIMIT = 300.0
# At most 15 % slower.
WANTED = 0.87


def rows(bench: Bench) -> list[Row]:
    records = bench.records(10**8)
    spark = f"{bench.version('pyspark')}, mapInArrow"
    ours = job(bench, records, "lookalike", "Lookalike for Python, lookalike.spark.privatize")
    common = {
        "limit": LIMIT,
        "instance": f"{parquet_files.describe(records)}; Spark in local-cluster mode, two workers of one core",
        "steps": (parquet_files.generate(bench, records),),
        "ours": ours,
    }
    identity = job(bench, records, "identity", f"{spark}, which passes the values on as they are", check=False)
    numpy = job(bench, records, "numpy", f"{spark}, alias table in {bench.version('numpy')}, texts by pyarrow")
    return [
        Row("spark-identity", peer=identity, wanted=WANTED, **common),
        Row("spark-numpy", peer=numpy, wanted=1.0, **common),
    ]


def job(bench: Bench, records: int, name: str, label: str, check: bool = True) -> Side:
    source, target = parquet_files.source(bench, records), str(bench.data / f"released-{records}-spark-{name}")
    checked = bench.peer("spark_released", source, target) if check else None
    return Side(label, bench.peer("spark_job", source, target, "--job", name), check=checked, cores=2)
