#!/usr/bin/env python3
"""Splits a file of networks into one file a rule, as the engine embeds them.

A file whose networks have not changed is left as it is, so that the history of the repository
grows by the new networks only. Where a new network replaces one whose rows caro has, and there is no
new one of caro beside it, caro's file gets rows of its own: those that it had.
"""

import struct
from pathlib import Path

from options import Parser

#: Names of the files, and the numbers of the networks in each.
RULE_FILES = {
    "network-freestyle.tgnn": (0,),
    "network-standard.tgnn": (1,),
    "network-renju.tgnn": (2, 3),
    # Not every file of networks has these.
    "network-caro.tgnn": (4, 5),
}

HEADER = struct.Struct("<4s6H")
ENTRY = struct.Struct("<4IQ")


def sections(data):
    """The sections of a file: for each network's number its entry in the header and its packed
    bytes."""
    *_, count, _ = HEADER.unpack_from(data)
    found, at = {}, HEADER.size + count * ENTRY.size
    for i in range(count):
        entry = ENTRY.unpack_from(data, HEADER.size + i * ENTRY.size)
        found[entry[0]] = entry, data[at : at + entry[1]]
        at += entry[1]
    return found


def with_sections(data, numbers):
    """The file with only those of these sections that the file `data` has; None without any."""
    magic, *fields, _, zero = HEADER.unpack_from(data)
    found = sections(data)
    chosen = [found[number] for number in numbers if number in found]
    if not chosen:
        return None
    head = HEADER.pack(magic, *fields, len(chosen), zero)
    return b"".join([head, *(ENTRY.pack(*entry) for entry, _ in chosen), *(p for _, p in chosen)])


def entries(data):
    """By number, the unpacked length and checksum of each network: equal for equal networks."""
    return {number: (entry[2], entry[4]) for number, (entry, _) in sections(data).items()}


def with_own_rows(path, replaced):
    """The file `path`, of a folder of files, with rows of its own; None where it has no rows of the networks
    that are `replaced`."""
    # Not above: it needs this module.
    from export import SHARED, encode, read_networks

    codes = {number: entry[3] for number, (entry, _) in sections(path.read_bytes()).items()}
    if not {SHARED + number for number in replaced} & set(codes.values()):
        return None
    networks = read_networks(path.parent)
    return encode({number: networks[number] for number in codes})


def split(data, folder):
    """Writes the files of `RULE_FILES` whose networks differ from those in `folder`; returns their
    names."""
    folder, new, others = Path(folder), {}, []
    for name, numbers in RULE_FILES.items():
        path, part = folder / name, with_sections(data, numbers)
        if part and (not path.exists() or entries(path.read_bytes()) != entries(part)):
            new[name] = part
        elif not part and path.exists():
            others.append(name)
    replaced = [number for name in new for number in RULE_FILES[name]]
    kept = {name: with_own_rows(folder / name, replaced) for name in others}
    new.update((name, part) for name, part in kept.items() if part)
    for name, part in new.items():
        (folder / name).write_bytes(part)
    return list(new)


def main():
    parser = Parser(description="Splits a file of networks into one file a rule.")
    parser.add_argument("network", help="file with the networks of all rules")
    parser.add_argument("folder", help="where the files go, src/eval/weights for the engine")
    options = parser.parse_args()
    written = split(Path(options.network).read_bytes(), options.folder)
    print("\n".join(written) if written else "nothing has changed")


if __name__ == "__main__":
    main()
