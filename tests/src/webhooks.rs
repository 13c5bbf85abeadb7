//! A receiver of webhooks that answers as a test wants, and can be killed, and `gamekeeper forward` in front of it.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;

use crate::cli::{Cli, Ended};

/// A secret as webhooks are signed with.
pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A webhook as it arrived.
#[derive(Clone, Debug)]
pub struct Hook {
    /// The header `webhook-id`.
    pub id: String,
    /// The header `webhook-signature`.
    pub signature: String,
    /// The body.
    pub body: Value,
    /// The time at which it arrived.
    pub at: Instant,
}

impl Hook {
    /// Returns the id of the game.
    #[must_use]
    pub fn game(&self) -> &str {
        self.body["data"]["game"].as_str().unwrap_or_default()
    }

    /// Returns the version.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.body["data"]["version"].as_u64().unwrap_or_default()
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.body["data"]["kind"].as_str().unwrap_or_default()
    }

    /// Returns the seat.
    #[must_use]
    pub fn seat(&self) -> u64 {
        self.body["data"]["seat"].as_u64().unwrap_or_default()
    }
}

/// The answer to a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// 204.
    Take,
    /// This status, with a header line or an empty text.
    Refuse(u16, String),
    /// Takes it, and closes the connection without an answer.
    TakeSilently,
    /// Never answers.
    Hang,
}

/// A function that decides on the answer to a webhook.
pub type Policy = Box<dyn FnMut(&Hook) -> Answer + Send>;

struct Shared {
    policy: Policy,
    /// All that arrived.
    arrived: Vec<Hook>,
    /// All that was taken.
    taken: Vec<Hook>,
}

/// A receiver on a port of its own.
pub struct Receiver {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
    task: Option<JoinHandle<()>>,
}

impl Receiver {
    /// Starts a receiver that takes everything.
    ///
    /// # Panics
    /// If there is no free port.
    pub async fn start() -> Self {
        let shared = Shared {
            policy: Box::new(|_| Answer::Take),
            arrived: Vec::new(),
            taken: Vec::new(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Mutex::new(shared));
        let task = Some(tokio::spawn(serve(listener, Arc::clone(&shared))));
        Self {
            address,
            shared,
            task,
        }
    }

    /// Returns the URL to which webhooks are sent.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/hooks", self.address)
    }

    /// Sets how webhooks are answered from now on.
    pub fn answer(&self, policy: impl FnMut(&Hook) -> Answer + Send + 'static) {
        self.shared.lock().policy = Box::new(policy);
    }

