"""What is learned, and how well a network predicts held-out games."""

from dataclasses import dataclass, field

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from batches import choice_samples

LN2 = 0.6931471805599453
#: Result of a game won; larger ones are none.
WON = 2
BINS = 10


def score_logit(outcome):
    """Logit of the expected points (win + draw / 2) of logits [S, 3]."""
    draw = outcome[:, 1] - LN2
    return torch.logaddexp(outcome[:, 0], draw) - torch.logaddexp(outcome[:, 2], draw)


def points(batch):
    """Points of the side to move: by the result, and as the search expected, which also stands in
    for the result of a branch."""
    searched = (batch.searched.float() / 127 + 1) / 2
    return torch.where(batch.result <= WON, batch.result.float() / 2, searched), searched


def value_loss(batch, outcome, lam, wary=0.0):
    """Mean over the quiet positions: `lam` parts the result as win, draw or loss, the rest the
    search's value as expected points.

    That counts `1 + wary` times where too little is expected of the side to move, `1 - wary` times
    where too much is. Who made the last move has chosen it among many, so of the positions that are
    misjudged a search comes upon those that promise him too much; where a network cannot know, it
    had better lean to the other side.
    """
    quiet = batch.quiet.float()
    _, searched = points(batch)
    # A branch has no result.
    lam = lam * (batch.result <= WON).float()
    by_result = cross_entropy(outcome, (WON - batch.result.long()).clamp(min=0), reduction="none")
    logit = score_logit(outcome)
    by_search = binary_cross_entropy_with_logits(logit, searched, reduction="none")
    too_little = torch.sign(searched - torch.sigmoid(logit)).detach()
    by_search = (1 + wary * too_little) * by_search
    losses = lam * by_result + (1 - lam) * by_search
    return (losses * quiet).sum() / quiet.sum().clamp(min=1)


def lean(outcome, searched):
    """By what the logit of the expected points of the logits [S, 3] would have to rise, to first order,
    for their mean to be that of the search's values, f32[S]."""
    expected = torch.sigmoid(score_logit(outcome))
    return (searched - expected).sum() / (expected * (1 - expected)).sum().clamp(min=1e-9)


def log_chances(batch, promises):
    """Logarithm of the chance of each choice among its sample's."""
    sample = choice_samples(batch)
    most = torch.full((len(batch),), -torch.inf, device=promises.device)
    most = most.scatter_reduce(0, sample, promises.detach(), "amax")
    lowered = promises - most.index_select(0, sample)
    sums = torch.zeros(len(batch), device=promises.device).scatter_add(0, sample, lowered.exp())
    return lowered - sums.log().index_select(0, sample)


def move_loss(batch, promises):
    """Mean cross-entropy of the moves played, over the samples with a choice."""
    chosen = batch.chosen[batch.chosen >= 0].long()
    if len(chosen) == 0:
        return promises.sum() * 0
    return -log_chances(batch, promises).index_select(0, chosen).mean()


def divergence(batch, promises, others):
    """Mean over the samples of the Kullback-Leibler divergence of the chances that `promises` give
    the choices from those that `others` give them, f32[K] each: 0 where they agree."""
    before, now = log_chances(batch, others), log_chances(batch, promises)
    return (before.exp() * (before - now)).sum() / len(batch)


@dataclass
class Tally:
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
    first: int = 0
    among_three: int = 0
    #: [BINS, 4] positions, predictions, results and search values by predicted tenths
    bins: torch.Tensor = field(default_factory=lambda: torch.zeros(BINS, 4, dtype=torch.float64))

    def add(self, batch, outcome, promises, lam):
        """Counts a batch."""
        quiet = batch.quiet.bool()
        result, searched = (p[quiet] for p in points(batch))
        target = lam * result + (1 - lam) * searched
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
        chance = torch.sigmoid(logit)
        place = (chance * BINS).long().clamp(max=BINS - 1)
        self.bins.index_add_(
            0, place.cpu(), torch.stack([torch.ones_like(chance), chance, result, searched], 1).double().cpu()
        )
        self._add_moves(batch, promises)

    def _add_moves(self, batch, promises):
        chosen = batch.chosen[batch.chosen >= 0].long()
        if len(chosen) == 0:
            return
        logs = log_chances(batch, promises)
        plain = log_chances(batch, batch.choice_orders.float() / 256)
        sample = choice_samples(batch)
        best = torch.full((len(batch),), torch.inf, device=logs.device)
        best[sample[chosen]] = logs[chosen]
        # Equal promises: the engine takes the first point, as the choices are ordered.
        earlier = torch.full((len(batch),), -1, device=logs.device)
        earlier[sample[chosen]] = chosen
        index = torch.arange(len(logs), device=logs.device)
        ahead = (logs > best[sample]) | ((logs == best[sample]) & (index < earlier[sample]))
        ranks = torch.zeros(len(batch), device=logs.device).scatter_add(0, sample, ahead.float())
        ranks = ranks[sample[chosen]]
        self.moves += len(chosen)
        self.policy -= logs[chosen].sum().item()
        self.classical_policy -= plain[chosen].sum().item()
        self.first += (ranks == 0).sum().item()
        self.among_three += (ranks < 3).sum().item()

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
            "top 1": self.first / m,
            "top 3": self.among_three / m,
        }
