#!/usr/bin/env python3
"""Writes positions with what a network's file computes for them, for the engine's tests.

The head of the file describes its format. The same arguments write the same file.
"""

import random
from pathlib import Path

import reference
from batches import NETS
from export import read_networks
from options import Parser, number, seed

HEAD = """\
# What the networks in NAME compute for random positions; the engine must compute the same.
# Each position:
#   position SET WIDTH HEIGHT SIDE CLASSICAL   network (0..5), board, side to move (X Black, O White),
#                                              classical evaluation to be added
#   then HEIGHT lines of cells: . free, X Black, O White, # blocked (a comment has a blank behind #)
#   x COLUMN ROW and C sums of table rows      (a few cells); C is the number of channels
#   in and 10 C inputs of the first layer
#   h1 and H1, h2 and H2 hidden activations    H1 and H2 are the outputs of the first two layers
#   o WIN DRAW LOSS                            in 1/8192
#   value V                                    in the classical evaluation's units
#   m and C                                    policy weights
#   move COLUMN ROW CLASSICAL LOGIT            (the same cells, where free) classical and final policy
"""
SIZES = ((15, 15), (20, 20), (5, 5), (22, 22), (9, 14), (17, 6), (15, 15), (8, 8))


def position(rng, width, height):
    """A random grid: clusters of stones, on every third board some blocked cells."""
    grid = [["."] * width for _ in range(height)]
    x, y = width // 2, height // 2
    for number in range(rng.randrange(width * height * 2 // 3)):
        grid[y][x] = "XO"[number % 2]
        x = min(max(x + rng.randint(-3, 3), 0), width - 1)
        y = min(max(y + rng.randint(-3, 3), 0), height - 1)
    if rng.random() < 0.33:
        for _ in range(rng.randint(1, 8)):
            grid[rng.randrange(height)][rng.randrange(width)] = "#"
    return ["".join(line) for line in grid]


def case(rng, networks, number):
    """The lines of one position."""
    width, height = SIZES[number // len(networks) % len(SIZES)]
    net = sorted(networks)[number % len(networks)]
    colours = {"renju-black": "X", "renju-white": "O"}.get(NETS[net], "XO")
    side = rng.choice(colours)
    classical = rng.choice((0, rng.randint(-600, 600), rng.randint(-9000, 9000)))
    grid = position(rng, width, height)
    network = networks[net]
    x = reference.sums(network, grid, side)
    activations = reference.features(x)
    inputs = reference.inputs(activations, grid)
    first, second, logits = reference.layers(network, inputs)
    cells = [(rng.randrange(width), rng.randrange(height)) for _ in range(3)]
    cells = [(column, row) for column, row in cells if grid[row][column] != "#"]

    def line(name, numbers):
        return " ".join([name, *map(str, numbers)])

    lines = [f"position {net} {width} {height} {side} {classical}", *grid]
    lines += [line(f"x {column} {row}", x[row, column]) for column, row in cells]
    lines += [line("in", inputs), line("h1", first), line("h2", second), line("o", logits)]
    lines.append(f"value {reference.value(network, logits, classical)}")
    weights = reference.policy_weights(network, inputs)
    lines.append(line("m", weights))
    for column, row in cells:
        if grid[row][column] == ".":
            classical_logit = rng.randint(-3000, 8000)
            logit = reference.policy_logit(network, weights, activations[row, column], classical_logit)
            lines.append(f"move {column} {row} {classical_logit} {logit}")
    return lines


def vectors(networks, name, count, seed):
    """The text for `count` positions."""
    rng = random.Random(seed)
    text = HEAD.replace("NAME", name)
    for number in range(count):
        text += "\n".join(case(rng, networks, number)) + "\n"
    return text


def main():
    parser = Parser(description="Writes test positions for the engine.")
    parser.add_argument("network", help="the networks' file, or the folder with one file a rule")
    parser.add_argument("out", help="text file to write")
    parser.add_argument("--count", type=number(1, kind=int), default=32, help="positions")
    parser.add_argument("--seed", type=seed, default=1, help="which positions")
    options = parser.parse_args()
    networks = read_networks(options.network)
    with open(options.out, "w") as out:
        out.write(vectors(networks, Path(options.network).name, options.count, options.seed))


if __name__ == "__main__":
    main()
