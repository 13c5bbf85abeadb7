//! The turn: remaining actions, buys and coins, cards in play, unfinished effects, the trash.

use super::cards;
use crate::dominion::board::effect;
use crate::dominion::components;
use crate::dominion::data::Card;
use crate::dominion::stage::EffectFrame;
use crate::dominion::state::Cards;
use crate::dominion::view::View;
use crate::table::picture::{Area, Canvas, Outline, Paint, Point};
use crate::table::text::plain;
use crate::table::{Component, Seat};

/// Draws the remaining actions, buys and coins, the effects in progress with the cards that they show, and the trash.
pub(super) fn turn(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let who = canvas.look.names.of(view.active_player);
    let title = if view.pending.is_empty() {
        String::from("The game is over")
    } else {
        format!("{who}: {}", view.phase)
    };
    let inner = canvas.panel(area, &title);
    let (numbers, rest) = inner.cut_top(74);
    let left = view.counters;
    let counters = [
        ("actions", left.actions),
        ("buys", left.buys),
        ("coins", left.coins),
    ];
    for (index, (what, number)) in counters.into_iter().enumerate() {
        let cell = numbers.column(index, counters.len(), 6);
        canvas.rect(
            cell,
            6,
            if number > 0 {
                Paint::Glow
            } else {
                Paint::Empty
            },
        );
        let middle = Point::new(cell.middle().x, cell.y + 38);
        canvas.label(middle, number, canvas.font(32).bold().middle());
        canvas.label(middle.by(0, 22), what, canvas.font(13).middle());
    }
    let (trash, rest) = rest.cut_top(8).1.cut_top(64);
    self::trash(canvas, view, trash);
    effects(canvas, view, rest.cut_top(8).1);
}

fn trash(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let kinds = view.trash.iter().map(|(card, count)| match count {
        1 => card.name().to_owned(),
        _ => format!("{card} ×{count}"),
    });
    let kinds: Vec<String> = kinds.collect();
    let text = if kinds.is_empty() {
        String::from("empty")
    } else {
        kinds.join(", ")
    };
    let (font, room) = (canvas.font(12).faint(), (area.w - 14, 2));
    let shown = if font.fits(&text, room) {
        text.clone()
    } else {
        let cards: u16 = view.trash.iter().map(|(_, count)| u16::from(count)).sum();
        format!("{cards} cards of {} kinds", kinds.len())
    };
    let outline = Outline::Rect(area);
    canvas.part(
        components::trash(),
        format_args!("Trash: {text}"),
        &outline,
        |canvas| {
            canvas.rect(area, 6, Paint::Empty);
            let at = area.corner().by(8, 17);
            canvas.label(at, "Trash", canvas.font(12).bold());
            canvas.lines(at.by(0, 17), &shown, font, room);
        },
    );
}

/// Unfinished effects, the one being resolved first, and the cards that it shows.
fn effects(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    if view.stack.is_empty() {
        return;
    }
    let mut y = area.y + 12;
    canvas.label(Point::new(area.x, y), "In progress", canvas.font(13).bold());
    y += 17;
    for frame in view.stack.iter().rev().take(3) {
        let text = plain(&effect(frame, canvas.look.names));
        y = canvas.name_lines(Point::new(area.x, y), &text, canvas.font(12), (area.w, 2));
    }
    let shown = shown(view);
    if !shown.is_empty() {
        let rest = Area::new(area.x, y, area.w, (area.bottom() - y).clamp(40, 90));
        cards::row(canvas, &shown, rest);
    }
}

/// The cards that the effect being resolved shows or has set aside.
fn shown(view: &View) -> Vec<(Component, Card, u8)> {
    let (seat, cards): (Seat, Cards) = match view.stack.last() {
        Some(EffectFrame::Library { drawn, set_aside }) => {
            let cards = drawn.iter().chain(set_aside);
            (view.active_player, cards.copied().collect())
        }
        Some(EffectFrame::Spy {
            queue, revealed, ..
        }) => {
            let seat = queue.first().copied().unwrap_or(view.active_player);
            (seat, revealed.iter().copied().collect())
        }
        Some(EffectFrame::Thief {
            queue, revealed, ..
        }) => {
            let seat = queue.first().copied().unwrap_or(view.active_player);
            (seat, revealed.iter().copied().collect())
        }
        Some(
            EffectFrame::Reactions { .. }
            | EffectFrame::Resolve { .. }
            | EffectFrame::ThroneChoose
            | EffectFrame::ThroneSecond { .. }
            | EffectFrame::Gain(_)
            | EffectFrame::Cellar
            | EffectFrame::Chapel
            | EffectFrame::Chancellor
            | EffectFrame::RemodelTrash
            | EffectFrame::MineTrash
            | EffectFrame::Militia { .. }
            | EffectFrame::Bureaucrat { .. }
            | EffectFrame::ThiefGain { .. },
        )
        | None => return Vec::new(),
    };
    let part = |(card, count)| (components::shown(seat, card), card, count);
    cards.iter().map(part).collect()
}

/// The cards that the active player has played, each kind once.
pub(super) fn in_play(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let seat = view.active_player;
    let title = format!("In play: {}", canvas.look.names.of(seat));
    let inner = canvas.panel(area, &title);
    let player = view.players.iter().find(|player| player.seat == seat);
    let played = player.map_or(&[][..], |player| &player.in_play);
    let mut kinds: Vec<(Component, Card, u8)> = Vec::new();
    for card in played {
        match kinds.iter_mut().find(|(_, listed, _)| listed == card) {
            Some((_, _, count)) => *count += 1,
            None => kinds.push((components::in_play(seat, *card), *card, 1)),
        }
    }
    if kinds.is_empty() {
        let at = inner.corner().by(0, 24);
        canvas.label(at, "nothing yet", canvas.font(14).faint());
    }
    cards::row(canvas, &kinds, inner);
}
