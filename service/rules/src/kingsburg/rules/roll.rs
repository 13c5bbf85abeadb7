//! A season begins: income, the roll, one die again, the new turn order (KIN-6.4).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::super::Log;
use super::super::action::Action;
use super::super::data::{Building, DIE_FACES, DieId, Goods, Phase};
use super::super::event::{Event, ShownDie};
use super::super::pending::{Decision, Stage};
use super::super::refusal::Refusal;
use super::super::state::{Dice, State};
use super::{Answer, Deed, two_players};
use crate::table::{Chance, Seat, Visit};

/// Neutral dice, income, and everybody's roll.
pub(in super::super) fn enter(state: &mut State, chance: &mut Chance, journal: &mut Log) {
    two_players::roll_neutral_dice(state, chance, journal);
    take_income(state, journal);
    roll_all(state, chance, journal);
    state.stage = Stage::Reroll { place: 0 };
}

/// The Merchants' Guild gives one gold before the roll.
///
/// # Rule KIN-6.28, KIN-7.8
fn take_income(state: &mut State, journal: &mut Log) {
    for &seat in &state.order {
        let player = &mut state.players[seat];
        if player.has(Building::MerchantsGuild) {
            player.goods = player.goods.plus(Goods::new(1, 0, 0));
            journal.event(Event::GuildIncome { seat });
        }
    }
}

/// Draws `roll`, player by player in the turn order valid before; white dice are always rolled
/// (KIN-ADJ-12).
///
/// # Rule KIN-6.30
fn roll_all(state: &mut State, chance: &mut Chance, journal: &mut Log) {
    for &seat in &state.order {
        let aid = state.aid_die == Some(seat) && state.phase == Phase::Spring;
        let player = &mut state.players[seat];
        let farms = player.has(Building::Farms);
        let rolled = DieId::ALL.into_iter().filter(|die| match die {
            DieId::Own0 | DieId::Own1 | DieId::Own2 => true,
            DieId::KingsAid => aid,
            DieId::Farms => farms,
        });
        let dice: ArrayVec<DieId, { DieId::COUNT }> = rolled.collect();
        let faces = chance.roll("roll", Some(seat), DIE_FACES, dice.len());
        let shown = dice.iter().zip(faces);
        let shown = shown.map(|(&die, value)| ShownDie { die, value });
        let shown: ArrayVec<ShownDie, { DieId::COUNT }> = shown.collect();
        player.dice = Dice::default();
        for &ShownDie { die, value } in &shown {
            player.dice.show(die, value);
        }
        player.reroll_used = false;
        player.market_used = false;
        player.influence_done = false;
        journal.event(Event::DiceRolled { seat, dice: shown });
    }
}

/// Who owns the Statue and has dice that all show one face may roll one of them again. The Chapel
/// adds nothing to this (KIN-7.2).
///
/// # Rule KIN-6.33
pub(in super::super) fn enter_reroll(state: &mut State, place: u8) -> ControlFlow<()> {
    match state.at(place) {
        Some(seat) => {
            let player = &state.players[seat];
            if player.has(Building::Statue) && player.dice.all_equal() {
                return ControlFlow::Break(());
            }
            state.stage = Stage::Reroll { place: place + 1 };
        }
        None => state.stage = Stage::Order,
    }
    ControlFlow::Continue(())
}

/// Lists `reroll_die` for each die, then `keep_roll`.
pub(in super::super) fn candidates_reroll(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    for die in state.players[seat].dice.rolled().dice() {
        let die = u32::from(die.number());
        visit(Action::RerollDie { die })?;
    }
    visit(Action::KeepRoll)
}

/// Judges `reroll_die` and `keep_roll`.
pub(in super::super) fn check_reroll(state: &State, seat: Seat, action: &Action) -> Answer {
    if let Action::RerollDie { die } = *action {
        return Some(rolled_die(state, seat, die, Decision::Reroll).map(Deed::Reroll));
    }
    matches!(action, Action::KeepRoll).then_some(Ok(Deed::KeepRoll))
}

/// A die that the player has this season, wherever it lies.
pub(super) fn rolled_die(
    state: &State,
    seat: Seat,
    number: u32,
    decision: Decision,
) -> Result<DieId, Refusal> {
    let rolled = state.players[seat].dice.rolled();
    DieId::from_number(number)
        .filter(|&die| rolled.contains(die))
        .ok_or(Refusal::UnknownDie {
            die: number,
            decision,
        })
}

/// Draws `reroll`: one die, once, whatever comes of it.
pub(super) fn perform_reroll(
    state: &mut State,
    seat: Seat,
    die: DieId,
    chance: &mut Chance,
    journal: &mut Log,
) {
    let player = &mut state.players[seat];
    let before = player.dice.face(die);
    for after in chance.roll("reroll", Some(seat), DIE_FACES, 1) {
        player.dice.show(die, after);
        player.reroll_used = true;
        journal.event(Event::DieRerolled {
            seat,
            die,
            before,
            after,
        });
    }
    after_reroll(state, seat);
}

/// Leaves the dice as they are.
pub(super) fn perform_keep(state: &mut State, seat: Seat, journal: &mut Log) {
    journal.event(Event::RollKept { seat });
    after_reroll(state, seat);
}

fn after_reroll(state: &mut State, seat: Seat) {
    let place = state.place_of(seat) + 1;
    state.stage = Stage::Reroll { place };
}

/// Lower totals go first; equal ones keep their order.
///
/// # Rule KIN-6.35
pub(in super::super) fn enter_order(state: &mut State, journal: &mut Log) {
    let players = &state.players;
    state.order.sort_by_key(|&seat| players[seat].dice.total());
    let totals = state.order.iter();
    journal.event(Event::OrderSet {
        order: state.order.clone(),
        totals: totals.map(|&seat| players[seat].dice.total()).collect(),
    });
    state.stage = Stage::SetAside { place: 0 };
}
