"""Records that are in a DataFrame of Spark: released, and read back. ``pip install lookalike[spark]``.

``privatize`` gives a new DataFrame, batch or streaming, by ``mapInArrow``. The mechanism goes to the executors as text, and
is proved once in each Python process there before it is used. ``estimate`` reads shares back from plain counts.

**One observation, one draw.** Spark is lazy and repeats work. Every action on a DataFrame that is not stored computes it again;
a task that failed, or was slow, runs again. Without a key each of these draws anew, from the operating system's
generator. Spark commits the output of one attempt, but files of failed attempts, a sink that is not transactional, two
actions on one result, a cached block that was lost, or a shuffle that is computed again may let two draws of one
observation out; then more is learned than the mechanism promises. So either

- write what ``privatize`` gives **once**, to a file format with Spark's own committer, and use only what was written; or
- give a ``key``, 32 secret bytes of ``new_key``, and a ``row_key``, the column that names each observation. The draw then
  follows from the key, the mechanism, the name of the column and the row key: however often and wherever it is computed, it is
  the same, and two columns of a row are drawn independently. One row key, one value of a column, for ever: under a row key that comes again with another value the same randomness is used again, and no
  theorem covers what that tells. Nor may it be a hash of the content: equal records would be released alike.
  ``check_row_keys`` finds row keys that occur twice in one DataFrame.

A key is as secret as the data: whoever has it, and the row keys, can undo the noise. It travels to the executors with the
task, so a cluster that others can listen to or read the disks of needs Spark's encryption (``spark.network.crypto.enabled``,
``spark.io.encryption.enabled``).

Only the privatized column is in the result, and what ``keep`` names, in clear and outside of the promise. The order of rows,
and which file a row is in, stay as they are: where the input is sorted or partitioned by profile, they reveal it.
Shuffle the input (``df.orderBy(rand())``) before it is released.
"""

from __future__ import annotations

import functools
import importlib
import secrets
from collections.abc import Iterator, Sequence
from typing import Any

from . import _lookalike as _core
from ._cohorts import Asked, cohorts, warn_of_misfit
from ._errors import InputError
from ._mechanism import Mechanism
from ._numbers import key as text_of

__all__ = ["check_row_keys", "estimate", "new_key", "privatize"]

_KEY_BYTES = 32


def new_key() -> bytes:
    """A secret key for ``privatize``: 32 bytes from the operating system's generator.

    Keep it where secrets are kept, as long as a row may be released again.

    >>> import lookalike.spark
    >>> len(lookalike.spark.new_key())
    32
    """
    return secrets.token_bytes(_KEY_BYTES)


def privatize(
    df: Any,
    mechanism: Mechanism,
    profile: str | None = "profile",
    value: str | Sequence[str] = "value",
    keep: str | Sequence[str] = (),
    *,
    key: bytes | None = None,
    row_key: str | None = None,
    unknown: Any = None,
) -> Any:
    """A DataFrame with the released values, and the columns to ``keep``, in clear.

    ``profile`` is the column of profiles; it is read where each has its channel, and never released. ``value`` is the private
    column; several make one joint category, whose parts are joined with ``|``. ``unknown`` is a category that takes the place
    of values that are none; without it they are an error, which names partition, row and column.

    Without a ``key`` every evaluation draws anew: write the result once, and use what was written. With a ``key`` (``new_key``)
    and a ``row_key``, a column of whole numbers, text or binary that names each observation, every evaluation gives the same.
    The page of this module says what either promises. Integers of any width are one kind of row key; 1 and "1" are two.

    Nothing is computed until Spark is asked for the rows; the mechanism is proved here, and again by each process that
    uses it.

    >>> out = lookalike.spark.privatize(df, mech, keep=["site"])  # doctest: +SKIP
    >>> out.write.parquet("released")  # doctest: +SKIP
    """
    _check_frame(df)
    _check_mechanism(mechanism)
    if mechanism.kind == "aware" and profile is None:
        raise InputError("profile is missing: every profile has its own channel")
    secret = _secret(key, row_key)
    mechanism.certify()
    names = _Names(
        profile,
        _list(value, "value"),
        _list(keep, "keep"),
        None if unknown is None else text_of(unknown, "unknown"),
        row_key,
    )
    read = names.read(mechanism.kind == "aware")
    fields = [field for field in df.schema.fields if field.name in read]
    task = names.task(mechanism, _arrow_schema(df.schema.fields, read), secret)
    released = _released_schema(task, fields)
    text = df.sparkSession.sparkContext.broadcast(mechanism.to_json())
    columns = [field.name for field in fields]

    def privatize(batches: Iterator[Any]) -> Iterator[Any]:
        return _release((batch.rename_columns(columns) for batch in batches), text.value, names, secret)

    # Spark takes dots and the like in the names of what it maps for syntax.
    plain = [_column(name).alias(f"c{place}") for place, name in enumerate(columns)]
    return df.select(*plain).mapInArrow(privatize, released)


