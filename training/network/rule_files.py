#!/usr/bin/env python3
"""Splits a file of networks into one file a rule, as the engine embeds them.

A file whose networks have not changed is left as it is, so the history of the repository grows by the
new networks only. A network without a new version stays. Where a new network replaces rows lent to caro
or caro9, a borrower without a new version keeps the old rows as its own.
"""

import os
import struct
import sys
from pathlib import Path

from batches import NETS
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


def packed(found, magic, version, *widths):
    """The file of these sections, by number."""
    chosen = [found[number] for number in sorted(found)]
    head = HEADER.pack(magic, version, *widths, len(chosen), 0)
    return b"".join([head, *(ENTRY.pack(*entry) for entry, _ in chosen), *(p for _, p in chosen)])


def with_sections(data, numbers):
    """The file `data` with only the sections of these numbers; None without any."""
    found = {number: one for number, one in sections(data).items() if number in numbers}
    return packed(found, *HEADER.unpack_from(data)[:-2]) if found else None


def joined(path, files):
    """The contents of the file `path`: all sections of `files`. Ends the program where their networks
    differ in their widths."""
    heads, found, texts = [HEADER.unpack_from(data) for data in files], {}, []
    for data, (_, _, *widths, _, _) in zip(files, heads):
        found.update(sections(data))
        texts.append(f"{', '.join(NETS[number] for number in sections(data))} with widths {widths}")
    magic, version, *widths, _, _ = heads[0]
    if any(head[2:5] != tuple(widths) for head in heads):
        sys.exit(f"{path} would have {' and '.join(texts)}, but a file's networks have the same widths")
    return packed(found, magic, version, *widths)


def entries(data):
    """By number, the unpacked length and checksum of each network: equal for equal networks."""
    return {number: (entry[2], entry[4]) for number, (entry, _) in sections(data).items()}


def with_own_rows(folder, numbers):
    """The file of these networks of a folder of files, each with rows of its own."""
    # Not above: it needs this module.
    from export import encode, read_networks

    networks = read_networks(folder)
    return encode({number: networks[number] for number in numbers})


def kept_parts(path, given, replaced):
    """Files of the networks in the file `path` that are not `given`, and True if some have the rows of
    `replaced` networks: these get rows of their own."""
    from export import SHARED

    if not path.exists():
        return [], False
    data = path.read_bytes()
    codes = {number: entry[3] for number, (entry, _) in sections(data).items() if number not in given}
    orphaned = [number for number, code in codes.items() if code - SHARED in replaced]
    parts = [with_sections(data, set(codes) - set(orphaned))]
    if orphaned:
        parts.append(with_own_rows(path.parent, orphaned))
    return [part for part in parts if part], bool(orphaned)


def split(data, folder):
    """Writes the files of `RULE_FILES` whose networks differ from those in `folder`; returns their
    names."""
    folder, new, had = Path(folder), {}, {}
    for name in RULE_FILES:
        if (folder / name).exists():
            had.update(entries((folder / name).read_bytes()))
    given = entries(data)
    replaced = {number for number, entry in given.items() if had.get(number) != entry}
    for name, numbers in RULE_FILES.items():
        kept, has_new_rows = kept_parts(folder / name, given, replaced)
        if has_new_rows or replaced & set(numbers):
            parts = [*kept, with_sections(data, numbers)]
            new[name] = joined(folder / name, [part for part in parts if part])
    for name, part in new.items():
        (folder / f"{name}.new").write_bytes(part)
    # Caro's first: its file may keep rows that no other file has afterwards.
    for name in reversed(new):
        os.replace(folder / f"{name}.new", folder / name)
    return list(new)


def main():
    parser = Parser(description="Splits a file of networks into one file a rule.")
    parser.add_argument("network", help="file with the networks of all rules")
    parser.add_argument("folder", help="where the files go, src/eval/weights for the engine")
    options = parser.parse_args()
    # Not above: they need this module. What cannot be read must not replace the engine's networks.
    from start import read_networks_or_exit

    read_networks_or_exit(options.network)
    written = split(Path(options.network).read_bytes(), options.folder)
    print("\n".join(written) if written else "nothing has changed")


if __name__ == "__main__":
    main()
