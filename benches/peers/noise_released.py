"""Whether a released column is the true one plus discrete Laplace noise, P(z) = (1−a)/(1+a)·a^|z| with a = e^−epsilon.

    noise_released.py INPUT OUTPUT EPSILON

Three tests, each of which is wrong less than once in 10^9 times where the law is right; any that fails is an error.
Plain Python, so that the harness can test it without the peers.

- The mean of the noise is within 7 of its standard deviations of 0, and so is the share of zeros of (1−a)/(1+a):
  2·exp(−7²/2) = 5e-11 by Chernoff's bound, and terms of higher order make it at most 5e-10 for ten thousand rows or
  more and epsilon from 0.1 to 3.
- The share of noise up to z is nowhere further from its probability than √(ln(2·10^9)/(2·rows)): the inequality of
  Dvoretzky, Kiefer and Wolfowitz with Massart's constant, which holds for any law and any number of rows.
"""

import math
import operator
import sys
from array import array
from collections import Counter
from pathlib import Path

DEVIATIONS = 7
FALSE_ALARM = 1e-9
FEWEST = 10_000


def complaint(noise: Counter[int], epsilon: float) -> str | None:
    """What is wrong with this noise, which holds how often each number occurs; None if nothing is."""
    rows, a = noise.total(), math.exp(-epsilon)
    if rows < FEWEST:
        return f"{rows} rows, expected {FEWEST:,} or more: the tests say nothing for fewer"
    mean, within = sum(z * count for z, count in noise.items()) / rows, DEVIATIONS * math.sqrt(2 * a / rows) / (1 - a)
    if abs(mean) > within:
        return f"the noise has mean {mean:.3g}, expected 0 within {within:.2g}"
    zero = (1 - a) / (1 + a)
    share, within = noise[0] / rows, DEVIATIONS * math.sqrt(zero * (1 - zero) / rows)
    if abs(share - zero) > within:
        return f"{share:.5f} of the noise is 0, expected {zero:.5f} within {within:.2g}"
    apart, within = gap(noise, a), math.sqrt(math.log(2 / FALSE_ALARM) / (2 * rows))
    if apart > within:
        return f"the distribution of the noise is {apart:.3g} from its law, expected at most {within:.2g}"
    return None


def gap(noise: Counter[int], a: float) -> float:
    """The largest distance of the shares up to z from their probabilities: at a number that occurs, or just before."""
    rows, seen, largest = noise.total(), 0, 0.0
    for z in sorted(noise):
        before, seen = seen, seen + noise[z]
        largest = max(largest, abs(before / rows - up_to(z - 1, a)), abs(seen / rows - up_to(z, a)))
    return largest


def up_to(z: int, a: float) -> float:
    """P(Z ≤ z)."""
    return a**-z / (1 + a) if z < 0 else 1 - a ** (z + 1) / (1 + a)


def column(path: str) -> array:
    return array("q", Path(path).read_bytes())


def main() -> None:
    true, released = (column(path) for path in sys.argv[1:3])
    if len(true) != len(released):
        raise SystemExit(f"{len(released)} rows released of {len(true)}")
    if found := complaint(Counter(map(operator.sub, released, true)), float(sys.argv[3])):
        raise SystemExit(found)


if __name__ == "__main__":
    main()
