"""Randomized response with a budget for each profile: the law that the file rows release by, and its mechanism file.

Profile s keeps its value with probability (16 + s) / 64 and else draws one of all 16 uniformly, which is to keep it
with probability p = (16 + s) / 64 + (48 - s) / 1024 and else to draw one of the other 15. All numbers are dyadic, so
the integers of the mechanism file and the doubles of a peer are the same law exactly.
"""

import json
from fractions import Fraction
from pathlib import Path

SIZE = 16
TOTAL = 1 << 53
PROFILES = [f"profile{at:02}" for at in range(SIZE)]
VALUES = [f"value{at:02}" for at in range(SIZE)]


def keep(profile: int) -> Fraction:
    """The probability that a value of this profile is not drawn again."""
    return Fraction(16 + profile, 64)


def share(profile: int, value: int) -> Fraction:
    """The law of the private values of a profile: every profile leans to its own."""
    return Fraction(1 + (value - profile) % SIZE, SIZE * (SIZE + 1) // 2)


def channel(profile: int) -> list[list[float]]:
    """The probability of each output, a row for each value; exact."""
    redraw = (1 - keep(profile)) / SIZE
    return [[float(redraw + (keep(profile) if x == y else 0)) for y in range(SIZE)] for x in range(SIZE)]


def write_mechanism(path: Path) -> None:
    """The mechanism file, with a claim that it keeps easily: proving it takes no time."""
    channels = [
        {"profiles": [name], "keep": [int(keep(at) * TOTAL)] * SIZE, "redraw": [TOTAL // SIZE] * SIZE}
        for at, name in enumerate(PROFILES)
    ]
    mechanism = {
        "format": "lookalike-mechanism",
        "version": 1,
        "kind": "aware",
        "epsilon": "3",
        "categories": VALUES,
        "profiles": {name: [str(share(at, x)) for x in range(SIZE)] for at, name in enumerate(PROFILES)},
        "groups": [{"name": "all", "members": PROFILES, "epsilon": "3"}],
        "channels": channels,
    }
    path.write_text(json.dumps(mechanism, indent=1) + "\n")
