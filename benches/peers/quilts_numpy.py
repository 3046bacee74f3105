"""The exact search of Markov quilts in doubles, as one would write it with numpy: all powers, all pairs of distances.

    quilts_numpy.py --states K --reach W --stay S --pull Q --length T --epsilon E

For a chain that starts from its stationary law and is long against its quilts: then no node needs more than one in the
middle, whose best quilt has a node on either side. A quilt whose near side has more than ε·σ nodes is worse than σ, so
that distances up to ε·σ are all there are; they are doubled until that holds.
"""

import argparse
import json
import time
from fractions import Fraction

import numpy as np


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, kind in (("states", int), ("reach", int), ("length", int), ("epsilon", float)):
        parser.add_argument(f"--{name}", type=kind)
    for name in ("stay", "pull"):
        parser.add_argument(f"--{name}", type=Fraction)
    asked = parser.parse_args()
    chain = walk(asked.states, asked.reach, asked.stay, asked.pull)
    start = time.process_time()
    scale = search(chain, asked.length, asked.epsilon)
    print(json.dumps({"records": asked.length, "seconds": time.process_time() - start, "value": scale}))


def walk(states: int, reach: int, stay: Fraction, pull: Fraction) -> np.ndarray:
    """The walk of `benches/driver/src/pufferfish.rs`."""
    chain = np.zeros((states, states))
    for level in range(states):
        for direction in (-1, 1):
            middle = (states - 1 - 2 * level) * direction
            share = pull if middle > 0 else 1 - pull if middle < 0 else Fraction(1, 2)
            for distance in range(1, reach + 1):
                to = level + direction * distance
                if 0 <= to < states:
                    chain[level, to] = float((1 - stay) * share / reach)
        chain[level, level] = 1 - chain[level].sum()
    return chain


def search(chain: np.ndarray, length: int, epsilon: float) -> float:
    window = 64
    while True:
        scale = best(chain, window, epsilon)
        if epsilon * scale <= window:
            if length < 4 * window:
                raise SystemExit("a chain that is too short for this search")
            return scale
        window *= 2


def best(chain: np.ndarray, window: int, epsilon: float) -> float:
    """The least card/(ε − e) over the quilts with both distances up to the window."""
    law = stationary(chain)
    prior = np.log(law)[None, :] - np.log(law)[:, None]
    left, right = [], []
    power = np.eye(len(chain))
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(window):
            power = power @ chain
            logarithms = np.log(power)
            # A state that neither x nor x' leads to says nothing.
            before = np.nan_to_num(logarithms[:, :, None] - logarithms[:, None, :], nan=-np.inf, posinf=np.inf)
            after = np.nan_to_num(logarithms[:, None, :] - logarithms[None, :, :], nan=-np.inf, posinf=np.inf)
            left.append((prior + before.max(axis=0)).ravel())
            right.append(after.max(axis=2).ravel())
    right = np.array(right)
    distances = np.arange(1, window + 1)
    least = np.inf
    for a, told in zip(distances, left):
        influence = (told + right).max(axis=1)
        admissible = influence < epsilon
        scores = (a + distances[admissible] - 1) / (epsilon - influence[admissible])
        least = min(least, scores.min(initial=np.inf))
    return float(least)


def stationary(chain: np.ndarray) -> np.ndarray:
    states = len(chain)
    equations = np.vstack([chain.T - np.eye(states), np.ones(states)])
    return np.linalg.lstsq(equations, np.append(np.zeros(states), 1.0), rcond=None)[0]


if __name__ == "__main__":
    main()
