//! The rows of views that differ between rules and contract.

use gamekeeper_rules::table::Seat;
use gamekeeper_rules::terra_mystica::FollowUp;
use gamekeeper_rules::terra_mystica::data::{Cult, FavorTile, PRIEST_SPACES, PriestSlot, TownTile};

use super::pb;
use crate::mapping::{ToField, ToPb, message, write_list};

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
