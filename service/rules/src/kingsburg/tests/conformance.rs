//! The lengths of random games of every number of players (KIN-11).

use gamekeeper_rules::conformance::{Audit, random_game};
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::EnvoyUse;
use gamekeeper_rules::kingsburg::event::Event;

/// All events of a random game.
fn events_of_a_game(seats: usize, seed: u64) -> Vec<Event> {
    let mut events = Vec::new();
    let options = Kingsburg::table(seats, seed);
    let played = random_game::<Kingsburg>(&options, seed, |now| {
        events.extend_from_slice(&now.events);
    });
    assert_eq!(played, Ok(()));
    events
}

/// KIN-INV-15, KIN-INV-17.
#[test]
fn a_game_has_fifteen_rolls_each_and_five_winters() {
    for seats in 2..=5 {
        for seed in 0..5 {
            let events = events_of_a_game(seats, seed);
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
