"""The network, in floats that represent the engine's integers.

A cell's features are the sum of four table rows, one for the line window in each direction, then a
clipped ReLU. Their sums over the board and its nine regions go through two small layers to win,
draw and loss. The classical evaluation is added there, so that the network only has to learn its errors.
A move's policy logit is the product of its cell's features with weights of the position, computed by
another layer from the same sums; the classical logit is added.

Source of the idea of line-window tables: "Rapfi: Distilling Efficient Neural Network for the Game
of Gomoku", arXiv 2503.13178. Weights of moves that depend on the position are in Rapfi's later
networks too.
"""

import torch
from torch import nn
from torch.nn.functional import embedding

from batches import WINDOWS, candidate_samples
from sums import BoardSums

#: Channels of a network, and outputs of each hidden layer, where nothing else is asked for.
CHANNELS = 32
HIDDEN = 32
#: Values of both.
WIDTHS = (32, 64, 96, 128)
ARMS = 364
#: The integer that represents 1.0 in rows and activations.
UNIT = 128
#: Steps of the rows' numbers. A row's bounds, -128 and 128 less the step, are multiples of these alone.
ROW_STEPS = (1, 2, 4, 8, 16, 32)
#: Largest activation; the integer is 127.
TOP = 127 / UNIT
#: Largest activation of the hidden layers; the integer is 2047. With a narrow clip most units stay
#: at a bound, where their gradient is 0.
HIDDEN_TOP = 2047 / UNIT
#: Sums over the board and its regions are scaled by these over the number of cells: the plain mean
#: is too small an input for the next layer.
GLOBAL_SCALE = 16
REGION_SCALE = 64
#: Units of the classical evaluation and policy logit that make a factor e.
LOGIT = 200
POLICY_LOGIT = 256
#: Largest weights, so that weights fit 16 bits, and accumulators 32 where layers are 32 wide. The export
#: checks the accumulators of wider layers.
MAX_WEIGHTS = {
    "w1": 1.9, "w2": 15.0, "w3": 15.0, "policy_w1": 1.9, "policy_w2": 15.0, "policy_b2": 100.0
}

#: Batches over which the centre of the first layer's inputs is averaged.
CENTRE_BATCHES = 100


