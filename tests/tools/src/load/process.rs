//! The resource usage of a process, as the operating system reports it.

use gamekeeper::Failure;

/// The duration of one unit of processor time in `/proc`, in microseconds.
const TICK_MICROS: u64 = 10_000;

/// A process to measure, with a name for the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) name: String,
    pid: String,
}

/// The resource usage up to now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    /// User and system time, in microseconds.
    pub(crate) cpu_micros: u64,
    /// Resident memory, in bytes.
    pub(crate) memory: u64,
}

impl Process {
    /// Returns the current process.
    pub(crate) fn this() -> Self {
        Self {
            name: String::from("client"),
            pid: String::from("self"),
        }
    }

    /// Reads the resource usage up to now.
    pub(crate) fn usage(&self) -> Result<Usage, Failure> {
        let read = |file: &str| {
            let path = format!("/proc/{}/{file}", self.pid);
            std::fs::read_to_string(&path).map_err(|error| Failure::io(path, &error))
        };
        let usage = usage(&read("stat")?, &read("status")?);
        usage.ok_or_else(|| Failure::Invalid(format!("process {} cannot be read", self.pid)))
    }
}

impl std::str::FromStr for Process {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, pid) = text.split_once('=').ok_or("write it as name=pid")?;
        let pid: u32 = pid.parse().map_err(|_| "write it as name=pid")?;
        Ok(Self {
            name: name.to_owned(),
            pid: pid.to_string(),
        })
    }
}

fn usage(stat: &str, status: &str) -> Option<Usage> {
    // The name of the command, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11);
    let mut ticks = || times.next()?.parse::<u64>().ok();
    let ticks = ticks()? + ticks()?;
    let resident = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = resident.split_whitespace().next()?.parse().ok()?;
    Some(Usage {
        cpu_micros: ticks * TICK_MICROS,
        memory: kilobytes * 1_024,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_memory_are_read() {
        let stat = "42 (a) b) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20";
        let status = "Name:\tx\nVmRSS:\t    12 kB\n";
        let expected = Usage {
            cpu_micros: 3_000_000,
            memory: 12_288,
        };
        assert_eq!(usage(stat, status), Some(expected));
        assert_eq!(usage("", status), None);
    }

    #[test]
    fn this_process_can_be_looked_at() {
        assert!(Process::this().usage().unwrap().memory > 0);
    }
}
