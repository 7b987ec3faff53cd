//! Tables read by the page in `web/` too. `WRITE_TABLES=1` writes them again.

use std::path::{Path, PathBuf};

/// The file at `path` below the repository's root.
fn at_root(path: &str) -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = folders.find(|folder| folder.join("web").is_dir());
    found.expect("the page's folder").join(path)
}

/// Fails unless the file holds `text`.
pub fn assert_held(path: &str, text: &str) {
    let file = at_root(path);
    if std::env::var_os("WRITE_TABLES").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    let is_held = std::fs::read_to_string(&file).is_ok_and(|held| held == text);
    assert!(
        is_held,
        "{path} is stale: 'WRITE_TABLES=1 cargo test' writes it"
    );
}

/// Fails unless each line of cases is its first `inputs` columns, separated by tabs, and the answer
/// to them. Lines that begin with `#` are comments.
#[allow(dead_code, reason = "generated tables have no cases")]
pub fn assert_answers(path: &str, inputs: usize, answer: impl Fn(&[&str]) -> String) {
    let held = std::fs::read_to_string(at_root(path)).unwrap();
    let line = |line: &str| {
        if line.is_empty() || line.starts_with('#') {
            return format!("{line}\n");
        }
        let columns: Vec<&str> = line.split('\t').take(inputs).collect();
        format!("{}\t{}\n", columns.join("\t"), answer(&columns))
    };
    assert_held(path, &held.lines().map(line).collect::<String>());
}
