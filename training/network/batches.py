"""Batches of positions, as `tengen-train batches` writes them.

The layout is described in `training/classical/src/batches.rs`. A batch has the positions of a few
hundred games of one network (one of `NETS`; renju has one for each colour to move).
"""

import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace

import numpy as np
import torch

NETS = ("freestyle", "standard", "renju-black", "renju-white", "caro", "caro9")
#: The rule of each network.
NET_RULES = tuple(net.split("-")[0] for net in NETS)
WINDOWS = 199_290
_MAGIC = int.from_bytes(b"TGB4", "little")
_HEADER = 10


@dataclass
class Batch:
    """S samples, G cell states, D distinct windows, K candidate moves; i32 where no type is given."""

    net: int
    block: int
    blocks: int
    last_of_block: bool
    #: [D] numbers of the distinct windows
    windows: torch.Tensor
    #: [G, 4] indices into `windows`
    state_windows: torch.Tensor
    #: [D + 1], [4G] the states that have each window: where they begin, and the states
    window_from: torch.Tensor
    window_states: torch.Tensor
    #: [G] bags (9 * sample + region) where each state enters and leaves
    enter: torch.Tensor
    leave: torch.Tensor
    #: [9S + 1], [E], f32 [E] where each bag's events begin, their states, 1 (enter) or -1 (leave)
    event_from: torch.Tensor
    event_states: torch.Tensor
    event_signs: torch.Tensor
    #: [S] cells of the board
    cells: torch.Tensor
    #: [S] classical evaluation, 200 to a factor e
    classical: torch.Tensor
    #: [S] 0 lost, 1 drawn, 2 won, 3 unknown (a branch)
    result: torch.Tensor
    #: [S] value of the search, times 127
    searched: torch.Tensor
    #: [S] 1 where the value is trained
    quiet: torch.Tensor
    #: [S + 1] where each sample's candidate moves begin
    candidate_from: torch.Tensor
    #: [S] index of the candidate that was played, among those of all samples, or -1
    played: torch.Tensor
    #: [K] state of each candidate's cell
    candidate_states: torch.Tensor
    #: [K] classical policy logit, 256 to a factor e
    classical_policy: torch.Tensor

    def __len__(self):
        return len(self.cells)

    def first(self, count):
        """The first `count` samples. All states and windows stay, but no sample has the later ones."""
        if count >= len(self):
            return self
        bags = 9 * count
        events, candidates = int(self.event_from[bags]), int(self.candidate_from[count])
        samples = ("cells", "classical", "result", "searched", "quiet", "played")
        return replace(
            self,
            enter=self.enter.clamp(max=bags),
            leave=self.leave.clamp(max=bags),
            event_from=self.event_from[: bags + 1],
            event_states=self.event_states[:events],
            event_signs=self.event_signs[:events],
            **{name: getattr(self, name)[:count] for name in samples},
            candidate_from=self.candidate_from[: count + 1],
            candidate_states=self.candidate_states[:candidates],
            classical_policy=self.classical_policy[:candidates],
        )

    def to(self, device):
        """The batch on another device."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return Batch(
            **{k: v.to(device) if torch.is_tensor(v) else v for k, v in values.items()}
        )


def candidate_samples(batch):
    """The sample of each candidate move."""
    counts = batch.candidate_from.diff().long()
    samples = torch.arange(len(counts), device=counts.device)
    # With the size given CUDA does not have to wait for the counts.
    return torch.repeat_interleave(samples, counts, output_size=len(batch.candidate_states))


class DamagedStream(Exception):
    """The stream is not one of batches, or ends inside a batch."""


@contextmanager
def exit_on_damaged_stream():
    """Ends the program with one line where a stream is damaged."""
    try:
        yield
    except DamagedStream as error:
        sys.exit(str(error))


def fill(memory, stream):
    """Reads as many bytes as fit; returns whether there were enough."""
    done = 0
    while done < len(memory) and (count := stream.readinto(memory[done:])):
        done += count
    return done == len(memory)


def read_batch(stream, device="cpu"):
    """The next batch of a binary stream, or None at its end. Raises DamagedStream."""
    head = stream.read(4 * _HEADER)
    if not head:
        return None
    if len(head) < 4 * _HEADER:
        raise DamagedStream("the stream ends inside a header")
    magic, net, s, g, d, k, e, block, blocks, last = np.frombuffer(head, "<u4").tolist()
    if magic != _MAGIC or net >= len(NETS):
        raise DamagedStream("this is not a batch")
    lengths = [d, 4 * g, d + 1, 4 * g, g, g, 9 * s + 1, e, e]
    lengths += [s] * 5 + [s + 1, s, k, k]
    # Locked memory is what CUDA can copy while the program goes on.
    is_cuda = torch.device(device).type == "cuda"
    numbers = torch.empty(sum(lengths), dtype=torch.int32, pin_memory=is_cuda)
    if not fill(memoryview(numbers.numpy()).cast("B"), stream):
        raise DamagedStream("the stream ends inside a batch")
    arrays = list(numbers.to(device, non_blocking=True).split(lengths))
    arrays[1] = arrays[1].view(g, 4)
    arrays[8] = arrays[8].view(torch.float32)
    return Batch(net, block, blocks, bool(last), *arrays)


class Source:
    """Batches from `tengen-train batches`, or another of its commands whose batches `read` reads, with
    these arguments; to be used in a `with`."""

    def __init__(self, program, arguments, device="cpu", command="batches", read=read_batch):
        self._command = [str(program), command, *map(str, arguments)]
        self._device, self._read = device, read
        self._process = None

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, bufsize=1 << 20)
        return self

    def kill(self):
        """Ends the program, so a thread that waits for its batches goes on."""
        self._process.kill()

    def __exit__(self, *_):
        self.kill()
        self._process.stdout.close()
        self._process.wait()

    def __iter__(self):
        while (batch := self._read(self._process.stdout, self._device)) is not None:
            yield batch
        if self._process.wait() != 0:
            raise DamagedStream(f"{self._command[0]} failed")
