#!/usr/bin/env python3
"""The ruler: what a search of few nodes knows of a search of many, in doublings of its nodes.

    ruler.py judge PROGRAM RECORDS... --out positions.jsonl
    ruler.py measure PROGRAM positions.jsonl measured.jsonl
    ruler.py report positions.jsonl measured.jsonl

`judge` picks open positions from games of `tengen match --records` and searches each with many nodes.
`measure` searches all of them with few nodes, again and again, each time with every number of the search
a little higher or lower at random (a factorial design). `report` fits what each change is worth. PROGRAM
is a copy of `pbrain-tengen`: a build that replaces the file would spoil the measurements.

A search scores 1 where it finds the deep search's move, less 4 times the root of the difference between
the two expected results. Of seven scores that were tried, it tells most surely 25,000 from 50,000 nodes
and 50,000 from 100,000. Its unit, a doubling of the nodes, is measured with the shipped numbers.

Two limits. The shipped numbers themselves score too well, because their deep search began as the shallow
one: compare changed numbers with changed ones only. And what the deep search overlooks, no change can gain.

Needs Python and numpy.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "training/network"))

import log  # noqa: E402
from options import Parser, number, program_file, seed  # noqa: E402

RULES = {"freestyle": 0, "standard": 1, "renju": 4}
#: Values beyond are as good as won, in units of the engine.
CAP = 2000
#: Units of a value for one nat of the expected result.
UNIT = 200 / 1.1
PARAM = re.compile(r"^ {4}(\w+) = (-?\d+), (-?\d+)\.\.=(\d+), (\d+);$", re.M)
#: Numbers without effect here: no clock runs, and no VCF search at the root may visit so many positions.
UNUSED = re.compile("time_|root_vcf_nodes")


def board(position):
    """Rule, width and height."""
    return position["rule"], position["width"], position["height"]


class Engine:
    """A running engine with some numbers of its search changed."""

    def __init__(self, program, params):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.params = params
        self.board = None

    def search(self, position, nodes):
        """Move and value, for the side to move, of a search by one thread with an empty table."""
        lines = []
        if board(position) != self.board:
            self.board = rule, width, height = board(position)
            lines += [f"INFO rule {RULES[rule]}", f"RECTSTART {width},{height}", "INFO thread_num 1"]
            lines += ["INFO hash_size 65536", "INFO timeout_turn 10000000", "INFO timeout_match 0"]
            lines += [f"INFO {name} {value}" for name, value in self.params.items()]
        lines += [f"INFO max_node {nodes}", "YXHASHCLEAR", "BOARD"]
        moves = position["moves"]
        for ply, point in enumerate(moves):
            lines.append(f"{ord(point[0]) - ord('a')},{int(point[1:]) - 1},{1 + (len(moves) - ply) % 2}")
        self.process.stdin.write("\n".join(lines + ["DONE", ""]))
        self.process.stdin.flush()
        value = 0
        for line in self.process.stdout:
            if found := re.match(r"MESSAGE depth \d+-\d+ ev ([+-]?)(M?)(\d+)", line):
                sign, mate, size = found.groups()
                size = CAP if mate else min(int(size), CAP)
                value = -size if sign == "-" else size
            elif found := re.match(r"(\d+),(\d+)$", line):
                return f"{chr(ord('a') + int(found[1]))}{int(found[2]) + 1}", value
        sys.exit(f"{self.process.args[0]} ended before its move")

    def close(self):
        """Ends the engine."""
        self.process.communicate("END\n")


def extend(path, questions, work, threads):
    """Appends `work(question)` for each of the `questions` that has no line in the file. A line has its
    question's keys among its own, so that a file of other questions is refused."""
    with path.open("a+b") as file:
        if os.name == "posix":
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                sys.exit(f"another process writes {path}")
        file.seek(0)
        whole = file.read()
        # A line that an interruption cut off is made again.
        file.truncate(whole.rfind(b"\n") + 1)
        for line, question in zip(log.read(path), questions):
            if any(line.get(key) != value for key, value in question.items()):
                sys.exit(f"{path} was begun with other positions or options")
        with ThreadPoolExecutor(threads) as pool:
            while some := list(islice(questions, threads)):
                for result in pool.map(work, some):
                    file.write(json.dumps(result).encode() + b"\n")
                file.flush()


def judged(path):
    """The positions of a file that are open."""
    return [position for position in log.read(path) if position["move"]]


