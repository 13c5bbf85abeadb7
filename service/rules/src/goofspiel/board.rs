//! The table as text: the prizes, then the players.

use super::data::{Card, Cards, points};
use super::view::{PlayerView, View};
use crate::table::text::{self, BOLD, fact, styled, with_heading, wrap};
use crate::table::{Count, Names};

/// The table in lines of at most this many columns.
pub fn board(view: &View, names: Names<'_>, columns: usize) -> String {
    let (turn, turns) = (view.turn, view.options.cards);
    let mut prizes = cards(view.offered);
    prizes.push(Count(points(view.offered), "point").to_string());
    let mut parts = vec![
        styled(BOLD, format_args!("Turn {turn} of {turns}")),
        with_heading("Prizes", &prizes, columns),
        with_heading("To come", &cards(view.to_come), columns),
    ];
    let players = view.players.iter();
    parts.extend(players.map(|player| self::player(view, names, player, columns)));
    parts.join("\n")
}

fn cards(cards: Cards) -> Vec<String> {
    cards.iter().map(|card| card.name().to_owned()).collect()
}

fn or_none(some: Cards) -> String {
    if some.is_empty() {
        return String::from("none");
    }
    cards(some).join(" ")
}

/// One player: points, prizes, cards, and what the viewer knows of the bid.
fn player(view: &View, names: Names<'_>, player: &PlayerView, columns: usize) -> String {
    let first = text::player(&view.pending, player.seat, names) + "  ";
    let mut parts = vec![
        fact("points", player.points),
        fact("prizes", or_none(player.won)),
        fact("cards", or_none(player.hand)),
    ];
    if player.has_bid {
        parts.push(fact("bid", player.bid.map_or("?", Card::name)));
    }
    wrap(&parts, "  ", &first, "    ", columns)
}
