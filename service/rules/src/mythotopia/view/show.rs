//! Showing the table to a viewer.

use arrayvec::ArrayVec;

use super::bookkeeping::bookkeeping;
use super::{
    AwardView, BoxView, Force, PiecesView, PlayerView, PointCardView, ProvinceView, Question,
    SeaView, SupplyView, TokenStack, TurnView, View, WarView,
};
use crate::mythotopia::data::{
    CardSet, Converter, ConverterSet, DRAGONS, FACE_DOWN, Improvement, PointCard, Province,
    ProvinceSet, RUNESTONES, Sea, count,
};
use crate::mythotopia::options::Options;
use crate::mythotopia::rules::{awards, setup_choice};
use crate::mythotopia::stage::{Decision, SeasMark, TurnMark};
use crate::mythotopia::state::{Award, Citadel, State};
use crate::table::{Pending, PerSeat, Seat, Viewer};

/// The table as this viewer may know it.
///
/// # Rule MYT-13.1
pub fn view(state: &State, viewer: Viewer) -> View {
    let decision = state.decision();
    let discards = decision == Some(Decision::SetupDiscard);
    let setup = discards || decision == Some(Decision::SetupCitadel);
    let inspected: Vec<Improvement> = state.inspected().collect();
    let neutral = state.neutral();
    let sees_inspected = !inspected.is_empty() && viewer.sees(state.active);
    View {
        options: Options {
            colors: PerSeat::new(state.seats(), |seat| state.players[seat].color),
            more_choice: state.more_choice,
            switches: state.switches,
        },
        pending: Pending::all(state.pending(), Decision::id),
        question: discards.then(|| Question {
            provinces_to_discard: Some(count(state.provinces_to_discard())),
        }),
        turn_order: if setup {
            Vec::new()
        } else {
            state.first.clockwise(state.seats()).collect()
        },
        turn: (!setup).then(|| turn(state)),
        provinces: provinces(state),
        wars: wars(state),
        seas: Sea::ALL.iter().map(|&area| sea(state, area)).collect(),
        roads: state.roads.iter().collect(),
        province_pile_size: count(neutral.len()),
        province_pile: if setup { ProvinceSet::empty() } else { neutral },
        improvement_display: state.display,
        improvement_deck_count: count(state.improvement_deck.len() - inspected.len()),
        inspected_count: count(inspected.len()),
        inspected: sees_inspected.then_some(inspected),
        point_cards: state
            .in_play
            .iter()
            .map(|card| point_card(state, card))
            .collect(),
        bank: state.bank,
        supply: SupplyView {
            roads: state.road_supply(),
            castles: state.castle_supply(),
            mercenaries: state.mercenary_supply(),
        },
        out_of_game: out_of_game(state),
        awards: waiting(state),
        players: state
            .players
            .seats()
            .map(|seat| player(state, seat, viewer))
            .collect(),
        bookkeeping: (viewer == Viewer::Operator).then(|| bookkeeping(state)),
    }
}

/// Removes the pending decisions from a view.
pub fn clear_pending(view: &mut View) {
    view.pending.clear();
    view.question = None;
    view.awards.clear();
}

fn turn(state: &State) -> TurnView {
    let marks = state.turn.marks;
    let worked = |converter: &Converter| marks.contains(TurnMark::from(*converter));
    TurnView {
        active_player: state.active,
        actions_done: state.turn.actions_done,
        free_action_done: marks.contains(TurnMark::FreeAction),
        drafted: marks.contains(TurnMark::Drafted),
        road_move_used: marks.contains(TurnMark::RoadMove),
        warehouse_used: marks.contains(TurnMark::Warehouse),
        converters_used: ConverterSet::all().iter().filter(worked).collect(),
    }
}

