"""The teacher: boards, training, labels."""

import os
import shlex
import signal
import struct
import subprocess

import numpy as np
import pytest
import torch
import zstandard

import teacher
from batches import DamagedStream, Source
from boards import Boards, read_boards, symmetry_cells, turned
from conftest import NothingIsAwaited, write_games
from labelling import label_bytes, predictions
from teacher_learner import TeacherLearner, TeacherRecipe, policy_losses, value_losses
from teacher_model import ILLEGAL, legal_logits

TINY = {"blocks": 2, "channels": 8, "seed": 3}


def random_boards(seed, size=7, samples=10):
    """Positions at random with a quarter of the cells taken; some have soft labels."""
    rng = np.random.default_rng(seed)
    cells = rng.choice([0, 0, 0, 0, 0, 1, 2, 3], (samples, size, size)).astype(np.uint8)
    free = [np.flatnonzero(c.ravel() == 0) for c in cells]
    classes = [np.where(cells == 0, rng.integers(0, 10, cells.shape), 0).astype(np.uint8) for _ in range(2)]
    labels = [rng.choice(f, 3, replace=False) if i % 2 else f[:0] for i, f in enumerate(free)]
    ints = lambda several: torch.tensor(np.asarray(several), dtype=torch.int32)  # noqa: E731
    numbers = lambda *choices: ints(rng.choice(choices, samples))  # noqa: E731
    return Boards(
        size=size, block=0, blocks=1, last_of_block=True,
        cells=torch.from_numpy(cells), own=torch.from_numpy(classes[0]), opponent=torch.from_numpy(classes[1]),
        rule=numbers(0, 1, 2, 3, 4), side=numbers(0, 1), result=numbers(0, 1, 2, 3),
        searched=numbers(-128, -60, 0, 127), played=ints([f[0] if i % 3 else -1 for i, f in enumerate(free)]),
        soft_win=ints([i * 1000 if i % 4 else -1 for i in range(samples)]),
        soft_draw=ints([i * 500 if i % 4 else -1 for i in range(samples)]),
        soft_from=ints(np.cumsum([0] + [len(x) for x in labels])), soft_cells=ints(np.concatenate(labels)),
        soft_weights=torch.tensor([0.5, 0.3, 0.2] * (samples // 2)), ply=numbers(5),
        record_samples=ints([0]), record_bytes=ints([0]), records=torch.zeros(0, dtype=torch.uint8),
    )


def test_turned_boards_have_the_same_cells_elsewhere():
    boards = random_boards(1, samples=8)
    seen, places = turned(boards, torch.arange(8))
    # Each symmetry once, all different, the first none.
    assert len({tuple(row) for row in symmetry_cells(7).tolist()}) == 8
    assert torch.equal(seen.cells[0], boards.cells[0])
    assert torch.equal(seen.cells[1], torch.rot90(boards.cells[1]))
    for sample in range(8):
        before, after = boards.cells[sample].flatten(), seen.cells[sample].flatten()
        assert torch.equal(after[places[sample]], before)
        if boards.played[sample] >= 0:
            assert seen.played[sample] == places[sample, boards.played[sample]]
        for i in range(boards.soft_from[sample], boards.soft_from[sample + 1]):
            assert seen.soft_cells[i] == places[sample, boards.soft_cells[i]]


def test_targets_are_those_of_the_definition():
    boards = random_boards(2, samples=40)
    outcome = torch.randn(40, 3)
    values, known = value_losses(boards, outcome, 0.7, 0.75)
    policy = torch.randn(40, 49)
    losses, has_moves = policy_losses(boards, policy, 0.75)
    logs = torch.log_softmax(torch.where(boards.cells.flatten(1) == 0, policy, ILLEGAL), 1)
    for i in range(40):
        chances = torch.softmax(outcome[i], 0)
        expected = chances[0] + chances[1] / 2

        def by_points(points):
            return -points * torch.log(expected) - (1 - points) * torch.log(1 - expected)

        parts = []
        if boards.result[i] <= 2:
            parts.append((0.7, -torch.log(chances[2 - boards.result[i]])))
        if boards.searched[i] > -128:
            parts.append((0.3, by_points((boards.searched[i] / 127 + 1) / 2)))
        rest = sum(w * loss for w, loss in parts) / sum(w for w, _ in parts) if parts else None
        if boards.soft_win[i] >= 0:
            label = by_points((boards.soft_win[i] + boards.soft_draw[i] / 2) / 65535)
            rest = label if rest is None else 0.75 * label + 0.25 * rest
        assert (rest is not None) == bool(known[i])
        if rest is not None:
            torch.testing.assert_close(values[i], rest.float())
        first, last = boards.soft_from[i : i + 2].tolist()
        label = sum(-boards.soft_weights[j] * logs[i, boards.soft_cells[j]] for j in range(first, last))
        weight = (0.75 if boards.played[i] >= 0 else 1) if last > first else 0
        expected = weight * label
        if boards.played[i] >= 0:
            expected = expected - (1 - weight) * logs[i, boards.played[i]]
        assert bool(has_moves[i]) == (last > first or boards.played[i] >= 0)
        if has_moves[i]:
            torch.testing.assert_close(losses[i], expected)


@pytest.mark.parametrize("amp", [False, True])
def test_learning_lowers_the_losses_and_goes_on_where_it_was_saved(tmp_path, amp):
    batches = [random_boards(i, size=6 + i % 2) for i in range(3)]
    whole = TeacherLearner(TeacherRecipe(rate=0.01, **TINY), amp=amp)
    losses = [whole.learn(batches[i % 3], i / 60) for i in range(60)]
    assert losses[-1].sum() < 0.8 * losses[0].sum()
    first = TeacherLearner(TeacherRecipe(rate=0.01, **TINY), amp=amp)
    for i in range(30):
        first.learn(batches[i % 3], i / 60)
    first.save(tmp_path / "teacher.pt")
    second = TeacherLearner.load(tmp_path / "teacher.pt", amp=amp)
    rest = [second.learn(batches[i % 3], i / 60) for i in range(30, 60)]
    assert torch.equal(torch.stack(rest), torch.stack(losses[30:]))
    for name, value in whole.net.state_dict().items():
        assert torch.equal(value, second.net.state_dict()[name]), name
    found = second.measure(batches)
    assert set(found) == {"positions", "value", "policy", "top 1", "sign"} and found["positions"] > 10
    torch.save({"recipe": {}}, tmp_path / "other.pt")
    with pytest.raises(SystemExit, match="is not the state of a teacher"):
        teacher.load_teacher(tmp_path / "other.pt", teacher.arguments(["train", "games"]))


def test_nothing_is_awaited_while_learning():
    learner = TeacherLearner(TeacherRecipe(**TINY))
    learner.optimizer.step = lambda: None
    boards = random_boards(1)
    with NothingIsAwaited():
        losses = learner.learn(boards, 0.5)
    assert losses.sum() > 0


def test_predictions_over_all_symmetries_turn_with_the_board():
    learner = TeacherLearner(TeacherRecipe(**TINY))
    boards = random_boards(4)
    cells, outcomes = predictions(learner, boards, 8)
    torch.testing.assert_close(cells.sum(1), torch.ones(10))
    assert not cells[boards.cells.flatten(1) != 0].any()
    seen, places = turned(boards, torch.full((10,), 5))
    turned_cells, turned_outcomes = predictions(learner, seen, 8)
    torch.testing.assert_close(turned_cells.gather(1, places), cells)
    torch.testing.assert_close(turned_outcomes, outcomes)
    alone, _ = predictions(learner, boards)
    assert not torch.allclose(alone, cells, atol=1e-4)


def test_labels_have_the_documented_bytes():
    cells = torch.zeros(2, 400)
    cells[0, [300, 7, 9, 1]] = torch.tensor([0.5, 0.25, 0.1, 0.0005])
    outcomes = torch.tensor([[0.25, 0.5, 0.25], [1.0, 0.0, 0.0]])
    labels, starts = label_bytes(np.array([3, 258]), cells, outcomes, 4)
    assert starts.tolist() == [0, 16, 23]
    assert labels[:16] == struct.pack("<3HB", 3, 16384, 32768, 3) + struct.pack(
        "<HBHBHB", 300, 255, 7, 128, 9, 51)
    assert labels[16:] == struct.pack("<3HB", 258, 65535, 0, 0)


def test_damaged_boards_are_refused(tmp_path):
    path = tmp_path / "stream"
    head = b"TGP1" + b"\1\0\0\0" * 8
    for data in (b"TGP1", b"XXXX" + head[4:], head, head + bytes(20)):
        path.write_bytes(data)
        with path.open("rb") as stream, pytest.raises(DamagedStream):
            read_boards(stream)


def write_line(path, moves, rule=0):
    record = struct.pack("<4BH", 15, rule, 1, 1, len(moves))
    record += b"".join(struct.pack("<H", 15 * y + x) for x, y in moves)
    record += struct.pack(f"<{len(moves)}b", *range(len(moves)))
    path.write_bytes(zstandard.ZstdCompressor().compress(record))


def test_boards_are_those_of_the_game(tengen_train, tmp_path):
    moves = [(7, 7), (0, 0), (8, 8), (0, 2), (9, 9), (6, 6)]
    write_line(tmp_path / "game.bin.zst", moves, rule=3)
    source = [tmp_path, "--rules", "caro", "--passes", 1]
    with Source(tengen_train, source, command="boards", read=read_boards) as batches:
        (boards,) = batches
    assert (boards.size, len(boards), boards.last_of_block) == (15, 5, True)
    assert boards.ply.tolist() == boards.searched.tolist() == [1, 2, 3, 4, 5]
    assert boards.side.tolist() == [1, 0, 1, 0, 1] and boards.rule.tolist() == [3] * 5
    assert boards.result.tolist() == [0, 2, 0, 2, 0]
    expected = torch.zeros(15, 15, dtype=torch.uint8)
    for i, (x, y) in enumerate(moves[:5]):
        expected[y, x] = 2 if i % 2 == 0 else 1
    assert torch.equal(boards.cells[4], expected) and boards.played[4] == 6 * 15 + 6
    # White, to move, sees an open three that becomes a straight four.
    assert boards.opponent[4, 6, 6] == 7 and boards.own[4, 6, 6] == 0
    assert not boards.own[4][expected > 0].any()


def test_a_run_is_interrupted_and_its_teacher_labels_games(tengen_train, engine, tmp_path, capfd):
    write_games(tmp_path / "games.bin.zst", 60)

    def run(state, *more):
        fixed = ["train", tmp_path / "games.bin.zst", "--program", tengen_train, "--batch-size", 20,
                 "--block-games", 10, "--device", "cpu", "--state", tmp_path / state, "--blocks", 1,
                 "--channels", 4, "--positions", 150, "--generators", 2, *more]
        return teacher.TeacherRun(teacher.arguments(list(map(str, fixed))))

    whole = run("whole")
    assert whole.train() and 150 <= whole.learner.positions < 200 and not whole.train()
    first = run("parts", "--save-minutes", "0")

    def interrupted(boards, progress):
        if first.learner.positions > 60:
            raise KeyboardInterrupt
        return type(first.learner).learn(first.learner, boards, progress)

    first.learner.learn = interrupted
    with pytest.raises(KeyboardInterrupt):
        first.train()
    second = run("parts")
    assert second.learner.positions > 60 and second.train()
    for name, value in whole.learner.net.state_dict().items():
        assert torch.equal(value, second.learner.net.state_dict()[name]), name
    with pytest.raises(SystemExit, match="is of another run: --channels was 4, now it is 5"):
        run("whole", "--channels", "5")

    out = tmp_path / "labels" / "labels.bin.zst"
    out.parent.mkdir()
    fixed = ["label", tmp_path / "games.bin.zst", "--teacher", whole.checkpoint, "--out", out, "--program",
             tengen_train, "--engine", engine, "--generators", 2, "--block-games", 10, "--symmetries", 8, "--batch-size", 30, "--device", "cpu"]
    with pytest.raises(SystemExit) as done:
        teacher.label(teacher.arguments(list(map(str, fixed))))
    assert done.value.code == 0 and [p.name for p in out.parent.iterdir()] == ["labels.bin.zst"]
    text, _ = capfd.readouterr()
    assert text.splitlines()[-1].endswith(" soft labels in 60 lines"), text
    # The trainer learns from them, and the teacher labels them again.
    with Source(tengen_train, [out, "--passes", 1]) as batches:
        batches = [batch for batch in batches if len(batch)]
    with Source(tengen_train, [out, "--label"], command="boards", read=read_boards) as boards:
        boards = [batch for batch in boards if len(batch)]
    labelled = [(batch.soft_win, batch.soft_from) for batch in [*batches, *boards]]
    assert all((win >= 0).all() and (starts.diff() > 0).float().mean() > 0.8 for win, starts in labelled)
    (all_boards,) = boards
    found, _ = predictions(whole.learner, all_boards, 8)
    best = legal_logits(all_boards, found).argmax(1)
    named = all_boards.soft_cells[all_boards.soft_from[:-1].long().clamp(max=len(all_boards.soft_cells) - 1)]
    has_label = all_boards.soft_from.diff() > 0
    # The best cell is the first named, where the engine would try it.
    assert (named == best)[has_label].float().mean() > 0.3


@pytest.mark.parametrize("generators", [1, 4])
def test_games_without_values_end_the_run(tengen_train, tmp_path, generators):
    write_games(tmp_path / "games.bin.zst", 60, has_values=False)
    fixed = ["train", tmp_path / "games.bin.zst", "--program", tengen_train, "--block-games", 10,
             "--state", tmp_path / "state", "--blocks", 1, "--channels", 4, "--generators", generators,
             "--device", "cpu"]
    with pytest.raises(SystemExit, match="^the games have none of freestyle,standard,renju,caro,caro9$"):
        teacher.TeacherRun(teacher.arguments(list(map(str, fixed)))).train()


@pytest.fixture
def label(tengen_train, tmp_path):
    """A function that labels 60 games by an untrained teacher, with this engine to write the file."""
    write_games(tmp_path / "games.bin.zst", 60)
    TeacherLearner(TeacherRecipe(**TINY)).save(tmp_path / "teacher.pt")
    (tmp_path / "labels").mkdir()

    def run(engine):
        fixed = ["label", tmp_path / "games.bin.zst", "--teacher", tmp_path / "teacher.pt", "--program",
                 tengen_train, "--engine", engine, "--out", tmp_path / "labels" / "labels.bin.zst",
                 "--batch-size", 30, "--block-games", 10, "--device", "cpu"]
        teacher.label(teacher.arguments(list(map(str, fixed))))

    return run


def interrupted(*_):
    raise KeyboardInterrupt


def signalled(name):
    """A function that sends the program this signal."""
    return lambda: os.kill(os.getpid(), getattr(signal, name))


@pytest.mark.parametrize("end", [None, interrupted, signalled("SIGTERM"), signalled("SIGHUP")])
def test_labels_that_were_not_written_are_kept(label, engine, tmp_path, monkeypatch, capfd, end):
    out, raw = (tmp_path / "labels" / name for name in ("labels.bin.zst", "labels.bin.zst.raw"))
    labelled = []

    def some_predictions(*args):
        if end and len(labelled) == 2:
            end()
        labelled.append(args)
        return predictions(*args)

    monkeypatch.setattr(teacher, "predictions", some_predictions)
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    # `false` fails as an engine does that finds a full disk.
    with pytest.raises((SystemExit, KeyboardInterrupt)):
        label("false")
    lines = capfd.readouterr().err.splitlines()
    assert handlers == [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    count = sum(len(boards) for _, boards, _ in labelled)
    assert lines[-2].endswith(f"{raw} has the labels of {count} positions; this writes their file:")
    # The next run leaves them alone.
    with pytest.raises(SystemExit, match="labels.bin.zst.raw has labels of an earlier run"):
        label(engine)
    command = shlex.split(lines[-1])
    assert command[0] == "false" and not out.exists()
    subprocess.run([engine, *command[1:]], check=True)
    assert " soft labels in " in capfd.readouterr().out and out.exists()


def test_what_a_kill_leaves_has_all_frames_before_it(label, engine, tmp_path, monkeypatch, capfd):
    raw, left = tmp_path / "labels" / "labels.bin.zst.raw", tmp_path / "left"
    labelled, whole = [], []

    def some_predictions(*args):
        labelled.append(len(args[1]))
        whole.append(raw.stat().st_size)
        left.write_bytes(raw.read_bytes())
        return predictions(*args)

    monkeypatch.setattr(teacher, "predictions", some_predictions)
    monkeypatch.setattr(teacher, "FRAME_SECONDS", 0)
    with pytest.raises(SystemExit):
        label("false")
    assert len(labelled) > 2

    def seal(path):
        command = [engine, "datagen", "label", "--source", "a teacher", "--out", f"{path}.bin.zst", path]
        return subprocess.run(list(map(str, command))).returncode, capfd.readouterr()

    code, (text, _) = seal(left)
    assert code == 0 and text.splitlines()[-1].startswith(f"{sum(labelled[:-1])} soft labels"), text
    # Of a frame that is cut off the engine says where it begins, and what stands before it is whole.
    left.write_bytes(raw.read_bytes()[: whole[1] + 20])
    (tmp_path / "left.bin.zst").unlink()
    code, (_, error) = seal(left)
    assert code != 0 and f"byte {whole[1]}: " in error, error
    os.truncate(left, whole[1])
    assert seal(left)[0] == 0


def test_a_signal_that_is_ignored_stays_so(monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with teacher.signals_interrupt():
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN != signal.getsignal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_an_interruption_before_any_label_leaves_nothing(label, tmp_path, monkeypatch):
    monkeypatch.setattr(teacher, "predictions", interrupted)
    with pytest.raises(KeyboardInterrupt):
        label("false")
    assert not list((tmp_path / "labels").iterdir())


def test_labels_that_cannot_be_written_are_not_made(tmp_path, capsys):
    out = tmp_path / "labels.bin.zst"
    out.write_bytes(b"")
    fixed = ["label", "games", "--teacher", "teacher.pt", "--out", str(out), "--source"]
    assert teacher.arguments([*fixed, "\u00e9" * 500]).out == str(out)
    with pytest.raises(SystemExit):
        teacher.arguments([*fixed, "\u00e9" * 500 + "e"])
    assert capsys.readouterr().err.endswith("--source: the text has more than 1000 bytes\n")
    out.write_bytes(b"labels")
    with pytest.raises(SystemExit):
        teacher.arguments([*fixed, "somebody"])
    assert capsys.readouterr().err.endswith(f"--out: {out} exists already\n")
    assert out.read_bytes() == b"labels"
