"""Tests of the ruler with an engine whose one good number is known."""

import json
import stat
import subprocess
import sys
from pathlib import Path

RULER = Path(__file__).with_name("ruler.py")

#: Finds the move of the deep search the more often, the more nodes it has and the larger `good` is.
ENGINE = """#!/usr/bin/env python3
import random, sys
numbers, board = {"good": 10, "idle": 10}, []
for line in sys.stdin:
    words = line.split()
    if words[0] == "INFO":
        numbers[words[1]] = int(words[2])
    elif words[0] == "BOARD":
        board = []
    elif words[0] == "DONE":
        nodes = numbers["max_node"] * (1 + numbers["good"] / 10)
        rng = random.Random(f"{board} {nodes} {numbers['idle']}")
        sure = min(nodes / 10000, 1)
        x = 14 if rng.random() < sure else rng.randrange(14)
        print(f"MESSAGE depth 9-12 ev {round(rng.gauss(0, 100 * (1 - sure)))} n 1K", flush=True)
        print(f"{x},7", flush=True)
    elif words[0] == "END":
        break
    else:
        board.append(line)
"""

PARAMS = """params! {
    /// Matters.
    good = 10, 0..=20, 3;
    /// Does not.
    idle = 10, 0..=20, 2;
    /// Has no effect without a clock.
    time_drop = 60, 0..=200, 10;
}
"""


def ruler(*args):
    """The output of a command."""
    run = subprocess.run([sys.executable, RULER, *map(str, args)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_number_that_matters_is_found(tmp_path):
    engine = tmp_path / "engine.py"
    engine.write_text(ENGINE)
    engine.chmod(engine.stat().st_mode | stat.S_IXUSR)
    params = tmp_path / "params.rs"
    params.write_text(PARAMS)
    games = tmp_path / "games"
    games.mkdir()
    turns = [{"p": f"{chr(97 + i % 15)}{1 + i // 15}"} for i in range(40)]
    game = {"rule": "renju", "width": 15, "height": 15, "opening_turns": 3, "turns": turns, "outcome": "black"}
    lines = [{"event": "match"}] + [game | {"turns": turns[i:]} for i in range(20)]
    (games / "journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    positions, journal = tmp_path / "positions.jsonl", tmp_path / "journal.jsonl"
    ruler("judge", engine, games, "--out", positions, "--per-game", 4, "--nodes", 640_000)
    assert 60 < len(positions.read_text().splitlines()) <= 80
    measure = ("measure", engine, positions, journal, "--nodes", 2000, "--registry", params, "--threads", 2)
    ruler(*measure, "--most", 20)
    whole = journal.read_text()
    # Cut off within a line, it goes on to the same result.
    journal.write_text(whole[: len(whole) // 2])
    ruler(*measure, "--most", 20)
    assert journal.read_text() == whole
    # Other measurements do not get into the file.
    other = subprocess.run([sys.executable, RULER, *map(str, measure), "--seed", "2"], capture_output=True, text=True)
    assert other.returncode == 1
    assert other.stderr.strip() == f"{journal} was begun with other positions or options"
    assert journal.read_text() == whole
    table = ruler("report", positions, journal).splitlines()
    assert table[0].startswith("18 measurements of ")
    first, second = (line.split() for line in table[2:])
    assert first[:2] == ["good", "4"] and second[:2] == ["idle", "3"]
    assert float(first[2]) > float(first[3]) > 0
    assert abs(float(second[2])) < 2 * float(second[3])
