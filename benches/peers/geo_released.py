"""Whether released places are the true ones plus planar Laplace noise, of the density ε²/2π·e^(−ε·metres).

    geo_released.py INPUT OUTPUT EPSILON

Files hold pairs of latitude and longitude as doubles. Metres are those of the ellipsoid WGS84 at the middle of each step.
Tests that are wrong less than once in 10^9 times where the law is right; any that fails is an error. Plain Python, so that
the harness can test it without the peers.

- The mean distance is within 7 of its standard deviations, √2/ε a place, of 2/ε.
- The shares of distances and of directions are nowhere further from their probabilities than √(ln(2·10^9)/(2·rows)): the
  inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant. Grids of a thousandth of 1/ε, and maps that are
  wrong by a thousandth, are far below that.
"""

import math
import sys
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

DEVIATIONS = 7
FALSE_ALARM = 1e-9
FEWEST = 10_000
# WGS84: the equatorial radius in metres, and the square of the eccentricity.
RADIUS = 6_378_137.0
ECCENTRICITY = 0.00669437999014


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """Northwards and eastwards."""
    radians = math.radians(latitude)
    bulge = 1 - ECCENTRICITY * math.sin(radians) ** 2
    north = RADIUS * (1 - ECCENTRICITY) / bulge**1.5
    return math.radians(north), math.radians(RADIUS / math.sqrt(bulge) * math.cos(radians))


def steps(true: array, released: array) -> Iterator[tuple[float, float]]:
    """Metres to the north and to the east."""
    for at in range(0, len(true), 2):
        north, east = metres_per_degree((true[at] + released[at]) / 2)
        along = (released[at + 1] - true[at + 1] + 180) % 360 - 180
        yield (released[at] - true[at]) * north, along * east


def complaint(noise: list[tuple[float, float]], epsilon: float) -> str | None:
    """What is wrong with this noise; None if nothing is."""
    rows = len(noise)
    if rows < FEWEST:
        return f"{rows} rows, expected {FEWEST:,} or more: the tests say nothing for fewer"
    distances = sorted(math.hypot(*step) for step in noise)
    mean, within = math.fsum(distances) / rows, DEVIATIONS * math.sqrt(2 / rows) / epsilon
    # A map may be wrong by a thousandth.
    if not abs(mean - 2 / epsilon) <= within + 0.002 / epsilon:
        return f"the mean distance is {mean:.6g} m, expected {2 / epsilon:.6g} within {within:.2g}"
    most = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * rows)) + 0.001
    apart = gap(distances, lambda r: 1 - (1 + epsilon * r) * math.exp(-epsilon * r))
    if not apart <= most:
        return f"the distribution of distances is {apart:.3g} from its law, expected at most {most:.2g}"
    turns = sorted(math.atan2(*step) / (2 * math.pi) + 0.5 for step in noise)
    apart = gap(turns, lambda turn: turn)
    if not apart <= most:
        return f"the distribution of directions is {apart:.3g} from even, expected at most {most:.2g}"
    return None


def gap(values: list[float], law: Callable[[float], float]) -> float:
    """The largest distance of the shares up to each of these sorted values from their probabilities."""
    rows = len(values)
    return max(max(abs(law(value) - at / rows), abs(law(value) - (at + 1) / rows)) for at, value in enumerate(values))


def main() -> None:
    true, released = (array("d", Path(path).read_bytes()) for path in sys.argv[1:3])
    if len(true) != len(released):
        raise SystemExit(f"{len(released) // 2} places released of {len(true) // 2}")
    if found := complaint(list(steps(true, released)), float(sys.argv[3])):
        raise SystemExit(found)


if __name__ == "__main__":
    main()
