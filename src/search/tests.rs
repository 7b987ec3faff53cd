use super::*;
use crate::board::{Board, parse_moves};
use crate::corpus::{self, Case, Claim, TacticCase};
use crate::engine::{Engine, Evaluation, Options};
use crate::position::Position;
use crate::rules::{Rule, ends_by_foul, foul, winning_points};
use crate::threats::{SolveLimits, Vct, VctResult};
use crate::types::{Color, POINTS, Point, PointSet, Score, ScoreKind};

/// The result of a search of `depth` plies.
fn think(rule: Rule, size: u32, moves: &str, depth: u32) -> SearchResult {
    let mut board = Board::new(size, size).unwrap();
    parse_moves(&mut board, moves).unwrap();
    let request = SearchRequest {
        max_depth: Some(depth),
        ..SearchRequest::new(board, rule)
    };
    go(&request)
}

/// The result of `request` in a new engine.
fn go(request: &SearchRequest) -> SearchResult {
    let mut engine = Engine::new(Options {
        hash_kib: Some(16 << 10),
        ..Options::default()
    });
    engine.go(request, &SearchControl::unlimited(), &mut |_| {})
}

/// The positions of a file of `bench_positions`.
fn tactics(text: &str) -> Vec<TacticCase> {
    let cases = corpus::parse("corpus", text).unwrap();
    let tactic = |entry: corpus::CorpusLine| match entry.case {
        Case::Tactic(case) => Some(case),
        _ => None,
    };
    cases.into_iter().filter_map(tactic).collect()
}

#[test]
fn the_first_stone_goes_to_the_centre() {
    for (size, place) in [(15, 7), (20, 10)] {
        let result = think(Rule::Renju, size, "", 3);
        assert_eq!(result.best, Some(Point::new(place, place)));
    }
}

/// Nobody wins on a board of 5x5 or 6x6, and the first depth must not say otherwise.
#[test]
fn win_rates_of_small_boards_stay_near_a_half() {
    for (size, moves) in [
        (5, "c3 c4"),
        (5, "c3 d4"),
        (6, "c3 c4"),
        (6, "c3 d4"),
        (7, "c3 c4"),
    ] {
        for depth in [1, 6] {
            let result = think(Rule::Freestyle, size, moves, depth);
            let rate = result.lines[0].win_rate;
            assert!(
                (0.25..0.75).contains(&rate),
                "{size}, {moves}, {depth}: {rate}"
            );
        }
    }
}

#[test]
fn an_open_three_wins() {
    let result = think(Rule::Freestyle, 15, "h8 a1 h9 a3 h10 a5", 6);
    assert_eq!(result.lines[0].score.to_string(), "+M3");
    assert!(result.best == Some(Point::new(7, 4)) || result.best == Some(Point::new(7, 8)));
}

#[test]
fn a_search_repeats_to_the_node() {
    let moves = "h8 i9 h7 h9 g9 i7 f10 j7 k6";
    let a = think(Rule::Renju, 15, moves, 8);
    let b = think(Rule::Renju, 15, moves, 8);
    assert_eq!((a.best, a.nodes), (b.best, b.nodes));
}

#[test]
fn a_clean_five_is_played_before_one_with_an_overline() {
    // Black: four in the row from d8 to g8, open at c8 and h8; h8 completes a column of six too.
    let moves = "d8 a1 e8 a3 f8 a5 g8 a7 h5 a9 h6 a11 h7 a13 h9 c1 h10 e1";
    let result = think(Rule::Renju, 15, moves, 3);
    assert_eq!(result.best, Some(Point::new(2, 7)));
    assert_eq!(result.lines[0].score.to_string(), "+M1");
}

#[test]
fn a_win_by_fours_at_the_root_is_the_shortest() {
    let cases = tactics(include_str!("../../bench_positions/vcf.txt"));
    let mut seen = 0;
    for case in cases.iter().step_by(5) {
        let Claim::VcfWin {
            fours,
            minimal: true,
        } = case.claim
        else {
            continue;
        };
        let request = SearchRequest {
            max_nodes: Some(1_000_000),
            ..SearchRequest::new(case.board.clone(), case.rule)
        };
        // A straight four is seen one ply before its five points are.
        let plies = 2 * fours + 1;
        let kind = go(&request).lines[0].score.kind();
        assert_eq!(kind, ScoreKind::Win(plies), "{}", case.id);
        seen += 1;
    }
    assert!(seen > 100);
}

