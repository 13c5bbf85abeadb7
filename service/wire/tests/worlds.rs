//! Sampled worlds as messages: the view of the seat has the same bytes as at the real table.

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{apply_in_place, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed, Viewer};
use gamekeeper_wire::Wire;
use prost::Message;

/// The number of actions that are played.
const ACTIONS: usize = 300;

/// Plays a random game and checks that after each action every seat's world gives the seat the same message.
fn views_have_the_same_bytes<W: Wire + Audit>() {
    let seats = usize::from(W::INFO.max_seats);
    let mut player = Chance::from_seed(&Seed::from_number(7));
    let luck = Chance::from_seed(&Seed::from_number(8));
    let mut game = create::<W>(&W::table(seats, 9), luck);
    let mut compared = 0;
    for _ in 0..ACTIONS {
        for seat in Seat::all(seats) {
            let world = W::sample_world(&game.state, seat, &mut player);
            let bytes = |state: &W::State| {
                let view = W::view(state, Viewer::Seat(seat));
                W::view_message(&view).encode_to_vec()
            };
            assert_eq!(bytes(&world), bytes(&game.state), "{seat}");
            compared += 1;
        }
        let Some(pending) = W::pending(&game.state).first().copied() else {
            break;
        };
        let legal = legal_actions::<W>(&game.state, pending.seat, Detail::Moves);
        let choice = W::choose(&game.state, pending.seat, &legal, &mut player);
        let chance = &mut game.chance;
        let played = apply_in_place::<W>(&mut game.state, chance, pending.seat, &legal[choice]);
        assert!(played.is_ok(), "what is listed is accepted");
    }
    assert!(compared > 100, "{compared} views of {}", W::INFO.id);
}

macro_rules! tests {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(
            #[test]
            fn $module() {
                views_have_the_same_bytes::<gamekeeper_rules::$module::$Ruleset>();
            }
        )*
    };
}

gamekeeper_wire::for_each_ruleset!(tests);
