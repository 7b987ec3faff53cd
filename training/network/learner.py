"""Training of the networks, batch by batch, with a state that can be saved and loaded."""

import copy
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from batches import NETS
from feed import beginning
from losses import Metrics, Ruler, kl_divergence, mean_bias, mixed_points, policy_loss, value_loss
from model import CHANNELS, HIDDEN, Net
from widen import load_widened


@dataclass(frozen=True)
class Recipe:
    """How the networks are trained."""

    seed: int = 1
    #: Weight of the game's result in the value's target, 0 to 1; the rest is the search's value.
    result_weight: float = 0.0
    #: Weight of later values, up to the result, in the search's value of each position: TD(lambda).
    td_lambda: float = 0.75
    #: Asymmetry of the value's loss, -1 to 1; see `value_loss`.
    asymmetry: float = 0.0
    #: Weight of the policy's loss; the value's has weight 1.
    policy_weight: float = 0.25
    #: Weight of the KL divergence from the policy of the loaded networks (distillation).
    distill_weight: float = 0.0
    #: The parameters that are not trained: a key of `FROZEN`.
    freeze: str = "nothing"
    #: First learning rate of arms and layers (Adam) and of the windows' residuals (AdaGrad).
    rate: float = 0.003
    residual_rate: float = 0.03
    #: Last part of the training, 0 to 1, over which the learning rates fall linearly to 0.
    cooldown: float = 0.3
    #: Step of the rows' numbers in the file, in units of 1/128: larger steps pack better.
    row_step: int = 1
    #: Last part of the training, 0 to 1, in which the rows have these steps too.
    stepped: float = 0.3
    #: Channels of the networks, and outputs of each hidden layer.
    channels: int = CHANNELS
    hidden: int = HIDDEN


#: Parameters that are not trained, by the values of `Recipe.freeze`.
FROZEN = {
    "nothing": (),
    "arms": ("arms",),
    "tables": ("arms", "residual"),
    "value": ("arms", "residual", "w1", "b1", "w2", "b2", "w3", "b3", "skip"),
}
#: Newton steps of `Learner.recalibrate_bias`; each leaves about a fifth of the error.
NEWTON_STEPS = 8
#: Longest of these steps: where nearly all is won or lost, the first order leads far away.
LONGEST_STEP = 1.0
#: First sum of squared gradients of a residual: so small that it only prevents a division by zero.
FIRST_SQUARE = 1e-9
#: A recipe's networks have the seeds from this many times its own on. There were as many networks before
#: those of caro, and the others keep their first weights.
SEED_STEP = 4


class StateError(Exception):
    """A saved state is damaged, or does not fit this trainer."""


def read_state(path):
    """The state that `torch.save` wrote to a file. Raises StateError for another file, OSError where
    none can be read."""
    try:
        # On the CPU: Adam's counters of steps stay where they are loaded, and on CUDA each would be waited for.
        return torch.load(path, map_location="cpu", weights_only=True)
    except OSError:
        raise
    except Exception as error:  # Damaged bytes raise errors of many types in pickle.
        raise StateError(f"{path} is not a state, or damaged") from error


def load_or_exit(kind, path, *arguments):
    """The learner of this class that was saved at `path`; ends the program where it cannot be loaded."""
    try:
        return kind.load(path, *arguments)
    except (StateError, OSError) as error:
        sys.exit(str(error))


