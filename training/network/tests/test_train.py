"""Whole runs of the trainer on tiny games."""

import json
import struct
import sys

import numpy as np
import pytest
import torch

import export
import log
import plots
import train
from batches import WINDOWS
from codebook import with_codes
from conftest import coded_arrays, write_games
from export import encode, integers, numbers_for, read_networks, sharing, widths_of
from feed import beginning
from losses import Metrics, calibrated_entropy
from model import Net


@pytest.fixture
def run(tengen_train, tmp_path):
    """A function that makes a run on 60 games, with more options."""
    write_games(tmp_path / "games.bin.zst", 60)

    def make(state, *more):
        fixed = [tmp_path / "games.bin.zst", "--program", tengen_train, "--rules", "freestyle",
                 "--batch-size", 20, "--block-games", 10, "--save-minutes", 60, "--device", "cpu",
                 "--out", tmp_path / "network.tgnn", "--state", tmp_path / state, *more]
        return train.Run(train.arguments(list(map(str, fixed))))

    return make


def test_a_run_ends_at_its_number_of_positions_interrupted_or_not(run):
    whole = run("whole", "--positions", "101")
    learn, learnt = whole.learner.learn, []
    whole.learner.learn = lambda batch, part: (learnt.append((part, len(batch))), learn(batch, part))[1]
    whole.save = lambda _: None
    assert whole.train() and whole.learner.positions == 101
    # The last batch is cut, and the learning rates have nearly fallen to 0 there.
    assert sum(size for _, size in learnt) == 101 and learnt[-1][0] > 0.75
    assert not whole.train()

    # It saves after each batch, and is interrupted within a block.
    first = run("parts", "--positions", "101", "--save-minutes", "0")

    def interrupted(batch, part):
        if first.learner.positions > 20:
            raise KeyboardInterrupt
        return type(first.learner).learn(first.learner, batch, part)

    first.learner.learn = interrupted
    with pytest.raises(KeyboardInterrupt):
        first.train()
    second = run("parts", "--positions", "101")
    assert second.learner.place["lanes"][0][1] > 0 and second.learner.positions < 60
    second.save = lambda _: None
    assert second.train()
    for name, value in whole.learner.nets[0].state_dict().items():
        assert torch.equal(value, second.learner.nets[0].state_dict()[name]), name


@pytest.mark.parametrize("generators", [1, 4])
def test_games_without_values_end_the_run(run, tmp_path, generators):
    write_games(tmp_path / "games.bin.zst", 60, has_values=False)
    with pytest.raises(SystemExit, match="^the games have none of freestyle$"):
        run("state", "--generators", generators).train()


def test_a_run_learns_from_the_only_game_with_values(run, tmp_path):
    write_games(tmp_path / "games.bin.zst", 60, has_values=False)
    write_games(tmp_path / "one.bin.zst", 1)
    with (tmp_path / "games.bin.zst").open("ab") as games:
        games.write((tmp_path / "one.bin.zst").read_bytes())
    one = run("state", "--positions", 30)
    one.save = lambda _: None
    assert one.train() and one.learner.positions == 30


def test_the_state_of_another_run_is_refused(run, tmp_path):
    first = run("state")
    first.learner.save(first.checkpoint)
    assert run("state", "--positions", "7").learner.positions == 0
    with pytest.raises(SystemExit, match="is of another run: --rate was 0.003, now it is 0.1"):
        run("state", "--rate", "0.1")
    with pytest.raises(SystemExit, match="is of another run: --batch-size was 20, now it is 21"):
        run("state", "--batch-size", "21")
    write_games(tmp_path / "games.bin.zst", 61)
    with pytest.raises(SystemExit, match="is of another run: games: games.bin.zst has changed"):
        run("state")
    (tmp_path / "games.bin.zst").unlink()
    with pytest.raises(SystemExit, match="No such file"):
        run("state")


def test_networks_that_do_not_fit_are_refused_with_one_line(run, tmp_path):
    init = tmp_path / "init.tgnn"
    init.write_bytes(b"TGNN" + struct.pack("<6H", export.VERSION, 48, 32, 32, 0, 0))
    with pytest.raises(SystemExit, match=r"layers are \[48, 32, 32\] wide, not each of 32, 64, 96, 128$"):
        run("state", "--init", init)
    networks = {0: coded_arrays(1, 64, 96)}
    init.write_bytes(encode(networks, level=1))
    with pytest.raises(SystemExit, match="init.tgnn: it has --channels 64, more than 32$"):
        run("state", "--init", init, "--channels", 32)
    with pytest.raises(SystemExit, match="init.tgnn: it has --hidden 96, more than 64$"):
        run("state", "--init", init, "--hidden", 64)
    with pytest.raises(SystemExit, match="init.tgnn has no network for standard$"):
        run("state", "--init", init, "--rules", "standard")
    # Without the options a run has the widths of its networks.
    recipe = run("state", "--init", init).learner.recipe
    assert (recipe.channels, recipe.hidden) == (64, 96)
    networks[0] = coded_arrays(1)
    networks[4] = {name: array for name, array in networks[0].items() if name not in ("code", "codes")}
    init.write_bytes(encode(networks, level=1))
    with pytest.raises(SystemExit, match="caro has other widths than the new network of freestyle$"):
        run("state", "--init", init, "--lend-rows", "--channels", 64)


