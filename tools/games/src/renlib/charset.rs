//! The charset of a library: RenLib writes in the code page of its machine.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

/// A charset that contains ASCII unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset(&'static Encoding);

impl Charset {
    /// The charset of a library that names none.
    pub const UTF_8: Charset = Charset(encoding_rs::UTF_8);

    /// The charset with this name, such as `GBK` or `windows-1251`, in any letter case.
    pub fn named(name: &str) -> Option<Charset> {
        let found = encoding_named(name)?;
        found.is_ascii_compatible().then_some(Charset(found))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The charset that all texts of a library together resemble.
    pub(super) fn of_texts<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Charset {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        let (mut in_utf_8, mut in_others) = (0_usize, 0_usize);
        for text in texts.filter(|text| !text.is_ascii()) {
            match std::str::from_utf8(text) {
                Ok(_) => in_utf_8 += 1,
                Err(_) => in_others += 1,
            }
            detector.feed(text, false);
            // Separates the texts, as the last letter of each may be cut.
            detector.feed(b"\n", false);
        }
        // Hardly a text of another charset is UTF-8 too; a few that are not may be cut inside a
        // letter.
        if in_utf_8 > 3 * in_others || in_others == 0 {
            return Charset::UTF_8;
        }
        Charset(detector.guess(None, Utf8Detection::Deny))
    }

    /// A text, and true if some of its bytes are no letters of this charset.
    pub(super) fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        self.0.decode_without_bom_handling(bytes)
    }

    /// The bytes of a text, and true if the charset lacks some of its letters: the numbers of those
    /// stand in their place, as `&#20116;`.
    pub fn encode_lossy(self, text: &str) -> (Cow<'_, [u8]>, bool) {
        let (bytes, _, lacks_letters) = self.0.encode(text);
        (bytes, lacks_letters)
    }

    /// The bytes of a text; `None` if the charset lacks some of its letters.
    pub(super) fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let (bytes, _, lacks_letters) = self.0.encode(text);
        (!lacks_letters).then_some(bytes)
    }
}

/// The charset with this name: a label of the Encoding Standard, or a name that programs on Windows
/// and others write, such as `cp936`, `ms949` or `EUC-CN`.
///
/// Sources: <https://encoding.spec.whatwg.org/>; the numbers are those of Microsoft's "Code Page
/// Identifiers", <https://learn.microsoft.com/windows/win32/intl/code-page-identifiers>.
pub(crate) fn encoding_named(name: &str) -> Option<&'static Encoding> {
    if let Some(found) = Encoding::for_label_no_replacement(name.as_bytes()) {
        return Some(found);
    }
    let is_sign = |c: &char| c.is_ascii_alphanumeric();
    let name: String = name.chars().filter(is_sign).collect();
    let name = name.to_ascii_lowercase();
    let number = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let label = match &name[..name.len() - number.len()] {
        "" | "cp" | "ms" | "ibm" | "windows" | "codepage" => match number {
            "932" => "shift_jis",
            "936" | "20936" | "51936" => "gbk",
            "949" | "51949" => "euc-kr",
            "950" => "big5",
            "20932" | "51932" => "euc-jp",
            "54936" => "gb18030",
            "65001" => "utf-8",
            _ => &format!("windows-{number}"),
        },
        "shiftjis" => "shift_jis",
        "euccn" => "gbk",
        "eucjp" => "euc-jp",
        "euckr" => "euc-kr",
        _ => &name,
    };
    Encoding::for_label_no_replacement(label.as_bytes())
}
