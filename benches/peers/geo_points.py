"""Writes the places of the planar rows: latitude and longitude in degrees, one pair of doubles after the other.

    geo_points.py RECORDS FILE --latitude LAT --longitude LON --reach DEGREES

Uniform in degrees within the reach of the origin; numpy's PCG64 with seed 1.
"""

import argparse
from pathlib import Path

import numpy as np


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("records", type=int)
    parser.add_argument("path", type=Path)
    for name in ("latitude", "longitude", "reach"):
        parser.add_argument(f"--{name}", type=float)
    asked = parser.parse_args()
    rng = np.random.Generator(np.random.PCG64(1))
    places = np.array([asked.latitude, asked.longitude]) + asked.reach * rng.uniform(-1, 1, (asked.records, 2))
    partial = asked.path.with_suffix(".tmp")
    places.astype("<f8").tofile(partial)
    partial.rename(asked.path)


if __name__ == "__main__":
    main()
