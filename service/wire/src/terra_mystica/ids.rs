//! The names that are required, spaces, and counts by cult or bowl.

use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Conversion, Cult, FavorTile, Land, LandSet, PowerAction, PriestSlot, River, Space,
    SpecialAction, Structure, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{Direction, SetupMode, TurnOrder};

use super::pb;
use crate::Malformed;
use crate::mapping::{AsText, FromPb, FromView, ToField, message, read, view_field, write_list};

read! {
    known_name: Terrain, Structure, Cult, PriestSlot, PowerAction, SpecialAction, FavorTile, TownTile,
    BonusCard, Conversion,
}
read! { known_or_default: Direction, SetupMode, TurnOrder }

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

/// A set of land spaces, listed in reading order.
impl ToField<Vec<String>> for LandSet {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<Land, String>(self.iter(), number, out);
    }
}

impl FromView<String> for Land {
    fn from_view(sent: String) -> Result<Self, Malformed> {
        known_space(Self::by_id(&sent), &sent)
    }
}

impl FromView<String> for River {
    fn from_view(sent: String) -> Result<Self, Malformed> {
        known_space(Self::by_id(&sent), &sent)
    }
}

fn known_space<T>(space: Option<T>, sent: &str) -> Result<T, Malformed> {
    space.ok_or_else(|| Malformed::new("", format!("{sent:?} names no such space")))
}

/// Counts that are left out are 0.
impl FromView<Option<pb::CultCounts>> for [u8; 4] {
    fn from_view(sent: Option<pb::CultCounts>) -> Result<Self, Malformed> {
        let pb::CultCounts {
            fire,
            water,
            earth,
            air,
        } = sent.unwrap_or_default();
        Ok([
            view_field("fire", fire)?,
            view_field("water", water)?,
            view_field("earth", earth)?,
            view_field("air", air)?,
        ])
    }
}

/// Tokens that are left out are none.
impl FromView<Option<pb::PowerBowls>> for [u8; 3] {
    fn from_view(sent: Option<pb::PowerBowls>) -> Result<Self, Malformed> {
        let pb::PowerBowls {
            first,
            second,
            third,
        } = sent.unwrap_or_default();
        Ok([
            view_field("first", first)?,
            view_field("second", second)?,
            view_field("third", third)?,
        ])
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
