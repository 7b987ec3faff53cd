//! The charset of a library: RenLib writes in the code page of its machine.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

/// A charset in which ASCII is as it is in UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset(&'static Encoding);

impl Charset {
    /// The charset of a library that names none.
    pub const UTF_8: Charset = Charset(encoding_rs::UTF_8);

    /// The charset with this name, such as `GBK` or `windows-1251`, in any letter case.
    /// Source: the labels of the Encoding Standard, <https://encoding.spec.whatwg.org/>.
    pub fn named(name: &str) -> Option<Charset> {
        let found = Encoding::for_label_no_replacement(name.as_bytes())?;
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
            // Ends the last letter of a text that is cut inside it.
            detector.feed(b"\n", false);
        }
        // Hardly a text of another charset is UTF-8 too; a few that are not may be cut inside a letter.
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