def judge(options):
    """Writes positions with the moves and values of deep searches."""
    rng = random.Random(options.seed)
    positions = []
    for folder in options.records:
        for game in log.read(folder / "journal.jsonl"):
            if "outcome" not in game or game["rule"] not in RULES:
                continue
            moves = [turn.get("p", "") for turn in game["turns"]]
            if not all(re.fullmatch(r"[a-z]\d+", move) for move in moves):
                continue
            # The end of a game is decided.
            plies = range(max(game["opening_turns"], 4), len(moves) - 6)
            for ply in rng.sample(plies, min(options.per_game, len(plies))):
                rule, width, height = board(game)
                positions.append({"rule": rule, "width": width, "height": height, "moves": moves[:ply]})
    rng.shuffle(positions)
    engines = threading.local()

    def work(position):
        if not hasattr(engines, "own"):
            engines.own = Engine(options.program, {})
        move, value = None, CAP
        if abs(engines.own.search(position, options.nodes // 64)[1]) <= options.open:
            move, value = engines.own.search(position, options.nodes)
        return position | {"move": move, "value": value}

    extend(options.out, iter(positions), work, options.threads)


def measure(options):
    """Searches all positions with random changes of the search's numbers, until it is interrupted."""
    known = {name: list(map(int, numbers)) for name, *numbers in PARAM.findall(options.registry.read_text())}
    names = options.param.split(",") if options.param else [name for name in known if not UNUSED.match(name)]
    if missing := [name for name in names if name not in known]:
        sys.exit(f"{missing[0]} is no number of the search")
    positions = judged(options.positions)

    def questions():
        # First the unit.
        for nodes in (options.nodes // 2, options.nodes * 2):
            yield {"nodes": nodes, "positions": len(positions), "changes": {}}
        for measurement in count(2):
            rng = random.Random(f"{options.seed} {measurement}")
            changes = {}
            for name in names:
                default, least, most, step = known[name]
                change = rng.choice((-1, 1)) * int(options.spread * step)
                changes[name] = min(max(default + change, least), most) - default
            yield {"nodes": options.nodes, "positions": len(positions), "changes": changes}

    def work(question):
        changes = question["changes"].items()
        engine = Engine(options.program, {name: known[name][0] + change for name, change in changes})
        found = [engine.search(position, question["nodes"]) for position in positions]
        engine.close()
        return question | {"moves": [move for move, _ in found], "values": [value for _, value in found]}

    extend(options.measured, islice(questions(), options.most), work, options.threads)


def score(positions, result):
    """The score of a measurement in each position."""
    points = lambda values: 1 / (1 + np.exp(-np.array(values) / UNIT))
    deep = points([position["value"] for position in positions])
    same = [position["move"] == move for position, move in zip(positions, result["moves"])]
    return np.array(same) - 4 * np.sqrt(abs(points(result["values"]) - deep))


def report(options):
    """Prints what each change is worth, by a linear fit, and on each board."""
    positions = judged(options.positions)
    units, results = (lines := log.read(options.measured))[:2], lines[2:]
    names = list(results[0]["changes"]) if results else []
    # Three more than the fit has numbers, so that its error is known.
    if len(results) < len(names) + 4:
        sys.exit(f"{len(results)} measurements are too few for {len(names)} numbers")
    if results[0]["positions"] != len(positions):
        sys.exit(f"{options.measured} measured other positions")
    less, more = (score(positions, result).mean() for result in units)
    sizes = np.array([[result["changes"][name] for name in names] for result in results], float)
    scores = np.array([score(positions, result) for result in results]) * 2 / (more - less)
    middle = sizes.mean(0)
    spread = np.ptp(sizes, axis=0) / 2
    design = np.c_[np.ones(len(sizes)), (sizes - middle) / spread]
    inverse = np.linalg.inv(design.T @ design)
    fit = inverse @ design.T @ scores
    whole = fit.mean(1)
    rest = scores.mean(1) - design @ whole
    errors = 2 * np.sqrt(rest @ rest / (len(design) - design.shape[1]) * np.diag(inverse))
    boards = {f"{rule} {width}x{height}": (rule, width, height) for rule, width, height in map(board, positions)}
    columns = {title: [board(position) == own for position in positions] for title, own in sorted(boards.items())}
    print(f"{len(results)} measurements of {len(positions)} positions; doublings of the nodes, two standard errors")
    print(f"{'number':22}{'change':>8}{'worth':>8}{'error':>7}  ", *columns, sep="  ")
    for i in sorted(range(len(names)), key=lambda i: -abs(whole[i + 1] / errors[i + 1])):
        each = (f"{fit[i + 1, column].mean():+.3f}".rjust(len(title)) for title, column in columns.items())
        print(f"{names[i]:22}{spread[i]:8.4g}{whole[i + 1]:+8.3f}{errors[i + 1]:7.3f}  ", *each, sep="  ")


def main():
    """The command line."""
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    whole = number(1, kind=int)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(function, *names):
        added = commands.add_parser(function.__name__, description=function.__doc__, help=function.__doc__)
        added.set_defaults(function=function)
        for name in names:
            added.add_argument(name, type=program_file if name == "program" else Path)
        return added

    def random_work(added):
        added.add_argument("--threads", type=whole, default=1, help="searches at the same time [1]")
        added.add_argument("--seed", type=seed, default=1, help="of everything random [1]")

    one = command(judge, "program")
    one.add_argument("records", nargs="+", type=Path, help="folders of `tengen match --records`")
    one.add_argument("--out", type=Path, required=True, help="positions; continued where it exists")
    one.add_argument("--per-game", type=whole, default=2, help="positions of a game [2]")
    one.add_argument("--nodes", type=whole, default=1_500_000, help="of the deep search [1,500,000]")
    one.add_argument("--open", type=whole, default=250, help="value beyond which a position is decided [250]")
    two = command(measure, "program", "positions", "measured")
    two.add_argument("--nodes", type=whole, default=50_000, help="of a search [50,000]")
    two.add_argument("--most", type=whole, help="measurements [until it is interrupted]")
    two.add_argument("--param", help="numbers to change, separated by commas [all that matter]")
    two.add_argument("--registry", type=Path, default=ROOT / "src/search/params.rs", help="file that lists them")
    two.add_argument("--spread", type=number(1), default=1.5, help="size of a change, in steps of the number [1.5]")
    random_work(one)
    random_work(two)
    command(report, "positions", "measured")
    options = parser.parse_args()
    try:
        options.function(options)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        # Complete lines are in the file.
        sys.exit(130)


if __name__ == "__main__":
    main()
