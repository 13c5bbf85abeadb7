//! Actions that the conformance suite must try: few of the near misses that it makes are placements.

use crate::kingsburg::action::{Action, Influence, NamedDice, Payment};
use crate::kingsburg::data::{Building, DieId, Good};
use crate::kingsburg::state::State;
use crate::table::Seat;

/// Lists small actions, and placements around the totals of the seat's dice.
pub fn universe(state: &State, seat: Seat) -> Vec<Action> {
    let mut actions = vec![Action::KeepRoll];
    for good in Good::ALL.into_iter().map(Some).chain([None]) {
        actions.push(Action::ChooseAidGood { good });
        actions.push(Action::ChooseHelpGood { good });
        actions.push(Action::AlchemistExchange { give: good });
    }
    actions.extend((0..=5).map(|die| Action::SetAsideDie { die }));
    for building in Building::ALL.into_iter().map(Some).chain([None]) {
        actions.push(Action::Build { building });
        actions.push(Action::LoseBuilding { building });
    }
    actions.push(Action::RecruitSoldier(Payment::default()));
    if state.players.has(seat) {
        actions.extend(placements(state, seat).map(Action::Influence));
    }
    actions
}

/// Every set of dice with tokens and offsets around the allowed ones, at the advisor of the total
/// and the next one; and sets of dice that no player can have.
fn placements(state: &State, seat: Seat) -> impl Iterator<Item = Influence> {
    let player = &state.players[seat];
    let dice = player.dice;
    let sets = DieId::sets().map(move |set| (NamedDice::from(set), i32::from(dice.sum(set))));
    let strange = [vec![0, 0], vec![0, 5], vec![0, 1, u32::MAX]];
    let strange = strange.map(|numbers| (NamedDice::from_numbers(numbers), 6));
    let most = u32::from(player.plus2.min(4)) + 1;
    sets.chain(strange).flat_map(move |(dice, sum)| {
        let tokens = (0..=most).chain([u32::MAX]);
        tokens.flat_map(move |plus2| {
            let bonus = i32::try_from(plus2.min(100) * 2).unwrap_or(0);
            (-2..=2).flat_map(move |market_offset| {
                let total = sum + bonus + market_offset;
                [(total, false), (total, true), (total + 1, false)].map(|(advisor, use_envoy)| {
                    Influence {
                        advisor,
                        dice,
                        plus2,
                        market_offset,
                        use_envoy,
                    }
                })
            })
        })
    })
}
