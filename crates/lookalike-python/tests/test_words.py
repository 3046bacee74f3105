"""Two columns of a row under one key: released independently, whatever Spark does with them. Spark itself is not needed."""

from __future__ import annotations

import pytest

import lookalike
from lookalike import _lookalike as _core

arrow = pytest.importorskip("pyarrow")

ROWS = 20_000


@pytest.fixture(scope="module")
def response() -> lookalike.Mechanism:
    """Randomized response over four values: each is released as itself in half of the cases, and as any other in a sixth."""
    return lookalike.design(lookalike.SecretGraph.values(list("abcd")), epsilon="ln(3)", mechanism="k-rr")


def released(mech: lookalike.Mechanism, columns: list[str], key: bytes = bytes(32)) -> list[str]:
    table = arrow.table({"id": range(ROWS), "spring": ["a", "b"] * (ROWS // 2), "autumn": ["a", "b"] * (ROWS // 2)})
    batch = table.to_batches()[0]
    task = _core.Partition(mech._core, batch.schema, None, columns, [], None, key, "id")
    return arrow.record_batch(task.release(batch)).column(0).to_pylist()


def test_equal_values_in_two_columns_are_released_independently(response):
    spring, autumn = released(response, ["spring"]), released(response, ["autumn"])
    assert spring == released(response, ["spring"]), "a column comes out the same whenever it is released"
    equal = sum(one == other for one, other in zip(spring, autumn))
    # (1/2)² + 3·(1/6)² = 1/3 of them, 6,667 with a standard deviation of 66.7: six of them, less than one key in 10^8. They were
    # all equal when the column had no part in the words.
    assert abs(equal - ROWS / 3) < 6 * 66.7


def test_where_names_of_columns_begin_and_end_makes_a_difference():
    mech = lookalike.design(lookalike.SecretGraph.values(["a|a", "b|b", "a", "b"]), epsilon=1)

    def drawn(names: list[str]) -> list[str]:
        table = arrow.table({"id": range(ROWS), **{name: ["a", "b"] * (ROWS // 2) for name in names}})
        batch = table.to_batches()[0]
        task = _core.Partition(mech._core, batch.schema, None, names, [], None, bytes(32), "id")
        return arrow.record_batch(task.release(batch)).column(0).to_pylist()

    assert drawn(["x", "y"]) != drawn(["xy", ""]) != drawn(["y", "x"]) != drawn(["x", "y"])
