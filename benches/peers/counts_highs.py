"""HiGHS on the plain program of a mechanism over counts: the best of its solvers, timed as in `highs.py`.

    counts_highs.py --n N --alpha A --loss l0|l1 --solvers hipo,hipdlp,…|default --matrix FILE

Writes the matrix that it found as doubles, row after row, for our certifier.
"""

import argparse
import json

import counts_program
import highs


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int)
    parser.add_argument("--alpha", type=float)
    parser.add_argument("--loss", choices=counts_program.LOSSES)
    parser.add_argument("--solvers")
    parser.add_argument("--matrix")
    asked = parser.parse_args()
    build = lambda: counts_program.counts(asked.n, asked.alpha, asked.loss)
    best, solution = highs.fastest(build, asked.solvers.split(","))
    solution.astype("<f8").tofile(asked.matrix)
    print(json.dumps({"records": asked.n + 1, **best}))


if __name__ == "__main__":
    main()
