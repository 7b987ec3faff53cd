import numpy as np
import pytest

from batches import WINDOWS
from codebook import codebook, with_codes
from conftest import lively_net
from export import LAYOUT, decode, encode, integers, section


def test_rows_get_the_nearest_code_and_heavy_ones_an_exact_one():
    rows = np.zeros((8, 32), np.int8)
    rows[:, 0] = [0, 1, 50, 52, 100, 0, -90, -90]
    weights = np.array([100, 1, 10, 5, 60, 50, 11, 11])
    found, code = codebook(rows, weights, 4, 10)
    assert found[code][:, 0].tolist() == [0, 0, 51, 51, 100, 0, -90, -90]
    # In the order of first use.
    assert code.tolist() == [0, 0, 1, 1, 2, 0, 3, 3] and code.dtype == np.uint16
    same, all_codes = codebook(rows, weights, 100, 3)
    assert len(same) == 6 and np.array_equal(same[all_codes], rows)
    coarse, code = codebook(rows, weights, 100, 3, unit=4)
    error = coarse[code].astype(int) - rows
    assert (coarse % 4 == 0).all() and 0 < abs(error).max() <= 2


def test_more_codes_are_more_exact():
    rng = np.random.default_rng(3)
    rows = rng.integers(-100, 100, (3000, 32)).astype(np.int8)
    weights = rng.random(3000) ** 4
    errors = []
    for codes in (50, 500, 2500):
        found, code = codebook(rows, weights, codes, 4)
        errors.append(weights @ ((found[code].astype(float) - rows) ** 2).mean(1))
    assert errors[0] > 1.1 * errors[1] > 1.1 * errors[2] > 0


def test_networks_with_codes_come_back_as_they_were_written():
    networks = {seed: integers(lively_net(seed)) for seed in range(4)}
    plain = encode(networks, level=1)
    counts = np.zeros(WINDOWS)
    counts[:300] = 1000
    networks[1], error = with_codes(networks[1], counts, 301, 1)
    assert error > 0
    assert len(section(networks[1])) == 6_425_108 - 32 * WINDOWS + 2 * WINDOWS + 32 * 301
    data = encode(networks, level=1)
    assert len(data) < 0.8 * len(plain)
    again = decode(data)
    assert encode(again, level=1) == data
    for network, found in zip(networks.values(), again.values()):
        for name, _, _ in LAYOUT:
            assert np.array_equal(network[name], found[name]), name
    # A table that was changed afterwards would be lost.
    networks[1]["table"] = networks[0]["table"]
    with pytest.raises(AssertionError):
        encode(networks, level=1)
