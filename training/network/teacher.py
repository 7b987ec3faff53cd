#!/usr/bin/env python3
"""Trains a residual network on games, and labels games by it: see README.md beside this program."""

import json
import os
import sys
import time
from dataclasses import asdict, fields
from pathlib import Path

import torch
from tqdm import tqdm

import log
from batches import Source, exit_on_damaged_stream
from boards import RULES, read_boards
from feed import Feed, add_stream_options, beginning, stream_options
from labelling import frame, header, labelled_records, predictions
from learner import load_or_exit
from options import Parser, new_file, number, rule_names, seed
from origin import difference, fingerprints
from teacher_learner import TeacherLearner, TeacherRecipe
from train import build_program

#: Types and help texts of the options of the recipe.
RECIPE_OPTIONS = {
    "seed": (seed, "seed of the first weights, the games' order and the symmetries"),
    "blocks": (number(0, 100, int), "residual blocks"),
    "channels": (number(1, 4096, int), "channels of each"),
    "result_weight": (number(0, 1), "weight of the game's result in the value's target; the rest is "
                      "the search's value"),
    "td_lambda": (number(0, 1), "weight of later values, up to the result, in the search's value"),
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
    label = commands.add_parser("label", help="write the games with values by a teacher")
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
    label.add_argument("--out", default="labels.bin.zst", type=new_file, help="new file of games")
    label.add_argument("--symmetries", type=number(1, 8, int), default=1,
                       help="symmetries of the board over which the values are averaged")
    label.add_argument("--source", help="who made the values; the teacher's form and file if left out")
    return parser.parse_args(args)


def amp(options):
    """True to compute in bfloat16; None to let the device decide."""
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


def label(options):
    """Writes the games with a teacher's values in place of the searches'. An interruption leaves the games
    before it."""
    learner = load_teacher(options.teacher, options)
    program = build_program(options.program)
    command = [*options.games, "--label", "--rules", options.rules, "--batch-size", options.batch_size]
    place = beginning(options.generators)
    games = Source(program, command + stream_options(options, place), options.device, "boards", read_boards)
    with open(options.out, "wb", buffering=0) as file:
        file.write(header(options.source or describe(learner, options)))
        with Feed(games, place) as feed, tqdm(unit="pos", unit_scale=True) as bar:
            for boards in feed:
                if len(boards):
                    values = predictions(learner, boards, options.symmetries)
                    file.write(frame(labelled_records(boards, values)))
                    bar.update(len(boards))


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