def estimate(
    df: Any,
    mechanism: Mechanism,
    column: str = "value",
    *,
    by: str | None = None,
    trust: str | None = None,
    stand_ins: int = 0,
    confidence: float = 0.95,
    simultaneous: bool = False,
) -> Any:
    """The shares of the true values, read back from a column that ``privatize`` released: an ``Estimate`` with intervals.

    With ``by``, a public column, a dict with an ``Estimate`` for each of its values. Spark counts, and the counts alone come to
    this process; what they tell is what ``Mechanism.estimate`` says of all the rows, which also says what ``trust`` and
    ``stand_ins`` mean. Estimate from what was written, not from what would be drawn again.

    >>> released = spark.read.parquet("released")  # doctest: +SKIP
    >>> lookalike.spark.estimate(released, mech)["busy"].share  # doctest: +SKIP
    0.31
    """
    _check_frame(df)
    _check_mechanism(mechanism)
    _check_ends(df)
    _check_column(df, column)
    columns = [_column(column).cast("string")]
    if by is not None:
        _check_column(df, by)
        columns.append(_column(by).cast("string"))
    names = [f"c{place}" for place in range(len(columns))]
    counted = df.select(*[found.alias(name) for found, name in zip(columns, names)]).groupBy(*names).count().collect()
    found: dict[str | None, list[tuple[str | None, int]]] = {}
    for row in counted:
        cohort = None if by is None else row["c1"]
        if by is not None and not cohort:
            raise InputError(f"column {_quoted(by)}: null or empty in {row['count']} rows or more, expected a name")
        found.setdefault(cohort, []).append((row["c0"], row["count"]))
    asked = Asked(trust, stand_ins, confidence, simultaneous)
    estimates = cohorts(_core.estimate_counts(mechanism._core, column, list(found.items()), asked.core()))
    warn_of_misfit(estimates, stacklevel=3)
    return estimates[None] if by is None else estimates


def check_row_keys(df: Any, column: str) -> None:
    """Raises ``InputError`` unless every row of a DataFrame has a row key of its own: an aggregation over all of them.

    It shows how many there are, and none of them.

    >>> lookalike.spark.check_row_keys(df, "reading")  # doctest: +SKIP
    """
    _check_frame(df)
    _check_ends(df)
    _check_column(df, column)
    functions = _library("pyspark.sql.functions")
    rows = df.select(_column(column).alias("name")).groupBy("name").count()
    is_null, count = functions.col("name").isNull(), functions.col("count")
    found = rows.agg(
        functions.sum(functions.when(is_null, count)).alias("nulls"),
        functions.sum(functions.when(~is_null & (count > 1), 1)).alias("repeated"),
    ).collect()[0]
    nulls, repeated = found["nulls"] or 0, found["repeated"] or 0
    if nulls or repeated:
        raise InputError(
            f"column {_quoted(column)}: {nulls} rows have no row key, and {repeated} row keys have several rows, expected one "
            "row for each"
        )


class _Names:
    """The columns of a release, as they go to the executors."""

    def __init__(
        self, profile: str | None, values: list[str], keep: list[str], unknown: str | None, row_key: str | None
    ) -> None:
        self.profile = profile
        self.values = values
        self.keep = keep
        self.unknown = unknown
        self.row_key = row_key

    def read(self, aware: bool) -> set[str]:
        """The columns that a task reads."""
        read = {*self.values, *self.keep}
        read |= {self.row_key} if self.row_key is not None else set()
        return read | ({self.profile} if aware and self.profile is not None else set())

    def task(self, mechanism: Mechanism, schema: Any, secret: bytes | None) -> _core.Partition:
        """What releases batches of this Arrow schema. It refuses what must not be released."""
        return _core.Partition(
            mechanism._core, schema, self.profile, self.values, self.keep, self.unknown, secret, self.row_key
        )


