//! Runs the command line `gamekeeper` as a user does.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::server::{Gamekeeperd, binary, built};

/// A user with their own token file.
#[derive(Debug)]
pub struct Cli {
    server: String,
    token: Option<String>,
    home: TempDir,
}

/// The outcome of a command.
#[derive(Debug)]
pub struct Ended {
    /// The exit code.
    pub code: i32,
    /// The standard output.
    pub out: String,
    /// The error stream.
    pub err: String,
}

impl Cli {
    /// Creates a user of the server at this address, `host:port`.
    ///
    /// # Panics
    /// If no home directory can be created.
    #[must_use]
    pub fn at(address: &str) -> Self {
        Self::of(&format!("http://{address}"))
    }

    /// Creates a user of the server with this URL.
    ///
    /// # Panics
    /// If no home directory can be created.
    #[must_use]
    pub fn of(url: &str) -> Self {
        let home = TempDir::new().expect("a home");
        Self {
            server: url.to_owned(),
            token: None,
            home,
        }
    }

    /// Sets the token in the environment of this user's commands.
    #[must_use]
    pub fn bearing(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    /// Removes the token from the environment of this user's commands.
    #[must_use]
    pub fn without_token(mut self) -> Self {
        self.token = None;
        self
    }

    /// Returns the path of the token file.
    #[must_use]
    pub fn tokens(&self) -> std::path::PathBuf {
        self.home.path().join("tokens.json")
    }

    /// Returns the path of a file in the user's home.
    #[must_use]
    pub fn file(&self, name: &str) -> String {
        self.home.path().join(name).display().to_string()
    }

    /// Builds a command, ready to be started.
    #[must_use]
    pub fn command(&self, arguments: &str) -> Command {
        self.started(&binary("gamekeeper"), arguments)
    }

    /// Runs another program that calls servers, such as `gamekeeper-load`, to its end.
    ///
    /// # Panics
    /// If the program was not built.
    #[must_use]
    pub fn tool(&self, program: &str, arguments: &str) -> Ended {
        let output = self.started(&built(program), arguments).output();
        Ended::from(output.expect("build it first with cargo build --workspace --bins"))
    }

    fn started(&self, program: &Path, arguments: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments.split_whitespace())
            .env_remove("GAMEKEEPER_TOKEN")
            .env("GAMEKEEPER_SERVER", &self.server)
            .env("GAMEKEEPER_TOKENS", self.tokens())
            .env(
                "GAMEKEEPER_CONTEXTS",
                self.home.path().join("contexts.json"),
            )
            .env_remove("GAMEKEEPER_CONTEXT")
            .envs(self.token.iter().map(|token| ("GAMEKEEPER_TOKEN", token)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a command to its end.
    ///
    /// # Panics
    /// If the binary was not built.
    #[must_use]
    pub fn run(&self, arguments: &str) -> Ended {
        self.run_with(arguments, "")
    }

    /// Runs a command with this input.
    ///
    /// # Panics
    /// If the binary was not built.
    #[must_use]
    pub fn run_with(&self, arguments: &str, input: &str) -> Ended {
        let mut child = self.spawn(arguments);
        let mut stdin = child.stdin.take().expect("an input");
        // A command may end before it has read its whole input.
        let _unread = stdin.write_all(input.as_bytes());
        drop(stdin);
        Ended::from(child.wait_with_output().expect("the command ends"))
    }

    /// Starts a command.
    ///
    /// # Panics
    /// If the binary was not built.
    #[must_use]
    pub fn spawn(&self, arguments: &str) -> Child {
        self.command(arguments)
            .spawn()
            .expect("gamekeeper: build it first with cargo build --workspace --bins")
    }

    /// Runs a command that must succeed, and returns its output.
    ///
    /// # Panics
    /// If the command fails.
    #[must_use]
    pub fn out(&self, arguments: &str) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "gamekeeper {arguments}: {}", ended.err);
        ended.out
    }
}

/// Starts a server with games in memory, and returns it with a user of it.
#[must_use]
pub fn server() -> (Gamekeeperd, Cli) {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let cli = Cli::at(server.address());
    (server, cli)
}

/// Parses a line that a command printed as JSON.
///
/// # Panics
/// If it is no JSON.
#[must_use]
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