class Learner:
    """The networks and everything that their training depends on."""

    def __init__(self, recipe, device="cpu"):
        self.recipe = recipe
        self.device = torch.device(device)
        torch.manual_seed(recipe.seed)
        seeds = [recipe.seed * SEED_STEP + i for i in range(len(NETS))]
        self.nets = [Net(seed, recipe.channels, recipe.hidden).to(self.device) for seed in seeds]
        for net in self.nets:
            net.row_step = recipe.row_step
            for name in FROZEN[recipe.freeze]:
                getattr(net, name).requires_grad_(False)
        self.optimizers = [torch.optim.Adam(net.parameters(), lr=recipe.rate) for net in self.nets]
        #: AdaGrad's sums of squared gradients of the residuals.
        self.squares = [torch.full_like(net.residual, FIRST_SQUARE) for net in self.nets]
        #: The networks whose policy is distilled; none without `Recipe.distill_weight`.
        self.teachers = []
        #: The files and options of the run: see `origin.py`.
        self.origin = {}
        #: Number of positions trained on.
        self.positions = 0
        #: Where to continue in the games, a place of `feed.Feed`.
        self.place = beginning()

    def learn(self, batch, progress):
        """Trains on a batch; `progress` is the finished part of the training, 0 to 1. Returns the
        losses of value and policy, f32[2] on the device, which nothing has waited for."""
        recipe, net = self.recipe, self.nets[batch.net]
        optimizer, squares = self.optimizers[batch.net], self.squares[batch.net]
        batch = batch.to(self.device)
        rate_factor = min(1.0, max(0.0, 1 - progress) / max(recipe.cooldown, 1e-9))
        net.train()
        windows = batch.windows.long()
        shared = net.code is not None
        # Of rows of their own, those of the batch; of shared ones, which are fewer, all.
        residual = net.residual.detach() if shared else net.residual.index_select(0, windows)
        residual.requires_grad_("residual" not in FROZEN[recipe.freeze])
        own = residual.index_select(0, net.row_numbers(windows)) if shared else residual
        outcome, policy = net(batch, own, recipe.row_step if progress >= 1 - recipe.stepped else 1)
        value_part = value_loss(batch, outcome, recipe.result_weight, recipe.asymmetry)
        policy_part = policy_loss(batch, policy)
        loss = value_part + recipe.policy_weight * policy_part
        if self.teachers:
            loss = loss + recipe.distill_weight * self._distill_loss(batch, windows, policy)
        optimizer.zero_grad()
        loss.backward()
        for group in optimizer.param_groups:
            group["lr"] = recipe.rate * rate_factor
        optimizer.step()
        net.limit()
        if residual.requires_grad:
            self._step_rows(net, squares, residual, None if shared else windows, rate_factor)
        self.positions += len(batch)
        return torch.stack([value_part, policy_part]).detach()

    def _step_rows(self, net, squares, residual, windows, rate_factor):
        """A step of AdaGrad (J. Duchi, E. Hazan, Y. Singer, 2011) on the rows of these windows, or on
        all shared rows; rows without a gradient stay as they are."""
        step = -self.recipe.residual_rate * rate_factor
        with torch.no_grad():
            grad = residual.grad
            if windows is None:
                squares.addcmul_(grad, grad)
                net.residual.addcdiv_(grad, squares.sqrt(), value=step)
            else:
                sums = squares.index_select(0, windows).addcmul_(grad, grad)
                squares.index_copy_(0, windows, sums)
                net.residual.index_copy_(0, windows, residual.addcdiv(grad, sums.sqrt_(), value=step))

    def load_weights(self, states, batches):
        """Starts from the weights in `states`, one state of a `Net`, which may be narrower, for each network;
        None for one that is not trained. `batches` are examples of positions, which the inputs are centred
        on."""
        for number, (net, state) in enumerate(zip(self.nets, states)):
            if state is None:
                continue
            load_widened(net, state, [b for b in batches if b.net == number], self.recipe.seed)
            self.squares[number] = torch.full_like(net.residual, FIRST_SQUARE)
        if self.recipe.distill_weight:
            self._set_teachers([net.state_dict() for net in self.nets])

    def _set_teachers(self, states):
        self.teachers = [copy.deepcopy(net).eval() for net, _ in zip(self.nets, states)]
        for net, state in zip(self.teachers, states):
            net.load(state)
            net.row_step = 1

    def _distill_loss(self, batch, windows, policy):
        teacher = self.teachers[batch.net]
        with torch.no_grad():
            _, teacher_policy = teacher(batch, teacher.residuals(windows))
        return kl_divergence(batch, policy, teacher_policy)

    def _outputs(self, batches):
        """Each batch on the device, with its network's outcome and policy."""
        for batch in batches:
            net, batch = self.nets[batch.net].eval(), batch.to(self.device)
            yield batch, *net(batch, net.residuals(batch.windows.long()))

    def measure(self, batches):
        """The `Metrics` of each network over batches of held-out games."""
        metrics = [Metrics() for _ in NETS]
        with torch.no_grad():
            for batch, outcome, policy in self._outputs(batches):
                metrics[batch.net].add(batch, outcome, policy, self.recipe.result_weight)
        return metrics

    def judge(self, batches):
        """The `Ruler` of each network over batches of games with deeply searched branches."""
        rulers = [Ruler() for _ in NETS]
        with torch.no_grad():
            for batch, outcome, _ in self._outputs(batches):
                rulers[batch.net].add(batch, outcome)
        return rulers

    def recalibrate_bias(self, batches):
        """Shifts each network's value to give it the targets' mean over the batches.

        An asymmetric loss also moves the mean of all values, which is not wanted.
        """
        recipe, pairs_of = self.recipe, [[] for _ in self.nets]
        with torch.no_grad():
            for batch, outcome, _ in self._outputs(batches):
                quiet = batch.quiet.bool()
                points = mixed_points(batch, recipe.result_weight)
                pairs_of[batch.net].append((outcome[quiet], points[quiet]))
            for net, pairs in zip(self.nets, pairs_of):
                if pairs:
                    outcome, points = (torch.cat(parts) for parts in zip(*pairs))
                    for _ in range(NEWTON_STEPS):
                        shift = mean_bias(outcome, points).clamp(-LONGEST_STEP, LONGEST_STEP) / 2
                        shift = torch.stack([shift, torch.zeros_like(shift), -shift])
                        net.b3 += shift
                        outcome = outcome + shift

    def save(self, path):
        """Writes the state; an interruption leaves the previous file."""
        state = {
            "recipe": asdict(self.recipe),
            "positions": self.positions,
            "place": self.place,
            "origin": self.origin,
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
        """The learner that was saved. Raises StateError for the state of another trainer, or a damaged one."""
        state = read_state(path)
        try:
            recipe, place, origin = Recipe(**state["recipe"]), state["place"], state["origin"]
        except (KeyError, TypeError) as error:
            raise StateError(f"{path} is the state of another version of the trainer") from error
        learner = cls(recipe, device)
        for net, saved in zip(learner.nets, state["nets"]):
            net.load(saved)
        for optimizer, saved in zip(learner.optimizers, state["optimizers"]):
            optimizer.load_state_dict(saved)
        learner.squares = [squares.to(device) for squares in state["squares"]]
        learner._set_teachers(state["teachers"])
        learner.positions = state["positions"]
        learner.place, learner.origin = place, origin
        return learner
