//! The record of a game, version by version: the change, the pending decisions and their deadlines.

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_proto::gamekeeper::v1;
use prost_types::Timestamp;
use tonic::Status;
use v1::export_game_response::Part;
use v1::table_event::{self, proposed};

use super::desk::Desk;

/// An entry of a log, or the entry that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableChange {
    /// The game was created.
    Created,
    /// A seat played an action.
    Acted(u32),
    /// A seat left the game.
    Resigned(u32),
    /// A seat has a player again.
    SeatFilled(u32),
    /// A seat timed out.
    TimedOut(u32),
    /// Some seats got more time.
    TimeAdded {
        /// The number of seats.
        seats: usize,
        /// The additional time of each, in milliseconds.
        ms: u64,
    },
    /// The clocks moved forward by the duration of an outage, in which no server could be reached.
    OutagePassed {
        /// The duration, in milliseconds.
        ms: u64,
    },
    /// The clocks were paused.
    Paused {
        /// The last seat that agreed; 0 if no consent was needed.
        agreed_by: u32,
    },
    /// The clocks were resumed by this seat; 0 for the owner.
    Resumed(u32),
    /// A seat proposed something. In a request, the proposed change may also be made at once, if it needs no consent.
    Proposed {
        /// The seat.
        seat: u32,
        /// The content of the proposal.
        wish: Proposed,
    },
    /// A seat answered that proposal. The answer may be the last consent needed, and then becomes the proposed change.
    Answered {
        /// The seat.
        seat: u32,
        /// Whether it agreed.
        agrees: bool,
    },
    /// A take-back was carried out.
    TakenBack {
        /// The seat that requested it.
        seat: u32,
        /// The version restored.
        to_version: u64,
        /// The last seat that agreed; 0 if no consent was needed.
        agreed_by: u32,
    },
    /// The game was ended.
    Ended {
        /// The last seat that agreed; 0 if the owner ended the game.
        agreed_by: u32,
        /// Whether the seats are ranked by their points.
        scored: bool,
    },
}

/// The content of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposed {
    /// A return to this version; 0 in a request for the default version of the contract.
    TakeBack(u64),
    /// A pause of the clocks.
    Pause,
    /// The end of the game, with or without a ranking.
    End(bool),
}

impl Proposed {
    /// Returns whether this entry is the proposed change.
    pub(super) fn is_done_by(self, table_change: TableChange) -> bool {
        match (self, table_change) {
            (Self::TakeBack(to), TableChange::TakenBack { to_version, .. }) => to == to_version,
            (Self::Pause, TableChange::Paused { .. }) => true,
            (Self::End(proposed_scored), TableChange::Ended { scored, .. }) => {
                proposed_scored == scored
            }
            _ => false,
        }
    }
}

/// The kinds of entries.
pub(super) type Kinds = BTreeSet<&'static str>;

impl TableChange {
    /// All kinds that a request can ask for, except creation.
    pub(super) const KINDS: [&'static str; 10] = [
        "act",
        "resign",
        "fill a seat",
        "claim a timeout",
        "add time",
        "pause",
        "resume",
        "take back",
        "end",
        "answer a proposal",
    ];

    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::Created => "create",
            Self::Acted(_) => "act",
            Self::Resigned(_) => "resign",
            Self::SeatFilled(_) => "fill a seat",
            Self::TimedOut(_) => "claim a timeout",
            Self::TimeAdded { .. } => "add time",
            Self::OutagePassed { .. } => "pass an outage",
            Self::Resumed(_) => "resume",
            Self::Paused { .. }
            | Self::Proposed {
                wish: Proposed::Pause,
                ..
            } => "pause",
            Self::Ended { .. }
            | Self::Proposed {
                wish: Proposed::End(_),
                ..
            } => "end",
            Self::TakenBack { .. }
            | Self::Proposed {
                wish: Proposed::TakeBack(_),
                ..
            } => "take back",
            Self::Answered { .. } => "answer a proposal",
        }
    }

    /// Returns whether this entry can be the one that a request asked for.
    pub(super) fn answers(self, wish: Self) -> bool {
        let is_any_or_same = |requested: u64, actual: u64| requested == 0 || requested == actual;
        match (wish, self) {
            (
                Self::Proposed {
                    seat,
                    wish: Proposed::TakeBack(to_version),
                },
                Self::Proposed {
                    seat: by,
                    wish: Proposed::TakeBack(to),
                }
                | Self::TakenBack {
                    seat: by,
                    to_version: to,
                    agreed_by: 0,
                },
            ) => seat == by && is_any_or_same(to_version, to),
            (
                Self::Answered { seat, agrees: true },
                Self::TakenBack { agreed_by, .. }
                | Self::Paused { agreed_by }
                | Self::Ended { agreed_by, .. },
            ) => seat == agreed_by,
            (wish, actual) => wish == actual,
        }
    }
}

/// One version of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedVersion {
    /// The change.
    pub table_change: TableChange,
    /// Whether there were automatic actions, by the rules or by fallbacks.
    pub automatic: bool,
    /// The seats with pending decisions after this version, and when they time out, in milliseconds.
    pub pending: Vec<(u32, Option<u64>)>,
    /// The time of this version, in milliseconds.
    pub at_ms: u64,
    /// A hash of the state after this version.
    pub state: String,
}

/// The record of a game, from version 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The number of seats.
    pub seats: u32,
    /// The seats that the servers play.
    pub bots: BTreeSet<u32>,
    /// All versions.
    pub versions: Vec<RecordedVersion>,
}