#[test]
fn a_threat_of_fours_is_met() {
    let cases = tactics(include_str!("../../bench_positions/defend.txt"));
    for case in &cases {
        let Claim::Defend(moves) = &case.claim else {
            continue;
        };
        let request = SearchRequest {
            max_depth: Some(1),
            ..SearchRequest::new(case.board.clone(), case.rule)
        };
        let best = go(&request).best.unwrap();
        assert!(
            moves.is_empty() || moves.contains(&best),
            "{}: {best:?}",
            case.id
        );
    }
    assert!(cases.len() > 100);
}

/// A loss without some moves says nothing of the same position in a later search.
#[test]
fn a_loss_without_excluded_moves_is_not_kept() {
    let three = "g8 g9 h8 d3 i8";
    let mut board = Board::new(15, 15).unwrap();
    parse_moves(&mut board, three).unwrap();
    let mut request = SearchRequest::new(board, Rule::Freestyle);
    request.max_nodes = Some(3_000);
    for defence in ["e8", "f8", "j8", "k8"] {
        let p = Point::from_label(defence, 15, 15).unwrap();
        request.excluded.insert(p);
    }
    let mut engine = Engine::new(Options {
        hash_kib: Some(16 << 10),
        ..Options::default()
    });
    let control = SearchControl::unlimited;
    let lost = engine.go(&request, &control(), &mut |_| {});
    assert!(lost.lines[0].score.is_loss());
    // A move earlier.
    request.excluded = PointSet::EMPTY;
    request.board.undo();
    let level = engine.go(&request, &control(), &mut |_| {});
    let i8 = Point::from_label("i8", 15, 15).unwrap();
    let line = &level.lines[0];
    assert!(!line.score.is_win() || line.pv[0] != i8, "{level:?}");
}

/// A move that nobody would play is excluded: nothing else changes.
#[test]
fn an_excluded_corner_costs_no_depth() {
    let mut board = Board::new(15, 15).unwrap();
    parse_moves(&mut board, "h8 i9 g7 j7").unwrap();
    let mut request = SearchRequest::new(board, Rule::Freestyle);
    request.max_depth = Some(9);
    let free = go(&request);
    request.excluded.insert(Point::new(0, 0));
    let without = go(&request);
    assert_eq!(without.lines[0].score, free.lines[0].score);
    assert_eq!(without.lines[0].pv, free.lines[0].pv);
}

/// The only defence left is far from all stones. A search for one line knows this move as the
/// answer to the fours, a search for two lines tries it when all other moves lose.
#[test]
fn a_far_move_is_searched_before_the_root_is_given_up() {
    let mut board = Board::new(15, 15).unwrap();
    let stones = |text: &str| -> Vec<Point> {
        let cells = text.split(' ').map(|cell| cell.split_once(',').unwrap());
        let point = |(x, y): (&str, &str)| Point::new(x.parse().unwrap(), y.parse().unwrap());
        cells.map(point).collect()
    };
    for p in stones("7,8 6,5 4,6 5,8 3,9") {
        board.put(p, Color::Black);
    }
    for p in stones("7,6 5,6 6,6 5,7 4,8 5,5") {
        board.put(p, Color::White);
    }
    board.set_side_to_move(Color::Black);
    let mut request = SearchRequest::new(board, Rule::Renju);
    request.max_nodes = Some(40_000);
    for p in stones("5,3 5,4 6,4 8,4 7,5 8,6 9,6 9,7") {
        request.excluded.insert(p);
    }
    for lines in [1, 2] {
        request.multi_pv = lines;
        assert_eq!(go(&request).best, Some(Point::new(4, 2)), "{lines}");
    }
}

/// A bound of the search and one of the request mean the same, also for the searches of fours at
/// the root.
#[test]
fn nodes_are_bounded_by_request_and_control_alike() {
    let cases = tactics(include_str!("../../bench_positions/vcfnone.txt"));
    for case in cases.iter().step_by(9) {
        let mut request = SearchRequest::new(case.board.clone(), case.rule);
        let engine = || {
            Engine::new(Options {
                hash_kib: Some(1 << 10),
                ..Options::default()
            })
        };
        let control = SearchControl::unlimited();
        control.set_bounds(None, Some(1_000));
        let by_control = engine().go(&request, &control, &mut |_| {});
        request.max_nodes = Some(1_000);
        let by_request = engine().go(&request, &SearchControl::unlimited(), &mut |_| {});
        assert_eq!(by_control.nodes, by_request.nodes, "{}", case.id);
        assert_eq!(by_control.best, by_request.best, "{}", case.id);
    }
}

