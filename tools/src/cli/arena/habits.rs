//! Tips for those who type the options of other match runners: c-gomoku-cli, cutechess-cli and
//! fastchess.

use std::ffi::OsString;

/// Words of other programs, and the words of `match` for them.
const HABITS: &[(&[&str], &str)] = &[
    (&["-engine"], "write --engine cmd=COMMAND"),
    (&["-each"], "write --each"),
    (&["-c", "-concurrency"], "write --concurrency N"),
    (&["-games"], "write --games N"),
    (
        &["-rounds", "--rounds"],
        "--games N is the number of games of each meeting, two for each opening",
    ),
    (
        &["-repeat", "--repeat"],
        "every opening is played from both sides anyway",
    ),
    (&["-openings"], "write --openings FILE"),
    (&["-boardsize", "--boardsize"], "write --size N"),
    (&["-rule"], "write --rule NAME"),
    (
        &["-pgnout", "--pgnout", "-pgn", "--pgn", "-sgf", "--sgf"],
        "--records DIR gets games.pgn and the games as SGF and PSQ",
    ),
    (&["-sprt"], "write --sprt elo0=0 elo1=5"),
    (&["-tc", "--tc", "tc"], "write --each tc=60s/5s"),
    (
        &["-resign", "--resign", "-draw", "--draw"],
        "--adjudicate ends games early",
    ),
    (
        &["-log", "-msg", "-debug", "--log", "--debug"],
        "--trace DIR logs the communication with the engines",
    ),
    (
        &["-recover", "--recover"],
        "crashed engines are started again anyway",
    ),
    (
        &["-gauntlet", "-tournament", "--tournament"],
        "write --schedule gauntlet, knock-out, swiss:ROUNDS ...",
    ),
    (&["-drawafter", "-maxmoves"], "write --draw-after N"),
    (&["-srand"], "write --seed N"),
    (&["-wait"], "write --each pause=T"),
    (&["-sendbyboard"], "write --each send=board"),
    (
        &["-transform"],
        "openings are turned and mirrored anyway, unless --no-symmetry is given",
    ),
    (
        &["-ratinginterval"],
        "the result so far is shown after each game anyway",
    ),
];

/// The numbers of `INFO rule`, which other programs take as the rule.
const RULES: &[(&str, &str)] = &[
    ("0", "freestyle"),
    ("1", "standard"),
    ("2", "renju"),
    ("4", "renju"),
    ("8", "caro"),
];

/// A tip for refused arguments of `match` and `tune`.
pub fn tip(args: &[OsString]) -> Option<String> {
    let words: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
    if !matches!(words.get(1), Some(&"match" | &"tune")) {
        return None;
    }
    let of_word = |word: &&str| {
        let known = |(words, _): &&(&[&str], &'static str)| words.contains(word);
        HABITS.iter().find(known).map(|(_, tip)| (*tip).to_string())
    };
    let of_rule = |pair: &[&str]| {
        let is_number = |(number, _): &&(&str, &str)| pair == ["--rule", number];
        let rule = RULES.iter().find(is_number);
        rule.map(|(_, name)| format!("rules have names: --rule {name}"))
    };
    let mut pairs = words.windows(2);
    words
        .iter()
        .find_map(of_word)
        .or_else(|| pairs.find_map(of_rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_other_runners_get_a_tip() {
        let tip = |text: &str| {
            let args: Vec<OsString> = text.split(' ').map(OsString::from).collect();
            tip(&args)
        };
        for (text, part) in [
            ("tengen match -engine cmd=x", "--engine cmd=COMMAND"),
            ("tengen match --engine cmd=x --rounds 5", "--games N"),
            ("tengen match --rule 4", "--rule renju"),
            ("tengen match --pgnout out.pgn", "--records DIR"),
        ] {
            assert!(tip(text).unwrap().contains(part), "{text}");
        }
        assert_eq!(tip("tengen match --rule go"), None);
        assert_eq!(tip("tengen show -c"), None);
    }
}
