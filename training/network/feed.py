"""The batches to learn from, in an order that depends on the options alone.

A place in that order can be saved, and a later run goes on from there.
"""

import argparse
import copy
import queue
import threading

import torch

from options import number, program_file

#: Batches that wait for the learner.
AHEAD = 8


def beginning(generators=1):
    """The first place: the generator whose turn it is, and for each generator its block and the number
    of batches read."""
    return {"turn": 0, "lanes": [[block, 0] for block in range(generators)]}


def device(text):
    """The type of an option that names a device to compute on."""
    try:
        torch.empty(0, device=text)
    except (AssertionError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise argparse.ArgumentTypeError(f"{text} cannot be used: {reason}") from error
    return text


def add_stream_options(parser):
    """Adds what all programs know that learn from batches: of which games, how, and where."""
    parser.add_argument("games", nargs="+", help="files of games, or folders with .bin.zst files")
    parser.add_argument("--max-games", type=number(1, kind=int),
                        help="use at most this many records: games and branches")
    parser.add_argument("--batch-size", type=number(1, kind=int), default=2048,
                        help="positions of a batch; one that ends with its block has fewer")
    parser.add_argument("--block-games", type=number(1, kind=int), default=8192,
                        help="records of a block: games and branches; what follows an interruption is "
                        "read from its block's beginning")
    parser.add_argument("--generators", type=number(1, 256, int), default=1,
                        help="threads that make batches; the order of the batches depends on their number")
    parser.add_argument("--device", type=device, default="cuda" if torch.cuda.is_available() else "cpu",
                        help="cpu or cuda")
    parser.add_argument("--threads", type=number(1, kind=int), default=1, help="threads of the CPU")
    parser.add_argument("--program", type=program_file, help="tengen-train; built by cargo if not given")


def lane_options(place):
    """The options of `tengen-train` for batches from this place on."""
    lanes = ",".join(f"{block}:{read}" for block, read in place["lanes"])
    return ["--lanes", lanes, "--turn", place["turn"]]


def stream_options(options, place):
    """The same for batches of the blocks and games that `options` name."""
    stream = ["--block-games", options.block_games, *lane_options(place)]
    return stream + (["--max-games", options.max_games] if options.max_games else [])


class Feed:
    """Batches read ahead of their use, of one or more generators in turns; to be used in a `with`.

    `source` is the `Source` of batches from `place` on, one of each generator in turns, each of which
    takes each `len(place["lanes"])`-th block.
    """

    def __init__(self, source, place):
        #: The place behind the batch that was yielded last.
        self.place = copy.deepcopy(place)
        self._source = source
        self._queue = queue.Queue(AHEAD)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._source.__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._source.kill()
        while self._thread.is_alive():
            # The thread may wait for room.
            try:
                self._queue.get(timeout=0.02)
            except queue.Empty:
                pass
        self._source.__exit__()

    def __iter__(self):
        while (batch := self._queue.get()) is not None:
            if isinstance(batch, Exception):
                raise batch
            lanes = self.place["lanes"]
            lane = lanes[self.place["turn"]]
            if batch.last_of_block:
                lane[:] = [batch.block + len(lanes), 0]
            else:
                lane[1] += 1
            self.place["turn"] = (self.place["turn"] + 1) % len(lanes)
            yield batch

    def _run(self):
        try:
            for batch in self._source:
                self._queue.put(batch)
            self._queue.put(None)
        except Exception as error:  # The learner's thread raises it.
            self._queue.put(error)
