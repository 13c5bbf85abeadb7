//! Real servers: the built `gamekeeperd` on a free port, stopped when dropped.

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

/// Maximum time until a server reports its address.
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
    /// Starts a server with these flags on a free port.
    ///
    /// # Panics
    /// If the binary was not built or the server does not start.
    #[must_use]
    pub fn start(flags: &[&str]) -> Self {
        Self::start_with(flags, &[])
    }

    /// Starts a server with these flags and environment variables.
    ///
    /// # Panics
    /// If the binary was not built or the server does not start.
    #[must_use]
    pub fn start_with(flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = command(flags);
        command.envs(variables.iter().copied());
        Self::run(command)
    }

    /// Starts a server that cannot write any file beyond this size, as on a failing disk.
    ///
    /// # Panics
    /// If the server does not start.
    #[must_use]
    pub fn start_with_small_files(flags: &[&str], kibibytes: u32) -> Self {
        // The unit of `ulimit -f` is half a kibibyte. Without the trap, the signal XFSZ would end the process.
        let limit = 2 * kibibytes;
        Self::run_in_shell(flags, &format!("trap '' XFSZ; ulimit -f {limit}"))
    }

    /// Starts a server that can open at most this number of files, including connections.
    ///
    /// # Panics
    /// If the server does not start.
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
        let (sender, receiver) = mpsc::channel();
        let mut admin = String::new();
        let log = ServerLog::read(stderr, move |line| {
            if let Some((_, rest)) = line.split_once("/metrics and /log on ") {
                let address = rest.split(['"', ' ']).next().unwrap_or_default();
                address.trim_end_matches('.').clone_into(&mut admin);
            } else if let Some(rest) = after(line, "Gamekeeper listens on ") {
                let address = rest.split_whitespace().next().map(str::to_owned);
                let _nobody_waits = sender.send((address, admin.clone()));
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
        let (address, admin) = receiver.recv_timeout(START).expect("the server starts");
        server.address = address.expect("the server says where it listens");
        server.admin = admin;
        server
    }

    /// Returns the address of the server, `host:port`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the address of the admin port, `host:port`; empty without `--admin-listen`.
    #[must_use]
    pub fn admin(&self) -> &str {
        &self.admin
    }

    /// Returns the log up to now, which includes everything written before the server's last response.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.log.lines()
    }

    /// Returns the id of the process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills the server at once, as a power cut would.
    ///
    /// # Panics
    /// If the process cannot be killed.
    pub fn kill(&mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server ends");
    }

    /// Stops the server gracefully (SIGTERM) and waits for its end. Returns `true` if it exited successfully.
    ///
    /// # Panics
    /// If the signal cannot be sent.
    pub fn stop(&mut self) -> bool {
        self.ask_to_stop();
        self.wait()
    }

    /// Requests a graceful stop (SIGTERM) without waiting for it.
    ///
    /// # Panics
    /// If the signal cannot be sent.
    pub fn ask_to_stop(&self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).expect("a server to ask");
    }

    /// Sends SIGHUP to the server.
    ///
    /// # Panics
    /// If the process is gone.
    pub fn hang_up(&self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::HUP).expect("a server to ask");
    }

    /// Waits until the server has ended. Returns `true` if it exited successfully.
    ///
    /// # Panics
    /// If it is impossible to wait for the process.
    pub fn wait(&mut self) -> bool {
        self.child.wait().expect("the server ends").success()
    }

    /// Opens a connection to the server.
    ///
    /// # Panics
    /// If the address is malformed.
    #[must_use]
    pub fn channel(&self) -> Channel {
        let uri = format!("http://{}", self.address);
        let endpoint = Endpoint::from_shared(uri).expect("an address");
        self.noted(endpoint.connect_lazy())
    }

    /// Wraps another connection to the server so that its calls are recorded too.
    #[must_use]
    pub fn noted(&self, channel: tonic::transport::Channel) -> Channel {
        Channel::new(channel, &self.address, &self.trail)
    }

    /// Returns a client of the game service.
    #[must_use]
    pub fn games(&self) -> GameServiceClient<Channel> {
        GameServiceClient::new(self.channel())
    }

    /// Returns a client of the access service.
    #[must_use]
    pub fn access(&self) -> AccessServiceClient<Channel> {
        AccessServiceClient::new(self.channel())
    }

    /// Returns a client of the ruleset service.
    #[must_use]
    pub fn rulesets(&self) -> RulesetServiceClient<Channel> {
        RulesetServiceClient::new(self.channel())
    }

    /// Returns a client of the self-play service.
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

/// Returns the text after these words in a line.
fn after<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    line.split_once(words).map(|(_, rest)| rest)
}

/// The environment variable with which a server also offers the example rulesets. Servers in tests set it.
pub const EXAMPLES: &str = "GAMEKEEPER_SERVE_EXAMPLES";

fn command(flags: &[&str]) -> Command {
    let mut command = Command::new(binary("gamekeeperd"));
    command.env(EXAMPLES, "true");
    command.args(["--listen", "127.0.0.1:0"]).args(flags);
    command
}

/// Returns the path of a binary: one of the workspace, built with the profile of this test, or one in the folder that
/// `GAMEKEEPER_TEST_BINARIES` names, for example a released one.
///
/// # Panics
/// If the test does not run from a target folder.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    match std::env::var_os("GAMEKEEPER_TEST_BINARIES") {
        Some(folder) => PathBuf::from(folder).join(name),
        None => built(name),
    }
}

/// Returns the path of a program that was built along with these tests.
///
/// # Panics
/// If the test does not run from a target folder.
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
