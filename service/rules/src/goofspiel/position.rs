//! Positions: the table that an operator's view describes (GOO-15).

use arrayvec::ArrayVec;

use super::data::{Card, Cards, suit};
use super::options::{Options, Ties};
use super::state::{Player, State};
use super::view::{PlayerView, View};
use crate::table::{Chance, JoinAnd, PerSeat, PositionError, Seat};

/// Makes the table that a view describes. Draws `prizes` if the order of the prizes to come is left out.
///
/// # Errors
/// The first part of the view that no table has.
///
/// # Rule GOO-15.1 to GOO-15.6
pub fn position(
    options: &Options,
    view: &View,
    chance: &mut Chance,
) -> Result<State, PositionError> {
    let players = players(options, &view.players)?;
    let turn = turn(options, &players)?;
    let past = Past::of(options, view, &players)?;
    let to_come = to_come(options, view, &past, turn)?;
    let mut order = turned_up(options, view, &past, to_come)?;
    let mut left: Vec<Card> = view.order.clone();
    if left.is_empty() {
        left = to_come.iter().collect();
        chance.shuffle("prizes", None, &mut left);
    }
    fits("GOO-15.5", "order", &left, to_come)?;
    order.extend(left);
    Ok(State {
        options: *options,
        order,
        turn,
        offered: view.offered,
        players,
    })
}

/// # Rule GOO-15.2, GOO-15.3
fn players(options: &Options, views: &[PlayerView]) -> Result<PerSeat<Player>, PositionError> {
    PositionError::unless(views.len() == options.seats(), || {
        let allowed = format!("{} players", options.seats);
        PositionError::new("GOO-15.2", "players", views.len(), allowed)
    })?;
    let wrong = |index: usize, field: &str, cards: Cards, allowed: String| {
        let path = format!("players[{index}].{field}");
        PositionError::new("GOO-15.3", path, listed(cards), allowed)
    };
    let suit = suit(options.cards);
    let size = views.first().map_or(0, |first| first.hand.len());
    for (index, view) in views.iter().enumerate() {
        let seat = Seat::at(index);
        PositionError::unless(view.seat == seat, || {
            let (path, found) = (format!("players[{index}].seat"), view.seat.number());
            PositionError::new("GOO-15.2", path, found, seat.number().to_string())
        })?;
        let in_suit = view.hand.is_subset(suit) && view.hand.len() == size;
        PositionError::unless(in_suit && size >= 2, || {
            let size = if size < 2 { 2 } else { size };
            let allowed = format!("{size} cards up to {}", options.cards);
            wrong(index, "hand", view.hand, allowed)
        })?;
        PositionError::unless(view.bid.is_none_or(|bid| view.hand.contains(bid)), || {
            wrong(
                index,
                "bid",
                view.bid.into_iter().collect(),
                listed(view.hand),
            )
        })?;
    }
    let has_bid = |view: &PlayerView| view.bid.is_some();
    PositionError::unless(!views.iter().all(has_bid), || {
        PositionError::new(
            "GOO-15.4",
            "players",
            "a bid of everybody",
            "one seat to bid",
        )
    })?;
    Ok(PerSeat::new(options.seats(), |seat| {
        let view = &views[seat.index()];
        Player {
            hand: view.hand,
            bid: view.bid,
            won: view.won,
        }
    }))
}

/// Returns the turn, which follows from the cards in hand.
///
/// # Rule GOO-15.3
fn turn(options: &Options, players: &PerSeat<Player>) -> Result<u8, PositionError> {
    let in_hand = players[Seat::FIRST].hand.len();
    let past = usize::from(options.cards).checked_sub(in_hand);
    let turn = past.and_then(|past| u8::try_from(past + 1).ok());
    turn.ok_or_else(|| {
        let allowed = format!("2 to {} cards", options.cards);
        PositionError::new("GOO-15.3", "players[0].hand", in_hand, allowed)
    })
}

