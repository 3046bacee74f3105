"""Google's dp_accounting agrees with our ε and δ on random channels."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest

import lookalike

accounting = pytest.importorskip(
    "dp_accounting.pld.privacy_loss_distribution", reason="dp_accounting is not installed: pip install dp_accounting"
)
STEP = 1e-4
"""To multiples of this dp_accounting rounds privacy losses, up or down as asked."""


def channel(seed: int) -> lookalike.Mechanism:
    """A random channel of three to five values and outputs: the exponential mechanism on random scores."""
    chance = random.Random(seed)
    values, outputs = chance.randint(3, 5), chance.randint(3, 5)
    scores = [[chance.randint(0, 100) / 100 for _ in range(outputs)] for _ in range(values)]
    graph = lookalike.SecretGraph.values([f"v{n}" for n in range(values)])
    names = [f"y{n}" for n in range(outputs)]
    return lookalike.noise.exponential(graph, names, scores, epsilon=chance.choice([0.5, 1, 3]), sensitivity=1)


def losses(mech: lookalike.Mechanism, pessimistic: bool) -> list:
    """The privacy loss distributions of every ordered pair."""
    laws = [{y: math.log(p) for y, p in enumerate(mech.output_law(name))} for name in mech.secrets]
    return [
        accounting.from_two_probability_mass_functions(
            lower, upper, pessimistic_estimate=pessimistic, value_discretization_interval=STEP
        )
        for lower, upper in permutations(laws, 2)
    ]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.filterwarnings("ignore")
def test_epsilon_and_delta_lie_between_its_bounds(seed):
    mech = channel(seed)
    least, most = losses(mech, False), losses(mech, True)
    facts = mech.certify()
    largest = max(loss.get_epsilon_for_delta(0) for loss in most)
    assert facts.upper <= largest <= facts.upper + 2 * STEP
    for share in (0.25, 0.5, 0.9):
        epsilon = share * facts.upper
        delta = mech.delta_at(epsilon)
        low, high = (max(loss.get_delta_for_epsilon(epsilon) for loss in bounds) for bounds in (least, most))
        assert low - 1e-12 <= delta.upper and delta.lower <= high + 1e-12
        assert high - low < 3 * STEP
