//! The calls around a flaw, for people to read.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{Call, Flaw, Logs, Outcome};

/// The number of versions to include before and after a flaw.
const AROUND: u64 = 3;

/// Formats all calls about the requests of flaws and about the versions around them, in the order of their ends, with
/// the entries of the log.
#[must_use]
pub fn story(flaws: &[Flaw], calls: &[Call], logs: &Logs) -> String {
    let named = format!("{flaws:?}");
    let is_named = |request: &str| named.contains(&format!("{request:?}"));
    let about = calls.iter().filter_map(|call| {
        let (request, outcome) = call.change()?;
        is_named(request).then(|| (call, version_in(outcome)))
    });
    let mut text = String::new();
    let mut games: BTreeSet<(&str, u64)> = BTreeSet::new();
    for (call, version) in about {
        games.extend(version.map(|version| (call.game.as_str(), version)));
    }
    let is_near = |call: &&Call| {
        let near = |version| {
            let mut entries = games.iter();
            entries.any(|(game, at)| *game == call.game && at.abs_diff(version) <= AROUND)
        };
        call.change().is_some_and(|(request, outcome)| {
            is_named(request) || version_in(outcome).is_some_and(near)
        })
    };
    let mut near: Vec<&Call> = calls.iter().filter(is_near).collect();
    near.sort_by_key(|call| call.ended);
    for call in near {
        let _written = writeln!(text, "{call:?}");
    }
    for (game, at) in games {
        let log = logs.get(game).map_or(&[][..], Vec::as_slice);
        for version in at.saturating_sub(AROUND).max(1)..=at + AROUND {
            let index = usize::try_from(version - 1).unwrap_or(usize::MAX);
            let _written = writeln!(text, "{game} has {version}: {:?}", log.get(index));
        }
    }
    text
}

fn version_in(outcome: Outcome) -> Option<u64> {
    match outcome {
        Outcome::Done { version, .. } => Some(version),
        Outcome::Refused | Outcome::Unknown => None,
    }
}
