"""Command-line options that refuse bad values with one line."""

import argparse
import math
import os
import shutil
from pathlib import Path

class Parser(argparse.ArgumentParser):
    """A parser that prints an error as one line, without the list of options."""

    def error(self, message):
        self.exit(2, f"{self.prog}: error: {message}\n")


def number(low, high=math.inf, kind=float):
    """The type of an option that takes finite numbers from `low` to `high`."""

    def parse(text):
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        # Not `isfinite`, which fails for whole numbers of some hundred digits.
        if not (-math.inf < value < math.inf and low <= value <= high):
            bounds = f"from {low:g} to {high:g}" if high < math.inf else f"of at least {low:g}"
            what = "a whole number" if kind is int else "a number"
            raise argparse.ArgumentTypeError(f"{text} is not {what} {bounds}")
        return value

    return parse


#: The type of an option that takes a seed: a few times one fits 64 bits, signed too.
seed = number(0, 2**60, int)


def rule_names(known, fault):
    """The type of an option that names some of the `known` rules; of another one the error says `fault`."""

    def parse(text):
        if other := [rule for rule in text.split(",") if rule not in known]:
            raise argparse.ArgumentTypeError(f"{other[0]} {fault}")
        return text

    return parse


def program_file(text):
    """The type of an option that names a program to run."""
    if not shutil.which(text):
        raise argparse.ArgumentTypeError(f"{text} is not a program that can be run")
    return text


def output_file(text):
    """The type of an option that names a file to write: tries now what is needed hours later."""
    new = Path(f"{text}.new")
    try:
        if Path(text).is_dir():
            raise IsADirectoryError("it is a folder")
        new.open("wb").close()
        os.remove(new)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text} cannot be written: {error.strerror or error}") from error
    return text


def new_file(text):
    """The type of an option that names a file to write where nothing is yet, or an empty file."""
    path = Path(output_file(text))
    if path.exists() and path.stat().st_size:
        raise argparse.ArgumentTypeError(f"{text} exists already")
    return text
