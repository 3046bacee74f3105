"""Mechanisms: proofs, files, copies, post-processing, estimates and pictures."""

from __future__ import annotations

import copy
import json
import math
import pickle
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

import lookalike
from lookalike import InputError, PrivacyError, SecretGraph, _design


def coin(epsilon="ln(3)"):
    return lookalike.local.oracle("k-rr", ["no", "yes"], epsilon)


def test_the_certificate_says_what_was_proved(aware):
    facts = aware.certify()
    assert facts.edges == 2 and facts.upper <= facts.epsilon and facts.lower <= facts.upper
    assert set(facts.worst) <= set(aware.secrets) and facts.output in aware.outputs
    laws = [aware.output_law(secret) for secret in facts.worst]
    place = aware.outputs.index(facts.output)
    ratio = float(laws[0][place] / laws[1][place])
    assert math.isclose(math.log(ratio), facts.upper, abs_tol=1e-12)


def test_a_claim_is_held_against_a_graph(aware, graph):
    same = SecretGraph(aware.profiles, graph.edges[:1], epsilon=0.1, categories=aware.categories)
    assert aware.certify(same).edges == 2
    more = SecretGraph(aware.profiles, [("ana", "cleo")], epsilon=0.1, categories=aware.categories)
    with pytest.raises(PrivacyError, match="claims less than the graph asks for"):
        aware.certify(more)


def test_channels_are_exact(aware):
    for secret in aware.secrets:
        rows = aware.channel(secret)
        assert all(sum(row) == 1 for row in rows)
        law = [sum(p * row[y] for p, row in zip(aware.profiles[secret], rows)) for y in range(3)]
        assert law == aware.output_law(secret)
    assert coin().matrix(dtype=float).tolist() == [[0.75, 0.25], [0.25, 0.75]]
    with pytest.raises(InputError, match="every profile has its own channel"):
        aware.channel()
    with pytest.raises(InputError, match='"dan" is none of the 3 secrets'):
        aware.channel("dan")


def test_a_false_claim_is_refused_with_its_witness(tmp_path):
    text = coin().to_json().replace('"ln(3)"', '"ln(2)"')
    liar = lookalike.Mechanism.from_json(text)
    for use in (liar.certify, lambda: liar.privatize(["no"]), lambda: liar.estimate(["no"])):
        with pytest.raises(PrivacyError) as raised:
            use()
    assert raised.value.facts["worst"]["edge"] in (["no", "yes"], ["yes", "no"])
    assert "exceed" in str(raised.value) or "ratio" in str(raised.value), str(raised.value)
    assert "Not private" in liar._repr_html_()
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_files_are_never_overwritten_by_accident(aware, tmp_path):
    path = tmp_path / "m.json"
    aware.save(path)
    with pytest.raises(InputError, match=r"exists already \(pass overwrite=True to replace it\)"):
        aware.save(str(path))
    aware.save(path, overwrite=True)
    assert path.read_text() == aware.to_json()
    loaded = lookalike.load(path)
    assert loaded == aware and hash(loaded) == hash(aware) and loaded.objective == aware.objective
    with pytest.raises(FileNotFoundError):
        lookalike.load(tmp_path / "none.json")
    with pytest.raises(InputError):
        lookalike.Mechanism.from_json("{}")
    with pytest.raises(TypeError, match="kind 'noise', expected Mechanism"):
        lookalike.Mechanism.from_json(lookalike.noise.laplace(1, 1).to_json())


def test_copies_are_equal(aware):
    noise, oracle = lookalike.noise.laplace(1, 1), lookalike.local.oracle("oue", 5, 1)
    for mech in (aware, noise, oracle):
        for other in (copy.copy(mech), copy.deepcopy(mech), pickle.loads(pickle.dumps(mech))):
            assert other == mech and type(other) is type(mech)
    assert aware != noise and noise != lookalike.noise.laplace(1, 2)


def test_post_processing_multiplies_channels():
    twice = coin().then(coin())
    assert twice.channel() == [[Fraction(5, 8), Fraction(3, 8)], [Fraction(3, 8), Fraction(5, 8)]]
    assert twice.certify().upper < math.log(3)
    with pytest.raises(InputError, match="expected the same names"):
        coin().then(lookalike.local.oracle("k-rr", ["a", "b"], 1))
    with pytest.raises(TypeError):
        coin().then(7)


def test_delta_at_a_smaller_epsilon():
    delta = coin().delta_at("ln(2)")
    assert delta.exact == Fraction(1, 4) and delta.lower <= 0.25 <= delta.upper
    assert coin().delta_at("ln(3)").exact == 0
    with pytest.raises(InputError):
        coin().delta_at(0)


