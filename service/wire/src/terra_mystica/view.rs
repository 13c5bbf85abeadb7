//! The rows of views that differ between rules and contract.

use gamekeeper_rules::table::Seat;
use gamekeeper_rules::terra_mystica::FollowUp;
use gamekeeper_rules::terra_mystica::data::{Cult, FavorTile, PRIEST_SPACES, PriestSlot, TownTile};

use super::pb;
use crate::Malformed;
use crate::mapping::{FromView, ToField, ToPb, message, view_field, write_list};

message! {
    FollowUp => pb::FollowUp,
    |follow_up| {
        kind: *follow_up,
        count: match *follow_up {
            FollowUp::FavorTiles(count) | FollowUp::TownTiles(count) => count,
            FollowUp::CultStep | FollowUp::Ordination | FollowUp::StrongholdSpades => 1,
        },
    }
}
message! {
    (FavorTile, u8) => pb::FavorTileCount,
    |(tile, count)| { tile: *tile, count: *count }
}
message! {
    (TownTile, u8) => pb::TownTileCount,
    |(tile, count)| { tile: *tile, count: *count }
}

impl ToPb<i32> for FollowUp {
    fn to_pb(&self) -> i32 {
        match self {
            Self::FavorTiles(_) => pb::FollowUpKind::FavorTiles,
            Self::TownTiles(_) => pb::FollowUpKind::TownTiles,
            Self::CultStep => pb::FollowUpKind::CultStep,
            Self::Ordination => pb::FollowUpKind::Ordination,
            Self::StrongholdSpades => pb::FollowUpKind::StrongholdSpades,
        }
        .into()
    }
}

/// The occupied priest spaces, track by track.
impl ToField<Vec<pb::PriestOnCult>> for [[Option<Seat>; 4]; 4] {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        let tracks = Cult::ALL.iter().zip(self);
        let spaces = tracks.flat_map(|(&cult, spaces)| {
            let on_track = PRIEST_SPACES.iter().zip(spaces);
            on_track.filter_map(move |(&slot, &holder)| Some((cult, slot, holder?)))
        });
        write_list::<(Cult, PriestSlot, Seat), pb::PriestOnCult>(spaces, number, out);
    }
}

message! {
    (Cult, PriestSlot, Seat) => pb::PriestOnCult,
    |(cult, slot, seat)| { cult: *cult, slot: *slot, seat: *seat }
}

impl FromView<pb::FollowUp> for FollowUp {
    fn from_view(sent: pb::FollowUp) -> Result<Self, Malformed> {
        let count = view_field("count", sent.count)?;
        match sent.kind() {
            pb::FollowUpKind::Unspecified => Err(Malformed::missing("kind")),
            pb::FollowUpKind::FavorTiles => Ok(Self::FavorTiles(count)),
            pb::FollowUpKind::TownTiles => Ok(Self::TownTiles(count)),
            pb::FollowUpKind::CultStep => Ok(Self::CultStep),
            pb::FollowUpKind::Ordination => Ok(Self::Ordination),
            pb::FollowUpKind::StrongholdSpades => Ok(Self::StrongholdSpades),
        }
    }
}

impl FromView<pb::FavorTileCount> for (FavorTile, u8) {
    fn from_view(sent: pb::FavorTileCount) -> Result<Self, Malformed> {
        let pb::FavorTileCount { tile, count } = sent;
        Ok((view_field("tile", tile)?, view_field("count", count)?))
    }
}

impl FromView<pb::TownTileCount> for (TownTile, u8) {
    fn from_view(sent: pb::TownTileCount) -> Result<Self, Malformed> {
        let pb::TownTileCount { tile, count } = sent;
        Ok((view_field("tile", tile)?, view_field("count", count)?))
    }
}

/// Spaces that are left out are free.
impl FromView<Vec<pb::PriestOnCult>> for [[Option<Seat>; 4]; 4] {
    fn from_view(sent: Vec<pb::PriestOnCult>) -> Result<Self, Malformed> {
        let mut holders = Self::default();
        for (index, pb::PriestOnCult { cult, slot, seat }) in sent.into_iter().enumerate() {
            let within = |fault: Malformed| fault.with_prefix(&format!("[{index}]"));
            let cult: Cult = view_field("cult", cult).map_err(within)?;
            let slot: PriestSlot = view_field("slot", slot).map_err(within)?;
            let seat: Seat = view_field("seat", seat).map_err(within)?;
            let spaces = PRIEST_SPACES.iter().zip(&mut holders[cult.index()]);
            let mut free = spaces.filter(|(space, holder)| **space == slot && holder.is_none());
            let Some((_, holder)) = free.next() else {
                let full = Malformed::new("slot", "has no free space on this track");
                return Err(within(full));
            };
            *holder = Some(seat);
        }
        Ok(holders)
    }
}