def test_a_wider_run_starts_from_narrow_networks_and_goes_on(run, tmp_path, monkeypatch, capsys):
    init, out = tmp_path / "init.tgnn", tmp_path / "network.tgnn"
    networks = {number: coded_arrays(number) for number in range(4)}
    init.write_bytes(encode(networks, level=1))
    options = ["--init", init, "--codes", "keep", "--channels", 64, "--hidden", 64]
    first = run("state", *options, "--positions", 40)
    assert first.train()
    first.finish()
    assert struct.unpack_from("<6H", out.read_bytes(), 4) == (4, 64, 64, 64, 1, 0)
    text = "network.tgnn is without standard, renju-black, renju-white, which have other widths\n"
    assert text in capsys.readouterr().out
    found = read_networks(out)
    assert widths_of(found[0]) == (64, 64, 64) and np.array_equal(found[0]["code"], networks[0]["code"])
    # The new channels and outputs have learnt too.
    assert found[0]["w1"].reshape(10, 64, 64)[:, 32:, :32].any() and found[0]["w3"][32:].any()
    # The file of a state has the same networks.
    monkeypatch.setattr(sys, "argv", ["export.py", str(first.checkpoint), str(tmp_path / "state.tgnn")])
    export.main()
    assert (tmp_path / "state.tgnn").read_bytes() == out.read_bytes()
    again = run("state", *options, "--positions", 60)
    assert again.learner.positions == 40 and again.train() and again.learner.positions == 60
    with pytest.raises(SystemExit, match="is of another run: --channels was 64, now it is 96"):
        run("state", *options, "--channels", 96)
    with pytest.raises(SystemExit, match="is of another run: --channels was 64, now it is 32"):
        run("state", *options[:4])


def test_one_checkpoint_is_drawn(tmp_path):
    means = Metrics().means()
    (tmp_path / "log.jsonl").write_text(json.dumps({"positions": 5, "time": 0, "standard": means}) + "\n")
    drawn = []
    close, plots.pyplot.close = plots.pyplot.close, lambda figure: drawn.append(figure)
    try:
        plots.losses(tmp_path / "log.jsonl", tmp_path / "losses.png")
    finally:
        plots.pyplot.close = close
    lines = [line for axis in drawn[0].axes for line in axis.lines]
    assert len(lines) == 4 and all(line.get_marker() == "." for line in lines)


def test_a_line_of_the_log_that_was_cut_off_spoils_no_other(tmp_path):
    path, means = tmp_path / "log.jsonl", Metrics().means()
    lines = [{"positions": 5 * i, "time": 0, "standard": means} for i in range(4)]
    log.append(path, lines[0])
    for line, torn in zip(lines[1:], (b"", b'{"positions": 5, "ti', b"\0\xff")):
        with path.open("ab") as file:
            file.write(torn)
        log.append(path, line)
    assert log.read(path) == lines and path.read_bytes().count(b"\n") == 6
    plots.losses(path, tmp_path / "losses.png")
    assert (tmp_path / "losses.png").exists()


def test_codes_are_kept_only_where_there_are_some(run, tmp_path):
    networks = {seed: integers(Net(seed)) for seed in range(4)}
    (tmp_path / "plain.tgnn").write_bytes(encode(networks, level=1))
    with pytest.raises(SystemExit, match="plain.tgnn has no codes for freestyle"):
        run("state", "--init", str(tmp_path / "plain.tgnn"), "--codes", "keep")
    with pytest.raises(SystemExit, match="None has no codes"):
        run("state", "--codes", "keep")
    networks[0], _ = with_codes(networks[0], np.ones(WINDOWS), 20, 0)
    (tmp_path / "codes.tgnn").write_bytes(encode(networks, level=1))
    states = run("state", "--init", str(tmp_path / "codes.tgnn"), "--codes", "keep").start.states()
    assert len(states[0]["residual"]) == 20 and states[1:] == [None] * 5


@pytest.mark.parametrize("rule, trained", [("freestyle", [0]), ("renju", [2, 3])])
def test_the_file_of_a_state_has_the_networks_that_were_trained(run, tmp_path, monkeypatch, rule, trained):
    init, out, exported = (tmp_path / name for name in ("init.tgnn", "network.tgnn", "state.tgnn"))
    init.write_bytes(encode({number: coded_arrays(number) for number in range(4)}, level=1))
    # These rules have the numbers of their first networks.
    write_games(tmp_path / "games.bin.zst", 60, rule=trained[0])
    options = ["--init", init, "--rules", rule, "--codes", "keep", "--row-step", 4, "--positions", 40]
    whole = run("state", *options)
    assert whole.train()
    whole.finish()
    monkeypatch.setattr(sys, "argv", ["export.py", str(whole.checkpoint), str(exported)])
    export.main()
    # The networks of other rules, copied by the run, are not among them: their rows have no such steps.
    found = read_networks(exported)
    assert list(found) == trained and list(read_networks(out)) == [0, 1, 2, 3]
    for number, network in found.items():
        assert (network["table"] % 4 == 0).all()
        for name, array in read_networks(out)[number].items():
            assert np.array_equal(network[name], array), (number, name)


