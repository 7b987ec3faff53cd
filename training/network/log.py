"""The log of a run: a line of JSON for each checkpoint."""

import json
import os


def append(path, line):
    """Adds a line. Behind a line cut off by a loss of power, begins a new one first."""
    with open(path, "a+b") as log:
        if log.tell():
            log.seek(-1, os.SEEK_END)
            if log.read() != b"\n":
                log.write(b"\n")
        log.write(json.dumps(line).encode() + b"\n")


def read(path):
    """The lines, without any cut-off ones."""
    found = []
    with open(path, "rb") as log:
        for line in log:
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
    return found
