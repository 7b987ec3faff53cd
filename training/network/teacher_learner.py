"""Training of the teacher, batch by batch, with a state that can be saved and loaded."""

import math
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, log_softmax

from batches import soft_samples
from boards import turned
from feed import beginning
from learner import StateError, read_state
from losses import WON, score_logit, soft_points
from teacher_model import Teacher, legal_logits, planes

#: What the search's value is where there is none.
NO_VALUE = -128
#: Length of the gradient at which it is cut.
MAX_GRADIENT = 1.0
WEIGHT_DECAY = 0.02


@dataclass(frozen=True)
class TeacherRecipe:
    """How the teacher is trained."""

    seed: int = 1
    blocks: int = 6
    channels: int = 128
    #: Weight of the game's result in the value's target, 0 to 1; the rest is the search's value.
    result_weight: float = 0.7
    #: Weight of later values, up to the result, in the search's value of each position: TD(lambda).
    td_lambda: float = 0.0
    #: Weight of the soft label, 0 to 1, in the targets of positions that have one.
    soft_weight: float = 0.75
    #: Weight of the value's loss; the policy's has weight 1.
    value_weight: float = 1.5
    #: Largest learning rate (AdamW), and its part that is left at the end of a half cosine.
    rate: float = 0.002
    last_rate: float = 0.05
    #: First part of the training, 0 to 1, over which the rate rises.
    warmup: float = 0.02


def value_losses(boards, outcome, result_weight, soft_weight):
    """The loss of each sample's logits of win, draw and loss, f32 [S], and whether anything is known of the
    value, f32 [S]: cross-entropies with the result, and with the expected points of search and soft label,
    which do not say how often nobody wins."""
    logit = score_logit(outcome)

    def by_points(points):
        return binary_cross_entropy_with_logits(logit, points, reduction="none")

    has_result, has_value = boards.result <= WON, boards.searched != NO_VALUE
    by_result = cross_entropy(outcome, (WON - boards.result.long()).clamp(min=0), reduction="none")
    by_search = by_points((boards.searched.float().clamp(min=-127) / 127 + 1) / 2)
    weight = torch.where(has_value, result_weight, 1.0) * has_result
    losses = weight * by_result + (1 - weight) * by_search
    has_label, points = soft_points(boards)
    known = has_result | has_value
    weight = torch.where(known, soft_weight, 1.0) * has_label
    losses = (1 - weight) * losses + weight * by_points(points)
    return losses, torch.maximum(known.float(), has_label)


def policy_losses(boards, policy, soft_weight):
    """The cross-entropy of each sample's logits with the move played and the soft label, f32 [S], and
    whether there is either, f32 [S]."""
    logs = log_softmax(legal_logits(boards, policy), dim=1)
    has_move = (boards.played >= 0).float()
    played = -logs.gather(1, boards.played.long().clamp(min=0)[:, None])[:, 0] * has_move
    has_label = (boards.soft_from.diff() > 0).float()
    samples = soft_samples(boards)
    products = -boards.soft_weights * logs[samples, boards.soft_cells.long()]
    labelled = torch.zeros_like(played).index_add(0, samples, products)
    weight = has_label * torch.where(has_move > 0, soft_weight, 1.0)
    return (1 - weight) * played + weight * labelled, torch.maximum(has_move, has_label)


def mean(values, counts):
    """The mean of those that count."""
    return (values * counts).sum() / counts.sum().clamp(min=1)


