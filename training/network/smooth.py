#!/usr/bin/env python3
"""Mixes the table rows of rare windows with those of similar windows.

The row of a window that occurs only a few times in the games is mostly noise. So each row is mixed with
the mean row of the windows with the same nearer cells, the more the rarer the window is.
"""

import sys
from functools import cache

import numpy as np
import torch

from batches import NETS, WINDOWS, Source, exit_on_damaged_stream
from export import first_arms, share, sharing, write_file
from model import ARMS, split_windows
from options import Parser, number, output_file, program_file, seed
from start import read_networks_or_exit
from train import build_program

#: Cells to each side on which similar windows agree, from coarse to fine.
RADII = (2, 3, 4)


@cache
def similar_group(radius):
    """For each window the number of the window cut off after `radius` cells to each side. Windows with
    equal numbers are similar."""
    cut = np.zeros(ARMS, np.int64)
    for cells, first in enumerate(first_arms()):
        content = np.arange(3**cells)
        shorter = min(cells, radius)
        cut[first + content] = first_arms()[shorter] + content % 3**shorter
    low, high, centre = (part.numpy() for part in split_windows(torch.arange(WINDOWS)))
    a, b = cut[low], cut[high]
    big, small = np.maximum(a, b), np.minimum(a, b)
    return (big * (big + 1) // 2 + small) * 3 + centre


def smoothed(table, counts, prior):
    """`table` (i8 [WINDOWS, channels]), where a row is the mean of itself, weighted by the number of
    times that its window occurs, and of the similar windows' mean, weighted by `prior`. That mean is
    mixed in the same way with the mean of a larger group."""
    rows = table.astype(np.float64)
    mean = np.zeros_like(rows)
    for group in map(similar_group, RADII):
        group_counts = np.bincount(group, counts, WINDOWS)
        total = np.zeros_like(rows)
        np.add.at(total, group, rows * counts[:, None])
        weight = np.maximum(group_counts[group] + prior, 1e-9)
        mean = ((total[group].T + prior * mean.T) / weight).T
    mixed = (rows * counts[:, None] + prior * mean) / np.maximum(counts + prior, 1e-9)[:, None]
    return np.clip(np.round(mixed), -128, 127).astype(np.int8)


def count_windows(source, positions):
    """How often each network's windows occur in the first `positions` positions. The windows of a cell
    count once as long as nothing in them changes. Ends the program where the games have no position."""
    counts, read = np.zeros((len(NETS), WINDOWS), np.int64), 0
    with source:
        for batch in source:
            counts[batch.net][batch.windows.numpy()] += batch.window_from.diff().numpy()
            read += len(batch)
            if read >= positions:
                break
            if not read and batch.block + 1 >= batch.blocks:
                # A whole pass had none, as any other would.
                break
    if not read:
        sys.exit("the games have no positions with a value")
    return counts


@exit_on_damaged_stream()
def main():
    parser = Parser(description="Smooths the rows of a network's rare windows.")
    parser.add_argument("network", help="file of networks")
    parser.add_argument("games", nargs="+", help="files of games, or folders with .bin.zst files")
    parser.add_argument("--out", required=True, type=output_file, help="file to write")
    parser.add_argument("--positions", type=number(1), default=3e6,
                        help="positions to count windows in")
    parser.add_argument("--prior", type=number(0), default=100,
                        help="occurrences of a window that weigh as much as the similar windows")
    parser.add_argument("--seed", type=seed, default=1, help="which positions")
    parser.add_argument("--program", type=program_file, help="tengen-train; built by cargo if not given")
    options = parser.parse_args()
    networks = read_networks_or_exit(options.network, alike=True)
    source = Source(build_program(options.program), [*options.games, "--seed", options.seed])
    counts = count_windows(source, options.positions)
    lenders = sharing(networks)
    for i, network in networks.items():
        # Without any counts no window is known to be rare.
        if counts[i].any() and i not in lenders:
            network["table"] = smoothed(network["table"], counts[i], options.prior)
            network.pop("codes", None)
    share(networks, lenders)
    print(f"{options.out}: sha256 {write_file(networks, options.out)}")


if __name__ == "__main__":
    main()
