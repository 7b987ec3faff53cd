//! Journals of matches and tunings, as any bytes. A refused journal stays as it is; an accepted one
//! has the same games when it is read again, and one more when one is added.

#![no_main]

use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tengen::board::Board;
use tengen_fuzz::folder::in_folder;
use tengen_fuzz::record::of_match;
use tengen_fuzz::sound;
use tengen_games::records::RecordedGame;
use tengen_tools::arena::journal::{Journal, MatchTerms, read, salvage};
use tengen_tools::arena::record::{pgn, psq, sgf};
use tengen_tools::arena::report::MatchReport;
use tengen_tools::arena::spsa::journal::{Tuning, TuningTerms};
use tengen_tools::arena::spsa::{Knob, Plan};
use tengen_tools::arena::stats::ScoreCounts;
use tengen_tools::arena::summary::Summary;

fuzz_target!(|bytes: &[u8]| {
    in_folder(|folder| {
        let path = folder.join("journal.jsonl");
        of_a_match(&path, bytes);
        fs::write(&path, bytes).expect("a file in the folder");
        of_a_tuning(&path, bytes);
    });
});

fn of_a_match(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("a file in the folder");
    if let Ok((terms, games)) = salvage(path, &mut Vec::new()) {
        let report = MatchReport::new(terms, games, Vec::new());
        let _ = report.to_string();
        sound(report.html(), "a page for nobody");
    }
    let terms = match read(path) {
        Ok((terms, games)) => {
            let _ = Summary::new(&terms, &games);
            for game in &games {
                let _ = (psq::write(game), sgf::write(game), pgn::write(game));
                let _ = RecordedGame::try_from(game).map(|game| game.title());
            }
            terms
        }
        Err(_) => no_terms(),
    };
    let Ok((mut journal, games)) = Journal::resume(path, &terms, &[]) else {
        return assert_eq!(fs::read(path).expect("the file is there"), bytes);
    };
    let empty = Board::new(15, 15).expect("a usual size");
    let mut game = of_match(&RecordedGame::from_position(empty)).expect("a game without moves");
    // The smallest free number.
    game.id = (0..)
        .find(|id| games.iter().all(|game| game.id != *id))
        .expect("few are taken");
    sound(journal.add(&game), "a game more");
    drop(journal);
    let (_, again) = sound(Journal::resume(path, &terms, &[]), "the same journal");
    assert_eq!(again.len(), games.len() + 1);
    assert!(games.iter().all(|game| again.contains(game)));
}

fn no_terms() -> MatchTerms {
    MatchTerms {
        version: String::new(),
        rule: String::new(),
        width: 15,
        height: 15,
        players: Vec::new(),
        schedule: String::new(),
        games: 0,
        seed: 0,
        openings: String::new(),
        judge: String::new(),
        points: [1.0, 0.5, 0.0],
        sprt: None,
        shard: None,
    }
}

fn of_a_tuning(path: &Path, bytes: &[u8]) {
    let terms = tuning_terms();
    let Ok(mut tuning) = Tuning::resume(path, &terms, &[]) else {
        return assert_eq!(fs::read(path).expect("the file is there"), bytes);
    };
    if !tuning.spsa().is_complete() {
        sound(tuning.note(ScoreCounts::default()), "an iteration more");
    }
    let spsa = tuning.spsa().clone();
    drop(tuning);
    assert_eq!(
        *sound(Tuning::resume(path, &terms, &[]), "the same journal").spsa(),
        spsa
    );
}

/// The terms of the seeds.
fn tuning_terms() -> TuningTerms {
    let knob = |name: &str, start| Knob {
        name: name.to_string(),
        start,
        min: 0,
        max: 200,
        c_end: 5.0,
    };
    TuningTerms {
        version: "0".to_string(),
        knobs: vec![knob("a", 40), knob("b", 190)],
        plan: Plan {
            iterations: 100,
            r_end: 0.01,
            seed: 1,
        },
        pairs: 1,
        each: Vec::new(),
        stages: vec!["renju 15".to_string()],
        judge: String::new(),
    }
}
