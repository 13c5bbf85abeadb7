//! The cards of a described table: what players own, and the improvements.

use super::{Judged, is_set_up};
use crate::mythotopia::data::{Card, CardSet, FACE_DOWN, INSPECTED, Improvement, ImprovementSet};
use crate::mythotopia::rules::drawing::{self, Shuffle};
use crate::mythotopia::stage::Stage;
use crate::mythotopia::state::{Player, State};
use crate::mythotopia::view::{PlayerBookkeeping, PlayerView, View};
use crate::table::{Chance, PositionError, Seat};

/// Reads the improvements and the cards of all players. Piles whose order is left out are shuffled, first that of the
/// improvements, then decks in seat order.
pub(super) fn cards(state: &mut State, view: &View, chance: &mut Chance) -> Judged {
    state.display = view.improvement_display;
    let mut improvements = state.display;
    let seats = state.seats();
    let mut dealt = Vec::new();
    for seat in Seat::all(seats) {
        let index = seat.index();
        let Some(shown) = view.players.get(index) else {
            continue;
        };
        let kept = view
            .bookkeeping
            .as_ref()
            .and_then(|kept| kept.players.get(index));
        let path = format!("players[{index}]");
        let is_dealt = owned(&path, state, seat, shown, kept)?;
        dealt.push(is_dealt);
        let player = &state.players[seat];
        let owned = player.playable() | player.discard | player.deck_cards();
        for improvement in owned.iter().filter_map(Card::as_improvement) {
            PositionError::unless(improvements.insert(improvement), || {
                PositionError::new("MYT-11.5", path.as_str(), improvement, "in one place")
            })?;
        }
    }
    improvement_deck(state, view, improvements, chance)?;
    for (seat, is_dealt) in Seat::all(seats).zip(dealt) {
        if let Some(hand) = is_dealt {
            deal(&mut state.players[seat], seat, hand, chance);
        }
    }
    known(state, view)
}

/// Reads the zones of a player's cards: their starting cards, those of their provinces, and improvements. Returns the
/// number of cards to draw, if the deck has to be shuffled.
///
/// # Rule MYT-11.4, MYT-11.6
fn owned(
    path: &str,
    state: &mut State,
    seat: Seat,
    shown: &PlayerView,
    kept: Option<&PlayerBookkeeping>,
) -> Judged<Option<usize>> {
    let set_up = is_set_up(state.stage);
    let player = &mut state.players[seat];
    let controlled = player.controlled();
    let due: Vec<Card> = Card::starting(player.color)
        .chain(controlled.iter().map(Card::province))
        .collect();
    (player.discard, player.reserve, player.removed) =
        (shown.discard, shown.reserve, shown.removed);
    let visible = player.discard | player.reserve | player.removed;
    let all: CardSet = due.iter().copied().collect();
    let order: &[Card] = kept.map_or(&[], |kept| &kept.deck);
    let listed = (!order.is_empty()).then(|| order.iter().copied().collect::<CardSet>());
    let (hand, deck) = if set_up {
        (CardSet::EMPTY, all)
    } else {
        hand_and_deck((shown.hand, listed.or(shown.deck)), all - visible)
    };
    player.hand = hand;
    let zones = [hand, deck, player.discard, player.reserve, player.removed];
    let cards = zones
        .iter()
        .fold(CardSet::EMPTY, |cards, &zone| cards | zone);
    let fits = zones.iter().map(CardSet::len).sum::<usize>() == cards.len()
        && (all - cards).is_empty()
        && (cards - all)
            .iter()
            .all(|card| card.as_improvement().is_some())
        && player
            .removed
            .iter()
            .all(|card| card.as_improvement().is_none())
        && (listed.is_none() || order.len() == deck.len());
    PositionError::unless(fits, || {
        let names = |cards: CardSet| cards.iter().map(Card::id).collect::<Vec<_>>().join(", ");
        let allowed = format!("each once, with or without improvements: {}", names(all));
        PositionError::new("MYT-11.4", format!("{path}.hand"), names(cards), allowed)
    })?;
    player.deck = if set_up {
        due.into_iter().collect()
    } else if listed.is_some() {
        order.iter().rev().copied().collect()
    } else {
        deck.iter().collect()
    };
    let wanted = if shown.hand.is_none() && listed.or(shown.deck).is_none() {
        usize::from(shown.hand_count)
    } else {
        0
    };
    PositionError::within(
        "MYT-5.13",
        format!("{path}.hand_count"),
        wanted,
        0..=player.deck.len(),
    )?;
    Ok((!set_up && listed.is_none()).then_some(wanted))
}

