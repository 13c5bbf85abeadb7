//! Amounts over a period: what comes of an action in every world, whatever others do, is its price.

use super::audit::Audit;
use crate::ruleset::{Applied, CostPreview, apply, holdings, legal_actions};
use crate::table::{Chance, Detail, Fault, Seat, Seed};

/// The number of worlds that must agree before a change counts as sure.
const WORLDS: usize = 100;

/// The number of other actions that are tried to find out whether a change comes anyway.
const OTHERS: usize = 8;

/// The number of worlds in which each of these is played.
const WORLDS_OF_OTHERS: usize = 20;

/// The most actions from an action to the end of its period.
const MAX_ACTIONS: usize = 200;

/// Checks that no price is missing anything, and that none says too much: plays on after the action at random, in worlds
/// of the seat dealt anew, up to the end of the period. Nothing may change in all of them for the seat that the prices
/// of its actions do not say, unless it comes anyway: also after most other actions.
pub(super) fn prices_are_whole<R: Audit>(
    state: &R::State,
    (seat, action): (Seat, &R::Action),
    chance: &mut Chance,
) -> Result<(), Fault> {
    let sure = sure_changes::<R>(state, seat, action, WORLDS, chance)?;
    for (at, resource) in R::RESOURCES.iter().enumerate() {
        let change = sure[at];
        if change != 0 && !comes_anyway::<R>(state, (seat, action), (at, change), chance)? {
            let again = unsaid::<R>(state, seat, action, chance)?;
            return Err(Fault {
                rule: "prices",
                text: format!(
                    "{seat}: {action:?} does not say that {change} of {} comes for sure, such as by {:?}",
                    resource.id, again.causes
                ),
            });
        }
    }
    Ok(())
}

/// Returns whether the change of the resource also comes after most other actions of the seat.
fn comes_anyway<R: Audit>(
    state: &R::State,
    (seat, action): (Seat, &R::Action),
    (at, change): (usize, i32),
    chance: &mut Chance,
) -> Result<bool, Fault> {
    let mut others = legal_actions::<R>(state, seat, Detail::Moves);
    others.retain(|other| other != action);
    let every = others.len().div_ceil(OTHERS).max(1);
    let others: Vec<R::Action> = others.into_iter().step_by(every).collect();
    let mut coming = 0;
    for other in &others {
        let sure = sure_changes::<R>(state, seat, other, WORLDS_OF_OTHERS, chance)?;
        coming += usize::from(sure[at] == change);
    }
    Ok(coming * 2 >= others.len())
}

/// Returns by how much more each resource rises, up to the end of the period, than the prices say: 0 if it is not the
/// same in this number of worlds.
fn sure_changes<R: Audit>(
    state: &R::State,
    seat: Seat,
    action: &R::Action,
    worlds: usize,
    chance: &mut Chance,
) -> Result<Vec<i32>, Fault> {
    let mut sure = unsaid::<R>(state, seat, action, chance)?.changes;
    for _ in 1..worlds {
        if sure.iter().all(|change| *change == 0) {
            break;
        }
        let other = unsaid::<R>(state, seat, action, chance)?.changes;
        for (change, other) in sure.iter_mut().zip(other) {
            *change = if *change == other { other } else { 0 };
        }
    }
    Ok(sure)
}

/// The changes of a period that no price says.
struct Unsaid {
    /// By how much more each resource of the seat rises than the prices of its actions say.
    changes: Vec<i32>,
    /// The actions with such changes.
    causes: Vec<String>,
}

/// Plays on after the action in a world of the seat. Returns by how much more each resource of the seat rises, up to the
/// end of the period, than the prices of its actions say. Ends before the seat is forced to an action, which has a price
/// of its own, and before the end of the game, which counts points that come anyway.
fn unsaid<R: Audit>(
    state: &R::State,
    seat: Seat,
    action: &R::Action,
    chance: &mut Chance,
) -> Result<Unsaid, Fault> {
    let (world, luck) = (seed(chance), seed(chance));
    let mut luck = Chance::from_seed(&luck);
    let mut world = R::sample_world(state, seat, &mut Chance::from_seed(&world));
    let mut next = (seat, action.clone());
    let mut unsaid = Unsaid {
        changes: vec![0; R::RESOURCES.len()],
        causes: Vec::new(),
    };
    for _ in 0..MAX_ACTIONS {
        let after = apply::<R>(&world, &luck, next.0, &next.1);
        let after = after.map_err(|refused| Fault {
            rule: "prices",
            text: refused.to_string(),
        })?;
        let is_forced = after.automatic.iter().any(|forced| forced.seat == seat);
        if is_forced || R::pending(&after.state).is_empty() {
            break;
        }
        let ends = after.events.iter().any(R::ends_period);
        let changes = changes::<R>((&world, &after), seat, &next);
        for (at, (resource, change)) in R::RESOURCES.iter().zip(changes).enumerate() {
            let counts = resource.stays() && !(ends && R::RENEWED.contains(&resource.id));
            if counts && change != 0 {
                unsaid.changes[at] += change;
                let (actor, action) = &next;
                let cause = format!("{actor} {action:?}: {change} of {}", resource.id);
                unsaid.causes.push(cause);
            }
        }
        if ends {
            break;
        }
        (world, luck) = (after.state, after.chance);
        next = choose::<R>(&world, chance);
    }
    Ok(unsaid)
}

/// Returns by how much more each resource of the seat rises than the price says, if the action is its own.
fn changes<R: Audit>(
    (before, after): (&R::State, &Applied<R>),
    seat: Seat,
    (actor, action): &(Seat, R::Action),
) -> Vec<i32> {
    let price = (*actor == seat).then(|| {
        let luck = Chance::from_seed(&Seed::from_number(0));
        CostPreview::<R>::of_world(before.clone(), seat, luck).price(action)
    });
    let [had, has] = [before, &after.state].map(|state| holdings::<R>(state, seat));
    let change = |(at, resource)| {
        let said = price.as_ref().map_or(0, |price| price.net_change(resource));
        has.total(at) - had.total(at) - said
    };
    R::RESOURCES.iter().enumerate().map(change).collect()
}

fn choose<R: Audit>(world: &R::State, chance: &mut Chance) -> (Seat, R::Action) {
    let pending = R::pending(world);
    let seats: Vec<Seat> = pending.iter().map(|pending| pending.seat).collect();
    let seat = chance.pick("seat", None, &seats).unwrap_or(Seat::FIRST);
    let legal = legal_actions::<R>(world, seat, Detail::Moves);
    let choice = R::choose(world, seat, &legal, chance);
    drop(chance.take_record());
    (seat, legal[choice].clone())
}

fn seed(chance: &mut Chance) -> Seed {
    let seed = Seed::new(chance.dice("worlds", None, u8::MAX));
    drop(chance.take_record());
    seed
}