/// After 425 to 450 nodes this search is stopped just after the best move has lost. The others are
/// not known to lose, and one of them wins.
#[test]
fn a_search_that_is_stopped_plays_no_lost_move() {
    let mut board = Board::new(15, 15).unwrap();
    let stones = "7,7 9,5 9,8 8,9 6,9 5,9 5,5 6,6 7,8 7,6 5,8 9,6 8,6 9,3 9,7 7,5 5,7";
    for cell in stones.split(' ') {
        let (x, y) = cell.split_once(',').unwrap();
        board.play(Point::new(x.parse().unwrap(), y.parse().unwrap()));
    }
    let mut request = SearchRequest::new(board, Rule::Freestyle);
    for nodes in (300..700).step_by(5) {
        request.max_nodes = Some(nodes);
        let result = go(&request);
        let line = result.lines.first();
        assert!(
            line.is_none_or(|line| !line.score.is_loss()),
            "{nodes}: {line:?}"
        );
    }
}

/// Whenever the search stops, the best line is the first one.
#[test]
fn a_search_for_several_lines_that_is_stopped_names_the_best_first() {
    let mut board = Board::new(15, 15).unwrap();
    parse_moves(&mut board, "h8 i7").unwrap();
    let mut request = SearchRequest::new(board, Rule::Freestyle);
    for nodes in (1_000..12_000).step_by(61) {
        request.multi_pv = 2 + nodes as usize % 3;
        request.max_nodes = Some(nodes);
        let result = go(&request);
        let scores: Vec<Score> = result.lines.iter().map(|line| line.score).collect();
        assert!(
            scores.is_sorted_by(|a, b| a >= b) && Some(result.lines[0].pv[0]) == result.best,
            "{nodes}: {scores:?}"
        );
    }
}

/// A table from a file may say anything.
#[test]
fn a_table_move_that_is_not_on_the_board_is_passed_over() {
    let mut board = Board::new(9, 9).unwrap();
    parse_moves(&mut board, "e5 e6 g7").unwrap();
    let request = SearchRequest {
        max_depth: Some(6),
        ..SearchRequest::new(board, Rule::Renju)
    };
    let mut engine = Engine::new(Options {
        hash_kib: Some(1 << 10),
        ..Options::default()
    });
    let control = SearchControl::unlimited();
    engine.go(&request, &control, &mut |_| {});
    for index in 0..POINTS as u64 {
        let (table, _) = engine.table().expect("there was a search");
        let known: Vec<[u64; 2]> = table.raw_entries().collect();
        assert!(!known.is_empty());
        for [key, data] in known {
            // The move stands in the lowest bits.
            table.insert_raw([key, (data & !1023) | index]);
        }
        let best = engine.go(&request, &control, &mut |_| {}).best.unwrap();
        assert!(request.board.is_empty(best), "{index}: {best:?}");
    }
}

/// Rapfi's issue 14: delaying fours push the loss beyond the horizon.
#[test]
fn fours_that_only_put_off_a_loss_do_not_hide_it() {
    let cases = tactics(include_str!("../../bench_positions/horizon.txt"));
    let solved = |case: &&TacticCase| {
        let request = SearchRequest {
            max_nodes: Some(100_000),
            ..SearchRequest::new(case.board.clone(), case.rule)
        };
        go(&request).lines[0].score.is_win()
    };
    let count = cases.iter().filter(solved).count();
    assert!(count * 20 >= cases.len() * 17, "{count} of {}", cases.len());
}

#[test]
fn a_win_by_threats_is_found_on_a_share_of_the_search() {
    let cases = tactics(include_str!("../../bench_positions/vct.txt"));
    let is_won = |case: &TacticCase, share| {
        let mut engine = Engine::new(Options {
            hash_kib: Some(16 << 10),
            ..Options::default()
        });
        let mut params = ParamChanges::default();
        params.set("vct_share", share);
        engine.set_params(params);
        // Independent of the network, which changes what few nodes find.
        engine.set_evaluation(Evaluation::Classical);
        let request = SearchRequest {
            max_nodes: Some(5_000),
            ..SearchRequest::new(case.board.clone(), case.rule)
        };
        let result = engine.go(&request, &SearchControl::unlimited(), &mut |_| {});
        result.lines[0].score.is_win()
    };
    let mut missed_by_the_tree = cases.iter().filter(|case| !is_won(case, 0));
    assert!(missed_by_the_tree.any(|case| is_won(case, 50)));
}

