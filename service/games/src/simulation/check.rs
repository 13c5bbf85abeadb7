//! The **oracle** of a run: compares the responses that clients got with what is stored.

use std::collections::BTreeMap;

use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_store::{GameId, GameStore, StoredEntry, Version};

use super::history::WATCHES;
use super::simulated_cluster::Simulation;
use crate::log::{RequestFingerprint, decode_entry};

/// Checks all games of a run, and returns all flaws.
pub(super) async fn check(simulation: &Simulation) -> Vec<String> {
    let games = simulation.history().games.clone();
    let process = simulation.reliable();
    for game in games {
        let log = simulation
            .inner_store
            .log(game, 0, usize::MAX)
            .await
            .unwrap()
            .unwrap();
        let violations = violations_of(simulation, game, &log);
        simulation.history().violations.extend(violations);
        // Replayed from its beginning, the log must give every recorded state and draw.
        let report = process.games.check_game(game).await.unwrap().unwrap();
        if let Err(finding) = report {
            simulation
                .history()
                .report_violation(format!("{game}: {finding:?}"));
        }
    }
    std::mem::take(&mut simulation.history().violations)
}

/// The versions that each request became in a log, by seat and id hash.
type VersionsByRequest = BTreeMap<(u64, [u8; 16]), Vec<Version>>;

fn violations_of(simulation: &Simulation, game: GameId, log: &[StoredEntry]) -> Vec<String> {
    let mut violations = Vec::new();
    let mut versions_by_request = versions_by_request(log, &mut violations);
    let history = simulation.history();
    let of_game = history
        .requests
        .iter()
        .filter(|(request, _)| request.game == game);
    for (request, outcome) in of_game {
        let RequestFingerprint::Named { id, .. } = RequestFingerprint::new(&request.id, b"") else {
            continue;
        };
        let stored = versions_by_request.remove(&(request.seat.into(), id));
        let stored = stored.unwrap_or_default();
        let is_as_stored = match outcome {
            None => stored.len() <= 1,
            Some(None) => stored.is_empty(),
            Some(Some(version)) => stored == [*version],
        };
        if !is_as_stored {
            violations.push(format!(
                "{}: answered {outcome:?}, stored as {stored:?}",
                request.id
            ));
        }
    }
    for (request, versions) in versions_by_request {
        violations.push(format!("nobody sent {request:?}, stored as {versions:?}"));
    }
    let newest = log.last().map_or(0, |entry| entry.version);
    let ends = history
        .watched
        .iter()
        .filter(|(watched, _)| *watched == game);
    let ends: Vec<_> = ends.map(|(_, end)| *end).collect();
    if ends != [newest; WATCHES] {
        violations.push(format!(
            "watches ended with {ends:?}, the game with {newest}"
        ));
    }
    violations
        .into_iter()
        .map(|violation| format!("{game}: {violation}"))
        .collect()
}

/// Collects the requests in a log, and checks that its versions have no gaps.
fn versions_by_request(log: &[StoredEntry], violations: &mut Vec<String>) -> VersionsByRequest {
    let mut versions = VersionsByRequest::new();
    for (entry, expected) in log.iter().zip(1..) {
        let version = entry.version;
        if version != expected {
            violations.push(format!("version {version} where {expected} belongs"));
        }
        if expected == 1 {
            continue;
        }
        match decode_entry::<Goofspiel>(version, &entry.bytes) {
            Ok(decoded) => {
                let seat = decoded.actor().map_or(0, |seat| seat.number().into());
                if let RequestFingerprint::Named { id, .. } = decoded.record.request_fingerprint {
                    versions.entry((seat, id)).or_default().push(version);
                } else {
                    violations.push(format!("version {version} has no request"));
                }
            }
            Err(problem) => violations.push(format!("version {version}: {problem}")),
        }
    }
    versions
}