/// The prizes that were turned up.
struct Past {
    /// The prizes of this turn.
    offered: Cards,
    /// The prizes that somebody took.
    won: Cards,
}

impl Past {
    /// # Rule GOO-15.4
    fn of(
        options: &Options,
        view: &View,
        players: &PerSeat<Player>,
    ) -> Result<Self, PositionError> {
        let offered = view.offered;
        let discards = options.ties == Ties::Discard;
        let is_suit = offered.is_subset(suit(options.cards));
        let count_fits = match discards {
            true => offered.len() == 1,
            false => !offered.is_empty(),
        };
        PositionError::unless(is_suit && count_fits, || {
            let many = if discards { "one prize" } else { "prizes" };
            let allowed = format!("{many} up to {}", options.cards);
            PositionError::new("GOO-15.4", "offered", listed(offered), allowed)
        })?;
        let free = suit(options.cards) - offered;
        let mut won = Cards::empty();
        for (seat, player) in players.entries() {
            PositionError::unless(player.won.is_subset(free - won), || {
                let path = format!("players[{}].won", seat.index());
                PositionError::new("GOO-15.4", path, listed(player.won), listed(free - won))
            })?;
            won |= player.won;
        }
        Ok(Self { offered, won })
    }
}

/// Returns the prizes to come: those of `order`, or of `to_come`, or all that are left.
///
/// # Rule GOO-15.4, GOO-15.5
fn to_come(options: &Options, view: &View, past: &Past, turn: u8) -> Result<Cards, PositionError> {
    let left = suit(options.cards) - past.offered - past.won;
    let (path, given) = match (view.order.is_empty(), view.to_come.is_empty()) {
        (false, _) => ("order", view.order.iter().copied().collect()),
        (true, false) => ("to_come", view.to_come),
        (true, true) => ("to_come", left),
    };
    let count = usize::from(options.cards - turn);
    let all = options.ties == Ties::Discard || given == left;
    PositionError::unless(all && given.is_subset(left) && given.len() == count, || {
        let allowed = format!("{count} of {}", listed(left));
        PositionError::new("GOO-15.4", path, listed(given), allowed)
    })?;
    Ok(given)
}

/// Returns the prizes turned up so far, those offered at the end: in the given order, otherwise ascending.
///
/// # Rule GOO-15.6
fn turned_up(
    options: &Options,
    view: &View,
    past: &Past,
    to_come: Cards,
) -> Result<ArrayVec<Card, { Card::COUNT }>, PositionError> {
    let before = suit(options.cards) - to_come - past.offered;
    if view.turned_up.is_empty() {
        return Ok(before.iter().chain(past.offered).collect());
    }
    fits(
        "GOO-15.6",
        "turned_up",
        &view.turned_up,
        before | past.offered,
    )?;
    let (earlier, now) = view.turned_up.split_at(before.len());
    let are_offered = now.iter().copied().collect::<Cards>() == past.offered;
    PositionError::unless(are_offered, || {
        let allowed = format!("{} at the end", listed(past.offered));
        let found = listed(now.iter().copied().collect());
        PositionError::new("GOO-15.6", "turned_up", found, allowed)
    })?;
    Ok(earlier.iter().chain(now).copied().collect())
}

/// Checks that a list has each of these cards once.
fn fits(rule: &'static str, path: &str, list: &[Card], cards: Cards) -> Result<(), PositionError> {
    let distinct: Cards = list.iter().copied().collect();
    PositionError::unless(list.len() == cards.len() && distinct == cards, || {
        let names = JoinAnd(list.iter().map(ToString::to_string)).to_string();
        PositionError::new(rule, path, names, format!("{} once each", listed(cards)))
    })
}

/// Returns the names of cards: `2, 3 and King`; `nothing` if there are none.
fn listed(cards: Cards) -> String {
    if cards.is_empty() {
        return String::from("nothing");
    }
    JoinAnd(cards.iter().map(|card| card.to_string())).to_string()
}
