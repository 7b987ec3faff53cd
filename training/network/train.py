#!/usr/bin/env python3
"""From games to the network's file: see README.md beside this program."""

import ctypes
import json
import os
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import torch
from tqdm import tqdm

import log
import plots
from batches import NET_RULES, NETS, Source, exit_on_damaged_stream
from export import numbers_for, write_network
from feed import Feed, add_stream_options, beginning, stream_options
from files import write_whole
from learner import FROZEN, Learner, Recipe, load_or_exit
from losses import WON
from model import ROW_STEPS, WIDTHS
from options import Parser, number, output_file, rule_names, seed
from origin import difference, fingerprints
from start import Start

ROOT = Path(__file__).resolve().parents[2]
#: Types and help texts of the options of the recipe.
RECIPE_OPTIONS = {
    "seed": (seed, "seed of the first weights and of the games' order and symmetries"),
    "result_weight": (number(0, 1), "weight of the game's result in the value's target; the rest is "
                      "the search's value"),
    "td_lambda": (number(0, 1), "weight of later values, up to the result, in the search's value of "
                  "each position"),
    "asymmetry": (number(-1, 1), "by how much more the value's loss counts where it is below the "
                  "target than above"),
    "policy_weight": (number(0), "weight of the policy's loss"),
    "distill_weight": (number(0), "weight of the KL divergence from the policy of --init"),
    "freeze": (str, "what is not trained: nothing, the arms, the tables, or the tables and the "
               "value's layers"),
    "rate": (number(0), "first learning rate of arms and layers"),
    "residual_rate": (number(0), "first learning rate of the windows' residuals"),
    "row_step": (int, "what the rows are multiples of, of 128: larger steps pack better"),
    "stepped": (number(0, 1), "last part of the training, in which the rows have these steps too"),
    "cooldown": (number(0, 1), "last part of the training, over which the learning rates fall to 0"),
    "channels": (int, "channels of the networks; those of --init if left out, else 32"),
    "hidden": (int, "outputs of each hidden layer; those of --init if left out, else 32"),
}
#: Values of the options that have only a few.
CHOICES = {"freeze": list(FROZEN), "row_step": ROW_STEPS, "channels": WIDTHS, "hidden": WIDTHS}


def arguments(args=None):
    """The options of the command line."""
    parser = Parser(description="Trains the evaluation network on games.")
    add_stream_options(parser)
    parser.add_argument("--out", default="network.tgnn", type=output_file,
                        help="file of the trained networks")
    parser.add_argument("--state", default="state", help="folder for checkpoint, log and plots; "
                        "the same command continues the run there")
    parser.add_argument("--init", help="file of networks to start from, or the folder with one file a "
                        "rule, where there is no state yet")
    parser.add_argument("--codes", choices=["free", "keep"], default="free",
                        help="with keep, windows that share a row in --init go on sharing it")
    parser.add_argument("--lend-rows", action="store_true",
                        help="networks of caro that share a trained network's rows in --init go on "
                        "sharing them, instead of keeping those they had")
    parser.add_argument("--positions", type=number(1), default=60e6, help="positions to train on")
    parser.add_argument("--rules", default="freestyle,standard,renju",
                        type=rule_names(NET_RULES, "is not a rule"), help="rules to train")
    parser.add_argument("--save-minutes", type=number(0), default=5,
                        help="minutes between two checkpoints")
    parser.add_argument("--held-out", type=number(1, kind=int), default=2000,
                        help="held-out records, games and branches, to measure each checkpoint on")
    parser.add_argument("--ruler", nargs="+", default=[], help="files of games, or folders, whose deeply "
                        "searched branches the trained networks are judged by")
    for option in fields(Recipe):
        kind, text = RECIPE_OPTIONS[option.name]
        parser.add_argument("--" + option.name.replace("_", "-"), type=kind, default=option.default,
                            choices=CHOICES.get(option.name), help=text)
    # They depend on --init.
    parser.set_defaults(channels=None, hidden=None)
    options = parser.parse_args(args)
    if options.distill_weight and not options.init:
        parser.error("--distill-weight needs the network to distill: --init")
    return options


