"""How long `import lookalike` takes: a fresh interpreter with it less a fresh one without, each the best of N.

    python_import.py N
"""

import json
import subprocess
import sys
import time


def best(program: str, repetitions: int) -> float:
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True)
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    repetitions = int(sys.argv[1])
    # Once before the clock: what is compiled and read from the disk is so from then on.
    best("import lookalike", 1)
    seconds = best("import lookalike", repetitions) - best("pass", repetitions)
    print(json.dumps({"records": 1, "seconds": seconds}))
