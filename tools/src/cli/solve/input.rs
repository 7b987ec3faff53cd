use std::path::Path;

use super::super::records::{GameFile, names_file, typed};
use super::{Args, Error};
use tengen::board::Board;
use tengen::rules::Rule;
use tengen_games::corpus::{self, Case, Claim, CorpusLine};
use tengen_games::records::{Format, RecordedGame, from_first_word};

/// A position to solve.
pub(super) struct Puzzle {
    /// Number among all positions, from 0.
    pub place: usize,
    pub id: String,
    pub rule: Rule,
    pub board: Board,
    /// The file's statement about the side to move.
    pub claim: Option<Claim>,
}

/// All positions named by the arguments: positions of files, or the one after moves.
pub(super) fn read(args: &Args) -> Result<Vec<Puzzle>, Error> {
    let mut puzzles = Puzzles {
        puzzles: Vec::new(),
        rule: args.rule,
    };
    if args.positions.iter().any(|word| names_file(word)) {
        for word in &args.positions {
            puzzles.add_file(Path::new(word), &args.size)?;
        }
    } else {
        // A missing file is not taken for a misspelt move.
        let game = typed(&args.positions.join(" "), &args.size)
            .map_err(|error| Error::Failed(format!("{error} (and there is no such file)")))?;
        puzzles.add_game("moves".to_string(), &game);
    }
    Ok(puzzles.puzzles)
}

struct Puzzles {
    puzzles: Vec<Puzzle>,
    /// The rule for games; `None` leaves the rule named by each game.
    rule: Option<Rule>,
}

impl Puzzles {
    fn add(&mut self, id: String, rule: Rule, board: Board, claim: Option<Claim>) {
        self.puzzles.push(Puzzle {
            place: self.puzzles.len(),
            id,
            rule,
            board,
            claim,
        });
    }

    /// The end of a game.
    fn add_game(&mut self, id: String, game: &RecordedGame) {
        let rule = self.rule.or_else(|| game.known_rule());
        self.add(id, rule.unwrap_or_default(), game.end(), None);
    }

    fn add_file(&mut self, path: &Path, empty: &Board) -> Result<(), Error> {
        let known = self.puzzles.len();
        self.add_positions(path, empty)?;
        match self.puzzles.len() > known {
            true => Ok(()),
            false => {
                let path = path.display();
                Err(Error::Failed(format!("{path}: there are no positions")))
            }
        }
    }

    fn add_positions(&mut self, path: &Path, empty: &Board) -> Result<(), Error> {
        match GameFile::read(path)? {
            GameFile::Text(text) if is_without_content(&text) => Ok(()),
            GameFile::Text(text) if is_corpus(path, &text) => self.add_corpus(path, &text),
            file => {
                let games = file.games(path, empty)?;
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                for (number, game) in (1..).zip(&games) {
                    let id = match games.len() {
                        1 => name.to_string(),
                        _ => format!("{name}-{number}"),
                    };
                    self.add_game(id, game);
                }
                Ok(())
            }
        }
    }

    fn add_corpus(&mut self, path: &Path, text: &str) -> Result<(), Error> {
        let name = path.display().to_string();
        for CorpusLine { line, case } in corpus::parse(&name, text)? {
            match case {
                Case::Tactic(case) => self.add(case.id, case.rule, case.board, Some(case.claim)),
                Case::Position(case) => self.add(case.id, case.rule, case.board, None),
                Case::Forbidden(_) | Case::Win(_) => {
                    return Err(Error::Failed(format!(
                        "{name}:{line}: a rules case has nothing to solve (use check)"
                    )));
                }
            }
        }
        Ok(())
    }
}

/// True if a text has nothing but blank lines and comments.
fn is_without_content(text: &str) -> bool {
    let mut lines = from_first_word(text).lines();
    lines.all(|line| line.trim().is_empty() || line.starts_with('#'))
}

/// True if a text holds positions in columns, one a line, and not a game.
fn is_corpus(path: &Path, text: &str) -> bool {
    let text = from_first_word(text);
    let is_case = |line: &str| !line.starts_with('#') && line.contains(['\t', '|']);
    let format = Format::of_file(path, text);
    matches!(format, Format::Diagram | Format::Moves) && text.lines().any(is_case)
}
