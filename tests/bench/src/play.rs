//! Random games that are recorded in advance, so that choosing actions costs nothing during measurements.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use gamekeeper_rules::ruleset::{Ruleset, apply, apply_permitted, create, visit_legal};
use gamekeeper_rules::table::{Chance, Detail, Journal, Seat, Seed};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

/// Maximum number of legal actions to choose from.
const MAX_LISTED: usize = 500;

/// A recorded random game.
pub struct Recording<R: Ruleset> {
    /// The options of the game.
    pub options: R::Options,
    seed: u64,
    /// All actions of the game.
    pub moves: Vec<(Seat, R::Action)>,
}

/// Returns names for this number of players.
#[must_use]
pub fn names(seats: u8) -> Vec<String> {
    (1..=seats).map(|seat| format!("Player {seat}")).collect()
}

impl<R: Ruleset> Recording<R> {
    /// Plays a game with default options for up to four players, with at most this number of actions.
    ///
    /// # Panics
    /// If the rules refuse the default options or an action that they list.
    #[must_use]
    pub fn new(seed: u64, most: usize) -> Self {
        let names = names(R::INFO.max_seats.min(4));
        let options = R::options(&names, &R::Draft::default()).expect("the plain game");
        let mut game = create::<R>(&options, luck(seed));
        let mut rng = StdRng::seed_from_u64(seed);
        let mut moves = Vec::new();
        while moves.len() < most {
            let pending = R::pending(&game.state);
            let index = rng.random_range(0..pending.len().max(1));
            let Some(seat) = pending.get(index).map(|pending| pending.seat) else {
                break;
            };
            let action = choose::<R>(&game.state, seat, &mut rng);
            let action = action.expect("whoever owes a decision has an action");
            game = apply::<R>(&game.state, &game.chance, seat, &action).expect("a legal action");
            moves.push((seat, action));
        }
        Self {
            options,
            seed,
            moves,
        }
    }

    /// Returns the random source of the game at its beginning.
    #[must_use]
    pub fn luck(&self) -> Chance {
        luck(self.seed)
    }

    /// Plays the game on a single table, and returns the table.
    #[inline(never)]
    #[must_use]
    pub fn in_place(&self) -> R::State {
        let mut chance = self.luck();
        let mut journal = Journal::new();
        let mut state = R::setup(&self.options, &mut chance, &mut journal);
        for (seat, action) in &self.moves {
            if let Ok(permit) = R::check(&state, *seat, action) {
                journal.clear();
                apply_permitted::<R>(&mut state, permit, &mut chance, &mut journal);
                drop(chance.take_record());
            }
        }
        state
    }

    /// Plays the game as a server does, with each action on a copy of the table.
    #[inline(never)]
    pub fn on_copies(&self) {
        let mut game = create::<R>(&self.options, self.luck());
        for (seat, action) in &self.moves {
            if let Ok(next) = apply::<R>(&game.state, &game.chance, *seat, action) {
                game = next;
            }
        }
        std::hint::black_box(game);
    }
}

fn luck(seed: u64) -> Chance {
    Chance::from_seed(&Seed::from_number(seed))
}

/// Chooses a random kind of legal action, then a random action of this kind. A uniform choice of actions would rarely
/// buy anything and shuffle resources endlessly.
fn choose<R: Ruleset>(state: &R::State, seat: Seat, rng: &mut impl Rng) -> Option<R::Action> {
    let mut kinds: BTreeMap<&'static str, (u32, R::Action)> = BTreeMap::new();
    let mut listed = 0;
    let _end = visit_legal::<R>(state, seat, Detail::Moves, &mut |action| {
        let kind = R::kind(&action);
        let (count, chosen) = kinds.entry(kind).or_insert_with(|| (0, action.clone()));
        *count += 1;
        if rng.random_range(0..*count) == 0 {
            *chosen = action;
        }
        listed += 1;
        if listed < MAX_LISTED {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let index = rng.random_range(0..kinds.len().max(1));
    kinds.into_values().nth(index).map(|(_, action)| action)
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::kingsburg::Kingsburg;

    use super::*;

    #[test]
    fn a_recording_plays_alike_on_one_table_and_on_copies() {
        let recording = Recording::<Kingsburg>::new(1, 60);
        assert_eq!(recording.moves.len(), 60);
        let mut game = create::<Kingsburg>(&recording.options, recording.luck());
        for (seat, action) in &recording.moves {
            game = apply::<Kingsburg>(&game.state, &game.chance, *seat, action).unwrap();
        }
        assert_eq!(recording.in_place(), game.state);
    }
}
