//! A user's settings for an engine: `key=value`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::game::clock::{TimeControl, parse_duration};

/// `INFO max_memory` if the user names none: Gomocup's 350 MiB.
pub const DEFAULT_MEMORY: u64 = 350 << 20;

/// Help text for the settings that name the engine, one line each.
pub const IDENTITY_HELP: &str = "\
cmd=COMMAND      program and arguments, quoted as in a shell (the only required setting)
name=NAME        name in tables and records [the program's file name]";

/// Help text for the other settings, one line each.
pub const SETTINGS_HELP: &str = "\
dir=DIR          working directory [the program's own, if the command has a path]
tc=G[/T][+I]     G for the game (0: no limit), T for a move, I added after each move
time=T           time for one move
game=T, inc=T    time for the game, added after each move
byoyomi=NxT      N periods of T after the game's time
nodes=N          INFO max_node
depth=N          INFO max_depth
threads=N        INFO thread_num
hash=SIZE        INFO hash_size
memory=SIZE      INFO max_memory, and enforced on the engine with all that it starts [350M sent, not enforced]
option.KEY=V     any other INFO KEY V
tolerance=T      accepted overrun of a time limit [1s]
hang=T           longest wait for a move if no time limit is set [120s]
startup=T        longest wait for the answer to START [10s]
pause=T          wait between an answer and the next command [0]
send=turn|board  ask for moves by TURN, or by the whole BOARD each time [turn]
restart=yes|no   a new process for every game, so that none learns from another [yes]
Times are seconds, or a number with ms, s, m, h. Sizes are bytes, or a number with K, M, G.";

/// Bounds on one move of an engine and how they are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The clock.
    pub time: TimeControl,
    /// `INFO max_node`.
    pub nodes: Option<u64>,
    /// `INFO max_depth`, in plies.
    pub depth: Option<u32>,
    /// Overruns up to this are accepted as lag.
    pub tolerance: Duration,
    /// Longest wait for a move when no time limit is set.
    pub hang: Duration,
    /// Longest wait for the answer to START.
    pub startup: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: TimeControl::default(),
            nodes: None,
            depth: None,
            tolerance: Duration::from_secs(1),
            hang: Duration::from_secs(120),
            startup: Duration::from_secs(10),
        }
    }
}

/// An engine: its command line and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Unique within a match.
    pub name: String,
    /// Program, then arguments.
    command: Vec<String>,
    /// Working directory.
    pub directory: Option<PathBuf>,
    /// Bounds on its moves.
    pub limits: Limits,
    /// `INFO thread_num`.
    pub threads: Option<u32>,
    /// `INFO hash_size`, in bytes here.
    pub hash: Option<u64>,
    /// Limit of the process tree's memory in bytes, also sent as `INFO max_memory`.
    pub memory: Option<u64>,
    /// Further `INFO` keys with their values.
    pub options: Vec<(String, String)>,
    /// Wait between its answer and the next command.
    pub pause: Duration,
    /// Every request for a move sends the whole board.
    pub send_board: bool,
    /// Every game has a process of its own, as in Piskvork's and Gomocup's tournaments. Engines
    /// keep their hash table over START, for Yixin-Board's sake, so games in one process depend on
    /// each other and on their order.
    pub restart: bool,
    /// The settings as given, `--each` first; they identify the engine in a journal.
    pub settings: Vec<String>,
}

impl EngineSpec {
    /// An engine from its settings; later ones replace earlier ones.
    ///
    /// # Errors
    /// When a setting is unknown or malformed, or `cmd` is missing.
    pub fn parse(settings: &[String]) -> Result<EngineSpec, String> {
        EngineSpec::of_program(Vec::new(), settings)
    }

    /// An engine that runs `command`, program and arguments as they are, unless `settings` contain
    /// a `cmd`.
    ///
    /// # Errors
    /// As [`EngineSpec::parse`].
    pub fn of_program(command: Vec<String>, settings: &[String]) -> Result<EngineSpec, String> {
        let mut spec = EngineSpec {
            name: String::new(),
            command,
            directory: None,
            limits: Limits::default(),
            threads: None,
            hash: None,
            memory: None,
            options: Vec::new(),
            pause: Duration::ZERO,
            send_board: false,
            restart: true,
            settings: settings.to_vec(),
        };
        for setting in settings {
            let (key, value) = setting
                .split_once('=')
                .ok_or_else(|| not_a_setting(setting))?;
            let bad = |reason: String| format!("'{setting}': {reason}");
            if !spec.set(key, value).map_err(bad)? {
                return Err(format!(
                    "unknown engine setting '{key}' (see --help for the list; the engine's own: option.{key})"
                ));
            }
        }
        if spec.command.is_empty() {
            return Err("an engine needs cmd=COMMAND".to_string());
        }
        if spec.directory.is_none() {
            spec.directory = Path::new(&spec.command[0])
                .parent()
                .filter(|p| !p.as_os_str().is_empty())
                .map(Path::to_path_buf);
        }
        Ok(spec)
    }

