#!/usr/bin/env python3
"""The ruler: what a search of few nodes knows of a search of many, in doublings of its nodes.

    ruler.py judge PROGRAM RECORDS... --out positions.jsonl
    ruler.py measure PROGRAM positions.jsonl journal.jsonl
    ruler.py report positions.jsonl journal.jsonl

`judge` picks open positions from games of `tengen match --records` and searches each with many nodes.
`measure` searches all of them with few nodes, again and again, each time with every number of the search
a little higher or lower at random (a factorial design). `report` fits what each change is worth. PROGRAM
is `pbrain-tengen`; a file that another one replaces during the measurement spoils it.

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
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
RULES = {"freestyle": 0, "standard": 1, "renju": 4}
#: Values beyond are as good as won, in units of the engine.
CAP = 2000
#: Units of a value for one nat of the expected result.
UNIT = 200 / 1.1
PARAM = re.compile(r"^ {4}(\w+) = (-?\d+), (-?\d+)\.\.=(\d+), (\d+);$", re.M)
#: Numbers that no search with a limit of nodes uses, or only in a rule that is not measured.
UNUSED = re.compile("time_|root_vcf_nodes")


class Engine:
    """A running engine with some numbers of its search changed."""

    def __init__(self, program, params):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.params = params
        self.board = None

    def search(self, position, nodes):
        """Move and value, for the side to move, of a search by one thread with an empty table."""
        board = position["rule"], position["width"], position["height"]
        lines = []
        if board != self.board:
            self.board = board
            lines += [f"INFO rule {RULES[board[0]]}", f"RECTSTART {board[1]},{board[2]}", "INFO thread_num 1"]
            lines += ["INFO hash_size 65536", "INFO timeout_turn 10000000", "INFO timeout_match 0"]
            lines += [f"INFO {name} {value}" for name, value in self.params.items()]
        lines += [f"INFO max_node {nodes}", "YXHASHCLEAR", "BOARD"]
        moves = position["moves"]
        for number, point in enumerate(moves):
            lines.append(f"{ord(point[0]) - ord('a')},{int(point[1:]) - 1},{1 + (len(moves) - number) % 2}")
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


def read(path):
    """The lines of a file; the last one may be cut off."""
    whole = Path(path).read_text().rpartition("\n")[0]
    return [json.loads(line) for line in whole.splitlines()]


def extend(path, work, items, threads):
    """Appends `work(item)` for each of the `items` beyond the lines that the file has already."""
    with path.open("a+b") as file:
        if os.name == "posix":
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                sys.exit(f"another process writes {path}")
        file.seek(0)
        lines = file.read()
        # A line that an interruption cut off is made again.
        file.truncate(lines.rfind(b"\n") + 1)
        items = items[lines.count(b"\n") :]
        with ThreadPoolExecutor(threads) as pool:
            for start in range(0, len(items), threads):
                for result in pool.map(work, items[start : start + threads]):
                    file.write(json.dumps(result).encode() + b"\n")
                file.flush()


def judge(options):
    """Writes positions with the moves and values of deep searches."""
    rng = random.Random(options.seed)
    positions = []
    for folder in options.records:
        for game in read(folder / "journal.jsonl"):
            if "outcome" not in game or game["rule"] not in RULES:
                continue
            moves = [turn.get("p", "") for turn in game["turns"]]
            if not all(re.fullmatch(r"[a-z]\d+", move) for move in moves):
                continue
            # The end of a game is decided.
            plies = range(max(game["opening_turns"], 4), len(moves) - 6)
            for ply in rng.sample(plies, min(options.per_game, len(plies))):
                positions.append({key: game[key] for key in ("rule", "width", "height")} | {"moves": moves[:ply]})
    rng.shuffle(positions)
    engines = threading.local()

    def work(position):
        if not hasattr(engines, "own"):
            engines.own = Engine(options.program, {})
        move, value = None, CAP
        if abs(engines.own.search(position, options.nodes // 64)[1]) <= options.open:
            move, value = engines.own.search(position, options.nodes)
        return position | {"move": move, "value": value}

    extend(options.out, work, positions, options.threads)


def measure(options):
    """Searches all positions with random changes of the search's numbers, until it is interrupted."""
    known = {name: list(map(int, numbers)) for name, *numbers in PARAM.findall(options.params.read_text())}
    names = options.param.split(",") if options.param else [name for name in known if not UNUSED.match(name)]
    if missing := [name for name in names if name not in known]:
        sys.exit(f"{missing[0]} is no number of the search")
    positions = [position for position in read(options.positions) if position["move"]]

    def work(number):
        nodes, changes = options.nodes, {}
        # First the unit.
        if number < 2:
            nodes = nodes * 2 if number else nodes // 2
        else:
            rng = random.Random(f"{options.seed} {number}")
            for name in names:
                default, least, most, step = known[name]
                change = rng.choice((-1, 1)) * int(options.spread * step)
                changes[name] = min(max(default + change, least), most) - default
        engine = Engine(options.program, {name: known[name][0] + change for name, change in changes.items()})
        found = [engine.search(position, nodes) for position in positions]
        engine.close()
        return {"nodes": nodes, "changes": changes, "moves": [m for m, _ in found], "values": [v for _, v in found]}

    extend(options.journal, work, range(options.most), options.threads)


