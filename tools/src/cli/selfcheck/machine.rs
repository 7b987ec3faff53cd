//! The machine that the program runs on.

use std::env::consts::{ARCH, OS};
use std::env::current_exe;
use std::thread::available_parallelism;

use sysinfo::{
    CpuRefreshKind, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, System,
    get_current_pid,
};
use tengen::eval::Simd;

/// Version and path of the program.
pub(super) fn program() -> String {
    let path = match current_exe() {
        Ok(path) => path.display().to_string(),
        Err(error) => format!("(unknown place: {error})"),
    };
    format!("Tengen {}, {path}", env!("CARGO_PKG_VERSION"))
}

/// Operating system, and target of the build.
pub(super) fn system() -> String {
    let name = System::long_os_version().unwrap_or_else(|| "unknown".to_string());
    format!("{name}; built for {OS} on {ARCH}")
}

/// Name of the processor, the instructions beyond the baseline, threads.
pub(super) fn processor() -> String {
    let mut system = System::new();
    system.refresh_cpu_list(CpuRefreshKind::nothing());
    let brand = system.cpus().first().map_or("", |cpu| cpu.brand()).trim();
    let features = features().join(" ");
    let threads = available_parallelism().map_or(1, usize::from);
    format!("{brand}; {features}; {threads} threads, 1 used unless asked for more")
}

/// Instructions that the evaluation and the search choose at run time, if the processor has them.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let found = [
        ("SSE4.2", is_x86_feature_detected!("sse4.2")),
        ("POPCNT", is_x86_feature_detected!("popcnt")),
        ("BMI2", is_x86_feature_detected!("bmi2")),
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("AVX-512", is_x86_feature_detected!("avx512bw")),
        ("VNNI", is_x86_feature_detected!("avx512vnni")),
    ];
    let has = |(name, has): (&'static str, bool)| has.then_some(name);
    found.into_iter().filter_map(has).collect()
}

/// Other processors have one set of instructions here.
#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    vec!["no special instructions"]
}

/// The network's inner loops chosen for the processor.
pub(super) fn loops() -> String {
    format!("{} for the network", Simd::detect().name())
}

/// Memory of the machine.
pub(super) fn memory() -> String {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let mib = |bytes: u64| bytes >> 20;
    let (total, free) = (mib(system.total_memory()), mib(system.available_memory()));
    format!("{total} MiB, {free} MiB available")
}

/// Memory now held by this process, in bytes. `None` where the system does not say.
pub(super) fn resident_bytes() -> Option<u64> {
    let pid = get_current_pid().ok()?;
    let mut system = System::new();
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[pid]),
        false,
        ProcessRefreshKind::nothing().with_memory().without_tasks(),
    );
    Some(system.process(pid)?.memory())
}