/// The first of `bench_positions/vct.txt` that the tree search alone does not win in `nodes` nodes,
/// and an analysis of `lines` lines does.
fn analysed_win(nodes: u64, lines: usize) -> SearchResult {
    let cases = tactics(include_str!("../../bench_positions/vct.txt"));
    let requests = cases.into_iter().map(|case| SearchRequest {
        max_nodes: Some(nodes),
        multi_pv: lines,
        ..SearchRequest::new(case.board, case.rule)
    });
    let is_win = |result: &SearchResult| result.lines[0].score.is_win();
    let mut unsolved = requests.filter(|request| !is_win(&go(request)));
    let analysed = unsolved.by_ref().take(20).map(|request| {
        go(&SearchRequest {
            is_analysis: true,
            ..request
        })
    });
    analysed.into_iter().find(is_win).expect("some are found")
}

#[test]
fn an_analysis_finds_wins_by_threats_sooner() {
    let result = analysed_win(10_000, 1);
    assert_eq!(result.lines.len(), 1);
    assert!(result.lines[0].pv.len() > 1 && result.best == Some(result.lines[0].pv[0]));
}

/// The result of `request`, and all that was reported on the way.
fn go_reporting(request: &SearchRequest) -> (SearchResult, Vec<SearchInfo>) {
    let mut engine = Engine::new(Options {
        hash_kib: Some(16 << 10),
        ..Options::default()
    });
    engine.set_evaluation(Evaluation::Classical);
    let mut reports = Vec::new();
    let control = SearchControl::unlimited();
    let result = engine.go(request, &control, &mut |info| reports.push(info.clone()));
    (result, reports)
}

/// Analyses with three lines of positions with wins by threats. Whatever later iterations find, a
/// proved win stays a line, and the best as long as nothing better is known.
#[test]
fn a_proved_win_is_one_of_several_lines() {
    let mut announced = 0;
    for case in tactics(include_str!("../../bench_positions/vct.txt")) {
        let mut request = SearchRequest {
            max_nodes: Some(6_000),
            multi_pv: 3,
            is_analysis: true,
            ..SearchRequest::new(case.board, case.rule)
        };
        let (result, reports) = go_reporting(&request);
        let id = case.id;
        let mut moves: Vec<_> = result.lines.iter().map(|line| line.pv[0]).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), result.lines.len(), "{id}");
        let scores: Vec<_> = result.lines.iter().map(|line| line.score).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{id}: {scores:?}");
        let is_unknown = |info: &&SearchInfo| info.score == -Score::INFINITE;
        let unknown = reports.iter().chain(&result.lines).find(is_unknown);
        assert!(unknown.is_none(), "{id}: {unknown:?}");
        let is_win = |info: &&SearchInfo| info.score.is_win();
        let Some(win) = reports.iter().find(is_win) else {
            continue;
        };
        for more in (0..900).step_by(100) {
            request.max_nodes = Some(win.nodes + more);
            let (stopped, reports) = go_reporting(&request);
            let Some(win) = reports.iter().find(is_win) else {
                continue;
            };
            announced += 1;
            let first = &stopped.lines[0];
            assert!(first.score >= win.score, "{id}, {more} later: {first:?}");
            assert_eq!(stopped.best, Some(first.pv[0]), "{id}, {more} later");
        }
    }
    assert!(announced > 200, "{announced}");
}

/// A near loss of the last line decides nothing about the others.
#[test]
fn a_lost_line_does_not_end_the_search_of_the_others() {
    let cases = tactics(include_str!("../../bench_positions/defend.txt"));
    let case = cases
        .into_iter()
        .find(|case| case.id == "sp-f20-204-333-11d");
    let case = case.expect("a case of that name");
    let request = SearchRequest {
        max_nodes: Some(150_000),
        multi_pv: 6,
        ..SearchRequest::new(case.board, case.rule)
    };
    let (result, _) = go_reporting(&request);
    assert!(!result.lines[0].score.is_decided());
    assert!(result.lines[5].score.is_loss());
    assert!(result.nodes >= 150_000, "{}", result.nodes);
}

/// The nodes of the search for wins by threats count too.
#[test]
fn an_analysis_keeps_to_its_nodes() {
    let cases = tactics(include_str!("../../bench_positions/defend.txt"));
    for case in cases.into_iter().step_by(12) {
        let request = SearchRequest {
            max_nodes: Some(20_000),
            is_analysis: true,
            ..SearchRequest::new(case.board, case.rule)
        };
        let (result, _) = go_reporting(&request);
        assert!(result.nodes < 21_000, "{}: {}", case.id, result.nodes);
    }
}

