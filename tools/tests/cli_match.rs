//! `match` and `show` on the real binary, which plays against itself.

mod program;

use std::env::consts::EXE_SUFFIX;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use program::{Run, TENGEN, run};
use serde_json::Value;
use tempfile::TempDir;

const OPENINGS: &str = "# three openings\nh8 i9 h7\nh8 h9 i10\nh8 i9 k10\n";

fn tengen(directory: &Path, words: &str) -> Run {
    run(&mut command(directory, words))
}

/// `A`, `B` and `C` of the words stand for settings of this engine.
fn command(directory: &Path, words: &str) -> Command {
    let mut command = Command::new(TENGEN);
    command.current_dir(directory);
    for word in words.split_whitespace() {
        let settings = match word {
            "A" => ["name=A", "nodes=300"],
            "B" => ["name=B", "nodes=60"],
            "C" => ["name=C", "nodes=30"],
            _ => {
                command.arg(word);
                continue;
            }
        };
        let engine = format!("cmd='{TENGEN}'");
        command.args(["--engine", &engine]).args(settings);
    }
    command
}

fn directory() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("openings.txt"), OPENINGS).unwrap();
    directory
}

/// The common part of two runs of the same match: all but times.
fn games(journal: &Path) -> Vec<(u64, String, String)> {
    let text = std::fs::read_to_string(journal).unwrap();
    let mut games: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|line| line["type"] == "game")
        .map(|game| {
            let turns = game["turns"].as_array().unwrap().iter();
            let labels: Vec<&str> = turns.map(|t| t["p"].as_str().unwrap()).collect();
            (
                game["id"].as_u64().unwrap(),
                labels.join(" "),
                format!("{} {} {}", game["black"], game["outcome"], game["reason"]),
            )
        })
        .collect();
    games.sort();
    games
}

