"""The network, as floats that stand for the engine's integers.

A cell's features are the sum of four table rows, one for the line window in each direction, then a
clipped ReLU. Their sums over the board and its nine regions go through two small layers to win,
draw and loss; the classical evaluation is added there, so that only what it misses is to be
learned. A move's promise is a product of its cell's features with weights that a layer of its own
makes of the same sums, so that they depend on the position; it is added to the classical one.

Source of the idea of line-window tables: "Rapfi: Distilling Efficient Neural Network for the Game
of Gomoku", arXiv 2503.13178. Weights of moves that depend on the position are in Rapfi's later
networks as well.
"""

import torch
from torch import nn
from torch.nn.functional import embedding

from batches import WINDOWS, choice_samples
from sums import BoardSums

CHANNELS = 32
HIDDEN = 32
ARMS = 364
#: Integers to 1.0 of rows and activations.
UNIT = 128
#: Largest activation: what 127 stands for.
TOP = 127 / UNIT
#: Largest activation of the hidden layers: what 2047 stands for. A narrow clip here leaves most
#: units at a bound, where they learn nothing.
HIDDEN_TOP = 2047 / UNIT
#: Whole-board and region sums are scaled by these over the number of cells: the plain mean would
#: starve the layers behind.
GLOBAL_SCALE = 16
REGION_SCALE = 64
#: Classical evaluation and promise that make a factor e.
LOGIT = 200
MOVE_LOGIT = 256
#: Largest weights, so that they fit 16 bits and their accumulators 32.
MAX_WEIGHTS = {
    "w1": 1.9, "w2": 15.0, "w3": 15.0, "mode_weights": 1.9, "move_modes": 15.0, "move_weights": 100.0
}


#: Batches over which the centre of the first layer's inputs is averaged.
CENTRE_BATCHES = 100


class _Round(torch.autograd.Function):
    """Rounds to multiples of 1/steps; the gradient passes as if it did not."""

    @staticmethod
    def forward(ctx, x, steps):
        return (x * steps).round_().div_(steps)

    @staticmethod
    def backward(ctx, grad):
        return grad, None


