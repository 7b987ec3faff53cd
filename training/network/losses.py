"""The losses, and how well a network predicts held-out games."""

from dataclasses import dataclass, field

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from batches import candidate_samples

LN2 = 0.6931471805599453
#: Result of a won game; larger ones are unknown.
WON = 2
#: Bins of the calibration plot.
BINS = 10


def score_logit(outcome):
    """Logit of the expected points (win + draw / 2) of logits [S, 3]."""
    draw = outcome[:, 1] - LN2
    return torch.logaddexp(outcome[:, 0], draw) - torch.logaddexp(outcome[:, 2], draw)


def target_points(batch):
    """Points of the side to move, 0 to 1: by the game's result, and by the search's value, which
    also replaces the result of a branch."""
    searched = (batch.searched.float() / 127 + 1) / 2
    return torch.where(batch.result <= WON, batch.result.float() / 2, searched), searched


def mixed_points(batch, result_weight):
    """The expected points, f32[S], that the value is taught: the result's with this weight, the search's
    with the rest."""
    result, searched = target_points(batch)
    return result_weight * result + (1 - result_weight) * searched


def value_loss(batch, outcome, result_weight, asymmetry=0.0):
    """Mean loss of the value over the quiet positions: cross-entropy with the result (win, draw,
    loss), weighted by `result_weight`, and with the search's expected points, by the rest.

    The part of the search counts `1 + asymmetry` times where the network expects fewer points for the
    side to move than the search, `1 - asymmetry` times where the network expects more. A search chooses
    the last move among many, so its misjudged positions mostly favour the side that has just
    moved. A positive asymmetry counters this: uncertain positions become better for the side to move.
    """
    quiet = batch.quiet.float()
    _, searched = target_points(batch)
    # A branch has no result.
    result_weight = result_weight * (batch.result <= WON).float()
    by_result = cross_entropy(outcome, (WON - batch.result.long()).clamp(min=0), reduction="none")
    logit = score_logit(outcome)
    by_search = binary_cross_entropy_with_logits(logit, searched, reduction="none")
    factor = 1 + asymmetry * torch.sign(searched - torch.sigmoid(logit)).detach()
    losses = result_weight * by_result + (1 - result_weight) * factor * by_search
    return (losses * quiet).sum() / quiet.sum().clamp(min=1)


def mean_bias(outcome, points):
    """The shift of the value's logit that gives the expected points of the logits [S, 3] the mean of
    `points`, f32[S], to first order."""
    expected = torch.sigmoid(score_logit(outcome))
    return (points - expected).sum() / (expected * (1 - expected)).sum().clamp(min=1e-9)


def log_probabilities(batch, policy):
    """Log-softmax of the logits f32[K] of the candidates over those of their sample."""
    sample = candidate_samples(batch)
    largest = torch.full((len(batch),), -torch.inf, device=policy.device)
    largest = largest.scatter_reduce(0, sample, policy.detach(), "amax")
    lowered = policy - largest.index_select(0, sample)
    sums = torch.zeros(len(batch), device=policy.device).scatter_add(0, sample, lowered.exp())
    return lowered - sums.log().index_select(0, sample)


def policy_loss(batch, policy):
    """Mean cross-entropy over the samples with a move played."""
    if len(policy) == 0:
        return policy.sum()
    logs = log_probabilities(batch, policy)
    # Without a mask's index, whose length CUDA would have to tell first.
    has_move = (batch.played >= 0).float()
    played = logs.index_select(0, batch.played.clamp(min=0).long())
    return -(played * has_move).sum() / has_move.sum().clamp(min=1)


def kl_divergence(batch, policy, teacher_policy):
    """Mean over the samples of the Kullback-Leibler divergence of `policy` from `teacher_policy`,
    logits f32[K] each; 0 where they agree."""
    teacher, student = log_probabilities(batch, teacher_policy), log_probabilities(batch, policy)
    return (teacher.exp() * (teacher - student)).sum() / len(batch)


