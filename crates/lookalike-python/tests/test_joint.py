"""Several columns make one joint category, and rows can be released in a random order."""

from __future__ import annotations

import subprocess
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike

LOADS, FLAGS = ["low", "high", "low", "high"] * 30, [0, 1, 1, 0] * 30
NAMES = ["low|0", "low|1", "high|0", "high|1"]


@pytest.fixture(scope="module")
def joint():
    return lookalike.design(lookalike.SecretGraph.values(NAMES), epsilon=1)


@pytest.fixture(scope="module")
def expected(joint):
    return joint.privatize([f"{load}|{flag}" for load, flag in zip(LOADS, FLAGS)], seed=5)


def test_a_list_of_columns_of_any_kind(joint, expected):
    assert joint.privatize([LOADS, FLAGS], seed=5) == expected
    assert joint.privatize((LOADS, np.array(FLAGS)), seed=5) == expected
    found = joint.privatize([np.array(LOADS), np.array(FLAGS)], seed=5)
    assert isinstance(found, np.ndarray) and found.tolist() == expected
    assert joint.privatize([pa.array(LOADS), FLAGS], seed=5).to_pylist() == expected


def test_a_table_gives_a_table_with_the_joint_column(joint, expected):
    columns = {"load": LOADS, "flag": FLAGS}
    found = joint.privatize(pd.DataFrame(columns, index=range(7, 127)), seed=5)
    assert list(found.columns) == ["load|flag"] and found["load|flag"].tolist() == expected and found.index[0] == 7
    found = joint.privatize(pl.DataFrame(columns), seed=5)
    assert found.columns == ["load|flag"] and found["load|flag"].to_list() == expected
    found = joint.privatize(pa.table(columns), seed=5)
    assert found.column_names == ["load|flag"] and found["load|flag"].to_pylist() == expected


def test_numbers_first_come_back_as_text(expected):
    names = [f"{flag}|{load}" for load, flag in (name.split("|") for name in NAMES)]
    mech = lookalike.design(lookalike.SecretGraph.values(names), epsilon=1)
    wanted = mech.privatize([f"{flag}|{load}" for load, flag in zip(LOADS, FLAGS)], seed=5)
    for kind in (np.array, pa.array, pl.Series, pd.Series):
        found = mech.privatize([kind(FLAGS), LOADS], seed=5)
        assert (found.to_pylist() if isinstance(found, pa.Array) else list(found)) == wanted


def test_errors_name_the_column_and_no_value(joint):
    with pytest.raises(lookalike.InputError, match="not one of the 4 categories") as raised:
        joint.privatize([["SECRETMARKER"], [1]])
    assert "SECRETMARKER" not in str(raised.value)
    with pytest.raises(lookalike.InputError, match=r'column "values\[1\]": null'):
        joint.privatize([["low", "low"], [1, None]])
    with pytest.raises(lookalike.InputError, match=r'column "values\[0\]" has 1 rows and column "values\[1\]" has 2'):
        joint.privatize([["low"], [1, 1]])


def test_oracles_take_joint_values():
    oracle = lookalike.local.oracle("oue", NAMES, epsilon=1)
    assert oracle.privatize([LOADS, FLAGS], seed=2) == oracle.privatize(list(map("|".join, zip(LOADS, map(str, FLAGS)))), seed=2)


def test_a_shuffled_release_has_the_same_rows_in_another_order(joint, expected):
    found = joint.privatize([LOADS, FLAGS], seed=5, shuffle=True)
    assert found != expected and sorted(found) == sorted(expected)
    series = pd.Series([f"{load}|{flag}" for load, flag in zip(LOADS, FLAGS)], index=range(7, 127))
    shuffled = joint.privatize(series, seed=5, shuffle=True)
    assert shuffled.tolist() == found and shuffled.index.tolist() == list(range(120))
    chunks = pa.chunked_array([series.tolist()[:50], series.tolist()[50:]])
    assert joint.privatize(chunks, seed=5, shuffle=True).to_pylist() == found


def test_oracles_and_noise_shuffle_too():
    oracle, noise = lookalike.local.oracle("oue", 5, epsilon=1), lookalike.noise.laplace(1, 1)
    values = list(range(5)) * 20
    for release in (oracle.privatize, noise.add):
        plain, shuffled = release(values, seed=3), release(values, seed=3, shuffle=True)
        assert shuffled != plain and sorted(shuffled) == sorted(plain)


def test_sorted_rows_are_warned_of_unless_shuffled(aware):
    profiles, values = ["ana"] * 5 + ["bo"] * 5, ["idle"] * 10
    with pytest.warns(lookalike.PrivacyWarning, match="shuffle=True releases them in a random order"):
        aware.privatize(profiles, values)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        aware.privatize(profiles, values, shuffle=True)
        aware.privatize(["ana", "bo", "cleo"], ["idle"] * 3)


def test_the_order_of_values_is_looked_at_for_every_kind():
    three = ["red"] * 300 + ["green"] * 300 + ["blue"] * 300
    krr, oue = (lookalike.local.oracle(name, ["red", "green", "blue"], epsilon="ln(3)") for name in ("k-rr", "oue"))
    noise = lookalike.noise.laplace(1, 1)
    for release, values in ((krr.privatize, three), (oue.privatize, three), (noise.add, list(range(50)))):
        with pytest.warns(lookalike.PrivacyWarning, match="sorted by value.*shuffle=True releases them") as caught:
            release(values)
        assert caught[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            release(values, shuffle=True)
            release(values[:5])


def test_profiles_by_turns_are_warned_of(aware):
    with pytest.warns(lookalike.PrivacyWarning, match="the profile follows a pattern that comes round"):
        aware.privatize(["ana", "bo"] * 50, ["idle"] * 100)


def test_the_command_line_gives_the_same(command, tmp_path, joint):
    joint.save(tmp_path / "m.json")
    rows = "".join(f"{load},{flag}\n" for load, flag in zip(LOADS, FLAGS))
    (tmp_path / "records.csv").write_text("load,flag\n" + rows)
    words = "privatize m.json records.csv --value load,flag --shuffle --seed 5 -o private.csv".split()
    subprocess.run([command, *words], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "private.csv").read_text().split()[1:] == joint.privatize([LOADS, FLAGS], seed=5, shuffle=True)
