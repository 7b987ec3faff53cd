"""The origin of a saved state, so that a run does not go on with something else."""

import hashlib
from pathlib import Path

#: Bytes at the beginning and at the end of a file that its fingerprint depends on.
SAMPLED = 1 << 16


def fingerprint(path):
    """A file's name, size, and a hash of its first and last bytes."""
    path = Path(path)
    size = path.stat().st_size
    with path.open("rb") as file:
        sampled = file.read(SAMPLED)
        file.seek(max(size - SAMPLED, 0))
        sampled += file.read(SAMPLED)
    return [path.name, size, hashlib.sha256(sampled).hexdigest()[:16]]


def fingerprints(paths, pattern):
    """The fingerprints of files, and of the files in folders whose names fit the pattern, in the order
    of reading."""
    found = []
    for path in map(Path, paths):
        files = sorted(path.glob(pattern)) if path.is_dir() else [path]
        found += [fingerprint(file) for file in files]
    return found


def difference(saved, now):
    """The first difference of two origins, as words, or None. An origin has values of options by their
    names, and under names without a dash the fingerprints of files."""
    for name, value in now.items():
        before = saved.get(name)
        if before == value:
            continue
        if name.startswith("--"):
            return f"{name} was {_text(before)}, now it is {_text(value)}"
        return f"{name}: {_file_difference(before or [], value)}"
    return None


def _text(value):
    return "not given" if value is None else value


def _file_difference(saved, now):
    names, now_names = ([name for name, *_ in files] for files in (saved, now))
    if gone := [name for name in names if name not in now_names]:
        return f"{gone[0]} is missing"
    if new := [name for name in now_names if name not in names]:
        return f"{new[0]} is new"
    for before, after in zip(saved, now):
        if before != after:
            same = before[0] == after[0]
            return f"{after[0]} has changed" if same else f"{after[0]} has another place in the order"
    return "there is another number of files"
