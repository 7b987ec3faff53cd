import numpy as np
import pytest

import reference
from batches import WINDOWS
from conftest import grid_batch
from smooth import count_windows, similar_group, smoothed


def number(text, mirrored=False):
    """The window of the middle of a line of 15 cells."""
    grid = [["."] * 15 for _ in range(15)]
    grid[7] = list(text[::-1] if mirrored else text)
    return reference.window(grid, 7, 7, 1, 0, "X")


def test_windows_are_similar_where_their_nearer_cells_agree():
    near, far = number(".....OX.X......"), number("..O..OX.X..X...")
    assert near == number(".....OX.X......", mirrored=True)
    for radius in (2, 3):
        assert similar_group(radius)[near] == similar_group(radius)[far]
    assert similar_group(4)[near] != similar_group(4)[far]
    assert similar_group(2)[near] == similar_group(2)[number("....OOX.X......")] != similar_group(2)[number(".....OX..X.....")]
    # An edge of the board makes a difference within the nearer cells only.
    grid = [["."] * 15 for _ in range(15)]
    at = [reference.window(grid, x, 7, 1, 0, "X") for x in (2, 3, 4, 7)]
    assert similar_group(3)[at[1]] == similar_group(3)[at[2]] == similar_group(3)[at[3]] != similar_group(3)[at[0]]
    # A group's number is that of a window of the group.
    for radius in (2, 3, 4):
        group = similar_group(radius)
        assert np.array_equal(group[group], group)


def test_rare_rows_move_towards_those_of_similar_windows():
    often, rare, never = (number(t) for t in (".....XX........", "..O..XX........", "..O..XX.....O.."))
    other = number("......O.O......")
    table, counts = np.zeros((WINDOWS, 32), np.int8), np.zeros(WINDOWS, np.int64)
    table[often], table[rare], table[never], table[other] = 100, -60, -120, 40
    counts[often], counts[rare], counts[other] = 1_000_000, 100, 50
    found = smoothed(table, counts, 100)
    assert (found[often] == 100).all()
    assert (found[rare] == 20).all()
    assert (found[never] == 100).all()
    # It is similar to itself only, so at each radius the mean is mixed with its own row.
    expected = 0
    for _ in range(4):
        expected = (50 * 40 + 100 * expected) / 150
    assert (found[other] == round(expected)).all()
    assert np.array_equal(smoothed(table, np.where(counts > 0, counts, 1), 0), table)


def test_windows_are_counted_by_network_until_there_are_enough_positions():
    empty = [[["."] * 15 for _ in range(15)]]
    logits = [[[0] * 15] * 15]

    class Batches(list):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.clear()

    batch = grid_batch(empty, "X", [0], logits)
    counts = count_windows(Batches([batch] * 5), 3)
    assert counts[0].sum() == 3 * 4 * 225 and not counts[1:].any()
    middle = number("." * 15)
    # Five cells to each side: 5 of 15 in a row or column; diagonals have fewer.
    assert counts[0][middle] == 3 * (2 * 5 * 15 + 2 * 25)


def test_games_without_positions_end_the_count():
    class Batches(list):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.clear()

    batch = grid_batch([[["."] * 15 for _ in range(15)]], "X", [0], [[[0] * 15] * 15])
    with pytest.raises(SystemExit, match="no positions with a value"):
        count_windows(Batches([batch.first(0)] * 5), 3)
    with pytest.raises(SystemExit, match="no positions with a value"):
        count_windows(Batches(), 3)
