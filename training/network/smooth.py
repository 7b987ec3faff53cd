#!/usr/bin/env python3
"""Table rows of rare windows, mixed with those of windows that look alike.

A window that games had a few times has a row that chance has made as much as the game has. So each
row is mixed with the mean row of the windows that agree with it on the nearer cells: the fewer times
it was met, the more.
"""

import argparse
from functools import cache

import numpy as np
import torch

from batches import NETS, WINDOWS, Source
from export import first_arms, write_file
from model import ARMS, split_windows
from train import first_networks, program

#: Cells to each side on which alike windows agree, from coarse to fine.
RADII = (2, 3, 4)


@cache
def alike(radius):
    """For each window the number of the one that has its nearer `radius` cells to each side, and
    ends there: equal for windows that look alike."""
    cut = np.zeros(ARMS, np.int64)
    for cells, first in enumerate(first_arms()):
        content = np.arange(3**cells)
        shorter = min(cells, radius)
        cut[first + content] = first_arms()[shorter] + content % 3**shorter
    low, high, centre = (part.numpy() for part in split_windows(torch.arange(WINDOWS)))
    a, b = cut[low], cut[high]
    big, small = np.maximum(a, b), np.minimum(a, b)
    return (big * (big + 1) // 2 + small) * 3 + centre


def smoothed(table, met, prior):
    """`table` (i8 [WINDOWS, channels]) where a row of a window that was met `met` times counts as
    much as `prior` times the mean of its like, and that mean likewise with coarser ones."""
    rows = table.astype(np.float64)
    mean = np.zeros_like(rows)
    for group in map(alike, RADII):
        count = np.bincount(group, met, WINDOWS)
        total = np.zeros_like(rows)
        np.add.at(total, group, rows * met[:, None])
        mean = ((total[group].T + prior * mean.T) / np.maximum(count[group] + prior, 1e-9)).T
    mixed = (rows * met[:, None] + prior * mean) / np.maximum(met + prior, 1e-9)[:, None]
    return np.clip(np.round(mixed), -128, 127).astype(np.int8)


def count_windows(source, positions):
    """How often each network's windows occur in the first `positions` positions: a cell counts once
    while nothing around it changes."""
    met, seen = np.zeros((len(NETS), WINDOWS), np.int64), 0
    with source:
        for batch in source:
            met[batch.net][batch.windows.numpy()] += batch.window_from.diff().numpy()
            seen += len(batch)
            if seen >= positions:
                break
    return met


def main():
    parser = argparse.ArgumentParser(description="Smooths the rows of a network's rare windows.")
    parser.add_argument("network", help="file of networks")
    parser.add_argument("games", nargs="+", help="files of games, or folders with .bin.zst files")
    parser.add_argument("--out", required=True, help="file to write")
    parser.add_argument("--positions", type=float, default=3e6, help="positions to count windows in")
    parser.add_argument("--prior", type=float, default=100,
                        help="times that a window must be met to count as much as its like")
    parser.add_argument("--seed", type=int, default=1, help="which positions")
    parser.add_argument("--program", help="tengen-train; built by cargo if not given")
    options = parser.parse_args()
    networks = first_networks(options.network)
    source = Source(program(options.program), [*options.games, "--seed", options.seed])
    met = count_windows(source, options.positions)
    for network, counts in zip(networks, met):
        # Where nothing was counted, nothing is known of what is rare.
        if counts.any():
            network["table"] = smoothed(network["table"], counts, options.prior)
    print(f"{options.out}: sha256 {write_file(networks, options.out)}")


if __name__ == "__main__":
    main()
