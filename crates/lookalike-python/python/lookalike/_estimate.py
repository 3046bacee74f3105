"""What reports tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from . import _lookalike as _core
from ._data import check_pairs, take
from ._numbers import key


@dataclass(frozen=True)
class Figure:
    """A share with its interval: of one category or profile, or of several that the reports do not tell apart."""

    members: tuple[str, ...]
    """Whose share it is; of several the total."""
    share: float
    """The unbiased estimate, which noise may push below 0 or above 1."""
    lower: float
    """The lower end of the interval."""
    upper: float
    """The upper end of the interval."""
    likelihood: float
    """The maximum-likelihood estimate, between 0 and 1."""
    bias: float
    """How far the estimate is off on average at most; 0 where the reports determine the share."""
    cut: bool
    """Whether the interval was cut at 0 or 1."""


@dataclass(frozen=True)
class Estimate:
    """Shares of the true values, read back from privatized reports. ``estimate["busy"]`` is the figure of a category."""

    reports: int
    """How many reports there were."""
    histogram: tuple[Figure, ...]
    """The share of each category, then the totals of those that cannot be told apart."""
    mix: tuple[Figure, ...]
    """The shares of profiles, as far as the reports determine them."""
    covariance: tuple[tuple[float, ...], ...] = field(repr=False)
    """The covariance of the unbiased estimates in the histogram."""
    confidence: float
    """How often an interval is to cover the truth, or all of them are if they are simultaneous."""
    simultaneous: bool
    """Whether the confidence is that of all intervals together."""

    def __getitem__(self, category: Any) -> Figure:
        name = key(category, "category")
        for figure in self.histogram:
            if figure.members == (name,):
                return figure
        raise KeyError(category)

    @property
    def shares(self) -> dict[str, float]:
        """The unbiased share of each category."""
        return {figure.members[0]: figure.share for figure in self.histogram if len(figure.members) == 1}

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The interval of each category."""
        single = (figure for figure in self.histogram if len(figure.members) == 1)
        return {figure.members[0]: (figure.lower, figure.upper) for figure in single}

    def _repr_html_(self) -> str:
        from ._html import estimate_html

        return estimate_html(self)


@dataclass(frozen=True)
class Prediction:
    """The errors to expect of estimated shares, before anything is collected."""

    reports: int
    """From how many reports."""
    root_mean_square: float
    """The root of the mean squared error over the categories, at most."""
    errors: dict[str, float]
    """The standard error of each category."""
    biases: dict[str, float]
    """What no number of reports can tell; 0 where the reports determine the share."""
    local_root_mean_square: float
    """The same root for local DP at the largest ε, k-ary randomized response, with as many reports."""
    local_errors: dict[str, float]
    """The standard error of each category with local DP."""
    times_as_many_reports: float | None
    """How many times as many reports local DP takes for the same mean squared error; ``None`` where shares stay open."""


def estimated(
    core: _core.Mechanism | _core.Oracle,
    outputs: Any,
    by: Any,
    confidence: float,
    simultaneous: bool,
    progress: Callable[[str, int, int | None], object] | None,
) -> Any:
    """The estimate from outputs, or one for each value of a public column."""
    check_pairs(("outputs", outputs), ("by", by))
    data, _ = take(outputs, "outputs")
    cohort = None if by is None else take(by, "by")[0]
    found = cohorts(_core.estimate(core, data, cohort, (float(confidence), bool(simultaneous)), progress))
    return found[None] if by is None else found


def cohorts(text: str) -> dict[str | None, Estimate]:
    """The estimates in the JSON of the core, by the names of cohorts."""
    found = json.loads(text)

    def figures(items: list[dict[str, Any]], of: str) -> Iterator[Figure]:
        for item in items:
            yield Figure(
                tuple(item[of]),
                item["unbiased"],
                item["lower"],
                item["upper"],
                item["likelihood"],
                item["bias"],
                item["cut"],
            )

    return {
        cohort["name"]: Estimate(
            cohort["reports"],
            tuple(figures(cohort["histogram"], "categories")),
            tuple(figures(cohort["mix"], "profiles")),
            tuple(map(tuple, cohort["covariance"])),
            found["confidence"],
            found["simultaneous"],
        )
        for cohort in found["cohorts"]
    }


def prediction(text: str) -> Prediction:
    """The prediction in the JSON of the core."""
    found = json.loads(text)

    def each(of: str, figure: str) -> dict[str, float]:
        histogram = found[of]["histogram"]
        return {error["categories"][0]: error[figure] for error in histogram if len(error["categories"]) == 1}

    return Prediction(
        found["reports"],
        found["mechanism"]["root_mean_square"],
        each("mechanism", "standard_error"),
        each("mechanism", "bias"),
        found["local_dp"]["root_mean_square"],
        each("local_dp", "standard_error"),
        found["times_as_many"],
    )
