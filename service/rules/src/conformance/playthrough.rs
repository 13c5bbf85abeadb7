//! A whole game as readable text (a **golden file**): a changed rule shows as a changed line.

use std::fmt::Write;

use super::audit::Audit;
use super::random_game::RandomGame;
use crate::ruleset::{Applied, render_event};
use crate::table::{Draw, TextContext, fingerprint};

/// Plays the game of this seed with the ruleset's own random policy and writes it down.
///
/// # Errors
/// The refusal of a listed action, as text.
pub fn playthrough<R: Audit>(options: &R::Options, seed: u64) -> Result<String, String> {
    let mut text = format!("{} {options:?}, seed {seed}\n", R::INFO.id);
    let (mut walk, mut scene) = (
        RandomGame::<R>::start(options, seed),
        TextContext::default(),
    );
    let mut line = String::from("set-up");
    loop {
        let version = walk.actions + 1;
        write_version::<R>(&mut text, (version, &line), &walk.now, &mut scene)
            .map_err(|error| error.to_string())?;
        let Some(decision) = walk.next_decision().map_err(|fault| fault.to_string())? else {
            break;
        };
        let (pending, of) = (decision.pending, decision.legal.len());
        line = format!(
            "{}, {}, 1 of {of}: {:?}",
            pending.seat, pending.decision, decision.action
        );
        walk.take_action(&decision)
            .map_err(|fault| fault.to_string())?;
    }
    for standing in R::ranking(&walk.now.state)
        .into_iter()
        .flat_map(|ranking| ranking.standings)
    {
        writeln!(text, "{standing:?}").map_err(|error| error.to_string())?;
    }
    Ok(text)
}

fn write_version<R: Audit>(
    text: &mut String,
    (version, line): (usize, &str),
    now: &Applied<R>,
    scene: &mut TextContext,
) -> std::fmt::Result {
    writeln!(text, "{version} {line}")?;
    for Draw { name, seat, values } in &now.draws {
        let labels: Vec<String> = values
            .iter()
            .map(|&value| R::draw_label(name, value))
            .collect();
        let seat = seat.map_or(String::new(), |seat| format!(" {seat}"));
        writeln!(text, "    draw {name}{seat}: {}", labels.join(" "))?;
    }
    for automatic in &now.automatic {
        writeln!(
            text,
            "    automatic {}: {:?}",
            automatic.seat, automatic.action
        )?;
    }
    for (event, is_forced) in now.events_with_forced() {
        let sentence = render_event::<R>(event, is_forced, &[], scene);
        writeln!(text, "    {sentence}")?;
    }
    writeln!(text, "    = {:016x}", fingerprint(&now.state))
}
