"""Tests of the client against the installed program: `python -m unittest test_client`."""

import shutil
import unittest
import unittest.mock
from concurrent.futures import ThreadPoolExecutor

import tengen


class ClientTest(unittest.TestCase):
    def test_a_five_is_played_and_a_win_told(self):
        with tengen.Engine() as engine:
            three = ["h8", "a1", "i8", "c1", "j8", "e1"]
            (line,) = engine.analyse(three, nodes=10_000)
            self.assertEqual(line.score, "+M3")
            self.assertIn(line.move, ("g8", "k8"))
            self.assertIn(engine.best_move([*three, line.move, "g1"], nodes=1000), ("f8", "g8", "k8", "l8"))

    def test_candidates_come_best_first(self):
        with tengen.Engine(rule="standard", size=20) as engine:
            lines = engine.analyse(["k10", "l11"], count=3, nodes=20_000)
            self.assertEqual(len({line.move for line in lines}), 3)
            rates = [line.win_rate for line in lines]
            self.assertEqual(rates, sorted(rates, reverse=True))
            self.assertTrue(all(line.moves[0] == line.move and line.nodes > 0 for line in lines))

    def test_forbidden_points_are_blacks_in_renju(self):
        cross = ["h8", "a1", "i8", "c1", "g9", "e1", "g10", "o1"]
        with tengen.Engine(rule="renju") as engine:
            self.assertEqual(engine.forbidden(cross), ["g8"])
            self.assertEqual(engine.forbidden(cross[:-1]), [])
        with tengen.Engine() as engine:
            self.assertEqual(engine.forbidden(cross), [])

    def test_boards_need_not_be_square(self):
        with tengen.Engine(size=(9, 6)) as engine:
            self.assertRegex(engine.best_move(depth=2), r"^[a-i][1-6]$")

    def test_moves_that_are_none_are_refused_and_the_engine_goes_on(self):
        with tengen.Engine(size=15) as engine:
            for moves in (["h8", "h8"], ["p1"], ["h16"], ["8h"], ["h8", ""]):
                with self.assertRaises(ValueError, msg=moves):
                    engine.best_move(moves)
            self.assertEqual(engine.best_move(nodes=100), "h8")

    def test_a_full_board_and_a_missing_program_are_told(self):
        rows = [f"{column}{row}" for row in (1, 3, 5, 2, 4) for column in "abcde"]
        with tengen.Engine(size=5) as engine:
            with self.assertRaises(tengen.EngineError):
                engine.best_move(rows)
        with self.assertRaises(tengen.EngineError):
            tengen.Engine(program="no-such-program")
        with self.assertRaises(ValueError):
            tengen.Engine(rule="go")

    def test_numbers_that_there_are_not_are_refused(self):
        with tengen.Engine() as engine:
            for limits in ({"seconds": -1}, {"seconds": float("nan")}, {"nodes": 0}, {"depth": 0}, {"strength": 200}):
                with self.assertRaises(ValueError, msg=limits):
                    engine.best_move(["h8"], **limits)
            with self.assertRaises(ValueError):
                engine.analyse(count=0)
            with self.assertRaises(tengen.EngineError):
                engine.analyse(["h8"], count=200, nodes=1)

    def test_threads_take_turns(self):
        with tengen.Engine() as engine:
            with ThreadPoolExecutor(5) as pool:
                games = [["h8"], ["h8", "i9"], ["a1"], ["c3", "d4"], []]
                found = list(pool.map(lambda moves: engine.best_move(moves, nodes=300), games * 3))
            for moves, best in zip(games * 3, found):
                self.assertRegex(best, r"^[a-o]([1-9]|1[0-5])$")
                self.assertNotIn(best, moves)

    def test_a_program_that_is_no_engine_is_given_up(self):
        program = shutil.which("cat")
        if program is None:
            self.skipTest("no cat here")
        with unittest.mock.patch.object(tengen, "_STARTUP", 0.5):
            with self.assertRaises(tengen.EngineError):
                tengen.Engine(program=program)

    def test_a_closed_engine_says_so(self):
        engine = tengen.Engine()
        engine.close()
        engine.close()
        with self.assertRaises(tengen.EngineError):
            engine.best_move()


if __name__ == "__main__":
    unittest.main()
