"""The paper's linear programs, as sparse matrices: minimise c·x with lower ≤ A x ≤ upper and x between bounds.

Geumlek and Chaudhuri (2019): problem (5), one bit and symmetric flips, and problem (6), categorical. Constraints on
ratios are cross-multiplied, as in the paper. t, the largest flip, is the last variable and the objective. `within` is not in the
paper: profiles are known up to limits.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

import design_instance
from design_instance import Instance


@dataclass(frozen=True)
class Program:
    """Minimise `cost · x` subject to `lower ≤ matrix x ≤ upper` and `0 ≤ x ≤ most`."""

    cost: np.ndarray
    most: np.ndarray
    matrix: sparse.csr_array
    lower: np.ndarray
    upper: np.ndarray


def one_bit(instance: Instance, epsilon: float) -> Program:
    """Problem (5): profile i flips its bit with probability α_i, so that output 1 has probability p_i + (1 − 2p_i)α_i.

    For each edge, both ways and for both outputs, q_i ≤ E q_j; and α_i ≤ t. k + 1 variables, 4 rows an edge, 1 a profile.
    """
    count = len(instance.numerators)
    rows = []
    for output in (1, 0):
        p = instance.profiles[:, output]
        rows.append(alike(instance.edges, np.exp(epsilon), sparse.diags_array(1 - 2 * p), p))
    rows.append(at_most_t(sparse.eye_array(count)))
    matrix, upper = stack(rows, count + 1)
    return minimise_last(matrix, np.full(len(upper), -np.inf), upper, np.full(count + 1, 0.5))


def categorical(instance: Instance, epsilon: float) -> Program:
    """Problem (6): a channel A^i for each profile, rows that sum to 1, off-diagonal entries at most t.

    For each edge, both ways and for each output, (P_i A^i)(y) ≤ E (P_j A^j)(y). k·d² + 1 variables.
    """
    count, size = instance.numerators.shape
    variables = count * size * size
    # Variable (i, x, y) is at place (i d + x) d + y; the output law q_i(y) is Σ_x p_i(x) A^i(x, y).
    place = np.arange(variables)
    law_row = place // (size * size) * size + place % size
    weights = np.repeat(instance.profiles.ravel(), size)
    law = sparse.coo_array((weights, (law_row, place)), shape=(count * size, variables)).tocsr()
    cells = np.arange(count * size).reshape(count, size)
    edges = cells[instance.edges].transpose(0, 2, 1).reshape(-1, 2)
    wrong = place[place // size % size != place % size]
    off_diagonal = sparse.eye_array(variables, format="csr")[wrong]
    matrix, upper = stack([alike(edges, np.exp(epsilon), law, 0.0), at_most_t(off_diagonal)], variables + 1)
    sums = sparse.kron(sparse.eye_array(count * size), np.ones((1, size)), format="csr")
    sums.resize((count * size, variables + 1))
    matrix = sparse.vstack([matrix, sums], format="csr")
    ones = np.ones(count * size)
    lower = np.concatenate([np.full(len(upper), -np.inf), ones])
    return minimise_last(matrix, lower, np.concatenate([upper, ones]), np.ones(variables + 1))


def within(instance: Instance, epsilon: float) -> Program:
    """The least expected error at the profiles, for a claim that holds for all laws within limits l ≤ P ≤ u.

    Variable (i, x, y) is A^i(x, y). For each profile i and output y the largest probability H and the least h are duals of knapsacks,
    with a threshold λ and helpers s⁺, s⁻ ≥ 0 each: A(x, y) − λ = s⁺_x − s⁻_x, λ + Σ u s⁺ − Σ l s⁻ ≤ H, and
    h ≤ λ + Σ l s⁺ − Σ u s⁻. For each edge, both ways and for each output, H_i(y) ≤ E h_j(y). k·d² + 2·k·d·(2d + 2) variables.
    """
    count, size = instance.numerators.shape
    entries, ends = count * size * size, 2 * count * size
    place = np.arange(entries)
    profile, x, y = place // (size * size), place // size % size, place % size
    # End (e, i, y), with e = 0 for H and 1 for h, has a row for each input.
    helper = np.concatenate([(end * count + profile) * size + y for end in (0, 1)]) * size + np.tile(x, 2)
    entry = sparse.coo_array((np.ones(2 * entries), (helper, np.tile(place, 2))), shape=(2 * entries, entries))
    threshold = sparse.kron(sparse.eye_array(ends), np.ones((size, 1)))
    eye = sparse.eye_array(2 * entries)
    split = sparse.hstack([entry, sparse.coo_array((2 * entries, ends)), -threshold, -eye, eye])
    lower, upper = (np.repeat(instance.limits[:, None, :, end] / 2.0**design_instance.BITS, size, axis=1) for end in (0, 1))

    def sums(largest: np.ndarray, least: np.ndarray) -> sparse.sparray:
        """For each end a row of the limits of its profile: the first of these for H, the others for h."""
        values = np.concatenate([largest.ravel(), least.ravel()])
        return sparse.coo_array((values, (np.arange(2 * entries) // size, np.arange(2 * entries))), shape=(ends, 2 * entries))

    sign = sparse.diags_array(np.repeat([1.0, -1.0], ends // 2))
    bounds = sparse.hstack([
        sparse.coo_array((ends, entries)), -sign, sign, sign @ sums(upper, lower), -(sign @ sums(lower, upper)),
    ])
    cells = np.arange(count * size).reshape(count, size)
    pairs = np.concatenate([instance.edges, instance.edges[:, ::-1]])
    more, less = (cells[pairs[:, end]].ravel() for end in (0, 1))
    row = np.arange(len(more))
    values = np.concatenate([np.ones(len(row)), np.full(len(row), -np.exp(epsilon))])
    columns = entries + np.concatenate([more, ends // 2 + less])
    total = entries + 2 * ends + 4 * entries
    edges = sparse.coo_array((values, (np.tile(row, 2), columns)), shape=(len(row), total))
    rows = sparse.kron(sparse.eye_array(count * size), np.ones((1, size)), format="csr")
    rows.resize((count * size, total))
    matrix = sparse.vstack([split, bounds, edges, rows], format="csr")
    fixed, free = (np.zeros(2 * entries), np.ones(count * size)), ends + len(row)
    low = np.concatenate([fixed[0], np.full(free, -np.inf), fixed[1]])
    high = np.concatenate([fixed[0], np.zeros(free), fixed[1]])
    cost = np.zeros(total)
    cost[:entries] = np.where(x == y, 0.0, instance.profiles[profile, x] / count)
    return Program(cost, np.ones(total), matrix, low, high)


def alike(edges: np.ndarray, exp: float, law: sparse.sparray, constant: np.ndarray | float) -> tuple:
    """q_i − E q_j ≤ 0 both ways for q = law · x + constant."""
    one, other = law.tocsr()[edges[:, 0]], law.tocsr()[edges[:, 1]]
    fixed = np.broadcast_to(constant, law.shape[0])[edges.T]
    matrix = sparse.vstack([one - exp * other, other - exp * one])
    return matrix, np.concatenate([exp * fixed[1] - fixed[0], exp * fixed[0] - fixed[1]])


def at_most_t(entries: sparse.sparray) -> tuple:
    """entries · x ≤ t."""
    return sparse.hstack([entries, -np.ones((entries.shape[0], 1))]), np.zeros(entries.shape[0])


def stack(parts: list[tuple], variables: int) -> tuple[sparse.csr_array, np.ndarray]:
    matrices = []
    for matrix, _ in parts:
        matrix = matrix.tocsr()
        matrix.resize((matrix.shape[0], variables))
        matrices.append(matrix)
    return sparse.vstack(matrices, format="csr"), np.concatenate([upper for _, upper in parts])


def minimise_last(matrix: sparse.csr_array, lower: np.ndarray, upper: np.ndarray, most: np.ndarray) -> Program:
    cost = np.zeros(matrix.shape[1])
    cost[-1] = 1.0
    return Program(cost, most, matrix, lower, upper)
