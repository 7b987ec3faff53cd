//! The meanings of keys and mouse.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::play::command::{Command, parse};
use tengen::board::Board;
use tengen::types::Point;

/// The cursor and the typed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InputState {
    /// The cursor on the board.
    pub(super) cursor: Point,
    /// The typed text, not sent yet.
    pub(super) input: String,
    /// True while the help is shown.
    pub(super) shows_help: bool,
    /// Sent lines, and the index of the line shown again, counted from the last.
    past: Vec<String>,
    recalled: usize,
    /// True if the last key sent a line that was refused.
    is_refused: bool,
}

/// The effect of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reaction {
    /// Only the [`InputState`] changes.
    None,
    /// A command.
    Command(Command),
    /// The typed line is wrong.
    Wrong(String),
    /// Leave at once, even with an unsaved game.
    Abort,
}

/// The keys for people: key and effect.
pub(super) const HELP: &[(&str, &str)] = &[
    ("mouse", "a click on a free cell plays there"),
    ("arrows, Enter", "move the cursor, play there"),
    ("Tab", "hint"),
    ("Esc", "engine, move now; or clear the line"),
    ("Ctrl-Z, Ctrl-Y, Ctrl-S", "undo, redo, save"),
    ("Up", "after a refused line: that line again"),
    ("PgUp, PgDn", "lines that were typed before"),
    ("Ctrl-D, Ctrl-C", "leave; without asking"),
];

impl InputState {
    /// The cursor on the centre, nothing typed.
    pub(super) fn new(board: &Board) -> InputState {
        InputState {
            cursor: Point::new(board.width() / 2, board.height() / 2),
            input: String::new(),
            shows_help: false,
            past: Vec::new(),
            recalled: 0,
            is_refused: false,
        }
    }

    /// Handles a key. `is_thinking` is true while the engine searches and can move at once.
    pub(super) fn key(&mut self, key: KeyEvent, board: &Board, is_thinking: bool) -> Reaction {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let was_refused = std::mem::take(&mut self.is_refused);
        if self.shows_help && !control {
            self.shows_help = false;
            return Reaction::None;
        }
        match key.code {
            KeyCode::Char(letter) if control => return self.control(letter),
            KeyCode::Left => self.step(-1, 0, board),
            KeyCode::Right => self.step(1, 0, board),
            KeyCode::Up if was_refused => self.recall(1),
            KeyCode::Up => self.step(0, -1, board),
            KeyCode::Down => self.step(0, 1, board),
            KeyCode::Home => self.cursor = InputState::new(board).cursor,
            KeyCode::PageUp => self.recall(1),
            KeyCode::PageDown => self.recall(-1),
            KeyCode::Tab => return Reaction::Command(Command::Hint),
            KeyCode::F(1) => self.shows_help = true,
            KeyCode::Char('?') if self.input.is_empty() => self.shows_help = true,
            KeyCode::Esc if !self.input.is_empty() => self.input.clear(),
            KeyCode::Esc if is_thinking => return Reaction::Command(Command::MoveNow),
            KeyCode::Backspace => {
                self.input.pop();
            }
            KeyCode::Enter if !self.input.trim().is_empty() => return self.send(board),
            KeyCode::Enter => return self.point(),
            KeyCode::Char(' ') if self.input.is_empty() => return self.point(),
            KeyCode::Char(letter) => self.input.push(letter),
            _ => {}
        }
        Reaction::None
    }

    /// Handles a click on a point: the point is played.
    pub(super) fn click(&mut self, p: Point) -> Reaction {
        self.is_refused = false;
        self.cursor = p;
        self.point()
    }

    /// Handles the refusal of the line just sent: the line is not typed any more, but Up brings it
    /// back.
    pub(super) fn refuse_line(&mut self) {
        self.is_refused = true;
    }

    /// True if Up brings a refused line back.
    pub(super) fn offers_refused_line(&self) -> bool {
        self.is_refused
    }

    fn control(&mut self, letter: char) -> Reaction {
        match letter.to_ascii_lowercase() {
            'c' => Reaction::Abort,
            'd' | 'q' => Reaction::Command(Command::Quit),
            'z' | 'u' => Reaction::Command(Command::Undo),
            'y' | 'r' => Reaction::Command(Command::Redo),
            's' => {
                self.input = "save ".to_string();
                Reaction::None
            }
            _ => Reaction::None,
        }
    }

    fn point(&self) -> Reaction {
        Reaction::Command(Command::Points(vec![self.cursor]))
    }

    fn step(&mut self, dx: i32, dy: i32, board: &Board) {
        let (x, y) = (i32::from(self.cursor.x()), i32::from(self.cursor.y()));
        self.cursor = board.point(x + dx, y + dy).unwrap_or(self.cursor);
    }

    fn recall(&mut self, by: isize) {
        let last = self.past.len();
        self.recalled = self.recalled.saturating_add_signed(by).min(last);
        self.input = match self.recalled {
            0 => String::new(),
            back => self.past[last - back].clone(),
        };
    }

