//! The invariants of every state (KIN-11). Types guarantee that counts are never negative.

use crate::kingsburg::Kingsburg;
use crate::kingsburg::data::{Advisor, Building, COLUMNS, DiceSet, DieId, PLUS2_VALUE, Phase};
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Envoy, State};
use crate::ruleset::legal_actions;
use crate::table::{Detail, Fault, Seat};

/// The invariants of one table, in the order of the rule document.
pub fn of_state(state: &State) -> Result<(), Fault> {
    rows_fit(state)?;
    order_is_a_permutation(state)?;
    dice_are_in_one_place(state)?;
    court_is_in_order(state)?;
    groups_add_up(state)?;
    dice_are_counted(state)?;
    aid_and_envoy_have_their_time(state)?;
    soldiers_have_their_time(state)?;
    somebody_has_a_choice(state)?;
    deck_is_in_order(state)
}

/// # Rule KIN-INV-2
fn rows_fit(state: &State) -> Result<(), Fault> {
    let fits = |row: &u8| usize::from(*row) <= COLUMNS;
    let all = state
        .players
        .iter()
        .all(|player| player.province.rows.iter().all(fits));
    Fault::unless(all, "KIN-INV-2", || String::from("a row is too long"))
}

/// # Rule KIN-INV-3
fn order_is_a_permutation(state: &State) -> Result<(), Fault> {
    let mut seats = state.order.to_vec();
    seats.sort_unstable();
    let all: Vec<Seat> = state.players.seats().collect();
    Fault::unless(seats == all, "KIN-INV-3", || format!("{:?}", state.order))
}

/// Dice and groups are on the table only from the roll to the end of HELP; then every die is in
/// exactly one place.
///
/// # Rule KIN-INV-4
fn dice_are_in_one_place(state: &State) -> Result<(), Fault> {
    let rolled = matches!(
        state.stage,
        Stage::Reroll { .. }
            | Stage::Order
            | Stage::SetAside { .. }
            | Stage::Influence { .. }
            | Stage::Help { .. }
    );
    for (seat, player) in state.players.entries() {
        let groups = state.groups.iter().filter(|group| group.owner == seat);
        let placed = groups
            .clone()
            .fold(DiceSet::empty(), |all, group| all | group.dice);
        let count: usize = groups.map(|group| group.dice.len()).sum();
        let dice = player.dice;
        let fits = placed == dice.placed
            && placed.len() == count
            && placed.is_disjoint(dice.set_aside)
            && (placed | dice.set_aside).is_subset(dice.rolled())
            && dice.rolled().is_empty() != rolled;
        Fault::unless(fits, "KIN-INV-4", || format!("{seat}: {dice:?}"))?;
    }
    let empty = state.groups.is_empty() && state.neutral.is_empty();
    Fault::unless(rolled || empty, "KIN-INV-4", || {
        String::from("dice are left on the court")
    })
}

/// # Rule KIN-INV-5
fn court_is_in_order(state: &State) -> Result<(), Fault> {
    for advisor in Advisor::ALL {
        let neutral = state
            .neutral
            .iter()
            .filter(|group| group.advisor == advisor);
        let players = state.groups.iter().filter(|group| group.advisor == advisor);
        let envoys = players.clone().filter(|group| group.via_envoy).count();
        let fits = match neutral.count() + players.count() {
            0 | 1 => envoys == 0,
            2 => envoys == 1,
            _ => false,
        };
        Fault::unless(fits, "KIN-INV-5", || {
            format!("too many at the {}", advisor.name())
        })?;
    }
    let envoys = state.groups.iter().filter(|group| group.via_envoy).count();
    let fits = envoys == 0 || envoys == 1 && state.phase == Phase::Autumn;
    Fault::unless(fits, "KIN-INV-5", || {
        format!("{envoys} groups by the envoy")
    })
}

/// # Rule KIN-INV-6
fn groups_add_up(state: &State) -> Result<(), Fault> {
    for group in &state.groups {
        let sum = state.players[group.owner].dice.sum(group.dice);
        let total = i16::from(sum + PLUS2_VALUE * group.plus2) + i16::from(group.market_offset);
        let fits = !group.dice.is_disjoint(DieId::OWN)
            && usize::from(group.plus2) <= group.dice.len()
            && total == i16::from(group.advisor.number());
        Fault::unless(fits, "KIN-INV-6", || format!("{group:?}"))?;
    }
    for seat in state.players.seats() {
        let offsets = state.groups.iter();
        let offsets = offsets.filter(|group| group.owner == seat && group.market_offset != 0);
        Fault::unless(offsets.count() <= 1, "KIN-INV-6", || {
            format!("{seat} uses the Market twice")
        })?;
    }
    Ok(())
}

/// Between the roll and the end of HELP nothing is built, so the number of Farms is that of the roll.
///
/// # Rule KIN-INV-7
fn dice_are_counted(state: &State) -> Result<(), Fault> {
    for (seat, player) in state.players.entries() {
        let rolled = player.dice.rolled();
        let aid = state.aid_die == Some(seat) && state.phase == Phase::Spring;
        let expected = DieId::ALL.into_iter().filter(|die| match die {
            DieId::Own0 | DieId::Own1 | DieId::Own2 => true,
            DieId::KingsAid => aid,
            DieId::Farms => player.has(Building::Farms),
        });
        let fits = rolled.is_empty() || rolled == expected.collect::<DiceSet>();
        Fault::unless(fits, "KIN-INV-7", || format!("{seat} rolled {rolled:?}"))?;
    }
    Ok(())
}

/// # Rule KIN-INV-8
fn aid_and_envoy_have_their_time(state: &State) -> Result<(), Fault> {
    let aid = state.aid_die.is_none() || matches!(state.phase, Phase::KingsAid | Phase::Spring);
    let envoy =
        state.envoy == Envoy::OnBoard || matches!(state.phase, Phase::KingsEnvoy | Phase::Autumn);
    Fault::unless(aid && envoy, "KIN-INV-8", || {
        format!("{:?}: {:?}, {:?}", state.phase, state.aid_die, state.envoy)
    })
}

/// # Rule KIN-INV-11
fn soldiers_have_their_time(state: &State) -> Result<(), Fault> {
    let home = state.phase == Phase::KingsAid || state.stage == Stage::Over;
    let none = state.players.iter().all(|player| player.soldiers == 0);
    Fault::unless(none || !home, "KIN-INV-11", || {
        String::from("soldiers are left")
    })
}

/// # Rule KIN-INV-12
fn somebody_has_a_choice(state: &State) -> Result<(), Fault> {
    let Some((seat, decision)) = state.pending() else {
        return Fault::unless(state.stage == Stage::Over, "KIN-INV-12", || {
            format!("nobody is asked at {:?}", state.stage)
        });
    };
    let actions = legal_actions::<Kingsburg>(state, seat, Detail::Moves).len();
    Fault::unless(actions >= 2, "KIN-INV-12", || {
        format!("{seat} has {actions} legal actions for {}", decision.id())
    })
}

/// # Rule KIN-INV-14
fn deck_is_in_order(state: &State) -> Result<(), Fault> {
    let years = state.deck.iter().map(|enemy| enemy.card().year);
    Fault::unless(years.eq(1..=5), "KIN-INV-14", || {
        format!("{:?}", state.deck)
    })
}
