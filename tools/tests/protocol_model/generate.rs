//! Random sequences of commands; one seed gives the same sequence every time.

use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use tengen::board::{Board, Cell as Stone};
use tengen::types::Color;
use tengen_games::random_boards::{RandomBoards, Style as BoardStyle};

use crate::command::{Cell, Command, Entry, Letters, Question, Style};
use crate::conversation::{Sequence, Step, Then};
use crate::words::{INFO, JUNK, MALFORMED, NODES, STEPS};

/// The sequence of a seed.
pub fn sequence(seed: u64) -> Sequence {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut made = Generator {
        width: 15,
        height: 15,
        style: Style::PLAIN,
        steps: Vec::new(),
        rng: &mut rng,
    };
    made.all();
    let steps = made.steps;
    Sequence {
        steps,
        ends_early: rng.random_bool(0.1),
    }
}

/// The commands of a seed as a file: nothing waits for answers between them, and each search is
/// short, because nobody stops it.
pub fn file(seed: u64) -> Sequence {
    let mut nodes_are_few = false;
    let mut steps = sequence(seed).steps;
    steps.retain_mut(|step| {
        step.then = Then::Join;
        match step.command {
            Command::Info("max_node", (_, Some(1..=2_000))) => nodes_are_few = true,
            Command::Info("max_node", _) => return false,
            _ => {}
        }
        true
    });
    assert!(
        nodes_are_few,
        "every sequence begins with a number of nodes"
    );
    Sequence {
        steps,
        ends_early: false,
    }
}

struct Generator<'a> {
    /// Size of the session's board, if nothing goes wrong.
    width: i64,
    height: i64,
    style: Style,
    steps: Vec<Step>,
    rng: &'a mut SmallRng,
}

