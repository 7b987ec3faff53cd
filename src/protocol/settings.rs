//! The settings that managers change with `INFO`, the clock of a game, and the bounds of a session.

use std::path::{Path, PathBuf};

use super::text::integer;
use crate::engine::strength::Strength;
use crate::engine::{Evaluation, Fallback, NetworkFault, Options};
use crate::rules::Rule;
use crate::search::{ParamChanges, TimeSettings};
use crate::time::Duration;
use crate::types::Color;

/// Most search threads.
pub const MAX_THREADS: usize = 256;
/// Binary logarithm of the largest transposition table in KiB: 64 GiB.
pub const MAX_HASH_LOG_KIB: u32 = 26;

/// Time for a move when the manager names no limit of any kind, in ms.
pub const DEFAULT_TURN_MS: u64 = 30_000;
/// Yixin-Board's way to write "no limit": this turn time and this match time together. Gomocalc
/// sends two negative times instead; its `time_left` of 1 ms means nothing then.
const YIXIN_NO_LIMIT: (i64, i64) = (2_000_000, 100_000_000);
/// Upper estimate of a process's memory without its transposition table, in bytes.
const BESIDE_HASH: u64 = 128 << 20;

/// Keys sent only by the GUIs of the Yixin family.
const YIXIN_KEYS: [&str; 12] = [
    "show_detail",
    "hash_size",
    "thread_num",
    "thread_split_depth",
    "caution_factor",
    "pondering",
    "checkmate",
    "vcthread",
    "nbestsym",
    "usedatabase",
    "database_readonly",
    "start_depth",
];

/// The extra lines that a GUI wants while the engine thinks (`INFO show_detail`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// `MESSAGE REALTIME …` lines.
    pub realtime: bool,
    /// `INFO …` lines.
    pub lines: bool,
}

/// The permitted use of the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DatabaseUse {
    /// `usedatabase`; `None` if never sent.
    pub wanted: Option<bool>,
    /// `database_readonly`.
    pub is_readonly: bool,
}

/// All settings of a session. They outlive `START` and `RESTART`.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `timeout_turn` in ms as it came.
    turn_ms: Option<i64>,
    /// `timeout_match` in ms as it came.
    match_ms: Option<i64>,
    increment_ms: u64,
    clock: GameClock,
    /// Bytes; `None` if never sent, or sent as "no limit".
    max_memory: Option<u64>,
    hash_kib: Option<u64>,
    threads: Option<usize>,
    /// Most threads and most memory in bytes, whatever the manager asks for.
    most: Option<(usize, u64)>,
    max_depth: Option<u32>,
    max_nodes: Option<u64>,
    /// `rule` as it came; an unknown rule is ignored.
    rule_code: i64,
    /// True if the manager speaks the Yixin dialect, in which rule 2 is renju.
    is_yixin: bool,
    detail: Detail,
    /// True if rows count from the top in messages.
    rows_from_top: bool,
    /// `black_to_move`; `None` if the numbers of stones decide.
    black_to_move: Option<bool>,
    /// Seed of the random choices in openings.
    seed: Option<u64>,
    /// True if the engine thinks in the opponent's time.
    is_pondering: bool,
    /// `caution_factor`, 0 to 5.
    caution: Option<u8>,
    strength: Strength,
    database: DatabaseUse,
    /// `folder` as it came.
    folder: Option<PathBuf>,
    /// `library_charset` as it came; empty for none.
    library_charset: String,
    /// Search parameters changed by the manager.
    params: ParamChanges,
    evaluation: Evaluation,
    /// `evaluator` as it came.
    evaluator_name: String,
}

