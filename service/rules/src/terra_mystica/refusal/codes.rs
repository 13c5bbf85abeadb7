//! The codes of refusals, and the rules that they name.

use super::Refusal;
use crate::table;

impl Refusal {
    /// The stable code and the rule of every refusal, in the order of TM-6.70.
    pub const ALL: [(&'static str, &'static str); 51] = [
        ("INVALID_PLAYER_COUNT", "TM-5.1"),
        ("INVALID_OPTION", "TM-5.1"),
        ("NOT_YOUR_TURN", "TM-6.1"),
        ("WRONG_DECISION", "TM-6.1"),
        ("GAME_FINISHED", "TM-6.1"),
        ("MAIN_ACTION_DONE", "TM-6.7"),
        ("MAIN_ACTION_REQUIRED", "TM-6.60"),
        ("FOLLOW_UP_PENDING", "TM-6.58"),
        ("FACTION_TAKEN", "TM-5.5"),
        ("COLOR_TAKEN", "TM-5.5"),
        ("UNKNOWN_FACTION", "TM-5.5"),
        ("UNKNOWN_SPACE", "TM-3.2"),
        ("NOT_A_LAND_SPACE", "TM-6.11"),
        ("SPACE_OCCUPIED", "TM-6.20"),
        ("WRONG_TERRAIN", "TM-6.20"),
        ("SAME_TERRAIN", "TM-6.20"),
        ("NOT_REACHABLE", "TM-6.13"),
        ("LEAP_LIMIT", "TM-6.14"),
        ("TOO_MANY_SPACES", "TM-6.20"),
        ("SPACE_REPEATED", "TM-6.20"),
        ("MUST_REACH_HOME_FIRST", "TM-6.20"),
        ("NOT_ENOUGH_SPADES", "TM-6.20"),
        ("TARGET_NOT_HOME", "TM-6.20"),
        ("BUILD_SPACE_NOT_TRANSFORMED", "TM-6.20"),
        ("NOTHING_TO_DO", "TM-6.20"),
        ("CANNOT_AFFORD", "TM-6.4"),
        ("INSUFFICIENT_POWER", "TM-6.9"),
        ("INVALID_SACRIFICE", "TM-6.9"),
        ("NO_PIECE_LEFT", "TM-3.4"),
        ("TRACK_MAXED", "TM-6.25"),
        ("NO_SUCH_TRACK", "TM-6.25"),
        ("NOT_YOUR_STRUCTURE", "TM-6.30"),
        ("INVALID_UPGRADE", "TM-6.30"),
        ("PRIEST_SPACE_TAKEN", "TM-6.35"),
        ("ACTION_TAKEN", "TM-6.38"),
        ("ACTION_NOT_AVAILABLE", "TM-6.44"),
        ("NO_EFFECT", "TM-6.44"),
        ("INVALID_BRIDGE_SITE", "TM-6.39"),
        ("BRIDGE_SITE_TAKEN", "TM-6.39"),
        ("BRIDGE_NEEDS_STRUCTURE", "TM-6.39"),
        ("CARD_NOT_AVAILABLE", "TM-6.45"),
        ("CARD_REQUIRED", "TM-6.45"),
        ("CARD_NOT_ALLOWED", "TM-6.45"),
        ("TILE_NOT_AVAILABLE", "TM-6.55"),
        ("TILE_ALREADY_OWNED", "TM-6.54"),
        ("KEY_CHOICE_REQUIRED", "TM-6.37"),
        ("INVALID_KEY_CHOICE", "TM-6.37"),
        ("NOT_A_TOWN", "TM-6.53"),
        ("INVALID_AMOUNT", "TM-6.3"),
        ("CONVERSION_NOT_ALLOWED", "TM-6.10"),
        ("WRONG_FACTION", "TM-7.1"),
    ];

    /// The place in [`ALL`](Self::ALL).
    const fn place(&self) -> usize {
        match self {
            Self::InvalidPlayerCount { .. } => 0,
            Self::InvalidOption { .. } => 1,
            Self::NotYourTurn { .. } => 2,
            Self::WrongDecision { .. } => 3,
            Self::GameFinished => 4,
            Self::MainActionDone => 5,
            Self::MainActionRequired => 6,
            Self::FollowUpPending => 7,
            Self::FactionTaken { .. } => 8,
            Self::ColorTaken { .. } => 9,
            Self::UnknownFaction => 10,
            Self::UnknownSpace => 11,
            Self::NotALandSpace { .. } => 12,
            Self::SpaceOccupied { .. } => 13,
            Self::WrongTerrain { .. } => 14,
            Self::SameTerrain { .. } => 15,
            Self::NotReachable { .. } => 16,
            Self::LeapLimit { .. } => 17,
            Self::TooManySpaces { .. } => 18,
            Self::SpaceRepeated { .. } => 19,
            Self::MustReachHomeFirst { .. } => 20,
            Self::NotEnoughSpades { .. } => 21,
            Self::TargetNotHome { .. } => 22,
            Self::BuildSpaceNotTransformed { .. } => 23,
            Self::NothingToDo => 24,
            Self::CannotAfford { .. } => 25,
            Self::InsufficientPower { .. } => 26,
            Self::InvalidSacrifice { .. } => 27,
            Self::NoPieceLeft { .. } => 28,
            Self::TrackMaxed { .. } => 29,
            Self::NoSuchTrack { .. } => 30,
            Self::NotYourStructure { .. } => 31,
            Self::InvalidUpgrade { .. } => 32,
            Self::PriestSpaceTaken { .. } => 33,
            Self::ActionTaken { .. } => 34,
            Self::ActionNotAvailable { .. } => 35,
            Self::NoEffect { .. } => 36,
            Self::InvalidBridgeSite { .. } => 37,
            Self::BridgeSiteTaken { .. } => 38,
            Self::BridgeNeedsStructure { .. } => 39,
            Self::CardNotAvailable { .. } => 40,
            Self::CardRequired => 41,
            Self::CardNotAllowed => 42,
            Self::TileNotAvailable { .. } => 43,
            Self::TileAlreadyOwned { .. } => 44,
            Self::KeyChoiceRequired { .. } => 45,
            Self::InvalidKeyChoice { .. } => 46,
            Self::NotATown { .. } => 47,
            Self::InvalidAmount { .. } => 48,
            Self::ConversionNotAllowed { .. } => 49,
            Self::WrongFaction { .. } => 50,
        }
    }
}

impl table::Refusal for Refusal {
    const CODES: &'static [&'static str] = &Self::ALL_CODES;

    fn code(&self) -> &'static str {
        Self::ALL[self.place()].0
    }
}

impl Refusal {
    const ALL_CODES: [&'static str; 51] = {
        let mut codes = [""; 51];
        let mut at = 0;
        while at < 51 {
            codes[at] = Self::ALL[at].0;
            at += 1;
        }
        codes
    };

    /// The rule that usually refuses so.
    pub(crate) fn rule(&self) -> &'static str {
        Self::ALL[self.place()].1
    }
}

impl From<Refusal> for crate::table::Refused<Refusal> {
    fn from(why: Refusal) -> Self {
        Self {
            rule: why.rule(),
            why,
        }
    }
}
