//! The page: an archive built from `web/` and compiled in.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::ops::Range;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// The built page: plain tar, each member compressed by gzip.
const ARCHIVE: &[u8] = include_bytes!("../../../web/page.tar");
/// The end of each member's name.
const SUFFIX: &str = ".gz";
/// The member that is the board.
const BOARD: &str = "index.html";
/// The member that shows a review or the report of a match.
const REVIEW: &str = "review.html";
/// The place in it for either.
const REVIEW_PLACE: &str = "<script type=\"application/json\" id=\"review\">null</script>";
/// The title of a review; the title of a match replaces it.
const REVIEW_TITLE: &str = "<title>Tengen: review of a game</title>";
/// A mark in the head of a match's report.
const MATCH_MARK: &str = "<meta name=\"generator\" content=\"tengen match report\">";
/// The place where the page's script shows its data.
const APP: &str = "<div id=\"app\"></div>";

/// The reason why a page cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The page is no archive.
    #[error("the page in this program is damaged: {0}")]
    Archive(#[from] io::Error),
    /// The page has no template of a review.
    #[error("this program was built without the page of a review")]
    NoReview,
    /// The page has no place for a fact about the server; holds its name.
    #[error("the page in this program has no place for {0}")]
    NoPlace(&'static str),
}

/// The files of the page, by their paths without the suffix of the compression.
#[derive(Debug)]
pub struct Page {
    archive: &'static [u8],
    files: HashMap<String, Range<usize>>,
    /// The board with facts about the server added, compressed by gzip, in place of the archive's.
    board: Option<Vec<u8>>,
}

impl Page {
    /// The compiled-in page.
    ///
    /// # Errors
    /// When the page is no archive.
    pub fn built_in() -> Result<Page, PageError> {
        Page::of(ARCHIVE)
    }

    fn of(archive: &'static [u8]) -> Result<Page, PageError> {
        let mut files = HashMap::new();
        for entry in tar::Archive::new(archive).entries()? {
            let entry = entry?;
            let path = entry.path()?.to_string_lossy().into_owned();
            let start = entry.raw_file_position() as usize;
            let range = start..start + entry.size() as usize;
            if archive.get(range.clone()).is_none() {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            if let Some(name) = path.strip_suffix(SUFFIX) {
                files.insert(name.to_string(), range);
            }
        }
        Ok(Page {
            archive,
            files,
            board: None,
        })
    }

    /// The page whose board knows facts about the server, each by the name of its `meta` element.
    ///
    /// # Errors
    /// When the page has no place for one of them.
    pub fn knowing(mut self, facts: &[(&'static str, String)]) -> Result<Page, PageError> {
        let mut board = String::new();
        if let Some((bytes, _)) = self.file("/") {
            GzDecoder::new(bytes).read_to_string(&mut board)?;
        }
        for (name, value) in facts {
            let place = format!("<meta name=\"{name}\" content=\"");
            let (head, tail) = board.split_once(&place).ok_or(PageError::NoPlace(name))?;
            let value = escaped(value).replace('"', "&quot;");
            board = format!("{head}{place}{value}{tail}");
        }
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(board.as_bytes())?;
        self.board = Some(gzip.finish()?);
        Ok(self)
    }

    /// The file at a path of a URL, compressed by gzip, and its type.
    pub fn file(&self, path: &str) -> Option<(&[u8], &'static str)> {
        let name = match path.strip_prefix('/')? {
            "" => BOARD,
            name => name,
        };
        let range = self.files.get(name)?.clone();
        let board = self.board.as_deref().filter(|_| name == BOARD);
        Some((board.unwrap_or(&self.archive[range]), content_type(name)))
    }

    /// A self-contained page with a review, given as JSON.
    ///
    /// # Errors
    /// When the page has no template for it.
    pub fn review(&self, json: &str) -> Result<String, PageError> {
        let range = self.files.get(REVIEW).ok_or(PageError::NoReview)?.clone();
        let mut template = String::new();
        GzDecoder::new(&self.archive[range]).read_to_string(&mut template)?;
        let (head, tail) = template
            .split_once(REVIEW_PLACE)
            .ok_or(PageError::NoReview)?;
        // A script ends at the first `</script`, even inside a string; only strings of JSON have a
        // `<`.
        let json = without_controls(json).replace('<', "\\u003c");
        let (open, close) = REVIEW_PLACE.split_once("null").expect("part of the text");
        Ok([head, open, &json, close, tail].concat())
    }

    /// A self-contained page with the report of a match, given as JSON. Where scripts do not run,
    /// the page shows `text`.
    ///
    /// # Errors
    /// When the page has no template for it.
    pub fn match_report(&self, title: &str, json: &str, text: &str) -> Result<String, PageError> {
        let title = format!("{MATCH_MARK}<title>{}</title>", escaped(title));
        let text = format!("{APP}<noscript><pre>{}</pre></noscript>", escaped(text));
        let page = self.review(json)?.replacen(REVIEW_TITLE, &title, 1);
        Ok(page.replacen(APP, &text, 1))
    }
}

/// True if a file that begins with `head` is the report of a match.
pub fn is_match_report(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.starts_with("<!doctype html>") && text.contains(MATCH_MARK)
}

/// The text without the control characters forbidden in HTML; names and engines' messages may have
/// them.
fn without_controls(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}")
}

/// The text as HTML shows it, outside of tags.
fn escaped(text: &str) -> String {
    let text = without_controls(text);
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(files: &[(&str, &str)]) -> &'static [u8] {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, text) in files {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
            gzip.write_all(text.as_bytes()).unwrap();
            let bytes = gzip.finish().unwrap();
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            builder.append_data(&mut header, name, &bytes[..]).unwrap();
        }
        builder.into_inner().unwrap().leak()
    }

    #[test]
    fn files_are_found_by_their_paths() {
        let page = Page::of(archive(&[("index.html.gz", "a"), ("assets/a.js.gz", "b")])).unwrap();
        assert_eq!(page.file("/").unwrap().1, "text/html; charset=utf-8");
        let (bytes, kind) = page.file("/assets/a.js").unwrap();
        let mut text = String::new();
        GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
        assert_eq!((&*text, kind), ("b", "text/javascript; charset=utf-8"));
        for path in [
            "",
            "index.html",
            "/none",
            "/../Cargo.toml",
            "/index.html.gz",
            "//",
        ] {
            assert!(page.file(path).is_none(), "{path}");
        }
        assert!(Page::of(&archive(&[("a.gz", "a")])[..600]).is_err());
    }

    #[test]
    fn facts_about_the_server_are_written_into_the_board() {
        let places = "<meta name=\"a\" content=\"\" /><meta name=\"b\" content=\"\" />";
        let page = Page::of(archive(&[("index.html.gz", places)])).unwrap();
        let facts = [
            ("b", "8".to_string()),
            ("a", "https://a.b/?c=1&d=\"<2".to_string()),
        ];
        let page = page.knowing(&facts).unwrap();
        let mut text = String::new();
        GzDecoder::new(page.file("/").unwrap().0)
            .read_to_string(&mut text)
            .unwrap();
        let address = "content=\"https://a.b/?c=1&amp;d=&quot;&lt;2\" />";
        let number = "<meta name=\"b\" content=\"8\" />";
        assert_eq!(text, format!("<meta name=\"a\" {address}{number}"));
        let without = Page::of(archive(&[("index.html.gz", "x")])).unwrap();
        let refused = without.knowing(&facts);
        assert!(matches!(refused, Err(PageError::NoPlace("b"))));
    }

    #[test]
    fn a_review_is_written_into_its_template() {
        let template = format!("<p>{REVIEW_PLACE}</p>");
        let page = Page::of(archive(&[("review.html.gz", &template)])).unwrap();
        let text = page.review("{\"sgf\":\"</script><!--\"}").unwrap();
        assert_eq!(text.matches("</script>").count(), 1);
        assert!(
            text.contains("\"sgf\":\"\\u003c/script>\\u003c!--\""),
            "{text}"
        );
        let without = Page::of(archive(&[("review.html.gz", "x")])).unwrap();
        assert!(matches!(without.review("{}"), Err(PageError::NoReview)));
    }

    #[test]
    fn the_page_of_this_program_is_whole() {
        let page = Page::built_in().unwrap();
        assert!(page.file("/").is_some());
        assert!(page.review("{}").is_ok());
        let report = page.match_report("A & B", "{}", "1 < 2").unwrap();
        assert!(report.contains("<title>A &amp; B</title>"));
        assert!(report.contains("<noscript><pre>1 &lt; 2</pre></noscript>"));
        assert!(is_match_report(report.as_bytes()));
        assert!(!is_match_report(page.review("{}").unwrap().as_bytes()));
    }
}
