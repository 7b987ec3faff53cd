"""The batches to learn from, in an order that depends on the options alone.

A place in that order can be saved, and a later run goes on from there.
"""

import copy
import queue
import threading

#: Batches of a generator that wait for the learner.
AHEAD = 4


def beginning(generators=1):
    """The first place: whose turn it is, and for each generator its block and the batches of it that
    were read."""
    return {"turn": 0, "lanes": [[block, 0] for block in range(generators)]}


class Feed:
    """Batches of several generators in turns, read ahead of their use; to be used in a `with`.

    `open_source(block)` is the `Source` of a generator that begins with this block and takes each
    `len(place["lanes"])`-th one from there.
    """

    def __init__(self, open_source, place):
        #: The place behind the batch that was yielded last.
        self.place = copy.deepcopy(place)
        self._lanes = [_Lane(open_source(block), read) for block, read in place["lanes"]]

    def __enter__(self):
        for lane in self._lanes:
            lane.start()
        return self

    def __exit__(self, *_):
        for lane in self._lanes:
            lane.stop()

    def __iter__(self):
        while (batch := self._lanes[self.place["turn"]].next()) is not None:
            lane = self.place["lanes"][self.place["turn"]]
            if batch.last_of_block:
                lane[:] = [batch.block + len(self._lanes), 0]
            else:
                lane[1] += 1
            self.place["turn"] = (self.place["turn"] + 1) % len(self._lanes)
            yield batch


class _Lane:
    """A thread that reads the batches of one generator; the first `read` are left out."""

    def __init__(self, source, read):
        self._source, self._read = source, read
        self._queue = queue.Queue(AHEAD)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self._source.__enter__()
        self._thread.start()

    def next(self):
        """The next batch, or None at the end."""
        item = self._queue.get()
        if isinstance(item, Exception):
            raise item
        return item

    def stop(self):
        self._source.kill()
        while self._thread.is_alive():
            # The thread may wait for room.
            try:
                self._queue.get(timeout=0.02)
            except queue.Empty:
                pass
        self._source.__exit__()

    def _run(self):
        try:
            for number, batch in enumerate(self._source):
                if number >= self._read:
                    self._queue.put(batch)
            self._queue.put(None)
        except Exception as error:  # The learner's thread raises it.
            self._queue.put(error)
