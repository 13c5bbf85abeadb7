//! The table as text: the prizes, then the players.

use super::data::{Card, Cards, points};
use super::view::{PlayerView, View};
use crate::table::text::{BOLD, fact, line, styled, wrap};
use crate::table::{Count, Names};

/// The table in lines of at most this many columns.
pub(crate) fn board(view: &View, names: Names<'_>, columns: usize) -> String {
    let (turn, turns) = (view.turn, view.options.cards);
    let mut prizes = cards(view.offered);
    prizes.push(Count(points(view.offered), "point").to_string());
    let mut parts = vec![
        styled(BOLD, format_args!("Turn {turn} of {turns}")),
        line("Prizes", &prizes, columns),
        line("To come", &cards(view.to_come), columns),
    ];
    let players = view.players.iter();
    parts.extend(players.map(|player| self::player(view, names, player, columns)));
    parts.join("\n")
}

fn cards(cards: Cards) -> Vec<String> {
    cards.iter().map(|card| card.name().to_owned()).collect()
}

fn or_none(some: Cards) -> String {
    match some.is_empty() {
        true => String::from("none"),
        false => cards(some).join(" "),
    }
}

/// One player: points, prizes, cards, and what the viewer knows of the bid.
fn player(view: &View, names: Names<'_>, player: &PlayerView, columns: usize) -> String {
    let acts = view.pending.iter().any(|owed| owed.seat == player.seat);
    let mark = if acts { ">" } else { " " };
    let name = styled(BOLD, names.of(player.seat));
    let first = format!("{mark} {} {name}  ", player.seat.number());
    let mut parts = vec![fact("points", player.points)];
    parts.push(fact("prizes", or_none(player.won)));
    parts.push(fact("cards", or_none(player.hand)));
    if player.has_bid {
        parts.push(fact("bid", player.bid.map_or("?", Card::name)));
    }
    wrap(&parts, "  ", &first, "    ", columns)
}
