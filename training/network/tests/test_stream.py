import struct
from collections import Counter

import pytest

import reference
from batches import DamagedStream, Source, exit_on_damaged_stream
from conftest import write_games
from feed import Feed, beginning, lane_options
from labelling import frame, header

MOVES = [(7, 7), (8, 6), (6, 6), (9, 9), (5, 8), (4, 7), (10, 4), (8, 8)]


def write_game(path):
    """A freestyle game on 15x15 with one opening stone, won by White."""
    record = struct.pack("<4BH", 15, 0, 1, 2, len(MOVES))
    record += b"".join(struct.pack("<H", 15 * y + x) for x, y in MOVES)
    record += struct.pack(f"<{len(MOVES)}b", *range(len(MOVES)))
    path.write_bytes(header("a test") + frame(record))


def windows_of(stones, side):
    """How often each set of four windows occurs on the board, as `side` sees it."""
    grid = [["."] * 15 for _ in range(15)]
    for number, (x, y) in enumerate(stones):
        grid[y][x] = "XO"[number % 2]
    return Counter(
        tuple(sorted(reference.window(grid, x, y, dx, dy, side) for dx, dy in reference.DIRECTIONS))
        for x in range(15)
        for y in range(15)
    )


def test_the_engine_numbers_windows_as_the_reference_does(tengen_train, tmp_path):
    write_game(tmp_path / "game.bin.zst")
    batches = []
    for more in ([], ["--held-out"]):
        with Source(tengen_train, [tmp_path, "--passes", 1, *more]) as source:
            batches += [batch for batch in source if len(batch)]
    (batch,) = batches
    # Black's samples come first: the positions before the moves 2, 4, 6; then 1, 3, 5, 7.
    plies = [2, 4, 6, 1, 3, 5, 7]
    assert (batch.net, batch.last_of_block, len(batch)) == (0, True, len(plies))
    for sample, ply in enumerate(plies):
        lasting = (batch.enter // 9 <= sample) & (sample < batch.leave // 9)
        rows = batch.windows[batch.state_windows[lasting].long()].sort(1).values.tolist()
        side = "XO"[ply % 2]
        assert Counter(map(tuple, rows)) == windows_of(MOVES[:ply], side), ply
        assert batch.result[sample] == (2 if side == "O" else 0)
        assert batch.searched[sample] == ply


def test_a_damaged_stream_ends_a_program_with_one_line():
    with pytest.raises(SystemExit, match="^inside a batch$"), exit_on_damaged_stream():
        raise DamagedStream("inside a batch")


def test_a_failing_program_is_an_error(tengen_train, tmp_path):
    with pytest.raises(DamagedStream), Source(tengen_train, [tmp_path / "none"]) as source:
        list(source)


def test_generators_share_the_games(tengen_train, tmp_path):
    write_games(tmp_path / "games.bin.zst", 60)

    def read(place, count):
        found = []
        source = Source(tengen_train, [tmp_path, "--block-games", 10, *lane_options(place)])
        with Feed(source, place) as batches:
            for batch in batches:
                found.append((batch.block, batch.windows.tolist()))
                if len(found) == count:
                    return found, batches.place

    # Six blocks in a pass, one batch in each.
    whole, _ = read(beginning(1), 12)
    shared, _ = read(beginning(5), 12)
    assert [block for block, _ in shared] == list(range(12)) and shared == whole
    first, place = read(beginning(5), 7)
    assert first + read(place, 5)[0] == shared
