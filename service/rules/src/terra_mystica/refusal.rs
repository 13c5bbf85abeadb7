//! All refusals, in the order of TM-6.70.

use std::fmt;

use arrayvec::ArrayVec;

use super::data::{
    BonusCard, Conversion, Cult, Faction, FavorTile, Goods, Land, PowerAction, PriestSlot, River,
    SpecialAction, Structure, Terrain, TownTile,
};
use crate::table::{Count, JoinAnd, MaybeKnown, Refusal as _, ids, refusals};

/// Tracks of the cult board.
pub type Cults = ArrayVec<Cult, { Cult::COUNT }>;

refusals! {
    /// The reasons why an action, or a new game, is refused, in the order of the rule document.
    Refusal of "Terra Mystica" {
        common InvalidPlayerCount,
        #[error("The option `{field}` {problem}.")]
        InvalidOption {
            field: &'static str,
            problem: &'static str,
        },
        common NotYourTurn,
        common WrongDecision,
        common GameOver,
        #[error("You have taken the main action of this turn.")]
        MainActionDone,
        #[error("Take a main action before you end the turn.")]
        MainActionRequired,
        #[error("Make the open choices of this turn before you end it.")]
        FollowUpPending,
        #[error("The {faction} are taken.")]
        FactionTaken { faction: Faction },
        #[error("The color of the {color} is not free for you.")]
        ColorTaken { color: Terrain },
        common UnknownId,
        #[error("{space} is a river space.")]
        NotALandSpace { space: River },
        #[error("{space} is a land space.")]
        NotARiverSpace { space: Land },
        #[error("A structure stands on {space}.")]
        SpaceOccupied { space: Land },
        #[error("{space} is {terrain}{}.", but(*needed))]
        WrongTerrain {
            space: Land,
            terrain: Terrain,
            /// The terrain needed. Is `None` if any other terrain is.
            needed: Option<Terrain>,
        },
        #[error("{space} is {terrain} already.")]
        SameTerrain { space: Land, terrain: Terrain },
        #[error("{space} is out of your reach.")]
        NotReachable { space: Land },
        #[error("{space} needs a second leap, and an action has only one.")]
        LeapLimit { space: Land },
        #[error("{spaces} spaces are too many: this transforms at most {max}.")]
        TooManySpaces { spaces: usize, max: usize },
        #[error("{space} is named twice.")]
        SpaceRepeated { space: Land },
        #[error("{space} must become {home} before you use spades on another space.")]
        MustReachHomeFirst { space: Land, home: Terrain },
        #[error("This takes {}; you have {free}, and cannot buy more for this.", Count(*spades, "spade"))]
        NotEnoughSpades { spades: u8, free: u8 },
        #[error("You can transform {space} into {home} only, not into {target}.")]
        TargetNotHome {
            space: Land,
            target: Terrain,
            home: Terrain,
        },
        #[error("This action did not transform {space} into {home}.")]
        BuildSpaceNotTransformed { space: Land, home: Terrain },
        #[error("This neither transforms a space nor builds a dwelling.")]
        NothingToDo,
        #[error(
            "{expense} costs {}; you have {}.",
            amount(*price, *vp), amount(owned.of_kinds(*price), *owned_vp)
        )]
        CannotAfford {
            expense: Expense,
            price: Goods,
            /// The price in VP: the Alchemists sell them for coins.
            vp: u16,
            owned: Goods,
            owned_vp: u16,
        },
        #[error("This takes {needed} power; bowl III and the sacrifice give {at_hand}.")]
        InsufficientPower { needed: u32, at_hand: u32 },
        #[error("{}", sacrifice(*tokens, *max))]
        InvalidSacrifice { tokens: u32, max: u32 },
        #[error("{}", stock(*piece, *left))]
        NoPieceLeft { piece: Piece, left: u16 },
        #[error("Your {track} is at its end, level {level}.")]
        TrackMaxed { track: Track, level: u8 },
        #[error("The {faction} have no {track}.")]
        NoSuchTrack { faction: Faction, track: Track },
        #[error("You have no structure on {space}.")]
        NotYourStructure { space: Land },
        #[error("A {from_structure} cannot be upgraded to a {to_structure}.")]
        InvalidUpgrade { from_structure: Structure, to_structure: Structure },
        #[error("{} the {cult} track is taken.", every(*slot))]
        PriestSpaceTaken { cult: Cult, slot: PriestSlot },
        #[error("{action} is used up for this round.")]
        ActionTaken { action: TakenAction },
        #[error("You do not have {} ({action}).", action.id())]
        ActionNotAvailable { action: SpecialAction },
        #[error("Your marker on the {cult} track cannot advance.")]
        NoEffect { cult: Cult },
        #[error("There is no site for a bridge between {a} and {b}.")]
        InvalidBridgeSite { a: Land, b: Land },
        #[error("There is a bridge between {a} and {b} already.")]
        BridgeSiteTaken { a: Land, b: Land },
        #[error("You have no structure on {a} or {b}.")]
        BridgeNeedsStructure { a: Land, b: Land },
        #[error("{} ({card}) is not in the pool.", card.id())]
        CardNotAvailable { card: BonusCard },
        #[error("Choose a new bonus card: only in the last round you pass without one.")]
        CardRequired,
        #[error("In the last round you pass without a new bonus card.")]
        CardNotAllowed,
        #[error("No {tile} is left.")]
        TileNotAvailable { tile: Tile },
        #[error("You have {} ({tile}) already.", tile.id())]
        TileAlreadyOwned { tile: FavorTile },
        #[error(
            "You have only {} for {}: choose the tracks that use one.",
            Count(*keys, "key"), JoinAnd(tracks)
        )]
        KeyChoiceRequired { keys: u8, tracks: Cults },
        #[error("{}", key_choice(*keys, tracks))]
        InvalidKeyChoice {
            /// The number of tracks that must be named.
            keys: u8,
            /// The tracks to choose from.
            tracks: Cults,
        },
        #[error("Your structures around {river} do not make a town.")]
        NotATown { river: River },
        #[error("{}", range(*amount, *min, *max))]
        InvalidAmount { amount: u32, min: u32, max: u32 },
        #[error("{}", conversion(*kind))]
        ConversionNotAllowed {
            /// The conversion. Is `None` for free sacrifices of power.
            kind: Option<Conversion>,
        },
        #[error("Only the {needed} can do this; you play the {faction}.")]
        WrongFaction { needed: Faction, faction: Faction },
    }
}