impl Settings {
    /// Applies `INFO key value`. The key is in lower case. Unknown keys and invalid values change
    /// nothing.
    ///
    /// Returns true if limits of time, depth or nodes may have changed.
    pub fn apply(&mut self, key: &str, value: &str) -> bool {
        if YIXIN_KEYS.contains(&key) {
            self.is_yixin = true;
        }
        if key == "folder" && !value.is_empty() {
            self.folder = Some(PathBuf::from(value));
        }
        if key == "library_charset" {
            self.library_charset = value.trim().to_string();
        }
        let Some(number) = value.split_whitespace().next().and_then(integer) else {
            return false;
        };
        match key {
            "timeout_turn" => self.turn_ms = Some(number),
            "timeout_match" => {
                self.match_ms = Some(number);
                self.clock.set_match(number);
            }
            "time_left" => self.clock.set_left(number),
            "time_increment" => self.increment_ms = positive(number).unwrap_or(0),
            "max_memory" => self.max_memory = positive(number),
            "hash_size" => {
                self.hash_kib = positive(number)
                    .map(|kib| kib.min(1 << MAX_HASH_LOG_KIB))
                    .or(self.hash_kib);
            }
            "thread_num" => self.threads = Some(number.clamp(1, MAX_THREADS as i64) as usize),
            "max_depth" => {
                self.max_depth = positive(number).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
            }
            "max_node" => self.max_nodes = positive(number),
            "rule" if (0..=6).contains(&number) || (8..=11).contains(&number) => {
                self.rule_code = number;
            }
            "seed" => self.seed = u64::try_from(number).ok(),
            "show_detail" => {
                self.detail = Detail {
                    realtime: matches!(number, 1 | 3),
                    lines: matches!(number, 2 | 3),
                }
            }
            "rows_from_top" => self.rows_from_top = number > 0,
            "black_to_move" => self.black_to_move = (number >= 0).then_some(number > 0),
            "pondering" => self.is_pondering = number > 0,
            "caution_factor" => self.caution = Some(number.clamp(0, 5) as u8),
            "strength" => self.strength = Strength::new(number),
            "usedatabase" => self.database.wanted = Some(number > 0),
            "database_readonly" => self.database.is_readonly = number > 0,
            _ => {
                let value = number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                self.params.set(key, value);
            }
        }
        matches!(
            key,
            "timeout_turn"
                | "timeout_match"
                | "time_left"
                | "time_increment"
                | "max_depth"
                | "max_node"
        )
    }

    /// Search parameters changed by the manager.
    pub fn params(&self) -> &ParamChanges {
        &self.params
    }

    /// The name of the chosen evaluation: a word or the path of a file. Empty if none was chosen.
    pub fn evaluator_name(&self) -> &str {
        &self.evaluator_name
    }