    /// Sends the typed line.
    fn send(&mut self, board: &Board) -> Reaction {
        let line = std::mem::take(&mut self.input);
        let command = parse(&line, board);
        self.recalled = 0;
        if self.past.last() != Some(&line) {
            self.past.push(line);
        }
        match command {
            Ok(Command::Help) => {
                self.shows_help = true;
                Reaction::None
            }
            Ok(command) => {
                if let Command::Points(points) = &command {
                    self.cursor = *points.last().unwrap_or(&self.cursor);
                }
                Reaction::Command(command)
            }
            Err(error) => Reaction::Wrong(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Desk {
        input_state: InputState,
        board: Board,
    }

    impl Desk {
        fn new() -> Desk {
            let board = Board::new(15, 15).unwrap();
            Desk {
                input_state: InputState::new(&board),
                board,
            }
        }

        fn press(&mut self, code: KeyCode) -> Reaction {
            self.input_state.key(code.into(), &self.board, true)
        }

        fn write(&mut self, text: &str) -> Reaction {
            for letter in text.chars() {
                assert_eq!(self.press(KeyCode::Char(letter)), Reaction::None);
            }
            self.press(KeyCode::Enter)
        }

        fn control(&mut self, letter: char) -> Reaction {
            let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
            self.input_state.key(key, &self.board, true)
        }
    }

    fn at(x: u8, y: u8) -> Reaction {
        Reaction::Command(Command::Points(vec![Point::new(x, y)]))
    }

    #[test]
    fn the_cursor_stays_on_the_board_and_plays() {
        let mut desk = Desk::new();
        desk.press(KeyCode::Left);
        desk.press(KeyCode::Up);
        assert_eq!(desk.press(KeyCode::Enter), at(6, 6));
        for _ in 0..20 {
            desk.press(KeyCode::Right);
        }
        assert_eq!(desk.press(KeyCode::Char(' ')), at(14, 6));
        desk.press(KeyCode::Home);
        assert_eq!(desk.press(KeyCode::Enter), at(7, 7));
    }

    #[test]
    fn lines_are_typed_and_recalled() {
        let mut desk = Desk::new();
        assert_eq!(desk.write("i9"), at(8, 6));
        assert_eq!(desk.input_state.cursor, Point::new(8, 6));
        assert_eq!(desk.press(KeyCode::Char('z')), Reaction::None);
        assert_eq!(desk.press(KeyCode::Esc), Reaction::None);
        assert_eq!(desk.input_state.input, "");
        desk.press(KeyCode::PageUp);
        assert_eq!(desk.input_state.input, "i9");
        desk.press(KeyCode::PageDown);
        assert_eq!(desk.input_state.input, "");
    }

    #[test]
    fn a_refused_line_goes_and_comes_back_with_up() {
        let mut desk = Desk::new();
        let wrong = desk.write("z9");
        assert!(matches!(wrong, Reaction::Wrong(text) if text.contains("z9")));
        assert_eq!(desk.input_state.input, "", "nothing to delete by hand");
        desk.input_state.refuse_line();
        let cursor = desk.input_state.cursor;
        desk.press(KeyCode::Up);
        assert_eq!(desk.input_state.input, "z9");
        assert_eq!(desk.input_state.cursor, cursor);
        desk.press(KeyCode::Backspace);
        assert_eq!(desk.input_state.input, "z");
        desk.press(KeyCode::Esc);
        desk.press(KeyCode::Up);
        assert_ne!(desk.input_state.cursor, cursor, "Up moves the cursor again");
        assert_eq!(desk.write("i9"), at(8, 6));
    }

    #[test]
    fn keys_have_their_commands() {
        let mut desk = Desk::new();
        let command = Reaction::Command;
        assert_eq!(desk.press(KeyCode::Tab), command(Command::Hint));
        assert_eq!(desk.press(KeyCode::Esc), command(Command::MoveNow));
        assert_eq!(desk.control('z'), command(Command::Undo));
        assert_eq!(desk.control('y'), command(Command::Redo));
        assert_eq!(desk.control('d'), command(Command::Quit));
        assert_eq!(desk.control('c'), Reaction::Abort);
        desk.control('s');
        assert_eq!(desk.input_state.input, "save ");
    }

    #[test]
    fn the_help_goes_with_any_key() {
        let mut desk = Desk::new();
        desk.press(KeyCode::Char('?'));
        assert!(desk.input_state.shows_help);
        assert_eq!(desk.press(KeyCode::Enter), Reaction::None);
        assert!(!desk.input_state.shows_help);
        assert_eq!(desk.write("help"), Reaction::None);
        assert!(desk.input_state.shows_help);
        assert_eq!(desk.control('c'), Reaction::Abort);
    }

    #[test]
    fn a_click_plays() {
        let mut desk = Desk::new();
        assert_eq!(desk.input_state.click(Point::new(3, 4)), at(3, 4));
        assert_eq!(desk.input_state.cursor, Point::new(3, 4));
    }
}
