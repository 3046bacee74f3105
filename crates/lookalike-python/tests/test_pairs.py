"""Columns that are paired row by row: those of pandas with different indexes are refused at every entry point."""

from __future__ import annotations

import re

import pytest

import lookalike

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
numpy = pytest.importorskip("numpy")

ROWS = 60
PEOPLE = pandas.Index([f"SECRETMARKER {row}" for row in range(ROWS)])


def column(values: list, index=PEOPLE) -> pandas.Series:
    return pandas.Series((values * ROWS)[:ROWS], index=index)


def turned(values: list) -> pandas.Series:
    """The same people in another order."""
    return column(values).iloc[::-1]


def refused(names: str, call) -> None:
    with pytest.raises(lookalike.InputError) as found:
        call()
    assert re.match(rf"{names}: their indexes differ, expected the same labels in the same order", str(found.value))
    assert ".loc[other.index]" in str(found.value) and "reset_index" in str(found.value)
    assert "SECRETMARKER" not in str(found.value)


@pytest.fixture(scope="module")
def counts() -> lookalike.Mechanism:
    return lookalike.counts.explicit_fair(ROWS, alpha=0.5)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory) -> lookalike.Ledger:
    return lookalike.Ledger.create(tmp_path_factory.mktemp("ledger") / "a.ledger", budget=100)


def test_every_entry_point_refuses_other_labels(aware, point, counts, ledger):
    users, loads = ["ana", "bo"], ["idle", "busy", "light"]
    joint = lookalike.design(lookalike.SecretGraph.values(["a|x", "a|y", "b|x", "b|y"]), epsilon=1)
    planar = lookalike.geo.planar(epsilon="ln(4)/200", origin=(45.07, 7.68))
    names = [str(row) for row in range(ROWS)]
    refused("profiles and values", lambda: aware.privatize(turned(users), column(loads)))
    refused("profiles and values", lambda: aware.privatize(turned(users).to_frame(), column(loads)))
    refused("profiles and values", lambda: aware.privatize(column(users), column(loads, range(ROWS))))
    refused("values", lambda: joint.privatize([column(["a", "b"]), turned(["x", "y"])]))
    refused("outputs and by", lambda: point.estimate(column([10, 20]), by=turned(["n", "s"])))
    refused("profiles and values", lambda: lookalike.fit(turned(users), column(loads), categories=loads))
    refused("profiles and roles", lambda: lookalike.fit(column(users), column(loads), categories=loads, roles=turned(users)))
    refused("groups and values", lambda: lookalike.counts.release(counts, turned(users), column(["y", "n"]), "y"))
    refused("latitudes and longitudes", lambda: planar.privatize(column([45.07]), turned([7.68])))
    refused(
        "values and subjects",
        lambda: ledger.privatize(point, column([10]), subjects=turned(names), observations=column(names)),
    )
    refused(
        "profiles and observations",
        lambda: ledger.privatize(
            aware, column(users), column(loads), subjects=column(names), observations=turned(names)
        ),
    )
    refused("subjects and observations", lambda: ledger.record(point, subjects=column(names), observations=turned(names)))


def test_nothing_is_charged_for_what_is_refused(point, ledger):
    before = ledger.status()
    refused(
        "values and subjects",
        lambda: ledger.privatize(point, column([10]), subjects=turned(["a", "b"]), observations=column(["c"])),
    )
    assert ledger.status() == before


def test_equal_labels_in_equal_order_go_together(aware, point):
    users, loads = column(["ana", "bo"]), column(["idle", "busy"])
    expected = aware.privatize(list(users), list(loads), seed=1)
    same = pandas.Series(list(loads), index=pandas.Index(list(PEOPLE)))
    for one, other in (
        (users, loads),
        (users, same),
        (users, loads.to_frame("load")),
        # What has no index is paired by position.
        (users, list(loads)),
        (users.to_numpy(), loads),
        (users.iloc[::-1].to_numpy()[::-1], loads),
        (polars.Series(list(users)), loads),
        (users.iloc[::-1].reset_index(drop=True).iloc[::-1].reset_index(drop=True), list(loads)),
    ):
        released = aware.privatize(one, other, seed=1)
        found = released.iloc[:, 0] if isinstance(released, pandas.DataFrame) else released
        assert list(found) == expected
    # The way out that the message names.
    assert list(aware.privatize(turned(["bo", "ana"]).loc[loads.index], loads, seed=1)) == list(
        aware.privatize(list(column(["bo", "ana"])), list(loads), seed=1)
    )
    # Counting labels of two kinds are equal labels.
    counted = pandas.Series([10, 20], index=pandas.RangeIndex(2)), pandas.Series(["n", "s"], index=[0, 1])
    assert set(point.estimate(counted[0], by=counted[1])) == {"n", "s"}


def test_other_lengths_are_said_to_be_so(aware):
    with pytest.raises(lookalike.InputError, match="expected equally many"):
        aware.privatize(column(["ana"]), column(["idle"]).iloc[:5])
