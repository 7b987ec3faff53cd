"""The engine's integer arithmetic, in numpy and as plainly as possible.

The trainer's tests compare its exports with this, and `vectors.py` writes its results for the
engine's tests. Positions are small grids of characters: `.` free, `X` Black, `O` White, `#` blocked.
A network has C channels, and layers of any width.
"""

import numpy as np

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
REACH = 5


def _arm(grid, x, y, dx, dy, own):
    """Number of the arm from `x`, `y` outwards: 0 for no cell, then those of 1, 2, … 5 cells."""
    content = first = 0
    power = 1
    for step in range(1, REACH + 1):
        column, row = x + dx * step, y + dy * step
        if not (0 <= row < len(grid) and 0 <= column < len(grid[0])) or grid[row][column] == "#":
            break
        cell = grid[row][column]
        content += power * (0 if cell == "." else 1 if cell == own else 2)
        first += power
        power *= 3
    return first + content


def window(grid, x, y, dx, dy, own):
    """Number of the line window around `x`, `y` along `dx`, `dy` as the colour `own` sees it."""
    low, high = sorted(
        (_arm(grid, x, y, dx, dy, own), _arm(grid, x, y, -dx, -dy, own))
    )
    centre = 0 if grid[y][x] == "." else 1 if grid[y][x] == own else 2
    return (high * (high + 1) // 2 + low) * 3 + centre


def sums(network, grid, own):
    """i32[height, width, C]: the sums of the four rows at each cell, 0 where blocked."""
    x = np.zeros((len(grid), len(grid[0]), network["table"].shape[1]), np.int32)
    for row, line in enumerate(grid):
        for column, cell in enumerate(line):
            if cell != "#":
                for dx, dy in DIRECTIONS:
                    x[row, column] += network["table"][window(grid, column, row, dx, dy, own)]
    return x


def features(x):
    """Activations of the sums `x`."""
    return np.clip(x, 0, 127)


def inputs(activations, grid):
    """i64[10 * C]: the inputs of the first layer."""
    height, width = len(grid), len(grid[0])
    regions = np.zeros((9, activations.shape[2]), np.int64)
    for row in range(height):
        for column in range(width):
            if grid[row][column] != "#":
                regions[3 * (3 * row // height) + 3 * column // width] += activations[row, column]
    cells = sum(cell != "#" for line in grid for cell in line)
    scale = 2**20 // cells
    return np.concatenate([regions.sum(0) * scale >> 16, (regions * scale >> 14).ravel()])


def layers(network, inputs):
    """Both hidden layers and the logits of win, draw and loss, in units of 1/8192."""
    n = {name: network[name].astype(np.int64) for name in ("w1", "b1", "w2", "b2", "w3", "b3")}
    first = np.clip(inputs @ n["w1"] + n["b1"] >> 11, 0, 2047)
    second = np.clip(first @ n["w2"] + n["b2"] >> 10, 0, 2047)
    return first, second, second @ n["w3"] + n["b3"] >> 4


def value(network, logits, classical):
    """The value for the side to move in the classical evaluation's units."""
    skip = np.clip(classical, -4000, 4000) * int(network["skip"]) >> 8
    win, loss, draw = logits[0] + skip, logits[2] - skip, logits[1] - 5678

    def log_add(p, q):
        return max(p, q) + int(network["softplus"][min(abs(p - q) >> 6, 1023)])

    return int((log_add(win, draw) - log_add(loss, draw)) * 25 + 512 >> 10)


def policy_weights(network, inputs):
    """i64[C]: what each activation of a cell adds to a move there, in units of 1/256."""
    hidden = inputs @ network["policy_w1"].astype(np.int64) + network["policy_b1"]
    sums = np.clip(hidden >> 11, 0, 2047) @ network["policy_w2"].astype(np.int64)
    return np.clip(sums + network["policy_b2"] >> 10, -32768, 32767)


def policy_logit(network, weights, activations, classical):
    """Policy logit of the move to the cell with these activations; `classical` is the classical one."""
    learned = int(activations.astype(np.int64) @ weights) >> 7
    return learned + (classical * int(network["policy_skip"]) >> 8)
