import numpy as np

import reference
from batches import WINDOWS
from conftest import grid_batch
from smooth import alike, count_windows, smoothed


def number(text, mirrored=False):
    """The window of the middle of a line of 15 cells."""
    grid = [["."] * 15 for _ in range(15)]
    grid[7] = list(text[::-1] if mirrored else text)
    return reference.window(grid, 7, 7, 1, 0, "X")


def test_windows_look_alike_where_their_nearer_cells_do():
    near, far = number(".....OX.X......"), number("..O..OX.X..X...")
    assert near == number(".....OX.X......", mirrored=True)
    for radius in (2, 3):
        assert alike(radius)[near] == alike(radius)[far]
    assert alike(4)[near] != alike(4)[far]
    assert alike(2)[near] == alike(2)[number("....OOX.X......")] != alike(2)[number(".....OX..X.....")]
    # Where the board ends within the nearer cells, that is a difference; further out it is none.
    grid = [["."] * 15 for _ in range(15)]
    at = [reference.window(grid, x, 7, 1, 0, "X") for x in (2, 3, 4, 7)]
    assert alike(3)[at[1]] == alike(3)[at[2]] == alike(3)[at[3]] != alike(3)[at[0]]
    # Each group's name is a window of its own: what is alike stays alike when looked at again.
    for radius in (2, 3, 4):
        group = alike(radius)
        assert np.array_equal(group[group], group)


def test_rare_rows_are_drawn_to_those_of_their_like():
    often, rare, never = (number(t) for t in (".....XX........", "..O..XX........", "..O..XX.....O.."))
    other = number("......O.O......")
    table, met = np.zeros((WINDOWS, 32), np.int8), np.zeros(WINDOWS, np.int64)
    table[often], table[rare], table[never], table[other] = 100, -60, -120, 40
    met[often], met[rare], met[other] = 1_000_000, 100, 50
    found = smoothed(table, met, 100)
    assert (found[often] == 100).all()
    assert (found[rare] == 20).all()
    assert (found[never] == 100).all()
    # Nothing is like it but itself, at each of the radii: 0, then its own row, a third of it each.
    expected = 0
    for _ in range(4):
        expected = (50 * 40 + 100 * expected) / 150
    assert (found[other] == round(expected)).all()
    assert np.array_equal(smoothed(table, np.where(met > 0, met, 1), 0), table)


def test_windows_are_counted_by_network_until_there_are_enough_positions():
    empty = [[["."] * 15 for _ in range(15)]]
    orders = [[[0] * 15] * 15]

    class Batches(list):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.clear()

    batch = grid_batch(empty, "X", [0], orders)
    met = count_windows(Batches([batch] * 5), 3)
    assert met[0].sum() == 3 * 4 * 225 and not met[1:].any()
    middle = number("." * 15)
    # Five cells to each side: 5 of 15 in a row or column; diagonals have fewer.
    assert met[0][middle] == 3 * (2 * 5 * 15 + 2 * 25)
