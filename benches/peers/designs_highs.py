"""HiGHS on the designs of the set: values to compare with ours, and how long the same stages take.

    lookalike-bench designs --name TEXT --every N --solver default | designs_highs.py [--most COLUMNS] [--seconds LIMIT]

Each line of the input is an instance with what Lookalike found. HiGHS gets the plain program: the mass that each profile moves from
each category to each other one, or the entries of the channel that all share. For max-flip it makes both stages: the least
largest flip, then at that flip the least expected error. Interior points without crossover and simplex run in turn, on one
thread, and the faster counts. Processor seconds; programs of more columns than asked for are left out and counted.
"""

import argparse
import json
import math
import statistics
import sys
import time

import highspy
import numpy as np
from scipy import sparse

# Objectives agree to this, relative, or absolute where they are small.
AGREE = 1e-7
# The usual 1e-7 lets HiGHS break rows by so much that its values are below what is possible.
TOLERANCE = 1e-9
SOLVERS = ("ipx", "simplex")


class Plain:
    """A plain program: columns, rows, and the laws of the secrets as sums of columns."""

    def __init__(self, instance: dict) -> None:
        self.size = instance["categories"]
        self.laws = laws(instance)
        self.weights = weights(instance, len(self.laws))
        self.cost, self.most, self.rows = [], [], []
        self.objective = instance["objective"]
        self.own = instance["channels"] == "aware"
        self.entries = {}
        for secret, law in enumerate(self.laws if self.own else [self.weights @ self.laws]):
            self.add_channel(secret, law)
        self.flip = self.column(0.0, 1.0) if self.objective == "max-flip" else None
        self.alike = 0
        for a, b, epsilon in instance["edges"]:
            self.add_edge(a, b, math.exp(epsilon))
        for members, epsilon in instance["groups"]:
            self.add_group(members, math.exp(epsilon))
        if self.flip is not None:
            self.add_caps()

    def column(self, cost: float, most: float) -> int:
        self.cost.append(cost)
        self.most.append(most)
        return len(self.cost) - 1

    def add_channel(self, secret: int, law: np.ndarray) -> None:
        """Masses p(x)·A(x, y) of one profile, or entries A(x, y) of the channel of all."""
        for x in range(self.size):
            total = law[x] if self.own else 1.0
            for y in range(self.size):
                weight = (self.weights[secret] if self.own else law[x]) * loss(self.objective, x, y)
                self.entries[secret, x, y] = self.column(weight, total)
            self.rows.append(([(self.entries[secret, x, y], 1.0) for y in range(self.size)], total, total))

    def law(self, secret: int, y: int) -> list[tuple[int, float]]:
        if self.own:
            return [(self.entries[secret, x, y], 1.0) for x in range(self.size) if self.laws[secret][x] > 0]
        return [(self.entries[0, x, y], p) for x, p in enumerate(self.laws[secret]) if p > 0]

    def add_edge(self, a: int, b: int, exp: float) -> None:
        for y in range(self.size):
            for more, less in ((a, b), (b, a)):
                self.below(self.law(more, y), self.law(less, y), exp)

    def add_group(self, members: list[int], exp: float) -> None:
        for y in range(self.size):
            top = [(self.column(0.0, 1.0), 1.0)]
            for member in members:
                self.below(self.law(member, y), top, 1.0)
                self.below(top, self.law(member, y), exp)

    def below(self, more: list, less: list, factor: float) -> None:
        """more ≤ factor · less."""
        self.rows.append(([*more, *((column, -factor * value) for column, value in less)], -math.inf, 0.0))

    def add_caps(self) -> None:
        for (secret, x, y), column in self.entries.items():
            mass = self.laws[secret][x] if self.own else float((self.weights @ self.laws)[x] > 0)
            if x != y and mass > 0:
                self.rows.append(([(column, 1.0), (self.flip, -mass)], -math.inf, 0.0))

    def solve(self, limit: float) -> tuple[float, float, float]:
        """The least objective, the least expected error at it, and the processor seconds of both."""
        if self.flip is None:
            value, seconds = self.best(np.array(self.cost), np.array(self.most), limit)
            return value, math.nan, seconds
        flip_only = np.zeros(len(self.cost))
        flip_only[self.flip] = 1.0
        value, seconds = self.best(flip_only, np.array(self.most), limit)
        capped = np.array(self.most)
        capped[self.flip] = value * (1 + 1e-9)
        error, more = self.best(np.array(self.cost), capped, limit)
        return value, error, seconds + more

    def best(self, cost: np.ndarray, most: np.ndarray, limit: float) -> tuple[float, float]:
        found = [run(self.matrix(), self.bounds(), cost, most, solver, limit) for solver in SOLVERS]
        found = [answer for answer in found if answer is not None]
        if not found:
            raise TimeoutError
        # Interior points end within their tolerance of the optimum; the simplex method at it.
        return found[-1][0], min(seconds for _, seconds in found)

    def matrix(self) -> sparse.csr_array:
        counts = [len(terms) for terms, _, _ in self.rows]
        starts = np.concatenate([[0], np.cumsum(counts)])
        columns = np.fromiter((column for terms, _, _ in self.rows for column, _ in terms), dtype=np.int32)
        values = np.fromiter((value for terms, _, _ in self.rows for _, value in terms), dtype=float)
        matrix = sparse.csr_array((values, columns, starts), shape=(len(self.rows), len(self.cost)))
        matrix.sum_duplicates()
        return matrix

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        return np.array([low for _, low, _ in self.rows]), np.array([high for _, _, high in self.rows])


