#!/usr/bin/env python3
"""Trains a residual network on games, and labels games by it: see README.md beside this program."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path

import torch
import zstandard
from tqdm import tqdm

import log
from batches import Source, exit_on_damaged_stream
from boards import RULES, read_boards
from feed import Feed, add_stream_options, beginning, stream_options
from labelling import labelled_records, predictions
from learner import load_or_exit
from options import Parser, new_file, number, program_file, rule_names, seed, source_text
from origin import difference, fingerprints
from teacher_learner import TeacherLearner, TeacherRecipe
from train import build_program

#: Seconds after which labels have a frame of their own, which no later end of the program can spoil.
FRAME_SECONDS = 5
#: Types and help texts of the options of the recipe.
RECIPE_OPTIONS = {
    "seed": (seed, "seed of the first weights, the games' order and the symmetries"),
    "blocks": (number(0, 100, int), "residual blocks"),
    "channels": (number(1, 4096, int), "channels of each"),
    "result_weight": (number(0, 1), "weight of the game's result in the value's target; the rest is "
                      "the search's value"),
    "td_lambda": (number(0, 1), "weight of later values, up to the result, in the search's value"),
    "soft_weight": (number(0, 1), "weight of the soft label in the targets of positions that have one"),
    "value_weight": (number(0), "weight of the value's loss; the policy's has weight 1"),
    "rate": (number(0), "largest learning rate"),
    "last_rate": (number(0, 1), "part of it that is left at the end"),
    "warmup": (number(0, 1), "first part of the training, over which the rate rises"),
}


def arguments(args=None):
    """The options of the command line."""
    parser = Parser(description="Trains a teacher on games, or labels games by one.")
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train a residual network on games")
    label = commands.add_parser("label", help="write the games with soft labels by a teacher")
    for command in (train, label):
        add_stream_options(command)
        command.add_argument("--rules", default=",".join(RULES), type=rule_names(RULES, "is no rule"),
                             help="rules to use")
        command.add_argument("--amp", choices=["auto", "on", "off"], default="auto",
                             help="compute in bfloat16; auto does so on CUDA")
    train.add_argument("--state", default="state-teacher", help="folder for checkpoint and log; the same "
                       "command continues the run there")
    train.add_argument("--positions", type=number(1), default=60e6, help="positions to train on, or up "
                       "to a batch more")
    train.add_argument("--held-out", type=number(1, kind=int), default=2000,
                       help="held-out records, games and branches, to measure each checkpoint on")
    train.add_argument("--save-minutes", type=number(0), default=2, help="minutes between two checkpoints")
    for option in fields(TeacherRecipe):
        kind, text = RECIPE_OPTIONS[option.name]
        train.add_argument("--" + option.name.replace("_", "-"), type=kind, default=option.default, help=text)
    label.add_argument("--teacher", required=True, help="the state of a trained teacher")
    label.add_argument("--out", default="labels.bin.zst", type=new_file, help="new file of soft labels")
    label.add_argument("--symmetries", type=number(1, 8, int), default=1,
                       help="symmetries of the board over which the labels are averaged")
    label.add_argument("--moves", type=number(1, 255, int), default=8, help="moves of a label")
    label.add_argument("--source", type=source_text,
                       help="who made the labels; the teacher's form and file if left out")
    label.add_argument("--engine", type=program_file, help="tengen; built by cargo if not given")
    return parser.parse_args(args)


def amp(options):
    """Whether to compute in bfloat16; None where the device tells."""
    return {"auto": None, "on": True, "off": False}[options.amp]


class TeacherRun:
    """One run of the teacher's training."""

    def __init__(self, options):
        self.options, self.folder = options, Path(options.state)
        names = [f.name for f in fields(TeacherRecipe)]
        names += ["rules", "batch_size", "block_games", "max_games", "generators"]
        try:
            origin = {
                "games": fingerprints(options.games, "*.bin.zst"),
                **{"--" + name.replace("_", "-"): getattr(options, name) for name in names},
            }
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            sys.exit(str(error))
        self.checkpoint, self.log = self.folder / "teacher.pt", self.folder / "log.jsonl"
        self.program = build_program(options.program)
        if not self.checkpoint.exists():
            recipe = TeacherRecipe(**{f.name: getattr(options, f.name) for f in fields(TeacherRecipe)})
            self.learner = TeacherLearner(recipe, options.device, amp(options))
            self.learner.origin, self.learner.place = origin, beginning(options.generators)
            return
        self.learner = load_teacher(self.checkpoint, options)
        if found := difference(self.learner.origin, origin):
            sys.exit(f"{self.checkpoint} is of another run: {found}")

    def source(self, *more):
        """Batches of the games, with more options of `tengen-train boards`."""
        options = self.options
        fixed = [*options.games, "--rules", options.rules, "--batch-size", options.batch_size]
        fixed += ["--td-lambda", options.td_lambda, "--seed", options.seed, *more]
        return Source(self.program, fixed, options.device, "boards", read_boards)

    def training_games(self, place):
        """Batches of the games to train on, from this place on."""
        return self.source(*stream_options(self.options, place))

    def train(self):
        """Trains until there are as many positions as are wanted; false where there were already."""
        options, learner = self.options, self.learner
        positions = int(options.positions)
        if learner.positions >= positions:
            return False
        with self.source("--held-out", "--passes", 1, "--max-games", options.held_out) as held_out:
            held_out = [boards for boards in held_out if len(boards)]
        sums, batches = torch.zeros(2, device=options.device), 0
        saved = time.monotonic()
        bar = tqdm(total=positions, initial=learner.positions, unit="pos", unit_scale=True)
        with Feed(self.training_games(learner.place), learner.place) as feed, bar:
            for boards in feed:
                if len(boards):
                    sums += learner.learn(boards, learner.positions / positions)
                    batches += 1
                    bar.update(len(boards))
                elif not learner.positions and boards.block + 1 >= boards.blocks:
                    # A whole pass had none, as any other would.
                    break
                learner.place = feed.place
                is_done = learner.positions >= positions
                if is_done or time.monotonic() - saved > 60 * options.save_minutes:
                    self.save(held_out, (sums / max(batches, 1)).tolist())
                    sums.zero_()
                    batches, saved = 0, time.monotonic()
                if is_done:
                    return True
        sys.exit(f"the games have none of {options.rules}")

    def save(self, held_out, means):
        """Writes the checkpoint and a line of the log."""
        self.learner.save(self.checkpoint)
        line = {"positions": self.learner.positions, "time": int(time.time())}
        line.update(zip(("train value", "train policy"), means))
        line["held-out"] = self.learner.measure(held_out)
        log.append(self.log, line)
        tqdm.write(json.dumps(line))


