//! The meanings of keys and mouse.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

use crate::play::command::{Command, parse};
use tengen::board::Board;
use tengen::types::Point;

/// The cursor and the typed line.
#[derive(Clone, Debug)]
pub(super) struct InputState {
    /// The cursor on the board.
    pub(super) cursor: Point,
    /// The typed text, not sent yet, and its caret.
    pub(super) input: Input,
    /// True while the help is shown.
    pub(super) shows_help: bool,
    /// Sent lines, and the index of the line shown again, counted from the last.
    past: Vec<String>,
    recalled: usize,
    /// The text typed before a line was shown again.
    draft: String,
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
    /// Draw the whole screen again.
    Redraw,
    /// Leave at once, even with an unsaved game.
    Abort,
}

/// The keys for people: key and effect.
pub(super) const HELP: &[(&str, &str)] = &[
    (
        "any key; letters, digits",
        "closes this help; are typed too",
    ),
    ("mouse", "a click on a free cell plays there"),
    ("arrows, Home, Enter", "move the cursor, centre it, play"),
    ("Tab, Esc", "hint; engine, move now"),
    (
        "Ctrl-Z, Ctrl-Y, Ctrl-S; F2, F3",
        "undo, redo, save; values, numbers",
    ),
    (
        "arrows, Ctrl-A E B F H D K W U Y",
        "edit a typed line, as in a shell",
    ),
    (
        "Up, Down, PgUp, PgDn, Ctrl-P N",
        "lines that were typed before",
    ),
    (
        "Esc, Ctrl-C; Ctrl-L",
        "clear the typed line; draw all again",
    ),
    ("Ctrl-D, Ctrl-C", "leave; the game is kept"),
];

impl InputState {
    /// The cursor on the centre, nothing typed.
    pub(super) fn new(board: &Board) -> InputState {
        InputState {
            cursor: Point::new(board.width() / 2, board.height() / 2),
            input: Input::default(),
            shows_help: false,
            past: Vec::new(),
            recalled: 0,
            draft: String::new(),
            is_refused: false,
        }
    }

