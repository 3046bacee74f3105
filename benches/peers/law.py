"""Whether released values follow the law they should: the same test for every peer, and the driver's own in Rust."""

import numpy as np


def agrees(law: np.ndarray, cells: np.ndarray, outputs: np.ndarray) -> bool:
    """Pearson's statistic over all cells and outputs is within six standard deviations of its mean.

    `law[c]` holds the probabilities of the outputs in cell c, a (profile, value) pair; `cells` and `outputs` hold one
    entry a record. Mean and variance are exact for the number of records of each cell, so small cells do no harm.
    """
    size = law.shape[1]
    counts = np.bincount(cells.astype(np.int64) * size + outputs, minlength=law.size).reshape(law.shape)
    totals = counts.sum(axis=1)
    law, counts, totals = law[totals > 0], counts[totals > 0], totals[totals > 0]
    expected = totals[:, None] * law
    statistic = ((counts - expected) ** 2 / expected).sum()
    mean = (size - 1) * len(law)
    correction = ((1 / law).sum(axis=1) - size * size - 2 * size + 2) / totals
    variance = 2 * (size - 1) * len(law) + correction.sum()
    return bool(abs(statistic - mean) <= 6 * np.sqrt(variance))
