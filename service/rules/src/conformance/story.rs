//! A whole game as a story: the text of every action and event, for proofreading.

use std::fmt::Write;

use super::audit::Audit;
use super::walk::{Walk, players};
use crate::ruleset::{Applied, tell};
use crate::table::{Names, Scene, Viewer};

/// Plays the game of this seed with the ruleset's own random policy and tells it as the operator sees it: each action
/// in the words of its player, then the sentences of its events.
///
/// # Errors
/// The refusal of a listed action, as text.
pub fn story<R: Audit>(seats: usize, seed: u64) -> Result<String, String> {
    let mut walk = Walk::<R>::start(&R::table(seats, seed), seed);
    let mut teller = Teller {
        players: &players(seats),
        scene: Scene::default(),
        text: String::new(),
    };
    teller.go_on::<R>("The game begins", &walk.now)?;
    while let Some(asked) = walk.asked().map_err(|fault| fault.to_string())? {
        let names = Names::new(teller.players);
        let view = R::view(&walk.now.state, Viewer::Seat(asked.owed.seat));
        let said = R::action_text(&view, &asked.action, names);
        let heading = format!("{}: {said}", names.who(asked.owed.seat));
        walk.go_on(&asked).map_err(|fault| fault.to_string())?;
        teller.go_on::<R>(&heading, &walk.now)?;
    }
    if let Some(ranking) = R::ranking(&walk.now.state) {
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