impl Record {
    /// Returns the number of outages that were credited to the clocks of the game.
    #[must_use]
    pub fn outages(&self) -> usize {
        let table_changes = self.versions.iter().map(|version| &version.table_change);
        table_changes
            .filter(|table_change| matches!(table_change, TableChange::OutagePassed { .. }))
            .count()
    }

    /// Returns whether the servers may have made this version by themselves, because time had run out or a bot acted.
    pub(super) fn was_due(&self, version: u64) -> bool {
        let index = usize::try_from(version)
            .ok()
            .and_then(|version| version.checked_sub(1));
        let recorded = index.and_then(|index| self.versions.get(index));
        recorded.is_some_and(|recorded| match recorded.table_change {
            TableChange::TimedOut(_) | TableChange::OutagePassed { .. } => true,
            TableChange::Acted(seat)
            | TableChange::Answered { seat, .. }
            | TableChange::TakenBack {
                agreed_by: seat, ..
            }
            | TableChange::Paused { agreed_by: seat }
            | TableChange::Ended {
                agreed_by: seat, ..
            } => self.bots.contains(&seat),
            TableChange::Created
            | TableChange::Resigned(_)
            | TableChange::SeatFilled(_)
            | TableChange::TimeAdded { .. }
            | TableChange::Resumed(_)
            | TableChange::Proposed { .. } => false,
        })
    }
}

/// The records of games by id.
pub type Records = BTreeMap<String, Record>;

/// Reads the record of a game.
pub(super) async fn read_record(desk: &mut Desk, game: &str) -> Result<Record, Status> {
    let ask = desk.ask(v1::ExportGameRequest {
        game_id: game.to_owned(),
        ..Default::default()
    });
    let mut stream = desk.games.export_game(ask).await?.into_inner();
    let mut record = Record::default();
    while let Some(message) = stream.message().await? {
        match message.part {
            Some(Part::Header(header)) => {
                let players = header.game.unwrap_or_default().players;
                record.seats = u32::try_from(players.len()).unwrap_or(u32::MAX);
                let bots = players.iter().filter(|player| player.bot.is_some());
                record.bots = bots.map(|player| player.seat).collect();
            }
            Some(Part::Version(version)) => record.versions.push(recorded_version(&version)),
            Some(Part::End(_)) | None => {}
        }
    }
    Ok(record)
}

fn recorded_version(version: &v1::ExportVersion) -> RecordedVersion {
    let entry = version.entry.clone().unwrap_or_default();
    let pending_of = |pending: &v1::PendingDecision| (pending.seat, pending.due.map(ms_of));
    let mut events = entry.events.iter();
    let table_change = match events.find_map(table_change_of) {
        Some(table_change) => table_change,
        None if version.action.is_some() => TableChange::Acted(entry.seat),
        None => TableChange::Created,
    };
    RecordedVersion {
        table_change,
        automatic: !version.automatic.is_empty(),
        pending: version.pending.iter().map(pending_of).collect(),
        at_ms: entry.play_time.map_or(0, ms_of),
        state: version.fingerprint.clone(),
    }
}

/// Returns the change beyond the rules that an event reports.
fn table_change_of(event: &v1::Event) -> Option<TableChange> {
    use table_event::Kind;
    Some(match event.table.as_ref()?.kind.as_ref()? {
        // The start follows from the creation, so it is no change.
        Kind::BegunFromPosition(_) => return None,
        Kind::Resigned(left) => TableChange::Resigned(left.seat),
        Kind::SeatFilled(filled) => TableChange::SeatFilled(filled.seat),
        Kind::TimedOut(late) => TableChange::TimedOut(late.seat),
        Kind::TimeAdded(added) if added.outage => TableChange::OutagePassed { ms: added.added_ms },
        Kind::TimeAdded(added) => TableChange::TimeAdded {
            seats: added.seats.len(),
            ms: added.added_ms,
        },
        Kind::Paused(paused) => TableChange::Paused {
            agreed_by: paused.agreed_by,
        },
        Kind::Resumed(resumed) => TableChange::Resumed(resumed.seat),
        Kind::Proposed(proposed) => TableChange::Proposed {
            seat: proposed.seat,
            wish: match proposed.kind? {
                proposed::Kind::TakeBack(back) => Proposed::TakeBack(back.to_version),
                proposed::Kind::Pause(_) => Proposed::Pause,
                proposed::Kind::End(end) => Proposed::End(end.scored),
            },
        },
        Kind::Answered(answer) => TableChange::Answered {
            seat: answer.seat,
            agrees: answer.agrees,
        },
        Kind::TakenBack(back) => TableChange::TakenBack {
            seat: back.seat,
            to_version: back.to_version,
            agreed_by: back.agreed_by,
        },
        Kind::Ended(ended) => match ended.reason() {
            v1::EndReason::Agreed | v1::EndReason::Aborted => TableChange::Ended {
                agreed_by: ended.agreed_by,
                scored: ended.scored,
            },
            // The end follows from the previous entry, so it is no entry of its own.
            v1::EndReason::Unspecified
            | v1::EndReason::Rules
            | v1::EndReason::Resignation
            | v1::EndReason::Abandoned => return None,
        },
    })
}

fn ms_of(time: Timestamp) -> u64 {
    let seconds = u64::try_from(time.seconds).unwrap_or(0);
    let nanos = u64::try_from(time.nanos).unwrap_or(0);
    seconds * 1_000 + nanos / 1_000_000
}
