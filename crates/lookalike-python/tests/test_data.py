"""Every kind of data comes back in the kind in which it came, and gives the same draws."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike

PROFILES = ["ana", "bo", "cleo", "bo", "ana"] * 40
VALUES = ["idle", "busy", "light", "light", "busy"] * 40


@pytest.fixture(scope="module")
def expected(aware):
    return aware.privatize(PROFILES, VALUES, seed=7)


def test_a_list_gives_a_list_of_categories(aware, expected):
    assert type(expected) is list and len(expected) == 200
    assert set(expected) <= {"idle", "light", "busy"} and expected != VALUES
    assert aware.privatize(tuple(PROFILES), tuple(VALUES), seed=7) == tuple(expected)


@pytest.mark.parametrize("dtype", [None, object, "<U9", ">U5"])
def test_numpy_texts(aware, expected, dtype):
    found = aware.privatize(np.array(PROFILES), np.array(VALUES, dtype=dtype), seed=7)
    assert isinstance(found, np.ndarray) and found.dtype.kind == np.array(VALUES, dtype=dtype).dtype.kind
    assert found.tolist() == expected


def test_numpy_that_is_not_contiguous(aware, expected):
    values = np.array(VALUES)
    spread = np.repeat(values, 3)[::3]
    assert not spread.flags.c_contiguous
    assert aware.privatize(PROFILES, spread, seed=7).tolist() == expected
    backwards = np.array(VALUES[::-1])[::-1]
    assert aware.privatize(np.array(PROFILES, dtype="U7")[:, None][:, 0], backwards, seed=7).tolist() == expected


@pytest.mark.parametrize("dtype", "int8 int16 int32 int64 uint8 uint16 uint32 uint64 >i4 >u8".split())
def test_numpy_numbers_keep_their_type(point, dtype):
    numbers = [10, 20, 30, 20] * 50
    expected = point.privatize(numbers, seed=3)
    assert {type(number) for number in expected} == {int} and expected != numbers
    found = point.privatize(np.array(numbers, dtype=dtype), seed=3)
    assert found.dtype == np.dtype(dtype).newbyteorder("=") and found.tolist() == expected
    assert point.privatize(np.array(numbers, dtype=dtype)[::-1][::-1], seed=3).tolist() == expected


def test_booleans_of_every_kind():
    coin = lookalike.design(lookalike.SecretGraph.values([False, True]), epsilon="ln(3)")
    truths = [True, False, True] * 20
    expected = coin.privatize(truths, seed=1)
    assert {type(truth) for truth in expected} == {bool} and expected != truths
    assert coin.privatize(list(np.array(truths)), seed=1) == expected
    found = coin.privatize(np.array(truths), seed=1)
    assert found.dtype == bool and found.tolist() == expected
    assert coin.privatize(pa.array(truths), seed=1).to_pylist() == expected
    assert coin.privatize(pl.Series(truths), seed=1).to_list() == expected
    assert coin.privatize(pd.Series(truths), seed=1).tolist() == expected


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())])
def test_arrow_texts_of_every_type(aware, expected, type_):
    values = pa.array(VALUES).cast(type_) if not pa.types.is_dictionary(type_) else pa.array(VALUES).dictionary_encode()
    found = aware.privatize(pa.array(PROFILES), values, seed=7)
    assert isinstance(found, pa.Array) and found.type == values.type
    assert found.to_pylist() == expected


def test_chunked_and_sliced_arrow(aware, expected):
    values = pa.chunked_array([VALUES[:3], [], VALUES[3:150], VALUES[150:]])
    profiles = pa.chunked_array([PROFILES[:77], PROFILES[77:]])
    found = aware.privatize(profiles, values, seed=7)
    assert isinstance(found, pa.ChunkedArray)
    assert [len(chunk) for chunk in found.chunks] == [3, 0, 147, 50]
    assert found.to_pylist() == expected
    longer = pa.array(["SECRETMARKER"] * 9 + VALUES + ["SECRETMARKER"])
    assert aware.privatize(PROFILES, longer.slice(9, 200), seed=7).to_pylist() == expected
    assert aware.privatize(profiles, longer.slice(9, 200).dictionary_encode(), seed=7).to_pylist() == expected


def test_polars_series_of_every_type(aware, expected):
    for dtype in [pl.String, pl.Categorical, pl.Enum(["busy", "idle", "light"])]:
        series = pl.Series("load", VALUES, dtype=dtype)
        found = aware.privatize(pl.Series(PROFILES), series, seed=7)
        assert isinstance(found, pl.Series) and found.name == "load" and found.dtype == dtype
        assert found.to_list() == expected


def test_a_polars_enum_that_lacks_an_output_comes_back_as_categories():
    mechanism = lookalike.local.oracle("k-rr", ["idle", "light", "busy"], epsilon=1)
    values = ["busy", "idle"] * 100
    found = mechanism.privatize(pl.Series("load", values, dtype=pl.Enum(["idle", "busy"])), seed=7)
    assert found.to_list() == mechanism.privatize(values, seed=7)
    assert "light" in found.to_list() and found.dtype == pl.Categorical


def test_outputs_that_only_look_like_numbers_stay_texts_in_columns_of_numbers():
    mechanism = lookalike.local.oracle("k-rr", ["7", "007"], epsilon=1)
    expected = mechanism.privatize([7] * 12, seed=3)
    assert "007" in expected
    for column in (pl.Series([7] * 12), pd.Series([7] * 12), pd.Series([7] * 12, dtype="Int8"), np.full(12, 7)):
        assert list(mechanism.privatize(column, seed=3)) == expected


@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint64", "Int8"])
def test_outputs_beyond_a_narrow_type_are_texts(dtype):
    mechanism = lookalike.local.oracle("k-rr", ["-5", "200", "100"], epsilon=0.1)
    values = [100] * 12
    assert list(map(str, mechanism.privatize(pd.Series(values, dtype=dtype), seed=2))) == list(
        map(str, mechanism.privatize(values, seed=2))
    )


@pytest.mark.parametrize("dtype", [object, "string", "category", "str", pd.ArrowDtype(pa.string())])
def test_pandas_series_keep_index_and_name(aware, expected, dtype):
    series = pd.Series(VALUES, index=range(1000, 1200), name="load", dtype=dtype)
    found = aware.privatize(pd.Series(PROFILES, index=series.index), series, seed=7)
    assert isinstance(found, pd.Series) and found.name == "load" and found.index.equals(series.index)
    assert found.dtype == series.dtype
    assert found.tolist() == expected


def test_a_duckdb_column(aware, expected):
    records = pa.table({"who": PROFILES, "load": VALUES})  # noqa: F841
    relation = duckdb.sql("select load from records")
    assert aware.privatize(PROFILES, relation, seed=7)["load"].to_pylist() == expected
    with pytest.raises(lookalike.InputError, match="a table of 2 columns, expected one column"):
        aware.privatize(PROFILES, duckdb.sql("select * from records"))


def test_frames_of_one_column(aware, expected):
    frame = pd.DataFrame({"load": VALUES})
    found = aware.privatize(pd.DataFrame({"who": PROFILES}), frame, seed=7)
    assert isinstance(found, pd.DataFrame) and found["load"].tolist() == expected
    found = aware.privatize(PROFILES, pl.DataFrame({"load": VALUES}), seed=7)
    assert isinstance(found, pl.DataFrame) and found["load"].to_list() == expected
    for frame in (pd.DataFrame({"a": [1], "b": [1]}), pl.DataFrame({"a": [1], "b": [1]}), pa.table({"a": [1], "b": [1]})):
        with pytest.raises(lookalike.InputError, match="a table of 2 columns, expected one column"):
            aware.privatize(frame, ["idle"])
    table = aware.privatize(PROFILES, pa.table({"load": VALUES}), seed=7)
    assert isinstance(table, pa.Table) and table["load"].to_pylist() == expected


@pytest.mark.parametrize("dtype", ["Int64", "int32", "uint8", "category", object])
def test_pandas_numbers_keep_their_type(point, dtype):
    numbers = [10, 20, 30, 20] * 50
    expected = point.privatize(numbers, seed=3)
    found = point.privatize(pd.Series(numbers, dtype=dtype), seed=3)
    assert found.dtype == pd.Series(numbers, dtype=dtype).dtype and found.tolist() == expected


def test_a_dictionary_with_a_million_entries_of_which_few_are_used(aware, expected):
    entries = pa.array([f"unused {n}" for n in range(1_000_000)] + ["idle", "light", "busy"])
    place = {"idle": 1_000_000, "light": 1_000_001, "busy": 1_000_002}
    values = pa.DictionaryArray.from_arrays(pa.array([place[value] for value in VALUES], pa.int32()), entries)
    found = aware.privatize(PROFILES, values, seed=7)
    assert found.to_pylist() == expected and len(found.dictionary) == 3


def test_nothing_gives_nothing(aware):
    assert aware.privatize([], []) == []
    assert aware.privatize(np.array([], dtype="U4"), np.array([], dtype="U4")).shape == (0,)
    assert aware.privatize([], np.array([], dtype="U0")).shape == (0,)
    empty = aware.privatize(pa.array([], pa.string()), pa.chunked_array([], pa.string()))
    assert empty.type == pa.string() and len(empty) == 0
    assert aware.privatize(pl.Series([], dtype=pl.String), pl.Series("v", [], dtype=pl.String)).dtype == pl.String
    assert len(aware.privatize(pd.Series([], dtype=object), pd.Series([], dtype=object))) == 0


@pytest.mark.parametrize(
    "values",
    [
        ["idle", None],
        pa.array(["idle", None]),
        pl.Series(["idle", None]),
        pd.Series(["idle", None]),
        pd.Series(["idle", float("nan")], dtype=object),
        pd.Series(["idle", None], dtype="category"),
        pa.array(["idle", None]).dictionary_encode(),
        np.array(["idle", None], dtype=object),
        np.ma.masked_array(["idle", "busy"], mask=[False, True]),
    ],
)
def test_nulls_are_an_error_by_row(aware, values):
    with pytest.raises(lookalike.InputError, match='row 2, column "values": null, expected one of the 3 categories'):
        aware.privatize(["ana", "ana"], values)


def test_unknown_values_are_an_error_without_their_content(aware):
    with pytest.raises(lookalike.InputError) as raised:
        aware.privatize(["ana", "bo"], ["idle", "SECRETMARKER"])
    message = 'row 2, column "values": not one of the 3 categories (unknown=CATEGORY maps such values)'
    assert str(raised.value) == message
    with pytest.raises(lookalike.InputError, match='row 1, column "profiles": not one of the 3 profiles'):
        aware.privatize(["SECRETMARKER", "bo"], ["idle", "idle"])
    assert set(aware.privatize(["ana"] * 9, ["SECRETMARKER"] * 9, unknown="busy")) <= {"idle", "light", "busy"}
    with pytest.raises(lookalike.InputError, match="unknown=\"x\" is not a category, expected one of idle, light, busy"):
        aware.privatize(["ana"], ["idle"], unknown="x")
    # A name is a name, also one that looks like an option.
    with pytest.raises(lookalike.InputError, match="unknown=\"a --force\" is not a category"):
        aware.privatize(["ana"], ["idle"], unknown="a --force")


@pytest.mark.parametrize(
    "values",
    [
        [b"idle"],
        ["idle", 1],
        [object()],
        "idle",
        7,
        {"idle": 1},
        np.zeros((2, 2)),
        np.array([1j]),
        np.array(["2024-01-01"], dtype="datetime64[D]"),
        np.array([b"idle"]),
    ],
)
def test_wrong_types_are_type_errors(aware, values):
    with pytest.raises(TypeError):
        aware.privatize(["ana"], values)


@pytest.mark.parametrize("values", [[1.5], np.array([1.5]), pa.array([1.5]), pa.array([[1]]), pl.Series([1.5])])
def test_types_without_categories_are_named(aware, values):
    with pytest.raises(lookalike.InputError, match='column "values": the type is'):
        aware.privatize(["ana"], values)


def test_bins_take_floats():
    graph = lookalike.SecretGraph.values(bins=[0, 0.5, 10], shape="chain")
    mech = lookalike.design(graph, epsilon=1)
    numbers = [0.0, 0.49, 0.5, 9.99, 10.0, 1e30] * 10
    expected = mech.privatize(numbers, seed=5)
    assert set(expected) <= set(mech.categories)
    for kind in (np.array, pa.array, pl.Series, pd.Series):
        assert list(mech.privatize(kind(numbers), seed=5)) == expected or (
            mech.privatize(kind(numbers), seed=5).to_pylist() == expected
        )
    assert mech.privatize(np.array(numbers, dtype=np.float32), seed=5).tolist() == expected
    with pytest.raises(lookalike.InputError, match="row 1.*not a finite number"):
        mech.privatize(np.array([np.inf]))


def test_columns_of_different_length_are_refused(aware):
    with pytest.raises(lookalike.InputError, match='column "profiles" has 1 rows and column "values" has 2'):
        aware.privatize(["ana"], ["idle", "idle"])
