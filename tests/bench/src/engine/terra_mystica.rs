//! Replays of complete games that people played.

use std::path::Path;

use gamekeeper_rules::ruleset::{Ruleset, apply_permitted};
use gamekeeper_rules::table::{Chance, Journal, Seat, Seed};
use gamekeeper_rules::terra_mystica::{Action, Options, TerraMystica};

use super::terra_actions::read;
use super::terra_game::Game;

/// A game that is ready to be replayed.
struct Ready {
    options: Options,
    moves: Vec<(Seat, Action)>,
}

/// Returns a function that replays one more game with each call.
pub(super) fn games() -> impl FnMut() -> usize {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../service/rules/tests/terra_mystica_games"
    );
    let ready: Vec<Ready> = std::fs::read_dir(Path::new(folder))
        .expect("the folder of recorded games")
        .map(|entry| load(&entry.expect("an entry").path()))
        .collect();
    let mut number = 0;
    move || {
        number += 1;
        play(&ready[number % ready.len()]);
        1
    }
}

fn load(path: &Path) -> Ready {
    let text = std::fs::read_to_string(path).expect("a readable game");
    let game: Game = serde_json::from_str(&text).expect("a game");
    let (players, draft) = game.draft().expect("a set-up");
    let options = TerraMystica::options(&players, &draft).expect("the options of a real game");
    let mut moves = Vec::new();
    // The rules carry out automatic actions by themselves.
    for one in game.moves.iter().filter(|one| !one.is_automatic()) {
        let seat = game.seat(&one.faction).expect("a faction of the game");
        for op in &one.ops {
            moves.push((seat, read(op).expect("an action")));
        }
    }
    Ready { options, moves }
}

fn play(game: &Ready) {
    // The options determine everything: nothing is drawn.
    let mut chance = Chance::from_seed(&Seed::from_number(0));
    let mut journal = Journal::new();
    let mut state = TerraMystica::setup(&game.options, &mut chance, &mut journal);
    for (seat, action) in &game.moves {
        let permit = TerraMystica::check(&state, *seat, action).expect("a legal action");
        journal.clear();
        apply_permitted::<TerraMystica>(&mut state, permit, &mut chance, &mut journal);
        drop(chance.take_record());
    }
    std::hint::black_box(state);
}
