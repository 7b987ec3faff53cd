import copy
import hashlib

import pytest
import torch

from batches import DamagedStream, read_batch
from conftest import NothingIsAwaited
from export import encode, integers
from learner import FROZEN, Learner, Recipe, StateError
from losses import Metrics, kl_divergence, mixed_points, score_logit, target_points
from teacher_learner import TeacherLearner

RECIPE = Recipe(seed=7)


def learn(learner, batches):
    return [learner.learn(batch, 0.1 * i).tolist() for i, batch in enumerate(batches)]


def test_the_same_seed_gives_the_same_losses_and_file(random_batch):
    def run():
        learner = Learner(RECIPE)
        losses = learn(learner, [random_batch(i, net=i % 4) for i in range(8)])
        digest = hashlib.sha256(encode(dict(enumerate(map(integers, learner.nets))), level=1)).hexdigest()
        return losses, digest

    assert run() == run()


def test_a_run_continues_where_it_was_saved(random_batch, tmp_path):
    batches = [random_batch(i) for i in range(6)]
    whole = Learner(RECIPE)
    expected = learn(whole, batches)
    first = Learner(RECIPE)
    learn(first, batches[:3])
    first.place = {"turn": 1, "lanes": [[5, 0], [4, 2]]}
    first.save(tmp_path / "state.pt")
    second = Learner.load(tmp_path / "state.pt")
    assert (second.recipe, second.positions, second.place) == (RECIPE, 36, first.place)
    rest = [second.learn(batch, 0.1 * (3 + i)).tolist() for i, batch in enumerate(batches[3:])]
    assert rest == expected[3:]
    for key, value in whole.nets[0].state_dict().items():
        assert torch.equal(value, second.nets[0].state_dict()[key]), key


def test_an_asymmetric_loss_favours_the_side_to_move_until_the_bias_is_recalibrated(random_batch):
    batches = [random_batch(i) for i in range(4)]

    def expected(learner):
        net = learner.nets[0].eval()
        logits = [score_logit(net(b, net.residual[b.windows.long()])[0]) for b in batches]
        return torch.cat([torch.sigmoid(x)[b.quiet.bool()] for x, b in zip(logits, batches)])

    def learned(asymmetry):
        learner = Learner(Recipe(seed=7, residual_rate=0, asymmetry=asymmetry))
        learn(learner, batches * 10)
        return learner

    negative, plain = learned(-0.6), learned(0.0)
    positive = learned(0.6)
    assert expected(negative).mean() < expected(plain).mean() < expected(positive).mean()
    target = torch.cat([target_points(b)[1][b.quiet.bool()] for b in batches]).mean()
    positive.recalibrate_bias(batches)
    assert expected(positive).mean().item() == pytest.approx(target.item(), abs=1e-3)


def test_the_bias_is_recalibrated_to_the_targets_from_far_away(random_batch):
    batches = [random_batch(i) for i in range(4)]
    for batch in batches:
        batch.result[::4] = 3
    # As in a net that is sure of everything: there a step of Newton leads far beyond the mean.
    learner = Learner(Recipe(seed=7, result_weight=0.3))
    net = learner.nets[0].eval()
    with torch.no_grad():
        net.skip.zero_()
        net.b3.copy_(torch.tensor([3.0, -5.0, -3.0]))
    learner.recalibrate_bias(batches)

    def mean(values):
        return torch.cat([found[b.quiet.bool()] for found, b in zip(values, batches)]).mean().item()

    logits = [score_logit(net(b, net.residual[b.windows.long()])[0]) for b in batches]
    expected = mean([torch.sigmoid(x) for x in logits])
    assert expected == pytest.approx(mean([mixed_points(b, 0.3) for b in batches]), abs=1e-3)
    # Both parts of the target count: without one the mean is another.
    for weight in (0, 1):
        assert abs(expected - mean([mixed_points(b, weight) for b in batches])) > 3e-3, weight


def test_distillation_keeps_the_policy_while_the_value_is_trained(random_batch, tmp_path):
    batch = random_batch(1)
    before = Learner(RECIPE)
    learn(before, [batch] * 20)
    states = [net.state_dict() for net in before.nets]

    def learned(distill_weight):
        recipe = Recipe(
            seed=8, policy_weight=0, residual_rate=0.003, distill_weight=distill_weight
        )
        learner = Learner(recipe)
        learner.load_weights(copy.deepcopy(states), [batch])
        net = learner.nets[0]
        policy = [net(batch, net.residual[batch.windows.long()])[1].detach()]
        values = [learner.learn(batch, 0.0)[0].item() for _ in range(40)]
        policy.append(net(batch, net.residual[batch.windows.long()])[1])
        assert values[-1] < 0.9 * values[0]
        return learner, kl_divergence(batch, policy[1], policy[0]).item()

    (free, far), (held, near) = learned(0.0), learned(1.0)
    assert 0 < near < 0.2 * far
    # The teachers are part of the state.
    held.save(tmp_path / "state.pt")
    again = Learner.load(tmp_path / "state.pt")
    assert not free.teachers and torch.equal(again.learn(batch, 0.5), held.learn(batch, 0.5))
    for one, other in zip(again.nets[0].parameters(), held.nets[0].parameters()):
        assert torch.equal(one, other)


