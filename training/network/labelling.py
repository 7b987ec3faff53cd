"""Soft labels by a teacher: records for `tengen datagen label`.

`src/datagen/record.rs` and `src/datagen/soft_label.rs` describe their bytes.
"""

import struct

import numpy as np
import torch

from batches import SOFT_UNIT
from boards import turned
from teacher_model import legal_logits

#: Weight of the best move of a label.
MOST_WEIGHT = 255
#: Added to the result of a record with soft labels.
SOFT = 4
_HEADER = struct.Struct("<4BH")


def predictions(learner, boards, symmetries=1):
    """Probabilities of the cells, f32 [S, N * N], and of win, draw and loss, f32 [S, 3], the mean over so
    many symmetries of the board, from 1 to 8."""
    learner.net.eval()
    boards = boards.to(learner.device)
    cells = outcomes = 0
    with torch.no_grad():
        for symmetry in range(symmetries):
            several = torch.full((len(boards),), symmetry, device=learner.device)
            seen, places = turned(boards, several)
            policy, outcome = learner.outputs(seen)
            policy = torch.softmax(legal_logits(seen, policy), dim=1)
            cells = cells + policy.gather(1, places) / symmetries
            outcomes = outcomes + torch.softmax(outcome, dim=1) / symmetries
        # Where nothing is legal all cells are equal.
        return cells * (boards.cells.flatten(1) == 0), outcomes


def label_bytes(plies, cells, outcomes, moves):
    """The bytes of a label for each position, one behind another, and where each begins (and the end):
    from the numbers of stones and the probabilities of cells and outcomes; `moves` are the best so many."""
    best, order = (x.cpu() for x in cells.topk(min(moves, cells.shape[1])))
    weights = (best / best[:, :1].clamp(min=1e-9) * MOST_WEIGHT).round().numpy().astype(np.uint8)
    counts = (weights > 0).sum(1)
    outcomes = outcomes[:, :2].double().clamp(0, 1).cpu().numpy()
    win, draw = (outcomes * SOFT_UNIT).round().astype(np.int64).T
    numbers = np.stack([plies, win, np.minimum(draw, SOFT_UNIT - win)], 1).astype("<u2")
    table = np.zeros((len(plies), 7 + 3 * weights.shape[1]), np.uint8)
    table[:, :6] = numbers.view(np.uint8)
    table[:, 6] = counts
    table[:, 7::3] = order.numpy() & 255
    table[:, 8::3] = order.numpy() >> 8
    table[:, 9::3] = weights
    lengths = 7 + 3 * counts
    is_used = np.arange(table.shape[1]) < lengths[:, None]
    return table[is_used].tobytes(), np.concatenate([[0], np.cumsum(lengths)])


def labelled_records(boards, cells, outcomes, moves):
    """The bytes of the batch's records, each with labels of its positions; older ones are replaced."""
    labels, starts = label_bytes(boards.ply.cpu().numpy(), cells, outcomes, moves)
    records, written = boards.records.numpy().tobytes(), []
    samples, begins = boards.record_samples.tolist(), boards.record_bytes.tolist()
    for number, begin in enumerate(begins[:-1]):
        size, rule, opening, result, plies = _HEADER.unpack_from(records, begin)
        first, last = samples[number], samples[number + 1]
        written += [
            _HEADER.pack(size, rule, opening, result % SOFT + SOFT, plies),
            records[begin + _HEADER.size : begin + _HEADER.size + 3 * plies],
            struct.pack("<H", last - first),
            labels[starts[first] : starts[last]],
        ]
    return b"".join(written)
