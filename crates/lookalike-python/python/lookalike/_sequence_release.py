"""Noisy answers about sequences of states."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Any

from . import _lookalike as _core
from ._base import Progress
from ._calibration import Calibration, calibration, shown
from ._chain import Theta, columns_of, core_of
from ._errors import InputError
from ._numbers import Number, key, seed_of, text


@dataclass(frozen=True)
class Answer:
    """One number of a release."""

    value: int | float
    """The answer with noise."""
    at_least: int | float
    """The true answer is no less, with the confidence of the release."""
    at_most: int | float
    """And no more."""


@dataclass(frozen=True, repr=False)
class Release:
    """Noisy answers about sequences of states. Protected is the state at each moment; how many moments there are is public."""

    answers: dict[str, Answer]
    """The answers by name: the states of a histogram, or the only one."""
    query: str
    """What was asked."""
    confidence: float
    """How often an interval holds its answer, each by itself."""
    calibration: Calibration
    """How much noise, and why."""
    lipschitz: Fraction
    """L: by how much one moment changes all answers together, before a mean is divided by the number of moments."""
    noise_scale: float
    """The scale of the noise on each answer."""
    group_noise_scale: float
    """What group privacy would have needed."""
    moments: int
    """How many moments there are in all sequences."""
    lengths: tuple[int, ...] = field(repr=False)
    """How long each sequence is."""
    seeded: bool
    """Whether it can be drawn again, and so is not private."""

    @property
    def answer(self) -> Answer:
        """The only answer, of a count, a sum or a mean."""
        if len(self.answers) != 1:
            raise InputError(f"{len(self.answers)} answers, expected one: answers has them by name")
        return next(iter(self.answers.values()))

    @property
    def value(self) -> int | float:
        """The only answer with noise."""
        return self.answer.value

    def __getitem__(self, name: Any) -> Answer:
        return self.answers[key(name, "name")]

    def __repr__(self) -> str:
        listed = [f"{name} {item.value} ({item.at_least} to {item.at_most})" for name, item in self.answers.items()]
        more = ", …" if len(listed) > 6 else ""
        return f"Release({self.query} at epsilon {self.calibration.epsilon_text}: {', '.join(listed[:6])}{more})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{item.value}</td><td>{item.at_least}</td><td>{item.at_most}</td></tr>"
            for name, item in self.answers.items()
        )
        caption = (
            f"{escape(self.query)} of {self.moments} moments at ε {escape(self.calibration.epsilon_text)}; "
            f"{100 * self.confidence:g} % intervals"
        )
        cost = (
            f"Noise of scale {shown(self.noise_scale)}; group privacy would need {shown(self.group_noise_scale)}. "
            f"{escape(self.calibration.explain())}"
        )
        head = "<tr><th></th><th>released</th><th>at least</th><th>at most</th></tr>"
        return f"<div><table><caption>{caption}</caption>{head}{rows}</table><p>{cost}</p></div>"


def release(
    theta: Theta,
    sequence: Any,
    query: str = "histogram",
    state: Any = None,
    *,
    epsilon: Number,
    method: str = "auto",
    seed: int | None = None,
    confidence: Number = 0.95,
    progress: Progress = None,
) -> Release:
    """Answers a question about a sequence of states with noise that hides every moment.

    ``sequence`` is a column of states in their order, or several as in ``Chain.fit``: they must have nothing to do with
    one another, and the noise is that of the longest. ``method`` is as for ``calibrate``, or ``"wasserstein"``: how far one
    state moves a count or a sum of short sequences. ``query`` is ``"histogram"``, ``"count"`` of a ``state``,
    ``"sum"`` or ``"mean"`` of the numbers that states stand for. The chains are public and must not be fitted from the
    sequence. Each release from one sequence costs: ``compose`` says what several lose together. With a ``seed`` the answer
    is that of the command line with the same seed, and not private.

    >>> import lookalike
    >>> chain = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]], states=["idle", "walk"])
    >>> day = ["idle", "idle", "walk", "walk", "idle"] * 60
    >>> done = lookalike.pufferfish.release(chain, day, "count", "walk", epsilon=1, seed=1)
    >>> done
    Release(count:walk at epsilon 1: walk 119 (108 to 130))
    >>> done.value == done.answer.value == done["walk"].value
    True
    """
    words = {
        "query": _query(query, state),
        "epsilon": text(epsilon, "epsilon"),
        "method": method,
        "confidence": text(confidence, "confidence"),
        "seed": seed_of(seed),
    }
    columns = columns_of(sequence, "sequence")
    answer, scale, lengths, whole = _core.pufferfish_release(core_of(theta), columns, words, progress)
    found = json.loads(answer)
    number = int if whole else float
    answers = {
        item["name"]: Answer(number(item["released"]), number(item["at_least"]), number(item["at_most"]))
        for item in found["answers"]
    }
    return Release(
        answers,
        found["query"],
        found["confidence"],
        calibration(scale, found["longest"], (found["epsilon"], found["epsilon_text"]), theta),
        Fraction(found["lipschitz"]),
        found["noise_scale"],
        found["group_noise_scale"],
        found["moments"],
        tuple(lengths),
        found["seeded"],
    )


def _query(query: str, state: Any) -> str:
    if query == "count":
        if state is None:
            raise InputError("state is missing: expected the state that is counted")
        return f"count:{key(state, 'state')}"
    if state is not None:
        raise InputError(f'state: given with the query {query!r}, expected it with "count" alone')
    return query
