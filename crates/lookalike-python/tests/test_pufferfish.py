"""Pufferfish: the published values, the command line's answers, and what cannot be asked."""

from __future__ import annotations

import copy
import json
import math
import pickle
import subprocess
import warnings
from decimal import Decimal
from fractions import Fraction

import pytest

import lookalike
from lookalike import pufferfish

ROWS = [[0.9, 0.1], [0.4, 0.6]]
FLU = {"ana is well": [0.2, 0.225, 0.5, 0.075, 0], "ana is ill": [0, 0.075, 0.5, 0.225, 0.2]}


@pytest.fixture(scope="module")
def chain():
    return pufferfish.Chain(ROWS, states=["idle", "walk"])


def sigma(theta, length=100, epsilon=1, method="exact"):
    return round(pufferfish.calibrate(theta, length, epsilon, method).sigma, 4)


def test_published_scales(chain):
    assert sigma(chain) == 12.84
    assert sigma(chain, 3, 10) == 0.1558
    assert sigma(pufferfish.Chain(ROWS, "arbitrary"), 10**6, 1, "approximate") == 23.506
    known = pufferfish.calibrate(pufferfish.Chain(ROWS, [1, 0]), 100, 1, "exact")
    assert (round(known.sigma, 4), known.moment, known.quilt) == (12.9341, 8, (7, 5))
    assert [row.method for row in pufferfish.compare(chain, 100, 1) if row.calibration is None] == ["gk16"]


@pytest.mark.parametrize("a, exact, approximate", [("0.3", 0.0722, 0.1772), ("0.4", 0.0395, 0.1211)])
def test_published_errors_of_binary_chains_within_limits(a, exact, approximate):
    ends = (a, 1 - Fraction(a))
    box = pufferfish.BinaryBox(ends, ends)
    assert round(pufferfish.calibrate(box, 100, 1, "exact").sigma / 100, 4) == exact
    assert round(pufferfish.calibrate(box, 100, 1, "approximate").sigma / 100, 4) == approximate


def test_influences_of_the_short_chain(chain):
    scores = [card / (10 - chain.influence(3, 2, *quilt)) for card, quilt in ((2, (1, None)), (2, (None, 1)), (1, (1, 1)))]
    assert [round(score, 4) for score in scores] == [0.2437, 0.2437, 0.1558]
    assert chain.influence(3, 2) == 0
    assert pufferfish.Chain([[1, 0], [0.5, 0.5]], "arbitrary").influence(5, 3, 1, 1) == math.inf


def test_numbers_of_every_kind_are_what_they_say(chain):
    rows = [[Decimal("0.9"), "1/10"], [Fraction(2, 5), 0.6]]
    assert pufferfish.Chain(rows, states=["idle", "walk"]) == chain
    named = {"idle": {"idle": 0.9, "walk": 0.1}, "walk": {"idle": 0.4, "walk": 0.6}}
    assert pufferfish.Chain(named) == chain
    np = pytest.importorskip("numpy")
    assert pufferfish.Chain(np.array(ROWS), states=["idle", "walk"]) == chain
    assert pufferfish.calibrate(chain, np.int64(100), Decimal(1)).scale == pufferfish.calibrate(chain, 100, "1").scale
    assert chain.transition[1] == [Fraction(2, 5), Fraction(3, 5)]


def test_a_list_of_chains_needs_as_much_as_the_worst(chain):
    sticky = pufferfish.Chain([[0.95, 0.05], [0.2, 0.8]], states=["idle", "walk"])
    found = pufferfish.calibrate([chain, sticky], 100, 1, "exact")
    assert found.chain == 1 and found.scale == pufferfish.calibrate(sticky, 100, 1, "exact").scale


def test_a_chain_that_never_mixes_falls_back_to_group_privacy_and_says_so():
    found = pufferfish.calibrate(pufferfish.Chain([[1, 0], [0, 1]], "arbitrary"), 50, 0.5, "exact")
    assert found.falls_back and found.scale == found.group_scale == 100
    assert "group privacy" in found.explain() and "group privacy" in found._repr_html_()


def test_entry_privacy_warns(chain):
    with pytest.warns(lookalike.PrivacyWarning, match="neighbours"):
        assert not pufferfish.calibrate(chain, 100, 1, "entry").private
    with pytest.raises(lookalike.InputError, match="does not protect"):
        pufferfish.release(chain, ["idle"], epsilon=1, method="entry")


