//! A whole game as a story: the text of every action and event, for proofreading.

use std::fmt::Write;

use super::audit::Audit;
use crate::ruleset::{Applied, apply, create, legal_actions, tell};
use crate::table::{Chance, Detail, Names, Scene, Seed, Viewer};

const PLAYERS: [&str; 5] = ["Ann", "Ben", "Cleo", "Dan", "Eve"];

/// Plays the game of this seed with the ruleset's own random policy and tells it as the operator sees
/// it: each action in the words of its player, then the sentences of its events.
///
/// # Errors
/// The refusal of a listed action, as text.
pub fn story<R: Audit>(seats: usize, seed: u64) -> Result<String, String> {
    let options = R::table(seats, seed);
    let players = PLAYERS.map(String::from);
    let mut player = Chance::from_seed(&Seed::from_number(seed ^ (1 << 63)));
    let mut now = create::<R>(&options, Chance::from_seed(&Seed::from_number(seed)));
    let mut teller = Teller {
        players: &players[..seats],
        scene: Scene::default(),
        text: String::new(),
    };
    teller.go_on::<R>("The game begins", &now)?;
    while let Some(pending) = R::pending(&now.state).first().copied() {
        let legal = legal_actions::<R>(&now.state, pending.seat, Detail::Moves);
        let choice = R::choose(&now.state, pending.seat, &legal, &mut player);
        let action = legal.get(choice).ok_or("no legal action")?;
        let names = Names::new(teller.players);
        let view = R::view(&now.state, Viewer::Seat(pending.seat));
        let said = R::action_text(&view, action, names);
        let heading = format!("{}: {said}", names.who(pending.seat));
        now = apply::<R>(&now.state, &now.chance, pending.seat, action)
            .map_err(|refusal| refusal.to_string())?;
        teller.go_on::<R>(&heading, &now)?;
    }
    if let Some(ranking) = R::ranking(&now.state) {
        teller.text += &ranking.outcome(Names::new(teller.players), R::SHEET.unit);
        teller.text += "\n";
    }
    Ok(teller.text)
}

struct Teller<'a> {
    players: &'a [String],
    scene: Scene,
    text: String,
}

impl Teller<'_> {
    fn go_on<R: Audit>(&mut self, heading: &str, now: &Applied<R>) -> Result<(), String> {
        writeln!(self.text, "{heading}").map_err(|error| error.to_string())?;
        for (event, is_forced) in now.told() {
            let sentence = tell::<R>(event, is_forced, self.players, &mut self.scene);
            writeln!(self.text, "    {sentence}").map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
