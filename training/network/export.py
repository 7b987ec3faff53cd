#!/usr/bin/env python3
"""The networks as integers, and the file that the engine embeds.

README.md describes the layout; `reference.py` has the exact arithmetic.
"""

import hashlib
import math
import os
import struct
from pathlib import Path

import numpy as np
import torch
import zstandard

from batches import NET_RULES, NETS, WINDOWS
from learner import Learner, load_or_exit
from model import ARMS, GLOBAL_SCALE, LOGIT, REGION_SCALE, UNIT, WIDTHS, split_windows
from options import Parser
from rule_files import RULE_FILES, sections

MAGIC = b"TGNN"
VERSION = 4
#: Caro's networks, optional in a file, and the networks with which they begin.
LENDERS = {4: 0, 5: 1}
#: Stands in place of the number of codes where the rows are another network's: this and that network's
#: number.
SHARED = 1 << 31
#: Bits by which the accumulators of the three layers are shifted down.
SHIFTS = (11, 10, 4)
#: The same for the layer that makes the policy weights.
POLICY_SHIFT = 10
#: The integer that represents 1.0 in a policy weight.
POLICY_UNIT = 256
#: The integer that represents 1.0 in a logit.
LOGIT_UNIT = 8192
SOFTPLUS = 1024
#: Arrays of a section in their order, with types and shapes. `C` is the number of channels, `H1` and `H2`
#: are those of the outputs of the first two layers; the inputs of the first layer are the channels over
#: the board and over its nine regions.
LAYOUT = (
    ("table", "i1", (WINDOWS, "C")),
    ("w1", "<i2", ("10 C", "H1")),
    ("b1", "<i4", ("H1",)),
    ("w2", "<i2", ("H1", "H2")),
    ("b2", "<i4", ("H2",)),
    ("w3", "<i2", ("H2", 3)),
    ("b3", "<i4", (3,)),
    ("skip", "<i4", ()),
    ("policy_w1", "<i2", ("10 C", "H1")),
    ("policy_b1", "<i4", ("H1",)),
    ("policy_w2", "<i2", ("H1", "C")),
    ("policy_b2", "<i4", ("C",)),
    ("policy_skip", "<i4", ()),
    ("softplus", "<u2", (SOFTPLUS,)),
)


class TooLarge(Exception):
    """A weight does not fit its integer, or a sum of products might not."""


def shaped(layout, widths):
    """A part of `LAYOUT` with the numbers of networks of these widths in its shapes."""
    channels, first, second = widths
    sizes = {"C": channels, "10 C": 10 * channels, "H1": first, "H2": second}
    return [(name, kind, tuple(sizes.get(size, size) for size in shape)) for name, kind, shape in layout]


def widths_of(arrays):
    """The channels of a network, and the outputs of its first two layers."""
    return arrays["table"].shape[1], len(arrays["b1"]), len(arrays["b2"])


def common_widths(networks):
    """The widths of all these networks, as one file must have them."""
    found = sorted({widths_of(arrays) for arrays in networks.values()})
    assert len(found) == 1, f"a file's networks have the same widths, these have {found}"
    return found[0]


def first_arms():
    """Numbers of the first arms of 0 to 5 cells."""
    return np.cumsum([0] + [3**cells for cells in range(5)])


def _nearer_arms():
    """For each arm the arm without its outermost stone, and the distance of that stone (0: none)."""
    nearer, reach = np.arange(ARMS), np.zeros(ARMS, np.int64)
    for cells, first in enumerate(first_arms()):
        for content in range(3**cells):
            for step in range(cells, 0, -1):
                digit = content // 3 ** (step - 1) % 3
                if digit:
                    nearer[first + content] -= digit * 3 ** (step - 1)
                    reach[first + content] = step
                    break
    return nearer, reach