def test_estimates_and_predictions_agree(point):
    truth = np.repeat([10, 20, 30], [5000, 3000, 2000])
    released = point.privatize(truth, seed=11)
    estimate = point.estimate(released)
    assert estimate.reports == 10_000 and math.isclose(sum(estimate.shares.values()), 1, abs_tol=1e-9)
    for name, share in zip(["10", "20", "30"], [0.5, 0.3, 0.2]):
        figure = estimate[name]
        assert figure.lower < share < figure.upper and figure.share == estimate.shares[name]
    wide = point.estimate(released, confidence=0.999, simultaneous=True)
    assert wide["10"].lower < estimate["10"].lower and wide.simultaneous
    predicted = point.predict(10_000)
    deviation = estimate.covariance[0][0] ** 0.5
    assert 0.8 < 2 * 1.96 * deviation / predicted.widths["10"] < 1.25
    by = point.estimate(released, by=["a"] * 5000 + ["b"] * 5000)
    assert set(by) == {"a", "b"} and by["a"].reports == 5000 and by["a"]["10"].share > by["b"]["10"].share
    assert "<table>" in estimate._repr_html_() and "counted" in estimate._repr_html_()
    with pytest.raises(InputError, match="no reports"):
        point.estimate([])
    with pytest.raises(InputError, match="another mechanism released"):
        point.estimate([10, 40])
    with pytest.raises(InputError, match="confidence"):
        point.estimate([10], confidence=2)


def test_aware_estimates_have_a_mix(aware):
    profiles = ["ana"] * 500 + ["bo"] * 500
    with pytest.warns(lookalike.PrivacyWarning, match="sorted by profile"):
        released = aware.privatize(profiles, ["idle", "light"] * 500, seed=2)
    assert aware.estimate(released).reports == 1000
    assert aware.predict(1000, {"ana": 1, "bo": 0, "cleo": 0}).reports == 1000


def test_a_design_further_from_the_least_than_asked_for_is_refused(graph):
    assert lookalike.design(graph, 0.1, max_gap=1e-6) == lookalike.design(graph, 0.1)
    with pytest.raises(lookalike.RefusedError, match="above the least there is, more than the 1e-6 that was asked for"):
        lookalike.design(graph, 0.1, mechanism="k-rr", max_gap=Fraction(1, 10**6))
    with pytest.raises(InputError, match="max_gap: a gap of -1, expected a number at least 0"):
        lookalike.design(graph, 0.1, max_gap=-1)


def test_a_solver_that_stopped_early_is_told(graph, monkeypatch):
    made = _design._core.design

    def stopped_early(*asked):
        core, report, told = made(*asked)
        return core, report, [*told, ("gap", "the solver stopped early: …")]

    quiet = lookalike.design(graph, 0.1)
    monkeypatch.setattr(_design._core, "design", stopped_early)
    with pytest.warns(lookalike.GapWarning, match="the solver stopped early"):
        told = lookalike.design(graph, 0.1)
    assert told == quiet and told.report == quiet.report


