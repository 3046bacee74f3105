"""Planar Laplace noise in numpy, vectorised, with the inverse of the radius by Lambert's W: as papers and packages have it.

    geo_planar_numpy.py INPUT OUTPUT --epsilon E --latitude LAT --longitude LON --repetitions R

For p uniform in [0, 1) the radius is −(W₋₁((p − 1)/e) + 1)/ε metres; the angle is uniform. Metres become degrees by the
length of a degree at the public origin. Timed from the array of places in degrees to the array of released places, one
call for all of them in doubles; INPUT and OUTPUT hold pairs of latitude and longitude. The law is checked before anything
is timed. These doubles are not private: neither is the projection bounded nor the noise of doubles the law.
"""

import argparse
import json
import math
import time

import numpy as np
from scipy.special import lambertw

import geo_released


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("output")
    for name in ("epsilon", "latitude", "longitude"):
        parser.add_argument(f"--{name}", type=float)
    parser.add_argument("--repetitions", type=int)
    asked = parser.parse_args()
    places = np.fromfile(asked.input, "<f8").reshape(-1, 2)
    degree = np.array(geo_released.metres_per_degree(asked.latitude))
    rng = np.random.Generator(np.random.PCG64(1))
    check(radii(10**5, asked.epsilon, rng), asked.epsilon)
    seconds = []
    for _ in range(asked.repetitions):
        start = time.perf_counter()
        released = release(places, asked.epsilon, degree, rng)
        seconds.append(time.perf_counter() - start)
    released.astype("<f8").tofile(asked.output)
    print(json.dumps({"records": len(places), "seconds": min(seconds), "median_seconds": float(np.median(seconds))}))


def radii(count: int, epsilon: float, rng: np.random.Generator) -> np.ndarray:
    """Radii with the density ε²·r·e^(−εr)."""
    return -(lambertw((rng.random(count) - 1) / math.e, -1).real + 1) / epsilon


def release(places: np.ndarray, epsilon: float, degree: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    radius, angle = radii(len(places), epsilon, rng), 2 * math.pi * rng.random(len(places))
    # North, then east.
    noise = np.column_stack((np.sin(angle), np.cos(angle))) * radius[:, None]
    return places + noise / degree


def check(radius: np.ndarray, epsilon: float) -> None:
    """The mean is 2/ε and the variance 2/ε²; seven standard deviations are once in 10^11 times."""
    mean, within = radius.mean(), 7 * math.sqrt(2 / len(radius)) / epsilon
    if not abs(mean - 2 / epsilon) <= within:
        raise SystemExit(f"the radii have mean {mean:.6g}, expected {2 / epsilon:.6g} within {within:.2g}")


if __name__ == "__main__":
    main()
