"""Batches and grids for the tests."""

import os
import random
import shutil
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import reference  # noqa: E402
from batches import WINDOWS, Batch  # noqa: E402
from export import integers  # noqa: E402
from labelling import frame, header  # noqa: E402
from model import Net  # noqa: E402


def lively_net(seed, *widths):
    """A network with weights in every part, like a trained one."""
    net = Net(seed, *widths)
    torch.manual_seed(seed)
    with torch.no_grad():
        net.residual.normal_(std=0.05)
        net.centre.uniform_(0, 3)
        net.w3.normal_(std=0.1)
        net.b3.copy_(torch.tensor([0.3, -1.0, -0.2]))
        net.policy_b2.normal_()
        net.policy_w2.normal_(std=0.05)
        net.skip.fill_(0.8)
        net.policy_skip.fill_(1.1)
    return net.eval()


def coded_arrays(seed, *widths):
    """The arrays of such a network whose windows share 60 rows."""
    net = lively_net(seed, *widths)
    net.code = torch.arange(WINDOWS) * 7919 % 60
    net.residual = torch.randn(60, net.residual.shape[1]) * 0.15
    return integers(net)


def ints(numbers):
    return torch.tensor(np.asarray(numbers), dtype=torch.int32)


def grouped(groups, count):
    """Where each group begins (and the end), and the members, group by group."""
    groups = np.asarray(groups)
    order = np.argsort(groups, kind="stable")
    return np.searchsorted(groups[order], np.arange(count + 1)), order


def make_batch(states, samples, targets, candidates, net=0):
    """A batch of `states` (four windows, region, enter, leave) and, for each sample, its target
    (cells, classical, result, searched, quiet) and candidates ((state, logit) list, played)."""
    windows = sorted({w for s in states for w in s[0]})
    place = {w: i for i, w in enumerate(windows)}
    state_windows = [[place[w] for w in s[0]] for s in states]
    window_from, window_states = grouped(np.ravel(state_windows), len(windows))
    bags = 9 * samples
    enter = [9 * s[2] + s[1] for s in states]
    leave = [9 * s[3] + s[1] if s[3] < samples else bags for s in states]
    event_from, events = grouped(np.ravel(np.stack([enter, leave], 1)), bags)
    events = events[: event_from[-1]]
    candidate_from = np.cumsum([0] + [len(c) for c, _ in candidates])
    played = [f + p if c else -1 for f, (c, p) in zip(candidate_from, candidates)]
    flat = [candidate for several, _ in candidates for candidate in several]
    return Batch(
        net=net,
        block=0,
        blocks=1,
        last_of_block=True,
        windows=ints(windows),
        state_windows=ints(state_windows),
        window_from=ints(window_from),
        window_states=ints(window_states // 4),
        enter=ints(enter),
        leave=ints(leave),
        event_from=ints(event_from),
        event_states=ints(events // 2),
        event_signs=torch.tensor(1.0 - 2.0 * (events % 2), dtype=torch.float32),
        **{name: ints(column) for name, column in zip(
            ("cells", "classical", "result", "searched", "quiet"), zip(*targets))},
        candidate_from=ints(candidate_from),
        played=ints(played),
        candidate_states=ints([s for s, _ in flat]),
        classical_policy=ints([o for _, o in flat]),
    )


def grid_batch(grids, side, classical, logits):
    """One sample for each of the grids, with all its free cells as candidates."""
    states, targets, candidates = [], [], []
    for sample, grid in enumerate(grids):
        height, width = len(grid), len(grid[0])
        moves = []
        for y in range(height):
            for x in range(width):
                if grid[y][x] == "#":
                    continue
                windows = [reference.window(grid, x, y, dx, dy, side) for dx, dy in reference.DIRECTIONS]
                if grid[y][x] == ".":
                    moves.append((len(states), logits[sample][y][x]))
                region = 3 * (3 * y // height) + 3 * x // width
                states.append((windows, region, sample, sample + 1))
        cells = sum(cell != "#" for line in grid for cell in line)
        targets.append((cells, classical[sample], 2, 30, 1))
        candidates.append((moves, 0))
    return make_batch(states, len(grids), targets, candidates)


def write_games(path, count, seed=1, rule=0, has_values=True, results=3):
    """Games of 8 moves at random on 15x15, of freestyle or the rule with another number; with four results
    also branches."""
    rng = random.Random(seed)
    data = b""
    for _ in range(count):
        moves = rng.sample([15 * y + x for x in range(3, 12) for y in range(3, 12)], 8)
        data += struct.pack("<4BH", 15, rule, 1, rng.randrange(results), 8) + struct.pack("<8H", *moves)
        data += struct.pack("<8b", *(rng.randint(-100, 100) if has_values else -128 for _ in moves))
    path.write_bytes(header("a test") + frame(data))


class NothingIsAwaited(TorchDispatchMode):
    """Fails where a GPU would have to be waited for: where the values of a tensor decide what follows."""

    AWAITED = ("_local_scalar_dense", "nonzero", "masked_select", "is_nonzero", "equal", "unique")

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__
        by_mask = name == "index" and any(i is not None and i.dtype == torch.bool for i in args[1])
        assert name not in self.AWAITED and not by_mask, f"{name} waits"
        # A tensor of numbers of the host is copied to the GPU.
        assert name != "lift_fresh", "a copy from the host waits"
        return function(*args, **(kwargs or {}))


@pytest.fixture
def random_batch():
    """A function that makes a batch of 12 samples with 60 states at random."""

    def make(seed, net=0):
        rng = random.Random(seed)
        states = []
        for _ in range(60):
            enter = rng.randrange(12)
            windows = [rng.randrange(0, 199_290, 997) for _ in range(4)]
            states.append((windows, rng.randrange(9), enter, rng.randint(enter + 1, 12)))
        targets = [
            (225, rng.randint(-300, 300), rng.randrange(3), rng.randint(-127, 127), rng.random() < 0.8)
            for _ in range(12)
        ]
        candidates = []
        for sample in range(12):
            moves = [(rng.randrange(60), rng.randint(-500, 900)) for _ in range(sample % 4)]
            candidates.append((moves, rng.randrange(len(moves)) if moves else 0))
        return make_batch(states, 12, targets, candidates, net)

    return make


@pytest.fixture
def tengen_train():
    """Path of the built tengen-train."""
    root = HERE.parents[2]
    target = Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
    found = shutil.which("tengen-train", path=str(target / "release"))
    if not found:
        pytest.skip("needs cargo build --release -p tengen-train")
    return found


@pytest.fixture
def engine(tengen_train):
    """Path of the built tengen."""
    path = tengen_train.replace("tengen-train", "tengen")
    if not shutil.which(path):
        pytest.skip("needs cargo build --release")
    return path
