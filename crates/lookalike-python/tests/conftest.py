"""Mechanisms that the tests share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import lookalike


@pytest.fixture(scope="session")
def graph() -> lookalike.SecretGraph:
    return lookalike.SecretGraph(
        {"ana": [0.2, 0.5, 0.3], "bo": [0.3, 0.4, 0.3], "cleo": ["1/3", "1/3", "1/3"]},
        edges=[("ana", "bo"), ("bo", "cleo", 0.25)],
        categories=["idle", "light", "busy"],
    )


@pytest.fixture(scope="session")
def aware(graph: lookalike.SecretGraph) -> lookalike.Mechanism:
    return lookalike.design(graph, epsilon=0.1)


@pytest.fixture(scope="session")
def point() -> lookalike.Mechanism:
    return lookalike.design(lookalike.SecretGraph.values([10, 20, 30]), epsilon=1)


@pytest.fixture(scope="session")
def command() -> Path:
    """The command line, where `LOOKALIKE_CLI` or the path has one."""
    found = os.environ.get("LOOKALIKE_CLI") or shutil.which("lookalike")
    if not found:
        pytest.skip("no command line: LOOKALIKE_CLI names none")
    return Path(found)
