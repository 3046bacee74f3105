"""The linear program of the optimal mechanism on a square grid (Bordenabe, Chatzikokolakis, Palamidessi, CCS 2014).

Variable K(x, z), at place x·n + z, is the probability that cell x is released as z. The expected distance under a uniform
prior is least, rows sum to 1, and K(x, z) ≤ e^(ε·d(x, x'))·K(x', z) for all ordered pairs of cells, or for the edges of a
δ-spanner with ε/δ instead of ε: by the triangle inequality that is private for all pairs too, and its cost is at least
that of all pairs.
"""

import math

import numpy as np
from scipy import sparse

from programs import Program


def distances(side: int) -> np.ndarray:
    """Euclidean, in steps of the grid; cell r·side + c is in row r and column c."""
    rows, columns = np.divmod(np.arange(side * side), side)
    return np.hypot(rows[:, None] - rows, columns[:, None] - columns)


def all_pairs(side: int) -> np.ndarray:
    """Every two cells, once."""
    return np.column_stack(np.triu_indices(side * side, 1))


def spanner(side: int, dilation: float) -> np.ndarray:
    """The greedy spanner: pairs from near to far, of equals the first, kept while the way so far is too long."""
    direct = distances(side)
    pairs = all_pairs(side)
    squares = np.rint(direct[pairs[:, 0], pairs[:, 1]] ** 2)
    way = np.full_like(direct, np.inf)
    np.fill_diagonal(way, 0.0)
    edges = []
    for one, other in pairs[np.argsort(squares, kind="stable")]:
        length = direct[one, other]
        if way[one, other] > dilation * length * (1 + 1e-12):
            edges.append((one, other))
            way = np.minimum(way, way[:, one, None] + length + way[other])
            way = np.minimum(way, way.T)
    return np.array(edges)


def optimal(side: int, epsilon: float, dilation: float | None) -> Program:
    """On all pairs, or on the spanner of this dilation."""
    direct, cells = distances(side), side * side
    edges = all_pairs(side) if dilation is None else spanner(side, dilation)
    both = np.concatenate([edges, edges[:, ::-1]])
    factors = np.exp(epsilon / (dilation or 1.0) * direct[both[:, 0], both[:, 1]])
    # A row for each ordered pair and output: K(x, z) − factor·K(x', z) ≤ 0.
    outputs = np.arange(cells)
    columns = (both[:, :, None] * cells + outputs).transpose(0, 2, 1).reshape(-1)
    values = np.column_stack([np.ones(len(both) * cells), np.repeat(-factors, cells)]).reshape(-1)
    count = len(both) * cells
    ratios = sparse.csr_array((values, columns, 2 * np.arange(count + 1)), shape=(count, cells * cells))
    sums = sparse.kron(sparse.eye_array(cells), np.ones((1, cells)), format="csr")
    matrix = sparse.vstack([ratios, sums], format="csr")
    ones = np.ones(cells)
    lower, upper = np.concatenate([np.full(count, -math.inf), ones]), np.concatenate([np.zeros(count), ones])
    return Program((direct / cells).ravel(), np.ones(cells * cells), matrix, lower, upper)
