//! Options and arguments that commands share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gamekeeper_proto::gamekeeper::v1::{Bot, GameStart, PlayerUpdate, SelfPlayStart};
use gamekeeper_rules::starts;

/// The formats of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// Protobuf JSON, one message per line.
    Json,
}

/// The tables on which games begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Start {
    /// The set-up
    SetUp,
    /// The set-up, with much more for every player than the rules give them
    Rich,
    /// A table late in the game, after random actions
    Late,
}

/// Converts the choice to types that spell it alike.
macro_rules! start_as {
    ($($other:ty),*) => {$(
        impl From<Start> for $other {
            fn from(start: Start) -> Self {
                match start {
                    Start::SetUp => Self::SetUp,
                    Start::Rich => Self::Rich,
                    Start::Late => Self::Late,
                }
            }
        }
    )*};
}

start_as!(starts::Start, SelfPlayStart, GameStart);

/// When to use color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Applies this choice to all output from now on.
    pub(crate) fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Parses the user of a seat, written as `SEAT=USER`. `SEAT=` removes the user.
pub(crate) fn seat_user(text: &str) -> Result<PlayerUpdate, String> {
    let (seat, user) = of_seat(text, "a seat from 1 and a user belong here, such as 1=ada")?;
    Ok(PlayerUpdate {
        seat,
        user: Some(user),
        ..PlayerUpdate::default()
    })
}

/// Parses a bot at a seat, written as `SEAT=POLICY`.
pub(crate) fn seat_bot(text: &str) -> Result<(u32, Bot), String> {
    let (seat, policy) = of_seat(
        text,
        "a seat from 1 and a policy belong here, such as 2=medium",
    )?;
    Ok((seat, bot(&policy)))
}

/// Builds the message for a bot with the server's default thinking time.
pub(crate) fn bot(policy: &str) -> Bot {
    Bot {
        policy: policy.to_owned(),
        ..Bot::default()
    }
}

/// Parses the name of a seat's player, written as `SEAT=NAME`.
pub(crate) fn seat_name(text: &str) -> Result<PlayerUpdate, String> {
    let (seat, name) = of_seat(text, "a seat from 1 and a name belong here, such as 1=Ada")?;
    Ok(PlayerUpdate {
        seat,
        name: Some(name),
        ..PlayerUpdate::default()
    })
}

fn of_seat(text: &str, wrong: &str) -> Result<(u32, String), String> {
    let (seat, value) = text.split_once('=').ok_or(wrong)?;
    let seat = seat.parse().ok().filter(|seat| *seat > 0);
    Ok((seat.ok_or(wrong)?, value.to_owned()))
}

/// Parses a label, written as `KEY=VALUE`.
pub(crate) fn label(text: &str) -> Result<(String, String), String> {
    let label = text.split_once('=').filter(|(key, _)| !key.is_empty());
    let label = label.map(|(key, value)| (key.to_owned(), value.to_owned()));
    label.ok_or_else(|| String::from("a key and a value belong here, such as league=gold"))
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Globals {
    /// Address of the server: http://host:port or https://host:port [default: that of the context,
    /// otherwise http://127.0.0.1:50051]
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "GAMEKEEPER_SERVER",
        hide_env_values = true
    )]
    pub(crate) server: Option<String>,
    /// Named connection to use, from `gamekeeper context add` [default: the one in use]
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        env = "GAMEKEEPER_CONTEXT",
        hide_env_values = true
    )]
    pub(crate) context: Option<String>,
    /// File of named connections [default: contexts.json in the configuration directory of the user]
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "GAMEKEEPER_CONTEXTS",
        hide_env_values = true
    )]
    pub(crate) contexts: Option<PathBuf>,
    /// Certificate authority to trust, in PEM [default: those of the system]
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "GAMEKEEPER_CA",
        hide_env_values = true
    )]
    pub(crate) ca: Option<PathBuf>,
    /// Client certificate for mutual TLS, in PEM
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        requires = "key",
        env = "GAMEKEEPER_CERT",
        hide_env_values = true
    )]
    pub(crate) cert: Option<PathBuf>,
    /// Private key of --cert, in PEM
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        requires = "cert",
        env = "GAMEKEEPER_KEY",
        hide_env_values = true
    )]
    pub(crate) key: Option<PathBuf>,
    /// Name expected in the server's certificate [default: the host of --server]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) tls_name: Option<String>,
    /// File with the token to send [default: the variable GAMEKEEPER_TOKEN, otherwise the stored
    /// token of the seat]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// File of stored seat tokens [default: tokens.json in the state directory of the user]
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "GAMEKEEPER_TOKENS",
        hide_env_values = true
    )]
    pub(crate) tokens: Option<PathBuf>,
    /// Time to wait for an answer
    #[arg(
        long,
        global = true,
        value_name = "TIME",
        default_value = "10s",
        value_parser = humantime::parse_duration
    )]
    pub(crate) timeout: std::time::Duration,
    /// Maximum number of retries when the server does not answer; the request id stays the same
    #[arg(long, global = true, value_name = "N", default_value_t = 4)]
    pub(crate) retries: u32,
    /// Output format [default: table on a terminal, otherwise json]
    #[arg(short, long, global = true, value_name = "FORMAT")]
    pub(crate) output: Option<Format>,
    /// When to use color
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Show the details of errors
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

impl Globals {
    /// The default address of the server.
    pub(crate) const SERVER: &str = "http://127.0.0.1:50051";

    /// Returns the address of the server, or the default one.
    pub(crate) fn server(&self) -> &str {
        self.server.as_deref().unwrap_or(Self::SERVER)
    }
}

/// The game of a command.
#[derive(Clone, Debug, Args)]
pub(crate) struct GameArg {
    /// The id of the game, or `last` for the last one you created on this machine
    #[arg(value_name = "GAME")]
    pub(crate) id: String,
}

/// The seat of a command.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SeatArg {
    /// Number of the seat, from 1
    #[arg(long, value_name = "N", value_parser = seat_number())]
    pub(crate) seat: u32,
}

/// The viewer.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
pub(crate) struct ViewerArg {
    /// Viewer: this seat [default: that of the token, otherwise a spectator]
    #[arg(long, value_name = "N", value_parser = seat_number())]
    pub(crate) seat: Option<u32>,
    /// Viewer: a spectator, who sees public facts
    #[arg(long)]
    pub(crate) spectator: bool,
    /// Viewer: the operator, who sees everything; open to anyone once the game is over
    #[arg(long)]
    pub(crate) operator: bool,
}

/// Returns a parser for seat numbers, which count from 1.
pub(crate) fn seat_number() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=255)
}