#[test]
fn the_first_iteration_runs_whatever_wins_by_fours() {
    let cases = tactics(include_str!("../../bench_positions/vcf.txt"));
    for case in cases.into_iter().step_by(8) {
        let request = SearchRequest {
            max_depth: Some(1),
            multi_pv: 3,
            ..SearchRequest::new(case.board, case.rule)
        };
        let control = SearchControl::unlimited();
        control.set_bounds(Some(1), None);
        let result = Engine::new(Options::default()).go(&request, &control, &mut |_| {});
        let lines = root_moves::root_moves(&request).len().min(3);
        assert_eq!(result.lines.len(), lines, "{}", case.id);
    }
}

/// Such a five wins by the rule, though other fives are better and every other move is worse.
#[test]
fn a_five_that_is_an_overline_too_comes_before_moves_that_win_nothing() {
    let mut board = Board::new(15, 15).unwrap();
    for (color, cells) in [
        (Color::Black, "d8 e8 f8 g8 h5 h6 h7 h9 h10"),
        (Color::White, "c8 a1 a3 a5 c1 e1 a15 o15 o1"),
    ] {
        for cell in cells.split(' ') {
            board.put(Point::from_label(cell, 15, 15).unwrap(), color);
        }
    }
    let mut request = SearchRequest::new(board, Rule::Renju);
    request.multi_pv = 200;
    let five = Point::from_label("h8", 15, 15).ok();
    assert_eq!(root_moves::root_moves(&request).first().copied(), five);
    request.max_nodes = Some(1);
    assert_eq!(go(&request).best, five);
}

/// Checks the line of a proved result move by move, by the board and the reference rules alone.
fn check_line(id: &str, request: &SearchRequest, info: &SearchInfo) {
    let rule = request.rule;
    let (plies, attacker) = match info.score.kind() {
        ScoreKind::Value(_) => return,
        ScoreKind::Win(plies) => (plies as usize, request.board.side_to_move()),
        ScoreKind::Loss(plies) => (plies as usize, !request.board.side_to_move()),
    };
    let mut board = request.board.clone();
    for (i, &p) in info.pv.iter().enumerate() {
        let side = board.side_to_move();
        assert!(board.is_empty(p), "{id}: {p} is taken");
        assert!(
            !rule.restricts(side) || foul(&board, p).is_none(),
            "{id}: {p}"
        );
        let threats = winning_points(&board, rule, !side);
        let wins = winning_points(&board, rule, side).contains(&p);
        assert!(
            threats.is_empty() || threats.contains(&p) || wins,
            "{id}: {p}"
        );
        board.play(p);
        if wins {
            let is_end = side == attacker && i + 1 == info.pv.len();
            assert!(is_end && info.pv.len() == plies, "{id}: {info:?}");
            return;
        }
    }
    // Nothing stops the last four.
    let fives = winning_points(&board, rule, attacker);
    let is_allowed = |p| !rule.restricts(!attacker) || foul(&board, p).is_none();
    let stops = fives.len() == 1 && is_allowed(fives[0]);
    assert!(!fives.is_empty() && !stops, "{id}: {info:?}");
    assert!(winning_points(&board, rule, !attacker).is_empty(), "{id}");
    assert_eq!(board.side_to_move(), !attacker, "{id}");
    assert_eq!(info.pv.len() + 2, plies, "{id}: {info:?}");
}

/// Wins by threats, and the losses after their first moves. A game's search and an iteration spend
/// less on the lines than the end of an analysis.
#[test]
fn proved_results_come_with_all_their_plies() {
    let cases = tactics(include_str!("../../bench_positions/vct.txt"));
    // Short and complete lines: at the end of analyses and of games' searches, and reported on the
    // way.
    let mut counts = [[0; 2]; 3];
    for case in cases.into_iter().step_by(6) {
        for (is_analysis, multi_pv) in [(true, 1), (true, 3), (false, 1)] {
            let mut request = SearchRequest {
                max_nodes: Some(60_000),
                is_analysis,
                multi_pv,
                ..SearchRequest::new(case.board.clone(), case.rule)
            };
            for _ in 0..2 {
                let (result, reports) = go_reporting(&request);
                // A limit leaves a game no time for the lines.
                let has_time = is_analysis || result.nodes < 60_000;
                let end = usize::from(!is_analysis);
                let lines = result.lines.iter().filter(|_| has_time);
                let lines = lines.map(|info| (end, info));
                let reports = reports.iter().filter(|_| is_analysis);
                for (kind, info) in lines.chain(reports.map(|info| (2, info))) {
                    let is_complete = lines::is_complete(info);
                    counts[kind][usize::from(is_complete)] += usize::from(info.score.is_decided());
                    if is_complete {
                        check_line(&case.id, &request, info);
                    }
                }
                if !result.lines[0].score.is_win() {
                    break;
                }
                request.board.play(result.best.unwrap());
            }
        }
    }
    assert_eq!(counts[0][0], 0, "{counts:?}");
    for [short, complete] in counts {
        assert!(complete > 9 * short && complete > 50, "{counts:?}");
    }
}

