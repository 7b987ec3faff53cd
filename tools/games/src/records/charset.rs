//! The charset of a file of games.
//!
//! In Shift_JIS, Big5 and GBK the last byte of a character may be the byte of `\` or `]`. Read in
//! another charset, this byte escapes or ends a value of SGF, and the moves after it vanish.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

use super::{RecordError, Warning};
use crate::renlib::encoding_named;

/// Charsets in which `\` or `]` may end a character; GB18030 includes GBK.
const AMBIGUOUS: [&Encoding; 3] = [SHIFT_JIS, BIG5, GB18030];
/// Longest value of `CA` taken for the name of a charset.
const MAX_LABEL: usize = 40;

/// A text with its charset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text. Unreadable bytes are U+FFFD, and a byte order mark stays.
    pub text: Cow<'a, str>,
    /// The charset's name; `None` where all letters are ASCII.
    pub charset: Option<&'static str>,
    /// False labels, unreadable bytes.
    pub warnings: Vec<Warning>,
}

/// The text of a file of games, in the first of these charsets: `chosen`; the one of a byte order
/// mark; UTF-16 or ISO-2022-JP, if the bytes have its signs; UTF-8, if all bytes are; the one of
/// SGF's property `CA`, if all bytes are; the best guess.
///
/// # Errors
/// When `chosen` is no charset.
pub fn decode<'a>(bytes: &'a [u8], chosen: Option<&str>) -> Result<Decoded<'a>, RecordError> {
    if let Some(name) = chosen {
        let charset = encoding_named(name);
        let charset = charset.ok_or_else(|| RecordError::Charset(name.to_string()))?;
        return Ok(decoded(bytes, charset, Vec::new()));
    }
    let label = Label::of(bytes);
    let warnings = |used| {
        label
            .iter()
            .filter_map(|label| label.warning(used))
            .collect()
    };
    let marked = Encoding::for_bom(bytes).map(|(charset, _)| charset);
    if let Some(charset) = marked.or_else(|| wide(bytes)).or_else(|| escaping(bytes)) {
        return Ok(decoded(bytes, charset, warnings(charset)));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        // In ASCII all charsets that may be named are alike.
        let is_ascii = text.is_ascii();
        return Ok(Decoded {
            text: Cow::Borrowed(text),
            charset: (!is_ascii).then_some(UTF_8.name()),
            warnings: if is_ascii {
                Vec::new()
            } else {
                warnings(UTF_8)
            },
        });
    }
    // The label was readable before decoding, so it names no UTF-16.
    let named = label.as_ref().and_then(|label| label.charset);
    if let Some(charset) = named.filter(|charset| charset.is_ascii_compatible())
        && let Some(text) = charset.decode_without_bom_handling_and_without_replacement(bytes)
    {
        return Ok(Decoded {
            text,
            charset: Some(charset.name()),
            warnings: Vec::new(),
        });
    }
    let (charset, text) = guessed(bytes);
    Ok(with_text(text, charset, warnings(charset)))
}

/// The form of UTF-16 of a text without a byte order mark: the text begins with two letters of
/// ASCII, and has no zero and no broken letter.
pub(super) fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let charset = match *bytes.first_chunk()? {
        [1..0x80, 0, 1..0x80, 0] => UTF_16LE,
        [0, 1..0x80, 0, 1..0x80] => UTF_16BE,
        _ => return None,
    };
    let text = charset.decode_without_bom_handling_and_without_replacement(bytes)?;
    (!text.trim_end_matches('\0').contains('\0')).then_some(charset)
}

/// ISO-2022-JP, if a text of ASCII has an escape sequence to Japanese letters, and no broken
/// letter.
fn escaping(bytes: &[u8]) -> Option<&'static Encoding> {
    const SEQUENCES: [&[u8]; 3] = [b"\x1b$B", b"\x1b$@", b"\x1b(J"];
    let has_sequence = || bytes.windows(3).any(|found| SEQUENCES.contains(&found));
    let is_known = bytes.is_ascii() && bytes.contains(&0x1b) && has_sequence();
    let text = || ISO_2022_JP.decode_without_bom_handling_and_without_replacement(bytes);
    (is_known && text().is_some()).then_some(ISO_2022_JP)
}

fn decoded<'a>(bytes: &'a [u8], charset: &'static Encoding, warnings: Vec<Warning>) -> Decoded<'a> {
    let text = charset.decode_without_bom_handling(bytes).0;
    with_text(text, charset, warnings)
}

