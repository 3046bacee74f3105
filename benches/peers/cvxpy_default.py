"""CVXPY with the solver that it chooses itself, on the paper's programs as one writes them down in it.

    cvxpy_default.py FOLDER --categories D --epsilon E --program one_bit|categorical

Processor seconds from the arrays of the instance in memory to the optimum.
"""

import argparse
import json
import math
import time
from pathlib import Path

import cvxpy as cp
import numpy as np
from scipy import sparse

import design_instance


def one_bit(instance: design_instance.Instance, exp: float, t: cp.Variable) -> list:
    """Problem (5): symmetric flips α."""
    p, (i, j) = instance.profiles[:, 1], instance.edges.T
    flips = cp.Variable(len(p), nonneg=True)
    q = p + cp.multiply(1 - 2 * p, flips)
    return [
        *(law[a] <= exp * law[b] for law in (q, 1 - q) for a, b in ((i, j), (j, i))),
        flips <= t,
    ]


def categorical(instance: design_instance.Instance, exp: float, t: cp.Variable) -> list:
    """Problem (6): the channels below each other, one row an input."""
    (count, size), (i, j) = instance.numerators.shape, instance.edges.T
    channels = cp.Variable((count * size, size), nonneg=True)
    places = np.arange(count * size)
    mix = sparse.coo_array((instance.profiles.ravel(), (places // size, places)), shape=(count, count * size)).tocsr()
    q = mix @ channels
    wrong = 1 - np.tile(np.eye(size), (count, 1))
    return [q[i] <= exp * q[j], q[j] <= exp * q[i], cp.sum(channels, axis=1) == 1, cp.multiply(wrong, channels) <= t]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--categories", type=int)
    parser.add_argument("--epsilon", type=float)
    parser.add_argument("--program", choices=["one_bit", "categorical"])
    asked = parser.parse_args()
    instance = design_instance.read(asked.folder, asked.categories)
    start = time.process_time()
    t = cp.Variable()
    program = {"one_bit": one_bit, "categorical": categorical}[asked.program]
    problem = cp.Problem(cp.Minimize(t), program(instance, math.exp(asked.epsilon), t))
    problem.solve()
    seconds = time.process_time() - start
    if problem.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise SystemExit(f"CVXPY ended with {problem.status}")
    solver = problem.solver_stats.solver_name
    print(json.dumps({"records": len(instance.numerators), "seconds": seconds, "value": problem.value, "solver": solver}))


if __name__ == "__main__":
    main()
