//! A whole game as readable text: a changed rule shows as a changed line.

use std::fmt::Write;

use super::audit::Audit;
use crate::ruleset::{Applied, apply, create, legal_actions, tell};
use crate::table::{Chance, Detail, Draw, Scene, Seed, fingerprint};

/// Plays the game of this seed with the ruleset's own random policy and writes it down.
///
/// # Errors
/// The refusal of a listed action, as text.
pub fn playthrough<R: Audit>(options: &R::Options, seed: u64) -> Result<String, String> {
    let mut text = format!("{} {options:?}, seed {seed}\n", R::SHEET.id);
    let mut player = Chance::from_seed(&Seed::from_number(seed ^ (1 << 63)));
    let mut now = create::<R>(options, Chance::from_seed(&Seed::from_number(seed)));
    let (mut version, mut scene) = (1, Scene::default());
    let mut line = String::from("set-up");
    loop {
        write_version::<R>(&mut text, (version, &line), &now, &mut scene)
            .map_err(|error| error.to_string())?;
        let Some(pending) = R::pending(&now.state).first().copied() else {
            break;
        };
        let legal = legal_actions::<R>(&now.state, pending.seat, Detail::Moves);
        let choice = R::choose(&now.state, pending.seat, &legal, &mut player);
        let action = legal.get(choice).ok_or("no legal action")?;
        line = format!(
            "{}, {}, 1 of {}: {action:?}",
            pending.seat,
            pending.decision,
            legal.len()
        );
        now = apply::<R>(&now.state, &now.chance, pending.seat, action)
            .map_err(|refusal| refusal.to_string())?;
        version += 1;
    }
    for standing in R::ranking(&now.state)
        .into_iter()
        .flat_map(|ranking| ranking.standings)
    {
        writeln!(text, "{standing:?}").map_err(|error| error.to_string())?;
    }
    Ok(text)
}

fn write_version<R: Audit>(
    text: &mut String,
    (version, line): (u64, &str),
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
