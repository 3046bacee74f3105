"""HiGHS on the paper's own programs: the best of its solvers.

    highs.py FOLDER --categories D --epsilon E --program one_bit|categorical --solvers ipx,simplex,…

Processor seconds from the arrays of the instance in memory to the optimum: building the sparse matrices, handing them
over whole and solving, with one thread. Interior points run without crossover, which comes on top and is not needed for
the value. The fastest counts; one that takes half as long again as the fastest so far is stopped.
"""

import argparse
import json
import time
from pathlib import Path

import highspy
import numpy as np

import design_instance
import programs

SLACK = 1.5
# These end with constraints broken by about the tolerance; the usual 1e-7 leaves the value further off than that.
FIRST_ORDER = ("pdlp", "hipdlp")
TOLERANCE = 1e-8


def main() -> None:
    asked = arguments()
    instance = design_instance.read(asked.folder, asked.categories)
    best, tried = None, {}
    for solver in asked.solvers.split(","):
        limit = SLACK * best["elapsed"] if best else np.inf
        found = solve(instance, asked, solver, limit)
        tried[solver] = found["seconds"] if found else "stopped"
        if found and (best is None or found["seconds"] < best["seconds"]):
            best = {**found, "solver": solver}
    if best is None:
        raise SystemExit(f"no optimum by {asked.solvers}")
    print(json.dumps({"records": len(instance.numerators), **best, "tried": tried}))


def solve(instance: design_instance.Instance, asked: argparse.Namespace, solver: str, limit: float) -> dict | None:
    """The optimum and the seconds it took, or None without one in time."""
    start, began = time.process_time(), time.perf_counter()
    program = getattr(programs, asked.program)(instance, asked.epsilon)
    highs = highspy.Highs()
    options = {"output_flag": False, "threads": 1, "solver": solver, "run_crossover": "off", "time_limit": limit}
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
    return {"seconds": time.process_time() - start, "elapsed": time.perf_counter() - began, "value": value}


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
    parser.add_argument("--program", choices=["one_bit", "categorical"])
    parser.add_argument("--solvers")
    return parser.parse_args()


if __name__ == "__main__":
    main()
