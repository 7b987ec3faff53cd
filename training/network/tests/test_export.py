import os
import random
import struct

import numpy as np
import pytest
import torch

import reference
import rule_files
import vectors
from batches import WINDOWS
from conftest import coded_arrays, grid_batch, lively_net
from export import (
    LAYOUT, TooLarge, checksum, decode, encode, floats, integers, read_networks, section,
    share, shaped, sharing, substitutes, widths_of, write_network,
)
from losses import score_logit
from model import Net
from start import read_networks_or_exit


@pytest.mark.parametrize("widths, boards", [
    ((32, 32), ((15, 15, "X"), (22, 5, "O"))),
    ((64, 96), ((7, 11, "X"), (20, 20, "O"))),
])
def test_integers_compute_what_the_floats_do(widths, boards):
    rng = random.Random(5)
    net = lively_net(3, *widths)
    network = integers(net)
    for width, height, side in boards:
        grids = [vectors.position(rng, width, height) for _ in range(4)]
        classical = [rng.randint(-900, 900) for _ in grids]
        classical_logits = [[[rng.randint(-2000, 3000) for _ in range(width)] for _ in range(height)] for _ in grids]
        batch = grid_batch(grids, side, classical, classical_logits)
        with torch.no_grad():
            outcome, policy = net(batch, net.residual[batch.windows.long()])
        values = 200 * score_logit(outcome)
        place = 0
        for i, grid in enumerate(grids):
            a = reference.features(reference.sums(network, grid, side))
            inputs = reference.inputs(a, grid)
            _, _, logits = reference.layers(network, inputs)
            weights = reference.policy_weights(network, inputs)
            value = reference.value(network, logits, classical[i])
            assert value == pytest.approx(values[i].item(), abs=12), (grid, classical[i])
            for y in range(height):
                for x in range(width):
                    if grid[y][x] == ".":
                        logit = reference.policy_logit(network, weights, a[y, x], classical_logits[i][y][x])
                        assert logit == pytest.approx(256 * policy[place].item(), abs=12)
                        place += 1
        assert place == len(policy)
        assert values.std() > 50


