"""The ledger from Python, and beside the command line."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import lookalike
from lookalike import InputError, Ledger, RefusedError


@pytest.fixture
def mech():
    return lookalike.design(lookalike.SecretGraph.values(["no", "yes"]), epsilon=1)


@pytest.fixture
def profiles():
    graph = lookalike.SecretGraph({"ana": [0.75, 0.25], "bo": [0.25, 0.75]}, edges=[("ana", "bo")], categories=["idle", "busy"])
    return lookalike.design(graph, epsilon=1)


def test_rows_are_charged_once_and_answers_given_again(tmp_path, mech):
    ledger = Ledger.create(tmp_path / "a.ledger", budget=1)
    rows = 70_000  # more than a batch
    values, subjects = np.array(["no", "yes"] * (rows // 2)), np.arange(rows)
    first = ledger.privatize(mech, values, subjects=subjects, observations=np.zeros(rows, int))
    assert (first.charged, first.earlier_answers, first.constant) == (rows, 0, 0)
    again = Ledger(tmp_path / "a.ledger").privatize(mech, values, subjects=subjects, observations=np.zeros(rows, int))
    assert (again.charged, again.earlier_answers) == (0, rows) and (again.released == first.released).all()
    over = ledger.privatize(mech, ["no"] * 600, subjects=list(range(600)), observations=[1] * 600, seed=3, unsafe=True)
    assert (over.charged, over.constant) == (0, 600)
    # A fair coin whatever the value, within 5 deviations.
    assert 239 <= over.released.count("yes") <= 361
    assert ledger.verify(ledger.head)["charges"] == rows
    assert ledger.subject(7)["spent"]["epsilon_text"] == "1"


def test_a_second_observation_needs_the_declaration(tmp_path, profiles):
    ledger = Ledger.create(tmp_path / "a.ledger", budget=2)
    data = ["ana", "ana", "ana"], ["idle", "busy", "idle"]
    names = {"subjects": ["a", "a", "a"], "observations": ["1", "2", "3"]}
    with pytest.raises(RefusedError, match="row 2: a second observation of a subject.*independent_observations"):
        ledger.privatize(profiles, *data, **names)
    assert ledger.status()["subjects"] == 0
    charged = ledger.privatize(profiles, *data, independent_observations=True, **names)
    assert (charged.charged, charged.constant) == (2, 1)


def test_noise_reports_and_frames_keep_their_kind(tmp_path):
    noise = lookalike.noise.laplace(epsilon=1, sensitivity=1)
    ledger = Ledger.create(tmp_path / "n.ledger", budget=1)
    series = pd.Series([5, 9], index=["x", "y"])
    first = ledger.privatize(noise, series, subjects=["a", "b"], observations=[0, 0]).released
    assert list(first.index) == ["x", "y"]
    assert (ledger.privatize(noise, series, subjects=["a", "b"], observations=[0, 0]).released == first).all()
    oracle = lookalike.local.oracle("hadamard", ["r", "g", "b"], epsilon=1)
    reports = Ledger.create(tmp_path / "o.ledger", budget=1)
    one = reports.privatize(oracle, ["r", "g"], subjects=["a", "b"], observations=[0, 0]).released
    assert reports.privatize(oracle, ["r", "g"], subjects=["a", "b"], observations=[0, 0]).released == one


def test_what_was_made_elsewhere_is_recorded(tmp_path, mech, profiles):
    ledger = Ledger.create(tmp_path / "a.ledger", budget=1, period="day", period_budget="1/2")
    with pytest.raises(RefusedError, match="no budget left.*made"):
        ledger.record(mech, subjects=["a"], observations=["1"])
    assert ledger.record(mech, subjects=["a"], observations=["1"], made=True, note="on paper") == 1
    assert ledger.record(mech, subjects=["a"], observations=["1"], made=True) == 0
    assert ledger.status()["budgets"]["periodic"]["epsilon_text"] == "1/2"
    with pytest.raises(RefusedError, match="other secrets"):
        ledger.record(profiles, subjects=["a"], observations=["1"])
    assert ledger.export(tmp_path / "lines.json", charges=True) == 3
    lines = [json.loads(line) for line in (tmp_path / "lines.json").read_text().splitlines()]
    assert lines[2]["content"]["note"] == "on paper" and len(lines[2]["charges"]) == 1


def test_mistakes_are_named(tmp_path, mech):
    with pytest.raises(InputError, match="no budget"):
        Ledger.create(tmp_path / "a.ledger")
    with pytest.raises(InputError, match="period and period_budget"):
        Ledger.create(tmp_path / "a.ledger", budget=1, period="day")
    with pytest.raises(InputError, match="there is no ledger here"):
        Ledger(tmp_path / "a.ledger")
    ledger = Ledger.create(tmp_path / "a.ledger", budget=1)
    with pytest.raises(InputError, match="never replaced"):
        Ledger.create(tmp_path / "a.ledger", budget=1)
    with pytest.raises(InputError, match='row 1, column "subjects": empty'):
        ledger.privatize(mech, ["no"], subjects=[""], observations=[1])
    with pytest.raises(InputError, match="has 1 rows and column.*has 2"):
        ledger.privatize(mech, ["no"], subjects=["a", "b"], observations=[1])
    with pytest.raises(TypeError, match="expected a mechanism"):
        ledger.privatize("m", ["no"], subjects=["a"], observations=[1])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="seed: what is drawn by a seed"):
        ledger.privatize(mech, ["no"], subjects=["a"], observations=[1], seed=1)
    with pytest.raises(InputError, match="this is the ledger"):
        ledger.export(ledger.path, overwrite=True)
    with pytest.raises(InputError, match="shuffle"):
        ledger.privatize(mech, ["no"], subjects=["a"], observations=[1], shuffle=True)
    with pytest.raises(InputError, match=r"there is no ledger here \(Ledger\.create\(\) makes one\)"):
        Ledger(tmp_path / "none.ledger")
    assert ledger.status()["subjects"] == 0


def test_an_edited_ledger_is_found(tmp_path, mech):
    ledger = Ledger.create(tmp_path / "a.ledger", budget=1)
    ledger.privatize(mech, ["no"], subjects=["a"], observations=[1])
    with sqlite3.connect(tmp_path / "a.ledger") as connection:
        connection.executescript("DROP TRIGGER charge_changed; UPDATE charge SET answer = 1 - answer")
    found = ledger.verify()
    assert (found["whole"], found["entry"]) == (False, 3)


@pytest.mark.skipif("LOOKALIKE_CLI" not in os.environ, reason="needs the command line")
def test_a_ledger_that_is_dated_ahead_is_warned_of(tmp_path):
    stored = Path(__file__).parents[2] / "lookalike-cli/tests/ledgers"
    for end in "", ".key":
        shutil.copy(stored / f"ahead.ledger{end}", tmp_path)
    ledger = Ledger(tmp_path / "ahead.ledger")
    mech = lookalike.design(lookalike.SecretGraph.values(["idle", "busy"]), epsilon=1)
    with pytest.warns(lookalike.PrivacyWarning, match="the last entry of the ledger is dated 2099-01-01.*Ledger.correct_clock"):
        ledger.privatize(mech, ["idle"], subjects=["ana"], observations=["new"])
    ledger.correct_clock("the battery was empty")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ledger.privatize(mech, ["idle"], subjects=["ana"], observations=["newer"])


def test_the_command_line_knows_what_python_charged(tmp_path, mech):
    ledger = Ledger.create(tmp_path / "a.ledger", budget=1)
    mech.save(tmp_path / "m.json")
    released = ledger.privatize(mech, ["no", "yes"], subjects=["a", "b"], observations=["1", "1"], column="answer").released
    (tmp_path / "r.csv").write_text("who,day,answer\na,1,no\nb,1,yes\n")
    command = [os.environ["LOOKALIKE_CLI"], "privatize", "m.json", "r.csv", "--value", "answer", "--ledger", "a.ledger"]
    command += ["--subject", "who", "--observation", "day", "-o", "p.csv"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "0 rows charged, 2 given their earlier answer" in ran.stderr
    assert (tmp_path / "p.csv").read_text().split() == ["answer", *released]