/// Returns the value that a client named, or refuses a name that is missing or unknown.
///
/// # Rule TM-6.70
/// A name that is missing or names nothing is refused before the other checks of the action.
pub fn require_known<T>(
    named: MaybeKnown<T>,
    field: &'static str,
    rule: &'static str,
) -> Result<T, RefusedAction> {
    named.ok_or(Refusal::UnknownId { field }.citing(rule))
}

ids! {
    /// A track of the faction boards.
    Track {
        Shipping "shipping" "shipping track",
        Terraforming "terraforming" "exchange track",
    }
}

/// A price that the player cannot pay. Displayed at the beginning of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expense {
    /// Spades, a leap and a dwelling together (TM-6.20).
    Work,
    Structure(Structure),
    /// A step on a track.
    Step(Track),
    /// A bridge of the Engineers.
    Bridge,
    /// A priest sent to a cult.
    Priest,
    Conversion(Conversion),
}

impl fmt::Display for Expense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Work => f.write_str("This work"),
            Self::Structure(structure) => write!(f, "A {structure}"),
            Self::Step(track) => write!(f, "A step on the {track}"),
            Self::Bridge => f.write_str("A bridge"),
            Self::Priest => f.write_str("Sending a priest"),
            Self::Conversion(_) => f.write_str("This conversion"),
        }
    }
}

/// A piece that can run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    Structure(Structure),
    Bridge,
    /// A priest of the supply.
    Priest,
}

impl Piece {
    const fn name(self) -> &'static str {
        match self {
            Self::Structure(structure) => structure.name(),
            Self::Bridge => "bridge",
            Self::Priest => "priest",
        }
    }
}

/// An action that is used once per round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenAction {
    Power(PowerAction),
    Special(SpecialAction),
}

impl fmt::Display for TakenAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Power(action) => write!(f, "{} ({action})", action.id()),
            Self::Special(action) => write!(f, "{} ({action})", action.id()),
        }
    }
}

/// A tile that can run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tile {
    Favor(FavorTile),
    Town(TownTile),
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Favor(tile) => write!(f, "{} ({tile})", tile.id()),
            Self::Town(tile) => write!(f, "{} ({tile})", tile.id()),
        }
    }
}

fn but(needed: Option<Terrain>) -> String {
    needed.map_or_else(
        || String::from(" already"),
        |needed| format!(", not {needed}"),
    )
}

fn amount(goods: Goods, vp: u16) -> String {
    if vp == 0 {
        goods.to_string()
    } else {
        format!("{vp} VP")
    }
}

fn sacrifice(tokens: u32, max: u32) -> String {
    match max {
        0 => format!(
            "You cannot sacrifice {} for this.",
            Count(tokens, "power token")
        ),
        _ => format!(
            "You can sacrifice at most {} for this, not {tokens}.",
            Count(max, "power token")
        ),
    }
}

fn stock(piece: Piece, left: u16) -> String {
    match left {
        0 => format!("You have no {} left.", piece.name()),
        _ => format!("You have only {} left.", Count(left, piece.name())),
    }
}

const fn every(slot: PriestSlot) -> &'static str {
    match slot {
        PriestSlot::Three => "The space of 3 steps on",
        PriestSlot::Two => "Every space of 2 steps on",
        PriestSlot::Supply => "The supply of",
    }
}

fn key_choice(keys: u8, tracks: &Cults) -> String {
    match keys {
        0 => String::from("There is no track to choose: every key is used, or none is."),
        _ => format!(
            "Choose exactly {keys} of these tracks: {}.",
            JoinAnd(tracks)
        ),
    }
}

fn range(amount: u32, min: u32, max: u32) -> String {
    if amount < min {
        format!("Choose at least {min}, not {amount}.")
    } else {
        format!("Choose at most {max}, not {amount}.")
    }
}

fn conversion(kind: Option<Conversion>) -> String {
    kind.map_or_else(
        || String::from("Power can only be sacrificed for what it pays at once in this game."),
        |kind| {
            format!(
                "You cannot convert {} into {} now.",
                kind.takes(1),
                kind.gives(1)
            )
        },
    )
}
