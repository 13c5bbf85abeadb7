//! The **timer index**: lists, across all tenants, of the games in which the service itself must act, and when. Lists
//! are updated together with a game's entries. There is one list for every minute, which finds what is due now, and one
//! of all such games, which finds everything that became due during an outage.

use gamekeeper_rules::table::{PendingList, Seat};
use gamekeeper_rules::table_life::TableLife;
use gamekeeper_store::GameId;
use tokio::sync::{Mutex, mpsc};

use crate::metadata::{Bot, GameMetadata};

/// A task of a bot at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotTask {
    /// The bot answers the proposal with this number.
    AnswerProposal(Seat, u64),
    /// The bot takes a decision.
    Decide(Seat, Bot),
}

/// Returns the next task of a bot at a table. Bots that cannot decide here, by `can_decide`, are left out. Returns `None`
/// if no bot has anything to do.
pub(crate) fn next_bot_task(
    metadata: &GameMetadata,
    table_life: Option<&TableLife>,
    pending: &PendingList,
    can_decide: impl Fn(&Bot) -> bool,
) -> Option<BotTask> {
    if !metadata.has_bots() || pending.is_empty() {
        return None;
    }
    if let Some(table_life) = table_life
        && let Some(proposal) = table_life.open_proposal()
        && let Some(seat) = table_life
            .seats_to_agree()
            .iter()
            .find(|seat| metadata.bot(*seat).is_some())
    {
        return Some(BotTask::AnswerProposal(seat, proposal.number));
    }
    let seats = pending.iter().map(|decision| decision.seat);
    let mut bots = seats.filter_map(|seat| Some((seat, metadata.bot(seat)?)));
    bots.find(|(_, bot)| can_decide(bot))
        .map(|(seat, bot)| BotTask::Decide(seat, bot.clone()))
}

/// A game in which the service must act.
#[derive(Debug)]
pub(crate) struct DueGame {
    pub(crate) id: GameId,
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
}

/// A queue of games in which a bot can act at once. It spares bots the wait until the timer index is read again.
pub(crate) struct DueQueue {
    sender: mpsc::Sender<DueGame>,
    receiver: Mutex<mpsc::Receiver<DueGame>>,
}

/// The capacity of the queue. Games that do not fit are found through the timer index.
const MAX_QUEUED: usize = 1_024;

impl DueQueue {
    pub(crate) fn new() -> Self {
        let (sender, receiver) = mpsc::channel(MAX_QUEUED);
        let receiver = Mutex::new(receiver);
        Self { sender, receiver }
    }

    /// Queues a game, if one is given.
    pub(crate) fn push(&self, game: Option<DueGame>) {
        if let Some(game) = game {
            // A game that does not fit is found through the timer index.
            let _full = self.sender.try_send(game);
        }
    }

    /// Waits for the next game.
    pub(crate) async fn next(&self) -> Option<DueGame> {
        self.receiver.lock().await.recv().await
    }
}

/// The length of a minute, in milliseconds.
const MINUTE_MS: u64 = 60_000;

/// The name of the list of all games in which the service must act.
pub(crate) const ALL_DUE_LIST: &str = "*due";

/// Returns the lists that contain a game whose timer expires at this time.
pub(crate) fn due_list_names(due_ms: u64) -> Vec<String> {
    vec![ALL_DUE_LIST.to_owned(), due_bucket(minute_of(due_ms))]
}

/// Converts a time in milliseconds to the minute that contains it.
pub(crate) const fn minute_of(ms: u64) -> u64 {
    ms / MINUTE_MS
}

/// Returns whether a game in these lists has a timer that expires in this minute or earlier.
pub(crate) fn has_bucket_up_to(lists: &[String], minute: u64) -> bool {
    let minutes = lists
        .iter()
        .filter_map(|name| name.strip_prefix(DUE_BUCKET_PREFIX));
    minutes
        .filter_map(|due| due.parse::<u64>().ok())
        .any(|due| due <= minute)
}

/// The prefix of the names of the lists by minute.
const DUE_BUCKET_PREFIX: &str = "*due in ";

/// Returns the name of the list of games whose timers expire in this minute.
pub(crate) fn due_bucket(minute: u64) -> String {
    format!("{DUE_BUCKET_PREFIX}{minute}")
}
