//! What one viewer may know of the table. `None` stays unset: hidden is not the same as empty.

use gamekeeper_rules::mythotopia::data::{Converter, ProvinceSet};
use gamekeeper_rules::mythotopia::{
    AwardView, CitadelView, Force, PiecesView, PlayerView, PointCardView, ProvinceView, SeasMark,
    TokensView, TurnMark, TurnView, View, WarView,
};

use super::event::{choice_message, strength_messages};
use super::ids::{self, each};
use super::{options, pb};
use crate::names::{Name, numbers};
use crate::{seat_number, seat_numbers};

pub(super) fn message(view: &View) -> pb::View {
    let colours = view.players.iter().map(|player| player.colour);
    let pending = view.pending.iter().map(|pending| seat_number(pending.seat));
    let pile = view.province_pile.map(ProvinceSet::iter);
    pb::View {
        options: Some(options::spelt_out(colours, view.more_choice, view.switches)),
        phase: view.phase.number(),
        pending_seats: pending.collect(),
        provinces_to_discard: u32::from(view.provinces_to_discard),
        turn_order: seat_numbers(&view.turn_order),
        turn: view.turn.as_ref().map(turn),
        provinces: view.provinces.iter().map(province).collect(),
        wars: view.wars.iter().map(war).collect(),
        seas: view
            .seas
            .iter()
            .map(|sea| pb::SeaView {
                sea: sea.sea.number(),
                ships: sea.ships.iter().copied().map(u32::from).collect(),
            })
            .collect(),
        roads: view.roads.iter().copied().map(ids::border).collect(),
        province_pile_count: u32::from(view.province_pile_count),
        province_pile: pile.map(each).unwrap_or_default(),
        improvement_display: each(view.improvement_display.iter()),
        improvement_deck_count: u32::from(view.improvement_deck_count),
        inspected_count: u32::from(view.inspected_count),
        inspected: view.inspected.as_deref().map(ids::improvement_list),
        point_cards: view.point_cards.iter().map(point_card).collect(),
        bank: Some(tokens(view.bank)),
        supply: Some(pb::Supply {
            roads: u32::from(view.supply.roads),
            castles: u32::from(view.supply.castles),
            mercenaries: u32::from(view.supply.mercenaries),
        }),
        out_of_game: Some(pb::OutOfGame {
            dragons: u32::from(view.out_of_game.dragons),
            runestones: u32::from(view.out_of_game.runestones),
            philosopher: view.out_of_game.philosopher,
            point_cards: numbers(&view.out_of_game.point_cards),
        }),
        awards: view.awards.iter().map(award).collect(),
        players: view.players.iter().map(player).collect(),
        winner: view.winner.map(seat_number),
    }
}

fn turn(turn: &TurnView) -> pb::Turn {
    let did = |mark| turn.marks.contains(mark);
    let converters = Converter::ALL.iter().copied();
    pb::Turn {
        active_player: seat_number(turn.active),
        actions_done: u32::from(turn.actions_done),
        free_action_done: did(TurnMark::FreeAction),
        drafted: did(TurnMark::Drafted),
        road_move_used: did(TurnMark::RoadMove),
        warehouse_used: did(TurnMark::Warehouse),
        converters_used: each(converters.filter(|&converter| did(TurnMark::from(converter)))),
    }
}

fn province(province: &ProvinceView) -> pb::ProvinceView {
    let force = |force: &Force| pb::Force {
        seat: seat_number(force.seat),
        armies: u32::from(force.armies),
        mercenaries: u32::from(force.mercenaries),
    };
    pb::ProvinceView {
        province: province.province.number(),
        controller: province.controller.map(seat_number),
        building: province.building.map(Name::number),
        castle: province.castle,
        dragon: province.dragon,
        runestone: province.runestone,
        forces: province.forces.iter().map(force).collect(),
    }
}

fn war(war: &WarView) -> pb::War {
    pb::War {
        province: war.province.number(),
        strengths: strength_messages(&war.strengths),
    }
}

fn point_card(card: &PointCardView) -> pb::PointCardView {
    let stack = |stack: &TokensView| pb::TokenStack {
        token: Some(ids::token(stack.token)),
        count: u32::from(stack.count),
    };
    pb::PointCardView {
        card: card.card.number(),
        tokens: card.tokens.iter().map(stack).collect(),
    }
}

fn tokens(tokens: [u8; 3]) -> pb::Tokens {
    let [ones, twos, threes] = tokens.map(u32::from);
    pb::Tokens { ones, twos, threes }
}

fn award(award: &AwardView) -> pb::Award {
    pb::Award {
        seat: seat_number(award.seat),
        token: Some(ids::token(award.token)),
        sources: numbers(&award.sources),
    }
}

fn pieces(pieces: PiecesView) -> pb::Pieces {
    pb::Pieces {
        towns: u32::from(pieces.towns),
        cities: u32::from(pieces.cities),
        armies: u32::from(pieces.armies),
        ships: u32::from(pieces.ships),
    }
}

fn player(player: &PlayerView) -> pb::PlayerView {
    let citadel = match player.citadel {
        CitadelView::Placed(province) => Some(province.number()),
        CitadelView::Unused | CitadelView::Returned => None,
    };
    let claimed = player.seas_claim.claimed;
    pb::PlayerView {
        seat: seat_number(player.seat),
        colour: player.colour.number(),
        hand_count: u32::from(player.hand_count),
        deck_count: u32::from(player.deck_count),
        hand: player.hand.map(ids::card_set),
        deck: player.deck.map(ids::card_set),
        discard: each(player.discard.iter()),
        reserve: each(player.reserve.iter()),
        removed: each(player.removed.iter()),
        reserve_limit: u32::from(player.reserve_limit),
        hand_limit: u32::from(player.hand_limit),
        stock: Some(pieces(player.stock)),
        pool: Some(pieces(player.pool)),
        citadel,
        citadel_returned: player.citadel == CitadelView::Returned,
        tokens: Some(tokens(player.tokens)),
        three_seas_claimed: claimed.contains(SeasMark::ThreeSeas),
        four_seas_claimed: claimed.contains(SeasMark::FourSeas),
        seas_towns: u32::from(player.seas_claim.towns),
        points: u32::from(player.points),
        has_chosen: player.has_chosen,
        setup_choice: player.setup_choice.map(choice_message),
    }
}

#[cfg(test)]
mod tests;