    /// Sets the evaluation of searches.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
    }

    /// The evaluation of searches.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Applies `INFO evaluator name`.
    ///
    /// # Errors
    /// When the file cannot be used; then the program's network is used.
    pub fn set_evaluator(&mut self, name: &str) -> Result<(), NetworkFault> {
        if name.trim().is_empty() {
            return Ok(());
        }
        self.evaluator_name = name.trim().to_string();
        let evaluation = Evaluation::named(&self.evaluator_name);
        self.evaluation = evaluation.clone().unwrap_or_default();
        evaluation.map(drop).map_err(|why| NetworkFault {
            why,
            fallback: Fallback::Embedded,
        })
    }

    /// A command of the Yixin family was seen.
    pub fn set_yixin(&mut self) {
        self.is_yixin = true;
    }

    /// A new game begins.
    pub fn new_game(&mut self) {
        self.clock.new_game();
    }

    /// The engine moved in that time.
    pub fn moved(&mut self, elapsed: Duration) {
        self.clock.moved(elapsed, self.increment_ms);
    }

    /// The rule. Codes are bits of the Gomocup protocol: 1 exactly five, 2 continuous game, 4
    /// renju, 8 caro. The Yixin family numbers differently: there 2 is renju, 5 freestyle with a
    /// swap after the first move, 6 freestyle with swap2.
    pub fn rule(&self) -> Rule {
        match self.rule_code {
            1 | 3 => Rule::Standard,
            2 if self.is_yixin => Rule::Renju,
            5 | 6 if self.is_yixin => Rule::Freestyle,
            4..=6 => Rule::Renju,
            8 | 10 => Rule::Caro,
            9 | 11 => Rule::CaroExact,
            _ => Rule::Freestyle,
        }
    }

    /// Time limits for a move asked for now.
    pub fn time(&self) -> TimeSettings {
        if let (Some(turn), Some(game)) = (self.turn_ms, self.match_ms)
            && ((turn, game) == YIXIN_NO_LIMIT || turn < 0 && game < 0)
        {
            return TimeSettings::default();
        }
        let left_ms = self.clock.left_ms();
        let is_bounded = left_ms.is_some() || self.max_depth.is_some() || self.max_nodes.is_some();
        TimeSettings {
            turn_ms: match self.turn_ms {
                Some(ms) => (0..NO_LIMIT_MS).contains(&ms).then_some(ms as u64),
                None => (!is_bounded).then_some(DEFAULT_TURN_MS),
            },
            left_ms,
            increment_ms: self.increment_ms,
            is_unmeasured: false,
        }
    }

    /// The resources of the engine. A GUI gets a large table or many threads if it asks for them
    /// and sets no memory limit.
    pub fn options(&self) -> Options {
        let threads = self.threads.unwrap_or(Options::default().threads);
        let threads = threads.min(self.max_threads());
        let usual = Options::memory_for(threads);
        let helpers = usual - Options::memory_for(1);
        let wish = self
            .hash_kib
            .map_or(0, |kib| (kib << 10) + BESIDE_HASH + helpers);
        Options {
            threads,
            max_memory: self
                .max_memory
                .unwrap_or(usual.max(wish))
                .min(self.most.map_or(u64::MAX, |(_, memory)| memory)),
            hash_kib: self.hash_kib,
        }
    }

    /// Bounds the manager's wishes: threads, and memory in bytes.
    pub fn confine(&mut self, threads: usize, memory: u64) {
        self.most = Some((threads.max(1), memory));
    }

    /// Most search threads for the manager.
    pub fn max_threads(&self) -> usize {
        self.most.map_or(MAX_THREADS, |(threads, _)| threads)
    }

    /// Deepest iteration in plies.
    pub fn max_depth(&self) -> Option<u32> {
        self.max_depth
    }

    /// Nodes after which a search ends.
    pub fn max_nodes(&self) -> Option<u64> {
        self.max_nodes
    }

    /// True if the engine thinks in the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.is_pondering
    }

    /// The playing strength.
    pub fn strength(&self) -> Strength {
        self.strength
    }

    /// `caution_factor`, from 0 to 5 (the whole board); `None` if it was never sent.
    pub fn caution(&self) -> Option<u8> {
        self.caution
    }

    /// The permitted use of the database.
    pub fn database(&self) -> DatabaseUse {
        self.database
    }

    /// A folder for persistent files, if the manager named one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The charset of libraries of RenLib that are read or written; empty if none was named.
    pub fn library_charset(&self) -> &str {
        &self.library_charset
    }

    /// The extra lines wanted.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// True if rows count from the top in messages, as in Rapfi's.
    pub fn counts_rows_from_top(&self) -> bool {
        self.rows_from_top
    }

    /// The engine's colour in positions that are set; `None` if the numbers of stones decide.
    pub fn engine_color(&self) -> Option<Color> {
        self.black_to_move.map(|is_black| match is_black {
            true => Color::Black,
            false => Color::White,
        })
    }

    /// Seed of the random choices in openings; `None` for different choices each time.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }
}

fn positive(number: i64) -> Option<u64> {
    u64::try_from(number).ok().filter(|&n| n > 0)
}

/// From this value on a time means no limit: managers send 2147483647, or 100000000 (28 hours).
pub const NO_LIMIT_MS: i64 = 100_000_000;

/// The engine's own clock of a game. The manager's `time_left` sets it; otherwise the engine
/// subtracts the time used by its moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameClock {
    /// The whole game's time as `timeout_match` gave it, in ms.
    match_ms: Option<i64>,
    /// The last `time_left`, in ms.
    told_ms: Option<i64>,
    /// Time used by moves since `told_ms` came, or since the game began, less the increments, in
    /// ms.
    used_ms: i64,
    /// True if no move was made since `told_ms` came.
    is_fresh: bool,
}

impl GameClock {
    /// `INFO timeout_match`; zero, negative and huge values mean no limit.
    pub fn set_match(&mut self, ms: i64) {
        self.match_ms = (1..NO_LIMIT_MS).contains(&ms).then_some(ms);
    }

