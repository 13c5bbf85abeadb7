//! Names of terrains, structures, factions, tiles and actions, spaces, and goods.

use bytes::Bytes;
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Conversion, Cult, Faction, FavorTile, Goods, Land, LandSet, PowerAction, PriestSlot,
    River, ScoringTile, Space, SpecialAction, Structure, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{Decision, Direction, Phase, SetupMode, TurnOrder};

use super::pb;
use crate::Malformed;
use crate::rows::{FromPb, ToPb, message, names, read};

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
    Decision => pb::Decision,
    SetupMode => pb::SetupMode,
    TurnOrder => pb::TurnOrder,
}

read! {
    required: Terrain, Structure, Cult, PriestSlot, PowerAction, SpecialAction, FavorTile, TownTile,
    BonusCard, Conversion,
}
read! { or_usual: Direction, SetupMode, TurnOrder }

message! { Goods => pb::Goods { coins, workers, priests, power } }

impl ToPb<String> for Land {
    fn to_pb(&self) -> String {
        self.id().to_owned()
    }
}

/// A view has them all.
impl ToPb<Bytes> for Land {
    fn to_pb(&self) -> Bytes {
        Bytes::from_static(self.id().as_bytes())
    }
}

impl ToPb<String> for River {
    fn to_pb(&self) -> String {
        self.id().to_owned()
    }
}

impl ToPb<String> for Space {
    fn to_pb(&self) -> String {
        self.id().to_owned()
    }
}

/// A text that is not an id becomes an unknown space, which the rules refuse.
impl FromPb<String> for Space {
    fn from_pb(sent: String) -> Result<Self, Malformed> {
        Ok(Self::by_id(&sent))
    }
}

/// In reading order.
impl ToPb<Vec<String>> for LandSet {
    fn to_pb(&self) -> Vec<String> {
        self.iter().map(|land| land.to_pb()).collect()
    }
}

/// Fire, water, earth, air.
impl ToPb<Option<pb::CultCounts>> for [u8; 4] {
    fn to_pb(&self) -> Option<pb::CultCounts> {
        let [fire, water, earth, air] = self.map(u32::from);
        Some(pb::CultCounts {
            fire,
            water,
            earth,
            air,
        })
    }
}

/// Tokens in bowls I, II, III.
impl ToPb<Option<pb::PowerBowls>> for [u8; 3] {
    fn to_pb(&self) -> Option<pb::PowerBowls> {
        let [first, second, third] = self.map(u32::from);
        Some(pb::PowerBowls {
            first,
            second,
            third,
        })
    }
}
