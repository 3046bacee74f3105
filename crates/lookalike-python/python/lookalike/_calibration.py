"""How much noise hides every moment of a sequence."""

from __future__ import annotations

import html as _html
import json
import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any

from . import _lookalike as _core
from ._base import Progress
from ._chain import Theta, core_of
from ._errors import PrivacyWarning
from ._noise import Noise
from ._numbers import Number, at_least_one, text

NAMES = {
    "exact": "exact quilts",
    "approximate": "approximate quilts",
    "contraction": "contraction",
    "gk16": "influence matrix (GK16)",
    "wasserstein": "Wasserstein",
    "group": "group privacy",
    "entry": "entry privacy",
}
"""What the methods are called in files and in texts."""


@dataclass(frozen=True, repr=False)
class Calibration:
    """A scale σ that hides every moment of a sequence, and what it rests on.

    Noise of scale L·σ on a query that the state of one moment changes by at most L makes every two states of every moment
    look alike within ε, whichever chain of the class the sequence came from. ``pufferfish.calibrate`` makes one.
    """

    method: str
    """``exact``, ``approximate``, ``contraction``, ``gk16``, ``group``, ``entry``, or of a release ``wasserstein``."""
    length: int
    """How many moments there are."""
    epsilon: float
    """ε."""
    epsilon_text: str
    """The same as exact text."""
    scale: Fraction
    """σ, never too small."""
    sigma: float
    """The same as a float, rounded up."""
    group_scale: Fraction
    """What group privacy, which hides the whole sequence at once, would need."""
    moment: int | None = None
    """The moment that needs the most noise, for quilts and by distance; the first is 1."""
    quilt: tuple[int | None, int | None] | None = None
    """Its quilt: how far before and after it the moments stand that shield it; ``None`` for none on that side."""
    near: int | None = None
    """How many moments stand on the near side of the quilt."""
    influence: float | None = None
    """By how much, at most, the moment changes the odds of its quilt, of ln."""
    chain: int | None = None
    """For quilts: the place in the class of the chain that needs the most noise."""
    leave: tuple[Fraction, Fraction] | None = None
    """For a box the probabilities of leaving the two states in a chain that needs nearly as much noise."""
    passed_on: float | None = None
    """For contraction: how much of what it was told a step passes on, at most."""
    stands_for: float | None = None
    """For contraction: for how many independent moments one stands, at most."""
    norm: float | None = None
    """For gk16: the norm of the influence matrix, at most."""
    distance: float | None = None
    """For wasserstein: how far the state of one moment moves the answer, at most."""
    _theta: Any = field(default=None, repr=False, compare=False)

    @property
    def private(self) -> bool:
        """Whether it protects a moment of a chain: all methods do but ``entry``, which is there to be compared with."""
        return self.method != "entry"

    @property
    def falls_back(self) -> bool:
        """Whether no quilt is any good, so that the noise is that of group privacy."""
        return self.quilt == (None, None)

    def noise(self, lipschitz: Number = 1, grid: Number = 1) -> Noise:
        """Noise for each number of a query that one moment changes by at most ``lipschitz`` in all.

        1 for a count, 2 for a histogram. A query of several numbers must have all of them on the grid. What the noise claims
        is about any one moment, with the chains and what proves it in its file; for ``entry``, which hides no moment of a
        chain, it is about numbers ``lipschitz`` apart. For a ``BinaryBox`` it is proved by contraction, and noise that only
        quilts can prove is an ``InputError``.

        >>> import lookalike
        >>> chain = lookalike.pufferfish.Chain([[0.5, 0.5], [0.5, 0.5]])
        >>> lookalike.pufferfish.calibrate(chain, length=100, epsilon="1/2").noise(lipschitz=2).add([12, 88], seed=1)
        [11, 88]
        """
        query = (text(lipschitz, "lipschitz"), text(grid, "grid"))
        core, scale = core_of(self._theta), str(self.scale)
        return Noise._of(_core.pufferfish_noise(core, self.length, self.epsilon_text, self.method, scale, query))

    def explain(self) -> str:
        """Why so much, in a sentence."""
        if self.quilt is not None and self.falls_back:
            return "No quilt helps at this ε; the noise is that of group privacy, which hides the whole sequence."
        if self.quilt is not None:
            sides = zip(self.quilt, ("before", "after"))
            quilt = " and ".join(f"the moment {distance} {word}" for distance, word in sides if distance is not None)
            return (
                f"Moment {self.moment} needs the most noise. Its quilt is {quilt}: {self.near} on the near side, and its state "
                f"changes the odds of the quilt by at most e^{shown(self.influence or 0)}."
            )
        if self.method == "contraction":
            return (
                f"Each step passes on at most {shown(self.passed_on or 0)} of what it was told, so that a moment stands "
                f"for at most {shown(self.stands_for or 0)} independent ones."
            )
        if self.method == "gk16":
            return f"The influence matrix has a norm of at most {shown(self.norm or 0)}."
        if self.method == "wasserstein":
            return f"The state of moment {self.moment} moves the answer by at most {shown(self.distance or 0)} in all."
        if self.method == "group":
            return "All moments are hidden at once, so that no correlation can tell."
        return "Not private for a chain: neighbours in time tell of a moment what the noise hides."

    def __repr__(self) -> str:
        return f"Calibration({self.method}, length {self.length}, epsilon {self.epsilon_text}, sigma {shown(self.scale)})"

    def _repr_html_(self) -> str:
        rows = [("method", NAMES[self.method]), ("moments", self.length), ("ε", self.epsilon_text),
                ("σ", shown(self.scale)), ("σ of group privacy", shown(self.group_scale))]
        cells = "".join(f"<tr><th>{name}</th><td>{_html.escape(str(value))}</td></tr>" for name, value in rows)
        return f"<div><table>{cells}</table><p>{_html.escape(self.explain())}</p></div>"


