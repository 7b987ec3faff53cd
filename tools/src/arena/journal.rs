//! The journal of a match: its terms, then one line for every finished game, written and synced as
//! the game ends. The journal alone is enough to go on after an interruption, even a power cut. A
//! match that goes on with more games writes its terms again. Openings that a search found stand
//! behind the terms.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::game::{GameRecord, PASS};
use super::json_lines::{self, FoundOpenings, JournalError, JsonLines, Numbered};
use super::schedule::{MOST_GAMES, Schedule, ScheduleKind};
use super::sprt::Sprt;
use tengen::board::Board;
use tengen::types::Point;

/// The terms that two runs of the same match share. Times, records and the number of games at once
/// may differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchTerms {
    /// Version of the program that wrote the journal.
    pub version: String,
    /// Rule name.
    pub rule: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Players in order.
    pub players: Vec<JournalPlayer>,
    /// Kind of schedule with its settings.
    pub schedule: String,
    /// Games of each meeting.
    pub games: u64,
    /// Seed of openings and symmetries.
    pub seed: u64,
    /// Number of openings and a hash of them, their order and symmetries.
    pub openings: String,
    /// Options of the judge and of early endings.
    pub judge: String,
    /// Points for a win, a draw and a loss.
    pub points: [f64; 3],
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
    /// The part played here, as `K/N`.
    pub shard: Option<String>,
}

/// A player as the journal knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalPlayer {
    /// Unique name.
    pub name: String,
    /// All settings.
    pub settings: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum JournalLine {
    Match(Box<MatchTerms>),
    Openings(FoundOpenings),
    Game(Box<GameRecord>),
}

impl MatchTerms {
    /// The schedule by these terms.
    pub fn plan(&self) -> Schedule {
        Schedule {
            // A journal edited by hand may hold any text; its games still count.
            kind: self.schedule.parse().unwrap_or(ScheduleKind::RoundRobin),
            players: self.players.len(),
            games: self.games.min(MOST_GAMES),
            points: self.points,
        }
    }

    /// The first difference from `other`, for a message. The version may differ, and the number of
    /// games may grow where the games keep their numbers. With `any_shard` the shards may differ,
    /// and either match may have more games.
    pub fn difference(&self, other: &MatchTerms, any_shard: bool) -> Option<String> {
        let names = |terms: &MatchTerms| -> Vec<String> {
            let players = terms.players.iter();
            players
                .map(|p| format!("{} ({})", p.name, p.settings.join(" ")))
                .collect()
        };
        let fewer = if self.games < other.games {
            self
        } else {
            other
        };
        let grows = self.games < other.games || any_shard;
        let may_differ = grows && fewer.plan().can_grow();
        let games = |terms: &MatchTerms| match may_differ {
            true => String::new(),
            false => terms.games.to_string(),
        };
        let fields = |terms: &MatchTerms| -> Vec<(&'static str, String)> {
            vec![
                ("players", names(terms).join(", ")),
                ("rule", terms.rule.clone()),
                ("board", format!("{}x{}", terms.width, terms.height)),
                ("schedule", terms.schedule.clone()),
                ("games", games(terms)),
                ("seed", terms.seed.to_string()),
                ("openings", terms.openings.clone()),
                ("judge", terms.judge.clone()),
                ("points", format!("{:?}", terms.points)),
                ("sprt", format!("{:?}", terms.sprt)),
                (
                    "shard",
                    match (&terms.shard, any_shard) {
                        (Some(shard), false) => shard.clone(),
                        _ => String::new(),
                    },
                ),
            ]
        };
        fields(self)
            .into_iter()
            .zip(fields(other))
            .find(|(a, b)| a != b)
            .map(|((field, a), (_, b))| format!("{field} was '{a}', now '{b}'"))
    }
}

/// A journal open for writing.
pub struct Journal(JsonLines);

impl Journal {
    /// Begins the journal of a new match.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(
        path: &Path,
        terms: &MatchTerms,
        found: &[FoundOpenings],
    ) -> Result<Journal, JournalError> {
        Ok(Journal(JsonLines::create(path, &head(terms, found))?))
    }

    /// Goes on with a match: returns the journal's games. Half a line at the end, left by an
    /// interruption, is cut off. A file without one whole line, or a missing one, is begun. A match
    /// with more games than before writes down their new number.
    ///
    /// # Errors
    /// When the file is no journal, is of another match, or cannot be read or written. A refused
    /// file stays unchanged.
    pub fn resume(
        path: &Path,
        terms: &MatchTerms,
        found: &[FoundOpenings],
    ) -> Result<(Journal, Vec<GameRecord>), JournalError> {
        let head = head(terms, found);
        let (mut lines, (old_games, games)) = JsonLines::resume(path, &head, |found| {
            if found.is_empty() {
                return Ok((terms.games, Vec::new()));
            }
            let (old, games) = sort(path, found.into_iter().map(Ok), &mut Err)?;
            match old.difference(terms, false) {
                None => Ok((old.games, games)),
                Some(difference) => Err(JournalError::OtherTerms {
                    path: path.to_path_buf(),
                    difference,
                }),
            }
        })?;
        if old_games < terms.games {
            lines.add(&head[0])?;
        }
        Ok((Journal(lines), games))
    }

    /// Adds a finished game; it is on the disk when this returns.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.0.add(&JournalLine::Game(Box::new(game.clone())))
    }
}