/// Number of lines of a file, which may be missing.
fn lines_of(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// Waits a minute at most until a file has that many lines.
fn wait_for_lines(path: &Path, count: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while lines_of(path) < count && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
}

const MATCH: &str = "match A B --rule renju --openings openings.txt --games 12";

#[test]
fn a_match_is_repeated_by_its_seed_whatever_is_played_at_once() {
    let directory = directory();
    let played = |more: &str| tengen(directory.path(), &format!("{MATCH} {more}")).success();
    let one = played("--records one --concurrency 2");
    assert!(one.contains("renju 15x15, 12 games"));
    played("--records two");
    let at = |name: &str| directory.path().join(name).join("journal.jsonl");
    let first = games(&at("one"));
    assert_eq!(first.len(), 12);
    assert_eq!(first, games(&at("two")));
    // On a full board it is a draw, or Black's last move was to the only cell left, a forbidden
    // one.
    let is_full = |moves: &str| moves.split(' ').count() == 15 * 15;
    let fills =
        |end: &str| end.ends_with("\"draw\" \"full-board\"") || end.ends_with("\"white\" \"foul\"");
    let is_ended = |(_, moves, end): &(u64, String, String)| {
        end.contains("five") || is_full(moves) && fills(end)
    };
    assert!(first.iter().all(is_ended), "{first:?}");
    assert!(first.iter().any(|(_, _, end)| end.contains("five")));
    played("--records three --seed 2");
    assert_ne!(first, games(&at("three")));
    for kind in ["psq", "sgf"] {
        let file = directory.path().join(format!("one/{kind}/000011.{kind}"));
        let shown = tengen(directory.path(), &format!("show {}", file.display())).success();
        assert!(shown.contains("X1 "), "{shown}");
    }
    let pgn = std::fs::read_to_string(directory.path().join("one/games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Result ").count(), 12);
}

#[test]
fn a_killed_match_is_resumed_without_losing_or_repeating_a_game() {
    let directory = directory();
    let journal = directory.path().join("journal.jsonl");
    tengen(directory.path(), &format!("{MATCH} --journal whole.jsonl")).success();
    let words = format!("{MATCH} --journal journal.jsonl");
    let mut child = command(directory.path(), &words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = || lines_of(&journal);
    wait_for_lines(&journal, 4);
    // The hard way, on every system.
    child.kill().unwrap();
    child.wait().unwrap();
    let before = lines();
    assert!((4..13).contains(&before), "{before} lines");
    // Without --resume nothing is overwritten.
    tengen(directory.path(), &words).complaint(1);
    let resumed = tengen(directory.path(), &format!("{words} --resume")).success();
    assert!(resumed.contains("12 games"));
    assert_eq!(
        games(&journal),
        games(&directory.path().join("whole.jsonl"))
    );
    assert_eq!(lines(), 13, "no game twice");
    let other = format!("{words} --resume --seed 5");
    let errors = tengen(directory.path(), &other).complaint(1);
    assert!(errors.contains("seed was '1', now '5'"), "{errors}");
}

/// The lines of two writers would overwrite each other.
#[test]
fn another_process_keeps_away_from_a_match_in_progress() {
    let directory = directory();
    let words = "match A B --openings openings.txt --games 400 --records out";
    let mut child = command(directory.path(), words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = directory.path().join("out/journal.jsonl");
    wait_for_lines(&journal, 2);
    let busy = "another process plays its games";
    for (more, complaint) in [
        ("--resume", busy),
        ("", busy),
        ("--journal other.jsonl", "games.pgn: "),
    ] {
        let errors = tengen(directory.path(), &format!("{words} {more}")).complaint(1);
        assert!(errors.contains(complaint), "{more}: {errors}");
    }
    assert!(child.try_wait().unwrap().is_none(), "still in progress");
    child.kill().unwrap();
    child.wait().unwrap();
    let whole = std::fs::read_to_string(&journal).unwrap();
    assert!(whole.starts_with("{\"type\":\"match\""), "{whole}");
}

/// With another number of games the schedule may give a game's number to other players.
#[test]
fn a_resumed_match_has_more_games_only_where_they_keep_their_numbers() {
    let directory = directory();
    let journal = |name: &str| directory.path().join(name);
    let play = |words: &str, name: &str, games: u64| {
        let words = format!("{words} --openings openings.txt --draw-after 6 --games {games}");
        let words = format!("{words} --journal {name} --resume");
        tengen(directory.path(), &words)
    };
    for (name, words, before, after) in [
        ("robin", "match A B C", 1, 2),
        ("fewer", "match A B C", 4, 2),
        ("cup", "match A B C --schedule knock-out", 2, 4),
        ("swiss", "match A B C --schedule swiss:1", 2, 4),
    ] {
        play(words, name, before).success();
        let text = std::fs::read_to_string(journal(name)).unwrap();
        let errors = play(words, name, after).complaint(1);
        let difference = format!("games was '{before}', now '{after}'");
        assert!(errors.contains(&difference), "{errors}");
        assert_eq!(std::fs::read_to_string(journal(name)).unwrap(), text);
    }
    for (name, words, before, after) in [
        ("two", "match A B", 1, 4),
        ("three", "match A B C", 2, 3),
        ("gauntlet", "match A B C --schedule gauntlet", 2, 4),
    ] {
        play(words, name, before).success();
        play(words, name, after).success();
        let whole = format!("{name}-whole");
        play(words, &whole, after).success();
        assert_eq!(games(&journal(name)), games(&journal(&whole)), "{words}");
        let page = journal("page.html");
        let report = format!("match report {name} --html page.html");
        tengen(directory.path(), &report).success();
        let page = std::fs::read_to_string(page).unwrap();
        let (_, terms) = page.split_once("\"terms\":{").expect("the terms");
        let (terms, _) = terms
            .split_once("\"summary\"")
            .expect("the result after them");
        assert!(
            terms.contains(&format!("\"games\":{after},")),
            "{words}: {terms}"
        );
    }
}

#[test]
fn resume_leaves_a_file_that_is_no_journal_as_it_is() {
    let directory = directory();
    let notes = directory.path().join("notes.txt");
    std::fs::write(&notes, "notes without a line end").unwrap();
    let words = format!("{MATCH} --journal notes.txt --resume");
    let errors = tengen(directory.path(), &words).complaint(1);
    assert!(
        errors.contains("notes.txt, line 1: not the journal"),
        "{errors}"
    );
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert_eq!(
        std::fs::read_to_string(&notes).unwrap(),
        "notes without a line end"
    );
}

#[test]
fn a_repeated_move_in_a_journal_is_named() {
    let directory = directory();
    let words = "match A B --games 2 --openings openings.txt --journal journal.jsonl";
    tengen(directory.path(), words).success();
    let journal = directory.path().join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let label = |turn: usize| {
        let game: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
        format!("\"p\":{}", game["turns"][turn]["p"])
    };
    std::fs::write(&journal, text.replacen(&label(1), &label(0), 1)).unwrap();
    for words in [
        "show journal.jsonl".to_string(),
        format!("{words} --resume"),
    ] {
        let errors = tengen(directory.path(), &words).complaint(1);
        assert!(errors.contains("journal.jsonl, line 2: game "), "{errors}");
        assert!(errors.contains("move 2 is on a taken point"), "{errors}");
    }
}

#[test]
fn parts_make_the_whole() {
    let directory = directory();
    let words = format!("{MATCH} --journal whole.jsonl");
    let whole = tengen(directory.path(), &words).success();
    for part in 1..=3 {
        let words = format!("{MATCH} --shard {part}/3 --journal part{part}.jsonl");
        tengen(directory.path(), &words).success();
    }
    let words = "match merge part1.jsonl part2.jsonl part3.jsonl --out joined.jsonl";
    let joined = tengen(directory.path(), words).success();
    // Up to the table of times.
    let results = |text: &str| text.lines().take(6).collect::<Vec<_>>().join("\n");
    assert_eq!(results(&joined), results(&whole));
    let at = |name: &str| directory.path().join(name);
    assert_eq!(games(&at("joined.jsonl")), games(&at("whole.jsonl")));
    let some = tengen(directory.path(), "match merge part1.jsonl part3.jsonl");
    assert!(some.err.contains("part 2/3 is missing"), "{some:?}");
    // A journal's text comes in and goes out by pipes as well.
    let piped = |words: &str| {
        let mut command = command(directory.path(), words);
        let journal = std::fs::File::open(at("joined.jsonl")).unwrap();
        run(command.stdin(journal)).success()
    };
    let text = std::fs::read_to_string(at("joined.jsonl")).unwrap();
    assert_eq!(piped("match merge - --out -"), text);
    assert_eq!(piped("match merge -"), joined);
    assert!(piped("match report -").starts_with("renju"));
    assert!(piped("match report - --html -").starts_with("<!doctype html>"));
    assert!(piped("show - --game 2").contains("renju"));
    assert!(!at("-").exists());
}

/// Such an engine would lose every game, and so decide a test.
#[test]
fn an_engine_that_never_answers_is_named_before_the_first_game() {
    let directory = directory();
    let missing = ["cmd=./no-such-engine", "cmd=./x,nodes=5"];
    let mute = if cfg!(unix) {
        &["cmd=/bin/false"][..]
    } else {
        &[]
    };
    for engine in missing.iter().chain(mute) {
        let words = format!(
            "match A --engine {engine} name=new --sprt elo0=0 elo1=5 --journal journal.jsonl"
        );
        let refused = tengen(directory.path(), &words);
        assert_eq!(refused.out, "");
        let errors = refused.complaint(1);
        let last = errors.lines().last().unwrap();
        assert!(last.contains("engine new: "), "{errors}");
        assert!(last.ends_with("no game was played"), "{errors}");
        // The next try, with the right name, begins it.
        assert!(!directory.path().join("journal.jsonl").exists());
    }
}

/// The match may end by its number of games, by a schedule that depends on results, or by a test.
#[test]
fn a_match_that_is_over_is_resumed_without_its_engines() {
    let directory = directory();
    let engine = directory.path().join(format!("engine{EXE_SUFFIX}"));
    for (name, kind) in [
        ("games", "--games 4"),
        ("cup", "--games 2 --schedule knock-out"),
        ("test", "--sprt elo0=-800 elo1=-400 --games 1000"),
    ] {
        let words = format!(
            "match A --engine cmd=./engine{EXE_SUFFIX} name=X nodes=30 {kind} --openings openings.txt \
             --journal {name} --resume"
        );
        std::fs::copy(TENGEN, &engine).unwrap();
        let whole = tengen(directory.path(), &words).success();
        let journal = directory.path().join(name);
        let lines = std::fs::read_to_string(&journal).unwrap();
        std::fs::remove_file(&engine).unwrap();
        assert_eq!(tengen(directory.path(), &words).success(), whole);
        assert_eq!(std::fs::read_to_string(&journal).unwrap(), lines);
        // With a game missing, the match needs its engines.
        let (start, _) = lines.trim_end().rsplit_once('\n').unwrap();
        std::fs::write(&journal, format!("{start}\n")).unwrap();
        let errors = tengen(directory.path(), &words).complaint(1);
        assert!(
            errors.trim_end().ends_with("no game was played"),
            "{errors}"
        );
    }
}

/// Names of files are bytes there.
#[cfg(target_os = "linux")]
#[test]
fn a_file_of_openings_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let directory = directory();
    let name = std::ffi::OsStr::from_bytes(b"o\xff.txt");
    std::fs::write(directory.path().join(name), OPENINGS).unwrap();
    let mut command = command(directory.path(), "match A B --draw-after 6 --openings");
    assert!(run(command.arg(name)).success().contains(", 2 games"));
}

/// The search takes minutes on a busy machine.
#[test]
fn openings_are_searched_once_for_a_journal() {
    let directory = directory();
    let words = "match A B --openings balanced:1 --draw-after 6 --journal j.jsonl";
    let complaints = |more: &str| tengen(directory.path(), &format!("{words} {more}")).complaint(0);
    let line = "searching for 1 balanced openings";
    assert!(complaints("--games 2").contains(line));
    assert!(!complaints("--games 4 --resume").contains(line));
    assert_eq!(games(&directory.path().join("j.jsonl")).len(), 4);
}

/// An engine that crashes in every game would lose every game of a test.
#[cfg(unix)]
#[test]
fn an_engine_that_forfeits_game_after_game_ends_the_match() {
    let directory = directory();
    let script = "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
        START) echo OK;; ABOUT) echo 'name=\"crash\"';; TURN|BEGIN|DONE) exit 3;; esac; done\n";
    std::fs::write(directory.path().join("crash.sh"), script).unwrap();
    let words =
        "match A --openings openings.txt --sprt elo0=0 elo1=5 --records out --max-forfeits 4";
    let bad = ["--engine", "cmd=sh crash.sh", "name=bad", "nodes=1"];
    let ended = run(command(directory.path(), words).args(bad));
    assert_eq!(ended.status, Some(1), "{ended:?}");
    let last = ended.err.lines().last().unwrap();
    let why = "engine bad: 4 forfeits in a row, the last one in game 4, ";
    assert!(last.contains(why), "{ended:?}");
    for line in ["Forfeits of bad: crash 4", "(95 %), forfeits: bad 4\n"] {
        assert!(ended.out.contains(line), "{ended:?}");
    }
    assert_eq!(games(&directory.path().join("out/journal.jsonl")).len(), 4);
}

