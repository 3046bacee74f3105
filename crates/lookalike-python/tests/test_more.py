"""Checks, predictions beside local DP, counts of groups and exact noise, held against the command line."""

from __future__ import annotations

import json
import math
import subprocess
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import lookalike


def said(command, folder, *words):
    done = subprocess.run([command, *words, "--json"], cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


SPEC = 'epsilon = 0.5\ncategories = ["no", "yes"]\n[profiles]\nana = 0.2\nbo = 0.3\ncleo = 0.9\n[graph]\nedges = [["ana", "bo"]]\n'


def test_check_says_what_the_command_line_says(command, tmp_path):
    (tmp_path / "spec.toml").write_text(SPEC)
    found, other = lookalike.check(tmp_path / "spec.toml"), said(command, tmp_path, "check", "spec.toml")
    assert (found.kind, found.mechanism, found.objective) == (other["kind"], other["mechanism"], other["objective"])
    assert (found.secrets, found.categories, found.pairs) == (other["secrets"], other["categories"], other["edges"])
    assert (found.components, list(found.epsilons)) == (other["components"], other["epsilons"])
    assert list(found.unprotected) == other["unprotected"] == ["cleo"]
    assert found.impossible_values is None and other["impossible_values"] is None


def test_values_that_a_profile_never_has_are_told_of(command, tmp_path):
    (tmp_path / "spec.toml").write_text('channel = "shared"\n' + SPEC.replace("ana = 0.2", "ana = 0"))
    found, other = lookalike.check(tmp_path / "spec.toml"), said(command, tmp_path, "check", "spec.toml")
    assert found.impossible_values == other["impossible_values"] == {"count": 1, "profile": "ana", "value": "yes"}


def test_facts_are_those_of_the_command_line(command, tmp_path, aware):
    aware.save(tmp_path / "m.json")
    (tmp_path / "spec.toml").write_text(SPEC.replace("cleo = 0.9\n", ""))
    made = lookalike.design(lookalike.SecretGraph.read(tmp_path / "spec.toml"))
    assert made.report == said(command, tmp_path, "design", "spec.toml")
    points = lookalike.sweep(lookalike.SecretGraph.read(tmp_path / "spec.toml"), "0.5,1")
    assert [point.mechanism.report for point in points] == said(command, tmp_path, "design", "spec.toml", "--sweep", "0.5,1")
    found, other = aware.delta_at("1/20"), said(command, tmp_path, "certify", "m.json", "--delta-at", "1/20")["delta"]
    assert (found.lower, found.upper, list(found.outputs)) == (other["lower"], other["upper"], other["outputs"])
    assert [str(share) for share in found.probabilities] == other["probabilities"]


def test_accounts_are_those_of_the_command_line(command, tmp_path, aware):
    for mech in (aware, lookalike.local.oracle("subset", 20, epsilon=1), lookalike.noise.laplace(1, 2)):
        mech.save(tmp_path / "m.json", overwrite=True)
        found = lookalike.account(mech, [1, 10], delta="1e-6")
        other = said(command, tmp_path, "account", "m.json", "--releases", "1,10")["releases"]
        keys = ["releases", "sum", "sum_text", "epsilon_at_delta", "method"]
        assert [[getattr(row, key) for key in keys] for row in found] == [[row[key] for key in keys] for row in other]
        assert [row.pair and list(row.pair) for row in found] == [row["pair"] for row in other]
        assert found[1].epsilon_at_delta <= found[1].sum
    with pytest.raises(lookalike.InputError, match="expected a number from 0 to 1"):
        lookalike.account(aware, [1], delta=2)
    with pytest.raises(lookalike.InputError, match="noise on places"):
        lookalike.account(lookalike.geo.planar(epsilon="5/km", origin=(45, 7)), [1])


def test_devices_read_what_the_command_line_writes(command, tmp_path, aware):
    aware.save(tmp_path / "m.json")
    said(command, tmp_path, "export", "m.json", "--profile", "ana", "-o", "ana.json")
    said(command, tmp_path, "export", "m.json", "--profile", "ana", "-o", "ana.table")
    assert aware.export("ana") == (tmp_path / "ana.json").read_text()
    assert aware.export_table("ana") == (tmp_path / "ana.table").read_bytes()
    with pytest.raises(lookalike.InputError, match="profile is missing"):
        aware.export_table()


def test_check_takes_what_is_asked_of_a_design(graph):
    found = lookalike.check(graph, 0.1, channel="shared", objective="max-flip", mechanism="k-rr")
    assert (found.kind, found.objective, found.mechanism) == ("shared", "max-flip", "k-rr")
    assert found.epsilons == ("1/10", "1/4")
    assert lookalike.check(graph, 0.1).mechanism == lookalike.design(graph, 0.1).name
    with pytest.raises(lookalike.InputError, match='^objective "foo", expected'):
        lookalike.check(graph, 0.1, objective="foo")


def test_predictions_are_those_of_the_command_line(command, tmp_path, aware):
    for mech in (aware, lookalike.local.oracle("subset", 20, epsilon=1)):
        mech.save(tmp_path / "m.json", overwrite=True)
        found, other = mech.predict(5000), said(command, tmp_path, "estimate", "m.json", "--predict", "5000")
        assert found.root_mean_square == other["mechanism"]["root_mean_square"]
        assert found.local_root_mean_square == other["local_dp"]["root_mean_square"]
        histogram = [interval for interval in other["local_dp"]["histogram"] if len(interval["categories"]) == 1]
        assert found.local_widths == {interval["categories"][0]: interval["width"] for interval in histogram}
        assert found.widest == max(found.widths.values()) == other["mechanism"]["widest"]


def test_predictions_for_given_shares_compare_the_same_values(aware):
    shares = {"ana": 0.7, "bo": 0.2, "cleo": 0.1}
    found, even = aware.predict(1000, shares), aware.predict(1000)
    assert found.local_widths != even.local_widths
    idle = 0.7 * 0.2 + 0.2 * 0.3 + 0.1 / 3
    local = lookalike.local.oracle("k-rr", aware.categories, epsilon=aware.epsilon_text)
    light = 0.7 * 0.5 + 0.2 * 0.4 + 0.1 / 3
    expected = local.predict(1000, {"idle": idle, "light": light, "busy": 1 - idle - light})
    assert found.local_widths["idle"] == pytest.approx(expected.widths["idle"])
    point = lookalike.local.oracle("k-rr", 3, epsilon=1).predict(1000)
    assert point.times_as_many_reports == pytest.approx(1.0)


def test_figures_lie_in_their_intervals_and_say_what_they_rest_on(aware):
    for trust in ("nothing", "profiles"):
        estimate = aware.estimate(["idle", "busy", "light"] * 100, trust=trust)
        assert estimate.trust == trust and (len(estimate.mix) > 0) == (trust == "profiles")
        for figure in (*estimate.histogram, *estimate.mix):
            assert 0 <= figure.lower <= figure.share <= figure.upper <= 1
        assert estimate["idle"].counted == pytest.approx(1 / 3)
    with pytest.raises(lookalike.InputError, match="trust in"):
        aware.estimate(["idle"], trust="everything")


def test_reports_that_do_not_fit_are_warned_of(aware):
    with pytest.warns(lookalike.MisfitWarning, match="do not fit"):
        estimate = aware.estimate({"busy": 5000}, trust="profiles")
    assert estimate.misfit is not None and estimate.misfit.probability < 1e-3


def test_estimates_are_tables_frames_and_words(aware):
    estimate = aware.estimate({"idle": 300, "busy": 400, "light": 300}, confidence=0.9)
    frame = estimate.to_frame()
    assert list(frame["category"]) == list(estimate.shares)
    assert list(frame["lower"]) == [figure.lower for figure in estimate.histogram]
    assert str(estimate).startswith("1000 reports; 90 % intervals, each taken separately.\ncategory")
    assert estimate.summary().endswith("About those who reported; nothing is assumed of them.")


def test_the_smallest_epsilon_for_a_width_is_that_of_the_command_line(command, tmp_path, graph):
    mech = lookalike.design(graph, epsilon_for="width=0.2", reports=500)
    assert mech.predict(500).widest <= 0.2
    with pytest.raises(lookalike.InputError, match="from how many reports"):
        lookalike.design(graph, epsilon_for="width=0.2")
    with pytest.raises(lookalike.InputError, match="reports"):
        lookalike.design(graph, 1, reports=5)


WARDS, ILL = ["a", "b", "b", "c", "a", "b"] * 2, ["yes", "no", "very", "no", "yes", "yes"] * 2


def test_counts_of_groups_are_those_of_the_command_line(command, tmp_path):
    mech = lookalike.counts.explicit_fair(8, alpha=0.8)
    mech.save(tmp_path / "m.json")
    (tmp_path / "records.csv").write_text("ward,ill\n" + "".join(f"{w},{i}\n" for w, i in zip(WARDS, ILL)))
    words = "counts release m.json records.csv --group ward --where ill=yes,very --seed 4 -o out.csv".split()
    subprocess.run([command, *words], cwd=tmp_path, check=True, capture_output=True)
    rows = [line.split(",") for line in (tmp_path / "out.csv").read_text().split()[1:]]
    expected = {ward: int(count) for ward, count in rows}
    assert lookalike.counts.release(mech, WARDS, ILL, ["yes", "very"], seed=4) == expected
    frame = pd.DataFrame({"ward": WARDS, "ill": ILL})
    assert lookalike.counts.release(mech, frame["ward"], frame["ill"], {"yes", "very"}, seed=4) == expected
    assert lookalike.counts.release(mech, pa.array(WARDS), np.array(ILL), ["yes", "very"], seed=4) == expected


def test_counts_of_groups_refuse_what_they_cannot_protect(point):
    mech = lookalike.counts.geometric(2, alpha=0.8)
    with pytest.raises(lookalike.InputError, match='row 3: one row more of its group than n = 2'):
        lookalike.counts.release(mech, ["a"] * 3, [True] * 3, True)
    with pytest.raises(lookalike.InputError, match="not a mechanism over counts"):
        lookalike.counts.release(point, ["a"], [True], True)
    with pytest.raises(lookalike.InputError, match="where"):
        lookalike.counts.release(mech, ["a"], ["x"], [])


@pytest.mark.parametrize("grid", [1, "1/8"])
def test_exact_numbers_get_exact_noise_and_come_back_as_they_came(grid):
    noise = lookalike.noise.laplace(epsilon=1, sensitivity=1, grid=grid)
    texts = ["0.1875", "-7", "12.5", "0.18749999999999999999999"]
    expected = noise.add(texts, seed=3)
    for kind in (Decimal, Fraction):
        found = noise.add([kind(text) for text in texts], seed=3)
        assert found == expected and {type(number) for number in found} == {kind}
        assert noise.add(kind("12.5"), seed=3) == noise.add("12.5", seed=3)
    array = np.array([Decimal(text) for text in texts], dtype=object)
    assert noise.add(array, seed=3).tolist() == expected
    assert noise.add([Decimal("0.1875"), -7, Fraction(25, 2)], seed=3) == expected[:3]


def test_exact_numbers_that_are_none_are_named_by_row():
    noise = lookalike.noise.laplace(epsilon=1, sensitivity=1)
    with pytest.raises(lookalike.InputError, match="2 columns, expected one column of numbers"):
        lookalike.noise.laplace(epsilon=1, sensitivity=1).add([[1, 2], [3, 4]])
    with pytest.raises(lookalike.InputError, match='row 2, column "values": not a finite number, expected one'):
        noise.add([Decimal(1), Decimal("NaN")])
    with pytest.raises(lookalike.InputError, match='row 2, column "values": null'):
        noise.add([Decimal(1), None])


def test_limits_are_what_is_usually_trusted_where_there_are_some():
    spec = """
        epsilon = 1
        categories = ["no", "yes"]
        profiles = { ana = 0.2, bo = 0.4 }
        limits = { ana = [[0.7, 0.9], [0.1, 0.3]], bo = [[0.5, 0.7], [0.3, 0.5]] }
        graph = { shape = "complete" }
    """
    mech = lookalike.design(lookalike.SecretGraph.from_spec(spec))
    found = mech.estimate({"no": 600, "yes": 400})
    assert found.trust == mech.predict(1000).trust == "limits"
    assert mech.estimate(["no", "yes"] * 50, by=["a", "b"] * 50)["a"].trust == "nothing"
    assert "within its limits" in found.summary()
