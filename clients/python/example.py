"""Plays a game and analyses a position with Tengen through the library pygomo-lib.

    pip install pygomo-lib==0.1.1
    python3 clients/python/example.py target/release/pbrain-tengen

docs/clients.md explains it.
"""

import sys

from pygomo import EngineClient
from pygomo.board import BitBoard
from pygomo.protocol.models import BoardPosition, Move

SIZE = 15
# Freestyle: five or more in a row win, as the library's board counts them.
RULE = 0


def label(move):
    """A point as Tengen and people write it: the rows count from the bottom."""
    return f"{chr(ord('a') + move.col)}{SIZE - move.row}"


def from_line(move):
    """A move of a line of play. The library counts the rows of its letters from the top."""
    return Move((move.col, SIZE - 1 - move.row))


def engine(path, nodes):
    """A running engine that searches so many nodes for a move."""
    client = EngineClient(path)
    client.connect()
    if not client.start(SIZE):
        sys.exit(f"{path} does not answer START")
    client.configure(rule=RULE, max_node=nodes)
    return client


def play(path):
    """A game of Tengen against itself; returns its moves."""
    board = BitBoard(SIZE)
    players = [engine(path, 2000), engine(path, 1000)]
    try:
        result = players[0].begin()
        while True:
            if result is None or not board.is_empty(result.move):
                sys.exit(f"no legal move after {board.get_move_history()}")
            board.place(result.move)
            if board.check_win(result.move) or board.is_full():
                return board
            result = players[board.move_count % 2].turn(result.move)
    finally:
        for player in players:
            player.quit()


def analyse(path, moves, count):
    """The best `count` moves after `moves`, each with its value and its line."""
    client = engine(path, 100_000)
    try:
        # Whose stone each is: the side to move is the engine's own.
        position = BoardPosition()
        for number, move in enumerate(moves):
            is_own = number % 2 == len(moves) % 2
            own = BoardPosition.SELF if is_own else BoardPosition.OPPONENT
            position.add_move(move, own)
        # The library's BOARD would ask for a move at once; YXBOARD only sets the position.
        client.send_raw("YXBOARD")
        client.send_raw(position.to_protocol_string())
        result = client.nbest(count)
        if result is None:
            sys.exit("no answer to YXNBEST")
        # The last line of each rank is that of the deepest search.
        ranks = {info.multipv: info for info in result.all_info if info.pv}
        return result.move, [ranks[rank] for rank in sorted(ranks)]
    finally:
        client.quit()


def main(path):
    board = play(path)
    moves = board.get_move_history()
    print("game:", " ".join(label(move) for move in moves))
    if board.check_win(moves[-1]):
        winner = "black" if len(moves) % 2 == 1 else "white"
        print(f"{winner} wins with {len(moves)} stones")
    else:
        print("draw")

    opening = [Move((7, 7)), Move((8, 6)), Move((7, 8))]
    best, lines = analyse(path, opening, 3)
    print("position:", " ".join(label(move) for move in opening))
    for info in lines:
        line = [from_line(move) for move in info.pv]
        print(f"{label(line[0]):>4}  value {info.eval.raw_value:>5}  depth {info.depth:>2}  "
              + " ".join(label(move) for move in line[:6]))
    if from_line(lines[0].pv[0]) != best or len(lines) != 3:
        sys.exit(f"the best move is {label(best)}, not that of the first line")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: example.py path/to/pbrain-tengen")
    main(sys.argv[1])