def test_the_state_of_another_trainer_is_refused(tmp_path):
    Learner(RECIPE).save(tmp_path / "state.pt")
    state = torch.load(tmp_path / "state.pt", weights_only=True)
    state["recipe"]["unknown"] = 1
    torch.save(state, tmp_path / "state.pt")
    with pytest.raises(StateError):
        Learner.load(tmp_path / "state.pt")


@pytest.mark.parametrize("kind", [Learner, TeacherLearner])
@pytest.mark.parametrize("damage", ["empty", "cut", "text", "number"])
def test_a_damaged_state_is_refused(kind, damage, tmp_path):
    path = tmp_path / "state.pt"
    torch.save({} if damage == "cut" else 7, path)
    if damage != "number":
        path.write_bytes({"empty": b"", "cut": path.read_bytes()[:-20], "text": b"not a state"}[damage])
    with pytest.raises(StateError, match="state.pt"):
        kind.load(path)


def test_learning_lowers_the_losses(random_batch):
    learner = Learner(RECIPE)
    batch = random_batch(1)
    losses = [learner.learn(batch, 0.0) for _ in range(60)]
    assert losses[-1][0] < 0.8 * losses[0][0]
    assert losses[-1][1] < 0.8 * losses[0][1]
    # Windows that no batch had keep a residual of zero.
    seen = torch.zeros(199_290, dtype=torch.bool)
    seen[batch.windows.long()] = True
    assert not learner.nets[0].residual[~seen].any() and learner.nets[0].residual[seen].any()
    assert not learner.nets[1].residual.any()


@pytest.mark.parametrize("distill_weight", [0, 1])
def test_nothing_is_awaited_while_learning(random_batch, distill_weight):
    batch = random_batch(1)
    learner = Learner(Recipe(seed=7, result_weight=0.5, distill_weight=distill_weight))
    learner.load_weights(copy.deepcopy([net.state_dict() for net in learner.nets]), [batch])
    # Adam counts its steps beside the GPU.
    learner.optimizers[0].step = lambda: None
    sums = torch.zeros(2)
    with NothingIsAwaited():
        sums += learner.learn(batch, 0.9)
        with pytest.raises(AssertionError, match="waits"):
            sums.sum().item()
    assert sums.sum() > 0


@pytest.mark.parametrize("freeze", FROZEN)
def test_frozen_parameters_do_not_change(random_batch, freeze):
    learner = Learner(Recipe(seed=7, freeze=freeze))
    net, batch = learner.nets[0], random_batch(1)
    net.recentre([batch])
    before = {name: value.clone() for name, value in net.state_dict().items()}
    learn(learner, [batch] * 3)
    after = net.state_dict()
    stay = {name for name, value in before.items() if torch.equal(value, after[name])}
    expected = set(FROZEN[freeze])
    if expected:
        expected |= {"centre", "averaged"}
    assert ("residual" in expected) == (freeze in ("tables", "value"))
    assert stay == expected


def test_measuring_counts_ranks_and_changes_nothing(random_batch):
    batch = random_batch(2)
    learner = Learner(RECIPE)
    torch.nn.init.zeros_(learner.nets[0].w3)
    before = {k: v.clone() for k, v in learner.nets[0].state_dict().items()}
    metrics = learner.measure([batch])[0]
    assert all(torch.equal(v, before[k]) for k, v in learner.nets[0].state_dict().items())
    means = metrics.means()
    # Without a last layer the network is the classical evaluation, except for a few draws.
    assert means["value"] == pytest.approx(means["classical value"], abs=0.02)
    assert means["policy"] == pytest.approx(means["classical policy"], abs=1e-5)
    first = 0
    for sample in range(len(batch)):
        begin, end = batch.candidate_from[sample : sample + 2].tolist()
        if end > begin:
            best = batch.classical_policy[begin:end].argmax()
            first += int(begin + best == batch.played[sample])
    assert (metrics.top_1, metrics.moves) == (first, 9)
    assert metrics.bins[:, 0].sum() == metrics.values == int(batch.quiet.sum())
    assert Metrics().means()["positions"] == 0


def test_a_damaged_stream_is_refused(tmp_path):
    path = tmp_path / "stream"

    def read(data):
        path.write_bytes(data)
        with path.open("rb") as stream:
            return read_batch(stream)

    assert read(b"") is None
    head = b"TGB3" + b"\1\0\0\0" * 10
    for data in (b"TGB3", b"XXXX" + head[4:], head, head + bytes(40)):
        with pytest.raises(DamagedStream):
            read(data)
