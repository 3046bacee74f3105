"""Google's accountant agrees with our ε and δ on random channels, as far as its discretisation goes.

It knows nothing of ours: it is given the laws of two secrets as doubles, and puts the privacy loss on a grid, rounded up
(pessimistic) or down (optimistic). So its two answers are on either side of the truth, a grid step of ε apart.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from fractions import Fraction

import pytest

import lookalike

pld = pytest.importorskip(
    "dp_accounting.pld.privacy_loss_distribution",
    reason="dp_accounting is not installed: its agreement was not tested (pip install dp-accounting)",
)

TOTAL = 1 << 53
STEP = 1e-4
# What doubles leave open in sums of a few hundred terms.
ROUNDING = 1e-9


def random_channel(chance: random.Random, inputs: int, outputs: int, zeros: float) -> lookalike.Mechanism:
    """A channel of kind point with a claim that is large enough, of integers out of 2^53; some may be 0."""
    names = [f"x{place}" for place in range(inputs)]
    rows = [random_row(chance, outputs, zeros) for _ in names]
    text = {
        "format": "lookalike-mechanism",
        "version": 2,
        "kind": "point",
        "epsilon": "40",
        "secrets": {"are": "values"},
        "categories": names,
        "outputs": [f"y{place}" for place in range(outputs)],
        "groups": [{"name": "all", "members": names, "epsilon": "40"}],
        "channels": [{"rows": rows}],
    }
    return lookalike.Mechanism.from_json(json.dumps(text))


def random_row(chance: random.Random, outputs: int, zeros: float) -> list[int]:
    weights = [0 if place and chance.random() < zeros else chance.randint(1, 50) for place in range(outputs)]
    row = [weight * TOTAL // sum(weights) for weight in weights]
    row[0] += TOTAL - sum(row)
    return row


def accountants(upper: list[Fraction], lower: list[Fraction]):
    """Google's bounds from above and from below for a pair, in the direction from the first to the second."""
    logarithms = [{place: math.log(p) for place, p in enumerate(law) if p} for law in (upper, lower)]
    return [
        pld.from_two_probability_mass_functions(
            log_probability_mass_function_lower=logarithms[1],
            log_probability_mass_function_upper=logarithms[0],
            pessimistic_estimate=pessimistic,
            value_discretization_interval=STEP,
        )
        for pessimistic in (True, False)
    ]


def brackets(mechanism: lookalike.Mechanism, question) -> tuple[float, float]:
    """The largest answer over all pairs in both directions: from below, and from above."""
    laws = [mechanism.output_law(secret) for secret in mechanism.secrets]
    answers = [[question(bound) for bound in accountants(*pair)] for pair in itertools.permutations(laws, 2)]
    return max(low for _, low in answers), max(high for high, _ in answers)


CHANNELS = [(seed, inputs, outputs) for seed, (inputs, outputs) in enumerate([(2, 2), (2, 5), (3, 3), (4, 6), (2, 40)])]


@pytest.mark.parametrize(("seed", "inputs", "outputs"), CHANNELS)
def test_epsilon_agrees(seed, inputs, outputs):
    mechanism = random_channel(random.Random(seed), inputs, outputs, zeros=0.0)
    proof = mechanism.certify()
    low, high = brackets(mechanism, lambda bound: bound.get_epsilon_for_delta(0.0))
    assert 0 < high - low < 2.01 * STEP
    assert low - ROUNDING <= proof.lower and proof.upper <= high + ROUNDING


@pytest.mark.parametrize(("seed", "inputs", "outputs"), CHANNELS)
@pytest.mark.parametrize("zeros", [0.0, 0.3])
def test_delta_agrees(seed, inputs, outputs, zeros):
    mechanism = random_channel(random.Random(100 + seed), inputs, outputs, zeros)
    differ = 0
    for epsilon in (0.05, 0.3, 0.7, 1.5, 3.0):
        ours = mechanism.delta_at(epsilon)
        low, high = brackets(mechanism, lambda bound: bound.get_delta_for_epsilon(epsilon))
        # When ε grows by a step, δ falls by at most a step.
        assert high - low < 2.01 * STEP
        assert low - ROUNDING <= ours.lower <= ours.upper <= high + ROUNDING
        differ += ours.upper > 0
    assert differ > 0


def test_epsilon_is_infinite_for_both_where_an_output_gives_a_secret_away():
    mechanism = random_channel(random.Random(7), 3, 4, zeros=0.6)
    with pytest.raises(lookalike.PrivacyError):
        mechanism.certify()
    low, _ = brackets(mechanism, lambda bound: bound.get_epsilon_for_delta(0.0))
    assert low == math.inf


def test_a_designed_mechanism_keeps_its_epsilon_by_both():
    graph = lookalike.SecretGraph({"ana": [0.2, 0.5, 0.3], "bo": [0.3, 0.4, 0.3]}, edges=[("ana", "bo")])
    mechanism = lookalike.design(graph, epsilon=0.25)
    low, high = brackets(mechanism, lambda bound: bound.get_epsilon_for_delta(0.0))
    assert low - ROUNDING <= 0.25 <= high + ROUNDING
