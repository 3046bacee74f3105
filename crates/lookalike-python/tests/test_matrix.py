"""Mechanisms of one's own matrices: what is claimed is proved, and what cannot be drawn exactly is not rounded in silence."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import lookalike
from lookalike import Mechanism

WARNER = [[Fraction(3, 4), Decimal("0.25")], ["1/4", 0.75]]


def test_an_exact_matrix_is_taken_as_it_is():
    mech = Mechanism.from_matrix(WARNER, epsilon="ln(3)", name="warner")
    assert mech.channel() == [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    assert (mech.name, mech.kind, mech.report) == ("warner", "point", {"rounded": False, "repair_cost": 0.0})
    again = Mechanism.from_json(mech.to_json())
    assert again == mech and again.certify().edges == 1
    assert set(mech.privatize([0, 1] * 20, seed=1)) == {0, 1}


def test_a_false_claim_is_refused_with_its_witness():
    with pytest.raises(lookalike.PrivacyError) as raised:
        Mechanism.from_matrix(WARNER, epsilon=1)
    assert raised.value.facts["worst"]["edge"] == ["0", "1"]
    with pytest.raises(lookalike.PrivacyError):
        Mechanism.from_matrix([[0.667, 0.333], [0.333, 0.667]], epsilon="ln(2)", round=True)
    with pytest.raises(lookalike.PrivacyError):
        Mechanism.from_matrix([[1, 0], [0, 1]], epsilon=5)


def test_rounding_is_asked_for():
    fifths = [["4/5", "1/5"], ["1/5", "4/5"]]
    with pytest.raises(lookalike.InputError, match=r"rows: row 1: a probability that is no multiple of 2\^-53, .*round=True"):
        Mechanism.from_matrix(fifths, epsilon="ln(4)")
    mech = Mechanism.from_matrix(fifths, epsilon="ln(4)", round=True)
    assert mech.report["rounded"] and 0 < mech.report["repair_cost"] < 1e-12
    assert abs(mech.channel()[0][0] - Fraction(4, 5)) < Fraction(1, 2**50)
    assert mech.certify().upper <= mech.epsilon


def test_rows_of_doubles_are_scaled():
    rows = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]) / np.array([[1.0], [1.0]])
    rows = rows / rows.sum(axis=1, keepdims=True) * (1 + 1e-16)
    mech = Mechanism.from_matrix(rows, epsilon=2, outputs=["x", "y", "z"], round=True)
    assert mech.outputs == ["x", "y", "z"] and [sum(row) for row in mech.channel()] == [1, 1]
    with pytest.raises(lookalike.InputError, match="row 1: probabilities sum to 9/10, expected 1"):
        Mechanism.from_matrix([[0.5, 0.4], [0.5, 0.5]], epsilon=2, round=True)


def test_profiles_share_a_matrix_or_have_their_own(graph):
    noise = [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]
    shared = Mechanism.from_matrix(noise, epsilon=0.5, graph=graph)
    assert shared.kind == "shared" and shared.categories == ["idle", "light", "busy"]
    even = [["1/4", "1/4", "1/2"]] * 3
    own = Mechanism.from_matrix({"ana": even, "bo": even, "cleo": even}, epsilon=0.5, graph=graph)
    assert own.kind == "aware" and own.certify().upper == 0.0
    with pytest.raises(lookalike.InputError, match='no matrix for profile "cleo"'):
        Mechanism.from_matrix({"ana": even, "bo": even}, epsilon=0.5, graph=graph)
    with pytest.raises(lookalike.InputError, match="more profiles than the graph has"):
        Mechanism.from_matrix({"ana": even, "bo": even, "cleo": even, "dan": even}, epsilon=0.5, graph=graph)
    with pytest.raises(lookalike.InputError, match="graph is missing"):
        Mechanism.from_matrix({"ana": even}, epsilon=0.5)


def test_shapes_are_checked():
    with pytest.raises(lookalike.InputError, match="outputs are missing"):
        Mechanism.from_matrix([[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]], epsilon=1)
    with pytest.raises(lookalike.InputError):
        Mechanism.from_matrix([[0.5, 0.5], [1]], epsilon=1)