/// The first lines of a journal.
fn head(terms: &MatchTerms, found: &[FoundOpenings]) -> Vec<JournalLine> {
    let first = JournalLine::Match(Box::new(terms.clone()));
    let found = found.iter().cloned().map(JournalLine::Openings);
    std::iter::once(first).chain(found).collect()
}

/// Reads a journal; half a line at its end is left out.
///
/// # Errors
/// When the file cannot be read or is no journal.
pub fn read(path: &Path) -> Result<(MatchTerms, Vec<GameRecord>), JournalError> {
    parse(path, &json_lines::read(path)?)
}

/// Reads the bytes of the journal at `path`.
///
/// # Errors
/// When they are no journal.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<(MatchTerms, Vec<GameRecord>), JournalError> {
    let lines = json_lines::parse(path, bytes)?;
    sort(path, lines.into_iter().map(Ok), &mut Err)
}

/// A whole journal as text.
pub fn to_text(terms: &MatchTerms, games: &[GameRecord]) -> Vec<u8> {
    let games = games.iter().cloned().map(Box::new).map(JournalLine::Game);
    let lines = head(terms, &[]).into_iter().chain(games);
    lines.flat_map(|line| json_lines::line_of(&line)).collect()
}

/// Reads a damaged journal without its unreadable lines; `damage` gets the errors in these.
///
/// # Errors
/// When the file cannot be read, or its first line, the terms of the match, cannot be read.
pub fn salvage(
    path: &Path,
    damage: &mut Vec<JournalError>,
) -> Result<(MatchTerms, Vec<GameRecord>), JournalError> {
    sort(path, json_lines::read_each(path)?, &mut |problem| {
        damage.push(problem);
        Ok(())
    })
}

/// Checks for a possible board, and for turns that are passes or go to free points. A damaged or
/// edited journal may fail.
fn check_turns(game: &GameRecord) -> Result<(), String> {
    let (width, height) = (game.width, game.height);
    Board::new(width.into(), height.into()).map_err(|e| e.to_string())?;
    let mut taken = HashSet::new();
    for (turn, number) in game.turns.iter().zip(1..) {
        if turn.label == PASS {
            continue;
        }
        let p = Point::from_label(&turn.label, width, height)
            .map_err(|e| format!("game {}, move {number}: {e}", game.number()))?;
        if !taken.insert(p) {
            return Err(format!(
                "game {}, move {number} is on a taken point, {}",
                game.number(),
                turn.label
            ));
        }
    }
    Ok(())
}

/// The line, if its values are possible ones.
fn check_line(path: &Path, line: Numbered<JournalLine>) -> Result<JournalLine, JournalError> {
    if let JournalLine::Game(game) = &line.line {
        check_turns(game).map_err(|problem| JournalError::Corrupt {
            path: path.to_path_buf(),
            line: line.number,
            problem,
        })?;
    }
    Ok(line.line)
}

