//! What one viewer may know of the table.

use gamekeeper_rules::table::Seat;
use gamekeeper_rules::terra_mystica::data::{Cult, FavorTile, PRIEST_SPACES, TownTile};
use gamekeeper_rules::terra_mystica::{
    BoardView, BridgeView, FollowUp, HouseRules, OfferView, PlayerView, PoolView, PromoTiles,
    SpaceView, SpadesView, TownView, TurnView, View,
};

use super::pb;
use crate::rows::{ToPb, message};

message! {
    View => pb::View {
        rules, round, phase, decision, actor, start_player, next_start_player, turn_order,
        passed_order, turn, power_offers, follow_ups, cult_spades, spaces, bridges, towns, priests,
        used_power_actions, scoring_tiles, unused_scoring_tiles, bonus_pool, unused_bonus_cards,
        favor_pool, town_pool, players,
    }
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
        let (kind, count) = match *follow_up {
            FollowUp::FavorTiles(count) => (pb::FollowUpKind::FavorTiles, count),
            FollowUp::TownTiles(count) => (pb::FollowUpKind::TownTiles, count),
            FollowUp::CultStep => (pb::FollowUpKind::CultStep, 1),
            FollowUp::Ordination => (pb::FollowUpKind::Ordination, 1),
            FollowUp::StrongholdSpades => (pb::FollowUpKind::StrongholdSpades, 1),
        };
        pb::FollowUp {
            kind: kind.into(),
            count: count.to_pb(),
        }
    }
}
message! {
    (FavorTile, u8) => pb::FavorTileCount,
    |pool| pb::FavorTileCount { tile: pool.0.to_pb(), count: pool.1.to_pb() }
}
message! {
    (TownTile, u8) => pb::TownTileCount,
    |pool| pb::TownTileCount { tile: pool.0.to_pb(), count: pool.1.to_pb() }
}

/// The priest spaces that somebody holds, track by track.
impl ToPb<Vec<pb::PriestOnCult>> for [[Option<Seat>; 4]; 4] {
    fn to_pb(&self) -> Vec<pb::PriestOnCult> {
        let tracks = Cult::ALL.iter().zip(self);
        let spaces = tracks.flat_map(|(cult, spaces)| {
            let on_track = PRIEST_SPACES.iter().zip(spaces);
            on_track.filter_map(|(slot, holder)| {
                holder.map(|seat| pb::PriestOnCult {
                    cult: cult.to_pb(),
                    slot: slot.to_pb(),
                    seat: seat.to_pb(),
                })
            })
        });
        spaces.collect()
    }
}