@dataclass(frozen=True)
class Compared:
    """One way to find the noise, among others."""

    method: str
    """Its name."""
    calibration: Calibration | None
    """What it finds, or ``None`` where it does not apply."""
    reason: str | None
    """Why it does not apply."""


def calibrate(
    theta: Theta, length: int, epsilon: Number, method: str = "auto", *, progress: Progress = None
) -> Calibration:
    """The noise that hides every moment of a sequence, whichever chain of ``theta`` it came from.

    ``theta`` is a ``Chain``, a list of them, or a ``BinaryBox``. ``method`` is ``"exact"`` (Markov quilts),
    ``"approximate"`` (quilts by the spectral gap), ``"contraction"`` (what each step forgets), ``"gk16"`` (the influence
    matrix), ``"group"`` or ``"entry"``; ``"auto"`` is the better of exact and contraction. Nothing is promised about
    chains outside of ``theta``, so they must not be fitted from the sequence itself.

    >>> import lookalike
    >>> chain = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]])
    >>> found = lookalike.pufferfish.calibrate(chain, length=100, epsilon=1, method="exact")
    >>> found
    Calibration(exact, length 100, epsilon 1, sigma 12.84)
    >>> found.quilt, found.near, found.private, found.falls_back
    ((5, 5), 9, True, False)
    >>> print(found.explain())
    Moment 50 needs the most noise. Its quilt is the moment 5 before and the moment 5 after: 9 on the near side, and its state changes the odds of the quilt by at most e^0.299064.
    """
    core = core_of(theta)
    budget = text(epsilon, "epsilon")
    scale, number, exact = _core.pufferfish_calibrate(core, _length(length), budget, method, progress)
    found = calibration(scale, length, (number, exact), theta)
    if not found.private:
        message = "entry privacy does not protect a moment of a chain: neighbours in time tell of it"
        warnings.warn(message, PrivacyWarning, stacklevel=2)
    return found


def compare(theta: Theta, length: int, epsilon: Number, *, progress: Progress = None) -> list[Compared]:
    """All methods side by side; those that do not apply say why.

    >>> import lookalike
    >>> chain = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]])
    >>> for row in lookalike.pufferfish.compare(chain, length=100, epsilon=1):
    ...     print(row.method, row.calibration and round(row.calibration.sigma, 4))
    exact 12.84
    approximate 21.8624
    contraction 3.6391
    gk16 None
    group 100.0
    entry 1.0
    """
    rows, number, exact = _core.pufferfish_compare(core_of(theta), _length(length), text(epsilon, "epsilon"), progress)
    return [
        Compared(method, None if scale is None else calibration(scale, length, (number, exact), theta), reason)
        for method, scale, reason in rows
    ]


def html(theta: Theta, length: int, epsilon: Number, *, progress: Progress = None) -> str:
    """A self-contained page about the noise that hides every moment: how fast the chain forgets, and what that saves.

    >>> import lookalike
    >>> chain = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]])
    >>> page = lookalike.pufferfish.html(chain, length=100, epsilon=1)
    >>> "Noise for 100 moments" in page, "<script" in page
    (True, False)
    """
    return _core.pufferfish_page(core_of(theta), _length(length), text(epsilon, "epsilon"), progress)