def score(positions, result):
    """The score of a measurement in each position."""
    points = lambda values: 1 / (1 + np.exp(-np.array(values) / UNIT))
    deep = points([position["value"] for position in positions])
    same = [position["move"] == move for position, move in zip(positions, result["moves"])]
    return np.array(same) - 4 * np.sqrt(abs(points(result["values"]) - deep))


def report(options):
    """Prints what each change is worth, by a linear fit, and on each board."""
    positions = [position for position in read(options.positions) if position["move"]]
    less, more, *results = read(options.journal)
    unit = (score(positions, more) - score(positions, less)).mean() / 2
    names = list(results[0]["changes"])
    sizes = np.array([[result["changes"][name] for name in names] for result in results], float)
    scores = np.array([score(positions, result) for result in results]) / unit
    middle = sizes.mean(0)
    spread = np.ptp(sizes, axis=0) / 2
    design = np.c_[np.ones(len(sizes)), (sizes - middle) / spread]
    if len(design) < design.shape[1] + 3:
        sys.exit(f"{len(design)} measurements are too few for {len(names)} numbers")
    inverse = np.linalg.inv(design.T @ design)
    fit = inverse @ design.T @ scores
    whole = fit.mean(1)
    rest = scores.mean(1) - design @ whole
    errors = 2 * np.sqrt(rest @ rest / (len(design) - design.shape[1]) * np.diag(inverse))
    boards = {(p["rule"], p["width"], p["height"]) for p in positions}
    columns = {board: [(p["rule"], p["width"], p["height"]) == board for p in positions] for board in sorted(boards)}
    print(f"{len(results)} measurements of {len(positions)} positions; doublings of the nodes, two standard errors")
    print(f"{'number':22}{'change':>8}{'worth':>8}{'error':>7}  ", *(f"{r} {w}x{h}" for r, w, h in columns), sep="  ")
    for i in sorted(range(len(names)), key=lambda i: -abs(whole[i + 1] / errors[i + 1])):
        each = (f"{fit[i + 1, column].mean():+.3f}".rjust(len(f"{r} {w}x{h}")) for (r, w, h), column in columns.items())
        print(f"{names[i]:22}{spread[i]:8.4g}{whole[i + 1]:+8.3f}{errors[i + 1]:7.3f}  ", *each, sep="  ")


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(function, *names):
        added = commands.add_parser(function.__name__, description=function.__doc__, help=function.__doc__)
        added.set_defaults(function=function)
        for name in names:
            added.add_argument(name, type=str if name == "program" else Path)
        added.add_argument("--threads", type=int, default=1, help="searches at the same time [1]")
        added.add_argument("--seed", type=int, default=1, help="of everything random [1]")
        return added

    one = command(judge, "program")
    one.add_argument("records", nargs="+", type=Path, help="folders of `tengen match --records`")
    one.add_argument("--out", type=Path, required=True, help="positions; continued where it exists")
    one.add_argument("--per-game", type=int, default=2, help="positions of a game [2]")
    one.add_argument("--nodes", type=int, default=1_500_000, help="of the deep search [1,500,000]")
    one.add_argument("--open", type=int, default=250, help="value beyond which a position is decided [250]")
    two = command(measure, "program", "positions", "journal")
    two.add_argument("--nodes", type=int, default=50_000, help="of a search [50,000]")
    two.add_argument("--most", type=int, default=10**9, help="measurements [until it is interrupted]")
    two.add_argument("--param", help="numbers to change, separated by commas [all that matter]")
    two.add_argument("--params", type=Path, default=ROOT / "src/search/params.rs", help="file that lists them")
    two.add_argument("--spread", type=float, default=1.5, help="size of a change, in steps of the number [1.5]")
    command(report, "positions", "journal")
    options = parser.parse_args()
    options.function(options)


if __name__ == "__main__":
    main()
