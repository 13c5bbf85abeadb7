//! The course of play as a **state machine**: carries out a validated action, then runs the stages up to the next
//! decision (TM-6.1, TM-6.64).

use std::ops::ControlFlow;

use super::action::Action;
use super::data::ROUNDS;
use super::event::Event;
use super::legal::{Deed, Permit};
use super::rules::{
    bridges, conversions, cult_rewards, cults, dwellings, end, follow_ups, offers, passing, power,
    power_actions, rounds, setting_up, special_actions, towns, tracks, transform, upgrades,
};
use super::stage::Stage;
use super::state::{Play, Player, Turn};
use crate::table::{self, PerSeat, Seat};

/// Carries out a validated action, and everything automatic after it.
pub fn perform(play: &mut Play<'_>, permit: Permit) {
    let passes = matches!(permit.deed, Deed::Pass(_));
    answer(play, permit);
    if passes {
        next_turn(play);
    }
    settle(play);
}

/// Carries out the answer to the decision, without the automatic steps after it: after the last pass that is another
/// round.
pub fn answer(play: &mut Play<'_>, Permit { seat, deed }: Permit) {
    if deed.is_main_action() {
        play.state.turn.begin_main_action();
    }
    match deed {
        Deed::Faction(faction) => setting_up::perform_faction(play, seat, faction),
        Deed::Dwelling(land) => setting_up::perform_dwelling(play, seat, land),
        Deed::Card(place) => passing::take_card(play, seat, place),
        Deed::Work(job) => transform::perform(play, seat, &job),
        Deed::LateDwelling(land) => dwellings::perform_late(play, seat, land),
        Deed::Shipping => tracks::perform_shipping(play, seat),
        Deed::Terraforming(price) => tracks::perform_terraforming(play, seat, price),
        Deed::Upgrade(upgrade) => upgrades::perform(play, seat, upgrade),
        Deed::Priest(sent) => cults::perform_priest(play, seat, sent),
        Deed::Power(power) => power_actions::perform(play, seat, &power),
        Deed::Special(special) => special_actions::perform(play, seat, &special),
        Deed::EngineerBridge(site) => bridges::perform(play, seat, site),
        Deed::Pass(place) => passing::perform(play, seat, place),
        Deed::Convert(exchange) => conversions::perform(play, seat, exchange),
        Deed::Sacrifice(tokens) => power::sacrifice_power(play, seat, tokens),
        Deed::RiverTown(town) => towns::perform(play, seat, town),
        Deed::EndTurn => end_turn(play, seat),
        Deed::DecidePower(accept) => offers::perform(play, seat, accept),
        Deed::Favor(tile) => follow_ups::perform_favor_tile(play, seat, tile),
        Deed::TownTile(taken) => follow_ups::perform_town_tile(play, seat, &taken),
        Deed::CultStep(cult) => follow_ups::perform_cult_step(play, seat, cult),
        Deed::Ordain(count) => follow_ups::perform_ordination(play, seat, count),
        Deed::StrongholdSpades(job) => follow_ups::perform_spades(play, seat, &job),
        Deed::CultSpades(job) => cult_rewards::perform(play, seat, &job),
    }
}

/// Runs stages up to the next decision, or to the end of the game.
///
/// # Rule TM-6.64
pub fn settle(play: &mut Play<'_>) {
    table::settle(play, enter);
}

/// Enters the current stage. Breaks where a player must decide.
fn enter(play: &mut Play<'_>) -> ControlFlow<()> {
    match &play.state.stage {
        Stage::ChooseFaction(choosing) => {
            let Some(factions) = choosing.chosen.iter().copied().collect::<Option<Vec<_>>>() else {
                return ControlFlow::Break(());
            };
            let board = |seat: Seat| Player::new(factions[seat.index()]);
            play.state.players = PerSeat::new(factions.len(), board);
            play.state.stage = Stage::PlaceDwelling;
        }
        Stage::PlaceDwelling => {
            if play.state.next_to_place().is_some() {
                return ControlFlow::Break(());
            }
            play.state.stage = Stage::ChooseBonusCard;
        }
        Stage::ChooseBonusCard => {
            if play.state.next_to_take_card().is_some() {
                return ControlFlow::Break(());
            }
            rounds::lay_coins(play);
            begin_round(play);
        }
        Stage::Action => return enter_turn(play),
        Stage::Cult => {
            cult_rewards::skip_useless(play);
            if !play.state.cult_spades.is_empty() {
                return ControlFlow::Break(());
            }
            rounds::clean_up(play);
            begin_round(play);
        }
        Stage::Over => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}

/// Continues a turn. Offers come first; then the Cultists learn their answer; then the choices of the active player;
/// then, with that option, the turn ends by itself (TM-6.2).
fn enter_turn(play: &mut Play<'_>) -> ControlFlow<()> {
    if !play.state.turn.offers.is_empty() {
        return ControlFlow::Break(());
    }
    offers::settle_takers(play);
    follow_ups::drop_lapsed(play);
    let open = play.state.owes_choice();
    if open || !play.state.rules.auto_end_turn || !play.state.turn.main_action_done {
        return ControlFlow::Break(());
    }
    let seat = play.state.turn.seat;
    play.automatic(seat, Action::EndTurn, |play| end_turn(play, seat));
    ControlFlow::Continue(())
}

/// Begins the next round: the income of every player, then the first turn.
fn begin_round(play: &mut Play<'_>) {
    play.state.round += 1;
    play.state.stage = Stage::Action;
    play.tell(Event::RoundBegan {
        round: play.state.round,
        turn_order: play.state.turn_order.clone(),
    });
    rounds::receive_income(play);
    let first = play.state.turn_order[0];
    begin_turn(play, first);
}

fn begin_turn(play: &mut Play<'_>, seat: Seat) {
    play.state.turn = Turn::of(seat);
    play.tell(Event::TurnBegan { seat });
}

fn end_turn(play: &mut Play<'_>, seat: Seat) {
    play.tell(Event::TurnEnded { seat });
    next_turn(play);
}

/// # Rule TM-6.60
/// The next player who has not passed; after the last pass, phase III or the end.
fn next_turn(play: &mut Play<'_>) {
    if let Some(seat) = play.state.next_in_turn() {
        begin_turn(play, seat);
        return;
    }
    play.state.turn = Turn::of(play.state.turn.seat);
    play.tell(Event::RoundEnded {
        round: play.state.round,
    });
    if play.state.round == ROUNDS {
        play.state.stage = Stage::Over;
        end::enter(play);
    } else {
        play.state.stage = Stage::Cult;
        cult_rewards::enter(play);
    }
}
