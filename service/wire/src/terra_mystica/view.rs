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
        let kind = pb::FollowUpKind::try_from(sent.kind);
        match kind.unwrap_or(pb::FollowUpKind::Unspecified) {
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
        Ok((
            view_field("tile", sent.tile)?,
            view_field("count", sent.count)?,
        ))
    }
}

impl FromView<pb::TownTileCount> for (TownTile, u8) {
    fn from_view(sent: pb::TownTileCount) -> Result<Self, Malformed> {
        Ok((
            view_field("tile", sent.tile)?,
            view_field("count", sent.count)?,
        ))
    }
}

/// The spaces of two steps are filled from the first one on.
impl FromView<Vec<pb::PriestOnCult>> for [[Option<Seat>; 4]; 4] {
    fn from_view(sent: Vec<pb::PriestOnCult>) -> Result<Self, Malformed> {
        let mut tracks = Self::default();
        for (index, priest) in sent.into_iter().enumerate() {
            let path = format!("[{index}]");
            let (cult, slot, seat) = <(Cult, PriestSlot, Seat)>::from_view(priest)
                .map_err(|fault| fault.with_prefix(&path))?;
            let spaces = PRIEST_SPACES.iter().zip(&mut tracks[cult.index()]);
            let mut free = spaces.filter(|(of, holder)| **of == slot && holder.is_none());
            let Some((_, holder)) = free.next() else {
                return Err(Malformed::new(path, "has no free space of the cult board"));
            };
            *holder = Some(seat);
        }
        Ok(tracks)
    }
}

impl FromView<pb::PriestOnCult> for (Cult, PriestSlot, Seat) {
    fn from_view(sent: pb::PriestOnCult) -> Result<Self, Malformed> {
        Ok((
            view_field("cult", sent.cult)?,
            view_field("slot", sent.slot)?,
            view_field("seat", sent.seat)?,
        ))
    }
}