/// The win of a public report, which came as its first move alone.
#[test]
fn a_win_in_seven_plies_shows_them() {
    let mut board = Board::new(15, 15).unwrap();
    parse_moves(&mut board, "e8 l7 b9 k8 b8 k7 b7 b10 c8 f8").unwrap();
    let request = SearchRequest {
        is_analysis: true,
        ..SearchRequest::new(board, Rule::Freestyle)
    };
    let result = go(&request);
    assert_eq!(result.lines[0].score, Score::win_in(7));
    assert_eq!(result.lines[0].pv.len(), 5);
    check_line("report", &request, &result.lines[0]);
}

/// Two rows of five black stones with a gap, which Black must not fill, and two other free cells.
fn nearly_full_board() -> Board {
    let mut board = Board::new(15, 15).unwrap();
    for p in board.clone().points() {
        let (x, y) = (p.x(), p.y());
        let color = match (y, x) {
            (3 | 11, 5) | (6 | 8, 12) => continue,
            (3 | 11, 2..=7) => Color::Black,
            (3 | 11, 1 | 8) => Color::White,
            _ if (x + 2 * y) / 2 % 2 == 0 => Color::Black,
            _ => Color::White,
        };
        board.put(p, color);
    }
    board.set_side_to_move(Color::White);
    board
}

#[test]
fn a_win_by_a_foul_is_shown_down_to_it() {
    let board = nearly_full_board();
    for is_analysis in [true, false] {
        let request = SearchRequest {
            is_analysis,
            ..SearchRequest::new(board.clone(), Rule::Renju)
        };
        let line = &go(&request).lines[0];
        assert_eq!((line.score, line.pv.len()), (Score::win_in(5), 3));
        assert!(ends_by_foul(&board, Rule::Renju, &line.pv));
        assert!(!ends_by_foul(&board, Rule::Renju, &line.pv[..1]));
        assert!(!ends_by_foul(&board, Rule::Standard, &line.pv));
    }
    let mut vct = Vct::new(10);
    let mut position = Position::new(&board, Rule::Renju);
    let limits = SolveLimits::until(&|_| false);
    assert_eq!(vct.solve(&mut position, limits), VctResult::Win);
    let proof = vct.prove(&mut position, limits, 1_000).unwrap();
    assert_eq!(proof.check(&board, Rule::Renju), Ok(()));
    assert!(ends_by_foul(&board, Rule::Renju, &proof.line()));
}

/// Only a game saves time where one move is left, or on an empty board.
#[test]
fn an_analysis_uses_its_nodes_where_a_game_moves_at_once() {
    let mut forced = Board::new(15, 15).unwrap();
    parse_moves(&mut forced, "a1 h8 a15 h9 h12 h10 o1 h11").unwrap();
    let empty = Board::new(15, 15).unwrap();
    for (board, best) in [(forced, ["h7", "h7"]), (empty, ["h8", "h7"])] {
        let nodes = [false, true].map(|is_analysis| {
            let request = SearchRequest {
                is_analysis,
                max_nodes: Some(20_000),
                ..SearchRequest::new(board.clone(), Rule::Freestyle)
            };
            let hour = TimeSettings {
                turn_ms: Some(3_600_000),
                ..TimeSettings::default()
            };
            let control = SearchControl::new(crate::time::Instant::now(), &hour);
            let result = Engine::new(Options::default()).go(&request, &control, &mut |_| {});
            let label = result.best.map(|p| p.label(15));
            assert_eq!(label.as_deref(), Some(best[usize::from(is_analysis)]));
            result.nodes
        });
        assert!(
            nodes[0] < 10_000 && nodes[1] >= 20_000,
            "{best:?}: {nodes:?}"
        );
    }
}
