//! The lengths of random games of every number of players (KIN-11).

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::EnvoyUse;
use gamekeeper_rules::kingsburg::event::Event;
use gamekeeper_rules::ruleset::{Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seed};

/// All events of a random game.
fn random_game(seats: usize, seed: u64) -> Vec<Event> {
    let luck = Chance::from_seed(&Seed::from_number(seed));
    let mut player = Chance::from_seed(&Seed::from_number(!seed));
    let mut game = create::<Kingsburg>(&Kingsburg::table(seats, seed), luck);
    let mut events = game.events.clone();
    while let Some(pending) = Kingsburg::pending(&game.state).first().copied() {
        let legal = legal_actions::<Kingsburg>(&game.state, pending.seat, Detail::Moves);
        let choice = Kingsburg::choose(&game.state, pending.seat, &legal, &mut player);
        game = apply::<Kingsburg>(&game.state, &game.chance, pending.seat, &legal[choice]).unwrap();
        events.extend(game.events.iter().cloned());
    }
    events
}

/// KIN-INV-15, KIN-INV-17.
#[test]
fn a_game_has_fifteen_rolls_each_and_five_winters() {
    for seats in 2..=5 {
        for seed in 0..5 {
            let events = random_game(seats, seed);
            let count =
                |wanted: &dyn Fn(&Event) -> bool| events.iter().filter(|e| wanted(e)).count();
            for by in gamekeeper_rules::table::Seat::all(seats) {
                let rolls =
                    |event: &Event| matches!(event, Event::DiceRolled { seat, .. } if *seat == by);
                assert_eq!(count(&rolls), 15);
                let builds =
                    |event: &Event| matches!(event, Event::Built { seat, .. } if *seat == by);
                let seconds = |event: &Event| {
                    matches!(
                        event,
                        Event::EnvoyDeclared { seat, purpose: EnvoyUse::SecondBuilding } if *seat == by
                    )
                };
                assert!(count(&builds) <= 15 + count(&seconds));
            }
            assert_eq!(
                count(&|event| matches!(event, Event::KingDieRolled { .. })),
                5
            );
        }
    }
}