    /// `INFO time_left`.
    pub fn set_left(&mut self, ms: i64) {
        self.told_ms = Some(ms);
        self.used_ms = 0;
        self.is_fresh = true;
    }

    /// A new game begins. Yixin-Board sends `time_left` before the `START` of every move, so a
    /// value sent since the last move stays.
    pub fn new_game(&mut self) {
        if !self.is_fresh {
            self.told_ms = None;
            self.used_ms = 0;
        }
    }

    /// A move took `elapsed`.
    pub fn moved(&mut self, elapsed: Duration, increment_ms: u64) {
        let elapsed = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
        let increment = i64::try_from(increment_ms).unwrap_or(i64::MAX);
        self.used_ms = self
            .used_ms
            .saturating_add(elapsed)
            .saturating_sub(increment);
        self.is_fresh = false;
    }

    /// The time left in ms, 0 when the clock has run out; `None` without a limit.
    pub fn left_ms(&self) -> Option<u64> {
        let left = self.told_ms.or(self.match_ms)?;
        (left < NO_LIMIT_MS).then(|| left.saturating_sub(self.used_ms).max(0) as u64)
    }
}

/// Bounds of a session: no file is reachable by its name, and the engine has a share of the
/// machine.
#[derive(Clone, Copy, Debug)]
pub struct Confinement {
    /// Most search threads.
    pub threads: usize,
    /// Most memory in bytes.
    pub memory: u64,
}

