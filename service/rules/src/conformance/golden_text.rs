//! A whole game as a story: the text of every action and event, for proofreading.

use std::fmt::Write;

use super::audit::Audit;
use super::random_game::{RandomGame, players};
use crate::ruleset::{Applied, render_event};
use crate::table::{Names, TextContext, Viewer};

/// Plays the game of this seed with the ruleset's own random policy and tells it as the operator sees it: each action
/// in the words of its player, then the sentences of its events.
///
/// # Errors
/// The refusal of a listed action, as text.
pub fn golden_text<R: Audit>(seats: usize, seed: u64) -> Result<String, String> {
    let mut walk = RandomGame::<R>::start(&R::table(seats, seed), seed);
    let mut teller = Teller {
        players: &players(seats),
        scene: TextContext::default(),
        text: String::new(),
    };
    teller.go_on::<R>("The game begins", &walk.now)?;
    while let Some(decision) = walk.next_decision().map_err(|fault| fault.to_string())? {
        let names = Names::new(teller.players);
        let view = R::view(&walk.now.state, Viewer::Seat(decision.pending.seat));
        let action_text = R::action_text(&view, &decision.action, names);
        let heading = format!("{}: {action_text}", names.who(decision.pending.seat));
        walk.take_action(&decision)
            .map_err(|fault| fault.to_string())?;
        teller.go_on::<R>(&heading, &walk.now)?;
    }
    if let Some(ranking) = R::ranking(&walk.now.state) {
        teller.text += &ranking.outcome(Names::new(teller.players), R::INFO.unit);
        teller.text += "\n";
    }
    Ok(teller.text)
}

struct Teller<'a> {
    players: &'a [String],
    scene: TextContext,
    text: String,
}

impl Teller<'_> {
    fn go_on<R: Audit>(&mut self, heading: &str, now: &Applied<R>) -> Result<(), String> {
        writeln!(self.text, "{heading}").map_err(|error| error.to_string())?;
        for (event, is_forced) in now.events_with_forced() {
            let sentence = render_event::<R>(event, is_forced, self.players, &mut self.scene);
            writeln!(self.text, "    {sentence}").map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
