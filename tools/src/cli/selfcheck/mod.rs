//! `selfcheck`: a check of the program for a user who suspects a fault.

mod machine;

use std::io;
use std::process::ExitCode;

use super::{Error, Output, solve};
use tengen::bench;
use tengen::engine::{Engine, Options};
use tengen::eval;
use tengen::eval::network::{Network, NetworkFile};
use tengen::rules::Rule;
use tengen_games::corpus::{self, Case};

/// Check this program on this machine
///
/// Shows the machine's features and the ones in use, verifies the weights in the program,
/// recomputes positions with known answers (rules, forced wins, defences), and searches the
/// positions of 'bench'. Takes some seconds. The exit status is 1 if a check fails.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

/// Rules cases with a name: all are recomputed.
const RULES: &str = include_str!("../../../../bench_positions/rules_named.txt");
/// Wins by threats, and defences against wins by fours: every [`EACH`]th is solved.
const TACTICS: [(&str, &str); 2] = [
    (
        "bench_positions/vct.txt",
        include_str!("../../../../bench_positions/vct.txt"),
    ),
    (
        "bench_positions/defend.txt",
        include_str!("../../../../bench_positions/defend.txt"),
    ),
];
const EACH: usize = 10;

pub(super) fn run(_args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let mut list = List {
        out,
        faults: Vec::new(),
    };
    list.fact("program", &machine::program())?;
    list.fact("system", &machine::system())?;
    list.fact("processor", &machine::processor())?;
    list.fact("loops", &machine::loops())?;
    list.fact("memory", &machine::memory())?;
    weights(&mut list)?;
    networks(&mut list)?;
    rules(&mut list)?;
    tactics(&mut list)?;
    if list.faults.is_empty() {
        search(&mut list)?;
    } else {
        list.fact("search", "left out, as it cannot be right now")?;
    }
    let List { out, faults } = list;
    if faults.is_empty() {
        writeln!(out, "All is well.")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "Not as it should be: {}.", faults.join(", "))?;
    Ok(ExitCode::FAILURE)
}

/// The printed lines, and the faults found.
struct List<'a> {
    out: &'a mut Output,
    faults: Vec<&'static str>,
}

impl List<'_> {
    fn fact(&mut self, name: &'static str, text: &str) -> io::Result<()> {
        writeln!(self.out, "{name:<12}{text}")
    }

    /// A line that is good or bad.
    fn verdict(&mut self, name: &'static str, good: bool, text: &str) -> io::Result<()> {
        if good {
            return self.fact(name, text);
        }
        if !self.faults.contains(&name) {
            self.faults.push(name);
        }
        self.fact(name, &format!("WRONG: {text}"))
    }
}

/// Checks the weights' files in the program. Caro uses the weights of other rules.
fn weights(list: &mut List) -> io::Result<()> {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let verified = eval::embedded(rule)
            .and_then(|file| Ok((file.len().div_ceil(1024), eval::verify(&file, rule)?)));
        match verified {
            Ok((kib, sum)) => list.fact(
                "weights",
                &format!("{rule}: {kib} KiB, checksum {sum:016x}"),
            )?,
            Err(error) => list.verdict("weights", false, &format!("{rule}: {error}"))?,
        }
    }
    Ok(())
}

/// Checks the networks in the program: each is unpacked as for a search.
fn networks(list: &mut List) -> io::Result<()> {
    let file = match NetworkFile::embedded() {
        Ok(file) => file,
        Err(error) => return list.verdict("network", false, &error.to_string()),
    };
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let kib = file.packed_bytes(rule).div_ceil(1024);
        match Network::new(&file, rule) {
            Ok(network) => list.fact(
                "network",
                &format!("{rule}: {kib} KiB, checksum {:016x}", network.fingerprint()),
            )?,
            Err(error) => list.verdict("network", false, &format!("{rule}: {error}"))?,
        }
    }
    Ok(())
}

fn rules(list: &mut List) -> Result<(), Error> {
    let entries = corpus::parse("bench_positions/rules_named.txt", RULES)?;
    let (passed, failed) = corpus::recompute(&entries, &mut |_, _| Ok(()))?;
    let text = format!("{passed} of {} positions judged rightly", passed + failed);
    Ok(list.verdict("rules", failed == 0, &text)?)
}

fn tactics(list: &mut List) -> Result<(), Error> {
    let mut cases = Vec::new();
    for (name, text) in TACTICS {
        let entries = corpus::parse(name, text)?;
        cases.extend(
            entries
                .into_iter()
                .step_by(EACH)
                .filter_map(|entry| match entry.case {
                    Case::Tactic(case) => Some(case),
                    _ => None,
                }),
        );
    }
    let all = cases.len();
    let (solved, wrong) = solve::sample(cases);
    let mut text = format!("{solved} of {all} wins and defences found");
    if !wrong.is_empty() {
        text += &format!("; wrong: {}", wrong.join(" "));
    }
    Ok(list.verdict("tactics", solved == all, &text)?)
}

/// Runs the search of `bench`, and shows the process's memory after it.
fn search(list: &mut List) -> Result<(), Error> {
    let options = Options::default();
    let mut engine = Engine::new(options);
    let total = bench::search_all(&mut engine, bench::DEPTH, &mut |_, _| Ok(()))?;
    let (found, speed) = (total.nodes, total.speed());
    let expected = bench::signature();
    let text = match found == expected {
        true => format!("{found} nodes, as they should be"),
        false => format!("{found} nodes, expected {expected}"),
    };
    list.verdict("search", found == expected, &text)?;
    list.fact("speed", &format!("{speed} nodes/s with one thread"))?;
    if let Some(bytes) = machine::resident_bytes() {
        let (used, limit) = (bytes >> 20, options.max_memory >> 20);
        let text = format!(
            "{used} MiB of at most {limit}, table {} MiB",
            options.table_kib() >> 10
        );
        list.verdict("in use", bytes <= options.max_memory, &text)?;
    }
    Ok(())
}
