import json
import sys
from pathlib import Path

import pytest

import curve
from batches import Source
from conftest import write_games

MEANS = {"value": 0.5, "least possible": 0.4, "classical value": 0.6, "policy": 2.0, "classical policy": 2.1}


def write_run(folder, labels, **games):
    """A finished run of renju, with games of these results by board."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "curve.json").write_text(json.dumps({"labels": labels, "positions": 2500}))
    results = {"renju-black": {"held-out": MEANS, "training": MEANS}}
    (folder / "results.json").write_text(json.dumps(results))
    for board, result in games.items():
        (folder / f"games-{board}.json").write_text(json.dumps(result))


def test_labels_and_positions_are_counted(tengen_train, tmp_path, monkeypatch):
    write_games(tmp_path / "games.bin.zst", 60)
    fixed = [tmp_path / "games.bin.zst", "--rules", "freestyle", "--block-games", 1]
    games, labels, positions = curve.count(Source(tengen_train, fixed))
    # One game in fifty is held out; seven positions follow the opening.
    assert 55 <= games <= 60 and positions == 7 and 1 < labels <= 7
    monkeypatch.setattr(curve, "COUNTED", 10)
    assert curve.count(Source(tengen_train, fixed))[0] == games
    assert curve.sizes([10, 100, 1e6, 1e7], 50, 7.0) == [1, 14, 50]


def test_networks_play_once_on_each_board(tmp_path, monkeypatch):
    started = []

    class Match:
        returncode = 0
        record = {"wins": 230, "draws": 20, "losses": 150}
        players = [{"name": "old", "all": {}}, {"name": "new", "all": record}]
        duel = {"elo": {"elo": 70.4, "error": 33.2, "los": 0.99}}
        stdout = '{"event":"game"}\n' + json.dumps({"event": "result", "players": players, "duel": duel})

    def run(command, **_):
        if command[1] == "match":
            started.append(command)
        return Match

    monkeypatch.setattr(curve.subprocess, "run", run)
    (tmp_path / "start.tgnn").write_bytes(b"networks")
    line = ["games", "--rule", "renju", "--play", "400", "--engine", sys.executable, "--boards", "15,20", "--against",
            str(tmp_path / "start.tgnn")]
    options = curve.arguments(line)
    for board in [*options.boards, *options.boards]:
        curve.play(options, tmp_path, board)
    assert [command[command.index("--size") + 1] for command in started] == ["15", "20"]
    for command in started:
        new, old = (player for player in command if player.startswith("option.evaluator="))
        assert new.endswith("network.tgnn") and old.endswith("start.tgnn")
        assert command[command.index("--games") + 1] == "400"
        assert Path(command[command.index("--openings") + 1]).name.startswith("renju-")
    write_run(tmp_path, 3000)
    runs = curve.points([tmp_path])
    assert "| 3,000 | 20x20 | 5,000 | 230-150-20 | +70 ± 33 |" in curve.table(runs)
    curve.plots.curve(runs, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").exists()
    # Games of another number of nodes are not taken for these.
    with pytest.raises(SystemExit, match="--nodes was 5000, now it is 900"):
        curve.play(curve.arguments([*line, "--nodes", "900"]), tmp_path, 15)
    # Nor those against the engine's own networks.
    with pytest.raises(SystemExit, match="against: start.tgnn is missing"):
        curve.play(curve.arguments(line[: line.index("--against")]), tmp_path, 15)


def test_a_run_from_another_start_is_not_taken_for_this_one(tmp_path, monkeypatch):
    monkeypatch.setattr(curve.subprocess, "run", lambda *_: pytest.fail("it would be trained"))
    start = tmp_path / "start.tgnn"
    start.write_bytes(b"networks")
    options = curve.arguments(["games", "--rule", "renju", "--", "--init", str(start)])
    options.games = []
    folder = tmp_path / "run"
    write_run(folder, 10)
    (folder / "network.tgnn").touch()
    fixed = " ".join(map(str, ["--rules", "renju", "--seed", options.seed, "--max-games", 5, "--positions", 7, *options.train]))
    made = {"games": [], "--options": fixed, "init": curve.fingerprints([start], "")}
    (folder / "run.json").write_text(json.dumps(made))
    curve.train(options, "tengen-train", folder, 5, 7)
    start.write_bytes(b"other networks")
    with pytest.raises(SystemExit, match="init: start.tgnn has changed"):
        curve.train(options, "tengen-train", folder, 5, 7)


def test_the_ruler_stands_beside_the_losses(tmp_path):
    write_run(tmp_path / "a", 1000)
    assert "their searches" not in curve.table(curve.points([tmp_path / "a"]))
    write_run(tmp_path / "b", 2000)
    judged = json.loads((tmp_path / "b/results.json").read_text())
    judged["renju-black"]["ruler"] = {
        "branches": 3000, "search": 0.395, "classical search": 0.46, "least possible": 0.29,
        "games": 4000, "result": 0.5, "classical result": 0.55,
    }
    (tmp_path / "b/results.json").write_text(json.dumps(judged))
    head, rule, row = curve.table(curve.points([tmp_path / "a", tmp_path / "b"])).splitlines()[-3:]
    assert head.count("|") == rule.count("|") == row.count("|") == 10
    assert row == "| renju-black | 2,000 | 3000 | 0.3950 | 0.4600 | 0.2900 | 4000 | 0.5000 | 0.5500 |"


def test_an_infinite_elo_is_printed_and_not_drawn(tmp_path, monkeypatch):
    def result(wins, losses, elo, error):
        record = {"wins": wins, "losses": losses, "draws": 0, "elo": elo, "error": error}
        return {"conditions": {"--nodes": 900}, **record}

    write_run(tmp_path / "a", 1000, **{"15": result(6, 0, None, None), "20": result(0, 6, None, None)})
    write_run(tmp_path / "b", 2000, **{"15": result(5, 1, 279.6, None)})
    write_run(tmp_path / "c", 3000, **{"15": result(4, 2, 120.4, 250.3)})
    runs = curve.points([tmp_path / name for name in "abc"])
    rows = [row.split(" | ")[3:] for row in curve.table(runs).splitlines()[-4:]]
    assert rows[:2] == [["6-0-0", "+inf ± inf |"], ["0-6-0", "-inf ± inf |"]]
    assert rows[2:] == [["5-1-0", "+280 ± inf |"], ["4-2-0", "+120 ± 250 |"]]
    drawn = []
    monkeypatch.setattr(curve.plots.pyplot, "close", drawn.append)
    curve.plots.curve(runs, tmp_path / "curve.png")
    points = {bars.get_label(): list(bars.lines[0].get_xdata()) for bars in drawn[0].axes[2].containers}
    assert points == {"15x15": [0.003], "20x20": []}


def test_states_are_curves_or_runs_that_have_finished(tmp_path):
    write_run(tmp_path / "curve" / "100", 500)
    write_run(tmp_path / "curve" / "400", 2000)
    write_run(tmp_path / "alone", 900)
    (tmp_path / "curve" / "400" / "results.json").unlink()
    found = curve.finished_runs([tmp_path / "curve", tmp_path / "alone"])
    assert [run.name for run in found] == ["100", "alone"]
    # Refused before the first training; they are read when the plot is drawn, hours later.
    for folder in (tmp_path / "curve" / "400", tmp_path / "none"):
        with pytest.raises(SystemExit, match=f"{folder.name} has no finished run"):
            curve.finished_runs([folder])


@pytest.mark.parametrize("fault", ["missing", "damaged"])
def test_a_network_that_the_engine_cannot_read_does_not_play(engine, tmp_path, capfd, fault):
    if fault == "damaged":
        (tmp_path / "network.tgnn").write_bytes(b"TGNN")
    line = ["games", "--rule", "standard", "--play", "2", "--nodes", "20", "--engine", engine]
    with pytest.raises(SystemExit) as exit:
        curve.play(curve.arguments(line), tmp_path, 15)
    assert exit.value.code and "network.tgnn" in capfd.readouterr().err
    assert not (tmp_path / "games-15.json").exists()


def test_a_curve_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    (tmp_path / "games.bin.zst").write_bytes(b"games")
    started = []

    class Done:
        returncode = 0

    def run(command):
        folder = tmp_path / "curve" / command[command.index("--max-games") + 1]
        started.append(command)
        if len(started) == 2:
            raise KeyboardInterrupt
        results = {"standard": {"held-out": MEANS, "training": {**MEANS, "value": 0.47}}}
        (folder / "results.json").write_text(json.dumps(results))
        (folder / "network.tgnn").write_bytes(b"networks")
        return Done

    monkeypatch.setattr(curve.subprocess, "run", run)
    monkeypatch.setattr(curve, "count", lambda source: (1000, 5.0, 6.0))
    line = ["curve.py", str(tmp_path / "games.bin.zst"), "--rule", "standard", "--labels", "500,2e3,9e9",
            "--program", sys.executable, "--out", str(tmp_path / "curve"), "--passes", "2", "--", "--rate", "0.01"]
    monkeypatch.setattr(sys, "argv", line)
    with pytest.raises(KeyboardInterrupt):
        curve.main()
    curve.main()
    games = [command[command.index("--max-games") + 1] for command in started]
    assert games == ["100", "400", "400", "1000"]
    assert started[0][started[0].index("--positions") + 1] == "1200"
    assert all("--rate" in command for command in started)
    rows = (tmp_path / "curve" / "curve.md").read_text().splitlines()[2:5]
    expected = "| 0.5000 | 0.4700 | 0.6000 | 0.4000 | 0.0300 | 2.000 | 2.000 |"
    assert all(row.endswith(expected) for row in rows)
    assert [row.split(" | ")[1:3] for row in rows] == [["500", "1,200"], ["2,000", "4,800"], ["5,000", "12,000"]]
    assert (tmp_path / "curve" / "curve.png").exists()
    # A run without a network has not ended.
    (tmp_path / "curve" / "100" / "network.tgnn").unlink()
    curve.main()
    assert len(started) == 5 and started[4] == started[0]
    # Other options do not go on with it.
    monkeypatch.setattr(sys, "argv", [*line[:-1], "0.02"])
    with pytest.raises(SystemExit, match="is of another curve: --options was"):
        curve.main()


@pytest.mark.parametrize("words", [["--max-games", "10"], ["--positions=60"], ["--rule", "renju"]])
def test_options_that_the_curve_sets_are_refused_behind_it(words, capsys):
    with pytest.raises(SystemExit):
        curve.arguments(["games", "--rule", "renju", "--", "--rate", "0.001", *words])
    assert "would contradict the curve" in capsys.readouterr().err
    options = curve.arguments(["games", "--rule", "renju", "--", "--rate", "0.001", "--init", "file"])
    assert options.train == ["--rate", "0.001", "--init", "file"]
