//! `gamekeeper forward`: signed webhooks of what happens in the games of a tenant, by the scheme of Standard Webhooks.
//!
//! Delivery is **at least once**, and in order for each game. What follows from the log has an id that follows from it
//! too, so a receiver that drops ids which it knows takes everything exactly once.

mod backoff;
mod dead_letters;
mod dispatcher;
mod feed;
mod forwarder;
mod history;
mod lists;
mod metrics;
mod news;
mod receiver;
mod signature;
mod state;
mod webhook;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::GameFilter;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use self::dead_letters::DeadLetters;
use self::dispatcher::Dispatcher;
use self::feed::{Reader, Start};
use self::forwarder::{Forwarder, ReminderTimes, milliseconds, now_ms};
use self::lists::Candidate;
use self::metrics::Metrics;
use self::receiver::Receiver;
use self::signature::Secrets;
use self::state::{BEGUN, CURSOR, GONE, SETTLED_MS, State};
use self::webhook::Kind;
use crate::args::label;
use crate::failure::Failure;
use crate::output::notice;
use crate::session::Session;

/// The number of messages of the feed that wait for the forwarder.
const WAITING_MESSAGES: usize = 64;

/// The longest interval between two looks at what is due.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// The number of looks after which games whose time ran out long ago are looked at again.
const FULL_LOOK: u32 = 120;

/// The time after which a decision whose time ran out is looked at by full looks alone, in milliseconds.
const LONG_AGO_MS: u64 = 60_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// URL of the receiver: https://..., or http://... on this machine
    #[arg(
        long,
        value_name = "URL",
        env = "GAMEKEEPER_FORWARD_TO",
        hide_env_values = true
    )]
    to: String,
    /// File with the secret that signs, `whsec_` and base64; a second line while one secret replaces the other
    #[arg(
        long,
        value_name = "FILE",
        env = "GAMEKEEPER_FORWARD_SECRET_FILE",
        hide_env_values = true
    )]
    secret_file: PathBuf,
    /// Directory for what must survive a restart: the cursor of the feed, reminders, dead letters
    #[arg(
        long,
        value_name = "DIRECTORY",
        env = "GAMEKEEPER_FORWARD_STATE",
        hide_env_values = true
    )]
    state: PathBuf,
    /// Only games of this ruleset
    #[arg(
        long,
        value_name = "RULESET",
        env = "GAMEKEEPER_FORWARD_RULESET",
        hide_env_values = true
    )]
    ruleset: Option<String>,
    /// Only games with this label; may be repeated, for games that have all of them
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label, env = "GAMEKEEPER_FORWARD_LABEL", hide_env_values = true)]
    labels: Vec<(String, String)>,
    /// Only webhooks of these kinds, with commas or repeated [default: all]
    #[arg(
        long = "kind",
        value_name = "KIND",
        value_delimiter = ',',
        env = "GAMEKEEPER_FORWARD_KINDS",
        hide_env_values = true
    )]
    kinds: Vec<Kind>,
    /// How long before its time runs out a seat is reminded
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = humantime::parse_duration, env = "GAMEKEEPER_FORWARD_DUE_SOON", hide_env_values = true)]
    due_soon: Duration,
    /// How long a seat may think in a game without a clock before it is reminded, once
    #[arg(long, value_name = "TIME", default_value = "1d", value_parser = humantime::parse_duration, env = "GAMEKEEPER_FORWARD_REMIND_AFTER", hide_env_values = true)]
    remind_after: Duration,
    /// How long a webhook that is not taken is tried again, before it becomes a dead letter
    #[arg(long, value_name = "TIME", default_value = "3d", value_parser = humantime::parse_duration, env = "GAMEKEEPER_FORWARD_GIVE_UP_AFTER", hide_env_values = true)]
    give_up_after: Duration,
    /// Maximum number of requests to the receiver at once; those that take longer than a second do not count, up to eight
    /// times as many
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1_024), env = "GAMEKEEPER_FORWARD_CONCURRENCY", hide_env_values = true)]
    concurrency: u16,
    /// Certificate authority of the receiver, in PEM [default: those of the system]
    #[arg(
        long,
        value_name = "FILE",
        env = "GAMEKEEPER_FORWARD_RECEIVER_CA",
        hide_env_values = true
    )]
    receiver_ca: Option<PathBuf>,
    /// Address for metrics and probes over HTTP, host:port [default: none]
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "GAMEKEEPER_FORWARD_ADMIN_LISTEN",
        hide_env_values = true
    )]
    admin_listen: Option<String>,
    /// Send again to a receiver that has answered 410 Gone
    #[arg(long)]
    again: bool,
}

