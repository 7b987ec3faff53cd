#!/usr/bin/env python3
"""The learning curve: what a network of one rule learns from more and more labels.

Trains once for each number of labels, each time from the same start, and writes one table and one plot
of the losses on held-out and on training games. With `--play` each network plays games against another
one, such as the start, and its Elo stands beside the losses. The same command goes on where it was
interrupted. Options of `train.py` follow behind `--`.
"""

import argparse
import json
import math
import shlex
import subprocess
import sys
from pathlib import Path

import plots
from batches import NETS, Source, exit_on_damaged_stream
from files import write_whole
from options import Parser, number, program_file, seed
from origin import difference, fingerprints
from train import ROOT, build_program

#: Games that labels and positions are counted in.
COUNTED = 2000

#: Options of `train.py` that are set here.
OWN = ("rules", "seed", "max-games", "positions", "state", "out", "program")


def label_numbers(text):
    """The numbers of a list such as `0.3e6,1e6`, ascending."""
    return sorted({number(1)(part) for part in text.split(",")})


def arguments(args):
    """The options of the command line, with those for `train.py` as `train`."""
    parser = Parser(description="Trains on more and more labels of one rule and draws the losses.",
                    epilog="Options of train.py follow behind --.")
    parser.add_argument("games", nargs="+", help="files of games, or folders with .bin.zst files")
    parser.add_argument("--rule", choices=["freestyle", "standard", "renju"], required=True)
    parser.add_argument("--labels", type=label_numbers, default="3e5,1e6,3e6,1e7",
                        help="numbers of labels; where there are fewer, all")
    parser.add_argument("--passes", type=number(0.01), default=3, help="how often each label is learned from")
    parser.add_argument("--seed", type=seed, default=1, help="which games, and their order")
    parser.add_argument("--out", default="curve", help="folder for the runs, the table and the plot")
    parser.add_argument("--states", nargs="*", type=Path, default=[],
                        help="folders of other curves or of single runs of them to draw as well")
    parser.add_argument("--play", type=number(2, kind=int), metavar="GAMES",
                        help="games of each network on each board")
    parser.add_argument("--against", type=Path, metavar="FILE",
                        help="networks to play against; the engine's own if not given")
    parser.add_argument("--engine", type=program_file, help="tengen; built by cargo if not given")
    parser.add_argument("--boards", type=lambda text: [int(side) for side in text.split(",")], default="15",
                        help="sides of the boards to play on")
    parser.add_argument("--nodes", type=number(1, kind=int), default=5000, help="nodes of a move")
    parser.add_argument("--program", type=program_file, help="tengen-train; built by cargo if not given")
    split = args.index("--") if "--" in args else len(args)
    options = parser.parse_args(args[:split])
    options.train = args[split + 1 :]
    own = argparse.ArgumentParser(add_help=False)
    for name in OWN:
        own.add_argument(f"--{name}", dest=name)
    for name, value in vars(own.parse_known_args(options.train)[0]).items():
        if value is not None:
            parser.error(f"--{name} behind -- would contradict the curve, which sets it itself")
    return options


def count(source):
    """The number of games, and how many labels and positions one has on average. The blocks of the
    source have one game each."""
    games = labels = positions = 0
    with source:
        for batch in source:
            labels += int(batch.quiet.sum())
            positions += len(batch)
            games += batch.last_of_block
            if games == COUNTED:
                break
    if not labels:
        sys.exit("the games have no labels of this rule")
    return batch.blocks, labels / games, positions / games


def sizes(wanted, games, labels_per_game):
    """Numbers of games for the wanted numbers of labels: all games at most, and that once."""
    return sorted({min(max(round(labels / labels_per_game), 1), games) for labels in wanted})


