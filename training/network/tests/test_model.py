import pytest
import torch

from conftest import lively_net
from losses import Metrics, log_probabilities, policy_loss, score_logit, value_loss
from model import TOP, Net, split_windows
from sums import BoardSums


def plain_sums(rows, batch):
    """The result of BoardSums, computed sample by sample and state by state."""
    features = rows[batch.state_windows.long()].sum(1).clamp(0, TOP)
    sums = torch.zeros(len(batch), 9, rows.shape[1], dtype=rows.dtype)
    for state in range(len(features)):
        region = int(batch.enter[state]) % 9
        for sample in range(int(batch.enter[state]) // 9, int(batch.leave[state]) // 9):
            sums[sample, region] = sums[sample, region] + features[state]
    return sums, features


def test_sums_and_gradients_are_those_of_plain_loops(random_batch):
    batch = random_batch(1)
    torch.manual_seed(2)
    start = torch.randn(len(batch.windows), 5) * 0.3
    found = []
    for function in (plain_sums, lambda r, b: BoardSums.apply(r, b, TOP)):
        rows = start.clone().requires_grad_()
        sums, features = function(rows, batch)
        loss = (sums * torch.linspace(-1, 1, sums.numel()).view_as(sums)).sum()
        (loss + (features**2).sum()).backward()
        found.append([sums.detach(), features.detach(), rows.grad])
    for plain, fast in zip(*found):
        torch.testing.assert_close(fast, plain, rtol=1e-4, atol=1e-4)
    assert (found[0][2].abs() > 0).float().mean() > 0.3


def test_a_new_centre_changes_no_output(random_batch):
    batch = random_batch(6)
    net = Net(2).eval()
    residual = net.residual[batch.windows.long()]
    before = net(batch, residual)
    net.recentre([random_batch(7), batch])
    assert net.centre.abs().max() > 0.1
    for one, other in zip(before, net(batch, residual)):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def test_window_numbers_are_split_into_their_parts():
    low, high, centre = split_windows(torch.arange(199_290))
    assert torch.equal((high * (high + 1) // 2 + low) * 3 + centre, torch.arange(199_290))
    assert (low <= high).all() and int(high.max()) == 363 and int(low.min()) == 0


def test_without_a_last_layer_the_network_is_the_classical_evaluation(random_batch):
    batch = random_batch(3)
    net = Net(1)
    torch.nn.init.zeros_(net.w3)
    outcome, policy = net(batch, net.residual[batch.windows.long()])
    classical = batch.classical.float() / 200
    torch.testing.assert_close(outcome[:, 0] - outcome[:, 2], classical)
    torch.testing.assert_close(policy, batch.classical_policy.float() / 256)
    expected = torch.softmax(outcome, 1) @ torch.tensor([1.0, 0.5, 0.0])
    torch.testing.assert_close(torch.sigmoid(score_logit(outcome)), expected)


def test_losses_are_those_of_the_definition(random_batch):
    batch = random_batch(4)
    torch.manual_seed(1)
    outcome, policy = torch.randn(12, 3), torch.randn(len(batch.candidate_states)) * 50
    total, count = 0.0, 0
    for sample in range(12):
        if batch.quiet[sample]:
            probabilities = torch.softmax(outcome[sample], 0)
            p = probabilities[0] + probabilities[1] / 2
            searched = (batch.searched[sample] / 127 + 1) / 2
            by_search = searched * p.log() + (1 - searched) * (1 - p).log()
            total -= 0.3 * probabilities[2 - batch.result[sample]].log() + 0.7 * by_search
            count += 1
    torch.testing.assert_close(value_loss(batch, outcome, 0.3), total / count)
    logs = log_probabilities(batch, policy)
    total, count = 0.0, 0
    for sample in range(12):
        begin, end = batch.candidate_from[sample : sample + 2].tolist()
        plain = torch.log_softmax(policy[begin:end], 0)
        torch.testing.assert_close(logs[begin:end], plain)
        if end > begin:
            total -= plain[int(batch.played[sample]) - begin]
            count += 1
    torch.testing.assert_close(policy_loss(batch, policy), total / count)


def test_an_asymmetry_favours_uncertain_positions(random_batch):
    batch = random_batch(4)
    batch.result[::4] = 3
    torch.manual_seed(1)
    outcome = torch.randn(12, 3)
    by_definition, entropies, count = 0.0, 0.0, 0
    for sample in range(12):
        if batch.quiet[sample]:
            chances = torch.softmax(outcome[sample], 0)
            p = chances[0] + chances[1] / 2

            def entropy(points):
                return -points * p.log() - (1 - points) * (1 - p).log()

            points = (batch.searched[sample] / 127 + 1) / 2
            loss = (1.4 if points > p else 0.6) * entropy(points)
            if batch.result[sample] <= 2:
                points = 0.3 * batch.result[sample] / 2 + 0.7 * points
                loss = -0.3 * chances[2 - batch.result[sample]].log() + 0.7 * loss
            by_definition += loss
            entropies += entropy(points)
            count += 1
    torch.testing.assert_close(value_loss(batch, outcome, 0.3, 0.4), by_definition / count)
    metrics = Metrics()
    metrics.add(batch, outcome, torch.randn(len(batch.candidate_states)), 0.3)
    assert metrics.values == count and metrics.value == pytest.approx(entropies.item(), rel=1e-5)


def test_a_branch_has_the_search_value_as_its_only_target(random_batch):
    batch = random_batch(4)
    torch.manual_seed(1)
    outcome = torch.randn(12, 3)
    by_search = value_loss(batch, outcome, 0)
    batch.result[:] = 3
    torch.testing.assert_close(value_loss(batch, outcome, 0.7), by_search)
    metrics = Metrics()
    metrics.add(batch, outcome, torch.randn(len(batch.candidate_states)), 0.7)
    assert metrics.decided == 0
    assert metrics.value / metrics.values == pytest.approx(by_search.item(), rel=1e-5)


def test_the_first_samples_of_a_batch_are_as_in_the_whole_batch(random_batch):
    batch = random_batch(8)
    net = lively_net(1)
    residual = net.residual[batch.windows.long()].requires_grad_()
    outcome, policy = net(batch, residual)
    assert batch.first(12) is batch.first(99) is batch
    for count in (1, 7, 11):
        part = batch.first(count)
        assert len(part) == count == len(part.candidate_from) - 1
        part_outcome, part_policy = net(part, residual)
        torch.testing.assert_close(part_outcome, outcome[:count])
        torch.testing.assert_close(part_policy, policy[: int(batch.candidate_from[count])])
        (grad,) = torch.autograd.grad(part_outcome.sum(), residual, retain_graph=True)
        (expected,) = torch.autograd.grad(outcome[:count].sum(), residual, retain_graph=True)
        torch.testing.assert_close(grad, expected, rtol=1e-4, atol=1e-5)