def _release(batches: Iterator[Any], text: str, names: _Names, secret: bytes | None) -> Iterator[Any]:
    """Releases the batches of one task, on an executor."""
    arrow = _library("pyarrow")
    task = None
    try:
        for batch in batches:
            if task is None:
                task = names.task(_proved(text), batch.schema, secret)
            yield arrow.record_batch(task.release(batch))
    except InputError as error:
        context = _library("pyspark").TaskContext.get()
        raise InputError(f"partition {context.partitionId()}: {error}") from None


def _prove(text: str) -> Mechanism:
    mechanism = Mechanism.from_json(text)
    mechanism.certify()
    return mechanism


# Once in a process, however many tasks it runs.
_proved = functools.lru_cache(maxsize=16)(_prove)


def _arrow_schema(fields: list[Any], read: set[str]) -> Any:
    """The schema for a task. Columns that are not read only have names: their types need not be known to Arrow."""
    arrow, types = _library("pyarrow"), _library("pyspark.sql.pandas.types")
    return arrow.schema(
        [(field.name, types.to_arrow_type(field.dataType) if field.name in read else arrow.null()) for field in fields]
    )


def _released_schema(task: _core.Partition, fields: list[Any]) -> Any:
    """The schema for Spark of what a task releases: kept columns have their types, and no notes."""
    arrow, types = _library("pyarrow"), _library("pyspark.sql.types")
    (released, *kept) = arrow.schema(task.schema)
    value = types.StructField(
        released.name, _library("pyspark.sql.pandas.types").from_arrow_type(released.type), nullable=False
    )
    named = {field.name: field for field in fields}
    same = [types.StructField(field.name, named[field.name].dataType, named[field.name].nullable) for field in kept]
    return types.StructType([value, *same])


def _secret(key: bytes | None, row_key: str | None) -> bytes | None:
    if (key is None) != (row_key is None):
        missing, given = ("key", "row_key") if key is None else ("row_key", "key")
        raise InputError(f"{given} without {missing}: expected both, or neither")
    if key is None:
        return None
    if not isinstance(key, (bytes, bytearray)):
        raise TypeError(f"key: a {type(key).__name__}, expected {_KEY_BYTES} bytes from new_key()")
    if len(key) != _KEY_BYTES:
        raise InputError(f"key: {len(key)} bytes, expected {_KEY_BYTES} from new_key()")
    return bytes(key)


def _check_frame(df: Any) -> None:
    if not hasattr(df, "mapInArrow"):
        raise TypeError(f"df: a {type(df).__name__}, expected a DataFrame of Spark")
    if ".connect." in type(df).__module__:
        raise InputError("df: a DataFrame of Spark Connect, expected one of a session of its own")


def _check_mechanism(mechanism: object) -> None:
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"mechanism: a {type(mechanism).__name__}, expected a Mechanism between categories")


def _check_ends(df: Any) -> None:
    if df.isStreaming:
        raise InputError("df: a streaming DataFrame, expected one that ends: read what the stream has written")


def _check_column(df: Any, name: str) -> None:
    count = df.schema.names.count(name)
    if count != 1:
        found = "no column is" if count == 0 else f"{count} columns are"
        raise InputError(f"{found} called {_quoted(name)}, expected one")


def _list(names: str | Sequence[str], what: str) -> list[str]:
    found = [names] if isinstance(names, str) else list(names)
    if not all(isinstance(name, str) for name in found):
        raise TypeError(f"{what}: expected names of columns")
    return found


def _quoted(name: str) -> str:
    return f'"{name}"'


def _column(name: str) -> Any:
    """The column of exactly this name, whatever dots it has."""
    escaped = name.replace("`", "``")
    return _library("pyspark.sql.functions").col(f"`{escaped}`")


def _library(name: str) -> Any:
    # Untyped and late: Spark is an extra, and none of its versions is checked against.
    return importlib.import_module(name)