    /// Applies one setting; `Ok(false)` for an unknown key.
    fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        let time = |text: &str| parse_duration(text).map_err(|e| e.to_string());
        let limits = &mut self.limits;
        match key {
            "cmd" => self.command = split_command(value)?,
            "name" if value.trim().is_empty() => return Err("a name is not empty".to_string()),
            // Records have a name on one line.
            "name" if value.contains(char::is_control) => {
                return Err("a name is one line of text".to_string());
            }
            "name" => self.name = value.trim().to_string(),
            "dir" => self.directory = Some(PathBuf::from(value)),
            "tc" => {
                let byo_yomi = limits.time.byo_yomi;
                limits.time = TimeControl::parse_tc(value).map_err(|e| e.to_string())?;
                limits.time.byo_yomi = byo_yomi;
            }
            // Older versions named it `turn`.
            "time" | "turn" => limits.time.turn = Some(time(value)?),
            "game" => limits.time.game = Some(time(value)?).filter(|t| !t.is_zero()),
            "inc" => limits.time.increment = time(value)?,
            "byoyomi" => {
                limits.time.byo_yomi = Some(
                    value
                        .parse()
                        .map_err(|_| "write periods x length, such as 3x10s".to_string())?,
                );
            }
            "nodes" => limits.nodes = Some(positive(value)?),
            "depth" => limits.depth = Some(positive(value)?),
            "threads" => self.threads = Some(positive(value)?),
            "hash" => self.hash = Some(parse_bytes(value)?),
            "memory" => self.memory = Some(parse_bytes(value)?),
            "tolerance" => limits.tolerance = time(value)?,
            "hang" => limits.hang = time(value)?,
            "startup" => limits.startup = time(value)?,
            "pause" => self.pause = time(value)?,
            "send" => {
                self.send_board = match value {
                    "turn" => false,
                    "board" => true,
                    _ => return Err("it is turn or board".to_string()),
                }
            }
            "restart" => {
                self.restart = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err("it is yes or no".to_string()),
                }
            }
            _ => match key.strip_prefix("option.") {
                Some(key) if !key.is_empty() && !key.contains(char::is_whitespace) => {
                    self.options.retain(|(other, _)| other != key);
                    self.options.push((key.to_string(), value.to_string()));
                }
                _ => return Ok(false),
            },
        }
        Ok(true)
    }

    /// The program to start: an absolute path if the command names a file, so the working directory
    /// does not matter.
    pub fn program(&self) -> PathBuf {
        let program = Path::new(&self.command[0]);
        let has_path = program.parent().is_some_and(|p| !p.as_os_str().is_empty());
        if has_path {
            std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf())
        } else {
            program.to_path_buf()
        }
    }

    /// Arguments of the program.
    pub fn arguments(&self) -> &[String] {
        &self.command[1..]
    }
}

/// Engines of a match: `each` applies to all of them, and those without a name get their program's
/// file name. Equal names are told apart by their folders or differing settings, or else by a
/// number.
///
/// # Errors
/// As [`EngineSpec::parse`], and when the user gave one name twice.
pub fn parse_engines(each: &[String], engines: &[Vec<String>]) -> Result<Vec<EngineSpec>, String> {
    let mut specs = engines
        .iter()
        .map(|own| EngineSpec::parse(&[each, own].concat()))
        .collect::<Result<Vec<_>, _>>()?;
    for i in 0..specs.len() {
        let name = &specs[i].name;
        if !name.is_empty() && specs[..i].iter().any(|other| other.name == *name) {
            return Err(format!("two engines are named '{name}'"));
        }
    }
    let usual_names: Vec<String> = (0..specs.len()).map(|i| usual_name(&specs, i)).collect();
    for i in 0..specs.len() {
        if specs[i].name.is_empty() {
            let stem = &usual_names[i];
            let taken = |name: &str| specs.iter().any(|other| other.name == name);
            let name = std::iter::once(stem.to_string())
                .chain((2..).map(|n| format!("{stem}-{n}")))
                .find(|name| !taken(name))
                .expect("one of endlessly many names is free");
            specs[i].name = name;
        }
    }
    Ok(specs)
}

/// The program's file name, with the engine's differences from others of this name.
fn usual_name(specs: &[EngineSpec], i: usize) -> String {
    let text = |name: Option<&OsStr>| name.map(|name| name.to_string_lossy().into_owned());
    let program = |spec: &EngineSpec| PathBuf::from(&spec.command[0]);
    let stem = |spec: &EngineSpec| text(program(spec).file_stem());
    let folder = |spec: &EngineSpec| text(program(spec).parent().and_then(Path::file_name));
    let own = |spec: &EngineSpec| {
        let settings = spec.settings.iter().filter(|s| !s.starts_with("cmd="));
        let words = spec.arguments().iter().chain(settings);
        words.cloned().collect::<Vec<_>>()
    };
    let me = &specs[i];
    let name = stem(me).unwrap_or_else(|| "engine".to_string());
    let others = specs.iter().enumerate().filter(|(j, _)| *j != i);
    let others = others.filter(|(_, other)| other.name.is_empty() && stem(other) == stem(me));
    let twins: Vec<&EngineSpec> = others.map(|(_, other)| other).collect();
    let has_own = |word: &&String| twins.iter().any(|twin| !own(twin).contains(word));
    let words = own(me);
    let differing: Vec<&str> = words.iter().filter(has_own).map(String::as_str).collect();
    match folder(me) {
        _ if twins.is_empty() => name,
        Some(folder_name) if twins.iter().all(|twin| folder(twin) != folder(me)) => {
            format!("{folder_name}/{name}")
        }
        _ if differing.is_empty() => name,
        _ => format!("{name} {}", differing.join(" ")),
    }
}

