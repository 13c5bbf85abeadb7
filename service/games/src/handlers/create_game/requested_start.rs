//! The table on which a request wants its game to begin.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw::CreateGameRequest;
use gamekeeper_rules::starts::{Start, StartPoint};
use gamekeeper_rules::table::Seed;
use gamekeeper_wire::{Malformed, Position, StartKind, StartTable, Wire, start};

use crate::requests::ruleset_message::extract_position;

/// The table on which a game is to begin.
pub(super) enum RequestedStart {
    /// The set-up, or a table that is made from a seed.
    Named(Start),
    /// The described table.
    Described(EncodedMessage),
}

impl RequestedStart {
    /// Decodes the start of a request, with the described table.
    pub(super) fn of<W: Wire>(call: &CreateGameRequest) -> Result<Self, Malformed> {
        let kind = start(call.start, "start")?;
        let Some(view) = &call.position else {
            return match kind {
                StartKind::Described => Err(Malformed::missing("position")),
                StartKind::Named(Start::Rich) if !W::HAS_RICH_START => {
                    let text = format!(
                        "is GAME_START_RICH; nobody can have more of anything in {}",
                        W::INFO.title
                    );
                    Err(Malformed::new("start", text))
                }
                StartKind::Named(start) => Ok(Self::Named(start)),
            };
        };
        if kind != StartKind::Described && call.start() != pb::GameStart::Unspecified {
            let text = "is not GAME_START_POSITION, but `position` is given";
            return Err(Malformed::new("start", text));
        }
        extract_position::<W>(view, "position").map(Self::Described)
    }

    /// Returns the table on which a game of this seed begins, with a new salt. Returns `None` for the set-up.
    pub(super) fn table(self, seed: &Seed) -> Option<StartTable> {
        match self {
            Self::Named(start) => StartPoint::of_game(start, seed).map(StartTable::Made),
            Self::Described(view) => Some(StartTable::Described(Position {
                view,
                salt: rand::random(),
                is_dealt: false,
            })),
        }
    }
}
