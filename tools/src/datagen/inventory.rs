//! Number of games, branches and labels by rule, board and source, in many files together.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Serialize, Serializer};

use super::Kind;
use super::counts::Counts;
use super::data_file::{FileSummary, Maker, Section, read_data_file};
use tengen::rules::Rule;

/// The origin of games and labels, as far as their quality depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Recipe {
    /// Games of the engine.
    Games {
        /// Nodes of the search for a move.
        nodes: u64,
        /// Branches of each search.
        branches: u32,
        /// Nodes of the search that labels the end of a branch; 0 where the table does.
        relabel_nodes: u64,
        /// Fingerprint of the evaluation; 0 for the classical one.
        #[serde(serialize_with = "as_hexadecimal")]
        evaluation: u64,
    },
    /// Games of others.
    Other {
        /// Maker and method in words.
        source: String,
    },
}

/// Games of one kind with one recipe.
#[derive(Clone, Debug)]
pub struct InventoryRow {
    /// Rule and board of the games.
    pub kind: Kind,
    /// The origin of the games.
    pub recipe: Recipe,
    /// Files that have such games.
    pub files: u64,
    /// Files among them that end inside a frame.
    pub unfinished: u64,
    /// Number of games, branches and labels.
    pub counts: Counts,
    /// Length of their frames; where a file has several kinds, by their labels.
    pub bytes: u64,
    /// Number of the last file that was counted.
    last_file: u64,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    rows: Vec<InventoryRow>,
    /// Files that were added.
    pub files: u64,
    /// Length of the files.
    pub bytes: u64,
}

impl Inventory {
    /// Adds a file.
    pub fn add(&mut self, file: &FileSummary) {
        self.files += 1;
        self.bytes += file.bytes as u64;
        for section in &file.sections {
            self.add_section(section, file.torn.is_some());
        }
    }

    fn add_section(&mut self, section: &Section, is_unfinished: bool) {
        let labels = section.counts.total().labels;
        for &(kind, counts) in &section.counts.0 {
            let recipe = Recipe::of(&section.maker, kind.rule);
            let is_it = |row: &InventoryRow| row.kind == kind && row.recipe == recipe;
            let index = self.rows.iter().position(is_it).unwrap_or_else(|| {
                self.rows.push(InventoryRow {
                    kind,
                    recipe,
                    files: 0,
                    unfinished: 0,
                    counts: Counts::default(),
                    bytes: 0,
                    last_file: 0,
                });
                self.rows.len() - 1
            });
            let row = &mut self.rows[index];
            if row.last_file < self.files {
                row.last_file = self.files;
                row.files += 1;
                row.unfinished += u64::from(is_unfinished);
            }
            row.counts += counts;
            let product = section.bytes as u128 * u128::from(counts.labels);
            row.bytes += (product / u128::from(labels.max(1))) as u64;
        }
    }

    /// The rows by rule and board.
    pub fn rows(&self) -> impl Iterator<Item = &InventoryRow> {
        let mut rows: Vec<&InventoryRow> = self.rows.iter().collect();
        rows.sort_by_key(|row| (row.kind.rule.index(), row.kind.size));
        rows.into_iter()
    }

    /// The labels of a rule.
    pub fn labels(&self, rule: Rule) -> u64 {
        let rows = self.rows.iter().filter(|row| row.kind.rule == rule);
        rows.map(|row| row.counts.labels).sum()
    }
}

fn as_hexadecimal<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{number:016x}"))
}

impl Recipe {
    fn of(maker: &Maker, rule: Rule) -> Recipe {
        let settings = match maker {
            Maker::Engine(settings) => settings,
            Maker::Other(source) => {
                let source = source.clone();
                return Recipe::Other { source };
            }
        };
        let place = settings.rules.iter().position(|&r| r == rule);
        let evaluation = place.and_then(|place| settings.evaluations.get(place));
        Recipe::Games {
            nodes: settings.nodes,
            branches: settings.branches,
            relabel_nodes: settings.relabel_nodes,
            evaluation: evaluation.copied().unwrap_or(0),
        }
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, branches, relabel_nodes, evaluation) = match self {
            Recipe::Games {
                nodes,
                branches,
                relabel_nodes,
                evaluation,
            } => (nodes, *branches, *relabel_nodes, *evaluation),
            // One line, whatever the source's text has.
            Recipe::Other { source } => return write!(f, "by {}", source.escape_debug()),
        };
        write!(f, "{nodes} nodes")?;
        match (branches, relabel_nodes) {
            (0, _) => {}
            (branches, 0) => write!(f, ", {branches} branches from the table")?,
            (branches, nodes) => write!(f, ", {branches} branches of {nodes} nodes")?,
        }
        match evaluation {
            0 => write!(f, ", classical evaluation"),
            fingerprint => write!(f, ", network {fingerprint:016x}"),
        }
    }
}

impl fmt::Display for InventoryRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts {
            games,
            branches,
            labels,
        } = self.counts;
        let (Kind { rule, size }, files) = (self.kind, self.files);
        let plural = if files == 1 { "" } else { "s" };
        write!(
            f,
            "{rule} {size}x{size}: {files} file{plural}, {games} games, {branches} branches, \
             {labels} labels; {}",
            self.recipe
        )
    }
}

/// The files of games that `path` names: itself, or the `.bin.zst` files of a folder in the order
/// of their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn data_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in path.read_dir()? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        if name.ends_with(b".bin.zst") && !name.starts_with(b".") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Content of a folder that several processes fill. Only changed files are read again.
pub struct FolderInventory {
    folder: PathBuf,
    known: BTreeMap<PathBuf, (Stamp, FileSummary)>,
}

/// Length and time of the last change of a file; `None` where there is none.
type Stamp = Option<(u64, SystemTime)>;

impl FolderInventory {
    /// Of this folder, of which nothing is known yet.
    pub fn new(folder: &Path) -> FolderInventory {
        FolderInventory {
            folder: folder.to_path_buf(),
            known: BTreeMap::new(),
        }
    }

    /// The present content of the readable files.
    pub fn read(&mut self) -> Inventory {
        let mut before = std::mem::take(&mut self.known);
        let mut inventory = Inventory::default();
        for path in data_files(&self.folder).unwrap_or_default() {
            let stamp = stamp(&path);
            let known = before.remove(&path).filter(|(known, _)| *known == stamp);
            let read = || read_data_file(&path, &mut |_| {});
            if let Ok(summary) = known.map_or_else(read, |(_, summary)| Ok(summary)) {
                inventory.add(&summary);
                self.known.insert(path, (stamp, summary));
            }
        }
        inventory
    }
}

fn stamp(path: &Path) -> Stamp {
    let metadata = path.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}
