#!/usr/bin/env python3
"""Makes a file of networks smaller: similar windows share a row.

A network's rows are replaced by the nearest of a few, its codes, that weighted k-means finds (S. Lloyd
1957): a window counts as often as it occurs in games. Then the file holds the codes, and for each window
the number of its code. The engine writes the rows out again when it reads them, so neither its speed nor
its memory changes. The idea comes from Rapfi's networks of 2025.
"""

import numpy as np
import torch

from batches import NET_RULES, NETS, WINDOWS, Source, exit_on_damaged_stream
from export import share, sharing, write_file
from model import ROW_STEPS
from options import Parser, number, output_file, program_file, seed
from smooth import count_windows
from start import read_networks_or_exit
from train import build_program

#: Share of all occurrences spread evenly, so that windows absent from the games count too.
EVEN = 0.004
#: Rows whose distances from all codes are computed at once.
BLOCK = 4096


def nearest(rows, codes):
    """For each row the nearest code, and the square of the distance (f32 [rows, channels] and [codes,
    channels])."""
    squares = (codes * codes).sum(1)
    parts = []
    for part in rows.split(BLOCK):
        least, code = torch.addmm(squares, part, codes.T, alpha=-2).min(1)
        parts.append((code, (least + (part * part).sum(1)).clamp(min=0)))
    code, error = zip(*parts)
    return torch.cat(code), torch.cat(error)


def codebook(table, weights, codes, steps, unit=1):
    """At most `codes` rows (i8 [codes, channels], multiples of `unit`), and for each row of `table` the
    number of its code (u16). Equal rows have one code; more weight makes a row's code more exact. The
    codes are in the order of their first use in the table, which packs best."""
    rows, place = np.unique(table, axis=0, return_inverse=True)
    weights = np.bincount(place.ravel(), weights, len(rows))
    heaviest = np.argsort(-weights, kind="stable")[:codes]
    rows = torch.tensor(rows, dtype=torch.float32)
    weights = torch.tensor(weights, dtype=torch.float32)
    found = rows[torch.from_numpy(heaviest.copy())].clone()
    for _ in range(steps):
        code, _ = nearest(rows, found)
        total = torch.zeros(len(found)).index_add_(0, code, weights)
        mean = torch.zeros_like(found).index_add_(0, code, rows * weights[:, None])
        found = torch.where(total[:, None] > 0, mean / total[:, None].clamp(min=1e-9), found)
    found = ((found / unit).round() * unit).clamp(-128, 128 - unit)
    code, _ = nearest(rows, found)
    used, first, code = np.unique(code.numpy()[place.ravel()], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return found.numpy()[used[order]].astype(np.int8), rank[code].astype("<u2")


def with_codes(network, counts, codes, steps, unit=1):
    """The network with at most `codes` rows, where its windows occur so often, and the mean square
    error of the rows by occurrence, in their units (1/128)."""
    weights = counts / counts.sum() * (1 - EVEN) + EVEN / WINDOWS
    found, code = codebook(network["table"], weights, codes, steps, unit)
    table = found[code]
    error = (table.astype(np.float64) - network["table"]) ** 2
    return {**network, "table": table, "codes": found, "code": code}, weights @ error.mean(1)


@exit_on_damaged_stream()
def main():
    parser = Parser(description="Lets similar windows of a network share a row.")
    parser.add_argument("network", help="file of networks, or a folder with one a rule")
    parser.add_argument("games", nargs="+", help="files of games, or folders with .bin.zst files")
    parser.add_argument("--out", required=True, type=output_file, help="file to write")
    parser.add_argument("--codes", type=number(1, 65_536, int), default=32_768, help="rows of a network")
    parser.add_argument("--steps", type=number(0, kind=int), default=5, help="steps of k-means")
    parser.add_argument("--unit", type=int, choices=ROW_STEPS, default=4,
                        help="what the rows' numbers are multiples of: larger ones pack better")
    parser.add_argument("--nets", default=",".join(NETS), help="networks that get codes")
    parser.add_argument("--positions", type=number(1), default=4e6,
                        help="positions to count windows in")
    parser.add_argument("--seed", type=seed, default=1, help="which positions")
    parser.add_argument("--program", type=program_file, help="tengen-train; built by cargo if not given")
    options = parser.parse_args()
    chosen = options.nets.split(",")
    if unknown := set(chosen) - set(NETS):
        parser.error(f"--nets: {unknown.pop()} is none of {', '.join(NETS)}")
    networks = read_networks_or_exit(options.network, alike=True)
    rules = sorted({NET_RULES[i] for i in networks if NETS[i] in chosen})
    arguments = [*options.games, "--rules", ",".join(rules), "--seed", options.seed]
    counts = count_windows(Source(build_program(options.program), arguments), options.positions)
    lenders = sharing(networks)
    for i in (i for i in networks if NETS[i] in chosen and i not in lenders):
        name = NETS[i]
        if not counts[i].any():
            parser.error(f"the games have no positions for {name}")
        networks[i], error = with_codes(networks[i], counts[i], options.codes, options.steps, options.unit)
        print(f"{name}: {len(networks[i]['codes'])} rows, mean square error {error:.2f}", flush=True)
    share(networks, lenders)
    print(f"{options.out}: sha256 {write_file(networks, options.out)}")


if __name__ == "__main__":
    main()
