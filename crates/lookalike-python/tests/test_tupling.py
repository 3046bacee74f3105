"""Reports among dummies: published values, a brute force in fractions, and what is refused."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

import lookalike
from lookalike import InputError


def two() -> lookalike.Mechanism:
    profiles = {"ana": [0.4, 0.3, 0.2, 0.1], "bo": [0.1, 0.2, 0.3, 0.4]}
    graph = lookalike.SecretGraph(profiles, edges=[("ana", "bo")], categories=["a", "b", "c", "d"])
    return lookalike.design(graph, epsilon="ln(4)", channel="shared")


def test_the_published_values():
    found = lookalike.tupling(two(), epsilon=0.5)
    assert [row.dummies for row in found] == [0, 1, 2, 4, 8]
    assert [row.upper for row in found] == pytest.approx([0.2351, 0.1101, 0.0642, 0.0284, 0.0075], abs=5e-5)
    assert all(row.lower <= row.upper and row.exact is None and row.epsilon_text == "1/2" for row in found)
    plain = two().delta_at(0.5)
    assert (found[0].lower, found[0].upper, found[0].pair) == (plain.lower, plain.upper, plain.pair)


def test_another_law_of_dummies_by_brute_force():
    mechanism, power = two(), Fraction(3, 2)
    laws = [mechanism.output_law(name) for name in ("ana", "bo")]
    law = {"a": "1/2", "b": Fraction(1, 4), "c": 0.25, "d": 0}
    dummy = [Fraction(law[name]) for name in mechanism.outputs]

    def probability(law: list[Fraction], pair: tuple[int, int]) -> Fraction:
        return (law[pair[0]] * dummy[pair[1]] + law[pair[1]] * dummy[pair[0]]) / 2

    def delta(one: list[Fraction], other: list[Fraction]) -> Fraction:
        pairs = itertools.product(range(4), repeat=2)
        return sum((max(probability(one, t) - power * probability(other, t), Fraction(0)) for t in pairs), Fraction(0))

    with pytest.warns(lookalike.PrivacyWarning, match='no dummy is ever "d"'):
        (found,) = lookalike.tupling(mechanism, epsilon="ln(3/2)", dummies=[1], dummy_law=law)
    assert found.exact == max(delta(*laws), delta(*reversed(laws)))
    a, b = found.probabilities
    assert a - b * power == found.exact


def test_what_is_refused():
    mechanism = two()
    with pytest.raises(TypeError, match="a Noise, expected a Mechanism"):
        lookalike.tupling(lookalike.noise.laplace(1, 1), epsilon=1)
    with pytest.raises(TypeError, match="dummies: a float, expected whole numbers"):
        lookalike.tupling(mechanism, epsilon=1, dummies=[0.5])
    with pytest.raises(InputError, match="257 dummies, expected at most 256"):
        lookalike.tupling(mechanism, epsilon=1, dummies=[257])
    with pytest.raises(InputError, match="output 'd' is missing"):
        lookalike.tupling(mechanism, epsilon=1, dummy_law={"a": "1/3", "b": "1/3", "c": "1/3"})
    with pytest.raises(InputError, match="sum to 4/5, expected 1"):
        lookalike.tupling(mechanism, epsilon=1, dummy_law=dict.fromkeys("abcd", 0.2))
    with pytest.raises(InputError, match="'e' is no output"):
        lookalike.tupling(mechanism, epsilon=1, dummy_law=dict.fromkeys("abcde", 0.2))
    with pytest.raises(InputError, match="expected a number above 0"):
        lookalike.tupling(mechanism, epsilon=0)
