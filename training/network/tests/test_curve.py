import json
import sys

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