def test_caro_begins_with_another_rule_s_network(run, tmp_path):
    networks = {seed: integers(Net(seed)) for seed in range(4)}
    init, out = tmp_path / "init.tgnn", tmp_path / "network.tgnn"
    init.write_bytes(encode(networks, level=1))
    write_games(tmp_path / "games.bin.zst", 60, rule=3)
    whole = run("state", "--rules", "caro", "--positions", 60, "--freeze", "tables", "--init", init)
    assert whole.train()
    whole.finish()
    found = read_networks(out)
    assert list(found) == [0, 1, 2, 3, 4] and sharing(found) == {4: 0}
    assert np.array_equal(found[0]["w1"], networks[0]["w1"]) and (found[4]["w1"] != found[0]["w1"]).any()
    # Without --init there is no network of caro either, unless it is trained.
    assert list(numbers_for(["freestyle"])) == [0, 1, 2, 3]


def test_caro_shares_new_rows_where_they_are_lent(run, tmp_path):
    networks = {seed: integers(Net(seed)) for seed in range(5)}
    networks[4]["table"] = networks[0]["table"]
    init, out = tmp_path / "init.tgnn", tmp_path / "network.tgnn"
    init.write_bytes(encode(networks, level=1))
    for option, lenders in (((), {}), (("--lend-rows",), {4: 0})):
        # A finished run writes its file again.
        whole = run("state", "--positions", 20, "--init", init, *option)
        whole.train()
        whole.finish()
        found = read_networks(out)
        assert sharing(found) == lenders
        assert (found[0]["table"] != networks[0]["table"]).any()
        assert np.array_equal(found[4]["w1"], networks[4]["w1"])
        assert np.array_equal(found[4]["table"], (found if lenders else networks)[0]["table"])


def test_results_have_the_losses_on_games_that_were_trained_on(run):
    whole = run("state", "--positions", "40")
    with whole.source("--held-out", "--passes", 1) as held_out:
        held_out = [batch for batch in held_out if len(batch)]
    with whole.training_games(beginning()) as training:
        sizes = [len(batch) for batch in train.first_positions(training, 100)]
    assert 0 not in sizes and 100 <= sum(sizes) < 100 + sizes[-1]
    measured = whole.learner.measure(held_out or [])
    measured[0].values = max(measured[0].values, 50)
    results = whole.results(measured)
    assert list(results) == ["freestyle"]
    assert results["freestyle"]["training"]["positions"] > 20


def test_results_are_written_after_the_network(run, tmp_path, monkeypatch):
    whole = run("state", "--positions", "40")
    whole.train()

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr(train, "write_network", interrupted)
        with pytest.raises(KeyboardInterrupt):
            whole.finish()
    results = whole.folder / "results.json"
    assert not results.exists()
    whole.finish()
    # There are no held-out games.
    assert (tmp_path / "network.tgnn").exists() and json.loads(results.read_text()) == {}


def test_networks_are_judged_by_deep_searches_and_by_results(run, tmp_path, capsys):
    write_games(tmp_path / "ruler.bin.zst", 60, seed=2, results=4)
    judged = run("judged", "--positions", "50", "--ruler", tmp_path / "ruler.bin.zst")
    judged.train()
    judged.finish()
    found = json.loads((tmp_path / "judged/results.json").read_text())["freestyle"]["ruler"]
    assert found["branches"] > 50 and found["games"] > 150
    # A factor of 0 knows nothing, and nobody knows more than the search.
    assert found["least possible"] < found["search"] < 0.6932 and found["result"] < 0.6932
    row = f"| freestyle | {found['branches']} | {found['search']:.4f} |"
    assert row in capsys.readouterr().out and row in (tmp_path / "judged/results.md").read_text()
    write_games(tmp_path / "games.bin.zst", 60)
    with pytest.raises(SystemExit, match="--ruler: these games have no branches of freestyle"):
        run("other", "--ruler", tmp_path / "games.bin.zst")


def test_a_calibrated_entropy_is_that_of_the_best_factor_and_summand():
    logit = torch.linspace(-3, 3, 100)
    points = torch.sigmoid(2 * logit + 0.5)
    entropy = torch.nn.functional.binary_cross_entropy
    floor, mean = entropy(points, points).item(), points.mean()
    assert abs(calibrated_entropy(logit, points) - floor) < 1e-6
    assert abs(calibrated_entropy(-40 * logit, points) - floor) < 1e-6
    assert abs(calibrated_entropy(torch.zeros(100), points) - entropy(mean, mean).item()) < 1e-6
