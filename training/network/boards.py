"""Batches of whole boards, as `tengen-train boards` writes them, for the teacher.

The layout is described in `training/classical/src/boards.rs`.
"""

from dataclasses import dataclass, fields, replace
from functools import cache

import numpy as np
import torch

from batches import DamagedStream, fill

RULES = ("freestyle", "standard", "renju", "caro", "caro9")
#: Numbers of `Class`: what a stone makes on a cell.
CLASSES = 10
_MAGIC = int.from_bytes(b"TGP2", "little")
_HEADER = 8


@dataclass
class Boards:
    """S positions on boards of N columns and rows; i32 where no type is given."""

    size: int
    block: int
    blocks: int
    last_of_block: bool
    #: u8 [S, N, N] 0 free, 1 own stone, 2 opponent's, 3 free but forbidden; rows from the top
    cells: torch.Tensor
    #: u8 [S, N, N] what the side to move, and its opponent, makes on a free cell
    own: torch.Tensor
    opponent: torch.Tensor
    #: [S] place in `RULES`, 0 Black or 1 White, result as in `Batch`, search's value times 127
    rule: torch.Tensor
    side: torch.Tensor
    result: torch.Tensor
    searched: torch.Tensor
    #: [S] cell of the move played, or -1
    played: torch.Tensor
    #: [S] stones on the board
    ply: torch.Tensor
    #: [R + 1] where the samples and the bytes of each record begin, u8 [B] the records
    record_samples: torch.Tensor
    record_bytes: torch.Tensor
    records: torch.Tensor

    def __len__(self):
        return len(self.rule)

    def to(self, device):
        """The positions on another device; the records stay."""
        moved = {
            f.name: getattr(self, f.name).to(device, non_blocking=True)
            for f in fields(self)
            if torch.is_tensor(getattr(self, f.name)) and not f.name.startswith("record")
        }
        return replace(self, **moved)


def read_boards(stream, device="cpu"):
    """The next batch of a binary stream, or None at its end. Raises DamagedStream."""
    head = stream.read(4 * _HEADER)
    if not head:
        return None
    if len(head) < 4 * _HEADER:
        raise DamagedStream("the stream ends inside a header")
    magic, n, s, r, b, block, blocks, last = np.frombuffer(head, "<u4").tolist()
    if magic != _MAGIC:
        raise DamagedStream("this is not a batch of boards")
    cells, records = (s * n * n + 3) // 4, (b + 3) // 4
    lengths = [cells] * 3 + [s] * 6 + [r + 1, r + 1, records]
    is_cuda = torch.device(device).type == "cuda"
    numbers = torch.empty(sum(lengths), dtype=torch.int32, pin_memory=is_cuda)
    if not fill(memoryview(numbers.numpy()).cast("B"), stream):
        raise DamagedStream("the stream ends inside a batch")
    # The arrays for records stay on the CPU.
    kept = sum(lengths[-3:])
    moved = numbers[: len(numbers) - kept].to(device, non_blocking=True)
    arrays = list(moved.split(lengths[:-3])) + list(numbers[len(numbers) - kept :].split(lengths[-3:]))
    for i in range(3):
        arrays[i] = arrays[i].view(torch.uint8)[: s * n * n].view(s, n, n)
    arrays[-1] = arrays[-1].view(torch.uint8)[:b]
    return Boards(n, block, blocks, bool(last), *arrays)


@cache
def symmetry_cells(size, device="cpu"):
    """i64 [8, N * N]: for each symmetry of the board the cell that comes to stand on each cell."""
    cells = torch.arange(size * size).view(size, size)
    turned = [torch.rot90(c, k) for c in (cells, cells.flip(1)) for k in range(4)]
    return torch.stack([t.flatten() for t in turned]).to(device)


def turned(boards, symmetries):
    """The positions on boards turned by these symmetries, i64 [S] from 0 to 7. The records stay."""
    s, n = len(boards), boards.size
    orders = symmetry_cells(n, symmetries.device)
    places = orders.argsort(1).index_select(0, symmetries)
    orders = orders.index_select(0, symmetries)
    changed = {
        name: getattr(boards, name).view(s, -1).gather(1, orders).view(s, n, n)
        for name in ("cells", "own", "opponent")
    }
    played = boards.played.long()[:, None]
    gone = places.gather(1, played.clamp(min=0))
    changed["played"] = torch.where(played >= 0, gone, played)[:, 0].int()
    return replace(boards, **changed)
