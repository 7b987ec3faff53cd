"""The networks of --init: what a run starts from, and what it copies into the new file."""

import struct
import sys

import zstandard

from batches import NET_RULES, NETS
from export import LENDERS, common_widths, floats, read_networks, sharing, widths_of
from widen import WidthError, run_widths


def read_networks_or_exit(path, alike=False):
    """The integer networks of a file or folder, by number, on request all of the same widths; none without
    a path."""
    try:
        networks = read_networks(path) if path else {}
        if alike:
            common_widths(networks)
        return networks
    except (OSError, AssertionError, ValueError, struct.error, zstandard.ZstdError) as error:
        sys.exit(f"{path} is not a readable file of networks: {error}")


class Start:
    """The networks of --init, by number; none without it. Sets the widths in the options where they are left
    out, and ends the program where the networks do not fit the options."""

    def __init__(self, options):
        self.options = options
        self.networks = read_networks_or_exit(options.init)
        rules = options.rules.split(",")
        #: The numbers of the networks that are trained; others are copied if they are as wide.
        self.trained = [number for number, rule in enumerate(NET_RULES) if rule in rules]
        starts = [self.start_of(number) for number in self.trained] if self.networks else []
        for number, start in zip(self.trained, starts):
            if start is None:
                sys.exit(f"{options.init} has no network for {NETS[number]}")
        try:
            found = [widths_of(start) for start in starts]
            options.channels, options.hidden = run_widths(found, options.channels, options.hidden)
        except WidthError as error:
            sys.exit(f"{options.init}: {error}")
        if options.codes == "keep" and not (starts and all("codes" in start for start in starts)):
            sys.exit(f"--codes keep: {options.init} has no codes for {options.rules}; see codebook.py")
        for borrower, lender in self.lenders().items():
            if not self.is_as_wide(borrower):
                both = f"{NETS[borrower]} has other widths than the new network of {NETS[lender]}"
                sys.exit(f"--lend-rows: {both}")

    def start_of(self, number):
        """The network with which this one begins; caro's, where there is none, with another. None where there
        is neither."""
        return self.networks.get(number, self.networks.get(LENDERS.get(number)))

    def is_as_wide(self, number):
        """True if this network begins with one of the new file's widths."""
        options, start = self.options, self.start_of(number)
        return start is not None and widths_of(start) == (options.channels, options.hidden, options.hidden)

    def untrained(self):
        """The networks, by number, that are not trained."""
        return {number: net for number, net in self.networks.items() if number not in self.trained}

    def copied(self):
        """The untrained networks that begin with the new file's widths."""
        return {number: net for number, net in self.untrained().items() if self.is_as_wide(number)}

    def lenders(self):
        """By number, the networks of caro that are not trained but get new rows, and the number of each
        one's lender."""
        untrained = self.untrained()
        found = sharing(self.networks) if self.options.lend_rows else {}
        return {borrower: lender for borrower, lender in found.items()
                if borrower in untrained and lender not in untrained}

    def states(self):
        """The states of all networks; None for untrained ones."""
        keep = self.options.codes == "keep"
        return [
            floats(self.start_of(number), keep) if number in self.trained else None
            for number in range(len(NETS))
        ]
