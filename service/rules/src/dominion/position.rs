//! **Positions**: a game can begin from a table that somebody describes, as operators see it (DOM-15). The inverse of
//! `view`: the table is made, its gaps are dealt, and then it is judged.

pub mod counters;
pub mod deal;
pub mod effects;
pub mod turns;

use super::data::{Card, Group, KINGDOM_SIZE};
use super::options::{Kingdom, Options};
use super::setup;
use super::stage::{EffectFrame, Phase};
use super::state::{Cards, State, Supply};
use super::view::View;
use crate::table::{Chance, PositionError, Seat};

/// The result of a check of a described table.
pub type Judged<T = ()> = Result<T, PositionError>;

/// Makes the table that an operator's view describes.
///
/// # Errors
/// The first part that does not fit.
///
/// # Rule DOM-15.1
pub fn position(options: &Options, view: &View, chance: &mut Chance) -> Judged<State> {
    let mut state = frame(options, view, chance)?;
    for seat in state.players.seats() {
        let (player, asked) = deal::player(&state, view, seat, chance)?;
        state.players[seat] = player;
        if let Some(asked) = asked
            && let Some(EffectFrame::Library { drawn, .. }) = state.stack.last_mut()
        {
            *drawn = Some(asked.card);
            state.turn.asked_is_seen = asked.is_seen;
        }
    }
    state.supply = supply(&state, view)?;
    turns::judge(&state)?;
    counters::judge(&state)?;
    effects::judge(&state)?;
    Ok(state)
}

/// The table without the cards of players and Supply: its turn and its open effects, of seats that exist.
fn frame(options: &Options, view: &View, chance: &mut Chance) -> Judged<State> {
    let seats = options.seats();
    let count = view.players.len();
    PositionError::unless(count == seats, || {
        PositionError::new("DOM-15.1", "players", count, seats.to_string())
    })?;
    let known = view.bookkeeping.as_ref().map_or(0, |all| all.players.len());
    PositionError::unless(known == 0 || known == seats, || {
        let path = "bookkeeping.players";
        PositionError::new("DOM-15.1", path, known, format!("none or {seats}"))
    })?;
    let active = view.active_player;
    PositionError::unless(active.index() < seats, || {
        let allowed = format!("1 to {seats}");
        PositionError::new("DOM-15.1", "active_player", active.number(), allowed)
    })?;
    PositionError::unless(view.phase != Phase::Over, || {
        PositionError::new("DOM-8.5", "phase", view.phase, "Action phase or Buy phase")
    })?;
    let kingdom = kingdom(options, view, chance)?;
    let mut state = setup::bare_table(options, active, &kingdom);
    state.trash = view.trash;
    state.stack.clone_from(&view.stack);
    state.turn.phase = view.phase;
    state.turn.counters = view.counters;
    state.turn.bought = view.bought_this_turn;
    for (seat, player) in Seat::all(seats).zip(&view.players) {
        if seat == active {
            state.turn.in_play.clone_from(&player.in_play);
        } else if !player.in_play.is_empty() {
            let path = path(seat, "in_play");
            let found = named(&player.in_play);
            return Err(PositionError::new("DOM-11.6", path, found, "nothing"));
        }
    }
    Ok(state)
}

/// The kingdom of the options. A random one stands in the view, or is drawn as in a set-up (draw R2).
///
/// # Rule DOM-15.2
fn kingdom(options: &Options, view: &View, chance: &mut Chance) -> Judged<[Card; KINGDOM_SIZE]> {
    if options.kingdom != Kingdom::Random || view.kingdom.is_empty() {
        return Ok(setup::kingdom(options, chance));
    }
    let fits = |index: usize, card: Card| {
        card.sheet().group == Group::Kingdom && (index == 0 || view.kingdom[index - 1] < card)
    };
    for (index, &card) in view.kingdom.iter().enumerate() {
        PositionError::unless(fits(index, card), || {
            let allowed = "ten kinds of kingdom cards in canonical order";
            PositionError::new("DOM-15.2", format!("kingdom[{index}]"), card, allowed)
        })?;
    }
    let count = view.kingdom.len();
    let wrong = |_| PositionError::new("DOM-15.2", "kingdom", count, KINGDOM_SIZE.to_string());
    view.kingdom.clone().try_into().map_err(wrong)
}

/// The Supply: everything that is nowhere else.
///
/// # Rule DOM-15.2, DOM-11.1
fn supply(state: &State, view: &View) -> Judged<Supply> {
    let mut elsewhere = state.trash;
    for seat in state.players.seats() {
        elsewhere.add_all(&state.counted(seat));
    }
    let rule = "DOM-11.1";
    let seats = state.options.seats;
    let (piles, made) = (view.supply.len(), |card| state.supply.in_game(card, seats));
    for card in Card::ALL {
        let (here, made) = (elsewhere.count(card), made(card));
        PositionError::unless(here <= made, || {
            let found = format!("{here} {card} cards beside the Supply");
            PositionError::new(rule, "players", found, format!("at most {made}"))
        })?;
    }
    let supply = (state.supply.clone()).with_counts(|card| made(card) - elsewhere.count(card));
    PositionError::unless(piles == 0 || piles == supply.piles().len(), || {
        PositionError::new(
            "DOM-15.2",
            "supply",
            piles,
            supply.piles().len().to_string(),
        )
    })?;
    for (index, (found, pile)) in view.supply.iter().zip(supply.piles()).enumerate() {
        PositionError::unless(found.card == pile.card, || {
            let path = format!("supply[{index}].card");
            PositionError::new("DOM-15.2", path, found.card, pile.card.name())
        })?;
        PositionError::unless(found.count == pile.count, || {
            let path = format!("supply[{index}].count");
            PositionError::new(rule, path, found.count, pile.count.to_string())
        })?;
    }
    Ok(supply)
}

/// The path of a field of a player.
fn path(seat: Seat, field: &str) -> String {
    format!("players[{}].{field}", seat.index())
}

/// The path of a field with cards of a player that everybody knows.
fn known_path(seat: Seat, field: &str) -> String {
    format!("bookkeeping.{}", path(seat, field))
}

/// Cards in an error: `2 Coppers and an Estate`.
fn named(cards: &[Card]) -> String {
    super::data::List(cards).to_string()
}

/// Cards in an error.
fn listed(cards: &Cards) -> String {
    named(&cards.each().collect::<Vec<_>>())
}
