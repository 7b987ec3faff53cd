//! Games of other formats as Smart Game Format, for boards in a browser.

use crate::records::{ReadOptions, RecordedGame, read};
use crate::renlib::{self, Library};
use crate::sgf::Writer;
use tengen::board::Board;
use tengen::types::{Color, Point};

/// The games of a file as SGF; `name` gives the format if the bytes do not.
///
/// # Errors
/// With one line about the fault of the file.
pub fn to_sgf(bytes: &[u8], name: &str) -> Result<String, String> {
    if renlib::is_library(bytes) || name.to_lowercase().ends_with(".lib") {
        let library = Library::read(bytes).map_err(|error| error.to_string())?;
        return Ok(library_as_sgf(&library));
    }
    let empty = Board::new(15, 15).expect("a supported size");
    let record = read(bytes, &ReadOptions::new(name, &empty)).map_err(|error| error.to_string())?;
    let games = record.games.iter();
    let rule = |game: &RecordedGame| match game.known_rule() {
        Some(rule) => rule.name().to_string(),
        None => game.rule.clone(),
    };
    Ok(games.map(|game| game.sgf(rule(game))).collect())
}

/// A part of a library still to be written.
enum Part {
    /// A node and the nodes below it, after that many moves.
    Node(usize, usize),
    Open,
    Close,
}

/// A library as one game with variations, comments, and texts on cells (`LB`).
fn library_as_sgf(library: &Library) -> String {
    let mut sgf = Writer::new(renlib::SIDE, renlib::SIDE, "renju");
    // Without recursion: a library may be as deep as it is large.
    let mut parts = vec![Part::Node(Library::ROOT, 0)];
    while let Some(part) = parts.pop() {
        let (place, plies) = match part {
            Part::Node(place, plies) => (place, plies),
            Part::Open => {
                sgf.open();
                continue;
            }
            Part::Close => {
                sgf.close();
                continue;
            }
        };
        if place != Library::ROOT {
            sgf.turn(Color::BOTH[(plies + 1) % 2], library.point(place));
        }
        let comment = library.comment(place);
        if !comment.is_empty() {
            sgf.property("C", comment);
        }
        let children: Vec<usize> = library.children(place).collect();
        let labels = children.iter().filter_map(|&child| {
            let text = Some(library.cell_text(child)).filter(|text| !text.is_empty());
            Some((library.point(child)?, text?))
        });
        let labels: Vec<(Point, &str)> = labels.collect();
        sgf.labels(&labels);
        let branches = children.len() > 1;
        for &child in children.iter().rev() {
            if branches {
                parts.push(Part::Close);
            }
            parts.push(Part::Node(child, plies + 1));
            if branches {
                parts.push(Part::Open);
            }
        }
    }
    sgf.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::renlib::Node;

    #[test]
    fn every_format_becomes_sgf() {
        let moves = to_sgf(b"h8 i9 h7", "a.txt").unwrap();
        assert!(moves.ends_with(";B[hh];W[ig];B[hi])\n"), "{moves}");
        let psq = b"Piskvorky 20x20, 11:11, 0\n8,8,100\n9,9,200\nend\n";
        assert!(to_sgf(psq, "a.psq").unwrap().contains("SZ[20]"));
        let sgf = "(;GM[4]SZ[15];B[hh](;W[ii]C[x])(;W[hi]))";
        let whole = to_sgf(sgf.as_bytes(), "a.sgf").unwrap();
        assert!(
            whole.ends_with("SZ[15];B[hh]\n(;W[ii]C[x])\n(;W[hi]))\n"),
            "{whole}"
        );
        for (bytes, name) in [
            (&b"\xff\xfe"[..], "a.lib"),
            (b"(;GM[1]SZ[19]KM[6.5];B[aa])", "go.sgf"),
            (b"q99", ""),
        ] {
            let why = to_sgf(bytes, name).unwrap_err();
            assert!(!why.is_empty() && !why.contains('\n'), "{why}");
        }
    }

    #[test]
    fn names_in_other_charsets_cost_no_moves() {
        let text = to_sgf(b"(;GM[4]PB[\x83\x5c];B[hh];W[ih])", "a.sgf").unwrap();
        assert!(text.ends_with("PB[ソ];B[hh];W[ih])\n"), "{text}");
    }

    #[test]
    fn a_library_keeps_its_tree_comments_and_texts() {
        let mut library = Library::default();
        let node = |x, comment: &str, text: &str| Node {
            point: Some(Point::new(x, 7)),
            comment: comment.to_string(),
            cell_text: text.to_string(),
        };
        let centre = library.add(Library::ROOT, node(7, "", ""));
        library.add(centre, node(8, "a]b", "1:2"));
        library.add(centre, node(9, "", ""));
        let text = to_sgf(&library.write(), "x").unwrap();
        let expected = ";B[hh]LB[ih:1\\:2]\n(;W[ih]C[a\\]b])\n(;W[jh]))\n";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn a_deep_library_needs_no_stack() {
        let mut library = Library::default();
        let mut parent = Library::ROOT;
        for _ in 0..200_000 {
            parent = library.add(parent, Node::default());
        }
        assert!(library_as_sgf(&library).len() > 200_000);
    }
}
