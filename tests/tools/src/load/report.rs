//! The figures of a run, for people and for programs.

use std::time::Duration;

use gamekeeper::{Failure, Output};
use gamekeeper_rules::table::text::Columns;
use serde::Serialize;

use crate::process::Usage;
use crate::tally::{Method, Tally};

/// The report of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) ruleset: String,
    pub(crate) games: u32,
    pub(crate) idle: usize,
    pub(crate) channels: usize,
    pub(crate) seconds: f64,
    pub(crate) methods: Vec<MethodReport>,
    pub(crate) processes: Vec<ProcessReport>,
}

/// The figures of one method.
#[derive(Debug, Serialize)]
pub(crate) struct MethodReport {
    name: &'static str,
    count: u64,
    per_second: f64,
    answer_bytes: f64,
    p50_us: f64,
    p99_us: f64,
    p999_us: f64,
}

/// The figures of one process.
#[derive(Debug, Serialize)]
pub(crate) struct ProcessReport {
    pub(crate) name: String,
    /// The processor time per call of any method, in microseconds.
    cpu_us_per_call: f64,
    cores: f64,
    memory_at_start: u64,
    memory_before: u64,
    memory_after: u64,
}

/// The usage of a process at its start, and before and after the measurement.
pub(crate) struct Usages {
    pub(crate) name: String,
    pub(crate) at_start: Usage,
    pub(crate) before: Usage,
    pub(crate) after: Usage,
}

/// Returns the figures of the methods that were called.
pub(crate) fn methods(tally: &Tally, time: Duration) -> Vec<MethodReport> {
    let row = |method: Method| {
        let figures = tally.figures(method)?;
        Some(MethodReport {
            name: method.name(),
            count: figures.count,
            per_second: rounded(to_f64(figures.count) / time.as_secs_f64()),
            answer_bytes: rounded(figures.bytes),
            p50_us: rounded(figures.p50),
            p99_us: rounded(figures.p99),
            p999_us: rounded(figures.p999),
        })
    };
    Method::ALL.into_iter().filter_map(row).collect()
}

/// Returns the figures of the processes. Watches are not counted as calls.
pub(crate) fn processes(
    usages: Vec<Usages>,
    methods: &[MethodReport],
    time: Duration,
) -> Vec<ProcessReport> {
    let calls = methods
        .iter()
        .filter(|row| row.name != Method::Watch.name());
    let calls: u64 = calls.map(|row| row.count).sum();
    let row = |usages: Usages| {
        let micros = usages.after.cpu_micros - usages.before.cpu_micros;
        ProcessReport {
            name: usages.name,
            cpu_us_per_call: rounded(to_f64(micros) / to_f64(calls.max(1))),
            cores: rounded(to_f64(micros) / 1e6 / time.as_secs_f64()),
            memory_at_start: usages.at_start.memory,
            memory_before: usages.before.memory,
            memory_after: usages.after.memory,
        }
    };
    usages.into_iter().map(row).collect()
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn to_f64(count: u64) -> f64 {
    count as f64
}

fn rounded(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}

impl Report {
    /// Prints the report.
    pub(crate) fn print(&self, output: Output) -> Result<(), Failure> {
        if output.is_json() {
            let line = serde_json::to_string(self)
                .map_err(|error| Failure::Invalid(format!("the report: {error}")))?;
            return output.line(line);
        }
        let mut methods =
            Columns::new(&["METHOD", "CALLS/S", "BYTES", "P50 US", "P99 US", "P99.9 US"]);
        for row in &self.methods {
            methods.row([
                row.name.to_owned(),
                format!("{:.0}", row.per_second),
                format!("{:.0}", row.answer_bytes),
                format!("{:.0}", row.p50_us),
                format!("{:.0}", row.p99_us),
                format!("{:.0}", row.p999_us),
            ]);
        }
        let mut processes = Columns::new(&["PROCESS", "CPU US/CALL", "CORES", "MEMORY MB"]);
        for row in &self.processes {
            processes.row([
                row.name.clone(),
                format!("{:.2}", row.cpu_us_per_call),
                format!("{:.2}", row.cores),
                format!("{:.1}", to_f64(row.memory_after) / 1e6),
            ]);
        }
        output.line(format_args!("{methods}\n{processes}"))
    }
}
