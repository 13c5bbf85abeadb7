//! The **oracle** of a trial: compares the responses that clients got with what is stored.

use std::collections::BTreeMap;

use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_store::{GameId, GameStore, StoredEntry, Version};

use super::history::WATCHES;
use super::world::World;
use crate::heart::record::{RequestMark, open_entry};

/// Checks all games of a trial, and returns all flaws.
pub(super) async fn check(world: &World) -> Vec<String> {
    let games = world.history().games.clone();
    let process = world.reliable();
    for game in games {
        let log = world.kept.log(game, 0, usize::MAX).await.unwrap().unwrap();
        let flaws = flaws_of(world, game, &log);
        world.history().flaws.extend(flaws);
        // Replayed from its beginning, the log must give every recorded state and draw.
        let verdict = process.games.check(game).await.unwrap().unwrap();
        if let Err(finding) = verdict {
            world.history().flaw(format!("{game}: {finding:?}"));
        }
    }
    std::mem::take(&mut world.history().flaws)
}

/// The versions that each request became in a log, by seat and id hash.
type Played = BTreeMap<(u64, [u8; 16]), Vec<Version>>;

fn flaws_of(world: &World, game: GameId, log: &[StoredEntry]) -> Vec<String> {
    let mut flaws = Vec::new();
    let mut played = played(log, &mut flaws);
    let history = world.history();
    let of_game = history
        .requests
        .iter()
        .filter(|(request, _)| request.game == game);
    for (request, answer) in of_game {
        let RequestMark::Named { id, .. } = RequestMark::new(&request.id, b"") else {
            continue;
        };
        let found = played.remove(&(request.seat.into(), id));
        let found = found.unwrap_or_default();
        let is_right = match answer {
            None => found.len() <= 1,
            Some(None) => found.is_empty(),
            Some(Some(version)) => found == [*version],
        };
        if !is_right {
            flaws.push(format!(
                "{}: answered {answer:?}, stored as {found:?}",
                request.id
            ));
        }
    }
    for (request, versions) in played {
        flaws.push(format!("nobody sent {request:?}, stored as {versions:?}"));
    }
    let newest = log.last().map_or(0, |entry| entry.version);
    let ends = history
        .watched
        .iter()
        .filter(|(watched, _)| *watched == game);
    let ends: Vec<_> = ends.map(|(_, end)| *end).collect();
    if ends != [newest; WATCHES] {
        flaws.push(format!(
            "watches ended with {ends:?}, the game with {newest}"
        ));
    }
    flaws
        .into_iter()
        .map(|flaw| format!("{game}: {flaw}"))
        .collect()
}

/// Collects the requests in a log, and checks that its versions have no gaps.
fn played(log: &[StoredEntry], flaws: &mut Vec<String>) -> Played {
    let mut played = Played::new();
    for (entry, expected) in log.iter().zip(1..) {
        let version = entry.version;
        if version != expected {
            flaws.push(format!("version {version} where {expected} belongs"));
        }
        if expected == 1 {
            continue;
        }
        match open_entry::<Goofspiel>(version, &entry.bytes) {
            Ok(opened) => {
                let seat = opened.actor().map_or(0, |seat| seat.number().into());
                if let RequestMark::Named { id, .. } = opened.story.request {
                    played.entry((seat, id)).or_default().push(version);
                } else {
                    flaws.push(format!("version {version} has no request"));
                }
            }
            Err(problem) => flaws.push(format!("version {version}: {problem}")),
        }
    }
    played
}
