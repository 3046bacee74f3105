"""Oracles, noise, counts, fitted profiles and audits."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike
from lookalike import InputError


def test_noise_comes_back_in_the_kind_it_came_in():
    noise = lookalike.noise.laplace(epsilon=1, sensitivity=1)
    numbers = list(range(-500, 500))
    expected = noise.add(numbers, seed=4)
    assert {type(number) for number in expected} == {int} and expected != numbers
    assert abs(sum(expected) - sum(numbers)) < 300
    found = noise.add(np.array(numbers), seed=4)
    assert found.dtype == np.int64 and found.tolist() == expected
    assert noise.add(np.array(numbers, dtype=np.int16), seed=4).tolist() == expected
    assert noise.add(pa.chunked_array([numbers[:10], numbers[10:]]), seed=4).to_pylist() == expected
    assert noise.add(pl.Series("n", numbers), seed=4).to_list() == expected
    assert noise.add(pd.Series(numbers, index=range(1000)), seed=4).tolist() == expected
    assert noise.add(7, seed=4) == noise.add([7], seed=4)[0]
    reals = lookalike.noise.laplace(1, 1, grid="1/8")
    released = reals.add(np.array([0.3, 0.7]), seed=1)
    assert released.dtype == float and all((8 * released) % 1 == 0)
    with pytest.raises(InputError, match='row 2, column "values": null, expected a number'):
        noise.add([1, None])
    with pytest.raises(InputError, match="the type is Boolean"):
        noise.add([True])
    with pytest.raises(InputError, match="row 1.*finite"):
        reals.add([float("inf")])


def test_noise_says_what_it_is():
    noise = lookalike.noise.laplace(1, 5, grid=0.25, clamp=(0, 10))
    assert (noise.sensitivity, noise.grid, noise.clamp) == (5, Fraction(1, 4), (0, 10))
    assert noise.kind == "noise" and noise.certify().proof == "closed form"
    assert noise.interval(0.95, on_grid=False) - noise.interval(0.95) == Fraction(1, 8)
    with pytest.raises(InputError, match="grid"):
        lookalike.noise.laplace(1, 1, grid=0.3)
    with pytest.raises(InputError, match="sensitivity"):
        lookalike.noise.laplace(1, 0)


def test_choices():
    counts = {"a": 100, "b": 5, "c": 3}
    assert lookalike.noise.noisy_max(counts, 1, seed=1) == "a"
    assert lookalike.noise.noisy_max([3, 500, 2], 1, together=True, seed=1) == 1
    graph = lookalike.SecretGraph.values(["x", "y"])
    scores = {"x": [1, 0], "y": [0, 1]}
    mech = lookalike.noise.exponential(graph, ["p", "q"], scores, epsilon="2*ln(3)", sensitivity=1)
    assert abs(mech.channel()[0][0] - Fraction(3, 4)) < Fraction(1, 10**12)
    assert mech.outputs == ["p", "q"] and mech.certify().edges == 1
    assert set(mech.privatize(["x", "y"], seed=1)) <= {"p", "q"}
    with pytest.raises(InputError):
        lookalike.noise.exponential(graph, ["p", "q"], [[5, 0], [0, 1]], epsilon=1, sensitivity=1)


@pytest.mark.parametrize("protocol", ["subset", "olh", "hadamard", "oue", "sue"])
def test_oracles_of_every_protocol(protocol):
    oracle = lookalike.local.oracle(protocol, [f"c{n}" for n in range(6)], epsilon=1)
    assert oracle.certify().epsilon == 1 and oracle.name == protocol
    values = ["c0", "c5"] * 50
    reports = oracle.privatize(values, seed=1)
    assert len(reports) == 100 and all(isinstance(report, str) for report in reports)
    assert oracle.privatize(np.array(values), seed=1).tolist() == reports
    assert oracle.privatize(pl.Series(values), seed=1).to_list() == reports
    estimate = oracle.estimate(oracle.privatize(["c0", "c5", "c5", "c5"] * 2000, seed=2), confidence=0.999)
    assert estimate["c5"].lower < 0.75 < estimate["c5"].upper and estimate.reports == 8000
    assert set(oracle.estimate(pl.Series(reports), by=["x", "y"] * 50)) == {"x", "y"}
    with pytest.raises(InputError, match='row 1, column "outputs"'):
        oracle.estimate(["SECRETMARKER"])
    assert oracle.predict(10_000).widths["c0"] > 0 and oracle.variance() > 0
    with pytest.raises(InputError, match="not one of the 6 categories"):
        oracle.privatize(["c6"])


def test_the_best_oracle():
    assert lookalike.local.auto(4, 3).name == "k-rr"
    best = [candidate for candidate in lookalike.local.compare(1000, 1) if candidate.best]
    assert [candidate.protocol for candidate in best] == [lookalike.local.auto(1000, 1).name]
    with pytest.raises(InputError):
        lookalike.local.oracle("none", 4, 1)


def test_counts_of_small_groups():
    mech = lookalike.counts.explicit_fair(5, epsilon=0.5)
    assert all(finding.holds for finding in lookalike.counts.properties(mech)) and mech.epsilon_text == "1/2"
    geometric = {finding.code: finding for finding in lookalike.counts.properties(lookalike.counts.geometric(5, 0.9))}
    assert not geometric["F"].holds and geometric["F"].by > 0
    rows = {row.name: row for row in lookalike.counts.compare(5, 0.9, properties="F")}
    assert rows["GM"].l0 <= rows["WM"].l0 <= rows["EM"].l0 < rows["UM"].l0 == pytest.approx(1)
    assert abs(rows["optimum"].l0 - rows["EM"].l0) < 1e-9
    released = mech.privatize(np.array([0, 5, 3], dtype=np.int8), seed=1)
    assert released.dtype == np.int8
    with pytest.raises(InputError, match="expected one of alpha and epsilon"):
        lookalike.counts.geometric(5)
    with pytest.raises(InputError, match="prior"):
        lookalike.counts.optimal(5, 0.9, prior=[1, 2])


def test_fitted_profiles(tmp_path):
    profiles, values = ["ana", "bo", "cleo"] * 100, ["idle", "busy", "busy", "idle"] * 75
    fitted = lookalike.fit(profiles, values, categories=["idle", "busy"], shape="complete", epsilon=1)
    expected = Fraction(sum(p == "ana" and v == "idle" for p, v in zip(profiles, values)), 100)
    assert fitted.rows == 300 and fitted.profiles["ana"][0] == expected
    low, high = fitted.limits["ana"][0]
    assert low < expected < high
    mech = lookalike.design(fitted.graph(), epsilon=0.1)
    assert mech.certify().edges == 3
    assert lookalike.SecretGraph.from_spec(fitted.spec).pairs == 3
    (tmp_path / "limits.csv").write_text(fitted.limits_csv)
    # The exact limits lie within those of the spec, for all of which the promise holds.
    assert mech.certify_within(tmp_path / "limits.csv").upper <= 0.1 + 1e-9
    assert fitted.limits_basis == {"confidence": "19/20", "holds_for": "each pair"}
    ends = fitted.within["ana"][0]
    assert ends[0] <= low and high <= ends[1] and all((1024 * end).denominator == 1 for end in ends)
    trusting = lookalike.fit(
        profiles, values, categories=["idle", "busy"], shape="complete", epsilon=1, trust_profiles=True, simultaneous=True
    )
    trusted = lookalike.design(trusting.graph(), epsilon=0.1)
    assert trusting.within is None and "limits" not in trusting.spec
    assert trusted.certify_within(tmp_path / "limits.csv").upper > 0.1
    assert trusted.report["objective"]["value"] < mech.report["objective"]["value"]
    same = lookalike.fit(profiles, values, categories=["idle", "busy"], shape="complete", same_data=True)
    assert same.limits_basis is None and same.within is not None and same.graph().pairs == 3
    with pytest.raises(InputError, match="limits-grid|limits_grid"):
        lookalike.fit(profiles, values, categories=["idle", "busy"], limits_grid=0)
    teams = lookalike.fit(
        pl.Series(profiles), np.array(values), public_categories=True, groups=["x", "x", "y"] * 100
    )
    assert teams.groups == {"x": ["ana", "bo"], "y": ["cleo"]} and teams.categories == ("busy", "idle")
    open_graph = lookalike.fit(profiles, values, categories=["idle", "busy"])
    assert open_graph.graph(edges=[("ana", "bo")], epsilon=1).pairs == 1
    with pytest.raises(InputError, match="what can a value be"):
        lookalike.fit(profiles, values)
    with pytest.raises(InputError, match=r"fewer than 10 records.*drop_small to leave them out, or pool_small=NAME"):
        lookalike.fit(["ana"], ["idle"], categories=["idle", "busy"])
    few = lookalike.fit(["ana"] * 20 + ["bo"], ["idle"] * 21, categories=["idle", "busy"], drop_small=True)
    assert few.small == ("bo",) and list(few.profiles) == ["ana"]
    numbers = lookalike.fit(profiles, [n / 7 for n in range(300)], bins=[0, 10, 20], shape="chain")
    assert numbers.bins == (0, 10, 20) and numbers.graph().categories == ["0..10", "10..20", "20.."]


def test_limits_of_a_graph():
    laws = {"ana": [0.25, 0.75], "bo": [0.5, 0.5]}
    limits = {"ana": [(0.125, "3/8"), (0.5, 1)]}
    basis = {"confidence": 0.95, "holds_for": "all pairs"}
    graph = lookalike.SecretGraph(laws, shape="complete", epsilon=1, limits=limits, limits_basis=basis)
    known = lookalike.SecretGraph(laws, shape="complete", epsilon=1)
    assert lookalike.design(graph).report["objective"]["value"] > lookalike.design(known).report["objective"]["value"]
    assert lookalike.design(graph).report["limits_basis"] == {"confidence": "19/20", "holds_for": "all pairs"}
    with pytest.raises(InputError, match="no profile has limits"):
        lookalike.SecretGraph(laws, shape="complete", epsilon=1, limits_basis=basis)


def test_an_audit_finds_the_lie_and_accuses_nobody_else(aware):
    honest = lookalike.audit(aware, draws=100_000, seed=1)
    assert not honest.is_evidence and honest.verdict == "no evidence against" and honest.measure == "epsilon"
    chance = random.Random(3)

    def lie(secrets):
        return [secret if chance.random() < 0.9 else 1 - secret for secret in secrets]

    found = lookalike.audit(lie, secrets=[0, 1], epsilon="ln(3)", draws=4e4, batch=True)
    assert found.is_evidence and 1.2 < found.bound < 2.2 and found.worst.claimed == pytest.approx(1.0986, abs=1e-3)
    for mech in (lookalike.noise.laplace(1, 1), lookalike.local.oracle("oue", 4, 1)):
        assert not lookalike.audit(mech, draws=20_000, seed=2).is_evidence
    bounded = lookalike.audit(lambda secret: secret, secrets=["a", "b"], delta_at=1, delta=0.1, draws=2000)
    assert bounded.is_evidence and bounded.measure == "delta"


def test_exceptions_of_an_audited_function_come_through_unchanged():
    error = ZeroDivisionError("mine")

    def broken(secret):
        raise error

    with pytest.raises(ZeroDivisionError) as raised:
        lookalike.audit(broken, secrets=["a", "b"], epsilon=1, draws=100)
    assert raised.value is error
    with pytest.raises(InputError, match="2 outputs, expected"):
        lookalike.audit(lambda secrets: [1, 2], secrets=["a", "b"], epsilon=1, draws=1000, batch=True)
    with pytest.raises(InputError, match="secrets are missing"):
        lookalike.audit(broken, epsilon=1)
    with pytest.raises(TypeError):
        lookalike.audit(7)
    with pytest.raises(InputError, match="the mechanism has its own"):
        lookalike.audit(lookalike.noise.laplace(1, 1), epsilon=2)


def test_the_order_of_a_mapping_decides_nothing() -> None:
    # Keys that read alike are told apart as well.
    for up in [{"a": 5, "b": 5, "c": 4}, {1: 5, "1": 5}]:
        down = dict(reversed(up.items()))
        chosen = [[lookalike.noise.noisy_max(counts, 1, seed=seed) for seed in range(50)] for counts in (up, down)]
        assert chosen[0] == chosen[1]
        assert len(set(chosen[0])) > 1
    with pytest.raises(lookalike.InputError, match="found float, expected whole numbers"):
        lookalike.noise.noisy_max([1.5, 2], 1)


def test_larger_counts_stand_as_n_and_as_nothing_else() -> None:
    mech = lookalike.counts.geometric(4, alpha=0.9)
    assert len(mech.privatize([1, 9], unknown=4, seed=1)) == 2
    for unknown, values in [(0, [1, 9]), (4, [1, -1])]:
        with pytest.raises(lookalike.InputError):
            mech.privatize(values, unknown=unknown)


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    assert lookalike.counts.geometric(np.int64(4), 0.9) == lookalike.counts.geometric(4, 0.9)
    poll = lookalike.local.oracle("k-rr", np.int64(4), 1)
    assert poll.categories == ["0", "1", "2", "3"]
    estimate = poll.estimate(poll.privatize([1] * 100, seed=1))
    assert estimate[1] == estimate["1"]
    for n in (0, -1):
        with pytest.raises(InputError, match="expected a whole number above 0"):
            lookalike.counts.geometric(n, 0.9)
        with pytest.raises(InputError, match="reports"):
            poll.predict(n)
    for shares, words in [({"0": 1.0}, "'1' is missing"), (dict.fromkeys(range(5), 0.2), "'4' is not known")]:
        with pytest.raises(InputError, match=words):
            poll.predict(10, shares)


def test_a_wanted_utility_takes_the_place_of_epsilon() -> None:
    graph = lookalike.SecretGraph({"ana": 0.2, "bo": 0.5}, edges=[("ana", "bo")], categories=["off", "on"])
    found = lookalike.design(graph, epsilon_for="expected-error=0.05")
    assert found.objective["value"] <= 0.05
    assert found == lookalike.design(graph, epsilon=1, epsilon_for="expected-error=0.05")
