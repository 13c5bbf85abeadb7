//! Cards: the improvements on display, and the viewer's hand.

use super::{improvement, map};
use crate::mythotopia::components;
use crate::mythotopia::data::{Card, CardKind, Symbol};
use crate::mythotopia::view::View;
use crate::table::Viewer;
use crate::table::picture::{Area, Canvas, Font, Outline, Paint, Point, int};

/// The number of cards side by side.
const COLUMNS: usize = 3;

/// The number of rows of the display: there may be many cards at the beginning of a game, and when Philosopher shows
/// some.
fn display_rows(view: &View) -> usize {
    let shown = view.inspected.as_ref().map_or(0, Vec::len);
    let cards = view.improvement_display.iter().count() + shown;
    cards.div_ceil(COLUMNS).max(2)
}

/// The height of the display.
pub(super) fn display_height(view: &View) -> i32 {
    (36 + 22 * int(display_rows(view))).max(104)
}

/// The improvements that can be drafted, those face down, and those that Philosopher shows.
pub(super) fn display(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let shown = view.inspected.as_ref();
    let count = view.improvement_deck_count;
    let title = match shown {
        Some(_) => {
            format!("Improvements: display, then what Philosopher shows ({count} face down)")
        }
        None => format!("Improvements ({count} face down)"),
    };
    let outline = Outline::Rect(area);
    canvas.part(components::display(), &title, &outline, |canvas| {
        canvas.bordered(area, 6, (Paint::Panel, Some((Paint::Line, 1))));
        let font = Font::new(13).bold().down_to(11, &title, area.w - 16);
        canvas.text(area.corner().by(8, 19), &title, font, area.w - 16);
    });
    let inner = area.inset(8).cut_top(20).1;
    let all = view.improvement_display.iter();
    let all = all
        .chain(shown.into_iter().flatten().copied())
        .map(improvement);
    let all: Vec<Card> = all.collect();
    let rows = display_rows(view);
    for (index, card) in all.into_iter().enumerate() {
        self::card(canvas, card, inner.cell(index, (COLUMNS, rows), 4));
    }
}

/// The hand of the viewer. Spectators see no hand.
pub(super) fn hand(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let owner = match canvas.look.viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator => None,
        Viewer::Operator => view.turn.as_ref().map(|turn| turn.active_player),
    };
    let player = view
        .players
        .iter()
        .find(|player| Some(player.seat) == owner);
    let cards = player.and_then(|player| player.hand);
    let title = match owner {
        Some(seat) if canvas.look.is_me(seat) => String::from("Your hand"),
        Some(seat) => format!("Hand of {}", canvas.look.names.of(seat)),
        None => String::from("Hands are hidden"),
    };
    let inner = canvas.panel(area, &title);
    let cards: Vec<Card> = cards.iter().flat_map(|cards| cards.iter()).collect();
    let rows = cards.len().div_ceil(COLUMNS).max(5);
    for (index, card) in cards.into_iter().enumerate() {
        self::card(canvas, card, inner.cell(index, (COLUMNS, rows), 4));
    }
}

/// The name in few words.
pub(super) fn short(card: Card) -> String {
    match card.kind() {
        CardKind::Start(_, kind, _) => kind.name().to_owned(),
        CardKind::Province(province) => province.name().to_owned(),
        CardKind::Improvement(improvement) => improvement.name().to_owned(),
    }
}

pub(super) const fn paint(kind: CardKind) -> Paint {
    match kind {
        CardKind::Start(..) => Paint::SoftSand,
        CardKind::Province(_) => Paint::SoftGreen,
        CardKind::Improvement(_) => Paint::SoftViolet,
    }
}

/// A card: its name, and its symbols as letters.
pub(super) fn card(canvas: &mut Canvas<'_>, card: Card, cell: Area) {
    let title = card.to_string();
    let outline = Outline::Rect(cell);
    canvas.part(components::card(card), title, &outline, |canvas| {
        canvas.bordered(cell, 5, (paint(card.kind()), Some((Paint::Line, 1))));
        let name = short(card);
        let symbols: Vec<Symbol> = Symbol::ALL
            .into_iter()
            .flat_map(|symbol| (0..card.symbols().count(symbol)).map(move |_| symbol))
            .collect();
        let low = cell.h < 38;
        let room = if low {
            cell.w - 10 - 17 * int(symbols.len())
        } else {
            cell.w - 10
        };
        let font = Font::new(13).bold().down_to(11, &name, room);
        let base = if low {
            cell.middle().y + 5
        } else {
            cell.y + 16
        };
        canvas.name(Point::new(cell.x + 5, base), name, font, room);
        let mut at = if low {
            Point::new(
                cell.right() - 10 - 17 * (int(symbols.len()) - 1),
                cell.middle().y,
            )
        } else {
            Point::new(cell.x + 13, cell.bottom() - 12)
        };
        for symbol in symbols {
            let (paint, letter) = map::symbol(symbol);
            canvas.disc(at, 8, (paint, None));
            let font = Font::new(11).bold().middle().paint(paint.on());
            canvas.label(at.by(0, 4), letter, font);
            at = at.by(17, 0);
        }
    });
}
