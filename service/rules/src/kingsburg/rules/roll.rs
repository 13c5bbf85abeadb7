//! A season begins: income, the roll, the reroll, the new turn order (KIN-6d).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::common::rolled_die;
use super::two_players;
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Building, DIE_FACES, DieId, Goods, Phase};
use crate::kingsburg::event::{Event, ShownDie};
use crate::kingsburg::refusal::No;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Dice, Play, State};
use crate::table::{Lister, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Reroll(DieId),
    Keep,
}

/// Rolls neutral dice, gives income, and rolls the dice of every player.
pub fn enter(play: &mut Play<'_>) {
    two_players::roll_neutral_dice(play);
    take_income(play);
    for seat in play.state.order.clone() {
        roll(play, seat);
    }
    play.state.stage = Stage::Reroll { place: 0 };
}

/// Gives one gold for each Merchants' Guild before the roll.
///
/// # Rule KIN-6.28, KIN-7.8
fn take_income(play: &mut Play<'_>) {
    for seat in play.state.order.clone() {
        let player = &mut play.state.players[seat];
        if player.has(Building::MerchantsGuild) {
            player.goods = player.goods.plus(Goods::new(1, 0, 0));
            play.tell(Event::GuildIncome { seat });
        }
    }
}

/// Draws `roll`, player by player in the previous turn order; white dice are always rolled
/// (KIN-ADJ-12).
///
/// # Rule KIN-6.30
fn roll(play: &mut Play<'_>, seat: Seat) {
    let aid = play.state.aid_die == Some(seat) && play.state.phase == Phase::Spring;
    let player = &mut play.state.players[seat];
    let farms = player.has(Building::Farms);
    let rolled = DieId::ALL.into_iter().filter(|die| match die {
        DieId::Own0 | DieId::Own1 | DieId::Own2 => true,
        DieId::KingsAid => aid,
        DieId::Farms => farms,
    });
    let rolled: ArrayVec<DieId, { DieId::COUNT }> = rolled.collect();
    let faces = play
        .chance
        .roll("roll", Some(seat), DIE_FACES, rolled.len());
    let shown = rolled.into_iter().zip(faces);
    let dice: ArrayVec<ShownDie, { DieId::COUNT }> =
        shown.map(|(die, value)| ShownDie { die, value }).collect();
    player.dice = Dice::default();
    for &ShownDie { die, value } in &dice {
        player.dice.show(die, value);
    }
    player.reroll_used = false;
    player.market_used = false;
    player.influence_done = false;
    play.tell(Event::DiceRolled { seat, dice });
}

/// Asks an owner of the Statue whose dice all show one face whether to roll one of them again. The Chapel adds nothing
/// to this (KIN-7.2).
///
/// # Rule KIN-6.33
pub fn enter_reroll(play: &mut Play<'_>, place: u8) -> ControlFlow<()> {
    match play.state.at(place) {
        Some(seat) => {
            let player = &play.state.players[seat];
            if player.has(Building::Statue) && player.dice.all_equal() {
                return ControlFlow::Break(());
            }
            play.state.stage = Stage::Reroll { place: place + 1 };
        }
        None => play.state.stage = Stage::Order,
    }
    ControlFlow::Continue(())
}

/// Lists `reroll_die` for each die, then `keep_roll`.
pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    for die in state.players[seat].dice.rolled() {
        let die = u32::from(die.number());
        list.visit(Action::RerollDie { die })?;
    }
    list.visit(Action::KeepRoll)
}

/// Judges `reroll_die`.
pub fn check(state: &State, seat: Seat, die: u32) -> Result<Deed, No> {
    rolled_die(&state.players[seat], die, "KIN-6.33").map(Deed::Reroll)
}

/// Draws `reroll`: one die, once, with any result; or leaves the dice as they are.
pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    let event = match deed {
        Deed::Reroll(die) => {
            let [after] = play.chance.dice("reroll", Some(seat), DIE_FACES);
            let player = &mut play.state.players[seat];
            let before = player.dice.face(die);
            player.dice.show(die, after);
            player.reroll_used = true;
            Event::DieRerolled {
                seat,
                die,
                before,
                after,
            }
        }
        Deed::Keep => Event::RollKept { seat },
    };
    play.tell(event);
    let place = play.state.place_of(seat) + 1;
    play.state.stage = Stage::Reroll { place };
}

/// Sorts the players by the totals of their dice, lower ones first; equal ones keep their order.
///
/// # Rule KIN-6.35
pub fn enter_order(play: &mut Play<'_>) {
    let players = &play.state.players;
    let total = |seat: &Seat| players[*seat].dice.total();
    play.state.order.sort_by_key(total);
    let order = play.state.order.clone();
    let totals = order.iter().map(total).collect();
    play.tell(Event::OrderSet { order, totals });
    play.state.stage = Stage::SetAside { place: 0 };
}