def load_teacher(path, options):
    """The teacher saved at `path`; ends the program where there is none."""
    return load_or_exit(TeacherLearner, path, options.device, amp(options))


@contextmanager
def signals_interrupt():
    """SIGTERM and SIGHUP are Ctrl-C meanwhile, unless they are ignored, as below `nohup`."""

    def interrupt(*_):
        raise KeyboardInterrupt

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    before = {number: handler for number, handler in before.items() if handler != signal.SIG_IGN}
    for number in before:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@signals_interrupt()
def label(options):
    """Writes the games with soft labels by a teacher."""
    learner = load_teacher(options.teacher, options)
    program = build_program(options.program)
    engine = build_program(options.engine, "tengen-tools", "tengen")
    command = [*options.games, "--label", "--rules", options.rules, "--batch-size", options.batch_size]
    place = beginning(options.generators)
    command += stream_options(options, place)
    raw = Path(f"{options.out}.raw")
    if raw.exists():
        sys.exit(f"{raw} has labels of an earlier run: write their file by `datagen label`, or remove it")
    games = Source(program, command, options.device, "boards", read_boards)
    source = options.source or describe(learner, options)
    seal = list(map(str, [engine, "datagen", "label", "--out", options.out, "--source", source, raw]))
    labelled, code = 0, None
    ended = time.monotonic()
    try:
        with raw.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as packed:
            with Feed(games, place) as feed, tqdm(unit="pos", unit_scale=True) as bar:
                for boards in feed:
                    if len(boards):
                        found = predictions(learner, boards, options.symmetries)
                        packed.write(labelled_records(boards, *found, options.moves))
                        labelled += len(boards)
                        bar.update(len(boards))
                    if time.monotonic() - ended >= FRAME_SECONDS:
                        packed.flush(zstandard.FLUSH_FRAME)
                        ended = time.monotonic()
        code = subprocess.run(seal).returncode
        sys.exit(code)
    finally:
        if labelled and code != 0:
            # They are the work of hours, and whatever ended the program, they are here alone.
            text = f"{raw} has the labels of {labelled} positions; this writes their file:"
            print(f"{text}\n{shlex.join(seal)}", file=sys.stderr)
        else:
            raw.unlink(missing_ok=True)


def describe(learner, options):
    """A teacher in words."""
    recipe = asdict(learner.recipe)
    form = f"ResNet {recipe['blocks']}x{recipe['channels']}, {learner.positions} positions"
    _, _, digest = fingerprints([options.teacher], "")[0]
    return f"{form}, {options.symmetries} symmetries, {os.path.basename(options.teacher)} {digest}"


@exit_on_damaged_stream()
def main():
    options = arguments()
    torch.set_num_threads(options.threads)
    if options.command == "label":
        label(options)
    else:
        TeacherRun(options).train()


if __name__ == "__main__":
    main()
