import copy
import hashlib

import pytest
import torch

from batches import DamagedStream, read_batch
from export import encode, integers
from learner import KEPT, Learner, Recipe
from losses import Tally, divergence, points, score_logit

RECIPE = Recipe(seed=7)


def learn(learner, batches):
    return [learner.learn(batch, 0.1 * i) for i, batch in enumerate(batches)]


def test_the_same_seed_gives_the_same_losses_and_file(random_batch):
    def run():
        learner = Learner(RECIPE)
        losses = learn(learner, [random_batch(i, net=i % 4) for i in range(8)])
        digest = hashlib.sha256(encode([integers(net) for net in learner.nets], level=1)).hexdigest()
        return losses, digest

    assert run() == run()


def test_a_run_goes_on_where_it_was_saved(random_batch, tmp_path):
    batches = [random_batch(i) for i in range(6)]
    whole = Learner(RECIPE)
    expected = learn(whole, batches)
    first = Learner(RECIPE)
    learn(first, batches[:3])
    first.next_block = 5
    first.save(tmp_path / "state.pt")
    second = Learner.load(tmp_path / "state.pt")
    assert (second.recipe, second.positions, second.next_block) == (RECIPE, 36, 5)
    rest = [second.learn(batch, 0.1 * (3 + i)) for i, batch in enumerate(batches[3:])]
    assert rest == expected[3:]
    for key, value in whole.nets[0].state_dict().items():
        assert torch.equal(value, second.nets[0].state_dict()[key]), key


def test_a_wary_network_leans_to_the_side_to_move_until_it_is_straightened(random_batch):
    batches = [random_batch(i) for i in range(4)]

    def expected(learner):
        net = learner.nets[0].eval()
        logits = [score_logit(net(b, net.rest[b.windows.long()])[0]) for b in batches]
        return torch.cat([torch.sigmoid(x)[b.quiet.bool()] for x, b in zip(logits, batches)])

    def learned(wary):
        learner = Learner(Recipe(seed=7, rest_rate=0, wary=wary))
        learn(learner, batches * 10)
        return learner

    hopeful, plain = learned(-0.6), learned(0.0)
    wary = learned(0.6)
    assert expected(hopeful).mean() < expected(plain).mean() < expected(wary).mean()
    target = torch.cat([points(b)[1][b.quiet.bool()] for b in batches]).mean()
    wary.straighten(batches)
    assert expected(wary).mean().item() == pytest.approx(target.item(), abs=1e-3)


def test_a_faithful_network_learns_values_and_keeps_its_promises(random_batch, tmp_path):
    batch = random_batch(1)
    before = Learner(RECIPE)
    learn(before, [batch] * 20)
    states = [net.state_dict() for net in before.nets]

    def learned(faithful):
        learner = Learner(Recipe(seed=8, policy=0, rest_rate=0.003, faithful=faithful))
        learner.take_up(copy.deepcopy(states), [batch])
        net = learner.nets[0]
        promises = [net(batch, net.rest[batch.windows.long()])[1].detach()]
        values = [learner.learn(batch, 0.0)[0] for _ in range(40)]
        promises.append(net(batch, net.rest[batch.windows.long()])[1])
        assert values[-1] < 0.9 * values[0]
        return learner, divergence(batch, promises[1], promises[0]).item()

    (free, far), (held, near) = learned(0.0), learned(1.0)
    assert 0 < near < 0.2 * far
    # The networks that it began with are part of its state.
    held.save(tmp_path / "state.pt")
    again = Learner.load(tmp_path / "state.pt")
    assert not free.teachers and again.learn(batch, 0.5) == held.learn(batch, 0.5)
    for one, other in zip(again.nets[0].parameters(), held.nets[0].parameters()):
        assert torch.equal(one, other)
    # A state of before there were such networks is taken up as well.
    state = torch.load(tmp_path / "state.pt", weights_only=True)
    del state["teachers"], state["recipe"]["faithful"]
    torch.save(state, tmp_path / "old.pt")
    assert not Learner.load(tmp_path / "old.pt").teachers


def test_learning_lowers_the_losses(random_batch):
    learner = Learner(RECIPE)
    batch = random_batch(1)
    losses = [learner.learn(batch, 0.0) for _ in range(60)]
    assert losses[-1][0] < 0.8 * losses[0][0]
    assert losses[-1][1] < 0.8 * losses[0][1]
    # Windows that no batch had keep a rest of zero.
    seen = torch.zeros(199_290, dtype=torch.bool)
    seen[batch.windows.long()] = True
    assert not learner.nets[0].rest[~seen].any() and learner.nets[0].rest[seen].any()
    assert not learner.nets[1].rest.any()


@pytest.mark.parametrize("keep", KEPT)
def test_what_is_kept_stays(random_batch, keep):
    learner = Learner(Recipe(seed=7, keep=keep))
    net, batch = learner.nets[0], random_batch(1)
    net.recentre([batch])
    before = {name: value.clone() for name, value in net.state_dict().items()}
    learn(learner, [batch] * 3)
    after = net.state_dict()
    stay = {name for name, value in before.items() if torch.equal(value, after[name])}
    expected = set(KEPT[keep])
    if expected:
        expected |= {"centre", "averaged"}
    assert ("rest" in expected) == (keep in ("tables", "value"))
    assert stay == expected


def test_measuring_counts_ranks_and_changes_nothing(random_batch):
    batch = random_batch(2)
    learner = Learner(RECIPE)
    torch.nn.init.zeros_(learner.nets[0].w3)
    before = {k: v.clone() for k, v in learner.nets[0].state_dict().items()}
    tally = learner.measure([batch])[0]
    assert all(torch.equal(v, before[k]) for k, v in learner.nets[0].state_dict().items())
    means = tally.means()
    # Without a last layer the network is the classical evaluation, but for some draws.
    assert means["value"] == pytest.approx(means["classical value"], abs=0.02)
    assert means["policy"] == pytest.approx(means["classical policy"], abs=1e-5)
    first = 0
    for sample in range(len(batch)):
        begin, end = batch.choice_from[sample : sample + 2].tolist()
        if end > begin:
            best = batch.choice_orders[begin:end].argmax()
            first += int(begin + best == batch.chosen[sample])
    assert (tally.first, tally.moves) == (first, 9)
    assert tally.bins[:, 0].sum() == tally.values == int(batch.quiet.sum())
    assert Tally().means()["positions"] == 0


def test_a_damaged_stream_is_refused(tmp_path):
    path = tmp_path / "stream"

    def read(data):
        path.write_bytes(data)
        with path.open("rb") as stream:
            return read_batch(stream)

    assert read(b"") is None
    head = b"TGB2" + b"\1\0\0\0" * 9
    for data in (b"TGB2", b"XXXX" + head[4:], head, head + bytes(40)):
        with pytest.raises(DamagedStream):
            read(data)
