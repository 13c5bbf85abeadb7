//! The record of a game by version: what happened, who owes a decision, and until when.

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_proto::gamekeeper::{dominion::v1 as pb, v1};
use pb::export_game_response::Part;
use prost_types::Timestamp;
use tonic::Status;
use v1::table_entry::Kind;

use super::desk::Desk;

/// An entry of a log, or the entry that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The game was created.
    Created,
    /// This seat acted by the rules.
    Acted(u32),
    /// This seat left.
    Resigned(u32),
    /// This seat is played again.
    Returned(u32),
    /// This seat timed out.
    TimedOut(u32),
    /// The clocks were paused.
    Paused,
    /// The clocks were resumed.
    Resumed,
    /// A seat requested a take-back. Such a request may also be granted at once.
    TakeBackAsked {
        /// The seat.
        seat: u32,
        /// The version to restore; 0 in a request: as the contract says.
        to_version: u64,
    },
    /// A seat answered that request. The answer may also be the last consent needed.
    TakeBackAnswered {
        /// The seat.
        seat: u32,
        /// Did it agree?
        agrees: bool,
    },
    /// A take-back was carried out.
    TakenBack {
        /// The seat that requested it.
        seat: u32,
        /// The version restored.
        to_version: u64,
        /// The last seat that agreed; 0: no consent was needed.
        agreed_by: u32,
    },
}

/// Kinds of deeds.
pub(super) type Kinds = BTreeSet<&'static str>;

impl Deed {
    /// All kinds that a request can ask for, except creation.
    pub(super) const KINDS: [&'static str; 8] = [
        "act",
        "resign",
        "return",
        "claim a timeout",
        "pause",
        "resume",
        "take back",
        "answer a take-back",
    ];

    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::Created => "create",
            Self::Acted(_) => "act",
            Self::Resigned(_) => "resign",
            Self::Returned(_) => "return",
            Self::TimedOut(_) => "claim a timeout",
            Self::Paused => "pause",
            Self::Resumed => "resume",
            Self::TakeBackAsked { .. } | Self::TakenBack { .. } => "take back",
            Self::TakeBackAnswered { .. } => "answer a take-back",
        }
    }

    /// Can this entry be what a request asked for?
    pub(super) fn answers(self, wish: Self) -> bool {
        let is_asked = |asked: u64, found: u64| asked == 0 || asked == found;
        match (wish, self) {
            (
                Self::TakeBackAsked { seat, to_version },
                Self::TakeBackAsked {
                    seat: by,
                    to_version: to,
                }
                | Self::TakenBack {
                    seat: by,
                    to_version: to,
                    agreed_by: 0,
                },
            ) => seat == by && is_asked(to_version, to),
            (Self::TakeBackAnswered { seat, agrees: true }, Self::TakenBack { agreed_by, .. }) => {
                seat == agreed_by
            }
            (wish, found) => wish == found,
        }
    }
}

/// One version of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What happened.
    pub deed: Deed,
    /// Were there automatic actions, by the rules or by fallbacks?
    pub automatic: bool,
    /// The seats that owe a decision after it, and when they time out, in milliseconds.
    pub owed: Vec<(u32, Option<u64>)>,
    /// When it happened, in milliseconds.
    pub at_ms: u64,
    /// A hash of the state after it.
    pub state: String,
}

/// The record of a game, from version 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// How many seats there are.
    pub seats: u32,
    /// Every version.
    pub versions: Vec<Kept>,
}

/// The records of games.
pub type Records = BTreeMap<String, Record>;

/// Reads the record of a game.
pub(super) async fn read_record(desk: &mut Desk, game: &str) -> Result<Record, Status> {
    let ask = desk.ask(pb::ExportGameRequest {
        game_id: game.to_owned(),
        ..Default::default()
    });
    let mut stream = desk.own.export_game(ask).await?.into_inner();
    let mut record = Record::default();
    while let Some(message) = stream.message().await? {
        match message.part {
            Some(Part::Header(header)) => {
                let players = header.game.map_or(0, |game| game.players.len());
                record.seats = u32::try_from(players).unwrap_or(u32::MAX);
            }
            Some(Part::Version(version)) => record.versions.push(kept(&version)),
            Some(Part::SeedReveal(_)) | None => {}
        }
    }
    Ok(record)
}

fn kept(version: &pb::ExportVersion) -> Kept {
    let entry = version.table.and_then(|table| table.kind);
    let owed = |owed: &v1::PendingDecision| (owed.seat, owed.due.map(ms_of));
    Kept {
        deed: entry.map_or(acted(version), deed_of),
        automatic: !version.automatic.is_empty(),
        owed: version.pending.iter().map(owed).collect(),
        at_ms: version.play_time.map_or(0, ms_of),
        state: version.fingerprint.clone(),
    }
}

fn acted(version: &pb::ExportVersion) -> Deed {
    if version.action.is_some() {
        Deed::Acted(version.seat)
    } else {
        Deed::Created
    }
}

fn deed_of(kind: Kind) -> Deed {
    match kind {
        Kind::Resigned(left) => Deed::Resigned(left.seat),
        Kind::Returned(back) => Deed::Returned(back.seat),
        Kind::TimedOut(late) => Deed::TimedOut(late.seat),
        Kind::Paused(_) => Deed::Paused,
        Kind::Resumed(_) => Deed::Resumed,
        Kind::TakeBackAsked(asked) => Deed::TakeBackAsked {
            seat: asked.seat,
            to_version: asked.to_version,
        },
        Kind::TakeBackAnswered(answer) => Deed::TakeBackAnswered {
            seat: answer.seat,
            agrees: answer.agrees,
        },
        Kind::TakenBack(back) => Deed::TakenBack {
            seat: back.seat,
            to_version: back.to_version,
            agreed_by: back.agreed_by,
        },
    }
}

fn ms_of(time: Timestamp) -> u64 {
    let seconds = u64::try_from(time.seconds).unwrap_or(0);
    let nanos = u64::try_from(time.nanos).unwrap_or(0);
    seconds * 1_000 + nanos / 1_000_000
}
