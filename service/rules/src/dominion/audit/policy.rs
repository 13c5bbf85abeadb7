//! A random policy that finishes games.

use crate::dominion::action::Action;
use crate::table::Chance;

/// Makes a sensible choice half of the time, so that games end: all Treasures, then the most expensive card. Otherwise
/// makes a random one.
pub fn choose(legal: &[Action], chance: &mut Chance) -> usize {
    let places: Vec<u16> = (0..u16::try_from(legal.len()).unwrap_or(u16::MAX)).collect();
    let is_sensible = chance.roll("sensible", None, 2, 1) == [1];
    is_sensible
        .then(|| sensible(legal))
        .flatten()
        .or_else(|| chance.pick("play", None, &places).map(usize::from))
        .unwrap_or_default()
}

/// The index of a sensible action in the list, in the Buy phase.
fn sensible(legal: &[Action]) -> Option<usize> {
    let treasures = legal
        .iter()
        .position(|action| *action == Action::PlayAllTreasures);
    let price = |action: &Action| match action {
        Action::BuyCard { card: Some(card) } => Some(card.cost()),
        _ => None,
    };
    let dearest = (0..legal.len()).filter(|&index| price(&legal[index]) > Some(0));
    treasures.or_else(|| dearest.max_by_key(|&place| price(&legal[place])))
}
