"""Learning with rows that windows share."""

import copy

import numpy as np
import pytest
import torch

from batches import WINDOWS
from codebook import with_codes
from conftest import lively_net
from export import decode, encode, floats, integers
from learner import Learner, Recipe
from losses import policy_loss, value_loss
from model import UNIT


@pytest.fixture
def arrays():
    """Arrays of a network with at most 40 codes for the windows of `random_batch`."""
    counts = np.zeros(WINDOWS)
    counts[::997] = 1
    return with_codes(integers(lively_net(3)), counts, 40, 1, unit=4)[0]


def learner_of(arrays, batches, **recipe):
    learner = Learner(Recipe(seed=7, **recipe))
    learner.load_weights([copy.deepcopy(floats(arrays, keep_codes=True))] * 4, batches)
    return learner


def test_a_shared_row_learns_from_all_its_windows(arrays, random_batch):
    batch = random_batch(1)
    windows = batch.windows.long()
    shared = learner_of(arrays, [batch])
    net = shared.nets[0]
    assert net.residual.shape == (len(arrays["codes"]), 32)
    row = net.code[windows]
    assert len(row.unique()) < len(windows)
    own = net.residuals(windows).clone().requires_grad_()
    outcome, policy = net(batch, own)
    (value_loss(batch, outcome, 0) + 0.25 * policy_loss(batch, policy)).backward()
    grad = torch.zeros_like(net.residual).index_add_(0, row, own.grad)
    before = net.residual.clone()
    shared.learn(batch, 0.0)
    expected = before - 0.03 * grad / (grad * grad + 1e-9).sqrt()
    torch.testing.assert_close(net.residual, expected, rtol=1e-3, atol=1e-4)
    # Rows of no window of the batch stay.
    others = torch.ones(len(before), dtype=torch.bool)
    others[row] = False
    assert torch.equal(net.residual[others], before[others]) and not torch.equal(net.residual, before)


def test_a_trained_file_keeps_its_codes_and_steps(arrays, random_batch, tmp_path):
    batches = [random_batch(i) for i in range(4)]
    learner = learner_of(arrays, batches, row_step=4, stepped=0.5, residual_rate=0.1)
    net = learner.nets[0]
    for i, batch in enumerate(batches):
        learner.learn(batch, i / 4)
    found = integers(net)
    assert np.array_equal(found["code"], arrays["code"])
    assert (found["codes"] % 4 == 0).all() and (found["codes"] != arrays["codes"]).any()
    assert np.array_equal(found["codes"][found["code"]], found["table"])
    again = decode(encode({number: found for number in range(4)}, level=1))[0]
    assert np.array_equal(again["codes"], found["codes"]) and np.array_equal(again["code"], found["code"])
    # A state keeps them too.
    learner.save(tmp_path / "state.pt")
    loaded = Learner.load(tmp_path / "state.pt")
    assert torch.equal(loaded.nets[0].code, net.code)
    assert torch.equal(loaded.learn(batches[0], 0.9), learner.learn(batches[0], 0.9))


def test_rows_have_their_steps_at_the_end_only(random_batch):
    net = lively_net(1)
    net.row_step = 4
    windows = torch.arange(0, WINDOWS, 997)
    net.residual[windows[0]] = 5
    own = net.residuals(windows)
    fine, coarse = (net.rows(windows, own, step) * UNIT for step in (1, None))
    assert (coarse % 4 == 0).all() and (fine % 4 != 0).any() and (coarse - fine).abs().max() <= 3
    assert fine.max() == 127 and coarse.max() == 124
    seen = []
    learner = Learner(Recipe(row_step=4, stepped=0.3))
    forward = learner.nets[0].forward
    learner.nets[0].forward = lambda *args: (seen.append(args[2]), forward(*args))[1]
    for progress in (0.0, 0.69, 0.7, 0.99):
        learner.learn(random_batch(1), progress)
    assert seen == [1, 1, 4, 4]
    table = integers(learner.nets[0])["table"]
    assert (table % 4 == 0).all() and table.any()
