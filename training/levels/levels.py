#!/usr/bin/env python3
"""Measure the strengths of Tengen: against fixed opponents, and each against the one below.

    cargo build --release --workspace
    training/levels/levels.py

Prints a table of the games of each pair, with Elo and error as `tengen match` gives them. Needs Python alone.
`levels.py player NAME` is one of the fixed opponents, as an engine of the Gomocup protocol.
"""

import argparse
import random
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SIZE = 15
# Every line of five cells, and those through each cell.
FIVES = [
    [(x + i * dx, y + i * dy) for i in range(5)]
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    for x in range(SIZE)
    for y in range(SIZE)
    if 0 <= x + 4 * dx < SIZE and 0 <= y + 4 * dy < SIZE
]
THROUGH = {(x, y): [five for five in FIVES if (x, y) in five] for x in range(SIZE) for y in range(SIZE)}
OWN, OTHER = 1, 2


def near(stones):
    """The free cells within two steps of a stone; the centre of an empty board."""
    steps = range(-2, 3)
    cells = {(x + dx, y + dy) for x, y in stones for dx in steps for dy in steps}
    return sorted(cell for cell in cells if cell in THROUGH and cell not in stones) or [(SIZE // 2, SIZE // 2)]


def worth(stones, cell, side):
    """The worth of the lines that a stone of `side` on `cell` makes longer; 10,000 and more is a five."""
    total = 0
    for five in THROUGH[cell]:
        counts = [stones.get(other) for other in five]
        if OWN + OTHER - side not in counts:
            total += 10 ** counts.count(side)
    return total


def random_player(stones):
    """Any cell near the stones."""
    return random.choice(near(stones))


def beginner(stones):
    """Makes a five, blocks nine fours of ten, and else makes its own lines longer."""
    cells = near(stones)
    random.shuffle(cells)
    five = max(cells, key=lambda cell: worth(stones, cell, OWN))
    blocks = [cell for cell in cells if worth(stones, cell, OTHER) >= 10_000]
    if worth(stones, five, OWN) < 10_000 and blocks and random.random() < 0.9:
        return blocks[0]
    return five


def one_ply(stones):
    """The cell that is worth most to both sides together."""
    cells = near(stones)
    random.shuffle(cells)
    return max(cells, key=lambda cell: 2 * worth(stones, cell, OWN) + worth(stones, cell, OTHER))


PLAYERS = {"random": random_player, "beginner": beginner, "one-ply": one_ply}


def talk(player):
    """Answer the commands of the Gomocup protocol."""
    stones = {}

    def answer():
        x, y = player(stones)
        stones[x, y] = OWN
        print(f"{x},{y}", flush=True)

    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "START":
            print("OK" if words == [str(SIZE)] else "ERROR only boards of 15x15", flush=True)
        elif command == "RESTART":
            stones.clear()
            print("OK", flush=True)
        elif command == "BEGIN":
            answer()
        elif command == "TURN":
            x, y = map(int, words[0].split(","))
            stones[x, y] = OTHER
            answer()
        elif command == "BOARD":
            stones.clear()
            for stone in iter(lambda: sys.stdin.readline().strip(), "DONE"):
                x, y, side = map(int, stone.split(","))
                stones[x, y] = side
            answer()
        elif command == "ABOUT":
            print('name="Level"', flush=True)
        elif command == "END":
            return
        elif command != "INFO":
            print("UNKNOWN", flush=True)


def match(options, first, second, openings):
    """The text that `tengen match` prints for a match."""
    command = [options.tengen, "match", "--games", str(options.games), "--openings", openings, "--seed", "1"]
    command += ["--each", "restart=no", "--engine", *first, "--engine", *second]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def row(text):
    """A row of the table: first player, second player, wins, draws, losses, Elo with its error."""
    first, second, elo = re.search(r"^Elo of (\S+) against (\S+): (.*?)(?: \(95 %\))?$", text, re.M).groups()
    points = re.search(rf"^ +{first} .*?(\+\d+ =\d+ -\d+)", text, re.M)[1]
    return f"| {first} | {second} | {points} | {elo} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="games of each pair")
    parser.add_argument("--tengen", default="target/release/tengen", help="the program that plays the matches")
    parser.add_argument("--engine", default="target/release/pbrain-tengen", help="the engine that is measured")
    parser.add_argument("--nodes", type=int, default=400_000, help="nodes of strength 100")
    parser.add_argument("--strengths", type=int, nargs="+", default=list(range(0, 101, 10)))
    options = parser.parse_args()

    def strength(percent):
        command = shlex.quote(str(Path(options.engine).resolve()))
        return [f"cmd={command}", f"name={percent}", f"option.strength={percent}", f"nodes={options.nodes}"]

    def fixed(name):
        command = shlex.join([sys.executable, str(Path(__file__).resolve()), "player", name])
        return [f"cmd={command}", f"name={name}"]

    pairs = [(strength(s), fixed(name)) for s in options.strengths for name in PLAYERS if s <= 20]
    pairs += [(strength(b), strength(a)) for a, b in zip(options.strengths, options.strengths[1:])]
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        openings = Path(folder, "openings.txt")
        # Three stones at random in the middle, so that no two pairs of games are the same.
        cells = [f"{column}{row}" for column in "fghij" for row in range(6, 11)]
        openings.write_text("".join(" ".join(random.sample(cells, 3)) + "\n" for _ in range(options.games // 2)))
        print("| strength | against | games | Elo |\n|---|---|---|---|")
        for first, second in pairs:
            print(row(match(options, first, second, str(openings))), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["player"]:
        talk(PLAYERS[sys.argv[2]])
    else:
        main()
