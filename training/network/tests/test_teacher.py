"""The teacher: boards, training, labels."""

import struct

import numpy as np
import pytest
import torch

import teacher
from batches import DamagedStream, Source
from boards import Boards, read_boards, symmetry_cells, turned
from conftest import NothingIsAwaited, write_games
from labelling import frame, header, predictions
from teacher_learner import TeacherLearner, TeacherRecipe, policy_losses, value_losses
from teacher_model import ILLEGAL

TINY = {"blocks": 2, "channels": 8, "seed": 3}


def random_boards(seed, size=7, samples=10):
    """Positions at random with a quarter of the cells taken."""
    rng = np.random.default_rng(seed)
    cells = rng.choice([0, 0, 0, 0, 0, 1, 2, 3], (samples, size, size)).astype(np.uint8)
    free = [np.flatnonzero(c.ravel() == 0) for c in cells]
    classes = [np.where(cells == 0, rng.integers(0, 10, cells.shape), 0).astype(np.uint8) for _ in range(2)]
    ints = lambda several: torch.tensor(np.asarray(several), dtype=torch.int32)  # noqa: E731
    numbers = lambda *choices: ints(rng.choice(choices, samples))  # noqa: E731
    return Boards(
        size=size, block=0, blocks=1, last_of_block=True,
        cells=torch.from_numpy(cells), own=torch.from_numpy(classes[0]), opponent=torch.from_numpy(classes[1]),
        rule=numbers(0, 1, 2, 3, 4), side=numbers(0, 1), result=numbers(0, 1, 2, 3),
        searched=numbers(-127, -60, 0, 127), played=ints([f[0] if i % 3 else -1 for i, f in enumerate(free)]),
        ply=numbers(5),
        record_samples=ints([0]), record_bytes=ints([0]), records=torch.zeros(0, dtype=torch.uint8),
    )


def test_turned_boards_have_the_same_cells_elsewhere():
    boards = random_boards(1, samples=8)
    seen = turned(boards, torch.arange(8))
    places = symmetry_cells(7).argsort(1)
    # Each symmetry once, all different, the first none.
    assert len({tuple(row) for row in symmetry_cells(7).tolist()}) == 8
    assert torch.equal(seen.cells[0], boards.cells[0])
    assert torch.equal(seen.cells[1], torch.rot90(boards.cells[1]))
    for sample in range(8):
        before, after = boards.cells[sample].flatten(), seen.cells[sample].flatten()
        assert torch.equal(after[places[sample]], before)
        if boards.played[sample] >= 0:
            assert seen.played[sample] == places[sample, boards.played[sample]]


def test_targets_are_those_of_the_definition():
    boards = random_boards(2, samples=40)
    outcome = torch.randn(40, 3)
    values = value_losses(boards, outcome, 0.7)
    policy = torch.randn(40, 49)
    losses, has_move = policy_losses(boards, policy)
    logs = torch.log_softmax(torch.where(boards.cells.flatten(1) == 0, policy, ILLEGAL), 1)
    for i in range(40):
        chances = torch.softmax(outcome[i], 0)
        expected, points = chances[0] + chances[1] / 2, (boards.searched[i] / 127 + 1) / 2
        loss = -points * torch.log(expected) - (1 - points) * torch.log(1 - expected)
        if boards.result[i] <= 2:
            loss = 0.3 * loss - 0.7 * torch.log(chances[2 - boards.result[i]])
        torch.testing.assert_close(values[i], loss)
        assert bool(has_move[i]) == (boards.played[i] >= 0)
        if has_move[i]:
            torch.testing.assert_close(losses[i], -logs[i, boards.played[i]])


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


def test_predictions_over_all_symmetries_are_those_of_turned_boards():
    learner = TeacherLearner(TeacherRecipe(**TINY))
    boards = random_boards(4)
    values = predictions(learner, boards, 8)
    seen = turned(boards, torch.full((10,), 5))
    torch.testing.assert_close(predictions(learner, seen, 8), values)
    assert not torch.allclose(predictions(learner, seen), predictions(learner, boards), atol=1e-4)


def test_damaged_boards_are_refused(tmp_path):
    path = tmp_path / "stream"
    head = b"TGP2" + b"\1\0\0\0" * 7
    for data in (b"TGP2", b"XXXX" + head[4:], head, head + bytes(20)):
        path.write_bytes(data)
        with path.open("rb") as stream, pytest.raises(DamagedStream):
            read_boards(stream)


def write_line(path, moves, rule=0):
    record = struct.pack("<4BH", 15, rule, 1, 1, len(moves))
    record += b"".join(struct.pack("<H", 15 * y + x) for x, y in moves)
    record += struct.pack(f"<{len(moves)}b", *range(len(moves)))
    path.write_bytes(header("a test") + frame(record))


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


def test_a_run_is_interrupted_and_its_teacher_labels_games(tengen_train, tmp_path, monkeypatch):
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

    def label(name):
        out = tmp_path / name
        fixed = ["label", tmp_path / "games.bin.zst", "--teacher", whole.checkpoint, "--out", out, "--program",
                 tengen_train, "--generators", 2, "--block-games", 10, "--symmetries", 8, "--batch-size", 99,
                 "--device", "cpu"]
        teacher.label(teacher.arguments(list(map(str, fixed))))

    def boards_of(path):
        with Source(tengen_train, [path, "--label"], command="boards", read=read_boards) as boards:
            return [batch for batch in boards if len(batch)]

    label("labels.bin.zst")
    (before,), (after,) = (boards_of(tmp_path / name) for name in ("games.bin.zst", "labels.bin.zst"))
    values = (predictions(whole.learner, before, 8) * 127).round()
    # Batches of other sizes are summed in another order.
    assert (after.searched - values).abs().max() <= 1 and (before.searched - values).abs().max() > 9
    assert torch.equal(after.cells, before.cells) and torch.equal(after.result, before.result)

    # An interruption leaves the games before it.
    calls = []

    def some_predictions(*args):
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return predictions(*args)

    monkeypatch.setattr(teacher, "predictions", some_predictions)
    with pytest.raises(KeyboardInterrupt):
        label("some.bin.zst")
    (some,) = boards_of(tmp_path / "some.bin.zst")
    assert 0 < len(some) < len(after) and torch.equal(some.searched, after.searched[: len(some)])


@pytest.mark.parametrize("generators", [1, 4])
def test_games_without_values_end_the_run(tengen_train, tmp_path, generators):
    write_games(tmp_path / "games.bin.zst", 60, has_values=False)
    fixed = ["train", tmp_path / "games.bin.zst", "--program", tengen_train, "--block-games", 10,
             "--state", tmp_path / "state", "--blocks", 1, "--channels", 4, "--generators", generators,
             "--device", "cpu"]
    with pytest.raises(SystemExit, match="^the games have none of freestyle,standard,renju,caro,caro9$"):
        teacher.TeacherRun(teacher.arguments(list(map(str, fixed)))).train()


def test_labels_that_cannot_be_written_are_not_made(tmp_path, capsys):
    out = tmp_path / "labels.bin.zst"
    out.write_bytes(b"")
    fixed = ["label", "games", "--teacher", "teacher.pt", "--out", str(out)]
    assert teacher.arguments(fixed).out == str(out)
    out.write_bytes(b"labels")
    with pytest.raises(SystemExit):
        teacher.arguments(fixed)
    assert capsys.readouterr().err.endswith(f"--out: {out} exists already\n")
    assert out.read_bytes() == b"labels"
