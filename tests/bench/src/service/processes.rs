//! The servers to measure, and the load client that measures them.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use tempfile::TempDir;

/// Maximum time until a process has started.
const START: Duration = Duration::from_secs(60);

/// A process that is stopped when this is dropped.
pub struct Process {
    child: Child,
    address: String,
    _folder: Option<TempDir>,
}

impl Process {
    /// Starts a server that prints its address.
    ///
    /// # Panics
    /// If the server does not start.
    #[must_use]
    pub fn server(name: &str, flags: &[&str]) -> Self {
        let mut child = Command::new(binary(name))
            .args(flags)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let stderr = child.stderr.take().expect("the words of the server");
        let (sender, receiver) = mpsc::channel();
        spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if let Some(rest) = line.strip_prefix("Gamekeeper listens on ") {
                    let address = rest.split_whitespace().next().unwrap_or_default();
                    let _nobody_waits = sender.send(address.to_owned());
                }
            }
        });
        let address = receiver.recv_timeout(START).expect("the server starts");
        Self {
            child,
            address,
            _folder: None,
        }
    }

    /// Starts a Redis of its own.
    ///
    /// # Panics
    /// If there is no Redis, or it does not start.
    #[must_use]
    pub fn redis(settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let port = free_port();
        let child = Command::new("redis-server")
            .args([
                "--port",
                &port.to_string(),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
            ])
            .args(settings)
            .current_dir(&folder)
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        let begun = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(begun.elapsed() < START, "Redis starts");
            sleep(Duration::from_millis(10));
        }
        Self {
            child,
            address: format!("127.0.0.1:{port}"),
            _folder: Some(folder),
        }
    }

    /// Returns the address of the process.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the id of the process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns the processor time of the process's threads up to now.
    ///
    /// # Panics
    /// If the system does not report it.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.pid())).expect("a process");
        let spent = threads.map_while(Result::ok).map(|thread| {
            let spent = std::fs::read_to_string(thread.path().join("schedstat"));
            let spent = spent.unwrap_or_default();
            let nanos = spent.split(' ').next().and_then(|nanos| nanos.parse().ok());
            Duration::from_nanos(nanos.unwrap_or(0))
        });
        spent.sum()
    }

    /// Returns the memory of the process, in bytes.
    ///
    /// # Panics
    /// If the system does not report it.
    #[must_use]
    pub fn memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid()));
        let status = status.expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
        1024 * kilobytes.expect("a size")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Terminated gracefully, so that the store is closed and its folder can be removed.
        let _gone = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let _gone = self.child.wait();
    }
}

/// Returns a free port that leaves room for another one 10,000 above it, which a node of a cluster uses too.
fn free_port() -> u16 {
    loop {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = free.local_addr().expect("an address").port();
        if port.checked_add(10_000).is_some() {
            return port;
        }
    }
}

/// Returns the path of a binary beside this program.
///
/// # Panics
/// If this program has no path.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    let this = std::env::current_exe().expect("the path of this program");
    this.with_file_name(name)
}

/// The report of the load client.
#[derive(Clone, Debug, Deserialize, serde::Serialize)]
pub struct Load {
    /// The figures of the methods.
    pub methods: Vec<Method>,
    /// The figures of the processes.
    pub processes: Vec<Used>,
}

/// The figures of one method.
#[derive(Clone, Debug, Deserialize, serde::Serialize)]
#[expect(missing_docs, reason = "the fields of the report of the load client")]
pub struct Method {
    pub name: String,
    pub count: u64,
    pub per_second: f64,
    pub answer_bytes: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub p999_us: f64,
}

/// The figures of one process.
#[derive(Clone, Debug, Deserialize, serde::Serialize)]
#[expect(missing_docs, reason = "the fields of the report of the load client")]
pub struct Used {
    pub name: String,
    pub cpu_us_per_call: f64,
    pub cores: f64,
    pub memory_at_start: u64,
    pub memory_before: u64,
    pub memory_after: u64,
}

impl Load {
    /// Returns the figures of a method.
    ///
    /// # Panics
    /// If the method was not called.
    #[must_use]
    pub fn method(&self, name: &str) -> &Method {
        let method = self.methods.iter().find(|method| method.name == name);
        method.expect("the method was called")
    }

    /// Returns the figures of a process. Returns `None` if it was not measured.
    #[must_use]
    pub fn process(&self, name: &str) -> Option<&Used> {
        self.processes.iter().find(|process| process.name == name)
    }

    /// Returns the processor time of a process per call, in microseconds; 0 if it was not measured.
    #[must_use]
    pub fn cpu_of(&self, name: &str) -> f64 {
        self.process(name).map_or(0.0, |used| used.cpu_us_per_call)
    }

    /// Returns the processor time of all processes per call, in microseconds.
    #[must_use]
    pub fn cpu(&self) -> f64 {
        self.processes.iter().map(|used| used.cpu_us_per_call).sum()
    }
}

/// Runs the load client against a server.
///
/// # Panics
/// If the load client fails.
#[must_use]
pub fn load(server: &Process, others: &[(&str, &Process)], flags: &[&str]) -> Load {
    let mut command = Command::new(binary("gamekeeper-load"));
    command.args(["--output", "json", "--retries", "0"]);
    command.args(["--server", &format!("http://{}", server.address())]);
    let this = ("server", server);
    for (name, process) in std::iter::once(&this).chain(others) {
        command.args(["--process", &format!("{name}={}", process.pid())]);
    }
    let output = command.args(flags).output().expect("the load client");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// Returns a command of the cargo that this program was started by, or of the first in the path.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Builds the binaries to measure, in the profile of this program.
///
/// # Panics
/// If they do not build.
pub fn build() {
    let this = std::env::current_exe().expect("the path of this program");
    let profile = match this.parent().and_then(Path::file_name) {
        Some(name) if name == "debug" => String::from("dev"),
        Some(name) => name.to_string_lossy().into_owned(),
        None => String::from("release"),
    };
    let built = cargo()
        .args(["build", "--profile", &profile])
        .args([
            "-p",
            "gamekeeperd",
            "-p",
            "gamekeeper-tools",
            "-p",
            "gamekeeper-bench",
            "--bins",
        ])
        .status()
        .expect("cargo");
    assert!(built.success(), "the binaries are built");
}