/// The arena's own shortage of files is no fault of an engine.
#[cfg(unix)]
#[test]
fn a_shortage_of_files_costs_no_engine_a_game() {
    let directory = directory();
    let words = "match A B --openings openings.txt --games 6 --concurrency 6 --journal j.jsonl";
    let play = |files: u32| {
        let all = command(directory.path(), words);
        let script = format!("ulimit -n {files}; exec \"$@\"");
        let mut shell = Command::new("sh");
        shell
            .current_dir(directory.path())
            .args(["-c", &script, "sh", TENGEN])
            .args(all.get_args());
        run(&mut shell)
    };
    let played = play(24);
    assert!(played.err.contains(" at once from now on; "), "{played:?}");
    assert!(played.success().contains(", 6 games\n"));
    let first = games(&directory.path().join("j.jsonl"));
    assert!(
        first.iter().all(|(_, _, end)| end.contains("five")),
        "{first:?}"
    );
    // Not even one engine can be started.
    std::fs::remove_file(directory.path().join("j.jsonl")).unwrap();
    let errors = play(7).complaint(1);
    assert!(
        errors.contains("the system gives no more files"),
        "{errors}"
    );
}

#[test]
fn an_odd_number_of_games_is_warned_of() {
    let directory = directory();
    let words = "match B C --games 3 --openings openings.txt";
    let played = tengen(directory.path(), words);
    assert!(played.err.contains("--games 3 is odd"), "{played:?}");
    assert!(played.success().contains("3 games"));
}

