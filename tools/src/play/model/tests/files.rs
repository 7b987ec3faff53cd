use std::path::Path;

use super::*;

#[test]
fn a_game_goes_on_from_its_file() {
    let mut table = Table::new(setup(Rule::Renju, OpeningRule::Rif), Side::White);
    table
        .say("side both")
        .say("h8 h9 h10")
        .say("swap")
        .say("a1");
    table.say("side white").say("save game.sgf");
    let Effect::Write { path, text, .. } = &table.effects[0] else {
        panic!("{:?}", table.effects);
    };
    assert!(
        text.contains("ON[1D Kansei") && text.contains("XC[takes black]"),
        "{text}"
    );
    assert!(text.contains("XO[rif]"), "{text}");
    let (path, text) = (path.clone(), text.clone());
    assert!(table.model.is_unsaved());
    table.model.written(&path, Ok(()));
    assert!(!table.model.is_unsaved());
    // As many turns, but different ones.
    table.say("side both").say("undo").say("b1");
    assert!(table.model.is_unsaved());
    table.say("undo").say("a1").say("resign");
    assert!(table.model.is_unsaved());
    table.say("undo").say("side white");
    assert!(!table.model.is_unsaved());
    let mut other = Table::new(free(Rule::Freestyle), Side::Both);
    other.effects = other.model.read(&path, Ok(text.into_bytes()), other.now);
    let (game, saved) = (other.model.game(), table.model.game());
    assert_eq!(game.turns(), saved.turns());
    assert_eq!(game.setup(), saved.setup());
    assert_eq!(game.step(), saved.step());
    other.say("save");
    assert!(
        matches!(&other.effects[..], [Effect::Write { path: to, overwrite: true, .. }] if *to == path),
        "{:?}",
        other.effects
    );
    for player in Player::BOTH {
        assert_eq!(
            other.model.controller(player),
            table.model.controller(player)
        );
    }
}

/// A game played on from its record has its players and its strength.
#[test]
fn the_strength_is_in_the_record() {
    let mut table = Table::new(free(Rule::Freestyle), Side::White);
    table.say("strength 35").engine("h8");
    let text = table.model.record();
    assert!(text.contains(", strength 35]PW[Person]"), "{text}");
    let mut other = Table::new(free(Rule::Freestyle), Side::Both);
    let path = Path::new("a.sgf");
    other.model.read(path, Ok(text.into_bytes()), other.now);
    assert_eq!(other.model.pace().strength, Strength::new(35));
    assert!(other.model.is_persons_turn());
    other.say("i9");
    assert_eq!(other.job().task.strength, Strength::new(35));
    let two_people = Table::new(free(Rule::Freestyle), Side::Both).model.record();
    let mut other = Table::new(free(Rule::Freestyle), Side::White);
    other
        .model
        .read(path, Ok(two_people.into_bytes()), other.now);
    assert!(Player::BOTH.map(|player| other.model.controller(player)) == [Controller::Person; 2]);
}

/// A set-up position is played on, saved and read again unchanged. A file in another format is
/// read, but never overwritten.
#[test]
fn positions_that_were_set_up_are_played_on_and_kept() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Both);
    let text = "(;GM[4]SZ[9]AB[aa][bb]AW[cc][dd]XB[ii]PL[W];W[ee])";
    let path = Path::new("a.sgf");
    table
        .model
        .read(path, Ok(text.as_bytes().to_vec()), table.now);
    let game = table.model.game();
    assert_eq!((game.setup().width, game.turns().len()), (9, 1));
    assert_eq!(game.board().stones().len(), 5);
    table.say("a1").say("save b.sgf");
    let [Effect::Write { text, .. }] = &table.effects[..] else {
        panic!("one file is written");
    };
    let text = text.clone();
    assert!(text.contains("AB[aa][bb]AW[cc][dd]XB[ii]PL[W]"), "{text}");
    let board = table.model.game().board().clone();
    let mut other = Table::new(free(Rule::Freestyle), Side::Both);
    other
        .model
        .read(Path::new("b.sgf"), Ok(text.into_bytes()), other.now);
    assert_eq!(other.model.game().board(), &board);
    assert_eq!(other.model.game().start().stones().len(), 4);
    other.say("undo").say("undo").refused("undo", "");
    other
        .model
        .read(Path::new("moves.txt"), Ok("a1 b2 c3".into()), other.now);
    assert_eq!(other.model.game().turns().len(), 3);
    other.refused("save", "save to which file?");
    // Already won.
    let won = "(;SZ[15]AB[aa:ea]AW[ff][gf][hf][jf])";
    other.model.read(path, Ok(won.into()), other.now);
    assert!(other.model.game().ending().is_some());
    other.refused("h8", "the game is over");
}

#[test]
fn a_file_that_cannot_be_read_changes_nothing() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Both);
    table.say("h8");
    for (text, reason) in [
        (Err("no such file".to_string()), "no such file"),
        (Ok("hello".into()), "no SGF"),
        (
            Ok("(;GM[4]SZ[15];B[zz];W[hh])".into()),
            "move 1 is 'zz', which is no point",
        ),
        (Ok("(;GM[4]SZ[15];B[hh];B[aa])".into()), "take turns"),
        (
            Ok("(;GM[4]SZ[15];B[hh];W[ii];AE[ii];B[aa])".into()),
            "set up after a move (AE)",
        ),
        (Ok("(;GM[4]SZ[99])".into()), "unsupported size"),
        (Ok("(;GM[4]XO[chess])".into()), "unknown opening rule"),
        (Ok("(;GM[4]XC[takes black])".into()), "opening is over"),
    ] {
        table.effects = table.model.read(Path::new("x.sgf"), text, table.now);
        let notice = table.model.notice().unwrap();
        assert!(
            notice.is_error && notice.text.contains(reason),
            "{notice:?}"
        );
        table.expect("h8");
    }
}

