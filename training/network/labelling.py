"""Values by a teacher in files of games, whose bytes `tools/src/datagen/data_file.rs` and `record.rs` describe."""

import json

import numpy as np
import torch
import zstandard

from boards import turned

#: Bytes of a record before its moves.
_HEADER = 6


def frame(content):
    """A frame of a file of games."""
    return zstandard.ZstdCompressor(write_checksum=True).compress(content)


def header(source):
    """The first frame of a file of games; `source` says who made them and how."""
    return frame(json.dumps({"format": 3, "source": source}).encode())


def predictions(learner, boards, symmetries=1):
    """Win less loss of the side to move, f32 [S], the mean over so many symmetries of the board, from 1
    to 8."""
    learner.net.eval()
    boards = boards.to(learner.device)
    with torch.no_grad():
        values = 0
        for symmetry in range(symmetries):
            several = torch.full((len(boards),), symmetry, device=learner.device)
            _, outcome = learner.outputs(turned(boards, several))
            chances = torch.softmax(outcome, dim=1)
            values = values + (chances[:, 0] - chances[:, 2]) / symmetries
        return values


def labelled_records(boards, values):
    """The bytes of the batch's records, with these values of the batch's positions, f32 [S] from -1 to 1,
    in place of the searches' values."""
    records = boards.records.numpy().copy()
    starts = boards.record_bytes.numpy()[:-1]
    plies = records[starts + 4] + 256 * records[starts + 5].astype(np.int32)
    record = np.repeat(np.arange(len(starts)), np.diff(boards.record_samples.numpy()))
    places = (starts + _HEADER + 2 * plies)[record] + boards.ply.cpu().numpy()
    records[places] = (values * 127).round().cpu().numpy().astype(np.int8).view(np.uint8)
    return records.tobytes()
