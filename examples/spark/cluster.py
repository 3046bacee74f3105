"""Readings of machines on a cluster: from raw records to shares with intervals.

    python examples/spark/cluster.py [FOLDER]

Runs on the Spark that is configured, and else on the cores of this machine. The parts are cells of a notebook. Files go to
FOLDER, or to a temporary one.
"""

# %% A Spark. On a cluster the session is there already, and the data are too.
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession, functions

import lookalike
from lookalike.spark import check_row_keys, estimate, new_key, privatize

spark = SparkSession.builder.appName("readings").config("spark.ui.showConsoleProgress", "false").getOrCreate()
folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())

# %% What is known of everybody: the habits of four people at shared machines. Who sat there is the secret.
categories = ["idle", "light", "busy", "full"]
profiles = {
    "ana": [0.2, 0.3, 0.4, 0.1],
    "bo": [0.3, 0.3, 0.3, 0.1],
    "cleo": [0.4, 0.4, 0.1, 0.1],
    "dan": [0.1, 0.2, 0.4, 0.3],
}
graph = lookalike.SecretGraph(profiles, groups={"office": list(profiles)}, categories=categories)
mechanism = lookalike.design(graph, epsilon=0.5)
print(mechanism, "proved:", mechanism.certify().upper <= 0.5)

# %% The records: a number for each reading, the machine's site, who sat there, and the load.
ROWS = 200_000
users = list(profiles)
user = functions.element_at(functions.array(*map(functions.lit, users)), (functions.col("id") % 4 + 1).cast("int"))


def load_of(law):
    """A load by this law, from a column of chances."""
    load, below = functions, 0.0
    for category, share in zip(categories[:-1], law):
        below += share
        load = load.when(functions.col("chance") < below, category)
    return load.otherwise(categories[-1])


load = functions.coalesce(*[functions.when(functions.col("user") == name, load_of(law)) for name, law in profiles.items()])
records = (
    spark.range(ROWS, numPartitions=8)
    .select(
        functions.col("id").alias("reading"),
        functions.when(functions.col("id") % 3 == 0, "north").otherwise("south").alias("site"),
        user.alias("user"),
        functions.rand(seed=1).alias("chance"),
    )
    .withColumn("load", load)
    .drop("chance")
)
records.write.mode("overwrite").parquet(str(folder / "records"))
records = spark.read.parquet(str(folder / "records"))

# %% Every reading has a number of its own, so that a key makes its draw the same however often Spark computes it.
check_row_keys(records, "reading")
key = new_key()
private = privatize(records, mechanism, profile="user", value="load", keep="site", key=key, row_key="reading")
private.write.mode("overwrite").parquet(str(folder / "released"))
released = spark.read.parquet(str(folder / "released"))
released.printSchema()

# %% What the loads were, with intervals; for each site as well. These come from counts that Spark made.
whole = estimate(released, mechanism, "load", simultaneous=True)
truth = {row["load"]: row["count"] / ROWS for row in records.groupBy("load").count().collect()}
for category in categories:
    figure = whole[category]
    print(f"{category:6} {figure.lower:.4f} to {figure.upper:.4f}, truly {truth[category]:.4f}")
for site, found in estimate(released, mechanism, "load", by="site").items():
    print(f"{site}: {found.reports} readings, busy {found['busy'].share:.3f}")