fn not_a_setting(word: &str) -> String {
    format!("'{word}' is not of the form key=value; write cmd={word} to start a program")
}

fn split_command(text: &str) -> Result<Vec<String>, String> {
    // A backslash is a path separator on Windows, not an escape.
    let text = if cfg!(windows) {
        text.replace('\\', "\\\\")
    } else {
        text.to_string()
    };
    let words = shell_words::split(&text).map_err(|e| e.to_string())?;
    if words.is_empty() {
        return Err("the command is empty".to_string());
    }
    Ok(words)
}

fn positive<T: std::str::FromStr + Default + PartialEq>(text: &str) -> Result<T, String> {
    match text.parse() {
        Ok(n) if n != T::default() => Ok(n),
        _ => Err("expected a whole number of at least 1".to_string()),
    }
}

/// Reads a number of bytes, with `K`, `M` or `G` for powers of 1024.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let error = || "expected a size such as 350M".to_string();
    let split = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: u64 = number.parse().map_err(|_| error())?;
    let shift = match unit {
        "" => 0,
        "K" | "k" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        _ => return Err(error()),
    };
    number
        .checked_mul(1 << shift)
        .filter(|n| *n > 0)
        .ok_or_else(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split('|').map(str::to_string).collect()
    }

    #[test]
    fn settings_of_one_engine_replace_those_of_each() {
        let engines = parse_engines(
            &words("time=0.3|nodes=1000|memory=350M"),
            &[
                words("cmd=./a/pbrain-x --level 'very high'"),
                words("cmd=./b/pbrain-x|nodes=20|tc=60/5+0.1|option.caution_factor=2"),
            ],
        )
        .unwrap();
        let names: Vec<&str> = engines.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["a/pbrain-x", "b/pbrain-x"]);
        assert_eq!(engines[0].arguments(), ["--level", "very high"]);
        assert_eq!(engines[0].directory, Some(PathBuf::from("./a")));
        assert!(engines[0].program().is_absolute());
        assert_eq!(engines[0].memory, Some(350 << 20));
        let limits = engines[1].limits;
        assert_eq!(limits.nodes, Some(20));
        assert_eq!(limits.time.turn, Some(Duration::from_secs(5)));
        assert_eq!(
            engines[1].options,
            [("caution_factor".to_string(), "2".to_string())]
        );
    }

    #[test]
    fn engines_without_names_are_named_by_what_differs() {
        let names = |engines: &[&str]| {
            let engines: Vec<_> = engines.iter().map(|engine| words(engine)).collect();
            let specs = parse_engines(&words("time=1"), &engines).unwrap();
            specs.into_iter().map(|spec| spec.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&["cmd=./x", "cmd=./y"]), ["x", "y"]);
        let by_settings = names(&["cmd=x|nodes=5", "cmd=x|nodes=9"]);
        assert_eq!(by_settings, ["x nodes=5", "x nodes=9"]);
        let by_arguments = names(&["cmd=x", "cmd=x --level 3"]);
        assert_eq!(by_arguments, ["x", "x --level 3"]);
        assert_eq!(names(&["cmd=x", "cmd=x"]), ["x", "x-2"]);
    }

    #[test]
    fn the_time_for_a_move_keeps_its_old_name() {
        for settings in ["cmd=x|time=1.5s", "cmd=x|turn=1.5s", "cmd=x|time=1.5"] {
            let limits = EngineSpec::parse(&words(settings)).unwrap().limits;
            let expected = Some(Duration::from_millis(1_500));
            assert_eq!(limits.time.turn, expected, "{settings}");
        }
        assert!(!SETTINGS_HELP.contains("turn="));
    }

    #[test]
    fn bad_settings_are_named() {
        for (settings, part) in [
            ("nodes=5", "needs cmd"),
            ("cmd=x|nodes=0", "nodes=0"),
            ("cmd=x|node=5", "unknown engine setting 'node'"),
            ("cmd=x|name=A\nB", "one line"),
            ("./x", "'./x' is not of the form key=value; write cmd=./x"),
            ("cmd=x|fast", "key=value"),
            ("cmd=", "empty"),
            ("cmd='x", "quote"),
            ("cmd=x|byoyomi=10", "3x10s"),
            ("cmd=x|memory=9E", "350M"),
            ("cmd=x|time=-1", "-1"),
        ] {
            let error = EngineSpec::parse(&words(settings)).unwrap_err();
            assert!(error.contains(part), "{settings}: {error}");
        }
        let twice = parse_engines(&[], &[words("cmd=x|name=A"), words("cmd=y|name=A")]);
        assert_eq!(twice.unwrap_err(), "two engines are named 'A'");
    }
}
