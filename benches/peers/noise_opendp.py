"""OpenDP's discrete Laplace noise of sensitivity 1 on a column of 64-bit integers, in one call.

    noise_opendp.py INPUT OUTPUT EPSILON

Timed from a numpy array to the list that the call returns; its generator is the operating system's. Seconds are the
processor's: the call takes so long that it is run once, and what else the machine does must not count against it.
"""

import json
import math
import sys
import time

import numpy as np
import opendp.prelude as dp

# OpenDP rounds its privacy loss up.
ROUNDING = 1e-9


def main() -> None:
    source, target, epsilon = sys.argv[1], sys.argv[2], float(sys.argv[3])
    dp.enable_features("contrib")
    domain, metric = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    noise = dp.m.make_laplace(domain, metric, scale=1 / epsilon)
    if not math.isclose(noise.map(1), epsilon, rel_tol=ROUNDING):
        raise SystemExit(f"OpenDP's epsilon is {noise.map(1)}, not {epsilon}")
    values = np.fromfile(source, "<i8")
    start = time.process_time()
    released = noise(values)
    seconds = time.process_time() - start
    np.array(released, "<i8").tofile(target)
    print(json.dumps({"records": len(values), "seconds": seconds}))


if __name__ == "__main__":
    main()