/// Returns hand and deck of a player, of which each may be left out: it has the rest then, and the deck all of it if
/// both are.
fn hand_and_deck(given: (Option<CardSet>, Option<CardSet>), rest: CardSet) -> (CardSet, CardSet) {
    match given {
        (Some(hand), Some(deck)) => (hand, deck),
        (Some(hand), None) => (hand, rest - hand),
        (None, Some(deck)) => (rest - deck, deck),
        (None, None) => (CardSet::EMPTY, rest),
    }
}

/// Shuffles the deck of a player, as at the start, and draws these cards to the hand.
///
/// # Rule MYT-5.13
fn deal(player: &mut Player, seat: Seat, hand: usize, chance: &mut Chance) {
    drawing::shuffle(player, seat, Shuffle::Beginning, chance);
    for _ in 0..hand {
        if let Some(card) = player.deck.pop() {
            player.hand.insert(card);
        }
    }
}

/// Reads the order of the face-down improvements, or shuffles those that are nowhere else, below the ones that
/// Philosopher shows.
///
/// # Rule MYT-11.5, MYT-5.13
fn improvement_deck(
    state: &mut State,
    view: &View,
    mut elsewhere: ImprovementSet,
    chance: &mut Chance,
) -> Judged {
    let looks = state.stage == Stage::Philosopher;
    let used = looks || view.out_of_game.philosopher;
    PositionError::unless(!used || elsewhere.insert(Improvement::Philosopher), || {
        let philosopher = Improvement::Philosopher;
        PositionError::new(
            "MYT-11.5",
            "improvement_display",
            philosopher,
            "in the box alone",
        )
    })?;
    let rest = ImprovementSet::all() - elsewhere;
    let due = if used && !looks {
        FACE_DOWN - 1
    } else {
        FACE_DOWN
    };
    PositionError::unless(rest.len() == due, || {
        let allowed = format!("as many that {due} are left for the face-down improvements");
        let found = format!("{} left", rest.len());
        PositionError::new("MYT-11.5", "improvement_display", found, allowed)
    })?;
    let kept = view.bookkeeping.as_ref();
    let given: &[Improvement] = kept.map_or(&[], |kept| &kept.improvement_deck);
    let shown = view
        .inspected
        .as_deref()
        .filter(|_| looks)
        .unwrap_or_default();
    let (path, mut order) = if given.is_empty() {
        ("inspected", shown.to_vec())
    } else {
        ("bookkeeping.improvement_deck", given.to_vec())
    };
    let listed: ImprovementSet = order.iter().copied().collect();
    let count = if given.is_empty() {
        [0, INSPECTED]
    } else {
        [due, due]
    };
    let fits =
        listed.len() == order.len() && listed.is_subset(rest) && count.contains(&order.len());
    PositionError::unless(fits, || {
        let names: Vec<&str> = order.iter().map(|improvement| improvement.id()).collect();
        let allowed = format!("{} of those that are face down, each once", count[1]);
        PositionError::new("MYT-11.5", path, names.join(", "), allowed)
    })?;
    let mut hidden: Vec<Improvement> = (rest - listed).iter().collect();
    if !hidden.is_empty() {
        chance.shuffle("improvements", None, &mut hidden);
    }
    order.append(&mut hidden);
    state.improvement_deck = order.into_iter().rev().collect();
    Ok(())
}

/// Reads what is known of hands and of the improvement deck.
///
/// # Rule MYT-11.20, MYT-13.6
fn known(state: &mut State, view: &View) -> Judged {
    let philosopher_was_used = state.improvement_deck.len() < FACE_DOWN;
    let kept = view.bookkeeping.iter().flat_map(|kept| &kept.players);
    let mut lookers = 0;
    for (index, (kept, player)) in kept.zip(state.players.iter_mut()).enumerate() {
        let path = format!("bookkeeping.players[{index}]");
        (player.shown, player.secret) = (kept.shown, kept.secret);
        player.has_looked = kept.has_looked;
        lookers += usize::from(kept.has_looked);
        let secret: CardSet = player.secret_card().into_iter().collect();
        let fits = ((player.shown | secret) - player.hand).is_empty()
            && (player.shown & secret).is_empty()
            && (secret.is_empty() || kept.has_looked);
        PositionError::unless(fits, || {
            let found = format!("{:?} and {:?}", kept.shown, kept.secret);
            let allowed = "cards in hand, and the one that Philosopher took another";
            PositionError::new("MYT-11.20", format!("{path}.shown"), found, allowed)
        })?;
        PositionError::unless(
            !kept.has_looked || philosopher_was_used && lookers == 1,
            || {
                let allowed = "true for the one who used Philosopher";
                PositionError::new("MYT-7.19", format!("{path}.has_looked"), true, allowed)
            },
        )?;
    }
    Ok(())
}
