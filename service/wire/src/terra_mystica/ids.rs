//! Names of terrains, structures, factions, tiles and actions, spaces, and goods.

use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Conversion, Cult, Faction, FavorTile, Goods, Land, LandSet, PowerAction, PriestSlot,
    River, ScoringTile, Space, SpecialAction, Structure, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{Decision, Direction, Phase, SetupMode, TurnOrder};

use super::pb;
use crate::Malformed;
use crate::rows::{AsText, FromPb, ToField, decisions, message, names, read, write_list};

names! {
    Terrain => pb::Terrain,
    Structure => pb::Structure,
    Faction => pb::Faction,
    Cult => pb::Cult,
    PriestSlot => pb::PriestSlot,
    PowerAction => pb::PowerAction,
    SpecialAction => pb::SpecialAction,
    FavorTile => pb::FavorTile,
    TownTile => pb::TownTile,
    BonusCard => pb::BonusCard,
    ScoringTile => pb::ScoringTile,
    Conversion => pb::Conversion,
    Direction => pb::Direction,
    Phase => pb::Phase,
    SetupMode => pb::SetupMode,
    TurnOrder => pb::TurnOrder,
}

decisions! {
    Decision in pb:
    ChooseFaction, PlaceDwelling, ChooseBonusCard, Turn, PowerDecision, FollowUp, CultSpades,
}

read! {
    required: Terrain, Structure, Cult, PriestSlot, PowerAction, SpecialAction, FavorTile, TownTile,
    BonusCard, Conversion,
}
read! { or_usual: Direction, SetupMode, TurnOrder }

message! { Goods => pb::Goods { coins, workers, priests, power } }

impl AsText for Land {
    fn as_text(&self) -> &str {
        self.id()
    }
}

impl AsText for River {
    fn as_text(&self) -> &str {
        self.id()
    }
}

impl AsText for Space {
    fn as_text(&self) -> &str {
        self.id()
    }
}

/// A text that is not an id becomes an unknown space, which the rules refuse.
impl FromPb<String> for Space {
    fn from_pb(sent: String) -> Result<Self, Malformed> {
        Ok(Self::by_id(&sent))
    }
}

/// In reading order.
impl ToField<Vec<String>> for LandSet {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<Land, String>(self.iter(), number, out);
    }
}

message! {
    [u8; 4] => pb::CultCounts,
    |[fire, water, earth, air]| { fire: *fire, water: *water, earth: *earth, air: *air }
}

// Tokens in bowls I, II, III.
message! {
    [u8; 3] => pb::PowerBowls,
    |[first, second, third]| { first: *first, second: *second, third: *third }
}
