"""What is released, what is refused, and what a key gives."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pyarrow
import pytest
from conftest import CATEGORIES, records
from pyspark.sql import SparkSession

import lookalike
from lookalike.spark import check_row_keys, estimate, new_key, privatize


def released(df) -> list[tuple]:
    return sorted(tuple(row) for row in df.collect())


def test_only_the_privatized_column_and_the_kept_ones_are_released(spark, aware, point):
    df = records(spark, 6_000)
    alone, kept = privatize(df, aware), privatize(df, aware, keep=["name", "id"])
    assert alone.schema.simpleString() == "struct<value:string>"
    assert kept.schema.simpleString() == "struct<value:string,name:string,id:bigint>"
    rows = kept.collect()
    assert sorted(row["id"] for row in rows) == list(range(6_000))
    assert all(row["name"] == str(row["id"]) and row["value"] in CATEGORIES for row in rows)
    numbers = privatize(df, point, value="number")
    assert numbers.schema.simpleString() == "struct<number:int>"
    assert {row["number"] for row in numbers.collect()} == {10, 20, 30}


def test_the_law_is_that_of_the_mechanism(spark, point):
    rows = 30_000
    found = Counter(privatize(records(spark, rows).filter("number = 20"), point, value="number").collect())
    for (output,), expected in zip([(10,), (20,), (30,)], point.channel()[1]):
        # 10,000 rows; six standard deviations, each below 50: a false alarm in less than 10^8 runs.
        assert abs(found[(output,)] - rows / 3 * expected) < 300


def test_every_evaluation_draws_anew_without_a_key_and_never_with_one(spark, aware):
    df, key = records(spark, 3_000), new_key()
    fresh = privatize(df, aware, keep="id")
    assert released(fresh) != released(fresh)
    keyed = privatize(df, aware, keep="id", key=key, row_key="id")
    once = released(keyed)
    assert once == released(keyed)
    # Nor does it depend on partitions, on order, or on the width of the row key.
    assert once == released(privatize(df.repartition(3), aware, keep="id", key=key, row_key="id"))
    narrow = df.withColumn("number", df["id"].cast("int"))
    assert once == released(privatize(narrow, aware, keep="id", key=key, row_key="number"))
    # Another key, another type of row key, or another mechanism draws something else.
    assert once != released(privatize(df, aware, keep="id", key=new_key(), row_key="id"))
    assert once != released(privatize(df, aware, keep="id", key=key, row_key="name"))


def test_the_words_of_a_row_do_not_depend_on_what_they_hide(spark, aware):
    """With the same words, the rows of the same value are released alike whatever the others hold."""
    df, key = records(spark, 3_000), new_key()
    other = df.withColumn("value", df["value"].substr(1, 99)).replace({"idle": "light"}, subset=["value"])
    first = dict(row[::-1] for row in privatize(df, aware, keep="id", key=key, row_key="id").collect())
    second = dict(row[::-1] for row in privatize(other, aware, keep="id", key=key, row_key="id").collect())
    same = [row for row in range(3_000) if row % 3 != 0]
    assert all(first[row] == second[row] for row in same)


def test_two_columns_have_independent_words(spark):
    mech = lookalike.local.oracle("k-rr", [10, 20], epsilon="ln(3)")
    df, key, rows = records(spark, 20_000).selectExpr("id", "10 AS spring", "10 AS autumn"), new_key(), 20_000
    drawn = [
        dict(row[::-1] for row in privatize(df, mech, value=column, keep="id", key=key, row_key="id").collect())
        for column in ("spring", "autumn")
    ]
    equal = sum(drawn[0][row] == drawn[1][row] for row in range(rows))
    # (3/4)² + (1/4)² = 5/8 of them, 12,500 with a standard deviation of 68.5; all of them if the columns share words. Six standard
    # deviations: a false alarm in less than 10^8 runs.
    assert abs(equal - 12_500) < 6 * 68.5


def test_two_mechanisms_have_independent_words(spark):
    mild, strong = (lookalike.local.oracle("k-rr", [10, 20], epsilon=epsilon) for epsilon in ("ln(2)", "ln(3)"))
    df, key, rows = records(spark, 20_000).selectExpr("id", "10 AS number"), new_key(), 20_000
    drawn = [
        dict(row[::-1] for row in privatize(df, mech, value="number", keep="id", key=key, row_key="id").collect())
        for mech in (mild, strong)
    ]
    flipped = [sum(value == 20 for value in found.values()) / rows for found in drawn]
    both = sum(drawn[0][row] == drawn[1][row] == 20 for row in range(rows)) / rows
    # A twelfth if they are independent, a quarter if they share words; six standard deviations of 0.002.
    assert abs(both - flipped[0] * flipped[1]) < 0.012


def test_what_must_not_be_released_is_refused_before_any_row_is_read(spark, aware, point):
    df, key = records(spark, 10), new_key()
    for wrong, message in [
        ({"keep": "profile"}, 'keep="profile": this is the profile, the secret itself'),
        ({"keep": "value"}, 'keep="value": this is the private column, it cannot be released in clear'),
        ({"keep": ["id", "id"]}, 'keep="id": named twice, expected once'),
        ({"profile": "user"}, 'column "user": not found; the columns are "id", "profile", "value", "number", "name"'),
        ({"profile": None}, "profile is missing: every profile has its own channel"),
        ({"key": key}, "key without row_key: expected both, or neither"),
        ({"row_key": "id"}, "row_key without key: expected both, or neither"),
        ({"key": b"short", "row_key": "id"}, "key: 5 bytes, expected 32 from new_key()"),
        ({"key": key, "row_key": "ID"}, 'row_key: no column is called "ID"'),
        ({"unknown": "other"}, 'unknown="other" is not a category, expected one of idle, light, busy'),
    ]:
        with pytest.raises(lookalike.InputError, match=re.escape(message)):
            privatize(df, aware, **wrong)
    for column in ["value", "profile"]:
        with pytest.raises(lookalike.InputError, match=f'row_key "{column}": this column is private'):
            privatize(df, aware, key=key, row_key=column)
    with pytest.raises(lookalike.InputError, match="the type is Float64, expected whole numbers, text or binary"):
        privatize(df.withColumn("name", df["id"].cast("double")), aware, key=key, row_key="name")
    # The profile is no secret of a mechanism between values, and yet is not released by mistake.
    with pytest.raises(lookalike.InputError, match='keep="profile": this is the profile'):
        privatize(df, point, value="number", keep="profile")
    assert privatize(df, point, profile=None, value="number", keep="profile").columns == ["number", "profile"]
    with pytest.raises(TypeError, match="expected a Mechanism between categories"):
        privatize(df, lookalike.noise.laplace(epsilon=1, sensitivity=1), value="number")
    with pytest.raises(TypeError, match="key: a str, expected 32 bytes"):
        privatize(df, aware, key="k" * 32, row_key="id")


def test_a_false_claim_is_refused(spark):
    text = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)").to_json().replace('"ln(3)"', '"ln(2)"')
    with pytest.raises(lookalike.PrivacyError):
        privatize(records(spark, 10), lookalike.Mechanism.from_json(text))


def test_no_error_shows_a_private_value(spark, aware, work: Path):
    marker = "SECRET" + "MARKER"
    rows = [("ana", "idle", "a"), ("bo", marker, "b"), (marker, "idle", "c"), ("bo", "idle", None)]
    df = spark.createDataFrame(rows, "profile string, value string, id string").coalesce(1)
    for part, message in [
        (df.limit(2), 'partition 0: row 2, column "value": not one of the 3 categories'),
        (df.filter("id = 'c'"), 'partition 0: row 1, column "profile": not one of the 2 profiles'),
        (df.filter("id IS NULL"), 'partition 0: row 1, column "id": null, expected a name of its own for every row'),
    ]:
        with pytest.raises(Exception, match=re.escape(message)) as caught:
            privatize(part, aware, key=new_key(), row_key="id").collect()
        assert marker not in str(caught.value) and marker not in repr(caught.value)
    logs = [path for path in work.rglob("*") if path.name in ("stderr", "stdout")]
    assert logs and not any(marker.encode() in path.read_bytes() for path in logs)
    assert privatize(df.limit(2), aware, unknown="busy").count() == 2


def test_a_mechanism_is_proved_once_in_each_process(spark, aware):
    df = records(spark, 8_000, partitions=8)
    other = privatize(df, aware, keep="id")
    for _ in range(3):
        other.count()
        other.collect()

    def told(batches):
        from lookalike.spark import _proved

        for _ in batches:
            pass
        found = _proved.cache_info()
        yield pyarrow.record_batch({"process": [os.getpid()], "proved": [found.misses], "asked": [found.hits + found.misses]})

    first = spark.range(8, numPartitions=8).mapInArrow(told, "process long, proved long, asked long").collect()
    found = {row["process"]: row for row in first}
    for _ in range(3):
        other.collect()
    second = spark.range(8, numPartitions=8).mapInArrow(told, "process long, proved long, asked long").collect()
    assert os.getpid() not in found
    same = [(found[row["process"]], row) for row in second if row["process"] in found and row["asked"] > found[row["process"]]["asked"]]
    # More tasks were run by the same processes, and nothing was proved again.
    assert same and all(before["proved"] == after["proved"] for before, after in same)


def test_shares_are_read_back_from_counts(spark: SparkSession, point, tmp_path):
    df = records(spark, 9_000).withColumnRenamed("profile", "group")
    privatize(df, point, value="number", keep="group").write.parquet(str(tmp_path / "released"))
    written = spark.read.parquet(str(tmp_path / "released"))
    rows = written.collect()
    assert estimate(written, point, "number") == point.estimate([row["number"] for row in rows])
    by = point.estimate([row["number"] for row in rows], by=[row["group"] for row in rows], simultaneous=True)
    assert estimate(written, point, "number", by="group", simultaneous=True) == by
    with pytest.raises(lookalike.InputError, match='column "group": 9000 rows are none of the 3 outputs'):
        estimate(written, point, "group")
    with pytest.raises(lookalike.InputError, match="no reports, expected at least one"):
        estimate(written.limit(0), point, "number")
    with pytest.raises(lookalike.InputError, match='no column is called "value", expected one'):
        estimate(written, point)


def test_row_keys_are_checked_over_all_rows(spark):
    df = records(spark, 1_000)
    check_row_keys(df, "id")
    doubled = df.union(df.limit(3)).selectExpr("nullif(id, 7) AS id")
    with pytest.raises(lookalike.InputError) as caught:
        check_row_keys(doubled, "id")
    assert str(caught.value) == (
        'column "id": 1 rows have no row key, and 3 row keys have several rows, expected one row for each'
    )


def test_joint_columns_and_odd_names(spark):
    mech = lookalike.local.oracle("k-rr", ["low|0", "low|1", "high|0", "high|1"], epsilon=3)
    df = spark.createDataFrame([("low", 0, 1.5), ("high", 1, 2.5)], "`a.b` string, `c``d` int, `k e` double")
    found = privatize(df, mech, value=["a.b", "c`d"], keep="k e")
    assert found.columns == ["a.b|c`d", "k e"]
    assert sorted(row["k e"] for row in found.collect()) == [1.5, 2.5]
