//! A whole game as readable text (a **golden file**): a changed rule shows as a changed line.

use std::fmt::Write;

use super::audit::Audit;
use super::walk::Walk;
use crate::ruleset::{Applied, tell};
use crate::table::{Draw, Scene, fingerprint};

/// Plays the game of this seed with the ruleset's own random policy and writes it down.
///
/// # Errors
/// The refusal of a listed action, as text.
pub fn playthrough<R: Audit>(options: &R::Options, seed: u64) -> Result<String, String> {
    let mut text = format!("{} {options:?}, seed {seed}\n", R::SHEET.id);
    let (mut walk, mut scene) = (Walk::<R>::start(options, seed), Scene::default());
    let mut line = String::from("set-up");
    loop {
        let version = walk.actions + 1;
        write_version::<R>(&mut text, (version, &line), &walk.now, &mut scene)
            .map_err(|error| error.to_string())?;
        let Some(asked) = walk.asked().map_err(|fault| fault.to_string())? else {
            break;
        };
        let (owed, of) = (asked.owed, asked.legal.len());
        line = format!(
            "{}, {}, 1 of {of}: {:?}",
            owed.seat, owed.decision, asked.action
        );
        walk.go_on(&asked).map_err(|fault| fault.to_string())?;
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
    scene: &mut Scene,
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
    for (event, is_forced) in now.told() {
        let sentence = tell::<R>(event, is_forced, &[], scene);
        writeln!(text, "    {sentence}")?;
    }
    writeln!(text, "    = {:016x}", fingerprint(&now.state))
}
