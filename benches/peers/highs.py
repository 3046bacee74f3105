"""HiGHS on the paper's own programs, and on the plain one for profiles with limits: the best of its solvers.

    highs.py FOLDER --categories D --epsilon E --program one_bit|categorical|within --solvers ipx,simplex,…

Processor seconds from the arrays of the instance in memory to the optimum: building the sparse matrices, handing them
over whole and solving, with one thread. Interior points run without crossover, which comes on top and is not needed for
the value. The fastest counts; one that takes half as long again as the fastest so far is stopped.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import highspy
import numpy as np

import design_instance
import programs

SLACK = 1.5
# These end with constraints broken by about the tolerance; the usual 1e-7 leaves the value further off than that.
FIRST_ORDER = ("pdlp", "hipdlp")
TOLERANCE = 1e-8
# HiGHS as it comes: it chooses the solver, and crosses over to a vertex.
DEFAULT = "default"


def main() -> None:
    asked = arguments()
    instance = design_instance.read(asked.folder, asked.categories)
    build = getattr(programs, asked.program)
    best, _ = fastest(lambda: build(instance, asked.epsilon), asked.solvers.split(","))
    print(json.dumps({"records": len(instance.numerators), **best}))


def fastest(build: Callable[[], programs.Program], solvers: list[str]) -> tuple[dict, np.ndarray]:
    """What the fastest of the solvers reports, and its solution."""
    best, solution, tried = None, None, {}
    for solver in solvers:
        limit = SLACK * best["elapsed"] if best else np.inf
        found = solve(build, solver, limit)
        tried[solver] = found[0]["seconds"] if found else "stopped"
        if found and (best is None or found[0]["seconds"] < best["seconds"]):
            best, solution = {**found[0], "solver": solver}, found[1]
    if best is None:
        raise SystemExit(f"no optimum by {' or '.join(solvers)}")
    return {**best, "tried": tried}, solution


def solve(build: Callable[[], programs.Program], solver: str, limit: float) -> tuple[dict, np.ndarray] | None:
    """The optimum with the seconds it took, and the solution; None without one in time."""
    start, began = time.process_time(), time.perf_counter()
    program = build()
    highs = highspy.Highs()
    options = {"output_flag": False, "threads": 1, "time_limit": limit}
    if solver != DEFAULT:
        options |= {"solver": solver, "run_crossover": "off"}
    if solver in FIRST_ORDER:
        options["kkt_tolerance"] = TOLERANCE
    for name, value in options.items():
        if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise SystemExit(f"HiGHS does not take {name} = {value}")
    highs.passModel(model(program))
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    value = highs.getInfo().objective_function_value
    taken = {"seconds": time.process_time() - start, "elapsed": time.perf_counter() - began, "value": value}
    return taken, np.array(highs.getSolution().col_value)


def model(program: programs.Program) -> highspy.HighsLp:
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = program.matrix.shape
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = program.cost, np.zeros_like(program.most), program.most
    lp.row_lower_, lp.row_upper_ = program.lower, program.upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = program.matrix.indptr, program.matrix.indices
    lp.a_matrix_.value_ = program.matrix.data
    return lp


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--categories", type=int)
    parser.add_argument("--epsilon", type=float)
    parser.add_argument("--program", choices=["one_bit", "categorical", "within"])
    parser.add_argument("--solvers")
    return parser.parse_args()


if __name__ == "__main__":
    main()
