"""CVXPY with the solver that it chooses itself, on the plain program of a mechanism over counts (`counts_program.py`).

    counts_cvxpy.py --n N --alpha A --loss l0|l1 --matrix FILE

Processor seconds from the question to the optimum, everything written with whole arrays. Writes the matrix that it
found as doubles, row after row, for our certifier.
"""

import argparse
import json
import time

import cvxpy as cp

import counts_program


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int)
    parser.add_argument("--alpha", type=float)
    parser.add_argument("--loss", choices=counts_program.LOSSES)
    parser.add_argument("--matrix")
    asked = parser.parse_args()
    start = time.process_time()
    size, alpha = asked.n + 1, asked.alpha
    x = cp.Variable((size, size), nonneg=True)
    constraints = [
        x[:-1] >= alpha * x[1:],
        x[1:] >= alpha * x[:-1],
        cp.sum(x, axis=1) == 1,
        cp.diag(x) >= 1 / size,
        cp.multiply(counts_program.towards_truth(asked.n), x[:, 1:] - x[:, :-1]) >= 0,
    ]
    cost = cp.sum(cp.multiply(counts_program.costs(asked.n, asked.loss), x))
    problem = cp.Problem(cp.Minimize(cost), constraints)
    problem.solve()
    seconds = time.process_time() - start
    if problem.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise SystemExit(f"CVXPY ended with {problem.status}")
    x.value.astype("<f8").tofile(asked.matrix)
    solver = problem.solver_stats.solver_name
    print(json.dumps({"records": size, "seconds": seconds, "value": problem.value, "solver": solver}))


if __name__ == "__main__":
    main()
