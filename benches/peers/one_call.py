"""One call a record: randomized response over 16 categories with p = 1/2, or discrete Laplace noise on a number.

    one_call.py response lookalike|opendp|multi-freq-ldpy RECORDS
    one_call.py noise|wide-noise lookalike|opendp RECORDS

The generator of Lookalike and OpenDP is the operating system's; multi-freq-ldpy's is numba's Mersenne twister, which it seeds
itself. Seconds are the processor's, since the calls are timed once: what else the machine does must not count against a side.
Noise has sensitivity 1 and epsilon 1; wide noise sensitivity 500 and epsilon 1/100. The law is checked.
"""

import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

import law
import noise_released

SIZE = 16
KEPT = 0.5
BELOW = 10**6
# Epsilon for each unit of the number.
SLOPES = {"noise": 1.0, "wide-noise": 0.01 / 500}


def response(library: str) -> Callable[[int], int]:
    if library == "lookalike":
        import lookalike

        graph = lookalike.SecretGraph.values(list(range(SIZE)))
        return lookalike.design(graph, epsilon=f"ln({SIZE - 1})", mechanism="k-rr").privatize
    if library == "opendp":
        import opendp.prelude as dp

        dp.enable_features("contrib")
        return dp.m.make_randomized_response(list(range(SIZE)), KEPT)
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client

    epsilon = math.log(KEPT * (SIZE - 1) / (1 - KEPT))
    GRR_Client(0, SIZE, epsilon)  # compiles it, which is not timed
    return lambda value: GRR_Client(value, SIZE, epsilon)


def noise(library: str, slope: float) -> Callable[[int], int]:
    if library == "lookalike":
        import lookalike

        return (
            lookalike.noise.laplace(epsilon=1, sensitivity=1)
            if slope == 1.0
            else lookalike.noise.laplace(epsilon="1/100", sensitivity=500)
        ).add
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain, metric = dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")
    return dp.m.make_laplace(domain, metric, scale=1 / slope)


def complaint(what: str, values: np.ndarray, outputs: Sequence[int]) -> str | None:
    """What is wrong with the draws; None if nothing is."""
    if what == "response":
        others = (1 - KEPT) / (SIZE - 1)
        laws = np.full((SIZE, SIZE), others) + (KEPT - others) * np.eye(SIZE)
        agrees = law.agrees(laws, values, np.array(outputs))
        return None if agrees else "the draws do not follow the law of randomized response"
    if what == "noise":
        differences = (np.array(outputs, np.int64) - values).tolist()
        return noise_released.complaint(Counter(differences), SLOPES[what])
    # Wide noise is hardly ever 0: its mean and mean size are checked, each within 7 standard deviations.
    differences, scale = np.array(outputs, np.int64) - values, 1 / SLOPES[what]
    within = 7 * scale / math.sqrt(len(differences))
    fits = abs(differences.mean()) < math.sqrt(2) * within and abs(np.abs(differences).mean() - scale) < within
    return None if fits else "the noise does not have its law"


def main() -> None:
    what, library, records = sys.argv[1], sys.argv[2], int(sys.argv[3])
    call = response(library) if what == "response" else noise(library, SLOPES[what])
    values = np.random.Generator(np.random.PCG64(1)).integers(SIZE if what == "response" else BELOW, size=records)
    plain = values.tolist()
    call(plain[0])
    start = time.process_time()
    outputs = [call(value) for value in plain]
    seconds = time.process_time() - start
    if found := complaint(what, values, outputs):
        raise SystemExit(found)
    print(json.dumps({"records": len(plain), "seconds": seconds}))


if __name__ == "__main__":
    main()
