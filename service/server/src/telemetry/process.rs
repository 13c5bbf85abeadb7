//! Resource usage of the process, read from `/proc` on each scrape. Not available on other systems.

use std::fs;
use std::time::Duration;

use opentelemetry::metrics::Meter;

/// Exports memory, processor time and open files.
pub(super) fn observe(meter: &Meter) {
    let _observed = meter
        .i64_observable_up_down_counter("process.memory.usage")
        .with_unit("By")
        .with_description("Memory in use")
        .with_callback(|observer| {
            if let Some(bytes) = resident_bytes() {
                observer.observe(bytes, &[]);
            }
        })
        .build();
    let _observed = meter
        .f64_observable_counter("process.cpu.time")
        .with_unit("s")
        .with_description("Processor time used")
        .with_callback(|observer| {
            if let Some(seconds) = cpu_seconds() {
                observer.observe(seconds, &[]);
            }
        })
        .build();
    let _observed = meter
        .i64_observable_up_down_counter("process.unix.file_descriptor.count")
        .with_unit("{file_descriptor}")
        .with_description("Open files and connections")
        .with_callback(|observer| {
            if let Ok(open) = fs::read_dir("/proc/self/fd") {
                observer.observe(i64::try_from(open.count()).unwrap_or(i64::MAX), &[]);
            }
        })
        .build();
}

fn resident_bytes() -> Option<i64> {
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: i64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    i64::try_from(rustix::param::page_size())
        .ok()
        .map(|size| pages * size)
}

fn cpu_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let per_second = u32::try_from(rustix::param::clock_ticks_per_second()).ok()?;
    Some(cpu_ticks(&text)?.as_secs_f64() / f64::from(per_second))
}

/// Returns the processor time of the process in clock ticks, user and system time together. The duration has a second
/// for each tick.
fn cpu_ticks(text: &str) -> Option<Duration> {
    // The name of the program, in parentheses, may contain spaces.
    let (_, numbers) = text.rsplit_once(')')?;
    let mut numbers = numbers.split_whitespace().skip(11);
    let mut ticks = || numbers.next()?.parse::<u64>().ok();
    let (user, system) = (ticks()?, ticks()?);
    Some(Duration::from_secs(user.saturating_add(system)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_something() {
        assert!(resident_bytes().unwrap() > 100_000);
        assert!(cpu_seconds().unwrap() < 100_000.0);
    }

    #[test]
    fn years_of_work_are_counted() {
        let stat = "1 (a (long) name) S 1 1 1 0 -1 0 0 0 0 0 4294967295 4294967296 0 0";
        assert_eq!(cpu_ticks(stat), Some(Duration::from_secs(8_589_934_591)));
    }
}
