"""The teacher: a residual network over the whole board, of any size and rule.

Sources: K. He et al., "Deep residual learning for image recognition" (2015); D. Silver et al., "Mastering
the game of Go without human knowledge" (2017); global pooling in the middle and in the policy's head as in
D. Wu, "Accelerating self-play learning in Go" (2019). It made generation 0 with 6 blocks of 96 channels.
"""

import torch
from torch import nn
from torch.nn.functional import relu

from boards import CLASSES, RULES

#: Own stones, opponent's, all cells, forbidden cells, Black to move; the rule; classes of both sides but
#: the quiet one.
PLANES = 5 + len(RULES) + 2 * (CLASSES - 1)
HEAD = 32
#: Logit of cells where no stone may be put.
ILLEGAL = -1e4


def planes(boards):
    """f32 [S, PLANES, N, N]: what the network sees."""
    def flags(several):
        return torch.stack(several, dim=1).float()

    cells, ones = boards.cells, torch.ones_like(boards.cells)
    whole = [boards.side == 0] + [boards.rule == rule for rule in range(len(RULES))]
    found = [flags([cells == 1, cells == 2, ones, cells == 3])]
    found.append(flags(whole)[:, :, None, None].expand(-1, -1, *cells.shape[1:]))
    number = torch.arange(1, CLASSES, device=cells.device)[:, None, None]
    found += [(classes[:, None] == number).float() for classes in (boards.own, boards.opponent)]
    return torch.cat(found, dim=1)


def pooled(x):
    """Mean and maximum over the board."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], dim=1)


class Block(nn.Module):
    """Two convolutions beside the identity. With `pools` the first one also sees the whole board."""

    def __init__(self, channels, pools):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.pool = nn.Linear(2 * channels, channels) if pools else None
        # So that the block begins as the identity.
        nn.init.zeros_(self.second_norm.weight)

    def forward(self, x):
        inner = self.first_norm(self.first(x))
        if self.pool is not None:
            inner = inner + self.pool(pooled(relu(inner)))[:, :, None, None]
        return relu(x + self.second_norm(self.second(relu(inner))))


class Teacher(nn.Module):
    """Policy and outcome of positions."""

    def __init__(self, blocks, channels):
        super().__init__()
        self.start = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.start_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.ModuleList(Block(channels, i == blocks // 2) for i in range(blocks))
        self.policy = nn.Conv2d(channels, HEAD, 1)
        self.policy_whole = nn.Conv2d(channels, HEAD, 1)
        self.policy_pool = nn.Linear(2 * HEAD, HEAD)
        self.policy_out = nn.Conv2d(HEAD, 1, 1)
        self.value = nn.Conv2d(channels, HEAD, 1)
        self.value_hidden = nn.Linear(2 * HEAD, 64)
        self.value_out = nn.Linear(64, 3)

    def forward(self, inputs):
        """Logits of the cells, f32 [S, N * N], and of win, draw and loss, f32 [S, 3]."""
        x = relu(self.start_norm(self.start(inputs)))
        for block in self.blocks:
            x = block(x)
        whole = self.policy_pool(pooled(relu(self.policy_whole(x))))[:, :, None, None]
        policy = self.policy_out(relu(self.policy(x) + whole)).flatten(1)
        value = self.value_out(relu(self.value_hidden(pooled(relu(self.value(x))))))
        return policy.float(), value.float()


def legal_logits(boards, policy):
    """The logits of cells where the side to move may play; the others get ILLEGAL."""
    return torch.where(boards.cells.flatten(1) == 0, policy, ILLEGAL)