class _Round(torch.autograd.Function):
    """Rounds to multiples of 1/steps; the gradient ignores it (straight-through estimator)."""

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
    """The network of one rule (in renju, of one colour): C channels, H outputs of each hidden layer."""

    def __init__(self, seed, channels=CHANNELS, hidden=HIDDEN):
        super().__init__()
        random = torch.Generator().manual_seed(seed)
        # So that sums over more inputs begin no larger.
        by_channels, by_hidden = (CHANNELS / channels) ** 0.5, (HIDDEN / hidden) ** 0.5

        def normal(*shape, std):
            return torch.randn(*shape, generator=random) * std

        # A row is the sum of a part for each of its two arms (with the centre) and a residual of its
        # own, so a window that hardly occurs has the sum of its arms.
        self.arms = nn.Parameter(normal(3 * ARMS, channels, std=0.1) + 0.02)
        self.register_buffer("residual", torch.zeros(WINDOWS, channels))
        # With shared rows: the number of each window's row, which then is all residual.
        self.register_buffer("code", None)
        #: Step of the rows' numbers, in units of 1/128.
        self.row_step = 1
        low, high, centre = split_windows(torch.arange(WINDOWS))
        self.register_buffer("low", low * 3 + centre, persistent=False)
        self.register_buffer("high", high * 3 + centre, persistent=False)
        # The mean input, a moving average: most of an input is the same in all positions.
        self.register_buffer("centre", torch.zeros(10 * channels))
        self.register_buffer("averaged", torch.tensor(0))
        self.w1 = nn.Parameter(normal(10 * channels, hidden, std=0.06 * by_channels))
        self.b1 = nn.Parameter(torch.full((hidden,), 1.0))
        self.w2 = nn.Parameter(normal(hidden, hidden, std=0.25 * by_hidden))
        self.b2 = nn.Parameter(torch.full((hidden,), 1.0))
        # Not zero: with tiny gradients Adam's first steps would be noise in the layers before.
        self.w3 = nn.Parameter(normal(hidden, 3, std=0.2 * by_hidden))
        self.b3 = nn.Parameter(torch.tensor([0.0, -3.0, 0.0]))
        self.skip = nn.Parameter(torch.tensor(1.0))
        # The policy's hidden layer (modes of play, such as attack or defence), and the layer from there
        # to the policy weights of the position.
        self.policy_w1 = nn.Parameter(normal(10 * channels, hidden, std=0.05 * by_channels))
        self.policy_b1 = nn.Parameter(torch.full((hidden,), 0.5))
        self.policy_w2 = nn.Parameter(torch.zeros(hidden, channels))
        self.policy_b2 = nn.Parameter(torch.zeros(channels))
        self.policy_skip = nn.Parameter(torch.tensor(1.0))

    def limit(self):
        """Clips the weights to what the file can hold."""
        with torch.no_grad():
            for name, most in MAX_WEIGHTS.items():
                getattr(self, name).clamp_(-most, most)

    def load(self, state):
        """Takes the weights of another network; windows share rows where that one's do."""
        if "code" in state:
            self.code = state["code"].to(self.residual.device)
            self.residual = self.residual.new_zeros(state["residual"].shape)
        self.load_state_dict(state)

    def row_numbers(self, windows):
        """The rows of `residual` that these windows have."""
        return windows if self.code is None else self.code.index_select(0, windows)

    def residuals(self, windows):
        """The residuals of these windows."""
        return self.residual.index_select(0, self.row_numbers(windows))

    def rows(self, windows, residual, row_step=None):
        """Table rows of these windows, rounded to the engine's steps; `residual` is their own part."""
        row_step = row_step or self.row_step
        if self.code is None:
            low, high = embedding(self.low[windows], self.arms), embedding(self.high[windows], self.arms)
            residual = low + high + residual
        # The largest number of an i8, as a multiple of the step.
        most = (UNIT - row_step) / UNIT
        return _Round.apply(residual.clamp(-1, most), UNIT / row_step)

    def forward(self, batch, residual, row_step=None):
        """Logits of win, draw and loss of each sample for its side to move, f32[S, 3], and the policy's
        logits of the candidate moves, f32[K]. `residual` are those of the batch's windows, f32[D, C];
        rows are multiples of `row_step` if it is given."""
        inputs, features = self._inputs(batch, residual, row_step)
        pooled = self._centred(inputs)
        return self._outcome(batch, pooled), self._policy(batch, pooled, features)

    def recentre(self, batches):
        """Sets the centre to the mean input of these batches, without changing any output."""
        with torch.no_grad():
            total, count = torch.zeros_like(self.centre, dtype=torch.float64), 0
            for batch in batches:
                batch = batch.to(self.centre.device)
                inputs, _ = self._inputs(batch, self.residuals(batch.windows.long()))
                total += inputs.double().sum(0)
                count += len(batch)
            centre = total / max(count, 1)
            for weights, bias in ((self.w1, self.b1), (self.policy_w1, self.policy_b1)):
                bias += ((centre - self.centre) @ weights.double()).float()
            self.centre.copy_(centre)
            self.averaged.fill_(CENTRE_BATCHES)

    def _inputs(self, batch, residual, row_step=None):
        rows = self.rows(batch.windows.long(), residual, row_step)
        regions, features = BoardSums.apply(rows, batch, TOP)
        scale = 1 / batch.cells[:, None].float()
        whole = regions.sum(1) * (GLOBAL_SCALE * scale)
        return torch.cat([whole, regions.flatten(1) * (REGION_SCALE * scale)], dim=1), features

    def _centred(self, pooled):
        # With frozen tables the inputs do not change; with frozen arms they hardly do.
        if self.training and self.arms.requires_grad:
            with torch.no_grad():
                self.averaged += 1
                weight = 1 / self.averaged.clamp(max=CENTRE_BATCHES)
                self.centre += (pooled.mean(0) - self.centre) * weight
        return pooled - self.centre

    def _outcome(self, batch, pooled):
        hidden = (pooled @ self.w1 + self.b1).clamp(0, HIDDEN_TOP)
        hidden = (hidden @ self.w2 + self.b2).clamp(0, HIDDEN_TOP)
        classical = batch.classical.float() * (self.skip / (2 * LOGIT))
        skip = torch.stack([classical, torch.zeros_like(classical), -classical], dim=1)
        return hidden @ self.w3 + self.b3 + skip

    def _policy(self, batch, pooled, features):
        hidden = (pooled @ self.policy_w1 + self.policy_b1).clamp(0, HIDDEN_TOP)
        weights = (hidden @ self.policy_w2 + self.policy_b2).index_select(0, candidate_samples(batch))
        learned = (features.index_select(0, batch.candidate_states) * weights).sum(1)
        return learned + batch.classical_policy.float() * (self.policy_skip / POLICY_LOGIT)
