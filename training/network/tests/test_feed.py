import threading
import time
from dataclasses import replace

import pytest

import feed
from batches import DamagedStream
from feed import Feed, lane_options

BLOCKS = 12
SIZES = (3, 1, 4, 2)


class Generators:
    """Stands for a `Source`: lanes in turns from a place on, until one has no block left, which fails."""

    def __init__(self, batch, place):
        self.batch = batch
        lanes = place["lanes"]
        self.lanes = [self.lane(block, read, len(lanes)) for block, read in lanes]
        self.turn = place["turn"]
        self.killed = threading.Event()

    def lane(self, block, read, step):
        for number in range(block, BLOCKS, step):
            size = SIZES[number % len(SIZES)]
            for i in range(read if number == block else 0, size):
                yield replace(self.batch, net=i, block=number, last_of_block=i == size - 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert self.killed.is_set()

    def kill(self):
        self.killed.set()

    def __iter__(self):
        while (batch := next(self.lanes[self.turn], None)) is not None:
            yield batch
            self.turn = (self.turn + 1) % len(self.lanes)
        raise DamagedStream("the generator failed")


@pytest.mark.parametrize("generators", [1, 3])
def test_a_feed_goes_on_at_every_place(random_batch, generators):
    def read(place, count):
        found, places = [], []
        with Feed(Generators(random_batch(1), place), place) as batches:
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


def test_a_place_is_told_to_the_program():
    assert lane_options(feed.beginning(2)) == ["--lanes", "0:0,1:0", "--turn", 0]
    assert lane_options({"turn": 1, "lanes": [[6, 2]]}) == ["--lanes", "6:2", "--turn", 1]


def test_a_failing_generator_is_the_learners_error(random_batch):
    place = feed.beginning()
    with pytest.raises(DamagedStream), Feed(Generators(random_batch(1), place), place) as all:
        for number, _ in enumerate(all):
            assert number < sum(SIZES) * BLOCKS // len(SIZES)


def test_a_feed_reads_ahead_but_not_everything(random_batch):
    place = feed.beginning(2)
    with Feed(Generators(random_batch(1), place), place) as batches:
        time.sleep(0.2)
        assert batches._queue.qsize() == feed.AHEAD
