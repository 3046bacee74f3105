"""HiGHS on the program of the optimal mechanism on a grid: on all pairs, or on a spanner.

    geo_highs.py --side N --epsilon E --solver ipx|simplex|… --limit SECONDS [--dilation D]

Timed as in `highs.py`. One that has not ended at the limit is stopped; its report then has the limit for seconds, no value,
and says so beside the name of the solver.
"""

import argparse
import json
import time

import geo_program
import highs


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--side", type=int)
    parser.add_argument("--dilation", type=float)
    for name in ("epsilon", "limit"):
        parser.add_argument(f"--{name}", type=float)
    parser.add_argument("--solver")
    asked = parser.parse_args()
    began = time.perf_counter()
    found = highs.solve(
        lambda: geo_program.optimal(asked.side, asked.epsilon, asked.dilation), asked.solver, asked.limit
    )
    report = {"records": asked.side**2, "solver": asked.solver}
    if found is not None:
        print(json.dumps(report | found[0]))
    elif time.perf_counter() - began >= asked.limit:
        print(json.dumps(report | {"seconds": asked.limit, "solver": f"{asked.solver}, stopped"}))
    else:
        raise SystemExit(f"no optimum by {asked.solver}, and not for want of time")


if __name__ == "__main__":
    main()
