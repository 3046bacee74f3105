"""Columns of values: one, or several that make a joint category."""

from __future__ import annotations

import sys
from typing import Any

from ._data import Restore, check_pairs, take
from ._errors import InputError


def take_values(values: Any, shuffled: bool) -> tuple[list[Any], Restore]:
    """The columns for the core, and what makes the answer of the kind of the first."""
    columns, name = _columns(values)
    if columns is None:
        data, restore = take(values, "values")
        return [data], _reordered(restore) if shuffled else restore
    if not columns:
        raise InputError("values: no columns, expected at least one")
    check_pairs(("values", columns))
    taken = [take(column, f"values[{place}]") for place, column in enumerate(columns)]
    restore = _reordered(taken[0][1]) if shuffled else taken[0][1]
    return [data for data, _ in taken], restore if name is None else _table(restore, name, values)


def _columns(values: Any) -> tuple[list[Any] | None, str | None]:
    """The columns of a list of columns or of a table of several, and the name of the joint one; none for one column."""
    if isinstance(values, (list, tuple)):
        is_joint = bool(values) and all(not isinstance(item, (str, bytes)) and hasattr(item, "__len__") for item in values)
        return (list(values), None) if is_joint else (None, None)
    library = type(values).__module__.partition(".")[0]
    if library in ("pandas", "polars") and len(getattr(values, "shape", ())) == 2 and values.shape[1] > 1:
        return [values[name] for name in values.columns], "|".join(map(str, values.columns))
    if library == "pyarrow" and hasattr(values, "column_names") and len(values.column_names) > 1:
        return [values.column(place) for place in range(len(values.column_names))], "|".join(values.column_names)
    return None, None


def _table(restore: Restore, name: str, table: Any) -> Restore:
    """The joint column as a table of one."""

    def restored(core: Any) -> Any:
        column = restore(core)
        if hasattr(column, "to_frame"):
            return column.rename(name).to_frame()
        return sys.modules["pyarrow"].table({name: column})

    return restored


def _reordered(restore: Restore) -> Restore:
    """Rows in another order have no index of the input's."""

    def restored(core: Any) -> Any:
        column = restore(core)
        return column.reset_index(drop=True) if hasattr(column, "reset_index") else column

    return restored
