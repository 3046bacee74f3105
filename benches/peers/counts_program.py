"""The plain linear program of a mechanism over the counts 0 to n that is weakly honest and column monotone.

Cormode, Kulkarni and Srivastava (2018), with inputs as rows here: x[j, i] is the probability to release i for j, and
all (n+1)² of them are variables. The objective is their score for a uniform prior, (n+1)/n · the expected loss.

- privacy: x[j, i] ≥ α x[j+1, i] and x[j+1, i] ≥ α x[j, i];
- every row sums to 1;
- WH, weak honesty: x[j, j] ≥ 1/(n+1);
- CM, column monotonicity: x[j, i] does not rise as i moves away from j.
"""

import numpy as np
from scipy import sparse

from programs import Program

LOSSES = {"l0": lambda distance: np.minimum(distance, 1), "l1": lambda distance: distance}


def costs(n: int, loss: str) -> np.ndarray:
    """What each x[j, i] counts in the score: the factors n+1 and 1/(n+1), of score and prior, cancel."""
    outputs, inputs = np.arange(n + 1), np.arange(n + 1)[:, None]
    return LOSSES[loss](abs(outputs - inputs)) / n


def towards_truth(n: int) -> np.ndarray:
    """For each row j and outputs i, i + 1: 1 where i + 1 is nearer to j, −1 where i is."""
    outputs, inputs = np.arange(n), np.arange(n + 1)[:, None]
    return np.where(outputs < inputs, 1, -1)


def counts(n: int, alpha: float, loss: str) -> Program:
    size = n + 1
    place = np.arange(size * size).reshape(size, size)
    rises = towards_truth(n) > 0
    far = np.where(rises, place[:, :-1], place[:, 1:])
    near = np.where(rises, place[:, 1:], place[:, :-1])
    pairs = [(place[1:], place[:-1], alpha), (place[:-1], place[1:], alpha), (near, far, 1.0)]
    differences = [difference(*pair, place.size) for pair in pairs]
    identity = sparse.eye_array(place.size, format="csr")
    sums = sparse.kron(sparse.eye_array(size), np.ones((1, size)))
    matrix = sparse.vstack([*differences, identity[place.diagonal()], sums], format="csr")
    truth, one = np.full(size, 1 / size), np.ones(size)
    free = matrix.shape[0] - size
    lower = np.concatenate([np.zeros(free - size), truth, one])
    upper = np.concatenate([np.full(free, np.inf), one])
    return Program(costs(n, loss).ravel(), np.ones(place.size), matrix, lower, upper)


def difference(more: np.ndarray, less: np.ndarray, factor: float, variables: int) -> sparse.sparray:
    """The rows x[more] − factor · x[less]."""
    more, less = more.ravel(), less.ravel()
    row, entries = np.arange(len(more)), np.ones(len(more))
    ends = (np.concatenate([row, row]), np.concatenate([more, less]))
    return sparse.coo_array((np.concatenate([entries, -factor * entries]), ends), shape=(len(more), variables))
