import json
import sys
from pathlib import Path

import pytest

import curve
from batches import Source
from conftest import write_games

MEANS = {"value": 0.5, "least possible": 0.4, "classical value": 0.6, "policy": 2.0, "classical policy": 2.1}


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
        started.append(command)
        return Match

    monkeypatch.setattr(curve.subprocess, "run", run)
    (tmp_path / "start.tgnn").write_bytes(b"networks")
    line = ["games", "--rule", "renju", "--play", "400", "--engine", "tengen", "--boards", "15,20", "--against",
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
    (tmp_path / "curve.json").write_text(json.dumps({"labels": 3000, "positions": 2500}))
    results = {"renju-black": {"held-out": MEANS, "training": MEANS}}
    (tmp_path / "results.json").write_text(json.dumps(results))
    runs = curve.points([tmp_path])
    assert "| 3,000 | 20x20 | 5,000 | 230-150-20 | +70 ± 33 |" in curve.table(runs)
    curve.plots.curve(runs, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").exists()
    # Games of another number of nodes are not taken for these.
    with pytest.raises(SystemExit, match="--nodes was 5000, now it is 900"):
        curve.play(curve.arguments([*line, "--nodes", "900"]), tmp_path, 15)


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
        return Done

    monkeypatch.setattr(curve.subprocess, "run", run)
    monkeypatch.setattr(curve, "count", lambda source: (1000, 5.0, 6.0))
    line = ["curve.py", str(tmp_path / "games.bin.zst"), "--rule", "standard", "--labels", "500,2e3,9e9",
            "--program", "p", "--out", str(tmp_path / "curve"), "--passes", "2", "--", "--rate", "0.01"]
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
    # Other options do not go on with it.
    monkeypatch.setattr(sys, "argv", [*line[:-1], "0.02"])
    with pytest.raises(SystemExit, match="is of another curve: --options was"):
        curve.main()
