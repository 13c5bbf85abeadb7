//! News of games: the rules by which webhooks follow from the feed.
//!
//! Everything follows from the log of the game alone, so the same version gives the same webhooks whenever it is read.

use gamekeeper_proto::gamekeeper::v1::table_event;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, PendingDecision, TableEvent};
use gamekeeper_proto::raw::LogEntry;
use prost_reflect::prost_types::Timestamp;

use super::webhook::{Kind, Webhook};

/// The news of one game, from the feed or from a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct News {
    /// The cursor after it. Is `None` for what a list told.
    pub(super) cursor: Option<String>,
    /// The id of the game.
    pub(super) game: String,
    /// Whether the game is at its first version.
    pub(super) is_start: bool,
    /// The webhooks, in the order of sending.
    pub(super) webhooks: Vec<Webhook>,
    /// When the version was played.
    pub(super) played_ms: u64,
    /// The decisions that people owe at this version.
    pub(super) waiting: Vec<Waiting>,
}

/// A decision that a person owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) seat: u32,
    /// The time at which the decision began, or this version was played.
    pub(super) since_ms: u64,
    /// Whether it began with this version.
    pub(super) is_new: bool,
    /// Whether a clock limits it.
    pub(super) has_clock: bool,
}

/// Returns the first version that a game has for itself: 1, or that at which it branched off another.
pub(super) fn first_version(info: &GameInfo) -> u64 {
    info.forked_from
        .as_ref()
        .map_or(1, |from| from.version.max(1))
}

/// Converts a time of the contract to milliseconds since the Unix epoch. Times before it count as 0.
pub(super) fn ms(time: Option<&Timestamp>) -> u64 {
    let Some(time) = time else { return 0 };
    let seconds = u64::try_from(time.seconds).unwrap_or(0);
    let nanos = u64::try_from(time.nanos).unwrap_or(0);
    seconds
        .saturating_mul(1_000)
        .saturating_add(nanos / 1_000_000)
}

/// Returns when the version of this table was played.
pub(super) fn play_ms(info: &GameInfo) -> u64 {
    ms(info.update_time.as_ref())
}

/// Returns the version to which an entry took the table back.
pub(super) fn taken_back_to(entry: &LogEntry) -> Option<u64> {
    table_events(entry).find_map(|kind| {
        if let table_event::Kind::TakenBack(back) = kind {
            return Some(back.to_version);
        }
        None
    })
}

/// Returns whether a decision that a seat owed before an entry is the one that it owes after it.
pub(super) fn continues(
    before: &[PendingDecision],
    entry: &LogEntry,
    after: &PendingDecision,
) -> bool {
    let was_owed = before
        .iter()
        .any(|open| open.seat == after.seat && open.decision == after.decision);
    was_owed && !is_answered(entry, after.seat)
}

/// Returns whether an entry answers the decision of a seat: by an action of the seat, or because its time ran out.
fn is_answered(entry: &LogEntry, seat: u32) -> bool {
    let mut is_beside_rules = false;
    for kind in table_events(entry) {
        if let table_event::Kind::TimedOut(late) = kind
            && late.seat == seat
        {
            return true;
        }
        // The end of a game may follow from an action.
        is_beside_rules |= !matches!(kind, table_event::Kind::Ended(_));
    }
    entry.seat == seat && !is_beside_rules
}

fn table_events(entry: &LogEntry) -> impl Iterator<Item = &table_event::Kind> {
    let tables = entry.events.iter().filter_map(|event| event.table.as_ref());
    tables.filter_map(|TableEvent { kind }| kind.as_ref())
}

/// Returns the news of a version. `before` has the decisions before it; `entry` made it, and is unset where a game
/// begins.
pub(super) fn news_of_version(
    info: &GameInfo,
    entry: Option<&LogEntry>,
    before: &[PendingDecision],
) -> News {
    let is_new = |open: &PendingDecision| match entry {
        None => true,
        Some(entry) if taken_back_to(entry).is_some() => false,
        Some(entry) => !continues(before, entry, open),
    };
    let mut webhooks = Vec::new();
    if info.status() == GameStatus::Finished {
        webhooks.extend(people(info).map(|seat| webhook(info, Kind::Over, seat)));
    }
    webhooks.extend(proposals(info, |number| number == info.version));
    let opened = owed(info).filter(|open| is_new(open));
    webhooks.extend(opened.map(|open| your_turn(info, open, (info.version, play_ms(info)))));
    let has_clock = has_clock(info);
    let waiting = owed(info).map(|open| Waiting {
        seat: open.seat,
        since_ms: play_ms(info),
        is_new: is_new(open),
        has_clock,
    });
    News {
        game: info.game_id.clone(),
        is_start: entry.is_none(),
        played_ms: play_ms(info),
        waiting: waiting.collect(),
        webhooks,
        cursor: None,
    }
}

/// Returns whether the decisions of a game are limited by a clock.
pub(super) fn has_clock(info: &GameInfo) -> bool {
    info.table
        .as_ref()
        .is_some_and(|table| table.clock.is_some())
}

/// Returns the decisions that people owe. Bots need no webhook.
pub(super) fn owed(info: &GameInfo) -> impl Iterator<Item = &PendingDecision> {
    info.pending
        .iter()
        .filter(|open| people(info).any(|seat| seat == open.seat))
}

/// Returns the webhook of a decision that began at this version and time.
pub(super) fn your_turn(
    info: &GameInfo,
    open: &PendingDecision,
    (version, time_ms): (u64, u64),
) -> Webhook {
    Webhook {
        version,
        time_ms,
        due_ms: open.due.as_ref().map(|due| ms(Some(due))),
        ..webhook(info, Kind::YourTurn, open.seat)
    }
}

/// Returns the webhooks of the open proposal, if its number is wanted: one for each person whose answer it waits for.
pub(super) fn proposals(info: &GameInfo, is_wanted: impl Fn(u64) -> bool) -> Vec<Webhook> {
    let Some(open) = info.proposal.as_ref().filter(|open| is_wanted(open.number)) else {
        return Vec::new();
    };
    let asked = people(info).filter(|seat| {
        *seat != open.seat && !open.agreed.contains(seat) && !info.resigned.contains(seat)
    });
    asked
        .map(|seat| Webhook {
            version: open.number,
            ..webhook(info, Kind::Proposal, seat)
        })
        .collect()
}

/// Returns the webhook of a seat at the version of this table.
pub(super) fn webhook(info: &GameInfo, kind: Kind, seat: u32) -> Webhook {
    let player = info.players.iter().find(|player| player.seat == seat);
    Webhook {
        kind,
        game: info.game_id.clone(),
        version: info.version,
        seat,
        user: player.map_or_else(String::new, |player| player.user.clone()),
        due_ms: None,
        time_ms: play_ms(info),
    }
}

/// Returns the seats without a bot.
pub(super) fn people(info: &GameInfo) -> impl Iterator<Item = u32> {
    let players = info.players.iter().filter(|player| player.bot.is_none());
    players.map(|player| player.seat)
}

#[cfg(test)]
mod tests;
