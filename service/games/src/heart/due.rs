//! Where it is written what the service must do by itself, and when: in lists of all tenants, which are kept with the
//! game's own entries. There is a list for every minute, and one of all these games, so that a process finds what
//! is due now, and after an outage everything that was due.

use gamekeeper_rules::life::Life;
use gamekeeper_rules::table::{PendingList, Seat};
use gamekeeper_store::GameId;
use tokio::sync::{Mutex, mpsc};

use crate::heart::access::{Access, Bot};

/// What a bot must do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotTurn {
    /// It answers the proposal with this number.
    Answer(Seat, u64),
    /// It decides.
    Decide(Seat, Bot),
}

/// What a bot must do at a table, if it is the turn of one.
pub(crate) fn turn_of_bot(
    access: &Access,
    life: Option<&Life>,
    pending: &PendingList,
) -> Option<BotTurn> {
    if !access.has_bots() || pending.is_empty() {
        return None;
    }
    if let Some(life) = life
        && let Some(asked) = life.asked()
        && let Some(seat) = life
            .still_to_agree()
            .iter()
            .find(|seat| access.bot(*seat).is_some())
    {
        return Some(BotTurn::Answer(seat, asked.number));
    }
    let owed = pending.iter().map(|owed| owed.seat);
    let mut bots = owed.filter_map(|seat| Some((seat, access.bot(seat)?)));
    bots.next()
        .map(|(seat, bot)| BotTurn::Decide(seat, bot.clone()))
}

/// A game for which something is due.
#[derive(Debug)]
pub(crate) struct DueGame {
    pub(crate) id: GameId,
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
}

/// The games for which something became due at once, so that bots answer before the lists are looked at again.
pub(crate) struct DueNow {
    sender: mpsc::Sender<DueGame>,
    receiver: Mutex<mpsc::Receiver<DueGame>>,
}

/// How many games wait here at most. Beyond that, they are found in the lists.
const MAX_NOW: usize = 1_024;

impl DueNow {
    pub(crate) fn new() -> Self {
        let (sender, receiver) = mpsc::channel(MAX_NOW);
        let receiver = Mutex::new(receiver);
        Self { sender, receiver }
    }

    /// Notes a game, if something is due.
    pub(crate) fn note(&self, game: Option<DueGame>) {
        if let Some(game) = game {
            // If there is no room, the lists have it.
            let _full = self.sender.try_send(game);
        }
    }

    /// The next game.
    pub(crate) async fn next(&self) -> Option<DueGame> {
        self.receiver.lock().await.recv().await
    }
}

/// Milliseconds of a minute.
const MINUTE: u64 = 60_000;

/// The list of all games for which something will be due.
pub(crate) const DUE: &str = "*due";

/// The lists that contain a game for which something is due at this time.
pub(crate) fn due_lists(due_ms: u64) -> Vec<String> {
    vec![DUE.to_owned(), due_in(minute_of(due_ms))]
}

/// The minute of a time.
pub(crate) const fn minute_of(ms: u64) -> u64 {
    ms / MINUTE
}

/// Is something due up to this minute in a game that is in these lists?
pub(crate) fn is_due(lists: &[String], minute: u64) -> bool {
    let minutes = lists.iter().filter_map(|name| name.strip_prefix(IN));
    minutes
        .filter_map(|due| due.parse::<u64>().ok())
        .any(|due| due <= minute)
}

/// The beginning of the names of lists of what is due in a minute.
const IN: &str = "*due in ";

/// The list of what is due in a minute.
pub(crate) fn due_in(minute: u64) -> String {
    format!("{IN}{minute}")
}