def test_designs_of_other_kinds(graph):
    shared = lookalike.design(graph, 0.1, channel="shared", objective="max-flip")
    assert shared.kind == "shared" and shared.objective["name"] == "max-flip"
    assert len(shared.privatize(["idle", "busy"], seed=1)) == 2
    with pytest.raises(InputError, match="there is one channel for all"):
        shared.privatize(["ana"], ["idle"])
    loss = lookalike.design(graph, 0.1, loss=[[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    assert loss.objective["name"] == "loss"
    wanted = lookalike.design(graph, 0.1, epsilon_for="expected-error=0.01")
    assert wanted.objective["value"] <= 0.01 and wanted.report["epsilon_text"] == wanted.epsilon_text
    assert wanted.report["epsilon_for"]["value"] == wanted.objective["value"]
    with pytest.raises(InputError, match="objective: that of epsilon_for is what the design minimizes"):
        lookalike.design(graph, 0.1, epsilon_for="expected-error=0.01", objective="max-flip")
    prior = lookalike.design(graph, 0.1, prior={"ana": 5})
    assert prior.objective["value"] >= 0
    with pytest.raises(InputError, match="channel"):
        lookalike.design(graph, 0.1, channel="both")
    with pytest.raises(InputError, match="mechanism"):
        lookalike.design(graph, 0.1, mechanism="best")
    with pytest.raises(InputError, match="objective"):
        lookalike.design(graph, 0.1, objective="least")
    with pytest.raises(TypeError, match="expected a SecretGraph"):
        lookalike.design({"a": 1}, 0.1)


def test_the_trade_off_falls(graph):
    points = lookalike.sweep(graph, "0.1..2:4")
    assert [point.epsilon for point in points] == sorted(point.epsilon for point in points) and len(points) == 4
    assert all(one.value >= other.value for one, other in zip(points, points[1:]))
    assert all(point.lower_bound <= point.value <= point.baseline for point in points)
    assert points[0].mechanism.certify().edges == 2


def test_progress_is_told_and_can_stop(aware, graph):
    told = []
    lookalike.sweep(graph, [0.1, 0.5], progress=lambda *step: told.append(step))
    assert told and told[-1][0] == "designing at each epsilon" and told[-1][2] == 2
    told.clear()
    profiles = ["ana", "bo"] * 100_000
    aware.privatize(profiles, ["idle", "busy"] * 100_000, progress=lambda *step: told.append(step))
    assert told[-1] == ("privatizing", 200_000, 200_000)

    def enough(*_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        aware.privatize(profiles, ["idle", "busy"] * 100_000, progress=enough)


def test_pictures(aware):
    html = aware._repr_html_()
    assert "Certified in exact arithmetic: 2 pairs" in html and "data:image/svg+xml;base64," in html
    import matplotlib

    matplotlib.use("Agg")
    axes = aware.plot("ana")
    assert axes.get_ylabel() == "value" and len(axes.images) == 1
    assert coin().plot(ax=axes) is axes
    matplotlib.pyplot.close("all")


def test_pages_about_every_kind(aware, graph, tmp_path):
    page = aware.html(lookalike.sweep(graph, [0.1, 0.5]))
    assert page.startswith("<!DOCTYPE html>") and "Privacy report" in page and "<script" not in page
    lookalike.noise.laplace(1, 1).save_html(tmp_path / "noise.html")
    assert "numbers with noise" in (tmp_path / "noise.html").read_text()
    with pytest.raises(InputError, match="exists already"):
        lookalike.local.oracle("oue", 4, 1).save_html(tmp_path / "noise.html")


def test_pages_show_what_the_command_line_shows(command, aware, tmp_path):
    import subprocess

    def run(*words):
        return subprocess.run([command, *words], cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    aware.save(tmp_path / "m.json")
    aware.save_html(tmp_path / "python.html", sweep=True, prior=["1/3"])
    run("report", "m.json", "-o", "cli.html", "--prior", "1/3")
    assert (tmp_path / "python.html").read_bytes() == (tmp_path / "cli.html").read_bytes()
    (tmp_path / "audit.json").write_text(run("audit", "m.json", "--draws", "20000", "--seed", "1", "--json"))
    assert "attack" in aware.html(audit=tmp_path / "audit.json")
    planar = lookalike.geo.planar(epsilon="5/km", origin=(52.52, 13.405))
    planar.save(tmp_path / "p.json")
    assert run("report", "p.json", "-o", "-") == planar.html()
    with pytest.raises(InputError, match="prior is shown for channels between categories, and this file is noise on places"):
        planar.html(prior=[0.5])
    with pytest.raises(InputError, match="a belief of 3/2, expected a number from 0 to 1"):
        aware.html(prior=["3/2"])
    chain = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]])
    chain.save(tmp_path / "chain.toml")
    lookalike.pufferfish.save_html(chain, tmp_path / "chain.html", length=50, epsilon=1)
    assert (tmp_path / "chain.html").read_text() == run(
        "pufferfish", "report", "chain.toml", "--length", "50", "--epsilon", "1", "-o", "-"
    )


def test_a_picture_without_matplotlib_says_what_to_install(aware, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(lookalike.LookalikeError, match=r"pip install lookalike\[plot\]"):
        aware.plot("ana")


def test_a_device_file_has_no_name(aware):
    device = json.loads(aware.export("ana"))
    assert device["format"] == "lookalike-device" and "ana" not in json.dumps(device)
    with pytest.raises(InputError, match="profile is missing"):
        aware.export()


def test_importing_loads_no_other_library():
    code = "import sys, lookalike; print([m for m in ('numpy', 'pandas', 'pyarrow', 'polars') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_seeds(point):
    values = [10, 20, 30, 20] * 250
    same = point.privatize(values, seed=5)
    assert point.privatize(values, seed=np.int64(5)) == same
    assert point.privatize(values, seed=6) != same
    assert point.privatize(values) != point.privatize(values)
    for seed in (-1, 2**64):
        with pytest.raises(InputError, match="seed"):
            point.privatize(values, seed=seed)
    with pytest.raises(TypeError, match="seed"):
        point.privatize(values, seed="5")


INTERRUPTED = """
import signal, threading, os, time, lookalike
count = 0
def slow(secret):
    global count
    count += 1
    if count == 1000:
        os.kill(os.getpid(), signal.SIGINT)
    return secret
try:
    lookalike.audit(slow, secrets=["a", "b"], epsilon=1, draws=1e9)
except KeyboardInterrupt:
    print("interrupted", count < 10_000_000)
"""


def test_control_c_ends_long_work():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "interrupted True", done.stderr


def test_counts_above_n_are_covered_by_n_alone():
    mech = lookalike.counts.geometric(3, 0.9)
    with pytest.raises(InputError, match="which are counts from 0 to 3"):
        mech.privatize([4])
    assert len(mech.privatize([4], unknown=3)) == 1
    with pytest.raises(InputError, match="a neighbour of 3 and of no other"):
        mech.privatize([4], unknown=0)
