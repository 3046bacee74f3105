"""Estimates as data frames, of the library that is there."""

from __future__ import annotations

import importlib
from typing import Any

from ._errors import LookalikeError
from ._estimate import Estimate

NUMBERS = ("share", "lower", "upper", "counted", "unbiased")
"""The columns of numbers, as figures call them."""


def frame(estimate: Estimate) -> Any:
    """A row for each figure of the histogram."""
    names = [" + ".join(figure.members) for figure in estimate.histogram]
    columns = {number: [getattr(figure, number) for figure in estimate.histogram] for number in NUMBERS}
    # Where all is unknown there is no number to tell the type by.
    if (pandas := _library("pandas")) is not None:
        series = {number: pandas.Series(values, dtype="float64") for number, values in columns.items()}
        return pandas.DataFrame({"category": names, **series})
    if (polars := _library("polars")) is not None:
        types = dict.fromkeys(NUMBERS, polars.Float64)
        return polars.DataFrame({"category": names, **columns}, schema={"category": polars.String, **types})
    raise LookalikeError("a frame needs pandas or polars, and neither is installed: pip install pandas")


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
