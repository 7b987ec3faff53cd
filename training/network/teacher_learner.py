"""Training of the teacher, batch by batch, with a state that can be saved and loaded."""

import math
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, log_softmax

from boards import turned
from feed import beginning
from learner import StateError, read_state
from losses import WON, score_logit
from teacher_model import Teacher, legal_logits, planes

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
    #: Weight of the value's loss; the policy's has weight 1.
    value_weight: float = 1.5
    #: Largest learning rate (AdamW), and its part that is left at the end of a half cosine.
    rate: float = 0.002
    last_rate: float = 0.05
    #: First part of the training, 0 to 1, over which the rate rises.
    warmup: float = 0.02


def value_losses(boards, outcome, result_weight):
    """The loss of each sample's logits of win, draw and loss, f32 [S]: cross-entropies with the result, by
    its weight, and with the expected points of the search, which do not say how often nobody wins."""
    points = (boards.searched.float() / 127 + 1) / 2
    by_search = binary_cross_entropy_with_logits(score_logit(outcome), points, reduction="none")
    by_result = cross_entropy(outcome, (WON - boards.result.long()).clamp(min=0), reduction="none")
    # A branch has no result.
    weight = result_weight * (boards.result <= WON)
    return weight * by_result + (1 - weight) * by_search


def policy_losses(boards, policy):
    """The cross-entropy of each sample's logits with the move played, f32 [S], 0 without one; and whether
    there is one, f32 [S]."""
    logs = log_softmax(legal_logits(boards, policy), dim=1)
    has_move = (boards.played >= 0).float()
    played = logs.gather(1, boards.played.long().clamp(min=0)[:, None])[:, 0]
    return -played * has_move, has_move


class TeacherLearner:
    """The teacher and everything that its training depends on."""

    def __init__(self, recipe, device="cpu", amp=None):
        self.recipe, self.device = recipe, torch.device(device)
        is_cuda = self.device.type == "cuda"
        #: True if convolutions are computed in bfloat16.
        self.amp = is_cuda if amp is None else amp
        torch.manual_seed(recipe.seed)
        net = Teacher(recipe.blocks, recipe.channels)
        self.net = net.to(self.device, memory_format=torch.channels_last)
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=recipe.rate, weight_decay=WEIGHT_DECAY, fused=is_cuda
        )
        #: Random numbers for the symmetries of the positions.
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
        boards = turned(boards, symmetries.to(self.device, non_blocking=True))
        self.net.train()
        policy, outcome = self.outputs(boards)
        value_part = value_losses(boards, outcome, recipe.result_weight).mean()
        moves, has_move = policy_losses(boards, policy)
        policy_part = moves.sum() / has_move.sum().clamp(min=1)
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
        policy puts first, and the share of decided games where the value favours the winner."""
        sums = torch.zeros(8, dtype=torch.float64, device=self.device)
        self.net.eval()
        with torch.no_grad():
            for boards in batches:
                boards = boards.to(self.device)
                policy, outcome = self.outputs(boards)
                value = value_losses(boards, outcome, self.recipe.result_weight)
                moves, has_move = policy_losses(boards, policy)
                first = legal_logits(boards, policy).argmax(1) == boards.played
                decided = (boards.result == 0) | (boards.result == WON)
                agrees = ((outcome[:, 0] > outcome[:, 2]) == (boards.result == WON)) & decided
                several = (value, torch.ones_like(value), moves, has_move, first, has_move, agrees, decided)
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
