//! The table as a picture: Supply, the turn, cards in play and in hand, and the players' piles.

pub mod cards;
pub mod turn;

use super::components;
use super::data::{Card, Pile};
use super::view::{PlayerView, View};
use crate::table::picture::{
    Area, Canvas, Column, Heading, Look, Outline, Paint, Plate, PlayerRow, framed,
};
use crate::table::{Component, Viewer};

/// The table as SVG.
pub(crate) fn picture(view: &View, look: &Look<'_>) -> String {
    let moment = format!("turn {}", view.turn_number);
    let heading = Heading {
        title: "Dominion",
        moment: &moment,
        unit: "VP",
        paint: &Paint::of_seat,
    };
    framed(
        look,
        &heading,
        |canvas| wide(canvas, view),
        |canvas| stacked(canvas, view),
    )
}

fn wide(canvas: &mut Canvas<'_>, view: &View) {
    supply(canvas, view, Area::new(8, 56, 834, 410), 5);
    turn::turn(canvas, view, Area::new(850, 56, 342, 410));
    let table = Area::new(8, 474, 1184, 186);
    turn::in_play(canvas, view, table.column(0, 2, 8));
    hand(canvas, view, table.column(1, 2, 8));
    let players = Area::new(8, 668, 1184, 124);
    let count = view.players.len();
    for (index, player) in view.players.iter().enumerate() {
        self::player(canvas, view, player, players.column(index, count, 8));
    }
}

/// Draws the board first, and the rest below it. Returns the height.
fn stacked(canvas: &mut Canvas<'_>, view: &View) -> i32 {
    let mut column = Column::new(canvas);
    let (height, columns) = if canvas.is_phone() {
        (436, 4)
    } else {
        (410, 5)
    };
    supply(canvas, view, column.next(height), columns);
    let [hand, in_play] = column.two([186, 186]);
    self::hand(canvas, view, hand);
    turn::in_play(canvas, view, in_play);
    turn::turn(canvas, view, column.next(250));
    let areas = column.players(view.players.len(), [112, 112]);
    for (player, area) in view.players.iter().zip(areas) {
        self::player(canvas, view, player, area);
    }
    column.height()
}

/// Basic cards in one row, then the kingdom by price.
fn supply(canvas: &mut Canvas<'_>, view: &View, area: Area, columns: usize) {
    let is_kingdom = |pile: &&Pile| view.kingdom.contains(&pile.card);
    let (mut kingdom, basic): (Vec<&Pile>, Vec<&Pile>) = view.supply.iter().partition(is_kingdom);
    kingdom.sort_by_key(|pile| (pile.card.cost(), pile.card));
    let inner = canvas.panel(area, "");
    let wraps = usize::from(canvas.is_phone());
    let above = if canvas.is_phone() { 128 } else { 92 };
    let (top, rest) = inner.cut_top(above);
    for (index, pile) in basic.iter().enumerate() {
        let rows = 1 + wraps;
        let cell = top.cell(index, (basic.len().div_ceil(rows), rows), 5);
        cards::pile(canvas, **pile, cell);
    }
    let rest = rest.cut_top(8).1;
    let rows = kingdom.len().div_ceil(columns);
    for (index, pile) in kingdom.iter().enumerate() {
        cards::pile(canvas, **pile, rest.cell(index, (columns, rows), 5));
    }
}

/// The hand that the viewer knows: their own, or that of the player whose turn it is.
fn hand(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let owner = match canvas.look.viewer {
        Viewer::Seat(seat) => seat,
        Viewer::Spectator | Viewer::Operator => view
            .pending
            .first()
            .map_or(view.active_player, |pending| pending.seat),
    };
    let player = view.players.iter().find(|player| player.seat == owner);
    let cards = player.and_then(|player| player.hand);
    let whose = if canvas.look.is_me(owner) {
        String::from("Your hand")
    } else {
        format!("Hand of {}", canvas.look.names.of(owner))
    };
    let inner = canvas.panel(area, &whose);
    let Some(cards) = cards else {
        let count = player.map_or(0, |player| player.hand_count);
        let text = format!("{count} cards, face down");
        let at = inner.corner().by(0, 24);
        return canvas.text(at, text, canvas.font(14).faint(), inner.w);
    };
    let cards: Vec<(Component, Card, u8)> = cards
        .iter()
        .map(|(card, count)| (components::in_hand(owner, card), card, count))
        .collect();
    cards::row(canvas, &cards, inner);
}

fn player(canvas: &mut Canvas<'_>, view: &View, player: &PlayerView, area: Area) {
    let seat = player.seat;
    let score = canvas.look.ranking.and_then(|ranking| {
        let mut standings = ranking.standings.iter();
        standings.find(|standing| standing.seat == seat)
    });
    let note = if view.active_player == seat {
        format!("turn {} of theirs, now", player.turns_taken)
    } else {
        format!("{} turns", player.turns_taken)
    };
    let strip = PlayerRow {
        seat,
        paint: Paint::of_seat(seat),
        points: score.map(|standing| standing.score),
        unit: "VP",
        leads: score.is_some_and(|standing| standing.rank == 1),
        role: "",
        state: &note,
    };
    let deck = match player.draw_pile_count {
        Some(count) => count.to_string(),
        None if player.draw_pile_empty => String::from("0"),
        None => String::from("?"),
    };
    let discard = player.discard_top.map_or("empty", Card::name);
    let hand = player.hand_count.to_string();
    let facts = [
        (components::hand(seat), "hand", hand.as_str()),
        (components::draw_pile(seat), "draw pile", deck.as_str()),
        (components::discard_pile(seat), "discard", discard),
    ];
    canvas.player(area, &strip, |canvas, inner| {
        for (index, (component, what, value)) in facts.into_iter().enumerate() {
            let cell = inner.column(index, 3, 6);
            let title = format!("{what}: {value}");
            canvas.part(component, title, &Outline::Rect(cell), |canvas| {
                canvas.rect(cell, 5, Paint::Empty);
                let at = cell.corner().by(8, 18);
                canvas.text(at, what, canvas.font(12).faint(), cell.w - 12);
                let font = canvas.font(18).bold().down_to(12, value, cell.w - 14);
                canvas.name(at.by(0, 24), value, font, cell.w - 14);
            });
        }
    });
}

/// The components of the catalogue: every kind of card, and the trash.
pub(crate) fn plates() -> Vec<Plate> {
    let cards = Card::ALL.map(|card| {
        let plate = Plate::new(components::card(card), card.name());
        plate.colored(cards::paint(card).light())
    });
    let trash = Plate::new(components::trash(), "Trash");
    cards.into_iter().chain([trash]).collect()
}
