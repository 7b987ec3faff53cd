"""Tengen, a Gomoku and Renju engine, from Python.

    import tengen

    with tengen.Engine(rule="renju") as engine:
        print(engine.best_move(["h8", "i9", "h7"], seconds=1))
        for line in engine.analyse(["h8", "i9", "h7"], count=3, seconds=2):
            print(line.move, line.score, line.moves)

Points are a letter for the column and a number for the row, counted from the bottom: a1 is the bottom
left. Moves alternate, Black first.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable, Optional, Tuple, Union

__all__ = ["Engine", "EngineError", "Line", "RULES"]

RULES = {"freestyle": 0, "standard": 1, "renju": 4, "caro": 8, "caro9": 9}
"""The rules by name, with their numbers in the protocol."""

_ANSWER = re.compile(r"(\d+),(\d+)$")
_POINT = re.compile(r"([a-v])([1-9]\d?)$")
_SIDES = range(5, 23)
_STARTUP = 10
"""Longest wait for the answer to START, in seconds."""


class EngineError(Exception):
    """The engine refused a request, or its process ended."""


@dataclass(frozen=True)
class Line:
    """One of the best lines of a position."""

    move: str
    """The first move."""
    moves: Tuple[str, ...]
    """All moves of the line. That of a proved win goes down to the five, or to a four that nothing stops."""
    score: str
    """Value for the side to move, about 100 for a clear advantage; `+M15` wins in 15 plies, `-M12` loses in 12."""
    win_rate: float
    """Expected points of the side to move, 0 to 1."""
    depth: int
    """Completed depth in plies."""
    nodes: int
    """Positions searched."""


class Engine:
    """A process of Tengen with a board of one size and rule. What it learned lasts from call to call.

    Calls of several threads are carried out one after the other. `close`, or the end of a `with`, ends the
    process.
    """

    def __init__(
        self,
        rule: str = "freestyle",
        size: Union[int, Tuple[int, int]] = 15,
        *,
        threads: int = 1,
        hash_mib: Optional[int] = None,
        program: Union[str, Path, None] = None,
    ) -> None:
        """Starts the engine.

        `size` is 5 to 22, or a pair of columns and rows; `hash_mib` the size of the transposition table. `program`
        is the `tengen` of this package unless another one is named, which may be `pbrain-tengen` too.

        Raises `ValueError` for a rule or size that there is not, and `EngineError` if there is no program.
        """
        if rule not in RULES:
            raise ValueError(f"{rule!r} is no rule: one of {', '.join(RULES)}")
        self._width, self._height = (size, size) if isinstance(size, int) else size
        if self._width not in _SIDES or self._height not in _SIDES:
            raise ValueError(f"{size} is no size: 5 to 22")
        command = str(program or _find_program())
        try:
            self._process = subprocess.Popen(
                [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1
            )
        except OSError as error:
            raise EngineError(f"{command}: {error.strerror}") from error
        self._lock = threading.Lock()
        settings = {"rule": RULES[rule], "thread_num": threads, "show_detail": 2}
        if hash_mib is not None:
            settings["hash_size"] = hash_mib << 10
        for key, value in settings.items():
            self._send(f"INFO {key} {value}")
        start = f"START {self._width}" if self._width == self._height else f"RECTSTART {self._width},{self._height}"
        # A program that is no engine may read and say nothing.
        patience = threading.Timer(_STARTUP, self._process.kill)
        patience.start()
        try:
            self._request([start], lambda line: line == "OK")
        finally:
            patience.cancel()

    def best_move(
        self,
        moves: Iterable[str] = (),
        *,
        seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        strength: int = 100,
    ) -> str:
        """The engine's move after `moves`, by limits of time, positions and plies; without one, of a second.

        `strength` is 0 (a beginner) to 100. A game that is over is not noticed. Raises `ValueError` for moves
        and numbers that there are not, and `EngineError` where no cell is free.
        """
        _check("strength", strength, 0, 100)
        return self._search("BOARD", None, moves, (seconds, nodes, depth), strength)[0]

    def analyse(
        self,
        moves: Iterable[str] = (),
        *,
        count: int = 1,
        seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
    ) -> list[Line]:
        """The best `count` moves after `moves`, best first, at full strength; limits and errors as `best_move`.

        Raises `EngineError` too where the limits end the search before its first depth.
        """
        _check("count", count, 1, 484)
        lines = self._search("YXBOARD", f"YXNBEST {count}", moves, (seconds, nodes, depth), 100)[1]
        if not lines:
            raise EngineError("the limits ended the search before its first depth")
        return lines

    def forbidden(self, moves: Iterable[str] = ()) -> list[str]:
        """The points that the side to move must not play after `moves`: Black's in renju."""
        answer = self._request(self._board("YXBOARD", moves) + ["YXSHOWFORBID"], lambda line: line.startswith("FORBID"))
        digits = re.findall(r"(\d\d)(\d\d)", answer)
        return [self._label(int(x), int(y)) for x, y in digits]

    def close(self) -> None:
        """Ends the process. Does nothing if it has ended."""
        if self._process.poll() is None:
            try:
                self._process.communicate("END\n", timeout=5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.communicate()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _search(
        self,
        block: str,
        command: Optional[str],
        moves: Iterable[str],
        limits: Tuple[Optional[float], Optional[int], Optional[int]],
        strength: int,
    ) -> Tuple[str, list[Line]]:
        seconds, nodes, depth = limits
        if seconds is nodes is depth is None:
            seconds = 1.0
        for name, limit in (("seconds", seconds), ("nodes", nodes), ("depth", depth)):
            if limit is not None:
                _check(name, limit, 0 if name == "seconds" else 1, 10**9)
        lines = [
            f"INFO timeout_turn {-1 if seconds is None else round(seconds * 1000)}",
            f"INFO max_node {nodes or 0}",
            f"INFO max_depth {depth or 0}",
            f"INFO strength {strength}",
            *self._board(block, moves),
            *([command] if command else []),
        ]
        found: dict[int, Line] = {}
        fields: dict[str, str] = {}

        def is_answer(text: str) -> bool:
            if text == "INFO PV DONE":
                found[int(fields["PV"])] = self._line(fields)
            elif text.startswith("INFO "):
                key, _, value = text[5:].partition(" ")
                fields[key] = value
            return _ANSWER.match(text) is not None

        x, y = map(int, self._request(lines, is_answer).split(","))
        return self._label(x, y), [found[index] for index in sorted(found)]

    def _line(self, fields: dict[str, str]) -> Line:
        points = re.findall(r"(\d+),(\d+)", fields["BESTLINE"])
        moves = tuple(self._label(int(x), int(y)) for x, y in points)
        return Line(
            move=moves[0] if moves else "",
            moves=moves,
            score=fields["EVAL"],
            win_rate=float(fields["WINRATE"]),
            depth=int(fields["DEPTH"]),
            nodes=int(fields["TOTALNODES"]),
        )

    def _board(self, command: str, moves: Iterable[str]) -> list[str]:
        """The lines that set the position, own stones (of the side to move) as 1."""
        cells = [self._cell(move) for move in moves]
        for number, cell in enumerate(cells):
            if cell in cells[:number]:
                raise ValueError(f"move {number + 1}: {self._label(*cell)} is taken")
        own = len(cells) % 2
        stones = [f"{x},{y},{1 if number % 2 == own else 2}" for number, (x, y) in enumerate(cells)]
        return [f"INFO black_to_move {1 - own}", command, *stones, "DONE"]

    def _cell(self, label: str) -> Tuple[int, int]:
        """Column and row, from the top left, of a point such as h8."""
        found = _POINT.match(label.strip().lower())
        if found is None:
            raise ValueError(f"{label!r} is no point such as h8")
        x, y = ord(found[1]) - ord("a"), self._height - int(found[2])
        if x >= self._width or y < 0:
            raise ValueError(f"{label} lies outside the board of {self._width}x{self._height}")
        return x, y

    def _label(self, x: int, y: int) -> str:
        return f"{chr(ord('a') + x)}{self._height - y}"

    def _request(self, lines: list[str], is_answer: Callable[[str], bool]) -> str:
        """Sends lines and returns the line that answers them."""
        with self._lock:
            for line in lines:
                self._send(line)
            try:
                return self._answer(is_answer)
            except KeyboardInterrupt:
                # The next request must not read this one's answer.
                self._send("YXSTOP")
                self._answer(is_answer)
                raise

    def _answer(self, is_answer: Callable[[str], bool]) -> str:
        assert self._process.stdout
        for text in self._process.stdout:
            text = text.rstrip("\n")
            if text.startswith(("ERROR", "UNKNOWN")):
                raise EngineError(text.partition(" ")[2])
            if is_answer(text):
                return text
        raise EngineError("the engine's process has ended")

    def _send(self, line: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(line + "\n")
        except (OSError, ValueError) as error:
            raise EngineError("the engine's process has ended") from error


def _check(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} is {value}: {least} to {most}")


def _find_program() -> str:
    """The program of this package, else the one in the search path."""
    name = "tengen.exe" if sys.platform == "win32" else "tengen"
    own = Path(sysconfig.get_path("scripts")) / name
    if own.is_file():
        return str(own)
    found = shutil.which(name)
    if found is None:
        raise EngineError(f"there is no {name} in {own.parent} nor in the search path")
    return found
