"""The package draws the pinned vectors of the device library, and these follow from the definitions alone."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path

import pytest

import lookalike

VECTORS = Path(__file__).resolve().parents[2] / "lookalike-device" / "vectors"


@pytest.mark.parametrize("name", ["rows", "keep"])
def test_the_package_draws_as_devices_do(name):
    mechanism = lookalike.load(VECTORS / f"{name}.json")
    rows = list(csv.DictReader((VECTORS / f"{name}.csv").read_text().splitlines()))
    profiles, values = [row["profile"] for row in rows], [row["value"] for row in rows]
    assert len(rows) == 256
    assert mechanism.privatize(profiles, values, seed=7) == [row["output"] for row in rows]


@pytest.mark.parametrize("name", ["rows", "keep"])
def test_the_vectors_are_what_the_definitions_make(name):
    found = importlib.util.spec_from_file_location("make", VECTORS / "make.py")
    make = importlib.util.module_from_spec(found)
    found.loader.exec_module(make)
    for file, content in make.files(name).items():
        assert (VECTORS / file).read_bytes() == content, file
