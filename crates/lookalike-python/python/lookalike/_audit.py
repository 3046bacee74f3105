"""Attacks on mechanisms by their draws."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _lookalike as _core
from ._base import Claim, Progress
from ._errors import InputError
from ._numbers import Number, key, seed_of, text


@dataclass(frozen=True)
class Test:
    """One attack: an event, how often two secrets showed it, and what follows."""

    __test__ = False

    family: str
    """The kind of event."""
    secrets: tuple[str, str]
    """The pair."""
    event: str
    """The event in words."""
    hits: tuple[int, int]
    """How often each of the two showed it."""
    draws: tuple[int, int]
    """Out of how many draws."""
    bound: float
    """The lower bound on ε, or on δ: 0 where the draws say nothing."""
    claimed: float | None
    """What is claimed for the pair."""


@dataclass(frozen=True)
class Audit:
    """What an audit found. It can refute a claim, and never show that one holds."""

    verdict: str
    """Such as ``no evidence against`` or ``evidence against``."""
    is_evidence: bool
    """Whether a claim is refuted, or what was drawn from is not what was proved."""
    worst: Test
    """The test that speaks for the whole."""
    tests: tuple[Test, ...]
    """All tests."""
    confidence: float
    """The probability with which all bounds hold together."""
    measure: str
    """``epsilon`` or ``delta``: what the bounds are about."""
    draws: int
    """How many draws were made."""

    @property
    def bound(self) -> float:
        """The lower bound of the worst test."""
        return self.worst.bound


def audit(
    mechanism: Any,
    *,
    secrets: Sequence[Any] | None = None,
    epsilon: Number | None = None,
    delta_at: Number | None = None,
    delta: Number | None = None,
    pairs: Sequence[tuple[Any, Any]] = (),
    draws: int | float = 1_000_000,
    confidence: float = 0.999,
    batch: bool = False,
    seed: int | None = None,
    progress: Progress = None,
) -> Audit:
    """Attacks a mechanism by its draws: a lower bound on its ε that holds with the stated confidence.

    ``mechanism`` is a ``Mechanism``, an ``Oracle``, a ``Noise`` or a ``geo.PlanarNoise``, whose secrets and claims are known; or any function
    that takes a secret and returns an output, with ``batch=True`` a list of secrets and returns a list of outputs. A
    function needs ``secrets``, and ``epsilon`` or ``delta_at`` with ``delta``, which is what is claimed of it.
    Exceptions of the function come through as they are.

    >>> import lookalike, random
    >>> chance = random.Random(1)
    >>> def coin(secret):  # says to keep ln 3, and tells the truth nine times in ten
    ...     return secret if chance.random() < 0.9 else not secret
    >>> found = lookalike.audit(coin, secrets=[False, True], epsilon="ln(3)", draws=20_000)
    >>> found.is_evidence, found.bound > 1.5
    (True, True)
    """
    if isinstance(draws, bool) or int(draws) != draws or draws < 0:
        raise InputError(f"draws: {draws}, expected a whole number")
    ends = [(key(a, "pairs"), key(b, "pairs")) for a, b in pairs]
    wishes = {
        "epsilon": None if epsilon is None else text(epsilon, "epsilon"),
        "delta_at": None if delta_at is None else text(delta_at, "delta_at"),
        "delta": None if delta is None else text(delta, "delta"),
        "pairs": [f"{a},{b}" for a, b in ends],
        "draws": int(draws),
        "confidence": float(confidence),
        "seed": seed_of(seed),
    }
    if isinstance(mechanism, Claim):
        for name, given in [("secrets", secrets), ("epsilon", epsilon), ("delta", delta)]:
            if given is not None:
                raise InputError(f"{name}: the mechanism has its own, expected it for functions only")
        return _audit(_core.audit_mechanism(mechanism._core, wishes, progress))
    if not callable(mechanism):
        raise TypeError(f"a {type(mechanism).__name__}, expected a mechanism or a function")
    return _of_function(mechanism, secrets, batch, wishes, progress)


def _of_function(
    function: Callable[[Any], Any],
    secrets: Sequence[Any] | None,
    batch: bool,
    wishes: dict[str, Any],
    progress: Progress,
) -> Audit:
    if secrets is None:
        raise InputError("secrets are missing: expected two or more that the function takes")
    if wishes["seed"] is not None:
        raise InputError("seed: a function has its own randomness, expected a seed for mechanisms only")
    if wishes["epsilon"] is not None and wishes["delta_at"] is not None:
        raise InputError("both epsilon and delta_at, expected one of them")
    if wishes["delta"] is not None and wishes["delta_at"] is None:
        raise InputError("delta without delta_at, expected the epsilon at which it is claimed")
    named = [(secret if isinstance(secret, str) else repr(secret), secret) for secret in secrets]
    return _audit(_core.audit_callable(function, named, batch, wishes, progress))


def _audit(answer: tuple[str, bool, int]) -> Audit:
    facts, is_evidence, worst = answer
    found = json.loads(facts)
    tests = tuple(
        Test(
            test["family"],
            (test["pair"][0], test["pair"][1]),
            test["event"],
            (test["hits"][0], test["hits"][1]),
            (test["draws"][0], test["draws"][1]),
            test["bound"],
            test["claimed"],
        )
        for test in found["tests"]
    )
    return Audit(
        found["verdict"],
        is_evidence,
        tests[worst],
        tests,
        found["confidence"],
        found["measure"],
        found["draws"]["choosing"] + found["draws"]["testing"],
    )
