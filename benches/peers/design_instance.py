"""Writes and reads the instances of the design rows: profiles and the pairs that must look alike.

    design_instance.py sparse|chain|group|sparse-limits|group-limits PROFILES CATEGORIES FOLDER

Profiles are uniform over all laws, Dirichlet(1, …, 1), rounded to whole numbers of 2^-30 that sum to 1 and are none of
them 0, so that every side has the same numbers. `sparse` has three times as many edges as profiles, distinct and
uniform; `chain` ties each profile to the next; `group` all to all, and is written without edges. With `-limits` profiles are fitted
from 500 records of such a law each, and have Clopper-Pearson limits of 95 % for each cell, rounded outward to the grid. Numpy's
PCG64, seed 1.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import stats

BITS = 30
SEED = 1
DEGREE = 6
# Of each profile that has limits, and the confidence of each cell.
RECORDS = 500
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Instance:
    """Profiles, one a row, with numerators over 2^30; edges are pairs of rows."""

    numerators: np.ndarray
    edges: np.ndarray
    # The lower and the upper limit of each probability; empty where profiles are one law each.
    limits: np.ndarray

    @property
    def profiles(self) -> np.ndarray:
        """The same as doubles, exactly."""
        return self.numerators / 2.0**BITS


def make(shape: str, profiles: int, categories: int) -> Instance:
    rng = np.random.Generator(np.random.PCG64(SEED))
    numerators = rounded(rng, profiles, categories)
    graph, _, limited = shape.partition("-")
    limits = np.empty((0, categories, 2))
    if limited:
        counts = np.array([rng.multinomial(RECORDS, row / row.sum()) for row in numerators])
        numerators, limits = fitted(counts), around(counts)
    pairs = edges(rng, graph, profiles)
    return Instance(numerators.astype(np.uint32), pairs.astype(np.uint32), limits.astype(np.uint32))


def fitted(counts: np.ndarray) -> np.ndarray:
    """The shares of the counts on the grid: rounded down, what is left to the first categories."""
    numerators = counts * 2**BITS // RECORDS
    left = 2**BITS - numerators.sum(axis=1)
    return numerators + (np.arange(counts.shape[1]) < left[:, np.newaxis])


def around(counts: np.ndarray) -> np.ndarray:
    """The limits of each cell, outward to the grid."""
    tail = (1 - CONFIDENCE) / 2
    lower = np.where(counts == 0, 0.0, stats.beta.ppf(tail, counts, RECORDS - counts + 1))
    upper = np.where(counts == RECORDS, 1.0, stats.beta.ppf(1 - tail, counts + 1, RECORDS - counts))
    return np.stack([np.floor(lower * 2**BITS), np.ceil(upper * 2**BITS)], axis=2)


def rounded(rng: np.random.Generator, profiles: int, categories: int) -> np.ndarray:
    """The gaps between uniform whole numbers, which is Dirichlet(1, …, 1) on the grid; at least 1 each."""
    room = 2**BITS - categories
    cuts = np.sort(rng.integers(room + 1, size=(profiles, categories - 1)), axis=1)
    return np.diff(cuts, axis=1, prepend=0, append=room) + 1


def edges(rng: np.random.Generator, shape: str, profiles: int) -> np.ndarray:
    if shape == "group":
        return np.empty((0, 2), dtype=np.int64)
    if shape == "chain":
        return np.stack([np.arange(profiles - 1), np.arange(1, profiles)], axis=1)
    wanted = profiles * DEGREE // 2
    pairs = rng.integers(profiles, size=(2 * wanted + 100, 2))
    pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
    _, first = np.unique(pairs, axis=0, return_index=True)
    chosen = pairs[np.sort(first)][:wanted]
    if len(chosen) < wanted:
        raise SystemExit(f"{profiles} profiles are too few for {wanted} edges")
    return chosen


def write(instance: Instance, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    instance.edges.astype("<u4").tofile(folder / "edges.u32")
    instance.limits.astype("<u4").tofile(folder / "limits.u32")
    # The last, under a temporary name until it is whole: a run that was stopped leaves nothing that looks complete.
    partial = folder / "numerators.tmp"
    instance.numerators.astype("<u4").tofile(partial)
    partial.rename(folder / "numerators.u32")


def read(folder: Path, categories: int) -> Instance:
    numerators = np.fromfile(folder / "numerators.u32", dtype="<u4").reshape(-1, categories)
    limits = np.fromfile(folder / "limits.u32", dtype="<u4").reshape(-1, categories, 2)
    return Instance(numerators, np.fromfile(folder / "edges.u32", dtype="<u4").reshape(-1, 2), limits)


if __name__ == "__main__":
    shape, profiles, categories, folder = sys.argv[1:]
    write(make(shape, int(profiles), int(categories)), Path(folder))
