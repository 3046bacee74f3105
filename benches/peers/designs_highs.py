"""HiGHS on the designs of the set: values to compare with ours, and how long the same stages take.

    designs_highs.py DRIVER --name TEXT [--every N] [--most ENTRIES] [--seconds LIMIT] [--solver NAME]

Runs `DRIVER designs`, whose lines are instances with what Lookalike found, and prints one JSON object. HiGHS gets the plain
program: the mass that each profile moves from
each category to each other one, or the entries of the channel that all share. For max-flip it makes both stages: the least
largest flip, then at that flip the least expected error. Interior points without crossover and simplex run in turn, on one
thread, and the faster counts. Processor seconds, the best of a few repetitions where they are short, of both sides. Designs whose
channels have more entries than asked for are left out and counted. Every failure is named.
"""

import argparse
import json
import math
import resource
import statistics
import subprocess
import sys
import time

import highspy
import numpy as np
from scipy import sparse

# Objectives agree to this, relative, or absolute where they are small.
AGREE = 1e-7
# The errors that second stages reach, absolute.
ERRORS_AGREE = 1e-6
# A design further above its proven bound, relative, is a failure.
PROVEN = 1e-6
# Seconds up to which a solver runs again, and how often at most: the least time counts, as it does for ours.
SHORT = 0.05
MOST_TIMES = 5
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

    def solve(self, limit: float, ours: float) -> tuple[float, float, float]:
        """The least objective, the least expected error at it, and the processor seconds of both.

        Where the error falls steeply with the flip, the last digits of the least flip decide about it: so it is asked for at ours, if
        the two agree.
        """
        if self.flip is None:
            value, seconds = self.best(np.array(self.cost), np.array(self.most), limit)
            return value, math.nan, seconds
        flip_only = np.zeros(len(self.cost))
        flip_only[self.flip] = 1.0
        value, seconds = self.best(flip_only, np.array(self.most), limit)
        capped = np.array(self.most)
        capped[self.flip] = max(value, ours) if abs(ours - value) <= AGREE * value else value * (1 + 1e-9)
        error, more = self.best(np.array(self.cost), capped, limit)
        return value, error, seconds + more

    def best(self, cost: np.ndarray, most: np.ndarray, limit: float) -> tuple[float, float]:
        matrix, bounds = self.matrix(), self.bounds()
        found = [shortest(matrix, bounds, cost, most, solver, limit) for solver in SOLVERS]
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


def shortest(matrix, bounds, cost, most, solver: str, limit: float) -> tuple[float, float] | None:
    """The shortest of a few runs where one is short."""
    found = run(matrix, bounds, cost, most, solver, limit)
    if found is None:
        return None
    value, best = found
    total = best
    for _ in range(1, MOST_TIMES):
        if total > SHORT:
            break
        again = run(matrix, bounds, cost, most, solver, limit)
        if again is None:
            break
        total += again[1]
        best = min(best, again[1])
    return value, best


class Comparison:
    """What is said of all designs together."""

    def __init__(self) -> None:
        self.ratios: list[tuple[float, str]] = []
        self.whole_ratios: list[float] = []
        self.differ: list[str] = []
        self.ours_failed: list[str] = []
        self.highs_failed: list[str] = []
        self.larger = 0
        self.seconds = 0.0

    def add(self, ours: dict, limit: float) -> None:
        name = ours["name"]
        if ours.get("is_larger"):
            self.larger += 1
            return
        if "failure" in ours:
            self.ours_failed.append(f"{name} ({ours['failure']})")
            return
        self.seconds += ours["seconds"]
        gap = (ours["value"] - ours["bound"]) / ours["value"] if ours["value"] > 0 else 0.0
        if gap > PROVEN:
            self.ours_failed.append(f"{name} (proven to {gap:.0e} only)")
        if "not proven" in ours["rule"] or ours["rule"].startswith("none"):
            self.ours_failed.append(f"{name} ({ours['rule']})")
        start = time.process_time()
        program = Plain(ours)
        program.matrix()
        modelled = time.process_time() - start
        try:
            value, error, seconds = program.solve(limit, ours["value"])
        except TimeoutError:
            self.highs_failed.append(name)
            return
        apart = abs(ours["value"] - value) / max(value, 1e-2)
        worse = 0.0 if math.isnan(error) else ours["error"] - error
        if apart > AGREE or worse > ERRORS_AGREE:
            self.differ.append(
                f"{name} (ours {ours['value']:.10g}, HiGHS {value:.10g}; errors {ours['error']:.8g}, {error:.8g})"
            )
        self.ratios.append((seconds / ours["seconds"], name))
        self.whole_ratios.append((seconds + modelled) / ours["seconds"])

    def report(self) -> dict:
        (worst, worst_name) = min(self.ratios, default=(None, ""))
        return {
            "records": len(self.ratios) + len(self.ours_failed) + len(self.highs_failed),
            "seconds": self.seconds,
            "sweep": {
                "median": statistics.median(ratio for ratio, _ in self.ratios) if self.ratios else None,
                "worst": worst,
                "worst_name": worst_name,
                "largest": max(self.ratios)[0] if self.ratios else None,
                "below_half": sum(ratio < 0.5 for ratio, _ in self.ratios),
                "median_with_model": statistics.median(self.whole_ratios) if self.whole_ratios else None,
                "differ": self.differ,
                "ours_failed": self.ours_failed,
                "highs_failed": self.highs_failed,
                "larger": self.larger,
                # Of the process that made all of ours, one after the other.
                "peak_bytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
            },
        }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("driver")
    parser.add_argument("--name", required=True)
    parser.add_argument("--every", default="1")
    parser.add_argument("--most", default="30000")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--solver", default="default")
    asked = parser.parse_args()
    words = ("--name", asked.name, "--every", asked.every, "--most", asked.most, "--solver", asked.solver)
    # To its end first: side by side the two would share a cache.
    made = subprocess.run((asked.driver, "designs", *words), capture_output=True, text=True, check=True)
    comparison = Comparison()
    for line in made.stdout.splitlines():
        comparison.add(json.loads(line), asked.seconds)
    print(json.dumps(comparison.report()))


if __name__ == "__main__":
    main()
