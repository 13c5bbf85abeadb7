//! **Card counting**: numbers that a viewer can know from the events although no view shows them (MYT-13.6).

use super::data::{Card, CardKind, INSPECTED, Improvement, Province, Start};
use super::state::State;
use crate::table::{Seat, Viewer};

/// The first places of the groups of names.
const IN_HAND: usize = Improvement::COUNT;
const PROVINCES: usize = IN_HAND + Improvement::COUNT;
const STARTS: usize = PROVINCES + Province::COUNT;
const SECRET: usize = STARTS + Start::COUNT;
const ON_TOP: usize = SECRET + 1;

/// The names of the numbers: the improvements in hand or deck; the cards known to be in hand, those of the start by
/// their kinds; whether there is one that only its player has seen; the improvements that this player knows to be face
/// down on top.
pub fn names() -> Vec<String> {
    let hidden = Improvement::ALL_IDS.map(|id| format!("hidden imp:{id}"));
    let improvements = Improvement::ALL_IDS.map(|id| format!("hand imp:{id}"));
    let provinces = Province::ALL_IDS.map(|id| format!("hand prov:{id}"));
    let starts = Start::ALL_IDS.map(|id| format!("hand start:{id}"));
    let tops = (1..=INSPECTED).flat_map(|place| {
        Improvement::ALL_IDS.map(|id| format!("improvement deck {place} imp:{id}"))
    });
    let hands = improvements.into_iter().chain(provinces).chain(starts);
    let secret = [String::from("hand secret")];
    (hidden.into_iter().chain(hands).chain(secret).chain(tops)).collect()
}

pub fn count(state: &State, viewer: Viewer, seat: Seat, count: &mut dyn FnMut(usize, u16)) {
    let player = &state.players[seat];
    let hidden = player.hidden() | player.shown;
    for improvement in hidden.iter().filter_map(Card::as_improvement) {
        count(improvement.index(), 1);
    }
    let mut starts = [0; Start::COUNT];
    for card in player.shown.iter() {
        match card.kind() {
            CardKind::Improvement(improvement) => count(IN_HAND + improvement.index(), 1),
            CardKind::Province(province) => count(PROVINCES + province.index(), 1),
            CardKind::Start(_, kind, _) => starts[kind.index()] += 1,
        }
    }
    for (kind, copies) in starts
        .into_iter()
        .enumerate()
        .filter(|(_, copies)| *copies > 0)
    {
        count(STARTS + kind, copies);
    }
    if player.secret.is_some() {
        count(SECRET, 1);
    }
    if viewer.sees(seat) {
        let known_count = state.known_improvements(seat);
        let tops = state.improvement_deck.iter().rev().take(known_count);
        for (index, improvement) in tops.enumerate() {
            count(ON_TOP + index * Improvement::COUNT + improvement.index(), 1);
        }
    }
}