/// A file that is no record of a game is called so, and its first words are named.
#[test]
fn a_document_is_no_game() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Both);
    let text = include_bytes!("../../../../../README.md").to_vec();
    let path = Path::new("README.md");
    table.effects = table.model.read(path, Ok(text), table.now);
    let notice = table.model.notice().unwrap();
    let reason = "README.md: this is no record of a game: 'Tengen' is not a point";
    assert!(notice.text.starts_with(reason), "{notice:?}");
}

/// A game goes up to an impossible move, and the notice says so.
#[test]
fn parts_that_were_left_out_are_told() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Both);
    let text = "(;GM[4]SZ[15];B[hh];W[hh];B[ii])(;B[aa])";
    table.effects = table
        .model
        .read(Path::new("x.sgf"), Ok(text.into()), table.now);
    let notice = table.model.notice().unwrap();
    for part in ["move 2 (h8) is on a taken point", "it holds 2 games"] {
        assert!(notice.text.contains(part), "{notice:?}");
    }
    table.expect("h8");
}

#[test]
fn records_of_others_are_read() {
    let mut table = Table::new(free(Rule::Standard), Side::Both);
    let text = "\u{feff}(;GM[4]RU[Renju]PB[A]PW[B]RE[B+R];B[hh];W[ii](;B[gg])(;B[aa]))";
    table.effects = table
        .model
        .read(Path::new("x.sgf"), Ok(text.as_bytes().to_vec()), table.now);
    table.expect("h8 i7 g9");
    assert_eq!(table.model.game().setup().rule, Rule::Renju);
    assert_eq!(table.outcome(), (Outcome::Black, Reason::Resignation));
    // The file has a variation, and our record would have none.
    table.refused("save", "save to which file?");
    table.say("save x.sgf");
    assert!(
        matches!(
            table.effects[..],
            [Effect::Write {
                overwrite: false,
                ..
            }]
        ),
        "{:?}",
        table.effects
    );
    let text = "(;GM[4]SZ[15];W[hh];B[ii])".to_string();
    table.effects = table
        .model
        .read(Path::new("y.sgf"), Ok(text.into()), table.now);
    assert_eq!(table.model.game().board().stones()[0].color, Color::White);
    let text = "(;GM[4]SZ[15]XO[rif];B[hh])".to_string();
    table.effects = table
        .model
        .read(Path::new("z.sgf"), Ok(text.into()), table.now);
    assert_eq!(table.model.game().setup().rule, Rule::Renju);
}

#[test]
fn the_time_of_choices_is_kept() {
    let rif = GameSetup {
        time: TimeControl::parse_tc("300").unwrap(),
        ..setup(Rule::Renju, OpeningRule::Rif)
    };
    let mut table = Table::new(rif, Side::Both);
    table.say("h8 h9 h10");
    table.now += Duration::from_secs(3);
    table.say("stay").say("a1").say("save t.sgf");
    let [Effect::Write { path, text, .. }] = &table.effects[..] else {
        panic!("{:?}", table.effects);
    };
    assert!(text.contains("XC[takes white]XT[3000 ms]"), "{text}");
    let (path, text) = (path.clone(), text.clone());
    let mut other = Table::new(free(Rule::Freestyle), Side::Both);
    other.model.read(&path, Ok(text.into_bytes()), other.now);
    assert_eq!(other.model.game().turns(), table.model.game().turns());
}

/// The times and the people's names of a record are facts: they stay, with other clocks too. Nobody
/// knows the time of a move without one.
#[test]
fn times_and_names_of_a_record_stay() {
    let text = "(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh]C[2969 ms];W[ig];B[hi]C[4000 ms, black wins \
                61.0 %, value 20, depth 5])";
    let clock = TimeControl {
        game: Some(Duration::from_secs(5)),
        ..TimeControl::default()
    };
    for time in [TimeControl::default(), clock] {
        let terms = GameSetup {
            time,
            ..free(Rule::Freestyle)
        };
        let mut table = Table::new(terms, Side::Black);
        let path = Path::new("in.sgf");
        table.model.read(path, Ok(text.into()), table.now);
        table.wait(1).engine("j8").wait(2).say("j9");
        let record = table.model.record();
        assert!(record.contains("PB[Ann]PW[Tengen "), "{record}");
        let off = match time.is_limited() {
            true => ", off the clock",
            false => "",
        };
        for part in [
            &format!(";B[hh]C[2969 ms{off}]\n;W[ig]\n;B[hi]C[4000 ms{off}, black wins 61.0 %"),
            ";W[jh]C[1000 ms, black wins 40.0 %, value 50, depth 9]\n;B[jg]C[2000 ms]",
        ] {
            assert!(record.contains(part), "{part} in {record}");
        }
        // Read again, the clocks lost only the time of the moves played with them.
        let mut again = Table::new(free(Rule::Freestyle), Side::Both);
        again.model.read(path, Ok(record.into()), again.now);
        assert_eq!(again.model.game().turns(), table.model.game().turns());
        for player in Player::BOTH {
            assert_eq!(
                again.model.clock(player, again.now),
                table.model.clock(player, table.now)
            );
        }
        // The names go and come back with the game.
        again.say("side both").say("new").say("h8");
        assert!(again.model.record().contains("PB[Person]PW[Person]"));
        again.say("resume");
        assert!(again.model.record().contains("PB[Ann]PW[Person]"));
    }
}
