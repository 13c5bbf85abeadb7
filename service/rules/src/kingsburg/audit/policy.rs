//! A random policy that builds.

use crate::kingsburg::action::Action;
use crate::table::Chance;

/// Chooses at random, but a pass only if it is drawn twice, so that provinces fill.
pub fn choose(legal: &[Action], chance: &mut Chance) -> usize {
    let places: Vec<u16> = (0..u16::try_from(legal.len()).unwrap_or(u16::MAX)).collect();
    let mut pick = || chance.pick("play", None, &places).map_or(0, usize::from);
    let place = pick();
    match legal.get(place) {
        Some(Action::PassInfluence | Action::PassBuild | Action::PassRecruit) => pick(),
        Some(_) | None => place,
    }
}
