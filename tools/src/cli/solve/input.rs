use std::path::Path;

use super::super::records::{joined, names_file, read_file, tell};
use super::{Args, Error};
use tengen::board::Board;
use tengen::rules::Rule;
use tengen_games::corpus::{self, Case, Claim, CorpusLine};
use tengen_games::records::{Format, RecordedGame, text_of};

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
        args,
    };
    if args.positions.iter().any(|word| names_file(word)) {
        for word in &args.positions {
            puzzles.add_file(Path::new(word))?;
        }
    } else {
        let game = args.extract.typed(&joined(&args.positions), &args.size)?;
        for game in args.extract.chosen("moves", vec![game])? {
            puzzles.add_game("moves".to_string(), game);
        }
    }
    Ok(puzzles.puzzles)
}

struct Puzzles<'a> {
    puzzles: Vec<Puzzle>,
    args: &'a Args,
}

impl Puzzles<'_> {
    fn add(&mut self, id: String, rule: Rule, board: Board, claim: Option<Claim>) {
        self.puzzles.push(Puzzle {
            place: self.puzzles.len(),
            id,
            rule,
            board,
            claim,
        });
    }

    /// The chosen position of a game.
    fn add_game(&mut self, id: String, game: RecordedGame) {
        let rule = self.args.rule.or_else(|| game.known_rule());
        let game = self.args.extract.at_position(game);
        self.add(id, rule.unwrap_or_default(), game.end(), None);
    }

    fn add_file(&mut self, path: &Path) -> Result<(), Error> {
        let known = self.puzzles.len();
        self.add_positions(path)?;
        match self.puzzles.len() > known {
            true => Ok(()),
            false => {
                let path = path.display();
                Err(Error::Failed(format!("{path}: there are no positions")))
            }
        }
    }

    fn add_positions(&mut self, path: &Path) -> Result<(), Error> {
        let bytes = read_file(path)?;
        let text = text_of(&bytes).unwrap_or_default();
        if is_without_content(&text) {
            return Ok(());
        }
        if is_corpus(path, &text) {
            return self.add_corpus(path, &text);
        }
        let extract = &self.args.extract;
        let record = extract.record_of(path, &bytes, &self.args.size)?;
        tell(path, &record.warnings);
        let count = record.games.len();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for (number, game) in (1..).zip(extract.chosen(&name, record.games)?) {
            let id = match count {
                1 => name.to_string(),
                _ => format!("{name}-{}", extract.number(number)),
            };
            self.add_game(id, game);
        }
        Ok(())
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
    let mut lines = text.lines();
    lines.all(|line| line.trim().is_empty() || line.starts_with('#'))
}

/// True if a text holds positions in columns, one a line, and not a game.
fn is_corpus(path: &Path, text: &str) -> bool {
    let is_case = |line: &str| !line.starts_with('#') && line.contains(['\t', '|']);
    match Format::of(text, &path.to_string_lossy()) {
        Format::Positions => true,
        // The first line may be a malformed case.
        Format::Diagram | Format::Moves => text.lines().any(is_case),
        _ => false,
    }
}
