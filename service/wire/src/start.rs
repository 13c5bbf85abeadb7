//! The table on which a game begins, where that is not the set-up.

use gamekeeper_proto::gamekeeper::v1::{self as pb, table_event};
use gamekeeper_proto::{EncodedMessage, raw};
use gamekeeper_rules::ruleset::{Applied, begin};
use gamekeeper_rules::starts::{Start, StartPoint};
use gamekeeper_rules::table::{Chance, PositionError};
use prost::Message;
use sha2::{Digest, Sha256};

use crate::{Commitment, Malformed, PositionFault, Wire, position};

/// A kind of table on which games begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartKind {
    /// The set-up, or a table that is made from a seed.
    Named(Start),
    /// A table that somebody describes.
    Described,
}

/// The table on which a game begins, where that is not the set-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartTable {
    /// A table that is made from a seed.
    Made(StartPoint),
    /// A table that somebody described.
    Described(Position),
}

/// A described table, as the log and the record of a game keep it: as a message of the contract, from which every build
/// makes the table again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The `View` of the ruleset, as it was sent.
    pub view: EncodedMessage,
    /// The salt of its commitment. Without one, a few thousand tries would find what is hidden.
    pub salt: [u8; 16],
    /// Whether luck has dealt hidden things that the description left out.
    pub is_dealt: bool,
}

/// Decodes the start that a field names. A field that is not given means the set-up.
///
/// # Errors
/// Fails for unknown values.
pub fn start(sent: i32, field: &str) -> Result<StartKind, Malformed> {
    match pb::GameStart::try_from(sent) {
        Ok(pb::GameStart::Unspecified | pb::GameStart::SetUp) => Ok(StartKind::Named(Start::SetUp)),
        Ok(pb::GameStart::Rich) => Ok(StartKind::Named(Start::Rich)),
        Ok(pb::GameStart::Late) => Ok(StartKind::Named(Start::Late)),
        Ok(pb::GameStart::Position) => Ok(StartKind::Described),
        Err(_) => Err(Malformed::new(field, "is unknown")),
    }
}

/// Lists the starts that a ruleset has.
#[must_use]
pub fn starts<W: Wire>() -> Vec<pb::GameStart> {
    let rich = W::HAS_RICH_START.then_some(pb::GameStart::Rich);
    let described = W::HAS_POSITIONS.then_some(pb::GameStart::Position);
    let further = rich
        .into_iter()
        .chain([pb::GameStart::Late])
        .chain(described);
    [pb::GameStart::SetUp].into_iter().chain(further).collect()
}

/// Returns the value of a start in the facts of a game, which name only starts other than the set-up.
#[must_use]
pub fn start_value(start: Option<&StartTable>) -> pb::GameStart {
    match start {
        None => pb::GameStart::Unspecified,
        Some(StartTable::Made(point)) => named_value(point.start),
        Some(StartTable::Described(_)) => pb::GameStart::Position,
    }
}

const fn named_value(start: Start) -> pb::GameStart {
    match start {
        Start::SetUp => pb::GameStart::Unspecified,
        Start::Rich => pb::GameStart::Rich,
        Start::Late => pb::GameStart::Late,
    }
}

impl StartTable {
    /// Returns whether luck has dealt hidden things that a description left out.
    #[must_use]
    pub const fn is_dealt(&self) -> bool {
        match self {
            Self::Made(_) => false,
            Self::Described(position) => position.is_dealt,
        }
    }

    /// Returns the commitment to the table: to the 32 random bytes of its seed, which nobody finds by trying, or to the
    /// salted description.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        match self {
            Self::Made(point) => Sha256::digest(point.seed.as_bytes()).into(),
            Self::Described(Position { view, salt, .. }) => Sha256::new()
                .chain_update(salt)
                .chain_update(view.encode_to_vec())
                .finalize()
                .into(),
        }
    }

    /// Returns a sentence on how the game begins.
    const fn sentence(&self) -> &'static str {
        match self {
            Self::Made(point) => point.start.sentence(),
            Self::Described(Position { is_dealt: true, .. }) => {
                "The game begins on a table that its creator has described; luck has dealt what was left out."
            }
            Self::Described(_) => "The game begins on a table that its creator has described.",
        }
    }
}

impl Position {
    /// Makes the first version of a game with this luck: the described table, with what was left out dealt, and what
    /// needs no choice carried out. It has no events: the game begins on the table, whatever has led to it.
    ///
    /// # Errors
    /// Fails if no game can begin on the table.
    pub fn first_version<W: Wire>(
        &self,
        options: &W::Options,
        chance: Chance,
    ) -> Result<Applied<W>, PositionFault> {
        first_version::<W>(&self.view, options, chance)
    }
}

/// Makes the first version of a game on a described table, see [`Position::first_version`].
pub(crate) fn first_version<W: Wire>(
    view: &EncodedMessage,
    options: &W::Options,
    mut chance: Chance,
) -> Result<Applied<W>, PositionFault> {
    let view = view.decode_as::<W::PbView>();
    let view = view.map_err(|error| Malformed::new("", format!("cannot be read: {error}")))?;
    let state = position::<W>(&view, options, &mut chance)?;
    let begun = begin::<W>(state, chance);
    if W::pending(&begun.state).is_empty() {
        let (found, allowed) = ("a table that is over", "a table at which somebody decides");
        return Err(PositionFault::Refused(PositionError::new(
            "", "", found, allowed,
        )));
    }
    Ok(Applied {
        events: Vec::new(),
        automatic: Vec::new(),
        ..begun
    })
}

/// Returns the event that reports the table on which a game began, with its sentence if `has_text`.
#[must_use]
pub fn begun_from_position(table: &StartTable, has_text: bool) -> raw::Event {
    let begun = table_event::BegunFromPosition {
        start: start_value(Some(table)).into(),
        dealt: table.is_dealt(),
    };
    let kind = Some(table_event::Kind::BegunFromPosition(begun));
    let text = has_text.then(|| table.sentence());
    raw::Event {
        kind: String::from("begun_from_position"),
        text: text.unwrap_or_default().to_owned(),
        table: Some(pb::TableEvent { kind }),
        ..raw::Event::default()
    }
}