def laws(instance: dict) -> np.ndarray:
    if not instance["profiles"]:
        return np.eye(instance["categories"])
    masses = np.array(instance["profiles"], dtype=float)
    return masses / masses.sum(axis=1, keepdims=True)


def weights(instance: dict, count: int) -> np.ndarray:
    prior = np.array(instance["prior"] or [1] * count, dtype=float)
    return prior / prior.sum()


def loss(objective: str, x: int, y: int) -> float:
    distance = abs(x - y)
    return {"ordinal-error": distance, "squared": distance**2}.get(objective, float(distance > 0))


def run(matrix, bounds, cost, most, solver: str, limit: float) -> tuple[float, float] | None:
    highs = highspy.Highs()
    options = {"output_flag": False, "threads": 1, "time_limit": limit, "solver": solver, "run_crossover": "off"}
    options |= {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE}
    for name, value in options.items():
        if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise SystemExit(f"HiGHS does not take {name} = {value}")
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = matrix.shape
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = cost, np.zeros_like(most), most
    lp.row_lower_, lp.row_upper_ = bounds
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    highs.passModel(lp)
    start = time.process_time()
    highs.run()
    seconds = time.process_time() - start
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return highs.getInfo().objective_function_value, seconds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=30_000)
    parser.add_argument("--seconds", type=float, default=60.0)
    asked = parser.parse_args()
    ratios, differ, larger, without = [], [], 0, 0
    for line in sys.stdin:
        instance = json.loads(line)
        count = len(instance["profiles"]) if instance["channels"] == "aware" else 1
        if max(count, 1) * instance["categories"] ** 2 > asked.most:
            larger += 1
            continue
        try:
            value, error, seconds = Plain(instance).solve(asked.seconds)
        except TimeoutError:
            without += 1
            continue
        apart = abs(instance["value"] - value) / max(value, 1e-2)
        worse = 0.0 if math.isnan(error) else instance["error"] - error
        ratios.append((seconds / instance["seconds"], instance["name"]))
        if apart > AGREE or worse > 1e-6:
            differ.append(instance["name"])
            print(f"{instance['name']}: ours {instance['value']:.10g}, HiGHS {value:.10g}; errors {instance['error']:.8g} and {error:.8g}")
    print(f"{len(ratios)} designs compared, {len(differ)} differ; HiGHS ended without an optimum on {without}, {larger} were left out for their size")
    if ratios:
        (least, name), (largest, _) = min(ratios), max(ratios)
        median = statistics.median(ratio for ratio, _ in ratios)
        print(f"HiGHS's seconds by ours: median {median:.1f}, largest {largest:.0f}, least {least:.3f} ({name})")
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
