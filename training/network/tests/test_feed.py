import threading
import time
from dataclasses import replace

import pytest

import feed
from batches import DamagedStream
from feed import Feed

BLOCKS = 12
SIZES = (3, 1, 4, 2)


class Generator:
    """Stands for a `Source`: every `step`-th block from `block` on, the last of `BLOCKS` fails."""

    def __init__(self, batch, block, step):
        self.batch, self.block, self.step = batch, block, step
        self.killed = threading.Event()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert self.killed.is_set()

    def kill(self):
        self.killed.set()

    def __iter__(self):
        for block in range(self.block, BLOCKS, self.step):
            size = SIZES[block % len(SIZES)]
            for number in range(size):
                last = number == size - 1
                yield replace(self.batch, net=number, block=block, last_of_block=last)
        raise DamagedStream("the generator failed")


@pytest.mark.parametrize("generators", [1, 3])
def test_a_feed_goes_on_at_every_place(random_batch, generators):
    def read(place, count):
        found, places = [], []
        with Feed(lambda block: Generator(random_batch(1), block, generators), place) as batches:
            for batch in batches:
                found.append((batch.block, batch.net))
                places.append(str(batches.place))
                if len(found) == count:
                    return found, places, batches.place

    start = feed.beginning(generators)
    whole, places, _ = read(start, 20)
    assert start == feed.beginning(generators)
    assert [block for block, _ in whole[:3]] == ([0, 0, 0] if generators == 1 else [0, 1, 2])
    assert len(set(whole)) == 20 == len(set(places))
    for count in range(1, 20):
        first, _, place = read(start, count)
        rest, rest_places, _ = read(place, 20 - count)
        assert (first + rest, rest_places) == (whole, places[count:])


def test_a_failing_generator_is_the_learners_error(random_batch):
    with pytest.raises(DamagedStream), Feed(lambda b: Generator(random_batch(1), b, 1), feed.beginning()) as all:
        for number, _ in enumerate(all):
            assert number < sum(SIZES) * BLOCKS // len(SIZES)


def test_a_feed_reads_ahead_but_not_everything(random_batch):
    with Feed(lambda block: Generator(random_batch(1), block, 2), feed.beginning(2)) as batches:
        time.sleep(0.2)
        assert [lane._queue.qsize() for lane in batches._lanes] == [feed.AHEAD] * 2
