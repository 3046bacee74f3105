"""Randomized response over 16 categories with p = 1/2, one call a record.

    one_call.py opendp|multi-freq-ldpy RECORDS

OpenDP's generator is the operating system's; multi-freq-ldpy's is numba's Mersenne twister, which it seeds itself.
"""

import json
import math
import sys
import time
from collections.abc import Callable

import numpy as np

import law

SIZE = 16
KEPT = 0.5


def opendp() -> Callable[[int], int]:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp.m.make_randomized_response(list(range(SIZE)), KEPT)


def multi_freq_ldpy() -> Callable[[int], int]:
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client

    epsilon = math.log(KEPT * (SIZE - 1) / (1 - KEPT))
    GRR_Client(0, SIZE, epsilon)  # compiles it, which is not timed
    return lambda value: GRR_Client(value, SIZE, epsilon)


def main() -> None:
    call = {"opendp": opendp, "multi-freq-ldpy": multi_freq_ldpy}[sys.argv[1]]()
    values = np.random.Generator(np.random.PCG64(1)).integers(SIZE, size=int(sys.argv[2]))
    plain = values.tolist()
    start = time.perf_counter()
    outputs = [call(value) for value in plain]
    seconds = time.perf_counter() - start
    others = (1 - KEPT) / (SIZE - 1)
    laws = np.full((SIZE, SIZE), others) + (KEPT - others) * np.eye(SIZE)
    if not law.agrees(laws, values, np.array(outputs)):
        raise SystemExit("the draws do not follow the law of randomized response")
    print(json.dumps({"records": len(plain), "seconds": seconds}))


if __name__ == "__main__":
    main()
