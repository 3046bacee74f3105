"""What a proof says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Certificate:
    """The facts of a proof in exact arithmetic. Without a proof there is none: a false claim raises ``PrivacyError``."""

    epsilon: float
    """The claim: of the worst pair for channels, of any two categories or neighbours otherwise."""
    epsilon_text: str
    """The claim as exact text, such as ``1/2`` or ``ln(3)``."""
    lower: float | None
    """The true ε is at least this."""
    upper: float | None
    """The true ε is at most this."""
    worst: tuple[str, str] | None = None
    """The pair closest to its claim; the first has the output with the larger probability."""
    output: str | None = None
    """The output that tells the pair apart best."""
    edges: int | None = None
    """How many pairs were proved."""
    proof: str = "exact law"
    """How it was proved."""
    confidence: str | None = None
    """For profiles within limits: what their file says of its confidence, such as ``95 % each``."""


@dataclass(frozen=True)
class Delta:
    """The least δ with which every pair is (ε, δ)-indistinguishable."""

    epsilon: float
    """The ε at which δ was asked for."""
    epsilon_text: str
    """The same as exact text."""
    lower: float
    """δ is at least this."""
    upper: float
    """δ is at most this."""
    exact: Fraction | None
    """δ itself, where it is a fraction that can be written out."""
    pair: tuple[str, str]
    """The pair that needs it."""
    outputs: tuple[str, ...]
    """The outputs that are more than e^ε times as likely for the first as for the second."""
    probabilities: tuple[Fraction, Fraction]
    """The probabilities a and b of these outputs, for the first and the second of the pair: δ is a − b·e^ε."""


def certificate(text: str, proof: str = "exact law") -> Certificate:
    """The certificate in the JSON of the core, where that does not say how it was proved: by this."""
    facts = json.loads(text)
    epsilon, worst = facts["epsilon"], facts.get("worst")
    return Certificate(
        epsilon["claimed"],
        epsilon["claimed_text"],
        epsilon["lower"],
        epsilon["upper"],
        (worst["edge"][0], worst["edge"][1]) if worst else None,
        worst["output"] if worst else None,
        facts.get("edges"),
        facts.get("proof", proof),
        facts.get("confidence"),
    )


def delta(text: str) -> Delta:
    """The δ in the JSON of the core."""
    found = json.loads(text)
    return Delta(
        found["epsilon"],
        found["epsilon_text"],
        found["lower"],
        found["upper"],
        None if found["exact"] is None else Fraction(found["exact"]),
        (found["edge"][0], found["edge"][1]),
        tuple(found["outputs"]),
        (Fraction(found["probabilities"][0]), Fraction(found["probabilities"][1])),
    )