    /// Kills the receiver: its port is closed, and its connections break.
    pub async fn kill(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            let _killed = task.await;
        }
    }

    /// Starts the receiver again at the same port.
    ///
    /// # Panics
    /// If the port is in use.
    pub async fn start_again(&mut self) {
        self.kill().await;
        let listener = TcpListener::bind(self.address)
            .await
            .expect("the same port");
        self.task = Some(tokio::spawn(serve(listener, Arc::clone(&self.shared))));
    }

    /// Returns all that arrived, taken or not.
    #[must_use]
    pub fn arrived(&self) -> Vec<Hook> {
        self.shared.lock().arrived.clone()
    }

    /// Returns all that was taken.
    #[must_use]
    pub fn taken(&self) -> Vec<Hook> {
        self.shared.lock().taken.clone()
    }

    /// Waits until what was taken fulfills a condition, and returns it.
    ///
    /// # Panics
    /// If that takes longer than ten minutes: after failures, the wait for the next attempt is as long as they lasted.
    pub async fn until(&self, what: &str, is_met: impl Fn(&[Hook]) -> bool) -> Vec<Hook> {
        let deadline = Instant::now() + Duration::from_secs(600);
        loop {
            let taken = self.taken();
            if is_met(&taken) {
                return taken;
            }
            assert!(Instant::now() < deadline, "{what}: only {taken:#?}");
            sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

async fn serve(listener: TcpListener, shared: Arc<Mutex<Shared>>) {
    // Connections end with the listener.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(converse(stream, Arc::clone(&shared)));
    }
}

async fn converse(mut stream: TcpStream, shared: Arc<Mutex<Shared>>) {
    while let Some(hook) = read(&mut stream).await {
        let answer = {
            let mut shared = shared.lock();
            let answer = (shared.policy)(&hook);
            shared.arrived.push(hook.clone());
            if matches!(answer, Answer::Take | Answer::TakeSilently) {
                shared.taken.push(hook);
            }
            answer
        };
        let response = match answer {
            Answer::Take => String::from("HTTP/1.1 204 No Content\r\n\r\n"),
            Answer::Refuse(status, line) if line.is_empty() => {
                format!("HTTP/1.1 {status} No\r\ncontent-length: 0\r\n\r\n")
            }
            Answer::Refuse(status, line) => {
                format!("HTTP/1.1 {status} No\r\n{line}\r\ncontent-length: 0\r\n\r\n")
            }
            Answer::TakeSilently => return,
            Answer::Hang => return std::future::pending().await,
        };
        if stream.write_all(response.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Reads a request. Returns `None` if the connection ends before.
async fn read(stream: &mut TcpStream) -> Option<Hook> {
    let mut bytes = Vec::new();
    loop {
        if let Some((head, body)) = split(&bytes) {
            let header = |name: &str| {
                let mut lines = head.lines().filter_map(|line| line.split_once(": "));
                let value = lines.find(|(key, _)| key.eq_ignore_ascii_case(name));
                value.map(|(_, value)| value.to_owned())
            };
            let length: usize = header("content-length")?.parse().ok()?;
            if body.len() >= length {
                return Some(Hook {
                    id: header("webhook-id")?,
                    signature: header("webhook-signature")?,
                    body: serde_json::from_slice(&body[..length]).ok()?,
                    at: Instant::now(),
                });
            }
        }
        let mut more = [0; 4096];
        match stream.read(&mut more).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&more[..count]),
        }
    }
}

/// Splits a request into head and body. Returns `None` if the head has not arrived in full.
fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    Some((head, &bytes[end + 4..]))
}

/// `gamekeeper forward` with a state that survives it.
pub struct Forward {
    cli: Cli,
    folder: TempDir,
    arguments: String,
    child: Option<Child>,
}

impl Forward {
    /// Prepares `forward` from the server at this address, `host:port`, with a tenant's key, to a URL.
    ///
    /// # Panics
    /// If its files cannot be written.
    #[must_use]
    pub fn new(server: &str, key: &str, url: &str, more: &str) -> Self {
        let folder = TempDir::new().expect("a folder for the state");
        let secret = folder.path().join("webhook.secret");
        std::fs::write(&secret, SECRET).expect("a secret");
        let state = folder.path().join("state");
        let arguments = format!(
            "forward --to {url} --secret-file {} --state {} {more}",
            secret.display(),
            state.display()
        );
        Self {
            cli: Cli::at(server).bearing(key),
            folder,
            arguments,
            child: None,
        }
    }

    /// Starts the program and waits until it follows the feed: what was over before is no news to it.
    ///
    /// # Panics
    /// If it was not built, or does not follow the feed within a minute.
    #[must_use]
    pub fn started(mut self) -> Self {
        let stderr = self.spawn("", Stdio::piped()).stderr.take();
        let lines = BufReader::new(stderr.expect("a pipe")).lines();
        let (sender, followed) = mpsc::channel();
        // Reads to the end, since a program whose messages nobody reads would stop.
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if line.contains("The feed is followed.") {
                    let _waits_no_more = sender.send(());
                }
            }
        });
        let wait = followed.recv_timeout(Duration::from_mins(1));
        wait.expect("the feed is followed");
        self
    }

    /// Starts the program, again if it was stopped.
    ///
    /// # Panics
    /// If it was not built.
    pub fn start(&mut self) {
        self.start_with("");
    }

    /// Starts the program with further arguments.
    ///
    /// # Panics
    /// If it was not built.
    pub fn start_with(&mut self, more: &str) {
        self.spawn(more, Stdio::null());
    }

    fn spawn(&mut self, more: &str, stderr: Stdio) -> &mut Child {
        let mut command = self.cli.command(&format!("{} {more}", self.arguments));
        command.stderr(stderr).stdout(Stdio::null());
        let child = command.spawn().expect("gamekeeper: build it first");
        self.child.insert(child)
    }

    /// Runs the program with further arguments until it ends by itself.
    ///
    /// # Panics
    /// If it was not built.
    #[must_use]
    pub fn run(&self, more: &str) -> Ended {
        self.cli.run(&format!("{} {more}", self.arguments))
    }

    /// Kills the program as a power cut would.
    ///
    /// # Panics
    /// If it has ended by itself.
    pub fn kill(&mut self) {
        let mut child = self.child.take().expect("a running program");
        let ended = child.try_wait().expect("a program");
        assert!(ended.is_none(), "it has ended by itself: {ended:?}");
        child.kill().expect("a program to kill");
        child.wait().expect("a program to wait for");
    }

    /// Stops the program gracefully. Returns whether it ended well.
    ///
    /// # Panics
    /// If it does not run.
    pub fn stop(&mut self) -> bool {
        let mut child = self.child.take().expect("a running program");
        kill_process(Pid::from_child(&child), Signal::TERM).expect("a program to stop");
        child.wait().expect("a program to wait for").success()
    }

    /// Waits until the program ends by itself, and returns its exit code.
    ///
    /// # Panics
    /// If it does not run.
    pub fn ended(&mut self) -> Option<i32> {
        let mut child = self.child.take().expect("a running program");
        child.wait().expect("a program to wait for").code()
    }

    /// Returns the lines of the file of dead letters.
    #[must_use]
    pub fn dead_letters(&self) -> Vec<Value> {
        let file = self.folder.path().join("state/dead-letters.jsonl");
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().expect("lines of JSON")
    }
}

impl Drop for Forward {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _gone = child.kill();
            let _gone = child.wait();
        }
    }
}
