//! Real Redis servers: each on a free port and in a directory of its own, stopped when dropped.

mod cluster;
mod counted;
mod sentinel;

pub use self::cluster::RedisCluster;
pub use self::counted::CountedRedis;
pub use self::sentinel::{PRIMARY, RedisSentinels};

use std::fs::File;
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Maximum time until a server responds.
const START: Duration = Duration::from_secs(10);

/// The settings of a server.
#[derive(Clone, Debug, Default)]
pub struct RedisOptions {
    settings: Vec<(String, String)>,
    uses_tls: bool,
    is_sentinel: bool,
}

impl RedisOptions {
    /// Creates settings with which nothing is stored on disk.
    #[must_use]
    pub fn new() -> RedisOptions {
        RedisOptions::default()
    }

    /// Creates settings of a sentinel.
    #[must_use]
    pub fn sentinel() -> RedisOptions {
        RedisOptions {
            is_sentinel: true,
            ..RedisOptions::default()
        }
    }

    /// Adds a setting.
    #[must_use]
    pub fn set(mut self, name: &str, value: &str) -> RedisOptions {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Accepts only TLS connections.
    #[must_use]
    pub fn with_tls(mut self) -> RedisOptions {
        self.uses_tls = true;
        self
    }

    /// Writes every change to disk before it is confirmed.
    #[must_use]
    pub fn with_append_only_file(self) -> RedisOptions {
        self.set("appendonly", "yes").set("appendfsync", "always")
    }
}

/// A running `redis-server`.
#[derive(Debug)]
pub struct RedisServer {
    port: u16,
    directory: TempDir,
    options: RedisOptions,
    child: Option<Child>,
}

impl RedisServer {
    /// Starts a server.
    ///
    /// # Panics
    /// If there is no `redis-server` or it does not start.
    #[must_use]
    pub fn start(options: &RedisOptions) -> RedisServer {
        let mut last = String::new();
        // Another process may take the free port before the server does.
        for _ in 0..5 {
            let mut server = RedisServer {
                port: free_port(),
                directory: TempDir::new().expect("a directory for Redis"),
                options: options.clone(),
                child: None,
            };
            match server.run() {
                Ok(()) => return server,
                Err(log) => last = log,
            }
        }
        panic!("redis-server does not start:\n{last}");
    }

    /// Returns the address of the server.
    #[must_use]
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Returns the directory with the server's files.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Kills the server as a power cut would.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("a server to kill");
            child.wait().expect("a server to wait for");
        }
    }

    /// Suspends the server in the middle of its work, until [`RedisServer::resume`].
    pub fn pause(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets a suspended server continue.
    pub fn resume(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        let child = self.child.as_ref().expect("a running server");
        kill_process(Pid::from_child(child), signal).expect("a server to signal");
    }

    /// Sends a command directly, bypassing the store.
    ///
    /// # Panics
    /// If the server does not respond, or not with this type.
    pub fn ask<A: redis::FromRedisValue>(&self, words: &[&str]) -> A {
        let words: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        self.ask_bytes(&words)
    }

    /// Sends a command whose words may be arbitrary bytes, bypassing the store.
    ///
    /// # Panics
    /// If the server does not respond, or not with this type.
    pub fn ask_bytes<A: redis::FromRedisValue>(&self, words: &[&[u8]]) -> A {
        self.query(words).expect("an answer of this type")
    }

    /// Creates a user with these rules, or changes it: the words after `ACL SETUSER`.
    ///
    /// # Panics
    /// If the server refuses.
    pub fn set_user(&self, rules: &str) {
        let words = ["ACL", "SETUSER"].into_iter().chain(rules.split(' '));
        let _: String = self.ask(&words.collect::<Vec<_>>());
    }

    /// Reads a section of INFO. Returns `None` if the server is busy, for example while it becomes a replica.
    fn info(&self, section: &str) -> Option<String> {
        self.query(&[b"INFO", section.as_bytes()]).ok()
    }

    fn query<A: redis::FromRedisValue>(&self, words: &[&[u8]]) -> redis::RedisResult<A> {
        let client = redis::Client::open(format!("redis://{}", self.address()))?;
        let mut command = redis::Cmd::new();
        for word in words {
            command.arg(word);
        }
        command.query(&mut client.get_connection()?)
    }

    /// Restarts the server on the same port with its files.
    ///
    /// # Panics
    /// If the server does not start.
    pub fn start_again(&mut self) {
        self.kill();
        self.run()
            .unwrap_or_else(|log| panic!("redis-server does not start again:\n{log}"));
    }

    fn run(&mut self) -> Result<(), String> {
        let log = self.log_file();
        let output = File::create(&log).map_err(|error| error.to_string())?;
        let mut command = self.command().map_err(|error| error.to_string())?;
        let errors = output.try_clone().map_err(|error| error.to_string())?;
        let child = command
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn();
        self.child = Some(child.expect("the package redis-server is installed"));
        let deadline = Instant::now() + START;
        while Instant::now() < deadline {
            if self.answers() {
                return Ok(());
            }
            let child = self.child.as_mut().expect("just started");
            if child.try_wait().is_ok_and(|status| status.is_some()) {
                break;
            }
            sleep(Duration::from_millis(10));
        }
        self.kill();
        Err(std::fs::read_to_string(log).unwrap_or_default())
    }

    fn command(&self) -> std::io::Result<Command> {
        let mut command = Command::new("redis-server");
        let port = self.port.to_string();
        let settings = &self.options.settings;
        if self.options.is_sentinel {
            // Sentinels store what they learn in their configuration file, so it must exist and be writable.
            let file = self.directory.path().join("sentinel.conf");
            let (plain, tls) = self.ports(&port);
            let mut text = format!("port {plain}\ntls-port {tls}\nbind 127.0.0.1\n");
            text.extend(
                settings
                    .iter()
                    .map(|(name, value)| format!("{name} {value}\n")),
            );
            std::fs::write(&file, text)?;
            command.arg(file).arg("--sentinel");
        } else {
            let (plain, tls) = self.ports(&port);
            command.args(["--port", plain, "--tls-port", tls, "--bind", "127.0.0.1"]);
            command.args(["--save", ""]);
            command.args(
                settings
                    .iter()
                    .flat_map(|(name, value)| [format!("--{name}"), value.clone()]),
            );
        }
        command.current_dir(self.directory.path());
        Ok(command)
    }

    /// Returns the ports for plain text and for TLS, of which one is off.
    fn ports<'a>(&self, port: &'a str) -> (&'a str, &'a str) {
        if self.options.uses_tls {
            ("0", port)
        } else {
            (port, "0")
        }
    }

    /// Returns whether the server responds. A server that requires a password counts, one that is still loading does
    /// not. With TLS it is enough that the port is open.
    fn answers(&self) -> bool {
        let ask = || {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
            if self.options.uses_tls {
                return Ok(*b"+PONG");
            }
            stream.set_read_timeout(Some(Duration::from_secs(1)))?;
            std::io::Write::write_all(&mut stream, b"PING\r\n")?;
            let mut answer = [0; 5];
            stream.read_exact(&mut answer)?;
            Ok::<_, std::io::Error>(answer)
        };
        ask().is_ok_and(|answer| answer == *b"+PONG" || answer == *b"-NOAU")
    }

    fn log_file(&self) -> PathBuf {
        self.directory.path().join("redis.log")
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits until a condition holds.
///
/// # Panics
/// If the condition does not hold in time.
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "still not so: {what}");
        sleep(Duration::from_millis(50));
    }
}

/// Returns a port that is currently free.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("a bound address").port()
}
