"""What reports will tell."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Prediction:
    """How wide the intervals of estimated shares will be, before anything is collected, beside those of local DP.

    Local DP is k-ary randomized response at the largest ε of the mechanism, with as many reports.
    """

    reports: int
    """From how many reports."""
    confidence: float
    """How often an interval is to cover the truth."""
    trust: str
    """What the figures will rest on: ``"nothing"``, or the ``"profiles"`` of the mechanism."""
    widths: dict[str, float]
    """How wide the interval of each category will be."""
    local_widths: dict[str, float]
    """The same with local DP."""
    widest: float
    """The largest of the widths."""
    local_widest: float
    """The same with local DP."""
    root_mean_square: float
    """The root of the mean squared width over the categories."""
    local_root_mean_square: float
    """The same with local DP."""
    determined: dict[str, bool]
    """Whether the interval of a category gets as narrow as one likes with more reports."""
    times_as_many_reports: float | None
    """How many times as many reports local DP takes for intervals that are as narrow; ``None`` where shares stay open."""


def prediction(text: str) -> Prediction:
    """The prediction in the JSON of the core."""
    found = json.loads(text)
    ours, local = found["mechanism"], found["local_dp"]

    def each(of: dict[str, Any], what: str) -> dict[str, Any]:
        single = (interval for interval in of["histogram"] if len(interval["categories"]) == 1)
        return {interval["categories"][0]: interval[what] for interval in single}

    return Prediction(
        reports=found["reports"],
        confidence=found["confidence"],
        trust=found["trust"],
        widths=each(ours, "width"),
        local_widths=each(local, "width"),
        widest=ours["widest"],
        local_widest=local["widest"],
        root_mean_square=ours["root_mean_square"],
        local_root_mean_square=local["root_mean_square"],
        determined=each(ours, "determined"),
        times_as_many_reports=found["times_as_many"],
    )
