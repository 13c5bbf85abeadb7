//! The course of play as a **state machine**: carries out a validated action, then runs the stages up to the next
//! decision (TM-6.1, TM-6.64).

use std::ops::ControlFlow;

use super::action::Action;
use super::data::ROUNDS;
use super::event::Event;
use super::legal::{Permit, ValidAction};
use super::rules::{
    bridges, conversions, cult_rewards, cults, dwellings, end, follow_ups, offers, passing, power,
    power_actions, rounds, setting_up, special_actions, towns, tracks, transform, upgrades,
};
use super::stage::Stage;
use super::state::{ExecContext, Player, Turn};
use crate::table::{self, PerSeat, Seat};

/// Carries out a validated action, and everything automatic after it.
pub fn execute(ctx: &mut ExecContext<'_>, permit: Permit) {
    let passes = matches!(permit.valid_action, ValidAction::Pass(_));
    execute_immediate(ctx, permit);
    if passes {
        next_turn(ctx);
    }
    run_to_decision(ctx);
}

/// Carries out the answer to the decision, without the automatic steps after it: after the last pass that is another
/// round.
pub fn execute_immediate(ctx: &mut ExecContext<'_>, Permit { seat, valid_action }: Permit) {
    if valid_action.is_main_action() {
        ctx.state.turn.begin_main_action();
    }
    match valid_action {
        ValidAction::Faction(faction) => setting_up::perform_faction(ctx, seat, faction),
        ValidAction::Dwelling(land) => setting_up::perform_dwelling(ctx, seat, land),
        ValidAction::Card(place) => passing::take_card(ctx, seat, place),
        ValidAction::Work(job) => transform::execute(ctx, seat, &job),
        ValidAction::LateDwelling(land) => dwellings::perform_late(ctx, seat, land),
        ValidAction::Shipping => tracks::perform_shipping(ctx, seat),
        ValidAction::Terraforming(price) => tracks::perform_terraforming(ctx, seat, price),
        ValidAction::Upgrade(upgrade) => upgrades::execute(ctx, seat, upgrade),
        ValidAction::Priest(sent) => cults::perform_priest(ctx, seat, sent),
        ValidAction::Power(power) => power_actions::execute(ctx, seat, &power),
        ValidAction::Special(special) => special_actions::execute(ctx, seat, &special),
        ValidAction::EngineerBridge(site) => bridges::execute(ctx, seat, site),
        ValidAction::Pass(place) => passing::execute(ctx, seat, place),
        ValidAction::Convert(exchange) => conversions::execute(ctx, seat, exchange),
        ValidAction::Sacrifice(tokens) => power::sacrifice_power(ctx, seat, tokens),
        ValidAction::RiverTown(town) => towns::execute(ctx, seat, town),
        ValidAction::EndTurn => end_turn(ctx, seat),
        ValidAction::DecidePower(accept) => offers::execute(ctx, seat, accept),
        ValidAction::Favor(tile) => follow_ups::perform_favor_tile(ctx, seat, tile),
        ValidAction::TownTile(taken) => follow_ups::perform_town_tile(ctx, seat, &taken),
        ValidAction::CultStep(cult) => follow_ups::perform_cult_step(ctx, seat, cult),
        ValidAction::Ordain(count) => follow_ups::perform_ordination(ctx, seat, count),
        ValidAction::StrongholdSpades(job) => follow_ups::perform_spades(ctx, seat, &job),
        ValidAction::CultSpades(job) => cult_rewards::execute(ctx, seat, &job),
    }
}

/// Runs stages up to the next decision, or to the end of the game.
///
/// # Rule TM-6.64
pub fn run_to_decision(ctx: &mut ExecContext<'_>) {
    table::run_to_decision(ctx, enter);
}

/// Enters the current stage. Breaks where a player must decide.
fn enter(ctx: &mut ExecContext<'_>) -> ControlFlow<()> {
    match &ctx.state.stage {
        Stage::ChooseFaction(choosing) => {
            let Some(factions) = choosing.chosen.iter().copied().collect::<Option<Vec<_>>>() else {
                return ControlFlow::Break(());
            };
            let board = |seat: Seat| Player::new(factions[seat.index()]);
            ctx.state.players = PerSeat::new(factions.len(), board);
            ctx.state.stage = Stage::PlaceDwelling;
        }
        Stage::PlaceDwelling => {
            if ctx.state.next_to_place().is_some() {
                return ControlFlow::Break(());
            }
            ctx.state.stage = Stage::ChooseBonusCard;
        }
        Stage::ChooseBonusCard => {
            if ctx.state.next_to_take_card().is_some() {
                return ControlFlow::Break(());
            }
            rounds::lay_coins(ctx);
            begin_round(ctx);
        }
        Stage::Action => return enter_turn(ctx),
        Stage::Cult => {
            cult_rewards::skip_useless(ctx);
            if !ctx.state.cult_spades.is_empty() {
                return ControlFlow::Break(());
            }
            rounds::clean_up(ctx);
            begin_round(ctx);
        }
        Stage::Over => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}

/// Continues a turn. Offers come first; then the Cultists learn their answer; then the choices of the active player;
/// then, with that option, the turn ends by itself (TM-6.2).
fn enter_turn(ctx: &mut ExecContext<'_>) -> ControlFlow<()> {
    if !ctx.state.turn.offers.is_empty() {
        return ControlFlow::Break(());
    }
    offers::settle_takers(ctx);
    follow_ups::drop_lapsed(ctx);
    let open = ctx.state.owes_choice();
    if open || !ctx.state.rules.auto_end_turn || !ctx.state.turn.main_action_done {
        return ControlFlow::Break(());
    }
    let seat = ctx.state.turn.seat;
    ctx.execute_forced(seat, Action::EndTurn, |ctx| end_turn(ctx, seat));
    ControlFlow::Continue(())
}

/// Begins the next round: the income of every player, then the first turn.
fn begin_round(ctx: &mut ExecContext<'_>) {
    ctx.state.round += 1;
    ctx.state.stage = Stage::Action;
    ctx.emit(Event::RoundBegan {
        round: ctx.state.round,
        turn_order: ctx.state.turn_order.clone(),
    });
    rounds::receive_income(ctx);
    let first = ctx.state.turn_order[0];
    begin_turn(ctx, first);
}

fn begin_turn(ctx: &mut ExecContext<'_>, seat: Seat) {
    ctx.state.turn = Turn::of(seat);
    ctx.emit(Event::TurnBegan { seat });
}

fn end_turn(ctx: &mut ExecContext<'_>, seat: Seat) {
    ctx.emit(Event::TurnEnded { seat });
    next_turn(ctx);
}

/// # Rule TM-6.60
/// The next player who has not passed; after the last pass, phase III or the end.
fn next_turn(ctx: &mut ExecContext<'_>) {
    if let Some(seat) = ctx.state.next_in_turn() {
        begin_turn(ctx, seat);
        return;
    }
    ctx.state.turn = Turn::of(ctx.state.turn.seat);
    ctx.emit(Event::RoundEnded {
        round: ctx.state.round,
    });
    if ctx.state.round == ROUNDS {
        ctx.state.stage = Stage::Over;
        end::enter(ctx);
    } else {
        ctx.state.stage = Stage::Cult;
        cult_rewards::enter(ctx);
    }
}
