"""Whole runs of the trainer on tiny games."""

import random
import struct

import pytest
import torch
import zstandard

import train


def write_games(path, count, seed=1):
    """Freestyle games of 8 moves at random on 15x15."""
    rng = random.Random(seed)
    data = b""
    for _ in range(count):
        moves = rng.sample([15 * y + x for x in range(3, 12) for y in range(3, 12)], 8)
        data += struct.pack("<4BH", 15, 0, 1, rng.randrange(3), 8) + struct.pack("<8H", *moves)
        data += struct.pack("<8b", *(rng.randint(-100, 100) for _ in moves))
    path.write_bytes(zstandard.ZstdCompressor().compress(data))


@pytest.fixture
def run(tengen_train, tmp_path):
    """A function that makes a run on 60 games, with more options."""
    write_games(tmp_path / "games.bin.zst", 60)

    def make(state, *more):
        fixed = [tmp_path / "games.bin.zst", "--program", tengen_train, "--rules", "freestyle",
                 "--batch-size", 20, "--block-games", 10, "--save-minutes", 60, "--device", "cpu",
                 "--out", tmp_path / "network.tgnn", "--state", tmp_path / state, *more]
        return train.Run(train.arguments(list(map(str, fixed))))

    return make


def test_a_run_ends_at_its_number_of_positions_interrupted_or_not(run):
    whole = run("whole", "--positions", "101")
    learn, learnt = whole.learner.learn, []
    whole.learner.learn = lambda batch, part: (learnt.append((part, len(batch))), learn(batch, part))[1]
    whole.save = lambda _: None
    assert whole.train() and whole.learner.positions == 101
    # The last batch is cut, and the learning rates have nearly fallen to 0 there.
    assert sum(size for _, size in learnt) == 101 and learnt[-1][0] > 0.75
    assert not whole.train()

    # It saves after each batch, and is interrupted within a block.
    first = run("parts", "--positions", "101", "--save-minutes", "0")

    def interrupted(batch, part):
        if first.learner.positions > 20:
            raise KeyboardInterrupt
        return type(first.learner).learn(first.learner, batch, part)

    first.learner.learn = interrupted
    with pytest.raises(KeyboardInterrupt):
        first.train()
    second = run("parts", "--positions", "101")
    assert second.learner.place["lanes"][0][1] > 0 and second.learner.positions < 60
    second.save = lambda _: None
    assert second.train()
    for name, value in whole.learner.nets[0].state_dict().items():
        assert torch.equal(value, second.learner.nets[0].state_dict()[name]), name
