//! What one viewer may know of the table. `None` stays unset: hidden is not the same as empty.

use gamekeeper_rules::mythotopia::{
    AwardView, BoxView, Force, PiecesView, PlayerView, PointCardView, ProvinceView, Question,
    SeaView, SupplyView, TokenStack, TurnView, View, WarView,
};

use super::pb;
use crate::rows::message;

message! {
    View => pb::View {
        options, question, turn_order, turn, provinces, wars,
        seas, roads, province_pile_size, province_pile, improvement_display,
        improvement_deck_count, inspected_count, inspected, point_cards, bank, supply, out_of_game,
        awards, players,
    } without { pending }
}
message! {
    PlayerView => pb::PlayerView {
        seat, color, hand_count, deck_count, hand, deck, discard, reserve, removed, reserve_limit,
        hand_limit, stock, pool, citadel, citadel_returned, tokens, three_seas_claimed,
        four_seas_claimed, seas_towns, points, has_chosen, setup_choice,
    }
}
message! {
    TurnView => pb::Turn {
        active_player, actions_done, free_action_done, drafted, road_move_used, warehouse_used,
        converters_used,
    }
}
message! {
    ProvinceView => pb::ProvinceView {
        province, controller, building, castle, dragon, runestone, forces,
    }
}
message! { Question => pb::Question { provinces_to_discard } }
message! { Force => pb::Force { seat, armies, mercenaries } }
message! { WarView => pb::War { province, strengths } }
message! { SeaView => pb::SeaView { sea, ships } }
message! { PointCardView => pb::PointCardView { card, tokens } }
message! { TokenStack => pb::TokenStack { token, count } }
message! { PiecesView => pb::Pieces { towns, cities, armies, ships } }
message! { SupplyView => pb::Supply { roads, castles, mercenaries } }
message! { BoxView => pb::OutOfGame { dragons, runestones, philosopher, point_cards } }
message! { AwardView => pb::Award { seat, token, sources } }
message! {
    [u8; 3] => pb::Tokens,
    |[ones, twos, threes]| { ones: *ones, twos: *twos, threes: *threes }
}
