"""Learning the four networks, batch by batch, with a state that can be kept and taken up again."""

import copy
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from batches import NETS
from losses import Tally, divergence, lean, move_loss, points, value_loss
from model import Net


@dataclass(frozen=True)
class Recipe:
    """How the networks are learned."""

    seed: int = 1
    #: Part of the game's result in the value's target; the rest is the search's value.
    lam: float = 0.0
    #: Part of later values, up to the result, in the search's value of each position: TD(lambda).
    later: float = 0.75
    #: By how much more it counts where too little is expected of the side to move, and the less
    #: where too much is; see `value_loss`.
    wary: float = 0.0
    #: Weight of the policy's loss beside the value's.
    policy: float = 0.25
    #: Weight of staying with the promises of the networks that were taken up (their divergence).
    faithful: float = 0.0
    #: What stays as it is: one of `KEPT`.
    keep: str = "nothing"
    #: First learning rates: of arms and layers (Adam), of the windows' own parts (AdaGrad).
    rate: float = 0.003
    rest_rate: float = 0.03
    #: Part of the training at whose end the rates fall to 0 in a straight line.
    cooling: float = 0.3


#: What stays as it is, by what is to be kept: the value needs its tables.
KEPT = {
    "nothing": (),
    "arms": ("arms",),
    "tables": ("arms", "rest"),
    "value": ("arms", "rest", "w1", "b1", "w2", "b2", "w3", "b3", "skip"),
}
#: Newton's steps of `Learner.straighten`: each leaves a fifth of what the last one left.
STRAIGHTENINGS = 8
#: What the sums of squared gradients of a window's own part begin with; small against one
#: gradient, so that it only forbids the division by zero.
FIRST_SQUARE = 1e-9


class Learner:
    """The networks and all that their learning depends on."""

    def __init__(self, recipe, device="cpu"):
        self.recipe = recipe
        self.device = torch.device(device)
        torch.manual_seed(recipe.seed)
        self.nets = [Net(recipe.seed * len(NETS) + i).to(self.device) for i in range(len(NETS))]
        for net in self.nets:
            for name in KEPT[recipe.keep]:
                getattr(net, name).requires_grad_(False)
        self.optimizers = [torch.optim.Adam(net.parameters(), lr=recipe.rate) for net in self.nets]
        self.squares = [torch.full_like(net.rest, FIRST_SQUARE) for net in self.nets]
        #: The networks that were taken up, where their promises count.
        self.teachers = []
        #: Positions learned from.
        self.positions = 0
        #: The block of games to go on with.
        self.next_block = 0

    def learn(self, batch, part_done):
        """Learns from a batch; `part_done` of the whole training, 0 to 1, is over. Returns the
        losses of value and policy."""
        recipe, net = self.recipe, self.nets[batch.net]
        optimizer, squares = self.optimizers[batch.net], self.squares[batch.net]
        batch = batch.to(self.device)
        slowing = min(1.0, max(0.0, 1 - part_done) / max(recipe.cooling, 1e-9))
        net.train()
        windows = batch.windows.long()
        rest = net.rest.index_select(0, windows).requires_grad_("rest" not in KEPT[recipe.keep])
        outcome, promises = net(batch, rest)
        value = value_loss(batch, outcome, recipe.lam, recipe.wary)
        policy = move_loss(batch, promises)
        loss = value + recipe.policy * policy
        if self.teachers:
            loss = loss + recipe.faithful * self._unfaithfulness(batch, windows, promises)
        optimizer.zero_grad()
        loss.backward()
        for group in optimizer.param_groups:
            group["lr"] = recipe.rate * slowing
        optimizer.step()
        net.limit()
        # AdaGrad (J. Duchi, E. Hazan, Y. Singer, 2011) on the rows that the batch has, alone.
        if rest.requires_grad:
            with torch.no_grad():
                grad = rest.grad
                sums = squares.index_select(0, windows).addcmul_(grad, grad)
                squares.index_copy_(0, windows, sums)
                moved = rest.addcdiv(grad, sums.sqrt_(), value=-recipe.rest_rate * slowing)
                net.rest.index_copy_(0, windows, moved)
        self.positions += len(batch)
        return value.item(), policy.item()

    def take_up(self, states, batches):
        """Goes on with the weights of networks' `states`; `batches` show what positions are like."""
        for number, (net, state) in enumerate(zip(self.nets, states)):
            net.load_state_dict(state)
            net.recentre(b.to(self.device) for b in batches if b.net == number)
        if self.recipe.faithful:
            self._teach([net.state_dict() for net in self.nets])

    def _teach(self, states):
        """Makes the networks of these states the teachers."""
        self.teachers = [copy.deepcopy(net).eval() for net, _ in zip(self.nets, states)]
        for net, state in zip(self.teachers, states):
            net.load_state_dict(state)

    def _unfaithfulness(self, batch, windows, promises):
        teacher = self.teachers[batch.net]
        with torch.no_grad():
            _, taught = teacher(batch, teacher.rest.index_select(0, windows))
        return divergence(batch, promises, taught)

    def measure(self, batches):
        """Tallies of all networks over batches of held-out games."""
        tallies = [Tally() for _ in NETS]
        with torch.no_grad():
            for batch in batches:
                net = self.nets[batch.net].eval()
                batch = batch.to(self.device)
                outcome, promises = net(batch, net.rest.index_select(0, batch.windows.long()))
                tallies[batch.net].add(batch, outcome, promises, self.recipe.lam)
        return tallies

    def straighten(self, batches):
        """Shifts each network's value so that it expects neither too much nor too little on the mean
        of the batches: what `wary` learning adds everywhere is of no use."""
        seen = [[] for _ in self.nets]
        with torch.no_grad():
            for batch in batches:
                net, batch = self.nets[batch.net].eval(), batch.to(self.device)
                outcome, _ = net(batch, net.rest.index_select(0, batch.windows.long()))
                quiet = batch.quiet.bool()
                seen[batch.net].append((outcome[quiet], points(batch)[1][quiet]))
            for net, pairs in zip(self.nets, seen):
                if pairs:
                    outcome, searched = (torch.cat(parts) for parts in zip(*pairs))
                    for _ in range(STRAIGHTENINGS):
                        shift = lean(outcome, searched) / 2
                        shift = torch.stack([shift, torch.zeros_like(shift), -shift])
                        net.b3 += shift
                        outcome = outcome + shift

    def save(self, path):
        """Writes the state whole or not at all."""
        state = {
            "recipe": asdict(self.recipe),
            "positions": self.positions,
            "next_block": self.next_block,
            "nets": [net.state_dict() for net in self.nets],
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "squares": self.squares,
            "teachers": [net.state_dict() for net in self.teachers],
        }
        new = Path(path).with_suffix(".new")
        torch.save(state, new)
        os.replace(new, path)

    @classmethod
    def load(cls, path, device="cpu"):
        """The learner that was saved."""
        state = torch.load(path, map_location=device, weights_only=True)
        learner = cls(Recipe(**state["recipe"]), device)
        for net, saved in zip(learner.nets, state["nets"]):
            net.load_state_dict(saved)
        for optimizer, saved in zip(learner.optimizers, state["optimizers"]):
            optimizer.load_state_dict(saved)
        learner.squares = state["squares"]
        # States kept before there were teachers have none.
        learner._teach(state.get("teachers", []))
        learner.positions = state["positions"]
        learner.next_block = state["next_block"]
        return learner
