"""Columns of data from every library, and back in the kind in which they came.

No library is imported here unless the data came from it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from ._errors import InputError

Restore = Callable[[Any], Any]


def take(data: Any, name: str) -> tuple[Any, Restore]:
    """The column for the core, and what makes the answer of the kind of ``data``."""
    if isinstance(data, list):
        return data, _same
    if isinstance(data, tuple):
        return list(data), tuple
    library = type(data).__module__.partition(".")[0]
    if library in ("pandas", "polars") and hasattr(data, "shape") and len(data.shape) == 2:
        return _frame(data, name)
    if library == "numpy" and hasattr(data, "dtype"):
        return _numpy(data, name)
    if library == "pandas" and hasattr(data, "to_numpy"):
        return _pandas(data, name)
    if library == "polars" and hasattr(data, "to_arrow") and hasattr(data, "dtype"):
        return data, lambda core: _polars(data, core)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return data, lambda core: _arrow(data, core)
    if isinstance(data, (str, bytes, dict)) or not hasattr(data, "__iter__"):
        raise TypeError(f"{name}: a {type(data).__name__}, expected a list, a numpy array or an Arrow column")
    return list(data), _same


def check_pairs(*columns: tuple[str, Any]) -> None:
    """Refuses columns whose rows have other labels, as Series of pandas may, since rows are paired by their positions.

    Every entry point that takes several columns asks here: a value must not get the channel, the cohort or the account of
    another row. A list or tuple of columns counts as its columns; what has no index is paired by position. Columns of
    different lengths are refused by the core, which says so. Labels may be private: none is shown.
    """
    first: tuple[str, Any] | None = None
    for name, column in columns:
        for index in _indexes(column):
            if first is None:
                first = (name, index)
            elif index is not first[1] and len(index) == len(first[1]) and not index.equals(first[1]):
                names = name if name == first[0] else f"{first[0]} and {name}"
                raise InputError(
                    f"{names}: their indexes differ, expected the same labels in the same order (one.loc[other.index] brings "
                    "one into the order of the other, reset_index(drop=True) of each pairs them in the order of their rows)"
                )


def _indexes(column: Any) -> list[Any]:
    """The labels of rows: of a Series or a data frame, or of each in a list of columns."""
    if isinstance(column, (list, tuple)):
        # A list of values is long, and its first item tells that it is none of columns.
        has_columns = bool(column) and hasattr(column[0], "__len__") and not isinstance(column[0], (str, bytes))
        return [index for item in column for index in _indexes(item)] if has_columns else []
    index = getattr(column, "index", None)
    return [index] if hasattr(index, "equals") else []


def is_single(value: Any) -> bool:
    """Whether it is one value, as against a column of them."""
    return isinstance(value, (str, int, float)) or getattr(value, "ndim", None) == 0


def _library(name: str) -> Any:
    # Untyped: no version of any library is required, and none is checked against.
    return importlib.import_module(name)


def _same(core: Any) -> Any:
    return core


def _frame(frame: Any, name: str) -> tuple[Any, Restore]:
    """A data frame of one column is that column."""
    if frame.shape[1] != 1:
        raise InputError(f"{name}: a table of {frame.shape[1]} columns, expected one column")
    column = frame[frame.columns[0]]
    data, restore = take(column, name)
    return data, lambda core: restore(core).to_frame()


def _numpy(array: Any, name: str) -> tuple[Any, Restore]:
    np = _library("numpy")

    if array.ndim != 1:
        raise TypeError(f"{name}: an array of {array.ndim} dimensions, expected one")
    if isinstance(array, np.ma.MaskedArray):
        if np.ma.is_masked(array):
            # Masked rows become None, which the core refuses by row.
            return array.tolist(), np.array
        array = array.data
    kind = array.dtype.kind
    if kind in "biu" or (kind == "f" and array.dtype.itemsize in (4, 8)):
        return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")), _same
    if kind == "f" and array.dtype.itemsize == 2:
        return array.astype(np.float32), _same
    if kind == "U":
        width = array.dtype.itemsize // 4
        if width == 0:
            return array.tolist(), lambda core: np.array(core, dtype=np.str_)
        native = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
        return (native.view(np.uint32), width), _same
    if kind in "OT":
        dtype = array.dtype
        return array.tolist(), lambda core: np.array(core, dtype=dtype)
    raise TypeError(f"{name}: an array of the type {array.dtype}, expected numbers, booleans or text")


def _pandas(series: Any, name: str) -> tuple[Any, Restore]:
    pd = _library("pandas")

    values = series.array if hasattr(series, "array") else series
    index, label = getattr(series, "index", None), getattr(series, "name", None)

    def series_of(values: Any) -> Any:
        if isinstance(series, pd.Series):
            return pd.Series(values, index=index, name=label, dtype=getattr(values, "dtype", None))
        return pd.Index(values, name=label) if isinstance(series, pd.Index) else values

    if isinstance(series.dtype, pd.CategoricalDtype):
        return _categorical(values, series_of)
    if hasattr(values, "__arrow_array__") and "pyarrow" in sys.modules:
        arrow = values.__arrow_array__()
        dtype = series.dtype

        def from_arrow(core: Any) -> Any:
            pa = _library("pyarrow")

            answer = pa.chunked_array(core)
            restored = answer.to_pandas()
            if pa.types.is_string(answer.type) and _is_number(dtype):
                return series_of(restored.array)
            try:
                return series_of(restored.astype(dtype).array)
            except (TypeError, ValueError):
                return series_of(restored.array)

        return arrow, from_arrow
    core, restore = _numpy(series.to_numpy(), name)
    dtype = series.dtype

    def from_numpy(answer: Any) -> Any:
        restored = restore(answer)
        if _is_text(restored) and _is_number(dtype):
            return series_of(restored)
        try:
            return series_of(pd.array(restored, dtype=dtype))
        except (TypeError, ValueError):
            return series_of(restored)

    return core, from_numpy


def _is_text(array: Any) -> bool:
    return array.dtype.kind in "UOT"


def _is_number(dtype: Any) -> bool:
    """Whether texts would become numbers: "007" must not come back as 7."""
    return getattr(dtype, "kind", "O") in "biufc"


def _categorical(values: Any, series_of: Callable[[Any], Any]) -> tuple[Any, Restore]:
    """Codes and categories: each category is looked at once, and only if it occurs."""
    np = _library("numpy")
    pd = _library("pandas")

    used, places = np.unique(values.codes, return_inverse=True)
    names = [None if code < 0 else values.categories[code] for code in used]
    items = np.array([*names, None], dtype=object)[:-1]
    ordered = bool(values.ordered)

    def restore(core: Any) -> Any:
        found = list(dict.fromkeys(core))
        known = list(values.categories)
        extra = [name for name in found if name not in known]
        return series_of(pd.Categorical(core, categories=known + extra, ordered=ordered))

    return items[places].tolist(), restore


def _polars(series: Any, core: Any) -> Any:
    pl = _library("polars")

    restored = pl.Series(series.name, core).alias(series.name)
    if restored.dtype != series.dtype and not (restored.dtype == pl.String and series.dtype.is_numeric()):
        try:
            return restored.cast(series.dtype, strict=True)
        except pl.exceptions.PolarsError:
            pass
    return restored


def _arrow(data: Any, core: Any) -> Any:
    if "pyarrow" not in sys.modules:
        return core
    pa = _library("pyarrow")

    restored = pa.chunked_array(core)
    if isinstance(data, pa.Array):
        return restored.combine_chunks() if restored.num_chunks != 1 else restored.chunk(0)
    if isinstance(data, (pa.ChunkedArray, pa.Table, pa.RecordBatch)) or hasattr(data, "columns"):
        names = getattr(data, "column_names", None) or getattr(data, "columns", None)
        return restored if isinstance(data, pa.ChunkedArray) or not names else pa.table({names[0]: restored})
    return restored