def substitutes(seen):
    """For each window the number of the window whose row it gets: its own if `seen` in training, else
    the first seen one when its outermost stones are removed one by one."""
    low, high, centre = (part.numpy() for part in split_windows(torch.arange(WINDOWS)))
    nearer, reach = _nearer_arms()
    outer = reach[high] >= reach[low]
    a, b = np.where(outer, nearer[high], high), np.where(outer, low, nearer[low])
    big, small = np.maximum(a, b), np.minimum(a, b)
    parent = (big * (big + 1) // 2 + small) * 3 + centre
    found = np.arange(WINDOWS)
    while not (done := seen[found] | (parent[found] == found)).all():
        found = np.where(done, found, parent[found])
    return found


def _row_numbers(net):
    """The row of `net.rows` that each window gets."""
    if net.code is not None:
        return net.code
    # The rows of a file, whose arms are zero, are whole. Otherwise a window unseen in training gets the
    # row of a seen one: the sums of arms are hardly better, and would be most of the compressed file.
    is_whole = not net.arms.any()
    return slice(None) if is_whole else substitutes(net.residual.any(1).numpy())


def integers(net):
    """The arrays of `LAYOUT` for a network."""
    net = net.cpu()
    with torch.no_grad():
        rows = net.rows(torch.arange(len(net.residual)), net.residual) * UNIT
        table = rows[_row_numbers(net)]
        b1 = net.b1.double() - net.centre.double() @ net.w1.double()
        policy_b1 = net.policy_b1.double() - net.centre.double() @ net.policy_w1.double()

    def layer(weights, bias, shift, unit_in=UNIT, unit_out=UNIT):
        # acc = sum of (input * unit_in) * (weight * scale); output = acc >> shift, rounded.
        scale = unit_out * 2**shift / unit_in
        rounding = 2 ** (shift - 1)
        weights = np.round(weights.detach().double().numpy() * scale)
        return weights, np.round(bias.detach().double().numpy() * unit_out * 2**shift) + rounding

    steps = (np.arange(SOFTPLUS) + 0.5) / 128
    w1, b1 = layer(net.w1, b1, SHIFTS[0])
    w2, b2 = layer(net.w2, net.b2, SHIFTS[1])
    w3, b3 = layer(net.w3, net.b3, SHIFTS[2], unit_out=LOGIT_UNIT)
    policy_w1, policy_b1 = layer(net.policy_w1, policy_b1, SHIFTS[0])
    policy_w2, policy_b2 = layer(
        net.policy_w2, net.policy_b2, POLICY_SHIFT, unit_out=POLICY_UNIT
    )
    arrays = {
        "table": table.numpy(),
        "w1": w1,
        "b1": b1,
        "w2": w2,
        "b2": b2,
        "w3": w3,
        "b3": b3,
        # Half of the classical logit goes to the win, half from the loss; then >> 8.
        "skip": np.round(net.skip.item() / 2 / LOGIT * LOGIT_UNIT * 256),
        "policy_w1": policy_w1,
        "policy_b1": policy_b1,
        "policy_w2": policy_w2,
        "policy_b2": policy_b2,
        "policy_skip": np.round(net.policy_skip.item() * 256),
        "softplus": np.round(LOGIT_UNIT * np.log1p(np.exp(-steps))),
    }
    packed = {}
    for name, kind, shape in shaped(LAYOUT, (table.shape[1], len(net.b1), len(net.b2))):
        array = np.asarray(arrays[name])
        limits = np.iinfo(kind)
        # Not a number is within no limits.
        is_within = array.min() >= limits.min and array.max() <= limits.max
        if array.shape != shape or not is_within:
            raise TooLarge(f"{name} does not fit {kind}")
        packed[name] = array.astype(kind)
    _check_sums(packed)
    if net.code is not None:
        packed["codes"], packed["code"] = rows.numpy().astype("i1"), net.code.numpy().astype("<u2")
    return packed


def floats(arrays, keep_codes=False):
    """The state of a `Net` with the weights of these arrays and its centre at zero.

    The weights keep the rounding of the export. Each row is all residual. With `keep_codes` windows go
    on sharing rows as they do in the arrays.
    """

    def layer(name, bias, shift, unit_in=UNIT, unit_out=UNIT):
        scale, rounding = unit_out * 2**shift, 2 ** (shift - 1)
        return {
            name: arrays[name] * (unit_in / scale), bias: (arrays[bias] - float(rounding)) / scale
        }

    channels = arrays["table"].shape[1]
    found = {
        "arms": np.zeros((3 * ARMS, channels)),
        "residual": arrays["table"] / UNIT,
        "centre": np.zeros(10 * channels),
        "averaged": 0,
        **layer("w1", "b1", SHIFTS[0]),
        **layer("w2", "b2", SHIFTS[1]),
        **layer("w3", "b3", SHIFTS[2], unit_out=LOGIT_UNIT),
        "skip": arrays["skip"] * (2 * LOGIT / LOGIT_UNIT / 256),
        **layer("policy_w1", "policy_b1", SHIFTS[0]),
        **layer("policy_w2", "policy_b2", POLICY_SHIFT, unit_out=POLICY_UNIT),
        "policy_skip": arrays["policy_skip"] / 256,
    }
    if keep_codes:
        found.update(residual=arrays["codes"] / UNIT, code=arrays["code"].astype(np.int64))
    return {name: torch.tensor(value) for name, value in found.items()}


def _check_sums(arrays):
    """Raises TooLarge for weights whose accumulators could exceed 32 bits."""
    size = {name: np.abs(array.astype(np.int64)) for name, array in arrays.items()}

    def pooled(weights, bias):
        parts = size[weights].reshape(10, -1, len(size[bias]))
        # The regions together have no more cells than the board.
        most = 127 * (GLOBAL_SCALE * parts[0] + REGION_SCALE * parts[1:].max(0)).sum(0)
        return most + size[bias]

    def hidden(weights, bias):
        return 2047 * size[weights].sum(0) + size[bias]

    sums = [
        pooled("w1", "b1"),
        hidden("w2", "b2"),
        hidden("w3", "b3"),
        pooled("policy_w1", "policy_b1"),
        hidden("policy_w2", "policy_b2"),
        size["skip"].reshape(1) * 4000,
        size["policy_skip"].reshape(1) * 2**15,
    ]
    if max(s.max() for s in sums) >= 2**31:
        raise TooLarge("an accumulator might overflow")


def numbers_for(rules, has_init=False):
    """The numbers of the networks that a training of `rules` makes. Without --init the networks of all
    rules but caro are added; the file of --init has better ones."""
    return [i for i, rule in enumerate(NET_RULES) if rule in rules or not has_init and i not in LENDERS]


def sharing(networks):
    """By number, the networks of caro with the rows of another, and the other's number."""
    return {
        number: lender for number, lender in LENDERS.items()
        if number in networks and lender in networks
        and np.array_equal(networks[number]["table"], networks[lender]["table"])
    }


def share(networks, lenders):
    """Gives networks the rows that their lenders, by number, have now."""
    for number, lender in lenders.items():
        networks[number]["table"] = networks[lender]["table"]


def section(arrays, has_rows=True):
    """The bytes of a network. With codes (see `codebook.py`) they stand in place of the table."""
    rows = (("codes", "code") if "codes" in arrays else ("table",)) if has_rows else ()
    if "codes" in arrays:
        assert np.array_equal(arrays["codes"][arrays["code"]], arrays["table"]), "codes of another table"
    return b"".join(arrays[name].tobytes() for name in (*rows, *(name for name, _, _ in LAYOUT[1:])))


def checksum(data):
    """The hash of `checksum` in src/eval/weights_file.rs."""
    mask, prime, value = (1 << 64) - 1, 0x0000_0100_0000_01B3, 0xCBF2_9CE4_8422_2325
    whole = len(data) // 8 * 8
    for word in (*np.frombuffer(data[:whole], "<u8").tolist(), *data[whole:]):
        value = (value ^ word) * prime & mask
        value = (value << 23 | value >> 41) & mask
    return value


def encode(networks, level=19):
    """The file for integer networks by number, all of the same widths. Caro's networks with the rows of
    another one have only their layers there."""
    lenders = sharing(networks)
    head = MAGIC + struct.pack("<6H", VERSION, *common_widths(networks), len(networks), 0)
    body = b""
    for number, arrays in sorted(networks.items()):
        data = section(arrays, number not in lenders)
        packed = zstandard.ZstdCompressor(level=level).compress(data)
        own = len(arrays.get("codes", ()))
        codes = SHARED + lenders[number] if number in lenders else own
        head += struct.pack("<4IQ", number, len(packed), len(data), codes, checksum(data))
        body += packed
    return head + body


def decode(*files):
    """The integer networks by their place in `NETS`, from the bytes of files that `encode` or
    `rule_files.py` made. Some may be missing, and those of different files may have different widths.
    Networks with codes have them beside their table, as `codes` and `code`."""
    found = {}
    for data in files:
        magic, version, *widths = struct.unpack_from("<4s4H", data)
        assert magic == MAGIC and version == VERSION, "another file or version"
        known = ", ".join(map(str, WIDTHS))
        assert set(widths) <= set(WIDTHS), f"its channels and layers are {widths} wide, not each of {known}"
        found.update({number: (widths, *rest) for number, rest in sections(data).items()})
    assert found and set(found) <= set(range(len(NETS))), "no networks, or unknown ones"
    networks = {}
    # In their order: the lenders of rows come first.
    for number in sorted(found):
        widths, (*_, codes, expected), packed = found[number]
        unpacked = zstandard.ZstdDecompressor().decompress(packed)
        assert checksum(unpacked) == expected, "damaged"
        shared = (("codes", "i1", (codes, "C")), ("code", "<u2", (WINDOWS,)))
        rows = () if codes >= SHARED else shared if codes else LAYOUT[:1]
        arrays, start = {}, 0
        for name, kind, shape in shaped((*rows, *LAYOUT[1:]), widths):
            length = math.prod(shape) * np.dtype(kind).itemsize
            arrays[name] = np.frombuffer(unpacked[start : start + length], kind).reshape(shape)
            start += length
        assert start == len(unpacked), "a section of another length"
        if codes >= SHARED:
            assert codes - SHARED == LENDERS.get(number), "rows of a network that lends none"
            lender = networks.get(codes - SHARED)
            is_there = lender is not None and widths_of(lender)[0] == widths[0]
            assert is_there, f"{NETS[number]} has rows of a network that is not there, or has other channels"
            arrays["table"] = lender["table"]
        elif codes:
            arrays["table"] = arrays["codes"][arrays["code"]]
        networks[number] = arrays
    return networks


def read_networks(path):
    """The integer networks of a file, or of the files of a folder that `rule_files.py` wrote."""
    path = Path(path)
    files = [path / name for name in RULE_FILES if (path / name).exists()] if path.is_dir() else [path]
    return decode(*(file.read_bytes() for file in files))


def write_network(nets, path, untrained=None, lenders=None):
    """Writes the file of trained networks, by number; returns its SHA-256. The integer networks
    `untrained` are written as they are, but with the rows of their `lenders`, if they have some."""
    trained = {number: integers(net) for number, net in nets.items()}
    networks = {**trained, **(untrained or {})}
    share(networks, lenders or {})
    return write_file(networks, path)


def write_file(networks, path):
    """Writes the file of integer networks, by number; returns its SHA-256. An interruption leaves the old file."""
    data = encode(networks)
    new = Path(f"{path}.new")
    new.write_bytes(data)
    os.replace(new, path)
    return hashlib.sha256(data).hexdigest()


def main():
    parser = Parser(description="Writes the network's file from a checkpoint.")
    parser.add_argument("checkpoint", help="state.pt of a training")
    parser.add_argument("out", help="the network's file")
    options = parser.parse_args()
    learner = load_or_exit(Learner, options.checkpoint)
    numbers = numbers_for(learner.origin["--rules"].split(","), bool(learner.origin["init"]))
    nets = {number: learner.nets[number] for number in numbers}
    digest = write_network(nets, options.out)
    print(f"{options.out}: {learner.positions} positions, sha256 {digest}, {len(nets)} networks")


if __name__ == "__main__":
    main()
