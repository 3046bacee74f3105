"""Columns of places: latitudes and longitudes from every library, and back in the kind in which they came."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from . import _lookalike as _core
from ._data import _arrow, _library, check_pairs, take
from ._errors import InputError
from ._numbers import Number, text

Draw = Callable[[Any, Any, tuple[str, str]], list[Any]]
"""From latitudes, longitudes and their names to what is released, and the order of shuffled rows."""


def length(metres: Number, name: str) -> str:
    """The text of a length: a number of metres, or a text with a unit."""
    return text(metres, name)


def origin_of(origin: tuple[Number, Number] | str) -> str:
    """The text of a place: a latitude and a longitude, or both in one text."""
    if isinstance(origin, str):
        return origin
    if not isinstance(origin, (tuple, list)) or len(origin) != 2:
        raise TypeError(f"origin: a {type(origin).__name__}, expected a latitude and a longitude in degrees, like (52.52, 13.405)")
    return ",".join(text(degrees, "origin") for degrees in origin)


def degrees(number: Fraction) -> str:
    """Degrees, short."""
    return f"{float(number):.7g}"


def metres(number: Fraction | float) -> str:
    """A length, short."""
    return f"{float(number) / 1000:g} km" if number >= 1000 else f"{float(number):g} m"


def released(
    draw: Draw,
    places: Any,
    longitudes: Any,
    latitude: Any,
    longitude: Any,
    keep: Sequence[Any],
    shuffle: bool,
) -> Any:
    """What is drawn for two columns or for the columns of a data frame."""
    if places is None:
        places, longitudes, latitude, longitude = latitude, longitude, None, None
    elif longitudes is None and not isinstance(places, (numbers.Real, list, tuple)):
        if (names := _names(places)) is not None:
            return _of_frame(draw, _frame(places), names, latitude, longitude, keep, shuffle)
    if places is None or longitudes is None:
        raise InputError("longitudes are missing: expected latitudes and longitudes, or a data frame with both")
    if latitude is not None or longitude is not None:
        raise InputError("latitude and longitude: two columns were given, expected their names for a data frame only")
    if keep:
        raise InputError("keep: expected for a data frame only")
    return _of_columns(draw, places, longitudes, shuffle)


def _of_columns(draw: Draw, latitudes: Any, longitudes: Any, shuffle: bool) -> tuple[Any, Any]:
    if _is_number(latitudes) and _is_number(longitudes):
        north, east = draw([float(latitudes)], [float(longitudes)], ("latitude", "longitude"))[:2]
        return north[0], east[0]
    check_pairs(("latitudes", latitudes), ("longitudes", longitudes))
    indexes = [data.index for data in (latitudes, longitudes) if _has_index(data)]
    taken = [take(latitudes, "latitude")[0], take(longitudes, "longitude")[0]]
    north, east = draw(taken[0], taken[1], ("latitude", "longitude"))[:2]
    index = None if shuffle else next(filter(_is_plain, indexes), None)
    return _like(latitudes, north, index), _like(longitudes, east, index)


def _has_index(data: Any) -> bool:
    """Whether the rows have names, as those of pandas."""
    return type(data).__module__.partition(".")[0] in ("pandas", "geopandas") and hasattr(data, "index")


def _is_plain(index: Any) -> bool:
    """Whether an index only counts rows. Any other may hold the place itself, or who was there."""
    return isinstance(index, _library("pandas").RangeIndex)


def _is_number(data: Any) -> bool:
    return isinstance(data, numbers.Real) or getattr(data, "ndim", None) == 0


def _like(data: Any, core: Any, index: Any) -> Any:
    """Doubles in the kind of a column, with an index where it has one."""
    if isinstance(data, tuple):
        return tuple(core)
    library = type(data).__module__.partition(".")[0]
    if library == "numpy":
        return _array(core)
    if library in ("pandas", "geopandas"):
        pd = _library("pandas")
        if isinstance(data, pd.DataFrame):
            data = data.iloc[:, 0]
        if not isinstance(data, pd.Series):
            return _array(core)
        return pd.Series(_array(core), index=index, name=data.name)
    if library == "polars":
        return _library("polars").Series(core).alias(data.name)
    return core if isinstance(core, list) else _arrow(data, core)


def _array(core: Any) -> Any:
    """The numpy array of what the core gave."""
    np = _library("numpy")

    if isinstance(core, (list, np.ndarray)):
        return np.asarray(core)
    return _library("pyarrow").chunked_array(core).to_numpy()


def _names(data: Any) -> list[Any] | None:
    """The names of the columns of a data frame; none for what is none."""
    library = type(data).__module__.partition(".")[0]
    if library == "polars" and hasattr(data, "collect"):
        raise InputError("a lazy frame, expected a data frame: .collect() makes it one")
    if library in ("pandas", "geopandas", "polars"):
        return list(data.columns) if len(data.shape) == 2 else None
    names = getattr(data, "column_names", None) or getattr(data, "columns", None)
    return list(names) if isinstance(names, (list, tuple)) and hasattr(data, "__arrow_c_stream__") else None


def _frame(data: Any) -> Any:
    """The data frame itself, or as a table of pyarrow."""
    library = type(data).__module__.partition(".")[0]
    return data if library in ("pandas", "geopandas", "polars") else _library("pyarrow").table(data)


def _of_frame(
    draw: Draw, frame: Any, names: list[Any], latitude: Any, longitude: Any, keep: Sequence[Any], shuffle: bool
) -> Any:
    kept = [keep] if isinstance(keep, str) else list(keep)
    for name in [latitude, longitude, *kept]:
        if name is not None and names.count(name) != 1:
            listed = ", ".join(repr(known) for known in names[:30])
            found = "not found" if name not in names else "occurs twice"
            raise InputError(f"column {name!r}: {found}; the columns are {listed}")
    texts = [None if name is None else str(name) for name in (latitude, longitude)]
    found_names = _core.geo_names([str(name) for name in names], texts[0], texts[1], [str(name) for name in kept])
    north, east = (names[[str(known) for known in names].index(name)] for name in found_names)
    columns = draw(take(frame[north], str(north))[0], take(frame[east], str(east))[0], (str(north), str(east)))
    order = columns[2] if shuffle else None
    library = type(frame).__module__.partition(".")[0]
    build = _polars_frame if library == "polars" else _table if library == "pyarrow" else _pandas_frame
    return build(frame, {north: columns[0], east: columns[1]}, kept, order)


def _pandas_frame(frame: Any, places: dict[Any, Any], kept: list[Any], order: Any) -> Any:
    clear = frame[kept].copy() if order is None else frame[kept].iloc[_array(order)]
    if order is not None or not _is_plain(frame.index):
        clear = clear.reset_index(drop=True)
    for at, (name, degrees) in enumerate(places.items()):
        clear.insert(at, name, _array(degrees))
    return clear


def _polars_frame(frame: Any, places: dict[Any, Any], kept: list[Any], order: Any) -> Any:
    pl = _library("polars")

    clear = frame.select(kept)
    if order is not None and kept:
        clear = clear[pl.Series(order)]
    return pl.DataFrame([*(pl.Series(degrees).alias(name) for name, degrees in places.items()), *clear.get_columns()])


def _table(frame: Any, places: dict[Any, Any], kept: list[Any], order: Any) -> Any:
    pa = _library("pyarrow")

    clear = frame.select(kept)
    if order is not None:
        clear = clear.take(pa.chunked_array(order))
    columns = {name: pa.chunked_array(degrees) for name, degrees in places.items()}
    return pa.table({**columns, **{name: clear.column(name) for name in kept}})
