//! Sampled worlds: a seat cannot tell them from the real table, and they can be played.

use super::audit::Audit;
use crate::ruleset::{apply_in_place, legal_actions};
use crate::table::{Chance, Detail, Fault, PerSeat, Seat, Seed, Viewer, encode};

/// Checks that the world of each seat looks the same to it as the table, is a legal table, and does not depend on
/// anything that the seat cannot know.
pub(super) fn worlds_look_the_same<R: Audit>(
    state: &R::State,
    seats: usize,
    chance: &mut Chance,
) -> Result<(), Fault> {
    let everything = R::view(state, Viewer::Operator);
    unless(
        R::HAS_HIDDEN_INFORMATION || everything == R::view(state, Viewer::Spectator),
        || String::from("something is hidden"),
    )?;
    for seat in Seat::all(seats) {
        let (viewer, seed) = (Viewer::Seat(seat), seed(chance));
        let world = sampled::<R>(state, seat, &seed)?;
        let knows_all = everything == R::view(state, viewer) && encode(&world) == encode(state);
        unless(R::HAS_HIDDEN_INFORMATION || knows_all, || {
            format!("something is hidden from {seat}")
        })?;
        R::invariants(&world)?;
        let same = R::view(state, viewer) == R::view(&world, viewer)
            && R::pending(state) == R::pending(&world);
        unless(same, || format!("{seat} can tell a world from the table"))?;
        unless(
            tallies::<R>(state, viewer, seats) == tallies::<R>(&world, viewer, seats),
            || format!("a world of {seat} forgets what they know"),
        )?;
        // The tests run on a twin table, and on the world itself, in which everything is drawn anew.
        let twin = R::scramble(state, viewer, chance);
        for other in [&twin, &world] {
            unless(
                tallies::<R>(state, viewer, seats) == tallies::<R>(other, viewer, seats),
                || format!("a tally tells {seat} what they cannot know"),
            )?;
            let same = encode(&sampled::<R>(other, seat, &seed)?) == encode(&world);
            unless(same, || {
                format!("a world of {seat} depends on what they cannot know")
            })?;
        }
    }
    Ok(())
}

/// Checks that each seat has the same legal actions in its own world.
pub(super) fn worlds_go_on<R: Audit>(
    state: &R::State,
    tried: &PerSeat<Vec<R::Action>>,
    chance: &mut Chance,
) -> Result<(), Fault> {
    for (seat, tried) in tried.entries() {
        let world = sampled::<R>(state, seat, &seed(chance))?;
        let list = |state| legal_actions::<R>(state, seat, Detail::Moves);
        unless(list(state) == list(&world), || {
            format!("{seat} has other actions in a world")
        })?;
        let ok = |state, action| R::check(state, seat, action).is_ok();
        let differs = tried.iter().find(|a| ok(state, a) != ok(&world, a));
        unless(differs.is_none(), || format!("{seat}: {differs:?}"))?;
    }
    Ok(())
}

/// Plays on in a world at random, for at most this many actions. Returns whether the game ended.
pub(super) fn play_on<R: Audit>(
    state: &R::State,
    seat: Seat,
    max_actions: u64,
    player: &mut Chance,
) -> Result<bool, Fault> {
    let mut luck = Chance::from_seed(&seed(player));
    let mut world = sampled::<R>(state, seat, &seed(player))?;
    for _ in 0..max_actions {
        let pending = R::pending(&world);
        let Some(seat) = pending.first().map(|pending| pending.seat) else {
            return Ok(true);
        };
        let legal = legal_actions::<R>(&world, seat, Detail::Moves);
        unless(!legal.is_empty(), || {
            format!("{seat} cannot go on in a world")
        })?;
        let choice = R::choose(&world, seat, &legal, player);
        let played = apply_in_place::<R>(&mut world, &mut luck, seat, &legal[choice]);
        unless(played.is_ok(), || format!("{seat}: {:?}", legal[choice]))?;
        R::invariants(&world)?;
        drop((luck.take_record(), player.take_record()));
    }
    Ok(R::pending(&world).is_empty())
}

/// Collects the facts that a viewer knows beside the view, of all seats.
fn tallies<R: Audit>(state: &R::State, viewer: Viewer, seats: usize) -> Vec<(Seat, usize, u16)> {
    let mut all = Vec::new();
    for seat in Seat::all(seats) {
        R::count_tracked(state, viewer, seat, &mut |index, count| {
            all.push((seat, index, count));
        });
    }
    all
}

/// Samples a world of this seat; the stream must keep no record of it.
fn sampled<R: Audit>(state: &R::State, seat: Seat, seed: &Seed) -> Result<R::State, Fault> {
    let mut chance = Chance::from_seed(seed);
    let world = R::sample_world(state, seat, &mut chance);
    unless(chance.take_record().is_empty(), || {
        String::from("a world leaves a record of its draws")
    })?;
    Ok(world)
}

fn seed(chance: &mut Chance) -> Seed {
    Seed::new(chance.dice("worlds", None, u8::MAX))
}

fn unless(holds: bool, text: impl FnOnce() -> String) -> Result<(), Fault> {
    Fault::unless(holds, "worlds", text)
}