    /// Handles a key. `is_thinking` is true while the engine searches and can move at once. Keys
    /// with a meaning in shells have no other one while a line is typed.
    pub(super) fn key(&mut self, key: KeyEvent, board: &Board, is_thinking: bool) -> Reaction {
        let control = is_control(key);
        let was_refused = std::mem::take(&mut self.is_refused);
        if std::mem::take(&mut self.shows_help) && !control && !begins_a_line(key) {
            return Reaction::None;
        }
        let is_typing = !self.input.value().is_empty();
        if let Some(edit) = editing(key).filter(|_| is_typing) {
            self.input.handle(edit);
            return Reaction::None;
        }
        match key.code {
            KeyCode::Char(letter) if control => {
                return self.control(letter, board, is_typing);
            }
            KeyCode::Left => self.step(-1, 0, board),
            KeyCode::Right => self.step(1, 0, board),
            KeyCode::Up if was_refused || is_typing => self.recall(1),
            KeyCode::Up => self.step(0, -1, board),
            KeyCode::Down if is_typing => self.recall(-1),
            KeyCode::Down => self.step(0, 1, board),
            KeyCode::Home => self.cursor = InputState::new(board).cursor,
            KeyCode::PageUp => self.recall(1),
            KeyCode::PageDown => self.recall(-1),
            KeyCode::Tab => return Reaction::Command(Command::Hint),
            KeyCode::F(1) => self.shows_help = true,
            KeyCode::F(2) => return Reaction::Command(Command::Values),
            KeyCode::F(3) => return Reaction::Command(Command::Numbers),
            KeyCode::Char('?') if !is_typing => self.shows_help = true,
            KeyCode::Esc if is_typing => self.input.reset(),
            KeyCode::Esc if is_thinking => return Reaction::Command(Command::MoveNow),
            KeyCode::Enter => return self.enter(board),
            KeyCode::Char(' ') if !is_typing => return self.point(),
            KeyCode::Char(_) => {
                editing(key).map(|edit| self.input.handle(edit));
            }
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

    /// Handles a letter with Ctrl that edits nothing.
    fn control(&mut self, letter: char, board: &Board, is_typing: bool) -> Reaction {
        match letter.to_ascii_lowercase() {
            'c' if is_typing => self.input.reset(),
            'c' => return Reaction::Abort,
            'd' => return Reaction::Command(Command::Quit),
            'j' => return self.enter(board),
            'l' => return Reaction::Redraw,
            'n' => self.recall(-1),
            'p' => self.recall(1),
            's' if !is_typing => self.type_line("save "),
            'y' => return Reaction::Command(Command::Redo),
            'z' if !is_typing => return Reaction::Command(Command::Undo),
            _ => {}
        }
        Reaction::None
    }

    /// Sends the typed line, or plays at the cursor.
    fn enter(&mut self, board: &Board) -> Reaction {
        match self.input.value().trim() {
            "" => self.point(),
            _ => self.send(board),
        }
    }

    /// Puts a text in place of the typed line, with the caret behind it. What was cut from a line
    /// is still there.
    pub(super) fn type_line(&mut self, text: &str) {
        self.input.reset();
        for letter in text.chars() {
            self.input.handle(InputRequest::InsertChar(letter));
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
        let before = self.recalled;
        self.recalled = before.saturating_add_signed(by).min(last);
        if before == 0 {
            self.draft = self.input.value().to_string();
        }
        let text = match self.recalled {
            0 => std::mem::take(&mut self.draft),
            back => self.past[last - back].clone(),
        };
        self.type_line(&text);
    }

    /// Sends the typed line.
    fn send(&mut self, board: &Board) -> Reaction {
        let line = self.input.value().to_string();
        self.input.reset();
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

/// True for letters and digits, with which points and commands begin.
fn begins_a_line(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char(letter) if letter.is_alphanumeric())
}

/// True if Ctrl is held. With Alt it is a keyboard's way to letters such as @.
fn is_control(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && !key.modifiers.contains(KeyModifiers::ALT)
}

/// The change that a key makes to a typed line: the keys of GNU Readline, which shells have.
fn editing(key: KeyEvent) -> Option<InputRequest> {
    let control = is_control(key);
    let alt = key.modifiers == KeyModifiers::ALT;
    Some(match key.code {
        KeyCode::Char(letter) if control => match letter.to_ascii_lowercase() {
            'a' => InputRequest::GoToStart,
            'b' => InputRequest::GoToPrevChar,
            'd' => InputRequest::DeleteNextChar,
            'e' => InputRequest::GoToEnd,
            'f' => InputRequest::GoToNextChar,
            'h' => InputRequest::DeletePrevChar,
            'k' => InputRequest::DeleteTillEnd,
            'u' => InputRequest::DeleteLine,
            'w' => InputRequest::DeletePrevWord,
            'y' => InputRequest::Yank,
            _ => return None,
        },
        KeyCode::Char('b') if alt => InputRequest::GoToPrevWord,
        KeyCode::Char('d') if alt => InputRequest::DeleteNextWord,
        KeyCode::Char('f') if alt => InputRequest::GoToNextWord,
        KeyCode::Char(_) if alt => return None,
        KeyCode::Char(letter) => InputRequest::InsertChar(letter),
        KeyCode::Left if control || alt => InputRequest::GoToPrevWord,
        KeyCode::Right if control || alt => InputRequest::GoToNextWord,
        KeyCode::Backspace if control || alt => InputRequest::DeletePrevWord,
        KeyCode::Left => InputRequest::GoToPrevChar,
        KeyCode::Right => InputRequest::GoToNextChar,
        KeyCode::Home => InputRequest::GoToStart,
        KeyCode::End => InputRequest::GoToEnd,
        KeyCode::Backspace => InputRequest::DeletePrevChar,
        KeyCode::Delete => InputRequest::DeleteNextChar,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::openings::Choice;

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
        assert_eq!(desk.input_state.input.value(), "");
        desk.press(KeyCode::PageUp);
        assert_eq!(desk.input_state.input.value(), "i9");
        desk.press(KeyCode::PageDown);
        assert_eq!(desk.input_state.input.value(), "");
    }

    #[test]
    fn a_refused_line_goes_and_comes_back_with_up() {
        let mut desk = Desk::new();
        let wrong = desk.write("z9");
        assert!(matches!(wrong, Reaction::Wrong(text) if text.contains("z9")));
        assert_eq!(
            desk.input_state.input.value(),
            "",
            "nothing to delete by hand"
        );
        desk.input_state.refuse_line();
        let cursor = desk.input_state.cursor;
        desk.press(KeyCode::Up);
        assert_eq!(desk.input_state.input.value(), "z9");
        assert_eq!(desk.input_state.cursor, cursor);
        desk.press(KeyCode::Backspace);
        assert_eq!(desk.input_state.input.value(), "z");
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
        assert_eq!(desk.press(KeyCode::F(2)), command(Command::Values));
        assert_eq!(desk.press(KeyCode::F(3)), command(Command::Numbers));
        assert_eq!(desk.control('l'), Reaction::Redraw);
        desk.control('s');
        assert_eq!(desk.input_state.input.value(), "save ");
    }

    /// Keys that shells have for a line never reach the game while a line is typed, nor do Ctrl-R
    /// and Ctrl-Q at any time.
    #[test]
    fn a_typed_line_is_edited_as_in_a_shell() {
        let type_text = |desk: &mut Desk, text: &str| {
            for letter in text.chars() {
                desk.press(KeyCode::Char(letter));
            }
        };
        for (keys, left) in [
            ("u", ""),
            ("c", ""),
            ("w", "save a/"),
            ("au", ""),
            ("bk", "save a/b.sg"),
            ("ad", "ave a/b.sgf"),
            ("h", "save a/b.sg"),
            ("wy", "save a/b.sgf"),
            ("aky", ""),
            ("zrqd", "save a/b.sgf"),
        ] {
            let mut desk = Desk::new();
            type_text(&mut desk, "save a/b.sgf");
            for letter in keys.chars() {
                let reaction = desk.control(letter);
                let is_redo = keys == "aky" && letter == 'y';
                assert!(
                    reaction == Reaction::None || is_redo,
                    "{keys}: {reaction:?}"
                );
            }
            assert_eq!(desk.input_state.input.value(), left, "Ctrl-{keys}");
        }
        let mut desk = Desk::new();
        for letter in "abefghikmnopqrtuvwx".chars() {
            assert_eq!(desk.control(letter), Reaction::None, "Ctrl-{letter}");
        }
        type_text(&mut desk, "h9");
        let cursor = desk.input_state.cursor;
        desk.press(KeyCode::Left);
        desk.press(KeyCode::Char('1'));
        assert_eq!(desk.input_state.input.value(), "h19");
        desk.press(KeyCode::Home);
        desk.press(KeyCode::Delete);
        desk.press(KeyCode::End);
        desk.press(KeyCode::Backspace);
        assert_eq!(desk.input_state.input.value(), "1");
        assert_eq!(desk.input_state.cursor, cursor, "the board's cursor stays");
        assert_eq!(
            desk.control('j'),
            Reaction::Command(Command::Choose(Choice::Declare(1)))
        );
        type_text(&mut desk, "i");
        desk.press(KeyCode::Up);
        assert_eq!(desk.input_state.input.value(), "1", "an older line");
        desk.press(KeyCode::Down);
        assert_eq!(desk.input_state.input.value(), "i", "and the begun one");
        let at = KeyEvent::new(
            KeyCode::Char('@'),
            KeyModifiers::CONTROL | KeyModifiers::ALT,
        );
        let board = desk.board.clone();
        desk.input_state.key(at, &board, true);
        assert_eq!(
            desk.input_state.input.value(),
            "i@",
            "a keyboard's third level"
        );
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
        for (key, typed) in [('h', "h"), ('8', "8"), ('?', ""), (' ', "")] {
            let mut desk = Desk::new();
            desk.press(KeyCode::F(1));
            assert_eq!(desk.press(KeyCode::Char(key)), Reaction::None);
            assert!(!desk.input_state.shows_help);
            assert_eq!(desk.input_state.input.value(), typed, "typed by '{key}'");
        }
        desk.press(KeyCode::F(1));
        assert_eq!(desk.control('z'), Reaction::Command(Command::Undo));
        assert!(!desk.input_state.shows_help, "the board shows the effect");
    }

    #[test]
    fn a_click_plays() {
        let mut desk = Desk::new();
        assert_eq!(desk.input_state.click(Point::new(3, 4)), at(3, 4));
        assert_eq!(desk.input_state.cursor, Point::new(3, 4));
    }
}