def start_of(words):
    """The value of `--init` among options of `train.py`; None without it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--init")
    return parser.parse_known_args(words)[0].init


def train(options, program, folder, games, positions):
    """A run of `train.py`, unless it has ended already."""
    fixed = ["--rules", options.rule, "--seed", options.seed, "--max-games", games]
    fixed += ["--positions", positions, *options.train]
    origin = {"games": fingerprints(options.games, "*.bin.zst"), "--options": " ".join(map(str, fixed))}
    if init := start_of(options.train):
        origin["init"] = fingerprints([init], "*.tgnn")
    made, results, network = (folder / name for name in ("run.json", "results.json", "network.tgnn"))
    if made.exists() and (found := difference(json.loads(made.read_text()), origin)):
        sys.exit(f"{folder} is of another curve: {found}")
    if results.exists() and network.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(made, json.dumps(origin))
    command = [sys.executable, Path(__file__).with_name("train.py"), *options.games, *fixed]
    command += ["--program", program, "--state", folder, "--out", network]
    if code := subprocess.run(list(map(str, command))).returncode:
        sys.exit(code)


def finished_runs(folders):
    """The folders of the finished runs in these folders: curves, or single runs. Ends the program where one
    has none."""
    found = []
    for folder in folders:
        runs = [file.parent for file in sorted(folder.glob("**/curve.json"))]
        runs = [run for run in runs if (run / "results.json").is_file()]
        if not runs:
            sys.exit(f"--states: {folder} has no finished run")
        found += runs
    return found


def openings(rule, board):
    """The file of the openings that networks play on a board."""
    return ROOT / f"bench_positions/openings/{rule}-{board}.txt"


def check_files(options):
    """Ends the program where a file for `--play` is missing: before hours of training, not after them."""
    files = [openings(options.rule, board) for board in options.boards]
    if options.against:
        files.append(options.against)
    for file in files:
        if not file.is_file():
            sys.exit(f"--play needs {file}, which is not there")


def check_network(engine, rule, file):
    """Ends the program where the engine cannot play by these networks: in a match it would use its own."""
    command = [engine, "analyze", "--rule", rule, "--nodes", 1, "--evaluator", file, "h8", "i9"]
    if code := subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL).returncode:
        sys.exit(code)


def play(options, folder, board):
    """The result of games of the network in `folder` on a board; played once."""
    done = folder / f"games-{board}.json"
    against = [options.against] if options.against else []
    # Without `--against` the opponent has the networks of the engine.
    opponent = fingerprints(against or [ROOT / "src/eval/weights"], "*.tgnn")
    conditions = {"--play": options.play, "--nodes": options.nodes, "against": opponent}
    if done.exists():
        result = json.loads(done.read_text())
        if found := difference(result["conditions"], conditions):
            sys.exit(f"{done} is of other games: {found}")
        return result
    engine = build_program(options.engine, "tengen-tools", "tengen")
    for file in [folder / "network.tgnn", *against]:
        check_network(engine, options.rule, file)
    player = "cmd=" + shlex.quote(str(Path(engine).resolve()))
    new = [player, "name=new", f"option.evaluator={(folder / 'network.tgnn').resolve()}"]
    old = [player, "name=old", *(f"option.evaluator={file.resolve()}" for file in against)]
    command = [engine, "match", "--engine", *new, "--engine", *old, "--each", f"nodes={options.nodes}"]
    command += ["--each", "threads=1", "--each", "hash=32M", "--rule", options.rule, "--size", board]
    command += ["--games", options.play, "--openings", openings(options.rule, board), "--seed", options.seed]
    command += ["--draw-after", 150, "--adjudicate", "proved=2", "--json"]
    match = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if match.returncode:
        sys.exit(match.returncode)
    last = json.loads(match.stdout.splitlines()[-1])
    new = next(player for player in last["players"] if player["name"] == "new")
    result = {"conditions": conditions, **new["all"], **last["duel"]["elo"]}
    write_whole(done, json.dumps(result))
    return result


def games_of(path):
    """The result of games that `play` wrote. For an infinite Elo or error the match writes null."""
    games = json.loads(path.read_text())
    if games["elo"] is None:
        games["elo"] = math.copysign(math.inf, games["wins"] - games["losses"])
    if games["error"] is None:
        games["error"] = math.inf
    return games


def points(folders):
    """The results of the runs in these folders, by labels."""
    found = []
    for folder in folders:
        run = json.loads((folder / "curve.json").read_text())
        run["results"] = json.loads((folder / "results.json").read_text())
        played = sorted(folder.glob("games-*.json"))
        run["games"] = {path.stem.removeprefix("games-"): games_of(path) for path in played}
        found.append(run)
    return sorted(found, key=lambda run: run["labels"])


def table(runs):
    """The losses as a table in Markdown."""
    text = (
        "| network | labels | positions learned | value, held-out | training | classical | least possible "
        "| gap | policy, held-out | training |\n|---|---|---|---|---|---|---|---|---|---|\n"
    )
    for net in NETS:
        for run in runs:
            if net in run["results"]:
                held_out, training = (run["results"][net][name] for name in ("held-out", "training"))
                text += (
                    f"| {net} | {run['labels']:,} | {run['positions']:,} "
                    f"| {held_out['value']:.4f} | {training['value']:.4f} "
                    f"| {held_out['classical value']:.4f} | {held_out['least possible']:.4f} "
                    f"| {plots.excess(held_out) - plots.excess(training):.4f} "
                    f"| {held_out['policy']:.3f} | {training['policy']:.3f} |\n"
                )
    text += "\nThe gap is that of the values' excesses over the least possible losses.\n"
    rulers = [
        (f"{net} | {run['labels']:,}", run["results"][net]["ruler"])
        for net in NETS for run in runs if run["results"].get(net, {}).get("ruler")
    ]
    if rulers:
        text += "\n" + plots.ruler_table("network | labels", rulers)
    if any(run["games"] for run in runs):
        text += "\n| labels | board | nodes a move | games | Elo |\n|---|---|---|---|---|\n"
    for run in runs:
        for board, games in run["games"].items():
            text += (
                f"| {run['labels']:,} | {board}x{board} | {games['conditions']['--nodes']:,} "
                f"| {games['wins']}-{games['losses']}-{games['draws']} "
                f"| {games['elo']:+.0f} ± {games['error']:.0f} |\n"
            )
    return text


@exit_on_damaged_stream()
def main():
    options = arguments(sys.argv[1:])
    if options.play:
        check_files(options)
    others = finished_runs(options.states)
    program = build_program(options.program)
    fixed = [*options.games, "--rules", options.rule, "--seed", options.seed, "--block-games", 1]
    games, labels_per_game, positions_per_game = count(Source(program, fixed))
    out, folders = Path(options.out), []
    for chosen in sizes(options.labels, games, labels_per_game):
        labels, positions = round(chosen * labels_per_game), round(chosen * positions_per_game * options.passes)
        folder = out / str(chosen)
        print(f"{labels} labels of {chosen} games, {positions} positions", flush=True)
        train(options, program, folder, chosen, max(positions, 1))
        write_whole(folder / "curve.json", json.dumps({"labels": labels, "positions": positions}))
        for board in options.boards if options.play else []:
            play(options, folder, board)
        folders.append(folder)
        runs = points([*folders, *others])
        (out / "curve.md").write_text(table(runs))
        plots.curve(runs, out / "curve.png")
    print(table(runs))


if __name__ == "__main__":
    main()
