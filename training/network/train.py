#!/usr/bin/env python3
"""From games to the network's file: see README.md beside this program."""

import argparse
import ctypes
import json
import os
import struct
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import torch
import zstandard
from tqdm import tqdm

import plots
from batches import NETS, Source
from export import floats, read_networks, write_network
from learner import KEPT, Learner, Recipe

ROOT = Path(__file__).resolve().parents[2]
HELP = {
    "seed": "first weights, order of the games and how each is turned",
    "lam": "part of the game's result in the value's target; the rest is the search's value",
    "later": "part of later values, up to the result, in the search's value of each position",
    "wary": "by how much more it counts where too little is expected of the side to move, -1 to 1",
    "policy": "weight of the policy's loss beside the value's",
    "faithful": "weight of staying with the promises of the network of --init",
    "keep": "what stays as it is: nothing, the arms alone, the tables, or the tables and the "
            "value's layers",
    "rate": "first learning rate of arms and layers",
    "rest_rate": "first learning rate of the windows' own parts",
    "cooling": "last part of the training, over which the rates fall to 0",
}


def arguments():
    parser = argparse.ArgumentParser(description="Learns the evaluation network from games.")
    parser.add_argument("games", nargs="+", help="files of games, or folders with .bin.zst files")
    parser.add_argument("--out", default="network.tgnn", help="the network's file")
    parser.add_argument("--state", default="state", help="folder for checkpoint, log and plots; "
                        "the same command goes on there")
    parser.add_argument("--init", help="network's file to begin with, or the folder with one file a rule, "
                        "where there is no state yet")
    parser.add_argument("--positions", type=float, default=60e6, help="positions to learn from")
    parser.add_argument("--rules", default="freestyle,standard,renju")
    parser.add_argument("--samples", type=int, default=2048, help="positions of a batch")
    parser.add_argument("--block-games", type=int, default=8192,
                        help="games of a block; a run can only be taken up at a block's beginning")
    parser.add_argument("--max-games", type=int, help="take no more games than this")
    parser.add_argument("--save-minutes", type=float, default=5)
    parser.add_argument("--held-out", type=int, default=2000,
                        help="held-out games that each checkpoint is measured on")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--program", help="tengen-train; built by cargo if not given")
    for option in fields(Recipe):
        choices = list(KEPT) if option.name == "keep" else None
        parser.add_argument("--" + option.name.replace("_", "-"), type=option.type,
                            default=option.default, choices=choices, help=HELP[option.name])
    options = parser.parse_args()
    if options.faithful and not options.init:
        parser.error("--faithful needs a network to be faithful to: --init")
    return options


def keep_memory():
    """Lets the C library keep freed memory: otherwise each large tensor is mapped anew."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        if hasattr(libc, "mallopt"):
            m_trim_threshold, m_mmap_threshold = -1, -3
            libc.mallopt(m_mmap_threshold, 1 << 30)
            libc.mallopt(m_trim_threshold, (1 << 31) - 1)


def program(given):
    """Path of tengen-train."""
    if given:
        return given
    subprocess.run(["cargo", "build", "--release", "-p", "tengen-train"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tengen-train"


def first_networks(path):
    """The integer networks of the file or folder to begin with; none without a path."""
    try:
        return read_networks(path) if path else []
    except (OSError, AssertionError, struct.error, zstandard.ZstdError) as error:
        sys.exit(f"{path} is no network's file that can be read: {error}")


class Run:
    """One run of the trainer."""

    def __init__(self, options):
        self.options = options
        self.folder = Path(options.state)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.checkpoint = self.folder / "state.pt"
        self.log = self.folder / "log.jsonl"
        self.program = program(options.program)
        recipe = Recipe(**{f.name: getattr(options, f.name) for f in fields(Recipe)})
        self.first = first_networks(options.init)
        if self.checkpoint.exists():
            self.learner = Learner.load(self.checkpoint, options.device)
            if self.learner.recipe != recipe:
                sys.exit(f"{self.checkpoint} was made by another recipe: {self.learner.recipe}")
        else:
            self.learner = Learner(recipe, options.device)
        #: Sums of losses of value and policy since the last line of the log, and batches.
        self.sums = torch.zeros(len(NETS), 3, dtype=torch.float64)

    def source(self, *more):
        options = self.options
        fixed = [*options.games, "--rules", options.rules, "--samples", options.samples]
        fixed += ["--later", options.later]
        return Source(self.program, [*fixed, "--seed", options.seed, *more])

    def train(self):
        """Learns until enough positions were seen; true if it learned anything."""
        options, learner = self.options, self.learner
        if learner.positions >= options.positions:
            return False
        with self.source("--held-out", "--passes", 1, "--max-games", options.held_out) as held_out:
            held_out = [batch for batch in held_out if len(batch)]
        if self.first and not learner.positions:
            learner.take_up([floats(network) for network in self.first], held_out)
        more = ["--block-games", options.block_games, "--from-block", learner.next_block]
        if options.max_games:
            more += ["--max-games", options.max_games]
        saved = time.monotonic()
        bar = tqdm(total=int(options.positions), initial=learner.positions, unit="pos",
                   unit_scale=True, smoothing=0.02)
        with self.source(*more) as source, bar:
            for batch in source:
                if len(batch):
                    losses = learner.learn(batch, learner.positions / options.positions)
                    self.sums[batch.net] += torch.tensor([*losses, 1], dtype=torch.float64)
                    bar.update(len(batch))
                if not batch.last_of_block:
                    continue
                learner.next_block = batch.block + 1
                over = learner.positions >= options.positions
                if over or time.monotonic() - saved > 60 * options.save_minutes:
                    self.keep(learner.measure(held_out))
                    saved = time.monotonic()
                if over:
                    return True
        return True

    def keep(self, tallies):
        """Writes checkpoint, a line of the log, and the plots."""
        self.learner.save(self.checkpoint)
        means = (self.sums[:, :2] / self.sums[:, 2:].clamp(min=1)).tolist()
        self.sums.zero_()
        line = {"positions": self.learner.positions, "time": int(time.time())}
        for net, tally, (value, policy) in zip(NETS, tallies, means):
            if tally.values:
                line[net] = {"train value": value, "train policy": policy, **tally.means()}
        with self.log.open("a") as log:
            log.write(json.dumps(line) + "\n")
        plots.losses(self.log, self.folder / "losses.png")
        plots.calibration(tallies, self.folder / "calibration.png")

    def finish(self):
        """Measures on all held-out games, prints the result, writes the network's file."""
        if self.options.wary:
            with self.source("--held-out", "--passes", 1) as held_out:
                self.learner.straighten(batch for batch in held_out if len(batch))
        with self.source("--held-out", "--passes", 1) as held_out:
            tallies = self.learner.measure(batch for batch in held_out if len(batch))
        plots.calibration(tallies, self.folder / "calibration.png")
        text = plots.table(tallies)
        (self.folder / "results.md").write_text(text)
        print(text)
        checksum = write_network(self.learner.nets, self.options.out, self.untouched())
        print(f"{self.options.out}: sha256 {checksum}")

    def untouched(self):
        """By number, the networks of the file to begin with whose rules are not learned: they are
        written as they were read."""
        learned = self.options.rules.split(",")
        rules = [name.split("-")[0] for name in NETS]
        return {i: net for i, net in enumerate(self.first) if rules[i] not in learned}


def main():
    options = arguments()
    keep_memory()
    torch.set_num_threads(options.threads)
    run = Run(options)
    run.train()
    run.finish()


if __name__ == "__main__":
    main()