fn provinces(state: &State) -> Vec<ProvinceView> {
    let neutral = |&province: &Province| ProvinceView {
        province,
        controller: None,
        building: None,
        castle: state.castles.contains(province),
        dragon: state.dragons.contains(province),
        runestone: state.runestones.contains(province),
        forces: ArrayVec::new(),
    };
    let mut provinces: Vec<ProvinceView> = Province::ALL.iter().map(neutral).collect();
    for (seat, player) in state.players.entries() {
        for province in player.controlled().iter() {
            let shown = &mut provinces[province.index()];
            shown.controller = Some(seat);
            shown.building = player.building(province);
        }
        for province in player.garrisons().iter() {
            provinces[province.index()].forces.push(Force {
                seat,
                armies: player.armies.at(province),
                mercenaries: player.mercenaries.at(province),
            });
        }
    }
    provinces
}

fn wars(state: &State) -> Vec<WarView> {
    let show = |province| WarView {
        province,
        strengths: state.strengths(province),
    };
    state.wars().iter().map(show).collect()
}

fn sea(state: &State, sea: Sea) -> SeaView {
    let ships = state.players.iter().map(|player| player.ships[sea.index()]);
    SeaView {
        sea,
        ships: ships.collect(),
    }
}

fn point_card(state: &State, card: PointCard) -> PointCardView {
    let tokens = card.stacks().iter().map(|&stack| TokenStack {
        token: state.token(stack),
        count: state.tokens[stack.index()],
    });
    PointCardView {
        card,
        tokens: tokens.collect(),
    }
}

fn out_of_game(state: &State) -> BoxView {
    let gone = |card, all: usize, left: usize| {
        let placed = if state.in_play.contains(card) { all } else { 0 };
        count(all - placed) + count(placed - left)
    };
    let unused = |card: &PointCard| !state.in_play.contains(*card);
    let choosing = state.decision() == Some(Decision::ChoosePhilosopherCard);
    let philosopher = state.improvement_deck.len() < FACE_DOWN || choosing;
    BoxView {
        dragons: gone(PointCard::HereBeDragons, DRAGONS, state.dragons.len()),
        runestones: gone(PointCard::Runestones, RUNESTONES, state.runestones.len()),
        philosopher,
        point_cards: PointCard::ALL.iter().copied().filter(unused).collect(),
    }
}

fn waiting(state: &State) -> Vec<AwardView> {
    let show = |(place, award): (usize, &Award)| AwardView {
        seat: award.seat,
        token: state.token(award.stack),
        sources: if place == 0 {
            awards::sources(state, *award).iter().collect()
        } else {
            Vec::new()
        },
    };
    state.awards.iter().enumerate().map(show).collect()
}

fn player(state: &State, seat: Seat, viewer: Viewer) -> PlayerView {
    let player = &state.players[seat];
    let own = viewer.sees(seat);
    PlayerView {
        seat,
        color: player.color,
        hand_count: count(player.hand.len()),
        deck_count: count(player.deck.len()),
        hand: own.then_some(player.hand),
        deck: own.then(|| player.deck.iter().copied().collect::<CardSet>()),
        discard: player.discard,
        reserve: player.reserve,
        removed: player.removed,
        reserve_limit: player.reserve_limit(),
        hand_limit: player.hand_limit(state.switches.hand_limit_stacking),
        stock: PiecesView {
            towns: state.town_stock(seat),
            cities: player.city_stock(),
            armies: player.stock.armies,
            ships: player.stock.ships,
        },
        pool: PiecesView {
            towns: 0,
            cities: 0,
            armies: player.pool.armies,
            ships: player.pool.ships,
        },
        citadel: match player.citadel {
            Citadel::At(province) => Some(province),
            Citadel::Unused | Citadel::Returned => None,
        },
        citadel_returned: player.citadel == Citadel::Returned,
        tokens: player.tokens,
        three_seas_claimed: player.seas_claimed.contains(SeasMark::ThreeSeas),
        four_seas_claimed: player.seas_claimed.contains(SeasMark::FourSeas),
        seas_towns: player.seas_towns,
        points: state.points(seat),
        has_chosen: player.choice.is_some(),
        setup_choice: player
            .choice
            .filter(|_| own)
            .map(|choice| setup_choice::shown(state, choice)),
    }
}
