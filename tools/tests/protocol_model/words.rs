//! The parts of the sequences: keys and values, steps of openings, lines without sense.

use crate::command::Number;

/// Nodes of an ordinary search.
pub const NODES: &[Number] = &[("1", Some(1)), ("60", Some(60)), ("300", Some(300))];

/// Keys of `INFO`, each with sane values and others.
#[rustfmt::skip]
pub const INFO: &[(&str, &[Number])] = &[
    ("rule", &[
        ("0", Some(0)), ("1", Some(1)), ("2", Some(2)), ("3", Some(3)), ("4", Some(4)), ("4.7", Some(4)),
        ("+4", Some(4)), ("5", Some(5)), ("6", Some(6)), ("7", Some(7)), ("8", Some(8)), ("9", Some(9)),
        ("10", Some(10)), ("11", Some(11)), ("-1", Some(-1)), ("renju", None),
        ("99999999999999999999", Some(i64::MAX)),
    ]),
    ("show_detail", &[
        ("0", Some(0)), ("1", Some(1)), ("2", Some(2)), ("3", Some(3)), ("9", Some(9)), ("all", None),
    ]),
    ("pondering", &[("0", Some(0)), ("1", Some(1)), ("2", Some(2)), ("yes", None)]),
    ("strength", &[("0", Some(0)), ("30", Some(30)), ("100", Some(100)), ("-5", Some(-5)), ("weak", None)]),
    ("caution_factor", &[("0", Some(0)), ("3", Some(3)), ("5", Some(5)), ("-1", Some(-1)), ("99", Some(99))]),
    ("thread_num", &[("1", Some(1)), ("3", Some(3)), ("0", Some(0)), ("-8", Some(-8)), ("many", None)]),
    ("hash_size", &[("64", Some(64)), ("1024", Some(1_024)), ("0", Some(0)), ("-1", Some(-1)), ("0.5", Some(0))]),
    ("max_memory", &[("60000000", Some(60_000_000)), ("1", Some(1)), ("-1", Some(-1)), ("x", None)]),
    ("max_depth", &[("1", Some(1)), ("4", Some(4)), ("0", Some(0)), ("-3", Some(-3)), ("deep", None)]),
    ("max_node", &[("60", Some(60)), ("1000.9", Some(1_000)), ("0", Some(0)), ("-1", Some(-1)), ("", None)]),
    ("timeout_turn", &[
        ("0", Some(0)), ("20", Some(20)), ("-1", Some(-1)), ("100000000", Some(100_000_000)), ("soon", None),
    ]),
    ("timeout_match", &[("0", Some(0)), ("1000", Some(1_000)), ("-1", Some(-1)), ("9e9", None)]),
    ("time_left", &[("0", Some(0)), ("500", Some(500)), ("-700", Some(-700)), ("2147483647", Some(2_147_483_647))]),
    ("time_increment", &[("0", Some(0)), ("10", Some(10)), ("-10", Some(-10))]),
    ("evaluator", &[("classical", None), ("default", None), ("/no/such/file", None), ("", None)]),
    ("seed", &[("1", Some(1)), ("-1", Some(-1)), ("x", None)]),
    ("usedatabase", &[("0", Some(0)), ("1", Some(1))]),
    ("database_readonly", &[("0", Some(0)), ("1", Some(1))]),
    ("game_type", &[("0", Some(0)), ("3", Some(3))]),
    ("evaluate", &[("7,7", None), ("", None)]),
    ("checkmate", &[("1", Some(1))]),
    ("frobnicate", &[("1", Some(1)), ("\u{221e}", None)]),
    ("", &[("", None)]),
];

/// Known words with arguments that make no sense.
#[rustfmt::skip]
pub const MALFORMED: &[&str] = &[
    "START", "START abc", "START 15x", "RECTSTART", "RECTSTART 15", "RECTSTART a,b", "TURN", "TURN 7",
    "TURN x,y", "TURN 7;7", "TAKEBACK", "TAKEBACK one", "PLAY", "PLAY 7,", "YXFORBID",
    "YXFORBID add 7 7", "YXFORBID put 7 7 0", "YXFORBID add 7 7 2", "TENGENSOLVE", "TENGENSOLVE fours",
];

/// Words that are no entry of a block.
pub const JUNK: &[&str] = &["x", "7", "7;8", "1,x,2", "-", "INFO", "\u{e9}"];

/// Steps of openings: the word, numbers of stones, and true if a number follows the word.
#[rustfmt::skip]
pub const STEPS: &[(&str, &[usize], bool)] = &[
    ("SWAP1STBOARD", &[0, 1], false),
    ("SWAPBOARD", &[0, 3], false),
    ("SWAP2BOARD", &[0, 3, 5], false),
    ("PROBOARD", &[0, 1, 2], false),
    ("LONGPROBOARD", &[0, 1, 2], false),
    ("RIFSTEP1", &[0], false),
    ("RIFSTEP2", &[3], false),
    ("RIFSTEP3", &[3], false),
    ("RIFSTEP4", &[4], false),
    ("RIFSTEP5", &[4], false),
    ("YAMAGUCHISTEP1", &[0], false),
    ("YAMAGUCHISTEP2", &[3], true),
    ("YAMAGUCHISTEP3", &[3], true),
    ("YAMAGUCHISTEP4", &[4], true),
    ("YAMAGUCHISTEP5", &[4], true),
    ("SOOSYRVSTEP1", &[0], true),
    ("SOOSYRVSTEP2", &[3], true),
    ("SOOSYRVSTEP3", &[3], true),
    ("SOOSYRVSTEP4", &[4], true),
    ("SOOSYRVSTEP5", &[4], true),
    ("SOOSYRVSTEP6", &[4], true),
    ("TARANNIKOVSTEP1", &[0, 1, 2, 3, 4, 5], false),
    ("TARANNIKOVSTEP2", &[1, 2, 3, 4, 5], false),
    ("TARAGUCHISTEP1", &[0, 1, 2, 3, 4, 5], true),
    ("TARAGUCHISTEP2", &[1, 2, 3, 4, 5], true),
    ("TARAGUCHISTEP3", &[4], true),
    ("TARAGUCHISTEP4", &[4], true),
    ("YXSWAP2STEP1", &[0], false),
    ("YXSWAP2STEP2", &[3], false),
    ("YXSWAP2STEP3", &[5], false),
    ("YXSOOSORVSTEP1", &[0], false),
    ("YXSOOSORVSTEP2", &[3], false),
    ("YXSOOSORVSTEP3", &[3], false),
    ("YXSOOSORVSTEP4", &[4], true),
    ("YXSOOSORVSTEP5", &[4], true),
    ("YXSOOSORVSTEP6", &[4, 6], false),
];