#[test]
fn machines_get_a_line_for_every_game_and_the_result() {
    let directory = directory();
    let words = "match A B --openings openings.txt --games 4 --json --sprt elo0=0 elo1=400";
    let text = tengen(directory.path(), words).success();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let events: Vec<&str> = lines.iter().map(|l| l["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["game", "game", "game", "game", "result"]);
    let result = &lines[4];
    assert_eq!(result["games"], 4);
    assert_eq!(result["players"][0]["name"], "A");
    assert!(result["duel"]["sprt"]["llr"].is_f64());
    assert!(
        result["players"][0]["speed"].as_f64().unwrap() > 0.0,
        "parsed from messages"
    );
    assert!(lines[0]["turns"][5]["n"].as_u64().unwrap() > 0);
}

/// `--time` is one more setting of all players, and so identifies the match like the others.
#[test]
fn one_option_limits_the_moves_of_all_players() {
    let directory = directory();
    let words = "match A B --each depth=1 time=9s --time 2.5s --games 2 --draw-after 6";
    let words = format!("{words} --records out --trace trace");
    tengen(directory.path(), &words).success();
    let journal = std::fs::read_to_string(directory.path().join("out/journal.jsonl")).unwrap();
    let terms: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    for player in terms["players"].as_array().unwrap() {
        let settings = player["settings"].as_array().unwrap();
        assert_eq!(settings[1..3], ["time=9s", "time=2.5s"], "{terms}");
    }
    let traces: String = std::fs::read_dir(directory.path().join("trace"))
        .unwrap()
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    assert!(traces.contains("INFO timeout_turn 2500"), "{traces}");
}

#[test]
fn three_players_meet_in_a_knock_out_and_all_against_all() {
    let directory = directory();
    for kind in ["knock-out", "round-robin", "swiss:2"] {
        let words = format!("match A B C --openings openings.txt --schedule {kind}");
        let text = tengen(directory.path(), &words).success();
        assert!(text.contains("rating (95 %"), "{text}");
        assert!(text.contains("Equal points are ranked by"), "{text}");
    }
}

#[test]
fn balanced_openings_are_found_and_played() {
    let directory = directory();
    let words = "match openings --count 3 --plies 4 --rule standard --nodes 300";
    let text = tengen(directory.path(), words).success();
    let openings: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(openings.len(), 3);
    assert!(openings.iter().all(|o| o.split(' ').count() == 4), "{text}");
    std::fs::write(directory.path().join("mine.txt"), &text).unwrap();
    let words = "match A B --rule standard --openings mine.txt";
    let played = tengen(directory.path(), words).success();
    assert!(played.contains("standard 15x15, 2 games"), "{played}");
}

#[test]
fn wrong_arguments_are_named() {
    let directory = directory();
    std::fs::write(directory.path().join("bad.txt"), "h8 i9\nh8 h8\n").unwrap();
    for (words, part) in [
        ("match A", "at least two"),
        ("match A B --each nodes=0", "nodes=0"),
        ("match A B --each speed=3", "unknown engine setting 'speed'"),
        ("match A B C --sprt", "exactly two"),
        ("match A B --sprt --games 3", "an even --games"),
        ("match A B --sprt --shard 1/2", "give --games"),
        ("match A B --sprt elo0=9", "elo0 must be below elo1"),
        ("match A B --openings bad.txt", "line 2: h8 is played twice"),
        ("match A B --openings no.txt", "no.txt"),
        ("match A B --resume", "--resume needs"),
        ("match A B --size 99", "unsupported size"),
        ("match A B --schedule groups:2:1", "too few"),
        (
            "match A B C --schedule swiss:2 --shard 1/2",
            "depend on results",
        ),
        ("match A B --adjudicate lost=300", "VALUExMOVES"),
        ("match merge none.jsonl", "none.jsonl"),
    ] {
        let refused = tengen(directory.path(), words);
        assert_ne!(refused.status, Some(0), "{words}");
        assert!(refused.err.contains(part), "{words}: {refused:?}");
    }
}

/// The engines open their games themselves. No engine takes an illegal step, the records tell the
/// course, and the same seed gives the same games.
#[test]
fn games_by_an_opening_rule_are_legal_recorded_and_repeatable() {
    let directory = directory();
    for rule in ["swap2", "soosorv-8", "taraguchi-10", "designated:4D:2"] {
        let folder = rule.replace(':', "_");
        let words = format!("match A B --rule renju --opening-rule {rule} --games 4 --records");
        let table = tengen(directory.path(), &format!("{words} {folder}")).success();
        assert!(
            table.contains(&format!("Opening rule {rule}: who began")),
            "{table}"
        );
        tengen(directory.path(), &format!("{words} {folder}-again")).success();
        let at = |name: &str| directory.path().join(name).join("journal.jsonl");
        let first = games(&at(&folder));
        assert_eq!(first, games(&at(&format!("{folder}-again"))));
        for (_, _, end) in &first {
            assert!(
                !end.contains("illegal") && !end.contains("time"),
                "{rule}: {end}"
            );
        }
        let journal = std::fs::read_to_string(at(&folder)).unwrap();
        let game: Value = serde_json::from_str(journal.lines().nth(1).unwrap()).unwrap();
        assert_eq!(game["agreed"]["rule"], rule);
        assert!(game["agreed"]["steps"].as_array().unwrap().len() > 1);
        let sgf = directory.path().join(&folder).join("sgf/000001.sgf");
        let sgf = std::fs::read_to_string(sgf).unwrap();
        assert!(sgf.contains(&format!("opening rule {rule}")), "{sgf}");
        if rule != "swap2" {
            assert!(sgf.contains("ON["), "renju's openings have names: {sgf}");
        }
    }
    let both = "match A B --opening-rule rif --openings openings.txt";
    tengen(directory.path(), both).complaint(2);
    let small = tengen(directory.path(), "match A B --opening-rule rif --size 8");
    let reason = small.complaint(2);
    assert!(reason.contains("needs a board of at least 9x9"), "{reason}");
}

/// No engine loses by the opening, under any rule and with any swap.
#[test]
fn four_games_by_every_opening_rule_have_no_forfeit() {
    let directory = directory();
    for (rule, opening) in [
        ("freestyle", "swap1"),
        ("freestyle", "swap"),
        ("freestyle", "swap2"),
        ("standard", "pro"),
        ("standard", "long-pro"),
        ("renju", "rif"),
        ("renju", "renju-swap"),
        ("renju", "yamaguchi"),
        ("renju", "tarannikov"),
        ("renju", "taraguchi"),
        ("renju", "taraguchi-10"),
        ("renju", "soosorv-8"),
        ("renju", "designated:4D:2"),
    ] {
        // A forfeit by silence is seen soon.
        let words = format!(
            "match B C --each hang=10 --rule {rule} --opening-rule {opening} --games 4 --json"
        );
        let text = tengen(directory.path(), &words).success();
        let lines = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let games: Vec<Value> = lines.filter(|line| line["event"] == "game").collect();
        assert_eq!(games.len(), 4, "{text}");
        for game in games {
            // Black may have to play a forbidden cell only where it is the last free one.
            let is_full = game["turns"].as_array().unwrap().len() == 15 * 15;
            let reason = game["reason"].as_str().unwrap();
            assert!(reason == "five" || is_full, "{opening}: {game}");
        }
    }
}
