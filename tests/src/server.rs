//! Real servers: the built `gamekeeperd`, on a free port, stopped when dropped.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::access_service_client::AccessServiceClient;
use gamekeeper_proto::gamekeeper::v1::game_service_client::GameServiceClient;
use gamekeeper_proto::gamekeeper::v1::ruleset_service_client::RulesetServiceClient;
use gamekeeper_proto::gamekeeper::v1::self_play_service_client::SelfPlayServiceClient;
use rustix::process::{Pid, Signal, kill_process};
use tonic::transport::Endpoint;

use crate::evidence::{Channel, Trail};
use crate::server_log::ServerLog;

/// The maximum time until a server reports its address.
const START: Duration = Duration::from_secs(20);

/// A running `gamekeeperd`.
#[derive(Debug)]
pub struct Gamekeeperd {
    child: Child,
    address: String,
    admin: String,
    log: ServerLog,
    trail: Trail,
}

impl Gamekeeperd {
    /// Starts a server with these flags; it listens on a free port.
    ///
    /// # Panics
    /// When the binary was not built, or the server does not start.
    #[must_use]
    pub fn start(flags: &[&str]) -> Self {
        Self::start_with(flags, &[])
    }

    /// Starts a server with these flags and variables.
    ///
    /// # Panics
    /// When the binary was not built, or the server does not start.
    #[must_use]
    pub fn start_with(flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = command(flags);
        command.envs(variables.iter().copied());
        Self::run(command)
    }

    /// Starts a server that can write no file beyond this many kibibytes, as on a disk that fails.
    ///
    /// # Panics
    /// When the server does not start.
    #[must_use]
    pub fn start_with_small_files(flags: &[&str], kibibytes: u32) -> Self {
        // The unit is half a kibibyte. Without the trap, the signal would end the process.
        let limit = 2 * kibibytes;
        Self::run_in_shell(flags, &format!("trap '' XFSZ; ulimit -f {limit}"))
    }

    /// Starts a server that can open this many files, connections included.
    ///
    /// # Panics
    /// When the server does not start.
    #[must_use]
    pub fn start_with_few_files(flags: &[&str], files: u32) -> Self {
        Self::run_in_shell(flags, &format!("ulimit -n {files}"))
    }

    fn run_in_shell(flags: &[&str], before: &str) -> Self {
        let server = command(flags);
        let mut command = Command::new("sh");
        command.args(["-c", &format!(r#"{before}; exec "$0" "$@""#)]);
        command.arg(server.get_program()).args(server.get_args());
        command.env(EXAMPLES, "true");
        Self::run(command)
    }

    fn run(mut command: Command) -> Self {
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .expect("gamekeeperd: build it first with cargo build --workspace --bins");
        let stderr = child.stderr.take().expect("the log of the server");
        let (said, heard) = mpsc::channel();
        let mut admin = String::new();
        let log = ServerLog::read(stderr, move |line| {
            if let Some((_, rest)) = line.split_once("/metrics and /log on ") {
                let address = rest.split(['"', ' ']).next().unwrap_or_default();
                address.trim_end_matches('.').clone_into(&mut admin);
            } else if let Some(rest) = after(line, "Gamekeeper listens on ") {
                let address = rest.split_whitespace().next().map(str::to_owned);
                let _nobody_waits = said.send((address, admin.clone()));
            } else if std::env::var_os("GAMEKEEPER_TEST_LOG").is_some() {
                show(line);
            }
        });
        let mut server = Self {
            child,
            address: String::new(),
            admin: String::new(),
            trail: log.trail(),
            log,
        };
        let (address, admin) = heard.recv_timeout(START).expect("the server starts");
        server.address = address.expect("the server says where it listens");
        server.admin = admin;
        server
    }

    /// Its address, `host:port`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The address of its admin port, `host:port`; empty without `--admin-listen`.
    #[must_use]
    pub fn admin(&self) -> &str {
        &self.admin
    }

    /// Its log so far; includes everything written before its last answer.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.log.lines()
    }

    /// The id of the process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills it at once, as a power cut would.
    ///
    /// # Panics
    /// When the process cannot be killed.
    pub fn kill(&mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server ends");
    }

    /// Asks it to stop (SIGTERM) and waits until it has; true if it exited successfully.
    ///
    /// # Panics
    /// When the process cannot be asked.
    pub fn stop(&mut self) -> bool {
        self.ask_to_stop();
        self.wait()
    }

    /// Asks it to stop (SIGTERM), and does not wait.
    ///
    /// # Panics
    /// When the process cannot be asked.
    pub fn ask_to_stop(&self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).expect("a server to ask");
    }

    /// Sends it SIGHUP.
    ///
    /// # Panics
    /// When the process is gone.
    pub fn hang_up(&self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::HUP).expect("a server to ask");
    }

    /// Waits until it has ended; true if it exited successfully.
    ///
    /// # Panics
    /// When the process cannot be waited for.
    pub fn wait(&mut self) -> bool {
        self.child.wait().expect("the server ends").success()
    }

    /// A connection to it.
    ///
    /// # Panics
    /// When its address is malformed.
    #[must_use]
    pub fn channel(&self) -> Channel {
        let uri = format!("http://{}", self.address);
        let endpoint = Endpoint::from_shared(uri).expect("an address");
        self.noted(endpoint.connect_lazy())
    }

    /// Another connection to it, whose calls are noted too.
    #[must_use]
    pub fn noted(&self, channel: tonic::transport::Channel) -> Channel {
        Channel::new(channel, &self.address, &self.trail)
    }

    /// A client of its service of games.
    #[must_use]
    pub fn games(&self) -> GameServiceClient<Channel> {
        GameServiceClient::new(self.channel())
    }

    /// A client of its service of tokens.
    #[must_use]
    pub fn access(&self) -> AccessServiceClient<Channel> {
        AccessServiceClient::new(self.channel())
    }

    /// A client of its service of rulesets.
    #[must_use]
    pub fn rulesets(&self) -> RulesetServiceClient<Channel> {
        RulesetServiceClient::new(self.channel())
    }

    /// A client of its service of self-play.
    #[must_use]
    pub fn self_play(&self) -> SelfPlayServiceClient<Channel> {
        SelfPlayServiceClient::new(self.channel())
    }
}

impl Drop for Gamekeeperd {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// The text after these words.
fn after<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    line.split_once(words).map(|(_, rest)| rest)
}

/// The setting by which a server offers the example rulesets too. Servers for tests do.
pub const EXAMPLES: &str = "GAMEKEEPER_SERVE_EXAMPLES";

fn command(flags: &[&str]) -> Command {
    let mut command = Command::new(binary("gamekeeperd"));
    command.env(EXAMPLES, "true");
    command.args(["--listen", "127.0.0.1:0"]).args(flags);
    command
}

/// A binary of the workspace, built with the profile of this test, or one of those in the folder that
/// `GAMEKEEPER_TEST_BINARIES` names: released ones, for example.
///
/// # Panics
/// When the test does not run from a target folder.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    match std::env::var_os("GAMEKEEPER_TEST_BINARIES") {
        Some(folder) => PathBuf::from(folder).join(name),
        None => built(name),
    }
}

/// A program that was built along with these tests.
///
/// # Panics
/// When the test does not run from a target folder.
#[must_use]
pub fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of the test");
    let profile = test.ancestors().nth(2).expect("a folder of a profile");
    profile.join(name)
}

#[expect(
    clippy::print_stdout,
    reason = "for whoever asked for the log of the servers"
)]
fn show(line: &str) {
    println!("{line}");
}