impl Args {
    fn filter(&self) -> GameFilter {
        GameFilter {
            ruleset: self.ruleset.clone().unwrap_or_default(),
            labels: self.labels.iter().cloned().collect(),
            ..GameFilter::default()
        }
    }

    fn kinds(&self) -> BTreeSet<Kind> {
        match self.kinds.is_empty() {
            true => Kind::ALL.into(),
            false => self.kinds.iter().copied().collect(),
        }
    }
}

/// Forwards until the program is stopped.
pub(super) async fn run(session: Session, args: &Args) -> Result<(), Failure> {
    let session = session.patient();
    let secrets = Secrets::read(&args.secret_file)?;
    let receiver = Receiver::new(&args.to, args.receiver_ca.as_deref(), secrets)?;
    let mut state = State::open(&args.state)?;
    let start = begin(&mut state, &receiver, args.again)?;
    let metrics = Arc::new(Metrics::new()?);
    if let Some(address) = &args.admin_listen {
        let address = metrics::serve(address, Arc::clone(&metrics)).await?;
        notice(format_args!("Metrics are on http://{address}/metrics."));
    }
    let times = ReminderTimes {
        due_soon: args.due_soon,
        remind_after: args.remind_after,
    };
    let kinds = args.kinds();
    let reminders = Some(times).filter(|_| kinds.contains(&Kind::DueSoon));
    let mut forwarder = Forwarder {
        session: &session,
        receiver: &receiver,
        dispatcher: Dispatcher::new(usize::from(args.concurrency), args.give_up_after),
        dead_letters: DeadLetters::open(&args.state)?,
        state,
        metrics,
        reminders,
        reminding: HashMap::new(),
        is_receiver_well: true,
    };
    let (sender, told) = mpsc::channel(WAITING_MESSAGES);
    let (finder, found) = mpsc::channel(WAITING_MESSAGES);
    let reader = Reader {
        session: &session,
        filter: args.filter(),
        kinds,
        sender,
    };
    let stop = stopped()?;
    let result = tokio::select! {
        result = reader.follow(start) => result,
        result = look_for_due(&session, args.filter(), reminders, finder) => result,
        result = forwarder.run(told, found, stop) => result,
    };
    // What was delivered before a failure is noted all the same.
    forwarder.commit()?;
    result
}

/// Reads where to go on. A receiver that has answered 410 gets nothing, unless it is to be tried again.
fn begin(state: &mut State, receiver: &Receiver, again: bool) -> Result<Start, Failure> {
    if let Some(gone) = state.value(GONE)? {
        if gone == receiver.url() && !again {
            let receiver = receiver.origin();
            return Err(Failure::ReceiverGone { receiver });
        }
        state.set_value(GONE, None)?;
        state.commit()?;
    }
    let settled_ms = state.value(SETTLED_MS)?;
    let (cursor, begun) = (state.value(CURSOR)?, state.value(BEGUN)?);
    Ok(Start {
        reads_lists: cursor.is_none(),
        cursor: cursor.or(begun),
        settled_ms: settled_ms.and_then(|text| text.parse().ok()),
    })
}

/// Looks again and again which decisions are due soon.
async fn look_for_due(
    session: &Session,
    filter: GameFilter,
    reminders: Option<ReminderTimes>,
    finder: mpsc::Sender<Candidate>,
) -> Result<(), Failure> {
    let Some(ReminderTimes { due_soon, .. }) = reminders else {
        return std::future::pending().await;
    };
    let every = LOOK_EVERY.min(due_soon / 4).max(Duration::from_secs(1));
    let mut hand_on = async |candidate: Candidate| {
        let sent = finder.send(candidate).await;
        sent.map_err(|_| Failure::Contract(String::from("the forwarder has ended")))
    };
    for look in (0..FULL_LOOK).cycle() {
        let now_ms = now_ms();
        let from_ms = (look > 0).then(|| now_ms.saturating_sub(LONG_AGO_MS));
        let until_ms = now_ms.saturating_add(milliseconds(due_soon));
        lists::due(session, &filter, (from_ms, until_ms), &mut hand_on).await?;
        tokio::time::sleep(every).await;
    }
    Ok(())
}

/// Returns a future that is done when the program is asked to stop.
fn stopped() -> Result<impl Future<Output = ()>, Failure> {
    let wrong = |error: std::io::Error| Failure::io("the signals", &error);
    let mut terminate = signal(SignalKind::terminate()).map_err(wrong)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(wrong)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
