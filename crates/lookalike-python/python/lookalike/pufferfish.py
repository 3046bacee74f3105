"""Pufferfish: secrets that correlations give away.

Sequences of states, where each moment tells of its neighbours: a ``Chain``, a list of chains or a ``BinaryBox`` says what
they may have come from, ``calibrate`` how much noise hides every moment, and ``release`` answers with it. A ``Framework``
has secrets of any kind, and laws of a query given each of them.
"""

from __future__ import annotations

from ._calibration import Calibration, Compared, SumDistance, calibrate, compare, compose, html, save_html, sum_distance
from ._chain import BinaryBox, Chain, load, save
from ._framework import Framework, Learned, Wasserstein, learned, wasserstein
from ._sequence_release import Answer, Release, release

__all__ = [
    "Answer",
    "BinaryBox",
    "Calibration",
    "Chain",
    "Compared",
    "Framework",
    "Learned",
    "Release",
    "SumDistance",
    "Wasserstein",
    "calibrate",
    "compare",
    "compose",
    "html",
    "learned",
    "load",
    "release",
    "save",
    "save_html",
    "sum_distance",
    "wasserstein",
]