def calibrated_entropy(logit, points):
    """The mean cross-entropy of `points` with the expected points of the logits, f32[S] each, times a factor
    plus a summand that make it least: networks that were taught other targets differ in these two."""
    logit, points = logit.double(), points.double()
    factor, summand = torch.ones((), dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    fit = torch.optim.LBFGS([factor, summand], max_iter=100, line_search_fn="strong_wolfe")
    factor.requires_grad_()
    summand.requires_grad_()

    def loss():
        fit.zero_grad()
        entropy = binary_cross_entropy_with_logits(factor * logit + summand, points)
        entropy.backward()
        return entropy

    fit.step(loss)
    return loss().item()


@dataclass
class Ruler:
    """What a network says of quiet positions of games whose branches were searched deeply."""

    #: f32 [4, S] each: the network's logit, the classical one, points by the search and by the result
    branches: list = field(default_factory=list)
    games: list = field(default_factory=list)

    def add(self, batch, outcome):
        """Adds a batch."""
        quiet = batch.quiet.bool()
        result, searched = target_points(batch)
        rows = torch.stack([score_logit(outcome), batch.classical.float() / 200, searched, result])
        is_game = batch.result <= WON
        self.branches.append(rows[:, quiet & ~is_game].cpu())
        self.games.append(rows[:, quiet & is_game].cpu())

    def means(self):
        """Cross-entropies by name: of branches with their searches, of games with their results. Empty
        without branches or without games."""
        if not all(rows and torch.cat(rows, 1).numel() for rows in (self.branches, self.games)):
            return {}
        logit, classical, points, _ = torch.cat(self.branches, 1)
        own, classical_own, _, result = torch.cat(self.games, 1)
        floor = torch.logit(points, eps=1e-7)
        return {
            "branches": len(points),
            "search": calibrated_entropy(logit, points),
            "classical search": calibrated_entropy(classical, points),
            "least possible": binary_cross_entropy_with_logits(floor, points).item(),
            "games": len(result),
            "result": calibrated_entropy(own, result),
            "classical result": calibrated_entropy(classical_own, result),
        }


@dataclass
class Metrics:
    """Sums over held-out positions of one network."""

    values: int = 0
    value: float = 0.0
    classical: float = 0.0
    floor: float = 0.0
    decided: int = 0
    agreeing: int = 0
    classical_agreeing: int = 0
    moves: int = 0
    policy: float = 0.0
    classical_policy: float = 0.0
    top_1: int = 0
    top_3: int = 0
    #: [BINS, 4] positions, predictions, results and search values by predicted tenths
    bins: torch.Tensor = field(default_factory=lambda: torch.zeros(BINS, 4, dtype=torch.float64))

    def add(self, batch, outcome, policy, result_weight):
        """Adds a batch."""
        quiet = batch.quiet.bool()
        result, searched = (p[quiet] for p in target_points(batch))
        target = mixed_points(batch, result_weight)[quiet]
        logit = score_logit(outcome)[quiet]
        classical = batch.classical[quiet].float() / 200

        def entropy(x):
            return binary_cross_entropy_with_logits(x, target, reduction="sum").item()

        self.values += len(target)
        self.value += entropy(logit)
        self.classical += entropy(classical)
        self.floor += entropy(torch.logit(target, eps=1e-7))
        decided = ((batch.result == 0) | (batch.result == WON))[quiet]
        won = result[decided] > 0.5
        self.decided += len(won)
        self.agreeing += ((logit[decided] > 0) == won).sum().item()
        self.classical_agreeing += ((classical[decided] > 0) == won).sum().item()
        predicted = torch.sigmoid(logit)
        place = (predicted * BINS).long().clamp(max=BINS - 1)
        columns = [torch.ones_like(predicted), predicted, result, searched]
        self.bins.index_add_(0, place.cpu(), torch.stack(columns, 1).double().cpu())
        self._add_moves(batch, policy)

    def _add_moves(self, batch, policy):
        played = batch.played[batch.played >= 0].long()
        if len(played) == 0:
            return
        logs = log_probabilities(batch, policy)
        classical_logs = log_probabilities(batch, batch.classical_policy.float() / 256)
        sample = candidate_samples(batch)
        played_log = torch.full((len(batch),), torch.inf, device=logs.device)
        played_log[sample[played]] = logs[played]
        # Between equal logits the engine takes the first point, and candidates are in that order.
        played_index = torch.full((len(batch),), -1, device=logs.device)
        played_index[sample[played]] = played
        index = torch.arange(len(logs), device=logs.device)
        is_better = (logs > played_log[sample]) | (
            (logs == played_log[sample]) & (index < played_index[sample])
        )
        ranks = torch.zeros(len(batch), device=logs.device).scatter_add(0, sample, is_better.float())
        ranks = ranks[sample[played]]
        self.moves += len(played)
        self.policy -= logs[played].sum().item()
        self.classical_policy -= classical_logs[played].sum().item()
        self.top_1 += (ranks == 0).sum().item()
        self.top_3 += (ranks < 3).sum().item()

    def means(self):
        """The losses and rates by name."""
        n, d, m = max(self.values, 1), max(self.decided, 1), max(self.moves, 1)
        return {
            "positions": self.values,
            "value": self.value / n,
            "classical value": self.classical / n,
            "least possible": self.floor / n,
            "sign": self.agreeing / d,
            "classical sign": self.classical_agreeing / d,
            "policy": self.policy / m,
            "classical policy": self.classical_policy / m,
            "top 1": self.top_1 / m,
            "top 3": self.top_3 / m,
        }
