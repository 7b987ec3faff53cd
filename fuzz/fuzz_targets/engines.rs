//! Settings of engines, time controls and tests of a match. Settings that were read have the same
//! meaning when read again; names of engines differ.

#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use tengen_tools::arena::message::{Eval, ReportedSearch};
use tengen_tools::arena::reply::{OpeningReply, Reply};
use tengen_tools::arena::schedule::ScheduleKind;
use tengen_tools::arena::spec::{EngineSpec, parse_engines};
use tengen_tools::arena::sprt::Sprt;
use tengen_tools::game::clock::{ByoYomi, TimeControl};
use tengen_tools::share::Share;

fuzz_target!(|text: &str| {
    let settings: Vec<String> = text.lines().map(str::to_string).collect();
    if let Ok(spec) = EngineSpec::parse(&settings) {
        assert_eq!(EngineSpec::parse(&spec.settings).as_ref(), Ok(&spec));
        let _ = (spec.program(), spec.arguments());
    }
    let own: Vec<Vec<String>> = settings.chunks(3).map(<[String]>::to_vec).collect();
    if let Ok(specs) = parse_engines(&["cmd=engine".to_string()], &own) {
        let names: HashSet<&str> = specs.iter().map(|spec| &*spec.name).collect();
        assert_eq!(names.len(), specs.len());
    }
    let mut reported = ReportedSearch::default();
    for line in text.lines() {
        let _ = TimeControl::parse_tc(line);
        let _ = line.parse::<ByoYomi>();
        let _ = line.parse::<ScheduleKind>();
        let _ = line.parse::<Share>();
        let words: Vec<&str> = line.split(' ').collect();
        let _ = Sprt::parse(&words);
        let _ = (
            Eval::parse(line),
            Reply::parse(line),
            OpeningReply::parse(line),
        );
        reported.read(line);
    }
});
