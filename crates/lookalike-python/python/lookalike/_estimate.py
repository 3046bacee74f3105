"""What reports tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _lookalike as _core
from ._numbers import key


@dataclass(frozen=True)
class Figure:
    """A share with its interval: of one category or profile, or of several that the reports do not tell apart."""

    members: tuple[str, ...]
    """Whose share it is; of several the total."""
    share: float
    """The estimate: the share that makes the reports the likeliest, within the interval."""
    lower: float
    """The lower end of the interval."""
    upper: float
    """The upper end of the interval."""
    counted: float | None
    """The share of these labels in the released column, as it is; ``None`` where other labels are released, and for profiles."""
    unbiased: float | None
    """An estimate that is right on average, for adding up many: noise may push it below 0 or above 1. ``None`` where the reports
    do not determine the share."""


@dataclass(frozen=True)
class Misfit:
    """What does not fit: nothing that is thought possible explains the reports."""

    output: str
    """The output whose number of reports is the most surprising."""
    reported: float
    """Its share of the reports."""
    fitted: float
    """Its share in the law that fits best."""
    probability: float
    """How often, at most, reports fit so badly by chance."""


@dataclass(frozen=True)
class Estimate:
    """Shares of the true values, read back from privatized reports. ``estimate["busy"]`` is the figure of a category.

    >>> import lookalike
    >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
    >>> print(mech.estimate({"no": 600, "yes": 400}))
    1000 reports; 95 % intervals, each taken separately.
    category    share    lower    upper  counted
    no        0.70000  0.63776  0.76106  0.60000
    yes       0.30000  0.23894  0.36224  0.40000
    """

    reports: int
    """How many reports there were, without those that stand in for others."""
    stand_ins: int
    """How many more rows a ledger released without a look at their value."""
    trust: str
    """What the figures rest on: ``"nothing"``, the ``"limits"`` of the profiles, or the ``"profiles"`` of the mechanism."""
    about: str
    """Whom the figures are about, and what has to be true for that."""
    misfit: Misfit | None
    """What does not fit, where nothing explains the reports: then the figures are about nothing."""
    histogram: tuple[Figure, ...]
    """The share of each category, then the totals of those that cannot be told apart."""
    mix: tuple[Figure, ...]
    """The shares of profiles, as far as the reports determine them; empty where nothing is trusted."""
    covariance: tuple[tuple[float, ...], ...] = field(repr=False)
    """The covariance of the unbiased estimates; empty where some category has none, and for the reports of an oracle."""
    confidence: float
    """How often an interval covers the truth, or all of them do if they are simultaneous."""
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
        """The share of each category."""
        return {figure.members[0]: figure.share for figure in self._single()}

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The interval of each category."""
        return {figure.members[0]: (figure.lower, figure.upper) for figure in self._single()}

    def _single(self) -> Sequence[Figure]:
        return [figure for figure in self.histogram if len(figure.members) == 1]

    def summary(self) -> str:
        """The estimate in words and tables, as ``lookalike estimate`` prints it, with what it rests on.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> print(mech.estimate({"no": 650, "yes": 450}, stand_ins=100).summary())
        1000 reports; 95 % intervals, each taken separately.
        100 more records that stood in for others taken out.
        category    share    lower    upper  counted
        no        0.70000  0.63461  0.76431  0.59091
        yes       0.30000  0.23569  0.36539  0.40909
        About those who reported; nothing is assumed of them.
        """
        from ._estimate_text import summary

        return summary(self)

    def to_frame(self) -> Any:
        """The histogram as a DataFrame of pandas, or of polars where there is no pandas: a row for each figure.

        Members of a total are joined by ``+``. What is unknown is NaN, or null in polars.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> mech.estimate({"no": 600, "yes": 400}).to_frame().round(3)  # doctest: +SKIP
          category  share  lower  upper  counted  unbiased
        0       no    0.7  0.637   0.76      0.6       0.7
        1      yes    0.3  0.240  0.363      0.4       0.3
        """
        from ._estimate_frame import frame

        return frame(self)

    def plot(self, ax: Any = None) -> Any:
        """The intervals as bars with the shares as dots and the counted shares as rings, on axes of matplotlib, which it returns.

        >>> axes = mech.estimate(released).plot()  # doctest: +SKIP
        """
        from ._plot import intervals

        return intervals(self, ax)

    def __str__(self) -> str:
        from ._estimate_text import short

        return short(self)

    def _repr_html_(self) -> str:
        from ._html import estimate_html

        return estimate_html(self)


def misfit_text(misfit: Misfit, trust: str) -> str:
    """That reports do not fit, with the evidence and the way out, in the words of the command line."""
    return _core.misfit(misfit.output, misfit.reported, misfit.fitted, misfit.probability, trust)
