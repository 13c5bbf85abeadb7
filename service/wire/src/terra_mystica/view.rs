//! What one viewer may know of the table.

use gamekeeper_rules::table::Seat;
use gamekeeper_rules::terra_mystica::data::{Cult, FavorTile, PRIEST_SPACES, PriestSlot, TownTile};
use gamekeeper_rules::terra_mystica::{
    BoardView, BridgeView, FollowUp, HouseRules, OfferView, PlayerView, PoolView, PromoTiles,
    SpaceView, SpadesView, TownView, TurnView, View,
};

use super::pb;
use crate::rows::{ToField, ToPb, message, write_list};

message! {
    View => pb::View {
        rules, round, phase, first_player, next_first_player, turn_order, passed_order, turn,
        power_offers, follow_ups, cult_spades, spaces, bridges, towns, priests, used_power_actions,
        scoring_tiles, unused_scoring_tiles, bonus_pool, unused_bonus_cards, favor_pool, town_pool,
        players,
    } without { pending }
}
message! {
    HouseRules => pb::HouseRules { free_sacrifice, auto_end_turn, promo_tiles, turn_order }
}
message! {
    PromoTiles => pb::PromoTiles { town_tiles, shipping_bonus_card, temple_scoring_tile }
}
message! { TurnView => pb::Turn { seat, main_action_done, extra_actions, late_build } }
message! { OfferView => pb::PowerOffer { seat, builder, space, value, gainable } }
message! { SpadesView => pb::CultSpades { seat, spades } }
message! { SpaceView => pb::SpaceView { space, terrain, owner, structure } }
message! { BridgeView => pb::Bridge { a, b, seat } }
message! { TownView => pb::Town { seat, tile, spaces, river } }
message! { PoolView => pb::PoolCard { card, coins } }
message! { PlayerView => pb::PlayerView { seat, color, board } }
message! {
    BoardView => pb::FactionBoard {
        faction, vp, coins, workers, priests, priest_supply, power_bowls, cults, shipping,
        terraforming_level, leap_range, bonus_card, favor_tiles, keys, bridges_left,
        structures_left, largest_area, used_special, passed,
    }
}

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

/// The priest spaces that somebody holds, track by track.
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