def test_what_cannot_be_asked(chain):
    def error(call, kind=lookalike.InputError):
        with pytest.raises(kind) as caught:
            call()
        return str(caught.value)

    assert "sum to 11/10" in error(lambda: pufferfish.Chain([[0.9, 0.2], [0.4, 0.6]]))
    assert 'found "first"' in error(lambda: pufferfish.Chain(ROWS, "first"))
    assert "no chain" in error(lambda: pufferfish.calibrate([], 10, 1))
    assert "other states" in error(lambda: pufferfish.calibrate([chain, pufferfish.Chain(ROWS)], 10, 1))
    assert 'method: "best"' in error(lambda: pufferfish.calibrate(chain, 10, 1, "best"))
    assert "length: 0" in error(lambda: pufferfish.calibrate(chain, 0, 1))
    assert "expected a Chain" in error(lambda: pufferfish.calibrate("chain", 10, 1), TypeError)
    assert "scales" in error(lambda: pufferfish.compose(chain, 10, []))
    assert "more than one stationary law" in error(lambda: pufferfish.Chain([[1, 0], [0, 1]]).stationary())
    assert "public_states=True" in error(lambda: pufferfish.Chain.fit(["a", "b"]))
    assert "not fitted" in error(lambda: chain.limits())
    assert 'nothing follows state "b"' in error(lambda: pufferfish.Chain.fit(["a", "a", "b"], ["a", "b"]))
    assert "state is missing" in error(lambda: pufferfish.release(chain, ["idle"], "count", epsilon=1))
    assert '"run" is not known' in error(lambda: pufferfish.release(chain, ["idle"], "count", "run", epsilon=1))
    assert "no numbers" in error(lambda: pufferfish.release(chain, ["idle"], "mean", epsilon=1))
    assert "at least one moment" in error(lambda: pufferfish.release(chain, [], epsilon=1))
    assert "confidence" in error(lambda: pufferfish.release(chain, ["idle"], epsilon=1, confidence="ln(3)"))
    assert "names and numbers" in error(
        lambda: pufferfish.Framework.joint([("a", 0), ("b", "z")], {"l": [0.5, 0.5]}, epsilon=1)
    )
    assert "laws: none" in error(lambda: pufferfish.Framework({}, epsilon=1))
    assert "node: -1" in error(lambda: chain.influence(3, -1, 1, 1))
    assert "expected a list" in error(lambda: pufferfish.Chain(3), TypeError)
    assert "leave_first" in error(lambda: pufferfish.BinaryBox(0.1, (0.1, 0.2)), TypeError)
    assert "expected a Framework" in error(lambda: pufferfish.wasserstein(3), TypeError)
    error(lambda: pufferfish.load("there is no such file.toml"), FileNotFoundError)


def test_an_unseen_state_is_named_by_its_row_and_not_shown(chain):
    with pytest.raises(lookalike.InputError) as caught:
        pufferfish.release(chain, [["idle"], ["idle", "SECRETMARKER"]], epsilon=1)
    assert str(caught.value).startswith("sequence 2: row 2") and "SECRET" not in str(caught.value)


def test_sequences_of_every_kind_are_the_same():
    days = [["a", "b", "b", "a"], ["b", "b", "a"]]
    expected = pufferfish.Chain.fit(days, ["a", "b"])
    assert pufferfish.Chain.fit(days, public_states=True) == expected
    assert pufferfish.Chain.fit({"mon": days[0], "tue": tuple(days[1])}, ["a", "b"]) == expected
    np = pytest.importorskip("numpy")
    assert pufferfish.Chain.fit([np.array(day) for day in days], ["a", "b"]) == expected
    assert pufferfish.Chain.fit(np.array([[0, 1, 1], [1, 0, 0]]), [0, 1]).counts == [[1, 1], [1, 1]]
    pa = pytest.importorskip("pyarrow")
    assert pufferfish.Chain.fit([pa.chunked_array([day[:2], day[2:]]) for day in days], ["a", "b"]) == expected
    watts = pufferfish.Chain.fit([5.0, 20.0, 7.0, 30.0], bins=[0, 10], smoothing="1/2", initial="first")
    assert watts.bins == [0, 10] and watts.initial == [Fraction(3, 4), Fraction(1, 4)]


def test_pickles_and_copies(chain, tmp_path):
    fitted = pufferfish.Chain.fit(["a", "b", "b", "a"] * 20, ["a", "b"], initial="arbitrary")
    box, framework = fitted.box(), pufferfish.Framework({"flu": FLU}, epsilon=1)
    found = pufferfish.calibrate(box, 20, 1)
    for thing in (chain, fitted, box, framework, found):
        assert pickle.loads(pickle.dumps(thing)) == thing == copy.deepcopy(thing) == copy.copy(thing)
    assert pickle.loads(pickle.dumps(fitted)).limits() == fitted.limits()
    for place, theta in enumerate((chain, box, [chain, chain])):
        pufferfish.save(theta, tmp_path / f"{place}.toml")
        assert pufferfish.load(tmp_path / f"{place}.toml") == theta
    with pytest.raises(lookalike.InputError, match="overwrite=True"):
        chain.save(tmp_path / "0.toml")