def test_windows_number_as_defined():
    empty = [list("." * 15) for _ in range(15)]
    centre = (121 * 122 // 2 + 121) * 3
    assert reference.window(empty, 7, 7, 1, 0, "X") == centre
    empty[7][8], empty[7][10] = "X", "O"
    assert reference.window(empty, 7, 7, 1, 0, "X") == (140 * 141 // 2 + 121) * 3
    assert reference.window(empty, 7, 7, 1, 0, "O") == ((121 + 2 + 9) * (121 + 3 + 9) // 2 + 121) * 3
    assert reference.window(empty, 0, 0, 1, 1, "X") == 121 * 122 // 2 * 3


def test_windows_not_seen_get_the_row_of_one_that_was():
    grid = [["."] * 15 for _ in range(15)]

    def number(text):
        grid[7] = list(text)
        return reference.window(grid, 7, 7, 1, 0, "X")

    bare, one, two = number("." * 15), number("........X......"), number("....O...X......")
    three = number("....O.O.X......")
    seen = np.zeros(199_290, bool)
    seen[[bare, two]] = True
    found = substitutes(seen)
    # The outermost stone is removed first; `three` without it was not seen either, so the other stones
    # are removed too.
    assert (found[two], found[one], found[three]) == (two, bare, bare)
    seen[one] = True
    assert substitutes(seen)[number("...O....X......")] == one
    # Edges and the centre are never changed.
    grid[0] = list("XO.............")
    cut = reference.window(grid, 0, 0, 1, 0, "X")
    grid[0] = list("X..............")
    assert found[cut] == reference.window(grid, 0, 0, 1, 0, "X") != cut


def test_files_come_back_as_they_were_written():
    networks = {seed: integers(lively_net(seed)) for seed in range(4)}
    data = encode(networks, level=1)
    assert sum(len(section(n)) for n in networks.values()) == 4 * 6_425_108
    for network, found in zip(networks.values(), decode(data).values()):
        for name, _, _ in LAYOUT:
            assert np.array_equal(network[name], found[name]), name
    damaged = bytearray(data)
    damaged[-2000] ^= 1
    with pytest.raises(Exception):
        decode(bytes(damaged))


def test_files_of_one_rule_hold_what_the_whole_file_held(tmp_path):
    networks = {seed: integers(lively_net(seed)) for seed in range(4)}
    whole = tmp_path / "whole.tgnn"
    whole.write_bytes(encode(networks, level=1))
    assert rule_files.split(whole.read_bytes(), tmp_path) == list(rule_files.RULE_FILES)[:3]
    for network, found in zip(read_networks(whole).values(), read_networks(tmp_path).values()):
        for name, _, _ in LAYOUT:
            assert np.array_equal(network[name], found[name]), name
    # Files whose networks are the same, however packed, are left alone.
    networks[1] = networks[0]
    changed = encode(networks, level=2)
    assert rule_files.split(changed, tmp_path) == ["network-standard.tgnn"]
    assert list(read_networks(tmp_path / "network-renju.tgnn")) == [2, 3]


@pytest.mark.parametrize("kept", [0, 7, 400])
def test_damaged_networks_do_not_replace_the_engines(tmp_path, monkeypatch, kept):
    damaged, folder = tmp_path / "damaged.tgnn", tmp_path / "weights"
    damaged.write_bytes(encode({0: integers(lively_net(0))}, level=1)[:kept])
    folder.mkdir()
    for file in (damaged, tmp_path / "none.tgnn"):
        monkeypatch.setattr("sys.argv", ["rule_files.py", str(file), str(folder)])
        with pytest.raises(SystemExit, match="is not a readable file of networks"):
            rule_files.main()
    assert not list(folder.iterdir())


def test_files_have_any_widths_but_one_set_each():
    wide, narrow = coded_arrays(1, 64, 96), coded_arrays(2)
    files = [encode({0: wide}, level=1), encode({1: narrow}, level=1)]
    assert [struct.unpack_from("<4H", data, 4) for data in files] == [(4, 64, 96, 96), (4, 32, 32, 32)]
    found = decode(*files)
    assert [widths_of(network) for network in found.values()] == [(64, 96, 96), (32, 32, 32)]
    for network, again in zip((wide, narrow), found.values()):
        for name in (*network, "code", "codes"):
            assert np.array_equal(network[name], again[name]), name
    with pytest.raises(AssertionError, match=r"these have \[\(32, 32, 32\), \(64, 96, 96\)\]$"):
        encode({0: wide, 1: narrow}, level=1)
    # Both hidden layers of a file have widths of their own.
    uneven = {name: np.zeros(shape, kind) for name, kind, shape in shaped(LAYOUT, (32, 96, 64))}
    again = decode(encode({1: uneven}, level=1))[1]
    assert widths_of(again) == (32, 96, 64) and again["policy_w2"].shape == (96, 32)
    assert "\nposition 1 " in vectors.vectors({0: wide, 1: again}, "n", 2, 1)


@pytest.mark.parametrize("widths", [(48, 32, 32), (32, 160, 32), (32, 32, 0)])
def test_files_of_other_widths_are_refused(widths):
    data = bytearray(encode({1: coded_arrays(2)}, level=1))
    struct.pack_into("<3H", data, 6, *widths)
    with pytest.raises(AssertionError, match=", ".join(map(str, widths))):
        decode(bytes(data))


def caro_of(lender, seed, **more):
    """A network with the rows of another and layers of its own."""
    return {**integers(lively_net(seed)), "table": lender["table"], **more}


def test_caro_has_the_rows_of_others_where_it_can(tmp_path):
    networks = {seed: integers(lively_net(seed)) for seed in range(4)}
    without = encode(networks, level=1)
    networks.update({4: caro_of(networks[0], 4), 5: caro_of(networks[1], 5)})
    data = encode(networks, level=1)
    layers = len(section(networks[4], False))
    assert len(data) - len(without) < 2 * layers + 100 < 100_000
    found = decode(data)
    assert list(found) == list(range(6)) and sharing(found) == {4: 0, 5: 1}
    for number, network in networks.items():
        for name, _, _ in LAYOUT:
            assert np.array_equal(network[name], found[number][name]), (number, name)
    # In a folder its layers have a file of their own, which need not be there.
    rule_files.split(data, tmp_path)
    assert (tmp_path / "network-caro.tgnn").stat().st_size < 2 * layers + 100
    again = read_networks(tmp_path)
    assert encode(again, level=1) == data
    (tmp_path / "network-caro.tgnn").unlink()
    assert list(read_networks(tmp_path)) == [0, 1, 2, 3]
    # New rows of freestyle are not caro's: it keeps its own.
    networks[0] = integers(lively_net(9))
    kept = decode(encode(networks, level=1))
    assert sharing(kept) == {5: 1} and np.array_equal(kept[4]["table"], found[4]["table"])
    share(networks, {4: 0})
    assert sharing(networks) == {4: 0, 5: 1}


def test_caro_gets_its_rows_where_new_ones_replace_them(tmp_path):
    networks = {number: coded_arrays(number) for number in range(3)}
    # Without codes, as a network with the rows of another is read.
    caro = {name: array for name, array in networks[2].items() if name not in ("code", "codes")}
    caro["table"] = networks[0]["table"]
    rule_files.split(encode({**networks, 4: caro}, level=1), tmp_path)
    assert sharing(read_networks(tmp_path)) == {4: 0}
    # Another rule's new network is nothing to caro.
    rule_files.split(encode({1: coded_arrays(7, 64)}, level=1), tmp_path)
    new = encode({0: coded_arrays(8, 64)}, level=1)
    (tmp_path / "network-freestyle.tgnn").rename(tmp_path / "old")
    (tmp_path / "network-freestyle.tgnn").write_bytes(new)
    with pytest.raises(AssertionError, match="caro has rows of a network that is not there, or has other"):
        read_networks(tmp_path)
    (tmp_path / "old").rename(tmp_path / "network-freestyle.tgnn")
    assert rule_files.split(new, tmp_path) == ["network-freestyle.tgnn", "network-caro.tgnn"]
    found = read_networks(tmp_path)
    assert [(number, widths_of(network)[0]) for number, network in found.items()] == [
        (0, 64), (1, 64), (2, 32), (4, 32)
    ]
    assert sharing(found) == {} and all(np.array_equal(caro[name], found[4][name]) for name in caro)
    assert rule_files.split(new, tmp_path) == []
    # Programs that write all networks of a folder into one file cannot do so now.
    with pytest.raises(SystemExit, match="a file's networks have the same widths"):
        read_networks_or_exit(tmp_path, alike=True)


def borrower(lender, layers):
    """A network with the rows of `lender` and the layers of `layers`, as it is read from a file."""
    arrays = {name: array for name, array in layers.items() if name not in ("code", "codes")}
    return {**arrays, "table": lender["table"]}


def test_networks_of_which_there_is_no_new_one_stay(tmp_path):
    networks = {number: coded_arrays(number) for number in range(4)}
    networks.update({4: borrower(networks[0], networks[2]), 5: borrower(networks[1], networks[3])})
    rule_files.split(encode(networks, level=1), tmp_path)
    # A training of caro alone has freestyle's network in its file, and none of caro9.
    new = {0: networks[0], 4: borrower(networks[0], networks[1])}
    assert rule_files.split(encode(new, level=1), tmp_path) == ["network-caro.tgnn"]
    assert rule_files.split(encode(new, level=1), tmp_path) == []
    found = read_networks(tmp_path)
    assert list(found) == list(range(6)) and sharing(found) == {4: 0, 5: 1}
    for number, expected in ((4, new[4]), (5, networks[5])):
        assert all(np.array_equal(expected[name], found[number][name]) for name in expected), number
    # One of two colours is no other case.
    assert rule_files.split(encode({2: coded_arrays(6)}, level=1), tmp_path) == ["network-renju.tgnn"]
    found = read_networks(tmp_path / "network-renju.tgnn")
    assert list(found) == [2, 3] and np.array_equal(found[3]["codes"], networks[3]["codes"])
    # Caro9 keeps rows that a new network of standard replaces, though there is a new one of caro.
    new = {**new, 1: coded_arrays(7), 4: borrower(networks[0], networks[3])}
    names = ["network-standard.tgnn", "network-caro.tgnn"]
    assert rule_files.split(encode(new, level=1), tmp_path) == names
    found = read_networks(tmp_path)
    assert sharing(found) == {4: 0} and np.array_equal(found[4]["w1"], new[4]["w1"])
    assert all(np.array_equal(array, found[5][name]) for name, array in networks[5].items())
    before = (tmp_path / names[1]).read_bytes()
    text = r"would have caro9 with widths \[32, 32, 32\] and caro with widths \[64, 32, 32\], but a file's"
    with pytest.raises(SystemExit, match=text):
        rule_files.split(encode({0: coded_arrays(8, 64), 4: coded_arrays(9, 64)}, level=1), tmp_path)
    assert (tmp_path / names[1]).read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == sorted(rule_files.RULE_FILES)


def test_an_interruption_never_leaves_caro_on_other_rows(tmp_path, monkeypatch):
    networks = {number: coded_arrays(number) for number in range(3)}
    networks[4] = borrower(networks[0], networks[2])
    rule_files.split(encode(networks, level=1), tmp_path)
    new, replace, done = encode({0: coded_arrays(8), 1: coded_arrays(9)}, level=1), os.replace, []

    def interrupted(*paths):
        if len(done) == count:
            raise KeyboardInterrupt
        done.append(paths)
        replace(*paths)

    for count in range(3):
        with monkeypatch.context() as during:
            during.setattr(os, "replace", interrupted)
            with pytest.raises(KeyboardInterrupt):
                rule_files.split(new, tmp_path)
        assert np.array_equal(read_networks(tmp_path)[4]["table"], networks[4]["table"])
    # The same command ends what was interrupted.
    assert rule_files.split(new, tmp_path) == ["network-freestyle.tgnn"]
    assert np.array_equal(read_networks(tmp_path)[4]["table"], networks[4]["table"])
    assert sorted(os.listdir(tmp_path)) == sorted(rule_files.RULE_FILES)


def test_loaded_weights_are_those_that_were_written():
    arrays = integers(lively_net(2))
    net = Net(9)
    # Also a window without a row, and the least number that a row can have.
    arrays["table"][1000] = 0
    arrays["table"][2000] = -128
    net.load_state_dict(floats(arrays))
    for name, found in integers(net).items():
        assert np.array_equal(arrays[name], found), name


def test_networks_that_were_not_trained_are_written_unchanged(tmp_path):
    nets = {seed: lively_net(seed) for seed in range(4)}
    other = integers(lively_net(7))
    write_network(nets, tmp_path / "new.tgnn", {1: other})
    found = decode((tmp_path / "new.tgnn").read_bytes())
    for number, net in nets.items():
        expected = other if number == 1 else integers(net)
        for name, _, _ in LAYOUT:
            assert np.array_equal(expected[name], found[number][name]), (number, name)


def test_the_checksum_is_the_engines():
    # Known values of the function in src/eval/weights_file.rs.
    assert checksum(b"") == 0xCBF29CE484222325
    words = bytes(range(1, 20))
    value = 0xCBF29CE484222325
    for word in (0x0807060504030201, 0x100F0E0D0C0B0A09, 17, 18, 19):
        value = (value ^ word) * 0x100000001B3 % 2**64
        value = (value << 23 | value >> 41) % 2**64
    assert checksum(words) == value


def test_weights_that_do_not_fit_are_refused():
    net = lively_net(1)
    with torch.no_grad():
        net.w2.fill_(40.0)
    with pytest.raises(TooLarge):
        integers(net)
    net = lively_net(1)
    with torch.no_grad():
        net.w1.fill_(8.0)
    with pytest.raises(TooLarge):
        integers(net)
    for name in ("w3", "policy_w2", "arms", "skip"):
        net = lively_net(1)
        with torch.no_grad():
            getattr(net, name).fill_(float("nan"))
        with pytest.raises((TooLarge, ValueError)):
            integers(net)


def test_vectors_are_the_same_every_time():
    networks = {seed: integers(lively_net(seed)) for seed in range(4)}
    networks[5] = caro_of(networks[1], 5)
    text = vectors.vectors(networks, "n", 10, 1)
    assert text == vectors.vectors(networks, "n", 10, 1)
    assert text.count("\nposition ") == text.count("\nvalue ") == 10
    assert text.count("\nposition 5 ") == 2 and "\nposition 4 " not in text