/// Warns of bytes that could not be read.
fn with_text<'a>(
    text: Cow<'a, str>,
    charset: &'static Encoding,
    mut warnings: Vec<Warning>,
) -> Decoded<'a> {
    if text.contains(char::REPLACEMENT_CHARACTER) {
        warnings.push(Warning::Unreadable(charset.name()));
    }
    Decoded {
        text,
        charset: Some(charset.name()),
        warnings,
    }
}

/// A value of `CA`.
struct Label {
    name: String,
    /// The charset of this name, if there is one.
    charset: Option<&'static Encoding>,
}

impl Label {
    /// The first value that names a charset; otherwise the first that is not empty.
    fn of(bytes: &[u8]) -> Option<Label> {
        let is_letter = |at: usize| at > 0 && bytes[at - 1].is_ascii_alphanumeric();
        let names = bytes.windows(2).enumerate();
        let names = names.filter(|&(at, name)| name == b"CA" && !is_letter(at));
        let values = names.filter_map(|(at, name)| {
            let value = bytes[at + name.len()..].trim_ascii_start();
            let value = value.strip_prefix(b"[")?;
            let end = value.iter().take(MAX_LABEL).position(|&b| b == b']')?;
            let name = std::str::from_utf8(value[..end].trim_ascii()).ok()?;
            (!name.is_empty()).then(|| Label {
                name: name.to_string(),
                charset: encoding_named(name),
            })
        });
        let mut unknown = None;
        for label in values {
            if label.charset.is_some() {
                return Some(label);
            }
            unknown.get_or_insert(label);
        }
        unknown
    }

    /// The warning that the text was read in another charset.
    fn warning(&self, used: &'static Encoding) -> Option<Warning> {
        match self.charset {
            Some(named) if named == used => None,
            Some(named) => Some(Warning::Charset {
                named: named.name(),
                used: used.name(),
            }),
            None => Some(Warning::NoCharset {
                name: self.name.clone(),
                used: used.name(),
            }),
        }
    }
}