impl Generator<'_> {
    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from.choose(self.rng).expect("something to choose").clone()
    }

    fn add(&mut self, command: Command, then: Then) {
        let style = Style {
            one_line: self.rng.random(),
            blanks: self.rng.random_bool(0.2),
            ..self.style
        };
        let cut = if self.rng.random_bool(0.2) {
            self.rng.random_range(1..30)
        } else {
            usize::MAX
        };
        self.steps.push(Step {
            command,
            style,
            then,
            cut,
        });
    }

    fn all(&mut self) {
        self.style = Style {
            letters: self.pick(&[
                Letters::Upper,
                Letters::Upper,
                Letters::Lower,
                Letters::Mixed,
            ]),
            line_end: self.pick(&["\n", "\n", "\r\n", "\r", "\n\n", "\r\n\n"]),
            ..Style::PLAIN
        };
        // Small tables, so that a sequence is quick.
        let memory = ("60000000", Some(60_000_000));
        self.add(Command::Info("max_memory", memory), Then::Join);
        let nodes = self.pick(NODES);
        self.add(Command::Info("max_node", nodes), Then::Join);
        if self.rng.random_bool(0.8) {
            self.add(Command::Info("evaluator", ("classical", None)), Then::Join);
        }
        if self.rng.random_bool(0.9) {
            let start = self.start();
            self.add(start, Then::Join);
            let codes = [0, 1, 4, 4, 8, 9].map(|code| INFO[0].1.iter().find(|n| n.1 == Some(code)));
            let code = *self.pick(&codes).expect("it is listed");
            self.add(Command::Info("rule", code), Then::Wait);
        }
        for _ in 0..self.rng.random_range(4..24) {
            let command = self.command();
            let is_opening = matches!(command, Command::Opening(..));
            let then = match self.rng.random_range(0..20) {
                // The model hears the answer of an opening at once.
                _ if is_opening => Then::Wait,
                0..11 => Then::Wait,
                11..15 => Then::Join,
                15..18 => Then::Send,
                _ => Then::Pause,
            };
            self.add(command, then);
        }
        self.add(Command::Ask(Question::TraceBoard), Then::Send);
    }

    fn start(&mut self) -> Command {
        let side = |rng: &mut SmallRng| match rng.random_range(0..10) {
            0..4 => 15,
            4..7 => rng.random_range(5..=8),
            _ => rng.random_range(5..=22),
        };
        let (w, h) = (side(self.rng), side(self.rng));
        let command = match self.rng.random_range(0..20) {
            0 => {
                let n = self.pick(&[0, -1, 4, 23, 100, i64::MAX]);
                return Command::Start("START", n, None);
            }
            1 => return Command::Start("RECTSTART", w, Some(23)),
            2..5 => Command::Start("RECTSTART", w, Some(h)),
            5 => Command::Start("START", w, Some(h)),
            _ => Command::Start("START", w, None),
        };
        (self.width, self.height) = match command {
            Command::Start(_, w, h) => (w, h.unwrap_or(w)),
            _ => unreachable!("a START was made"),
        };
        command
    }

    fn command(&mut self) -> Command {
        match self.rng.random_range(0..100) {
            0..4 => self.start(),
            4..5 => Command::Restart,
            5..7 => Command::Begin,
            7..27 => Command::Turn(self.cell()),
            27..30 => Command::Play(self.cell()),
            30..33 => Command::TakeBack(match self.cell() {
                Cell::Free(k) => Cell::Stone(k),
                Cell::Stone(k) => Cell::Free(k),
                cell => cell,
            }),
            33..41 => Command::Board(self.position()),
            41..45 => Command::SetBoard(self.position()),
            45..49 => self.search(),
            49..51 => Command::BalanceTwo(self.pick(&["0", "100", "-1e9", "", "-99999999999"])),
            51 => self.review_or_solve(),
            52..54 => Command::Stop(self.pick(&["STOP", "YXSTOP"])),
            54..66 => {
                let (key, values) = self.pick(INFO);
                Command::Info(key, self.pick(values))
            }
            66..72 => Command::Ask(self.question()),
            72..75 => Command::ShowForbid,
            75..76 => {
                Command::Silent(self.pick(&["RELOADCONFIG", "LOADMODEL a b", "EXPORTMODEL x"]))
            }
            76..77 => Command::HashClear,
            77..81 => Command::Block(self.rng.random_bool(0.7), self.cells()),
            81..82 => Command::BlockReset,
            82..84 => Command::BlockPath(self.rng.random_bool(0.7), self.cells()),
            84..85 => Command::BlockPathReset,
            85..87 => Command::Forbid(
                self.rng.random_bool(0.7),
                self.cell(),
                self.rng.random_range(0..2),
            ),
            87..92 => self.opening(),
            92..94 => Command::Malformed(self.pick(MALFORMED)),
            94..96 => Command::Unknown(self.unknown()),
            96..98 => Command::Remains(self.pick(&[
                "",
                " \t",
                "7,7",
                "7 , 7 , 1",
                "done",
                "-1,3,2",
                "DONE",
            ])),
            98 => Command::TooLong(self.pick(&[65_537, 200_000])),
            _ => {
                let (start, entries) = (self.start(), self.position());
                match start {
                    Command::Start(_, n, None) => {
                        Command::Interrupted(self.pick(&["BOARD", "SWAP2BOARD"]), entries, n)
                    }
                    start => start,
                }
            }
        }
    }

    fn cell(&mut self) -> Cell {
        let k = self.rng.random_range(0..1_000);
        match self.rng.random_range(0..20) {
            0..14 => Cell::Free(k),
            14..16 => Cell::Stone(k),
            16 => {
                let (w, h) = (self.width, self.height);
                let (x, y) = self.pick(&[(w, 0), (0, h), (-1, 3), (i64::MAX, 0), (100, 100)]);
                Cell::At(x, y)
            }
            _ => {
                let (x, y) = self.somewhere();
                Cell::At(x, y)
            }
        }
    }

    fn somewhere(&mut self) -> (i64, i64) {
        let x = self.rng.random_range(0..self.width);
        (x, self.rng.random_range(0..self.height))
    }

    /// Cells without fields; now and then one entry is no cell of the board.
    fn cells(&mut self) -> Vec<Entry> {
        let most = if self.rng.random_bool(0.1) { 500 } else { 6 };
        let count = self.rng.random_range(0..=most);
        (0..count)
            .map(|_| match self.rng.random_range(0..20) {
                0 => Entry::Junk(self.junk()),
                1 => Entry::Cell(self.width, 0),
                _ => {
                    let (x, y) = self.somewhere();
                    Entry::Cell(x, y)
                }
            })
            .collect()
    }

    fn junk(&mut self) -> &'static str {
        self.pick(JUNK)
    }

    /// A position as entries: dense, with shapes, sometimes nearly full, sometimes impossible in a
    /// game.
    fn position(&mut self) -> Vec<Entry> {
        let mut entries = match self.rng.random_range(0..10) {
            0 => Vec::new(),
            1..4 => self.nearly_full(),
            _ => self.shapes(),
        };
        if self.rng.random_bool(0.2) {
            entries.shuffle(self.rng);
        }
        if self.rng.random_bool(0.2) {
            let (x, y) = self.somewhere();
            let i = self.rng.random_range(0..=entries.len());
            let (w, h) = (self.width, self.height);
            let odd = [
                Entry::Junk(self.junk()),
                Entry::Cell(x, y),
                Entry::Field(x, y, 3),
                Entry::Field(x, y, 7),
                Entry::Field(x, y, 1),
                Entry::Field(w, y, 2),
                Entry::Field(-1, h, 1),
            ];
            let odd = self.pick(&odd);
            entries.insert(i, odd);
        }
        entries
    }

    fn shapes(&mut self) -> Vec<Entry> {
        let style = self.pick(&BoardStyle::ALL);
        let mut boards = RandomBoards::new(self.rng.random());
        let board = boards.board(self.width as u8, self.height as u8, style);
        let mut entries = entries_of(&board, board.side_to_move());
        if self.rng.random_bool(0.3) {
            entries.truncate(self.rng.random_range(0..=entries.len()));
        }
        entries
    }

    /// Most cells in a pattern without fives, or all of one colour.
    fn nearly_full(&mut self) -> Vec<Entry> {
        let free = self.rng.random_range(0..6);
        let is_pattern = self.rng.random_bool(0.8);
        let mut entries = Vec::new();
        for y in 0..self.height {
            for x in 0..self.width {
                let is_own = is_pattern && (x / 2 + y) % 2 == 0;
                entries.push(Entry::Field(x, y, if is_own { 1 } else { 2 }));
            }
        }
        for _ in 0..free {
            let i = self.rng.random_range(0..entries.len());
            entries.remove(i);
        }
        entries
    }

    fn search(&mut self) -> Command {
        let word = self.pick(&["YXNBEST", "YXNBEST", "YXSEARCHDEFEND", "YXBALANCEONE"]);
        let number = match word {
            "YXNBEST" => self.pick(&["1", "3", "0", "-4", "500", "99999999999999999999", "k", ""]),
            "YXBALANCEONE" => self.pick(&["0", "50", "-50", "nothing", ""]),
            _ => "",
        };
        Command::Search(word, number)
    }

    fn review_or_solve(&mut self) -> Command {
        if self.rng.random() {
            return Command::Solve(self.pick(&["vcf", "vct", "auto", "VCF DONE"]));
        }
        let mut entries = self.cells();
        if self.rng.random_bool(0.3) {
            let i = self.rng.random_range(0..=entries.len());
            entries.insert(i, Entry::Cell(-1, -1));
        }
        let words = self.pick(&["", "WHITE", "FROM 2", "BLACK FROM 300", "FROM x"]);
        Command::Review(words, entries)
    }

    fn question(&mut self) -> Question {
        match self.rng.random_range(0..14) {
            0 => Question::About,
            1 => Question::ShowInfo,
            2..7 => Question::TraceBoard,
            7 => Question::Draw,
            8 => Question::Resign,
            9 => Question::Feature,
            10 => Question::HashUsage,
            11 => {
                let word = self.pick(&["YXQUERYDATABASEALL", "YXQUERYDATABASEALLT"]);
                Question::QueryAll(word, self.cells())
            }
            12 => Question::QueryOne(self.cells()),
            _ => Question::QueryText(self.cells()),
        }
    }

    fn unknown(&mut self) -> Vec<u8> {
        if self.rng.random() {
            return self
                .pick(&[
                    "FROBNICATE 7,7",
                    "OK",
                    "\u{1f600}",
                    "MESSAGE x",
                    "?",
                    "PONDER 100",
                ])
                .into();
        }
        // No byte ends the line, and the first is no digit or blank.
        let bytes = (0..self.rng.random_range(0..60)).map(|_| self.rng.random_range(14..=255));
        [0xff].into_iter().chain(bytes).collect()
    }

    fn opening(&mut self) -> Command {
        let (word, counts, has_number) = self.pick(STEPS);
        let mut count = self.pick(counts);
        if self.rng.random_bool(0.1) {
            count = self.rng.random_range(0..7);
        }
        let centre = (self.width / 2, self.height / 2);
        let mut stones: Vec<(i64, i64)> = Vec::new();
        while stones.len() < count {
            let reach = stones.len() as i64;
            let is_wild = self.rng.random_bool(0.02);
            let mut near = |c: i64| c + self.rng.random_range(-reach..=reach);
            let stone = (near(centre.0), near(centre.1));
            if is_wild || !stones.contains(&stone) {
                stones.push(stone);
            }
        }
        let number = match self.rng.random_range(0..10) {
            0 => None,
            1 => Some(self.pick(&[0, -1, 13, 300])),
            _ => Some(self.pick(&[1, 2, 5, 8, 10])),
        };
        let number = number.filter(|_| has_number);
        let offered = match (word, number) {
            _ if count != 4 => 0,
            ("RIFSTEP5", _) => 2,
            ("YAMAGUCHISTEP5" | "SOOSYRVSTEP6" | "TARAGUCHISTEP4", Some(n @ 0..=255)) => n,
            _ => 0,
        };
        let entries =
            |cells: Vec<(i64, i64)>| cells.into_iter().map(|(x, y)| Entry::Cell(x, y)).collect();
        let offer = (0..offered).map(|_| self.somewhere()).collect();
        Command::Opening(word, number, entries(stones), entries(offer))
    }
}

/// The stones of a board in order, then its blocked cells, for an engine of that colour.
fn entries_of(board: &Board, engine: Color) -> Vec<Entry> {
    let entry = |x: u8, y: u8, field| Entry::Field(x.into(), y.into(), field);
    let stones = board.stones().iter().map(|stone| {
        let field = if stone.color == engine { 1 } else { 2 };
        entry(stone.point.x(), stone.point.y(), field)
    });
    let blocked = board.points().filter(|&p| board.cell(p) == Stone::Blocked);
    stones
        .chain(blocked.map(|p| entry(p.x(), p.y(), 3)))
        .collect()
}
