//! Forks: a table that is rebuilt from its past plays on like its origin if the luck is the same, and keeps its
//! past if the luck is different.

use super::audit::Audit;
use crate::ruleset::{Applied, apply, create};
use crate::table::{Chance, Draw, Fault, Seat, encode};

/// A version of a game: the action, and its result.
pub(super) struct Version<R: Audit> {
    /// The action; `None` for the set-up.
    played: Option<(Seat, R::Action)>,
    draws: Vec<Draw>,
    /// The number of words of the luck's stream used so far.
    position: u64,
    state: Vec<u8>,
    events: Vec<u8>,
}

impl<R: Audit> Version<R> {
    pub(super) fn new(played: Option<(Seat, R::Action)>, now: &Applied<R>) -> Self {
        Self {
            played,
            draws: now.draws.clone(),
            position: now.chance.position(),
            state: encode(&now.state),
            events: encode(&now.events),
        }
    }

    /// Checks that the rebuilt version equals the recorded one.
    fn is(&self, again: &Applied<R>, at: usize) -> Result<(), Fault> {
        let same = encode(&again.state) == self.state
            && encode(&again.events) == self.events
            && again.draws == self.draws;
        Fault::unless(same, "branches", || {
            format!("version {} comes out otherwise", at + 1)
        })
    }
}

/// Forks a game at every version: rebuilds its past from the recorded draws alone, version by version, and checks
/// that from each version the next one follows with the same luck.
pub(super) fn forks_play_on<R: Audit>(
    options: &R::Options,
    game: &[Version<R>],
    luck: impl Fn(u64) -> Chance,
) -> Result<(), Fault> {
    let mut past: Option<Applied<R>> = None;
    for (at, version) in game.iter().enumerate() {
        let again = |chance: Chance| match (&past, &version.played) {
            (Some(past), Some((seat, action))) => {
                let next = apply::<R>(&past.state, &chance, *seat, action);
                next.map_err(|refusal| fault(refusal.to_string()))
            }
            (None, None) => Ok(create::<R>(options, chance)),
            (Some(_), None) | (None, Some(_)) => Err(fault(String::from("a game of two set-ups"))),
        };
        // The past of a fork, from the recorded draws.
        let scripted = again(Chance::scripted(version.draws.iter().cloned()))?;
        version.is(&scripted, at)?;
        let fits = scripted.chance.clone().finish();
        fits.map_err(|left| fault(left.to_string()))?;
        // The next version of a fork, with the luck of the origin.
        let before = at.checked_sub(1).map_or(0, |before| game[before].position);
        version.is(&again(luck(before))?, at)?;
        past = Some(scripted);
    }
    Ok(())
}

fn fault(text: String) -> Fault {
    let rule = "branches";
    Fault { rule, text }
}
