//! The rules by their names in records of other programs and other languages.

use tengen::openings::OpeningRule;
use tengen::rules::Rule;

/// A part of a name, and its rule.
type Part = (&'static str, Rule);

/// Whole names.
///
/// Source of the numbers: the Gomocup protocol (`INFO rule`), which c-gomoku-cli writes as `RU`.
pub const WHOLE: [Part; 8] = [
    ("0", Rule::Freestyle),
    ("1", Rule::Standard),
    ("4", Rule::Renju),
    ("8", Rule::Caro),
    ("9", Rule::CaroExact),
    ("caro9", Rule::CaroExact),
    ("free", Rule::Freestyle),
    ("wuziqi", Rule::Freestyle),
];

/// Words within names, in letters alone; the first that is found counts. So `Standard Gomoku` is
/// standard, and `Renju, Soosõrv-8` renju. Opening rules of renju name that rule.
pub const WORDS: [Part; 30] = [
    ("renju", Rule::Renju),
    ("连珠", Rule::Renju),
    ("連珠", Rule::Renju),
    ("聯珠", Rule::Renju),
    ("联珠", Rule::Renju),
    ("有禁", Rule::Renju),
    ("렌주", Rule::Renju),
    ("рэндзю", Rule::Renju),
    ("рендзю", Rule::Renju),
    ("rif", Rule::Renju),
    ("yamaguchi", Rule::Renju),
    ("山口", Rule::Renju),
    ("soosorv", Rule::Renju),
    ("soosõrv", Rule::Renju),
    ("soosyrv", Rule::Renju),
    ("索索夫", Rule::Renju),
    ("taraguchi", Rule::Renju),
    ("tarannikov", Rule::Renju),
    ("塔拉", Rule::Renju),
    ("sakata", Rule::Renju),
    ("caro", Rule::Caro),
    ("standard", Rule::Standard),
    ("标准", Rule::Standard),
    ("標準", Rule::Standard),
    ("freestyle", Rule::Freestyle),
    ("fastgame", Rule::Freestyle),
    ("无禁", Rule::Freestyle),
    ("無禁", Rule::Freestyle),
    ("五子棋", Rule::Freestyle),
    ("gomoku", Rule::Freestyle),
];

/// A name of a rule, here or in other programs: lower-case, letters and digits alone.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The rule of a name here or in other programs, in any letter case and among other words.
pub fn rule_named(text: &str) -> Option<Rule> {
    let name = plain(text);
    let whole = WHOLE.into_iter().find(|(whole, _)| name == *whole);
    let found = whole.or_else(|| {
        let mut words = WORDS.into_iter();
        words.find(|(word, _)| has_word(&name, text, word))
    });
    found.map(|(_, rule)| rule)
}

/// The name of the rule in the title of a game; empty without one. A number there is no rule.
pub(super) fn rule_of_title(title: &str) -> &'static str {
    let is_number = title.trim().bytes().all(|b| b.is_ascii_digit());
    let rule = rule_named(title).filter(|_| !is_number);
    rule.map_or("", |rule| rule.name())
}

/// True if a name has the word. A short one stands alone: `terrific` names no rule.
fn has_word(name: &str, text: &str, word: &str) -> bool {
    if word.is_ascii() && word.len() <= 3 {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        return words.any(|found| found.eq_ignore_ascii_case(word));
    }
    name.contains(word)
}

/// True if the text is an opening rule of gomoku, which leaves open how a game is won.
pub fn is_gomoku_opening(text: &str) -> bool {
    let name = plain(text);
    let mut rules = OpeningRule::PLAIN.into_iter().skip(1);
    rules.any(|rule| plain(rule.name()) == name)
}