def test_releases_lose_less_together_than_one_by_one(chain):
    found = pufferfish.calibrate(chain, 100, 1, "exact")
    one = pufferfish.compose(chain, 100, [found])
    two = pufferfish.compose(chain, 100, [found, found])
    assert one <= Fraction(1) + Fraction(1, 10**9) and one < two < 2


def test_answers_lie_in_their_intervals(chain):
    day = ["idle", "idle", "walk", "idle"] * 100
    held = 0
    for seed in range(200):
        done = pufferfish.release(chain, day, epsilon=1, seed=seed, confidence=0.9)
        held += done["walk"].at_least <= 100 <= done["walk"].at_most
    assert 160 <= held <= 200
    assert done.noise_scale * 10 < done.group_noise_scale and done.lipschitz == 2 and done.seeded
    assert "walk" in repr(done) and "group privacy" in done._repr_html_()
    assert not pufferfish.release(chain, day, "count", "walk", epsilon=1).seeded


def test_progress_and_errors_from_it_stop_the_work():
    rows = [[Fraction(9, 10) if x == y else Fraction(1, 190) for y in range(20)] for x in range(20)]
    slow = pufferfish.Chain(rows, [1] + [0] * 19)

    def stop(stage, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pufferfish.calibrate(slow, 10**6, "1/50", "exact", progress=stop)


def test_flu_by_laws_and_by_points():
    framework = pufferfish.Framework({"flu": FLU}, epsilon=1)
    found = pufferfish.wasserstein(framework)
    assert (found.distance, found.span, found.law) == (2, 4, "flu")
    assert found.noise().certify().upper <= 1
    counts = {0: "0.1", 1: "0.15", 2: "0.5", 3: "0.15", 4: "0.1"}
    points = [(who, k) for k in counts for who in ("ana is well", "ana is ill")]
    law = [Fraction(counts[k]) * (Fraction(k, 4) if who == "ana is ill" else 1 - Fraction(k, 4)) for who, k in points]
    joint = pufferfish.Framework.joint(points, {"flu": law}, epsilon=1)
    assert pufferfish.wasserstein(joint).distance == 2
    assert joint.graph() == framework.graph()
    mech = lookalike.design(framework.graph(), channel="shared")
    most = pufferfish.learned(mech)
    assert most.prior == Fraction(1, 2) < most.achieved <= most.promised and round(float(most.promised), 4) == 0.7311
    noisy = pufferfish.learned(found.noise(), ("ana is ill", "ana is well"), framework=framework)
    assert noisy.achieved < noisy.promised == most.promised


def test_a_pair_is_protected_under_each_law_that_allows_both():
    summer = {"ana is well": [1, 0, 0, 0, 0]}
    framework = pufferfish.Framework({"flu": FLU, "summer": summer}, epsilon=1)
    graph = framework.graph()
    assert graph.secrets == ["ana is well | flu", "ana is ill | flu", "ana is well | summer"] and graph.pairs == 1
    with pytest.raises(lookalike.InputError, match="no pair"):
        pufferfish.Framework({"summer": summer | {"ana is ill": None}}, epsilon=1)
    named = pufferfish.Framework({"flu": FLU}, epsilon=1, values=["none", "one", "two", "three", "four"])
    with pytest.raises(lookalike.InputError, match="named values"):
        pufferfish.wasserstein(named)
    with pytest.raises(lookalike.InputError, match="law is missing"):
        pufferfish.learned(lookalike.noise.laplace(1, 2), ("ana is ill", "ana is well"), framework=framework)


def test_no_warning_without_a_reason(chain):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pufferfish.compare(chain, 10, 1)


@pytest.fixture
def commanded(command, tmp_path):
    def run(*words):
        done = subprocess.run([command, "pufferfish", *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize("words", [("histogram",), ("count", "walk"), ("mean",), ("sum",)])
def test_the_same_seed_gives_the_same_release(commanded, tmp_path, words):
    chain = pufferfish.Chain(ROWS, states=["idle", "walk"], values=[0.5, 3])
    day = ["idle", "walk", "walk", "idle", "idle"] * 40
    chain.save(tmp_path / "chain.toml")
    (tmp_path / "day.csv").write_text("activity\n" + "\n".join(day) + "\n")
    found = json.loads(commanded(
        "release", "chain.toml", "day.csv", "--state", "activity", "--query", ":".join(words), "--epsilon", "1/2",
        "--seed", "7", "--json",
    ))
    done = pufferfish.release(chain, day, *words, epsilon="1/2", seed=7)
    ours = [(name, item.value, item.at_least, item.at_most) for name, item in done.answers.items()]
    theirs = [(item["name"], item["released"], item["at_least"], item["at_most"]) for item in found["answers"]]
    assert ours == theirs
    assert done.noise_scale == found["noise_scale"] and done.group_noise_scale == found["group_noise_scale"]
    assert done.calibration.sigma == found["noise"]["sigma"]


def test_by_distance_the_worst_length_sets_the_noise_as_on_the_command_line(commanded, tmp_path):
    chain = pufferfish.Chain(ROWS, states=["idle", "walk"])
    days = {"mon": ["idle", "walk", "walk"], "tue": ["walk", "idle", "idle", "idle", "walk"]}
    chain.save(tmp_path / "chain.toml")
    rows = "".join(f"{name},{state}\n" for name, day in days.items() for state in day)
    (tmp_path / "days.csv").write_text("day,activity\n" + rows)
    found = json.loads(commanded(
        "release", "chain.toml", "days.csv", "--state", "activity", "--sequence", "day", "--query", "count:walk",
        "--method", "wasserstein", "--epsilon", "1", "--seed", "7", "--json",
    ))
    done = pufferfish.release(chain, days, "count", "walk", method="wasserstein", epsilon=1, seed=7)
    assert done.value == found["answers"][0]["released"] and done.lengths == (3, 5)
    assert (done.calibration.sigma, done.calibration.distance) == (found["noise"]["sigma"], found["noise"]["distance"])
    assert done.calibration.method == found["noise"]["method"] == "wasserstein"


def test_the_same_files(commanded, tmp_path, chain):
    chain.save(tmp_path / "chain.toml")
    commanded("design", "chain.toml", "--length", "100", "--epsilon", "1", "--query", "histogram", "-o", "m.json")
    noise = pufferfish.calibrate(chain, 100, 1).noise(lipschitz=2)
    assert noise.to_json() == (tmp_path / "m.json").read_text()
    (tmp_path / "days.csv").write_text("day,s\nmon,a\nmon,b\ntue,b\nmon,b\ntue,a\nmon,a\n")
    commanded("fit", "days.csv", "--state", "s", "--sequence", "day", "--states", "a,b", "-o", "fitted.toml")
    fitted = pufferfish.Chain.fit({"mon": list("abba"), "tue": list("ba")}, ["a", "b"])
    assert pufferfish.load(tmp_path / "fitted.toml") == fitted


def test_noise_says_that_it_is_about_moments_or_is_refused():
    chain = pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]])
    noise = pufferfish.calibrate(chain, 300, 1).noise()
    assert (noise.epsilon, noise.about) == (1.0, "any one moment of a chain of 300")
    assert "any one moment" in repr(noise)
    # Quilts that differ from chain to chain of a box can be in no file, and numbers are not what was asked for.
    box = pufferfish.BinaryBox((0.3, 0.4), (0.3, 0.4), initial="stationary")
    found = pufferfish.calibrate(box, 300, 5)
    assert found.method == "exact"
    with pytest.raises(lookalike.LookalikeError, match="contraction"):
        found.noise()
    assert pufferfish.calibrate(box, 300, 5, "contraction").noise().epsilon == 5.0


@pytest.mark.parametrize(
    ("chain", "sequence"),
    [
        (pufferfish.Chain([[1, 0], [0.4, 0.6]], "arbitrary", ["off", "on"]), ["off", "on"]),
        (pufferfish.Chain([[0.5, 0.5], [0.4, 0.6]], [1, 0], ["off", "on"]), ["on", "on"]),
    ],
)
def test_a_sequence_that_no_chain_makes_is_refused(chain, sequence):
    with pytest.raises(lookalike.InputError):
        pufferfish.release(chain, sequence, "count", "on", epsilon=1, seed=1)


def test_values_that_are_large_beside_their_range_are_refused():
    chain = pufferfish.Chain([[0.5, 0.5], [0.5, 0.5]], states=["a", "b"], values=[10**15, "1000000000000000.001"])
    with pytest.raises(lookalike.InputError, match="large beside their range"):
        pufferfish.release(chain, ["b"] * 5, "sum", epsilon=8, seed=1)
