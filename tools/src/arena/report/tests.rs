use std::collections::HashSet;

use html5gum::{DefaultEmitter, Token, Tokenizer};
use serde_json::{Value, json};

use super::super::game::RecordedTurn;
use super::super::journal::JournalPlayer;
use super::super::journal::tests::{game, terms};
use super::super::message::Eval;
use super::super::sprt::Sprt;
use super::*;
use crate::game::referee::{Outcome, Reason};
use crate::serve::is_match_report;
use tengen::types::Point;

/// Elements that have no end.
const VOID: [&str; 4] = ["meta", "link", "input", "br"];

fn page(report: &MatchReport) -> String {
    report.html().unwrap()
}

/// The data of the page's script.
fn data(report: &MatchReport) -> Value {
    let page = page(report);
    let (_, rest) = page.split_once("id=\"review\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

/// Checks the page by the reader of the HTML standard: no error, every element ended in its place,
/// each `id` once, no other file named. Returns the names of the elements.
fn elements(page: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut ids = HashSet::new();
    let mut all = Vec::new();
    // The standard's reader of tags alone, told to read scripts and styles as texts.
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(page, emitter) {
        match token.unwrap() {
            Token::StartTag(tag) => {
                let name = String::from_utf8(tag.name.to_vec()).unwrap();
                for address in ["src", "href"] {
                    // The icon alone, so that no browser asks for one.
                    let found = tag.attributes.get(address.as_bytes());
                    assert!(found.is_none_or(|found| ***found == *b"data:,"));
                }
                if let Some(id) = tag.attributes.get(b"id".as_slice()) {
                    assert!(ids.insert(id.to_vec()), "two of {id:?}");
                }
                if !tag.self_closing && !VOID.contains(&name.as_str()) {
                    open.push(name.clone());
                }
                all.push(name);
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8(tag.name.to_vec()).unwrap();
                assert_eq!(open.pop().as_ref(), Some(&name), "ends in the wrong place");
            }
            Token::Error(error) => panic!("{error:?}"),
            _ => {}
        }
    }
    assert!(open.is_empty(), "without end: {open:?}");
    all
}

/// Forty games between A and B from ten openings, with times and depths. Of five games A wins
/// three, B wins one, and one is drawn.
fn games() -> Vec<GameRecord> {
    (0..40)
        .map(|id| {
            let a_is_black = id % 2 == 0;
            let outcome = match (id % 5, a_is_black) {
                (4, _) => Outcome::Draw,
                (3, false) | (..3, true) => Outcome::Black,
                _ => Outcome::White,
            };
            let mut game = game(id, outcome);
            game.opening = Some(game.pair as usize % 10);
            game.ended = 1_700_000_000 + id;
            let stones = (0..12 + id as u8 % 3).map(|i| RecordedTurn {
                ms: Some(100.0 + f64::from(i)),
                allowed_ms: Some(110.0),
                depth: Some(8 + u32::from(i)),
                nodes: Some(5000),
                eval: Some(Eval::Value(f64::from(i))),
                // Each pair has a row of its own, the last five from the second column on.
                ..RecordedTurn::bare(
                    Some(Point::new(i + (id / 30) as u8, (id / 2 % 15) as u8)),
                    15,
                )
            });
            game.turns.truncate(1);
            game.turns.extend(stones);
            game
        })
        .collect()
}

#[test]
fn a_page_is_well_formed_and_needs_nothing_else() {
    let sprt = Sprt::parse(&["elo0=0", "elo1=50"]).unwrap();
    let with_test = MatchTerms {
        sprt: Some(sprt),
        ..terms()
    };
    for terms in [terms(), with_test] {
        let has_test = terms.sprt.is_some();
        let report = MatchReport::new(terms, games(), Vec::new());
        let page = page(&report);
        let elements = elements(&page);
        assert!(elements.iter().any(|name| name == "noscript"));
        assert!(page.contains("content=\"default-src 'none';"));
        assert!(is_match_report(page.as_bytes()));
        // Strength, lengths, times, depths, and the test's course.
        let data = data(&report);
        let has = |pointer: &str| data.pointer(pointer).is_some_and(|found| !found.is_null());
        for pointer in [
            "/progress/1/elo/elo",
            "/lengths/bins/0/0",
            "/times/1/stages/0/median_ms",
            "/times/1/stages/0/mean_depth",
            "/summary/cross_table/1/0/wins",
            "/openings/9/pairs/player",
            "/ends/five/lost_by/B",
            "/terms/players/1/settings",
            "/games/39/eval/12",
        ] {
            assert!(has(pointer), "no {pointer}");
        }
        assert_eq!(has("/progress/0/llr"), has_test);
        assert_eq!(has("/summary/duel/sprt/llr"), has_test);
    }
    assert!(!is_match_report(b"<!doctype html><title>Notes</title>"));
    assert!(!is_match_report(b"tengen match report"));
}

#[test]
fn the_same_games_give_the_same_page() {
    let report = || MatchReport::new(terms(), games(), Vec::new());
    assert_eq!(page(&report()), page(&report()));
    assert_eq!(report().to_string(), report().to_string());
}

#[test]
fn numbers_are_those_of_the_match() {
    let report = MatchReport::new(terms(), games(), Vec::new());
    let text = report.to_string();
    let data = data(&report);
    // 28 points of 40: Elo 400 log10(7/3) = 147.19.
    let elo = report.summary.duel.as_ref().unwrap().elo.unwrap();
    assert!((elo.elo - 147.191).abs() < 1e-3, "{elo}");
    assert_eq!(report.progress.last().unwrap().elo, elo);
    assert!(text.contains(&elo.to_string()));
    assert_eq!(data["summary"]["duel"]["elo"]["elo"], elo.elo);
    for part in [
        "A           28     40  0.700  +24 =8 -8",
        "10 openings: ",
        "five     40         16         16      8  A 8, B 24",
        "Black won      16        13      14       15",
    ] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
    let counts = |wins, draws, losses| json!({ "wins": wins, "draws": draws, "losses": losses });
    let table = &data["summary"]["cross_table"];
    assert_eq!(table[0][1], counts(24, 8, 8));
    assert_eq!(table[1][0], counts(8, 8, 24));
    assert_eq!(data["summary"]["players"][0]["all"], counts(24, 8, 8));
    assert_eq!(data["ends"]["five"]["lost_by"], json!({ "A": 8, "B": 24 }));
    let black =
        json!({ "kind": "black", "games": 16, "shortest": 13, "median": 14, "longest": 15 });
    assert_eq!(data["lengths"]["ranges"][0], black);
    // The limit is 110 ms; the moves after the first eleven of a game take longer.
    let late: u64 = report.times.iter().map(|player| player.late).sum();
    let expected: u64 = games().iter().map(|g| g.turns.len() as u64 - 12).sum();
    assert_eq!(late, expected);
}

/// Names out of a journal, which may come from anybody, neither end a line nor steer the terminal.
#[test]
fn names_do_not_steer_the_terminal() {
    let nasty = "A\u{1b}[2J\r\n5 games";
    let mut terms = terms();
    terms.players[0].name = nasty.to_string();
    terms.rule = nasty.to_string();
    let mut games = games();
    for game in &mut games {
        for name in [&mut game.black, &mut game.white] {
            if name == "A" {
                *name = nasty.to_string();
            }
        }
        game.reason = Reason::Crash;
        game.detail = nasty.to_string();
    }
    let both = [2, 3].map(|players| {
        let mut terms = terms.clone();
        terms.players.resize(players, terms.players[1].clone());
        if players == 3 {
            terms.players[2].name = "C".to_string();
            terms.schedule = "swiss:2".to_string();
        }
        MatchReport::new(terms, games.clone(), Vec::new()).to_string()
    });
    for text in both {
        assert!(text.contains("A\\u{1b}[2J\\r\\n5 games"), "{text}");
        let steers = |c: char| c.is_control() && c != '\n';
        assert!(!text.contains(steers), "{text}");
        assert!(!text.contains("\n5 games"), "{text}");
    }
}

#[test]
fn texts_of_users_are_escaped_wherever_they_stand() {
    let nasty = "</script><b onclick='x'>&amp;\"";
    let mut terms = terms();
    terms.players = vec![
        JournalPlayer {
            name: nasty.to_string(),
            settings: vec![format!("cmd={nasty}")],
        },
        terms.players[1].clone(),
        terms.players[0].clone(),
    ];
    terms.rule = nasty.to_string();
    terms.openings = nasty.to_string();
    let mut games = games();
    for game in &mut games {
        if game.black == "A" {
            game.black = nasty.to_string();
        }
        if game.white == "A" {
            game.white = nasty.to_string();
        }
        game.detail = nasty.to_string();
        game.reason = Reason::Crash;
    }
    let report = MatchReport::new(terms, games, vec![nasty.to_string()]);
    let data = data(&report);
    assert_eq!(data["notes"][0], nasty);
    let page = page(&report);
    let elements = elements(&page);
    assert!(!elements.iter().any(|name| name == "b"));
    assert!(!page.contains(nasty));
    assert!(page.contains("\\u003c/script>"), "the games have the name");
}

#[test]
fn matches_without_games_moves_or_times_are_reported() {
    let empty = MatchReport::new(terms(), Vec::new(), Vec::new());
    assert_eq!(
        empty.notes,
        ["0 of 4 games have ended; the others are not in the report"]
    );
    assert_eq!(data(&empty)["games"], json!([]));
    assert_eq!(data(&empty)["notes"][0], empty.notes[0]);
    assert!(empty.to_string().contains("renju 15x15, 0 games"));
    let mut bare = game(0, Outcome::White);
    bare.turns.clear();
    bare.reason = Reason::Start;
    bare.opening = None;
    bare.detail = "no answer\u{1b}[2J".to_string();
    let report = MatchReport::new(terms(), vec![bare], Vec::new());
    elements(&page(&report));
    let shown = data(&report);
    assert_eq!(shown["forfeits"][0]["detail"], "no answer\u{1b}[2J");
    assert_eq!(shown["times"][0]["moves"], 0);
    assert!(report.to_string().contains("start      1"), "{report}");
    let lost = "   1  A       start  no answer\\u{1b}[2J";
    assert!(report.to_string().contains(lost), "{report}");
    // Names of players whom the terms do not know, as in a journal edited by hand.
    let mut stranger = game(1, Outcome::Black);
    stranger.black = "C".to_string();
    elements(&self::page(&MatchReport::new(
        terms(),
        vec![stranger],
        Vec::new(),
    )));
    let nobody = MatchTerms {
        players: Vec::new(),
        ..terms()
    };
    elements(&self::page(&MatchReport::new(nobody, games(), Vec::new())));
}

#[test]
fn the_course_of_a_knock_out_is_told() {
    let terms = MatchTerms {
        schedule: "knock-out".to_string(),
        games: 2,
        ..terms()
    };
    let games: Vec<GameRecord> = [Outcome::Black, Outcome::White]
        .into_iter()
        .zip(0..)
        .map(|(outcome, id)| game(id, outcome))
        .collect();
    let report = MatchReport::new(terms, games, Vec::new());
    let page = page(&report);
    elements(&page);
    assert!(page.contains("A 2 - 0 B: B is out"), "{page}");
    let meeting = json!({
        "first": "A",
        "second": "B",
        "points": [2.0, 0.0],
        "outcome": { "won": { "by_first": true, "is_out": true, "by_order": false } },
        "result": "B is out",
    });
    let course = &data(&report)["summary"]["course"];
    assert_eq!(course["rounds"][0]["meetings"][0], meeting);
}
