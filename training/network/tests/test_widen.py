"""Networks that start from narrower ones."""

import random

import numpy as np
import pytest
import torch

import reference
import vectors
from conftest import coded_arrays
from export import floats, integers, widths_of
from learner import Learner, Recipe
from model import Net
from widen import WidthError, run_widths, widened


def outputs(network, grid, side):
    """The value and all policy logits of a position, in integers, and the hidden activations."""
    activations = reference.features(reference.sums(network, grid, side))
    inputs = reference.inputs(activations, grid)
    first, second, logits = reference.layers(network, inputs)
    weights = reference.policy_weights(network, inputs)
    moves = [reference.policy_logit(network, weights, cell, 100) for row in activations for cell in row]
    return reference.value(network, logits, 50), moves, (first, second)


@pytest.mark.parametrize("channels, hidden", [(64, 96), (32, 64), (128, 32)])
def test_a_widened_network_computes_what_the_narrow_one_does(channels, hidden):
    narrow, net = coded_arrays(3), Net(9, channels, hidden)
    net.load(widened(floats(narrow, keep_codes=True), net, 5))
    wide = integers(net)
    assert widths_of(wide) == (channels, hidden, hidden)
    assert np.array_equal(wide["code"], narrow["code"]) and wide["codes"].shape == (60, channels)
    rng, values, new = random.Random(1), set(), []
    for width, height, side in ((15, 15, "X"), (7, 11, "O"), (9, 9, "X"), (6, 6, "O")):
        grid = vectors.position(rng, width, height)
        (value, moves, _), (wide_value, wide_moves, layers) = (outputs(n, grid, side) for n in (narrow, wide))
        assert (value, moves) == (wide_value, wide_moves)
        values |= {value, *moves}
        new.append(np.concatenate([layer[32:] for layer in layers]))
    assert len(values) > 50
    # Further channels and outputs differ from all others and from one position to the next.
    assert len(np.unique(wide["codes"], axis=1).T) == channels
    mixed = wide["codes"][:, 32:].astype(float)
    assert (np.abs(mixed.std(0) / narrow["codes"].std() - 1) < 0.6).all()
    assert hidden == 32 or (np.std(new, axis=0) > 0).mean() > 0.3


def test_networks_with_the_same_rows_still_have_the_same():
    coded = coded_arrays(3)
    tables = []
    for seed, keep in ((4, True), (8, False)):
        net = Net(seed, 64)
        net.load(widened(floats(coded, keep), net, 5))
        tables.append(integers(net)["table"])
    assert np.array_equal(*tables) and np.array_equal(tables[0][:, :32], coded["table"])
    net.load(widened(floats(coded, True), net, 6))
    assert not np.array_equal(integers(net)["table"], tables[0])


def test_a_wider_learner_starts_where_a_narrow_one_does_and_learns_with_all_its_parts(random_batch):
    batches, state = [random_batch(i) for i in range(5)], floats(coded_arrays(3), keep_codes=True)
    learners = [Learner(Recipe(seed=7)), Learner(Recipe(seed=7, channels=64, hidden=64))]
    for learner in learners:
        learner.load_weights([state, None], batches)
    narrow, wide = (learner.nets[0] for learner in learners)
    assert wide.centre.view(10, 64)[:, 32:].any()
    windows = batches[0].windows.long()
    found = [net(batches[0], net.residuals(windows)) for net in (narrow, wide)]
    for one, other in zip(*found):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
    # The inputs of further outputs are centred, so that none is without effect everywhere.
    torch.testing.assert_close(wide.b1[32:], torch.ones(32), rtol=0, atol=0.05)
    before = {name: value.clone() for name, value in wide.state_dict().items()}
    for batch in batches[:3]:
        learners[1].learn(batch, 0.0)
    changed = {name: value != before[name] for name, value in wide.state_dict().items()}
    assert changed["residual"][:, 32:].any(0).all()
    assert changed["w1"].view(10, 64, 64)[:, 32:].any((0, 2)).all()
    for name in ("w2", "w3", "policy_w2"):
        assert changed[name][32:].any(), name
    for name in ("w1", "policy_w1"):
        assert changed[name][:, 32:].any(), name
    assert changed["policy_b2"][32:].any()


def test_a_run_has_the_widths_asked_for_or_those_it_starts_from():
    assert run_widths([]) == (32, 32)
    assert run_widths([], 96) == (96, 32)
    assert run_widths([(64, 32, 32), (32, 96, 96)]) == (64, 96)
    assert run_widths([(64, 32, 32)], hidden=64) == (64, 64)
    for start, asked in (((64, 32, 32), (32, 32)), ((32, 64, 64), (None, 32)), ((32, 64, 96), (128, 128))):
        with pytest.raises(WidthError):
            run_widths([start], *asked)


def test_new_networks_have_first_weights_of_the_size_of_their_layers():
    # Those of a seed must not change where no widths are asked for: runs would not be made again.
    first, random = Net(3), torch.Generator().manual_seed(3)
    for name, shape, std in (("arms", (1092, 32), 0.1), ("w1", (320, 32), 0.06), ("w2", (32, 32), 0.25),
                             ("w3", (32, 3), 0.2), ("policy_w1", (320, 32), 0.05)):
        drawn = torch.randn(*shape, generator=random) * std
        assert torch.equal(getattr(first, name), drawn + 0.02 if name == "arms" else drawn), name
    net = Net(3, 128, 64)
    assert net.w1.std().item() == pytest.approx(0.03, rel=0.05)
    assert net.w2.std().item() == pytest.approx(0.25 / 2**0.5, rel=0.1)
    assert net.policy_w1.shape == (1280, 64) and net.policy_w2.shape == (64, 128)