class TeacherLearner:
    """The teacher and everything that its training depends on."""

    def __init__(self, recipe, device="cpu", amp=None):
        self.recipe, self.device = recipe, torch.device(device)
        is_cuda = self.device.type == "cuda"
        #: Whether convolutions are computed in bfloat16.
        self.amp = is_cuda if amp is None else amp
        torch.manual_seed(recipe.seed)
        net = Teacher(recipe.blocks, recipe.channels)
        self.net = net.to(self.device, memory_format=torch.channels_last)
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=recipe.rate, weight_decay=WEIGHT_DECAY, fused=is_cuda
        )
        #: Of the symmetries of the positions.
        self.random = torch.Generator().manual_seed(recipe.seed)
        self.origin = {}
        self.positions = 0
        self.place = beginning()

    def rate(self, progress):
        """The learning rate after this part of the training."""
        recipe = self.recipe
        last = recipe.last_rate
        curve = last + (1 - last) * (1 + math.cos(math.pi * min(progress, 1.0))) / 2
        return recipe.rate * curve * min(1.0, (progress + 1e-4) / max(recipe.warmup, 1e-4))

    def outputs(self, boards):
        """The network's logits of cells and outcomes for these positions."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.amp):
            return self.net(planes(boards).contiguous(memory_format=torch.channels_last))

    def learn(self, boards, progress):
        """Trains on a batch; `progress` is the finished part of the training, 0 to 1. Returns the
        losses of value and policy, f32[2] on the device, which nothing has waited for."""
        recipe = self.recipe
        symmetries = torch.randint(8, (len(boards),), generator=self.random)
        if self.device.type == "cuda":
            # Locked memory is what CUDA can copy while the program goes on.
            symmetries = symmetries.pin_memory()
        boards = boards.to(self.device)
        boards, _ = turned(boards, symmetries.to(self.device, non_blocking=True))
        self.net.train()
        policy, outcome = self.outputs(boards)
        value_part = mean(*value_losses(boards, outcome, recipe.result_weight, recipe.soft_weight))
        policy_part = mean(*policy_losses(boards, policy, recipe.soft_weight))
        self.optimizer.zero_grad()
        (recipe.value_weight * value_part + policy_part).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), MAX_GRADIENT)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(progress)
        self.optimizer.step()
        self.positions += len(boards)
        return torch.stack([value_part, policy_part]).detach()

    def measure(self, batches):
        """Over batches of held-out games: positions, the losses, the share of moves played that the
        policy puts first, and that of decided games where the value favours the winner."""
        sums = torch.zeros(8, dtype=torch.float64, device=self.device)
        recipe = self.recipe
        self.net.eval()
        with torch.no_grad():
            for boards in batches:
                boards = boards.to(self.device)
                policy, outcome = self.outputs(boards)
                weights = recipe.result_weight, recipe.soft_weight
                value, is_known = value_losses(boards, outcome, *weights)
                moves, has_moves = policy_losses(boards, policy, recipe.soft_weight)
                has_move = boards.played >= 0
                first = (legal_logits(boards, policy).argmax(1) == boards.played) & has_move
                decided = (boards.result == 0) | (boards.result == WON)
                agrees = ((outcome[:, 0] > outcome[:, 2]) == (boards.result == WON)) & decided
                several = (value * is_known, is_known, moves * has_moves, has_moves, first, has_move, agrees, decided)
                sums += torch.stack([x.double().sum() for x in several])
        sums = sums.tolist()
        names = ("value", "policy", "top 1", "sign")
        found = {name: sums[2 * i] / max(sums[2 * i + 1], 1) for i, name in enumerate(names)}
        return {"positions": int(sums[1]), **found}

    def save(self, path):
        """Writes the state; an interruption leaves the previous file."""
        state = {
            "teacher": asdict(self.recipe),
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": self.random.get_state(),
            "origin": self.origin,
            "positions": self.positions,
            "place": self.place,
        }
        new = Path(path).with_suffix(".new")
        torch.save(state, new)
        os.replace(new, path)

    @classmethod
    def load(cls, path, device="cpu", amp=None):
        """The learner that was saved. Raises StateError for another kind of state, or a damaged one."""
        state = read_state(path)
        try:
            learner = cls(TeacherRecipe(**state["teacher"]), device, amp)
            learner.net.load_state_dict(state["net"])
            learner.optimizer.load_state_dict(state["optimizer"])
            learner.random.set_state(state["random"])
            learner.origin, learner.place = state["origin"], state["place"]
            learner.positions = state["positions"]
        except (KeyError, TypeError, RuntimeError) as error:
            raise StateError(f"{path} is not the state of a teacher of this version") from error
        return learner
