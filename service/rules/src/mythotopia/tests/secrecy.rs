//! The board of the view (MYT-13.1), compared with the table province by province.

use gamekeeper_rules::mythotopia::data::Province;
use gamekeeper_rules::mythotopia::state::State;
use gamekeeper_rules::mythotopia::view::Force;
use gamekeeper_rules::mythotopia::{Draft, Mythotopia};
use gamekeeper_rules::ruleset::{Ruleset, apply_in_place, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seed, Viewer};

/// The armies and mercenaries in a province, in seat order.
fn forces(state: &State, province: Province) -> Vec<Force> {
    let here = |seat| Force {
        seat,
        armies: state.players[seat].armies.at(province),
        mercenaries: state.players[seat].mercenaries.at(province),
    };
    let all = state.players.seats().map(here);
    all.filter(|force| force.armies + force.mercenaries > 0)
        .collect()
}

/// Compares the board of the view with the table; returns its number of forces.
fn compare(state: &State) -> usize {
    let view = Mythotopia::view(state, Viewer::Spectator);
    assert_eq!(view.provinces.len(), Province::ALL.len());
    let mut shown = 0;
    for (&province, seen) in Province::ALL.iter().zip(&view.provinces) {
        let controller = state.controller(province);
        let building = controller.and_then(|seat| state.players[seat].building(province));
        assert_eq!(seen.province, province);
        assert_eq!((seen.controller, seen.building), (controller, building));
        assert_eq!(seen.forces[..], forces(state, province));
        shown += seen.forces.len();
    }
    shown
}

#[test]
fn every_province_is_shown_as_it_is() {
    let mut shown = 0;
    for (seats, seed) in [(2, 1), (3, 2), (4, 3)] {
        let names: Vec<String> = (1..=seats).map(|seat| format!("Player {seat}")).collect();
        let options = Mythotopia::options(&names, &Draft::default()).unwrap();
        let mut game = create::<Mythotopia>(&options, Chance::from_seed(&Seed::from_number(seed)));
        for step in 0..400 {
            let Some(pending) = Mythotopia::pending(&game.state).first().copied() else {
                break;
            };
            let actions = legal_actions::<Mythotopia>(&game.state, pending.seat, Detail::Moves);
            let action = &actions[step * 7919 % actions.len()];
            apply_in_place::<Mythotopia>(&mut game.state, &mut game.chance, pending.seat, action)
                .unwrap();
            shown += compare(&game.state);
        }
    }
    assert!(shown > 1_000, "{shown} forces");
}
