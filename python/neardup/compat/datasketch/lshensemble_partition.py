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
    """Partitions (smallest size, largest size), ascending, those of the original.

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
    # least[p][u]: the fewest false positives of p partitions of the sizes up to u; 0 where there are fewer sizes than partitions.
    least = {1: expected[0]}
    for parts in range(2, num_part):
        least[parts] = np.zeros(len(sizes))
        for last in range(parts - 1, len(sizes)):
            least[parts][last] = np.min(least[parts - 1][parts - 2 : last] + expected[parts - 1 : last + 1, last])
    # From the last partition back. The original takes the cost of the partitions before the second last one, and before those in front of
    # it, for one partition too many; so do we, for the same partitions.
    partitions = []
    last = len(sizes) - 1
    for parts in range(num_part, 1, -1):
        cost = least[parts - 1 if parts == num_part else parts]
        end = parts - 2 + int(np.argmin(cost[parts - 2 : last] + expected[parts - 1 : last + 1, last]))
        partitions.append((sizes[end + 1], sizes[last]))
        last = end
    partitions.append((sizes[0], sizes[last]))
    return partitions[::-1]
