//! Prices of actions: equal to the real changes when the action is played, and the same in every world that the seat
//! may be in.

use super::audit::Audit;
use crate::ruleset::{Applied, CostPreview, holdings};
use crate::table::{Chance, ExecContext, Fault, Journal, Price, Seat, Seed, Viewer};

/// Checks that the price of an action depends neither on anything that the seat cannot know nor on luck. If nothing is
/// drawn and nothing but the answer itself happens, also checks that the action changes the holdings of the seat by
/// exactly its price. Returns whether that second check was made.
pub(super) fn prices_hold<R: Audit>(
    before: &Applied<R>,
    after: &Applied<R>,
    (seat, action): (Seat, &R::Action),
    chance: &mut Chance,
) -> Result<bool, Fault> {
    let price = CostPreview::<R>::new(&before.state, seat).price(action);
    let twin = R::scramble(&before.state, Viewer::Seat(seat), chance);
    let world = R::sample_world(&before.state, seat, chance);
    for table in [before.state.clone(), twin, world] {
        let luck = luck(chance);
        let there = CostPreview::<R>::of_world(table, seat, luck).price(action);
        unless(price == there, || {
            format!("{seat} learns from the price of {action:?}: {price:?} or {there:?}")
        })?;
    }
    let twice = price.stands_twice();
    unless(twice.is_none(), || {
        format!("{seat}: {action:?} both takes and gives {twice:?}")
    })?;
    let exact = after.draws.is_empty() && is_all::<R>(before, after, seat, action);
    if exact {
        changes_what_it_says::<R>(before, after, seat, &price)?;
    }
    Ok(exact)
}

/// Returns whether nothing happened beyond the answer to the decision.
fn is_all<R: Audit>(
    before: &Applied<R>,
    after: &Applied<R>,
    seat: Seat,
    action: &R::Action,
) -> bool {
    let Ok(permit) = R::check(&before.state, seat, action) else {
        return false;
    };
    let (mut state, mut chance) = (before.state.clone(), before.chance.clone());
    let mut journal = Journal::new();
    let mut ctx = ExecContext {
        state: &mut state,
        chance: &mut chance,
        journal: &mut journal,
    };
    R::execute_immediate(&mut ctx, permit);
    // No event of the rules reports the end of the game.
    journal.events == after.events && !R::pending(&after.state).is_empty()
}

fn changes_what_it_says<R: Audit>(
    before: &Applied<R>,
    after: &Applied<R>,
    seat: Seat,
    price: &Price,
) -> Result<(), Fault> {
    let [had, has] = [before, after].map(|table| holdings::<R>(&table.state, seat));
    for (at, resource) in R::RESOURCES.iter().enumerate() {
        let (rise, stated) = (has.total(at) - had.total(at), price.net_change(resource));
        unless(rise == stated, || {
            format!("{seat}: {} changes by {rise}, not {stated}", resource.id)
        })?;
    }
    Ok(())
}

fn luck(chance: &mut Chance) -> Chance {
    let number = chance.pick("luck", None, &[1_u16, 2, 3, 5, 7]);
    drop(chance.take_record());
    Chance::from_seed(&Seed::from_number(number.map_or(0, u64::from)))
}

fn unless(holds: bool, text: impl FnOnce() -> String) -> Result<(), Fault> {
    Fault::unless(holds, "prices", text)
}
