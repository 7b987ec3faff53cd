//! What many files of games have together, by rule, board and what made them.

use std::fmt;

use super::counts::Counts;
use super::data_file::{FileSummary, Section};
use super::format::Maker;
use tengen::rules::Rule;

/// How games or labels were made, as far as it tells how good they are.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        evaluation: u64,
    },
    /// Soft labels.
    Labels {
        /// Who made them and how.
        source: String,
    },
}

/// Games of one kind with one recipe.
#[derive(Clone, Debug)]
pub struct InventoryRow {
    /// Rule of the games.
    pub rule: Rule,
    /// Columns and rows of the board.
    pub size: u8,
    /// What made them; `None` for old files without settings.
    pub recipe: Option<Recipe>,
    /// Files that have such games.
    pub files: u64,
    /// Files among them whose run is not finished.
    pub unfinished: u64,
    /// How many games, branches and labels there are, those counted that wait for their frame.
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
        self.bytes += file.bytes;
        for section in &file.sections {
            self.add_section(section, file.is_unfinished);
        }
    }

    fn add_section(&mut self, section: &Section, is_unfinished: bool) {
        let mut all = section.counts.clone();
        all += &section.waiting;
        let labels_of = |counts: Counts| counts.labels + counts.soft_labels;
        let labels = labels_of(all.total());
        for (rule, size, counts) in all.iter() {
            let recipe = Recipe::of(section, rule);
            let is_it =
                |row: &InventoryRow| row.rule == rule && row.size == size && row.recipe == recipe;
            let index = self.rows.iter().position(is_it).unwrap_or_else(|| {
                self.rows.push(InventoryRow {
                    rule,
                    size,
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
            row.bytes += match labels {
                0 => section.bytes,
                _ => {
                    let product = u128::from(section.bytes) * u128::from(labels_of(counts));
                    (product / u128::from(labels)) as u64
                }
            };
        }
    }

    /// The rows by rule and board.
    pub fn rows(&self) -> impl Iterator<Item = &InventoryRow> {
        let mut rows: Vec<&InventoryRow> = self.rows.iter().collect();
        rows.sort_by_key(|row| (row.rule.index(), row.size));
        rows.into_iter()
    }

    /// The labels of a rule.
    pub fn labels(&self, rule: Rule) -> u64 {
        let rows = self.rows.iter().filter(|row| row.rule == rule);
        rows.map(|row| row.counts.labels).sum()
    }
}

impl Recipe {
    fn of(section: &Section, rule: Rule) -> Option<Recipe> {
        let settings = match &section.origin.as_ref()?.maker {
            Maker::Engine(settings) => settings,
            Maker::Labels(labels) => {
                return Some(Recipe::Labels {
                    source: labels.source.clone(),
                });
            }
        };
        let place = settings.rules.iter().position(|&r| r == rule)?;
        Some(Recipe::Games {
            nodes: settings.nodes,
            branches: settings.branches,
            relabel_nodes: settings.relabel_nodes,
            evaluation: settings.evaluations.get(place).copied().unwrap_or(0),
        })
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
            Recipe::Labels { source } => return write!(f, "by {}", source.escape_debug()),
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
            lines,
            soft_labels,
        } = self.counts;
        let (rule, size, files) = (self.rule, self.size, self.files);
        let plural = if files == 1 { "" } else { "s" };
        write!(
            f,
            "{rule} {size}x{size}: {files} file{plural}, {games} games, {branches} branches, \
             {labels} labels"
        )?;
        if lines > 0 {
            write!(f, ", {lines} lines, {soft_labels} soft labels")?;
        }
        f.write_str("; ")?;
        match &self.recipe {
            Some(recipe) => recipe.fmt(f),
            None => f.write_str("settings unknown: no header, and no .json beside it"),
        }
    }
}