/// The charset most like the bytes, and their text.
fn guessed(bytes: &[u8]) -> (&'static Encoding, Cow<'_, str>) {
    let damaged = String::from_utf8_lossy(bytes);
    if is_mostly_whole(&damaged) {
        return (UTF_8, damaged);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let mut guess = detector.guess(None, Utf8Detection::Deny);
    let mut text = guess.decode_without_bom_handling(bytes).0;
    // A short name is too little for a sure guess. A wrong guess may cost names, but no values: if
    // another charset finds more values, a `\` or `]` belongs to a character.
    for charset in AMBIGUOUS {
        if let Some(other) = charset.decode_without_bom_handling_and_without_replacement(bytes)
            && values(&other) > values(&text)
        {
            (guess, text) = (charset, other);
        }
    }
    (guess, text)
}

/// True if most of the non-ASCII characters could be read: then the text is UTF-8 cut inside a
/// character by some program.
fn is_mostly_whole(text: &str) -> bool {
    let others = text.chars().filter(|c| !c.is_ascii());
    let broken = others.clone().filter(|&c| c == char::REPLACEMENT_CHARACTER);
    others.count() > 3 * broken.count()
}

/// Number of values in brackets.
fn values(text: &str) -> usize {
    let (mut count, mut is_inside) = (0, false);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if is_inside => drop(bytes.next()),
            b'[' => is_inside = true,
            b']' if is_inside => {
                is_inside = false;
                count += 1;
            }
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{ReadOptions, Record, RecordedGame, read};
    use tengen::board::Board;

    fn record(bytes: &[u8]) -> Record {
        let empty = Board::new(15, 15).unwrap();
        read(bytes, &ReadOptions::new("", &empty)).unwrap()
    }

    fn game(bytes: &[u8]) -> RecordedGame {
        record(bytes).games.remove(0)
    }

    /// A game with this name of Black's player, in this charset, with these properties before it.
    fn named(charset: &str, before: &str, name: &str) -> Vec<u8> {
        let text = format!("(;GM[4]{before}PB[{name}]SZ[20];B[hh];W[ih])");
        let charset = Encoding::for_label(charset.as_bytes()).unwrap();
        let (bytes, _, has_unknown) = charset.encode(&text);
        assert!(!has_unknown, "{name}");
        bytes.into_owned()
    }

    #[test]
    fn a_label_names_the_charset() {
        for (label, name) in [
            ("Shift_JIS", "表"),
            ("Shift_JIS", "能勢"),
            ("Big5", "許銀川"),
            ("GBK", "乗"),
            ("GB18030", "吴镝"),
            ("EUC-KR", "박정환"),
            ("windows-1251", "Е"),
            ("windows-1250", "Nový"),
        ] {
            for before in [
                format!("CA[{label}]"),
                format!("CA[x]CA\n[ {label} ]"),
                format!("PCA[UTF-8]CA[{label}]"),
            ] {
                let game = game(&named(label, &before, name));
                assert_eq!(game.black, name, "{before}");
                assert_eq!((game.moves.len(), game.start.width()), (2, 20), "{before}");
            }
        }
    }

    #[test]
    fn without_a_label_the_charset_is_guessed() {
        for (charset, name) in [
            ("Shift_JIS", "ソ"),
            ("Shift_JIS", "長谷川一人"),
            ("Big5", "許銀川"),
            ("GBK", "戴晓涵"),
            ("EUC-KR", "김규현"),
            ("windows-1251", "Михаил Кожин"),
            ("windows-1250", "Štěpán Tesařík"),
        ] {
            let game = game(&named(charset, "CA[?]", name));
            assert_eq!((game.black.as_str(), game.moves.len()), (name, 2));
        }
    }

    /// The guess alone is wrong for these charsets: a code page of Windows.
    #[test]
    fn a_wrong_guess_costs_no_moves_and_no_size() {
        for (charset, name) in [
            ("Shift_JIS", "表"),
            ("Shift_JIS", "能"),
            ("Shift_JIS", "十河 圭"),
            ("Big5", "許"),
            ("Big5", "功"),
            ("GBK", "張三 乗"),
        ] {
            let game = game(&named(charset, "", name));
            assert_eq!((game.moves.len(), game.start.width()), (2, 20), "{name}");
        }
        // In this charset the bracket is really escaped.
        let game = game(&named("windows-1252", "", "José\\] Muñoz"));
        assert_eq!((game.black.as_str(), game.moves.len()), ("José] Muñoz", 2));
    }

    /// GBK read as UTF-8 lost two of three moves.
    #[test]
    fn a_false_label_is_not_believed() {
        for (charset, name) in [
            ("GBK", "戴晓涵 对 吴镝"),
            ("Shift_JIS", "長谷川一人"),
            ("EUC-KR", "김규현"),
        ] {
            let read = record(&named(charset, "CA[UTF-8]", name));
            assert_eq!(read.games[0].black, name);
            assert_eq!((read.games[0].moves.len(), read.warnings.len()), (2, 1));
            assert_eq!(
                read.charset,
                Encoding::for_label(charset.as_bytes()).map(Encoding::name)
            );
        }
        let read = record(&named("UTF-8", "CA[GBK]", "戴晓涵"));
        assert_eq!(
            (&*read.games[0].black, read.charset),
            ("戴晓涵", Some("UTF-8"))
        );
        let options = |charset| ReadOptions {
            charset: Some(charset),
            ..ReadOptions::new("", Box::leak(Box::new(Board::new(15, 15).unwrap())))
        };
        let bytes = named("windows-1251", "CA[GBK]", "Кожин");
        assert_eq!(read_games(&bytes, &options("cp1251")).unwrap(), "Кожин");
        assert!(read_games(&bytes, &options("none")).is_err());
    }

    /// The names of Windows were passed over, and the text was guessed.
    #[test]
    fn names_of_windows_and_of_programs_are_known() {
        for (label, charset, name) in [
            ("cp936", "GBK", "陈靖"),
            ("CP-936", "GBK", "陈靖"),
            ("ms936", "GBK", "陈靖"),
            ("windows-936", "GBK", "陈靖"),
            ("936", "GBK", "陈靖"),
            ("EUC-CN", "GBK", "陈靖"),
            ("euccn", "GBK", "陈靖"),
            ("cp54936", "gb18030", "陈靖"),
            ("cp932", "Shift_JIS", "表"),
            ("ShiftJIS", "Shift_JIS", "表"),
            ("cp949", "EUC-KR", "박정환"),
            ("MS949", "EUC-KR", "박정환"),
            ("cp950", "Big5", "許銀川"),
            ("eucJP", "EUC-JP", "能勢"),
            ("cp1251", "windows-1251", "Кожин"),
            ("Windows1251", "windows-1251", "Кожин"),
        ] {
            let read = record(&named(charset, &format!("CA[{label}]"), name));
            let found = (&*read.games[0].black, read.charset, read.warnings.len());
            assert_eq!(found, (name, Some(charset), 0), "{label}");
            let bytes = named(charset, "", name);
            let decoded = decode(&bytes, Some(label)).unwrap();
            assert!(decoded.text.contains(name), "{label}");
            assert!(crate::renlib::Charset::named(label).is_some(), "{label}");
        }
        for label in ["cp", "cp9999", "foo", "", "-", "hz-gb-2312"] {
            assert!(decode(b"", Some(label)).is_err(), "{label}");
        }
    }

    #[test]
    fn a_label_that_does_not_count_is_told() {
        let other = "the text is not in GBK, the charset that it names; it was read as UTF-8";
        let unknown = "CA[foo] names no charset that is known; the text was read as UTF-8";
        for (charset, before, name, told) in [
            ("UTF-8", "CA[foo]", "戴晓涵", unknown),
            ("UTF-8", "CA[cp936]", "戴晓涵", other),
            ("UTF-8", "CA[foo]CA[GB2312]", "戴晓涵", other),
            ("UTF-8", "CA[utf8]", "戴晓涵", ""),
            ("UTF-8", "CA[]", "戴晓涵", ""),
            ("UTF-8", "CA[foo]", "Ann", ""),
            (
                "windows-1251",
                "CA[foo]",
                "Михаил Кожин",
                "the text was read as windows-1251",
            ),
        ] {
            let bytes = named(charset, before, name);
            let marked = [b"\xef\xbb\xbf", &bytes[..]].concat();
            let is_utf_8 = charset == "UTF-8" && name != "Ann";
            for bytes in [&bytes, &marked]
                .into_iter()
                .take(1 + usize::from(is_utf_8))
            {
                let read = record(bytes);
                let found: Vec<String> = read.warnings.iter().map(Warning::to_string).collect();
                assert_eq!(read.games[0].black, name);
                assert_eq!(
                    found.len(),
                    usize::from(!told.is_empty()),
                    "{before}: {found:?}"
                );
                assert!(found.iter().all(|found| found.contains(told)), "{found:?}");
            }
        }
    }

    fn read_games(bytes: &[u8], options: &ReadOptions) -> Result<String, RecordError> {
        Ok(read(bytes, options)?.games.remove(0).black)
    }

    #[test]
    fn utf_8_stays_though_it_is_cut_inside_a_character() {
        let mut bytes = named("UTF-8", "", "中国棋手").to_vec();
        assert_eq!(game(&bytes).black, "中国棋手");
        let end = bytes.iter().rposition(|&byte| byte >= 0x80).unwrap();
        bytes.remove(end);
        let damaged = game(&bytes);
        assert_eq!(damaged.black, "中国棋\u{fffd}");
        assert_eq!(damaged.moves.len(), 2);
        let marked = [b"\xef\xbb\xbf", &bytes[..]].concat();
        assert_eq!(game(&marked), damaged);
    }

    #[test]
    fn utf_16_and_iso_2022_jp_are_known_by_their_bytes() {
        let text = "(;GM[4]PB[\u{8868}]SZ[20];B[hh];W[ih])";
        for mark in ["\u{feff}", ""] {
            let letters: Vec<u16> = mark.encode_utf16().chain(text.encode_utf16()).collect();
            let bytes = |of: fn(u16) -> [u8; 2]| letters.iter().flat_map(|&n| of(n)).collect();
            let both: [(Vec<u8>, _); 2] = [
                (bytes(u16::to_le_bytes), "UTF-16LE"),
                (bytes(u16::to_be_bytes), "UTF-16BE"),
            ];
            for (bytes, charset) in both {
                let read = record(&bytes);
                assert_eq!(
                    (&*read.games[0].black, read.games[0].moves.len()),
                    ("\u{8868}", 2)
                );
                assert_eq!((read.charset, read.warnings), (Some(charset), vec![]));
            }
        }
        for before in ["", "CA[ISO-2022-JP]", "CA[UTF-8]"] {
            let bytes = named("ISO-2022-JP", before, "\u{9577}\u{8c37}\u{5ddd} \u{8868}");
            let read = record(&bytes);
            assert_eq!(read.games[0].black, "\u{9577}\u{8c37}\u{5ddd} \u{8868}");
            let found = (read.games[0].moves.len(), read.charset);
            assert_eq!(found, (2, Some("ISO-2022-JP")));
            assert_eq!(read.warnings.len(), usize::from(before.contains("UTF")));
        }
        // Neither a binary file nor an escape sequence of a terminal.
        let empty = Board::new(15, 15).unwrap();
        let refused = |bytes: &[u8]| read(bytes, &ReadOptions::new("", &empty)).unwrap_err();
        assert_eq!(
            refused(b"P\0K\0\0\0\x01\0"),
            RecordError::Foreign("a binary file")
        );
        assert_eq!(record(b"(;PB[\x1b[1m];B[hh])").charset, None);
    }
}