/// The answer to a command that names a file.
pub const NO_FILES: &str = "files cannot be reached from here";

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::default();
        for (key, value) in pairs {
            settings.apply(key, value);
        }
        settings
    }

    fn time(pairs: &[(&str, &str)]) -> (Option<u64>, Option<u64>) {
        let time = settings(pairs).time();
        (time.turn_ms, time.left_ms)
    }

    #[test]
    fn every_manager_s_way_to_limit_time_is_understood() {
        assert_eq!(time(&[]), (Some(30_000), None));
        assert_eq!(time(&[("timeout_turn", "0")]), (Some(0), None));
        assert_eq!(time(&[("timeout_turn", "-1")]), (None, None));
        assert_eq!(time(&[("timeout_turn", "2147483647")]), (None, None));
        assert_eq!(
            time(&[("timeout_turn", "5000"), ("timeout_match", "0")]),
            (Some(5_000), None)
        );
        // c-gomoku-cli with a match clock only, with a node limit only.
        assert_eq!(
            time(&[("timeout_match", "5000"), ("time_left", "4000")]),
            (None, Some(4_000))
        );
        assert_eq!(
            time(&[
                ("timeout_match", "0"),
                ("max_node", "1000"),
                ("time_left", "2147483647")
            ]),
            (None, None)
        );
        // Yixin-Board without limits.
        assert_eq!(
            time(&[
                ("timeout_match", "100000000"),
                ("timeout_turn", "2000000"),
                ("time_left", "99990000"),
                ("max_node", "-1")
            ]),
            (None, None)
        );
        assert_eq!(
            time(&[("timeout_turn", "1000"), ("time_left", "-100")]),
            (Some(1_000), Some(0))
        );
    }

    #[test]
    fn values_without_sense_change_nothing() {
        let bad = [
            ("timeout_turn", "soon"),
            ("timeout_match", ""),
            ("rule", "7"),
            ("rule", "-1"),
            ("rule", "99999999999"),
            ("frobnicate", "1"),
            ("", ""),
            ("hash_size", "-1"),
            ("thread_num", "many"),
            ("folder", "C:\\A b"),
            ("evaluate", "3,3"),
        ];
        let settings = settings(&bad);
        assert_eq!(settings.time().turn_ms, Some(DEFAULT_TURN_MS));
        assert_eq!(settings.rule(), Rule::Freestyle);
        assert_eq!(settings.options(), Options::default());
        assert_eq!(settings.max_nodes(), None);
    }

    #[test]
    fn rule_codes_depend_on_the_family() {
        let gomocup = [
            (0, Rule::Freestyle),
            (1, Rule::Standard),
            (2, Rule::Freestyle),
            (3, Rule::Standard),
            (4, Rule::Renju),
            (5, Rule::Renju),
            (6, Rule::Renju),
            (8, Rule::Caro),
            (9, Rule::CaroExact),
            (10, Rule::Caro),
            (11, Rule::CaroExact),
        ];
        for (code, rule) in gomocup {
            assert_eq!(settings(&[("rule", &code.to_string())]).rule(), rule);
        }
        let yixin = [
            (0, Rule::Freestyle),
            (1, Rule::Standard),
            (2, Rule::Renju),
            (4, Rule::Renju),
            (5, Rule::Freestyle),
            (6, Rule::Freestyle),
        ];
        for (code, rule) in yixin {
            // The dialect may show only after the rule.
            let pairs = [("rule", &*code.to_string()), ("hash_size", "1024")];
            assert_eq!(settings(&pairs).rule(), rule, "{code}");
        }
        assert_eq!(
            settings(&[("rule", "4"), ("rule", "7")]).rule(),
            Rule::Renju
        );
    }

    #[test]
    fn memory_follows_the_manager() {
        assert_eq!(settings(&[]).options().max_memory, 350 << 20);
        let gui = settings(&[("hash_size", "1048576"), ("thread_num", "99999")]).options();
        assert_eq!(gui.hash_kib, Some(1 << 20));
        assert_eq!(gui.threads, MAX_THREADS);
        assert!(gui.max_memory > 1 << 30);
        let judge = settings(&[("hash_size", "1048576"), ("max_memory", "367001600")]);
        assert_eq!(judge.options().max_memory, 367_001_600);
        assert_eq!(
            settings(&[("hash_size", "99999999999")]).options().hash_kib,
            Some(1 << MAX_HASH_LOG_KIB)
        );
    }

    #[test]
    fn only_limits_concern_a_running_search() {
        let mut settings = Settings::default();
        assert!(settings.apply("time_left", "1"));
        assert!(settings.apply("timeout_turn", "0"));
        assert!(settings.apply("max_node", "1000"));
        assert!(settings.apply("max_depth", "-1"));
        assert!(!settings.apply("rule", "1"));
        assert!(!settings.apply("timeout_turn", "x"));
    }

    #[test]
    fn detail_has_four_levels() {
        for (value, realtime, lines) in [
            ("0", false, false),
            ("1", true, false),
            ("2", false, true),
            ("3", true, true),
        ] {
            let detail = settings(&[("show_detail", value)]).detail();
            assert_eq!(detail, Detail { realtime, lines });
        }
    }

    #[test]
    fn the_clock_runs_by_itself_without_time_left() {
        let mut clock = GameClock::default();
        assert_eq!(clock.left_ms(), None);
        clock.set_match(10_000);
        clock.moved(Duration::from_millis(4_000), 500);
        assert_eq!(clock.left_ms(), Some(6_500));
        clock.moved(Duration::from_secs(60), 0);
        assert_eq!(clock.left_ms(), Some(0));
        clock.new_game();
        assert_eq!(clock.left_ms(), Some(10_000));
    }

    #[test]
    fn time_left_rules_and_survives_the_start_that_follows_it() {
        let mut clock = GameClock::default();
        clock.set_match(10_000);
        clock.set_left(3_000);
        clock.new_game();
        assert_eq!(clock.left_ms(), Some(3_000));
        clock.moved(Duration::from_millis(100), 0);
        assert_eq!(clock.left_ms(), Some(2_900));
        clock.new_game();
        assert_eq!(clock.left_ms(), Some(10_000));
        clock.set_left(-100);
        assert_eq!(clock.left_ms(), Some(0));
        clock.set_left(i64::MIN);
        assert_eq!(clock.left_ms(), Some(0));
    }

    #[test]
    fn managers_have_several_words_for_no_limit() {
        let mut clock = GameClock::default();
        for ms in [0, -1, 100_000_000, i64::MAX] {
            clock.set_match(ms);
            assert_eq!(clock.left_ms(), None, "{ms}");
        }
        clock.set_match(10_000);
        clock.set_left(2_147_483_647);
        assert_eq!(clock.left_ms(), None);
    }
}