def save_html(
    theta: Theta,
    path: str | os.PathLike[str],
    length: int,
    epsilon: Number,
    *,
    overwrite: bool = False,
    progress: Progress = None,
) -> None:
    """Writes the page of ``html`` to a file.

    >>> import lookalike, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "chain.html"
    >>> lookalike.pufferfish.save_html(lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]]), path, length=50, epsilon=1)
    >>> path.exists()
    True
    """
    _core.write_text(os.fspath(path), html(theta, length, epsilon, progress=progress), overwrite)


def compose(
    theta: Theta, length: int, scales: Iterable[Number | Calibration], *, progress: Progress = None
) -> Fraction:
    """What several releases from one sequence lose together: an ε, never too small.

    ``scales`` are the σ of the releases, or their calibrations. It is less than the sum of what each loses by itself,
    since what one moment tells of others is limited, and paid once.

    >>> import lookalike
    >>> chain = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]])
    >>> found = lookalike.pufferfish.calibrate(chain, length=100, epsilon=1)
    >>> round(float(lookalike.pufferfish.compose(chain, 100, [found, found, 2 * found.scale])), 4)
    2.3915
    """
    listed = [str(scale.scale) if isinstance(scale, Calibration) else text(scale, "scales") for scale in scales]
    return Fraction(_core.pufferfish_compose(core_of(theta), _length(length), listed, progress))


@dataclass(frozen=True)
class SumDistance:
    """How far the state of one moment moves a sum over all moments."""

    distance: Fraction
    """W, never too small: noise of scale W/ε makes the sum private."""
    chain: int
    """The place in the class of the chain where it is largest."""
    node: int
    """The moment; the first is 1."""
    states: tuple[str, str]
    """The two states of that moment."""
    exact: bool
    """Whether W is the very distance; for an arbitrary start it is an upper bound."""

    def noise(self, epsilon: Number, grid: Number = 1) -> Noise:
        """The noise for the sum.

        >>> import lookalike
        >>> chain = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]], initial=[0.8, 0.2])
        >>> lookalike.pufferfish.sum_distance(chain, [0, 1], length=20).noise(epsilon=1)
        Noise(discrete-laplace, epsilon 1, sensitivity 4, grid 1)
        """
        return Noise._of(_core.laplace(text(epsilon, "epsilon"), str(self.distance), text(grid, "grid"), None))


def sum_distance(theta: Theta, weights: Sequence[Number], length: int) -> SumDistance:
    """The distance that one state moves the sum of ``weights`` over all moments, exactly: for short sequences.

    ``weights`` has the number that each state adds: 1 for one and 0 for the others counts that state.

    >>> import lookalike
    >>> chain = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]], initial=[0.8, 0.2])
    >>> lookalike.pufferfish.sum_distance(chain, [0, 1], length=20).distance
    Fraction(4, 1)
    """
    listed = [text(weight, "weights") for weight in weights]
    distance, chain, node, states, exact = _core.pufferfish_sum_distance(core_of(theta), listed, _length(length))
    return SumDistance(Fraction(distance), chain, node, (states[0], states[1]), exact)


def shown(number: Fraction | float) -> str:
    """At most six digits of a number that bounds from above, rounded up."""
    exact, context = Fraction(number), Context(prec=6, rounding=ROUND_CEILING)
    digits = context.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize()
    return f"{digits:f}"


def _length(length: Any) -> int:
    return at_least_one(length, "length")


def calibration(core: _core._Scale, length: int, budget: tuple[float, str], theta: Theta) -> Calibration:
    """A scale from the core, for sequences of a length and a budget as a number and as text."""
    facts, scale, group_scale, leave = core
    found = json.loads(facts)
    quilt, chain = found.get("quilt"), found.get("chain")
    return Calibration(
        found["method"],
        length,
        *budget,
        Fraction(scale),
        found["sigma"],
        Fraction(group_scale),
        found.get("moment"),
        None if quilt is None else (quilt["before"], quilt["after"]),
        found.get("near"),
        found.get("influence"),
        None if chain is None else chain - 1,
        None if leave is None else (Fraction(leave[0]), Fraction(leave[1])),
        found.get("passed_on"),
        found.get("stands_for"),
        found.get("norm"),
        found.get("distance"),
        theta,
    )
