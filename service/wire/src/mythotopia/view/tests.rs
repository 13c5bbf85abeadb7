use gamekeeper_rules::mythotopia::{Draft, Mythotopia};
use gamekeeper_rules::ruleset::{Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed, Viewer};

use super::*;

/// Plays at random for a while and shows every table to a viewer.
fn played(viewer: Viewer, mut look: impl FnMut(&View, &pb::View)) {
    let players = ["Ann", "Bob", "Cid"].map(String::from);
    let options = Mythotopia::options(&players, &Draft::default()).unwrap();
    let mut now = create::<Mythotopia>(&options, Chance::from_seed(&Seed::from_number(3)));
    for step in 0..300 {
        let view = Mythotopia::view(&now.state, viewer);
        look(&view, &message(&view));
        let pending = Mythotopia::pending(&now.state)[0];
        let legal = legal_actions::<Mythotopia>(&now.state, pending.seat, Detail::Moves);
        // The first moves of the list are the warlike ones.
        let action = &legal[step % legal.len().min(7)];
        now = apply::<Mythotopia>(&now.state, &now.chance, pending.seat, action).unwrap();
    }
}

#[test]
fn views_say_on_the_wire_what_they_say() {
    let mut wars = 0;
    played(Viewer::Seat(Seat::at(1)), |view, message| {
        assert_eq!(message.phase, view.phase.number());
        assert_eq!(message.provinces.len(), 40);
        for (shown, province) in message.provinces.iter().zip(&view.provinces) {
            assert_eq!(shown.controller, province.controller.map(seat_number));
            assert_eq!(shown.forces.len(), province.forces.len());
        }
        wars += message.wars.len();
        for (place, player) in message.players.iter().enumerate() {
            let own = place == 1;
            assert_eq!(player.hand.is_some(), own);
            assert_eq!(player.deck.is_some(), own);
            if let Some(hand) = &player.hand {
                assert_eq!(hand.cards.len(), player.hand_count as usize);
            }
            assert_eq!(player.points, u32::from(view.players[place].points));
        }
        assert_eq!(message.turn.is_some(), view.turn.is_some());
    });
    assert!(wars > 0);
}

#[test]
fn the_operator_sees_all_hands_and_a_spectator_none() {
    played(Viewer::Operator, |_, message| {
        assert!(message.players.iter().all(|player| player.hand.is_some()));
    });
    played(Viewer::Spectator, |_, message| {
        assert!(message.players.iter().all(|player| player.hand.is_none()));
    });
}