/// The terms and the games, each game once and in the order of their numbers. `damaged` gets the
/// error of each line that cannot be used, and ends the reading by returning an error.
fn sort(
    path: &Path,
    lines: impl IntoIterator<Item = Result<Numbered<JournalLine>, JournalError>>,
    damaged: &mut dyn FnMut(JournalError) -> Result<(), JournalError>,
) -> Result<(MatchTerms, Vec<GameRecord>), JournalError> {
    let mut terms: Option<MatchTerms> = None;
    let mut games = BTreeMap::new();
    for read in lines {
        match read.and_then(|line| check_line(path, line)) {
            Ok(JournalLine::Match(found)) => match &mut terms {
                // The match went on with more games.
                Some(terms) => terms.games = terms.games.max(found.games),
                None => terms = Some(*found),
            },
            Ok(JournalLine::Openings(_)) => {}
            Ok(JournalLine::Game(game)) => {
                games.entry(game.id).or_insert(*game);
            }
            Err(problem) => damaged(problem)?,
        }
    }
    let terms = terms.ok_or_else(|| JournalError::Foreign(path.to_path_buf()))?;
    Ok((terms, games.into_values().collect()))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::game::RecordedTurn;
    use super::*;
    use crate::game::referee::{Outcome, Reason};

    /// Terms for tests.
    pub fn terms() -> MatchTerms {
        let player = |name: &str| JournalPlayer {
            name: name.to_string(),
            settings: vec![format!("cmd=./{name}")],
        };
        MatchTerms {
            version: "0".to_string(),
            rule: "renju".to_string(),
            width: 15,
            height: 15,
            players: vec![player("A"), player("B")],
            schedule: "round-robin".to_string(),
            games: 4,
            seed: 1,
            openings: "none".to_string(),
            judge: String::new(),
            points: [1.0, 0.5, 0.0],
            sprt: None,
            shard: None,
        }
    }

    /// A game between A and B for tests; A has Black when `id` is even. Each pair has one move more
    /// than the pair before, so no pair repeats another.
    pub fn game(id: u64, outcome: Outcome) -> GameRecord {
        let (black, white) = if id.is_multiple_of(2) {
            ("A", "B")
        } else {
            ("B", "A")
        };
        GameRecord {
            id,
            pair: id / 2,
            round: 0,
            black: black.to_string(),
            white: white.to_string(),
            rule: "renju".to_string(),
            width: 15,
            height: 15,
            opening: Some(0),
            opening_turns: 1,
            agreed: None,
            turns: (0..=id / 2)
                .map(|ply| RecordedTurn::bare(Some(Point::new(7 + (ply % 8) as u8, 7)), 15))
                .collect(),
            outcome,
            reason: Reason::Five,
            detail: String::new(),
            ended: 0,
            peak_memory: None,
        }
    }

    #[test]
    fn a_torn_journal_resumes_with_its_whole_games() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        let mut journal = Journal::create(&path, &terms(), &[]).unwrap();
        let games = [game(2, Outcome::Draw), game(0, Outcome::Black)];
        games.iter().for_each(|g| journal.add(g).unwrap());
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let mut torn = whole.clone();
        torn.extend_from_slice(b"{\"type\":\"game\",\"id\":7,\"pa");
        std::fs::write(&path, &torn).unwrap();
        assert_eq!(read(&path).unwrap().1.len(), 2);
        let (mut journal, found) = Journal::resume(&path, &terms(), &[]).unwrap();
        assert_eq!(found, [games[1].clone(), games[0].clone()]);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        journal.add(&game(1, Outcome::White)).unwrap();
        assert_eq!(read(&path).unwrap().1.len(), 3);
    }

    #[test]
    fn found_openings_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        let found = |wanted: &str| FoundOpenings {
            wanted: wanted.to_string(),
            openings: vec!["h8 i9 h7".to_string()],
        };
        let both = [found("one"), found("two")];
        assert_eq!(json_lines::found_openings(&path), []);
        let mut journal = Journal::create(&path, &terms(), &both).unwrap();
        journal.add(&game(0, Outcome::Black)).unwrap();
        drop(journal);
        assert_eq!(json_lines::found_openings(&path), both);
        let (journal, games) = Journal::resume(&path, &terms(), &[]).unwrap();
        assert_eq!(games.len(), 1);
        drop(journal);
        assert_eq!(json_lines::found_openings(&path), both);
    }

    #[test]
    fn one_process_at_a_time_writes_a_journal() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        let journal = Journal::create(&path, &terms(), &[]).unwrap();
        let busy = |error: Option<JournalError>| matches!(error, Some(JournalError::Busy(_)));
        assert!(busy(Journal::resume(&path, &terms(), &[]).err()));
        assert!(busy(Journal::create(&path, &terms(), &[]).err()));
        for resume in [true, false] {
            assert!(busy(json_lines::check_free(&path, resume).err()));
        }
        // Others read it meanwhile.
        assert_eq!(read(&path).unwrap(), (terms(), Vec::new()));
        drop(journal);
        assert!(Journal::resume(&path, &terms(), &[]).is_ok());
    }

    #[test]
    fn a_journal_without_one_whole_line_is_begun() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        drop(Journal::create(&path, &terms(), &[]).unwrap());
        let first = std::fs::read(&path).unwrap();
        // A full disk took none or some of the line.
        for length in [0, first.len() / 2] {
            std::fs::write(&path, &first[..length]).unwrap();
            json_lines::check_free(&path, false).unwrap();
            drop(Journal::create(&path, &terms(), &[]).unwrap());
            assert_eq!(std::fs::read(&path).unwrap(), first);
        }
        std::fs::write(&path, "notes").unwrap();
        let refused = Journal::create(&path, &terms(), &[]).err();
        assert!(matches!(refused, Some(JournalError::Exists(_))));
    }

    #[test]
    fn nothing_is_overwritten_and_nothing_mixed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        Journal::create(&path, &terms(), &[]).unwrap();
        let again = Journal::create(&path, &terms(), &[]);
        assert!(matches!(again, Err(JournalError::Exists(_))));
        let other = MatchTerms { seed: 2, ..terms() };
        let error = Journal::resume(&path, &other, &[])
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("seed was '1', now '2'"), "{error}");
        std::fs::write(&path, "nonsense\n").unwrap();
        let error = Journal::resume(&path, &terms(), &[])
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("line 1"), "{error}");
    }

    #[test]
    fn more_games_are_taken_where_games_keep_their_numbers() {
        let of = |schedule: &str, players: usize, games: u64| {
            let mut terms = terms();
            terms.players.resize(players, terms.players[1].clone());
            MatchTerms {
                schedule: schedule.to_string(),
                games,
                ..terms
            }
        };
        for (schedule, players, games, more, fits) in [
            ("round-robin", 3, 2, 4, true),
            ("round-robin", 3, 2, 3, true),
            ("round-robin", 2, 1, 2, true),
            ("gauntlet", 4, 4, 6, true),
            ("round-robin", 3, 1, 2, false),
            ("gauntlet", 4, 3, 6, false),
            ("knock-out", 2, 2, 4, false),
            ("swiss:2", 4, 2, 4, false),
            ("groups:2:1", 4, 2, 4, false),
        ] {
            let text = format!("{schedule} of {players}, {games} to {more}");
            let [old, new] = [games, more].map(|games| of(schedule, players, games));
            let grown = format!("games was '{games}', now '{more}'");
            let refused = (!fits).then_some(grown);
            assert_eq!(old.difference(&new, false), refused, "{text}");
            let shrunk = format!("games was '{more}', now '{games}'");
            assert_eq!(new.difference(&old, false), Some(shrunk), "{text}");
            // Parts may have either number.
            assert_eq!(old.difference(&new, true), refused, "{text}");
            assert_eq!(new.difference(&old, true).is_none(), fits, "{text}");
            assert_eq!(old.difference(&old, false), None, "{text}");
        }
    }

    #[test]
    fn a_match_that_grew_has_all_its_games() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        let mut journal = Journal::create(&path, &terms(), &[]).unwrap();
        journal.add(&game(0, Outcome::Black)).unwrap();
        let more = MatchTerms {
            games: 8,
            ..terms()
        };
        drop(journal);
        // The second time nothing is new.
        for _ in 0..2 {
            let (_, found) = Journal::resume(&path, &more, &[]).unwrap();
            assert_eq!(found.len(), 1);
            assert_eq!(read(&path).unwrap(), (more.clone(), found));
            assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 3);
        }
        let error = Journal::resume(&path, &terms(), &[])
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("games was '8', now '4'"), "{error}");
    }

    #[test]
    fn files_that_are_no_journal_are_left_as_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        Journal::create(&path, &terms(), &[]).unwrap();
        let first = std::fs::read_to_string(&path).unwrap();
        let other = first.replace("renju", "caro");
        let game = r#"{"type":"game","id":1,"#;
        let texts = [
            "notes without a line end",
            "{\"type\":\"tuning\"",
            "\n",
            "two\nlines",
            "\u{0}\u{1}\n",
            other.trim_end(),
            &format!("{other}{game}"),
        ];
        for text in texts {
            std::fs::write(&path, text).unwrap();
            let error = Journal::resume(&path, &terms(), &[]).err().expect(text);
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        // A fragment of a journal's first line, left by an interruption, is no other file.
        for length in [0, 1, first.len() / 2, first.len() - 1] {
            std::fs::write(&path, &first[..length]).unwrap();
            assert_eq!(Journal::resume(&path, &terms(), &[]).unwrap().1, []);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), first);
        }
    }

    #[test]
    fn games_that_cannot_be_replayed_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        let with = |labels: &[&str], width: u8| {
            let mut record = game(3, Outcome::Black);
            let turn = |label: &&str| RecordedTurn {
                label: label.to_string(),
                ..RecordedTurn::bare(None, 15)
            };
            record.width = width;
            record.turns = labels.iter().map(turn).collect();
            std::fs::remove_file(&path).ok();
            let mut journal = Journal::create(&path, &terms(), &[]).unwrap();
            journal.add(&game(2, Outcome::Draw)).unwrap();
            journal.add(&record).unwrap();
            drop(journal);
            let resumed = Journal::resume(&path, &terms(), &[]).map(|(_, games)| games);
            resumed.map_err(|e| e.to_string())
        };
        assert!(with(&["h8", "pass", "pass", "i9"], 15).is_ok());
        let taken = with(&["h8", "i9", "H8"], 15).unwrap_err();
        let text = "line 3: game 4, move 3 is on a taken point, H8";
        assert!(taken.contains(text), "{taken}");
        assert!(
            with(&["h8", "p1"], 15)
                .unwrap_err()
                .contains("line 3: game 4, move 2: 'p1'")
        );
        assert!(with(&["h8"], 0).unwrap_err().contains("line 3: "));
    }
}