def keep_freed_memory():
    """Lets the C library keep freed memory; otherwise each large tensor is mapped again."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        if hasattr(libc, "mallopt"):
            m_trim_threshold, m_mmap_threshold, m_arena_max = -1, -3, -8
            # The threads that read batches must not have memory of their own: it would be returned.
            libc.mallopt(m_arena_max, 1)
            libc.mallopt(m_mmap_threshold, 1 << 30)
            libc.mallopt(m_trim_threshold, (1 << 31) - 1)


def build_program(given, package="tengen-train", program="tengen-train"):
    """Path of a program: `given`, or what cargo builds. Ends this program where that fails."""
    if given:
        return given
    try:
        code = subprocess.run(["cargo", "build", "--release", "-p", package], cwd=ROOT).returncode
    except OSError as error:
        sys.exit(f"{program} cannot be built: cargo: {error.strerror}")
    if code:
        sys.exit(code)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / program


def first_positions(batches, positions):
    """The first batches that together have as many positions."""
    for batch in batches:
        if len(batch):
            yield batch
        positions -= len(batch)
        if positions <= 0:
            return


class Run:
    """One run of the trainer."""

    def __init__(self, options):
        self.options = options
        self.folder = Path(options.state)
        self.start = Start(options)
        try:
            origin = self._origin()
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            sys.exit(str(error))
        self.checkpoint = self.folder / "state.pt"
        self.log = self.folder / "log.jsonl"
        self.program = build_program(options.program)
        if options.ruler and not any((batch.result > WON).any() for batch in self.ruler()):
            sys.exit(f"--ruler: these games have no branches of {options.rules}")
        self.learner = self._learner(origin)
        #: Sums of the losses of value and policy since the last line of the log, and batches.
        self.sums = torch.zeros(len(NETS), 3, dtype=torch.float64, device=options.device)

    def _recipe(self):
        return Recipe(**{f.name: getattr(self.options, f.name) for f in fields(Recipe)})

    def _origin(self):
        """All that the state depends on, besides the number of positions."""
        options = self.options
        names = [f.name for f in fields(Recipe)]
        names += ["codes", "rules", "batch_size", "block_games", "max_games", "generators"]
        return {
            "games": fingerprints(options.games, "*.bin.zst"),
            "init": fingerprints([options.init] if options.init else [], "*.tgnn"),
            **{"--" + name.replace("_", "-"): getattr(options, name) for name in names},
        }

    def _learner(self, origin):
        """The learner of the checkpoint, or a new one."""
        if not self.checkpoint.exists():
            learner = Learner(self._recipe(), self.options.device)
            learner.origin, learner.place = origin, beginning(self.options.generators)
            return learner
        learner = load_or_exit(Learner, self.checkpoint, self.options.device)
        if found := difference(learner.origin, origin):
            sys.exit(f"{self.checkpoint} is of another run: {found}")
        return learner

    def source(self, *more, games=None):
        """Batches of the games, or of other ones, with more options of `tengen-train batches`."""
        options = self.options
        fixed = [*(games or options.games), "--rules", options.rules, "--batch-size", options.batch_size]
        fixed += ["--td-lambda", options.td_lambda]
        return Source(self.program, [*fixed, "--seed", options.seed, *more], options.device)

    def train(self):
        """Trains on exactly as many positions as are wanted; true if it has trained at all."""
        options, learner = self.options, self.learner
        positions = int(options.positions)
        if learner.positions >= positions:
            return False
        with self.source("--held-out", "--passes", 1, "--max-games", options.held_out) as held_out:
            held_out = [batch for batch in held_out if len(batch)]
        if self.start.networks and not learner.positions:
            learner.load_weights(self.start.states(), held_out)
        saved = time.monotonic()
        bar = tqdm(total=positions, initial=learner.positions, unit="pos", unit_scale=True,
                   smoothing=0.02)
        with Feed(self.training_games(learner.place), learner.place) as feed, bar:
            for batch in feed:
                batch = batch.first(positions - learner.positions)
                if len(batch):
                    self.sums[batch.net, :2] += learner.learn(batch, learner.positions / positions)
                    self.sums[batch.net, 2] += 1
                    bar.update(len(batch))
                elif not learner.positions and batch.block + 1 >= batch.blocks:
                    # A whole pass had none, as any other would.
                    break
                learner.place = feed.place
                is_done = learner.positions >= positions
                if is_done or time.monotonic() - saved > 60 * options.save_minutes:
                    self.save(learner.measure(held_out))
                    saved = time.monotonic()
                if is_done:
                    return True
        sys.exit(f"the games have none of {options.rules}")

    def training_games(self, place):
        """Batches of the games to train on, from this place on."""
        return self.source(*stream_options(self.options, place))

    def save(self, metrics):
        """Writes checkpoint, a line of the log, and the plots."""
        self.learner.save(self.checkpoint)
        means = (self.sums[:, :2] / self.sums[:, 2:].clamp(min=1)).tolist()
        self.sums.zero_()
        line = {"positions": self.learner.positions, "time": int(time.time())}
        for net, measured, (value, policy) in zip(NETS, metrics, means):
            if measured.values:
                line[net] = {"train value": value, "train policy": policy, **measured.means()}
        log.append(self.log, line)
        plots.losses(self.log, self.folder / "losses.png")
        plots.calibration(metrics, self.folder / "calibration.png")

    def finish(self):
        """Measures on all held-out games, prints the result, writes the network's file."""
        if self.options.asymmetry:
            with self.source("--held-out", "--passes", 1) as held_out:
                self.learner.recalibrate_bias(batch for batch in held_out if len(batch))
        with self.source("--held-out", "--passes", 1) as held_out:
            metrics = self.learner.measure(batch for batch in held_out if len(batch))
        plots.calibration(metrics, self.folder / "calibration.png")
        # Before the networks are written: that takes them from the device.
        results = self.results(metrics)
        text = plots.table(metrics)
        if self.options.ruler:
            rulers = {net: result["ruler"] for net, result in results.items() if result["ruler"]}
            text += "\n" + plots.ruler_table("network", rulers.items())
        (self.folder / "results.md").write_text(text)
        print(text)
        out, start = self.options.out, self.start
        numbers = numbers_for(self.options.rules.split(","), bool(start.networks))
        nets = {number: self.learner.nets[number] for number in numbers}
        copied = start.copied()
        checksum = write_network(nets, out, copied, start.lenders())
        if left_out := [NETS[number] for number in start.untrained() if number not in copied]:
            print(f"{out} is without {', '.join(left_out)}, which have other widths")
        print(f"{out}: sha256 {checksum}")
        # Last: `curve.py` takes this file for the sign that the run has ended.
        write_whole(self.folder / "results.json", json.dumps(results, indent=1) + "\n")

    def results(self, held_out):
        """The losses on held-out games, and on as many positions of the training games."""
        positions = sum(measured.values for measured in held_out)
        with self.training_games(beginning()) as training:
            training = self.learner.measure(first_positions(training, positions))
        rulers = [ruler.means() for ruler in self.learner.judge(self.ruler())]
        return {
            net: {"held-out": one.means(), "training": other.means(), "ruler": ruler}
            for net, one, other, ruler in zip(NETS, held_out, training, rulers) if one.values or ruler
        }

    def ruler(self):
        """Batches of the games of `--ruler`."""
        if self.options.ruler:
            with self.source("--passes", 1, games=self.options.ruler) as batches:
                yield from (batch for batch in batches if len(batch))


@exit_on_damaged_stream()
def main():
    options = arguments()
    keep_freed_memory()
    torch.set_num_threads(options.threads)
    run = Run(options)
    run.train()
    run.finish()


if __name__ == "__main__":
    main()
