"""Partitions of set sizes for MinHashLSHEnsemble that have the fewest expected false positives."""
from __future__ import annotations

import numpy as np


def _false_positives(sizes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """For each interval of sizes, from row to column, the expected false positives if all its sets are taken for its largest size."""
    expected = np.zeros((len(sizes), len(sizes)))
    for last, largest in enumerate(sizes):
        shares = (float(largest) - sizes[: last + 1]) / float(largest) * counts[: last + 1]
        for first in range(last + 1):
            # Not cumulative: the rounding of these sums decides between partitions that are equally good.
            expected[first, last] = np.sum(shares[first:])
    return expected


def optimal_partitions(sizes, counts, num_part: int) -> list[tuple]:
    """Partitions (smallest size, largest size), ascending.

    Args:
        sizes: the set sizes, ascending and different.
        counts: the number of sets of each size.
        num_part: the number of partitions; there are fewer if there are fewer sizes.
    """
    sizes = np.asarray(sizes)
    counts = np.asarray(counts)
    if num_part < 2:
        return [(sizes[0], sizes[-1])]
    if num_part >= len(sizes):
        return [(size, size) for size in sizes]
    expected = _false_positives(sizes, counts)
    # least[p - 1][u]: the fewest false positives of p partitions of the sizes up to u. With more partitions than sizes: infinite.
    least = [expected[0].copy()]
    for parts in range(2, num_part):
        row = np.full(len(sizes), np.inf)
        for last in range(parts - 1, len(sizes)):
            row[last] = np.min(least[-1][parts - 2 : last] + expected[parts - 1 : last + 1, last])
        least.append(row)
    # From the last partition back: where does the one before it end?
    partitions = []
    last = len(sizes) - 1
    for parts in range(num_part, 1, -1):
        before = least[parts - 2][parts - 2 : last] + expected[parts - 1 : last + 1, last]
        end = parts - 2 + int(np.argmin(before))
        partitions.append((sizes[end + 1], sizes[last]))
        last = end
    partitions.append((sizes[0], sizes[last]))
    return partitions[::-1]