def split_windows(windows):
    """Numbers of the shorter-numbered arm, the other arm and the centre of each window."""
    centre = windows % 3
    pair = torch.div(windows, 3, rounding_mode="floor")
    high = ((torch.sqrt(8.0 * pair.double() + 1) - 1) / 2).long()
    high = high - (high * (high + 1) // 2 > pair).long()
    high = high + ((high + 1) * (high + 2) // 2 <= pair).long()
    low = pair - high * (high + 1) // 2
    return low, high, centre


class Net(nn.Module):
    """The network of one rule (in renju, of one colour)."""

    def __init__(self, seed):
        super().__init__()
        random = torch.Generator().manual_seed(seed)

        def normal(*shape, std):
            return torch.randn(*shape, generator=random) * std

        # A row is the sum of parts for its two arms, each together with the centre, and a rest of
        # its own: a window that was hardly ever seen is worth the sum of its arms.
        self.arms = nn.Parameter(normal(3 * ARMS, CHANNELS, std=0.1) + 0.02)
        self.register_buffer("rest", torch.zeros(WINDOWS, CHANNELS))
        low, high, centre = split_windows(torch.arange(WINDOWS))
        self.register_buffer("low", low * 3 + centre, persistent=False)
        self.register_buffer("high", high * 3 + centre, persistent=False)
        # The mean input, learned by averaging: most of an input is the same in all positions.
        self.register_buffer("centre", torch.zeros(10 * CHANNELS))
        self.register_buffer("averaged", torch.tensor(0))
        self.w1 = nn.Parameter(normal(10 * CHANNELS, HIDDEN, std=0.06))
        self.b1 = nn.Parameter(torch.full((HIDDEN,), 1.0))
        self.w2 = nn.Parameter(normal(HIDDEN, HIDDEN, std=0.25))
        self.b2 = nn.Parameter(torch.full((HIDDEN,), 1.0))
        # Not zero: without gradients of some size Adam would first lead the layers before astray.
        self.w3 = nn.Parameter(normal(HIDDEN, 3, std=0.2))
        self.b3 = nn.Parameter(torch.tensor([0.0, -3.0, 0.0]))
        self.skip = nn.Parameter(torch.tensor(1.0))
        # The mode of play, such as attack or defence, and what it adds to the weights of moves.
        self.mode_weights = nn.Parameter(normal(10 * CHANNELS, HIDDEN, std=0.05))
        self.mode_bias = nn.Parameter(torch.full((HIDDEN,), 0.5))
        self.move_modes = nn.Parameter(torch.zeros(HIDDEN, CHANNELS))
        self.move_weights = nn.Parameter(torch.zeros(CHANNELS))
        self.move_skip = nn.Parameter(torch.tensor(1.0))

    def limit(self):
        """Takes weights that have grown too large back to what the file can hold."""
        with torch.no_grad():
            for name, most in MAX_WEIGHTS.items():
                getattr(self, name).clamp_(-most, most)

    def rows(self, windows, rest):
        """Table rows of these windows, rounded to the engine's steps; `rest` is their own part."""
        parts = embedding(self.low[windows], self.arms) + embedding(self.high[windows], self.arms)
        return _Round.apply((parts + rest).clamp(-TOP, TOP), UNIT)

    def forward(self, batch, rest):
        """Logits of win, draw and loss of each sample for its side to move, f32[S, 3], and of its
        choices, f32[K]. `rest` are the own parts of the batch's windows, f32[D, C]."""
        inputs, features = self._inputs(batch, rest)
        pooled = self._centred(inputs)
        return self._outcome(batch, pooled), self._promises(batch, pooled, features)

    def recentre(self, batches):
        """Makes the mean input of these batches the centre, and changes no output by it."""
        with torch.no_grad():
            total, count = torch.zeros_like(self.centre, dtype=torch.float64), 0
            for batch in batches:
                inputs, _ = self._inputs(batch, self.rest.index_select(0, batch.windows.long()))
                total += inputs.double().sum(0)
                count += len(batch)
            centre = total / max(count, 1)
            for weights, bias in ((self.w1, self.b1), (self.mode_weights, self.mode_bias)):
                bias += ((centre - self.centre) @ weights.double()).float()
            self.centre.copy_(centre)
            self.averaged.fill_(CENTRE_BATCHES)

    def _inputs(self, batch, rest):
        rows = self.rows(batch.windows.long(), rest)
        regions, features = BoardSums.apply(rows, batch, TOP)
        scale = 1 / batch.cells[:, None].float()
        whole = regions.sum(1) * (GLOBAL_SCALE * scale)
        return torch.cat([whole, regions.flatten(1) * (REGION_SCALE * scale)], dim=1), features

    def _centred(self, pooled):
        # Where the tables stay, so do the inputs; where only the arms stay, they hardly move.
        if self.training and self.arms.requires_grad:
            with torch.no_grad():
                self.averaged += 1
                weight = 1 / self.averaged.clamp(max=CENTRE_BATCHES)
                self.centre += (pooled.mean(0) - self.centre) * weight
        return pooled - self.centre

    def _outcome(self, batch, pooled):
        hidden = (pooled @ self.w1 + self.b1).clamp(0, HIDDEN_TOP)
        hidden = (hidden @ self.w2 + self.b2).clamp(0, HIDDEN_TOP)
        lead = batch.classical.float() * (self.skip / (2 * LOGIT))
        skip = torch.stack([lead, torch.zeros_like(lead), -lead], dim=1)
        return hidden @ self.w3 + self.b3 + skip

    def _promises(self, batch, pooled, features):
        mode = (pooled @ self.mode_weights + self.mode_bias).clamp(0, HIDDEN_TOP)
        weights = (mode @ self.move_modes + self.move_weights).index_select(0, choice_samples(batch))
        learned = (features.index_select(0, batch.choice_states) * weights).sum(1)
        return learned + batch.choice_orders.float() * (self.move_skip / MOVE_LOGIT)
