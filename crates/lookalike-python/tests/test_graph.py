"""Graphs: what they say, what they refuse, and numbers of every type."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import networkx
import numpy as np
import pytest

import lookalike
from lookalike import InputError, PrivacyWarning, SecretGraph

HALF = [0.5, "1/2", Decimal("0.5"), Fraction(1, 2), np.float32(0.5), np.float64(0.5)]


@pytest.mark.parametrize("half", HALF)
def test_numbers_are_exact_whatever_their_type(half):
    graph = SecretGraph({"a": [half, half], "b": ["1/4", 0.75]}, edges=[("a", "b")])
    mech = lookalike.design(graph, epsilon=half)
    assert mech.profiles["a"] == [Fraction(1, 2)] * 2 and mech.epsilon_text == "1/2"


def test_a_float_is_its_shortest_decimal_form():
    graph = SecretGraph({"a": [0.1, 0.9], "b": [0.2, 0.8]}, edges=[("a", "b")])
    assert lookalike.design(graph, epsilon=1).profiles["a"] == [Fraction(1, 10), Fraction(9, 10)]
    single = SecretGraph({"a": np.array([0.1, 0.9], dtype=np.float32), "b": 0.5}, edges=[("a", "b")])
    assert lookalike.design(single, epsilon=1).profiles["a"] == [Fraction(1, 10), Fraction(9, 10)]


@pytest.mark.parametrize("epsilon", [True, None, [1], 1j, b"1"])
def test_what_is_no_number_is_a_type_error(epsilon, graph):
    with pytest.raises((TypeError, InputError)):
        lookalike.design(graph, epsilon=epsilon)


@pytest.mark.parametrize("epsilon", [float("nan"), float("inf"), Decimal("NaN"), "one", 0, -1])
def test_budgets_that_are_none_are_input_errors(epsilon, graph):
    with pytest.raises(InputError, match="epsilon"):
        lookalike.design(graph, epsilon=epsilon)


def test_input_errors_are_value_errors_and_of_the_family(graph):
    with pytest.raises(ValueError, match="epsilon") as raised:
        lookalike.design(graph, epsilon="x")
    assert isinstance(raised.value, lookalike.LookalikeError) and isinstance(raised.value, lookalike.InputError)


def test_errors_of_the_spec_say_where():
    with pytest.raises(InputError, match="probabilities sum to 11/10, expected 1"):
        SecretGraph({"a": [0.5, 0.6], "b": [0.5, 0.5]}, edges=[("a", "b")])
    with pytest.raises(InputError, match='"cleo" is not known, expected one of a, b'):
        SecretGraph({"a": 0.5, "b": 0.5}, edges=[("a", "cleo")])
    with pytest.raises(InputError, match="graph"):
        SecretGraph({"a": 0.5, "b": 0.5})
    with pytest.raises(InputError, match="epsilon is missing"):
        lookalike.design(SecretGraph({"a": 0.5, "b": 0.4}, edges=[("a", "b")]))


def test_own_budgets_need_no_other():
    graph = SecretGraph({"a": 0.5, "b": 0.4}, edges=[("a", "b", "ln(2)")])
    assert lookalike.design(graph).epsilon_text == "ln(2)"


def test_groups_shapes_and_networkx_give_the_same_pairs():
    profiles = {"a": 0.1, "b": 0.2, "c": 0.3}
    edges = [("a", "b"), ("b", "c", 0.25)]
    network = networkx.Graph()
    network.add_edge("a", "b")
    network.add_edge("b", "c", epsilon=0.25)
    assert SecretGraph(profiles, network) == SecretGraph(profiles, edges)
    assert SecretGraph(profiles, edges).edges == [("a", "b", None), ("b", "c", "0.25")]
    assert SecretGraph(profiles, shape="chain").pairs == 2
    assert SecretGraph(profiles, groups={"all": ["a", "b", "c"]}).pairs == 3
    own = SecretGraph(profiles, groups={"some": {"members": ["a", "b"], "epsilon": 0.5}}, edges=[("b", "c", 1)])
    assert lookalike.design(own).epsilon_text == "1" and own.groups == {"some": ["a", "b"]}


def test_profiles_by_category_and_whole_numbers_as_names():
    graph = SecretGraph({1: {"no": 0.25, "yes": 0.75}, 2: {"yes": 1}}, edges=[(1, 2)])
    assert graph.secrets == ["1", "2"] and graph.categories == ["no", "yes"]
    mech = lookalike.design(graph, epsilon=1)
    assert set(mech.privatize(np.array([1, 2, 1]), ["no", "yes", "yes"], seed=1)) <= {"no", "yes"}


def test_secrets_without_an_edge_are_warned_of():
    graph = SecretGraph({"a": 0.1, "b": 0.2, "c": 0.3}, edges=[("a", "b")])
    assert graph.unprotected == ["c"]
    with pytest.warns(PrivacyWarning, match="released unchanged: c"):
        lookalike.design(graph, epsilon=1)


def test_graphs_are_copied_and_pickled(graph, tmp_path):
    for other in [copy.copy(graph), copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))]:
        assert other == graph and repr(other) == repr(graph) == "SecretGraph(3 secrets, 3 categories, 2 pairs)"
    assert graph != SecretGraph.values(["a", "b"])
    (tmp_path / "spec.toml").write_text('epsilon = 1\ncategories = ["a", "b"]\nsecrets = "values"\n[graph]\nwithin = 1\n')
    read = SecretGraph.read(tmp_path / "spec.toml")
    assert pickle.loads(pickle.dumps(read)) == read and read.pairs == 1
    with pytest.raises(FileNotFoundError) as raised:
        SecretGraph.read(tmp_path / "none.toml")
    assert isinstance(raised.value, lookalike.LookalikeError)
