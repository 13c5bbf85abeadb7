//! Cards: piles of the Supply, and cards in a row.

use crate::dominion::components;
use crate::dominion::data::{Card, CardType, Pile};
use crate::table::picture::{Area, Canvas, Outline, Paint, Point, Shape};
use crate::table::{Component, Count};

/// The color of a card: that of its most particular type.
pub(super) fn paint(card: Card) -> Paint {
    let paints = [
        (CardType::Attack, Paint::SoftRed),
        (CardType::Reaction, Paint::SoftBlue),
        (CardType::Curse, Paint::SoftViolet),
        (CardType::Treasure, Paint::SoftYellow),
        (CardType::Victory, Paint::SoftGreen),
    ];
    let mut paints = paints.into_iter().filter(|(kind, _)| card.is(*kind));
    paints.next().map_or(Paint::SoftGray, |(_, paint)| paint)
}

/// The types of a card, for people who do not see colors.
fn types(card: Card) -> String {
    let types = card.sheet().types.iter().map(|kind| kind.name());
    types.collect::<Vec<_>>().join(", ")
}

/// The bonuses of a card, in brief.
fn bonuses(card: Card) -> String {
    let plus = card.sheet().plus;
    let given = [
        (plus.cards, "card"),
        (plus.actions, "action"),
        (plus.buys, "buy"),
        (plus.coins, "coin"),
    ];
    let given = given.into_iter().filter(|(amount, _)| *amount > 0);
    let given: Vec<String> = given
        .map(|(amount, what)| format!("+{}", Count(amount, what)))
        .collect();
    given.join(", ")
}

/// The effect of a card beside its bonuses, in few words.
const fn gist(card: Card) -> &'static str {
    match card {
        Card::Copper => "1 coin",
        Card::Silver => "2 coins",
        Card::Gold => "3 coins",
        Card::Estate => "1 VP",
        Card::Duchy => "3 VP",
        Card::Province => "6 VP",
        Card::Curse => "-1 VP",
        Card::Adventurer => "Dig for 2 Treasures",
        Card::Bureaucrat => "Silver on deck, Attack",
        Card::Cellar => "discard, redraw",
        Card::Chancellor => "may discard deck",
        Card::Chapel => "Trash up to 4 cards",
        Card::CouncilRoom => "others draw 1",
        Card::Feast => "Trash this, gain up to 5",
        Card::Gardens => "1 VP per 10 cards",
        Card::Library => "Draw up to 7 cards",
        Card::Militia => "others discard to 3",
        Card::Mine => "Better a Treasure by 3",
        Card::Moat => "stops Attacks",
        Card::Moneylender => "Trash Copper: +3 coins",
        Card::Remodel => "Trash, gain up to 2 more",
        Card::Spy => "sift top cards",
        Card::Thief => "Steal Treasures",
        Card::ThroneRoom => "Play an Action twice",
        Card::Witch => "Curse for others",
        Card::Workshop => "Gain up to 4",
        Card::Festival
        | Card::Laboratory
        | Card::Market
        | Card::Smithy
        | Card::Village
        | Card::Woodcutter => "",
    }
}

/// Draws the effect of a card from this base line on: as it is printed if that fits, otherwise in few words. Draws
/// nothing if these have no room either.
fn effect(canvas: &mut Canvas<'_>, card: Card, at: Point, (width, height): (i32, i32)) {
    let font = canvas.font(11);
    let lines = usize::try_from((height + 8) / 13).unwrap_or(0);
    let [bonuses, gist] = [bonuses(card), gist(card).to_owned()];
    let both = if bonuses.is_empty() || gist.is_empty() {
        format!("{bonuses}{gist}")
    } else {
        format!("{bonuses}; {gist}")
    };
    let texts = [card.sheet().printed(), both];
    let text = texts.iter().find(|text| font.fits(text, (width, lines)));
    if let Some(text) = text {
        canvas.lines(at, text, font, (width, lines));
    }
}

/// The price as a coin.
fn price(canvas: &mut Canvas<'_>, card: Card, middle: Point) {
    canvas.shape(Shape::Coin, middle, 22, Paint::Gold);
    let font = canvas.font(13).bold().middle().paint(Paint::Dark);
    canvas.label(middle.by(0, 5), card.cost(), font);
}

/// A pile of the Supply: price, name, number, effect.
pub(super) fn pile(canvas: &mut Canvas<'_>, Pile { card, count }: Pile, area: Area) {
    let title = format!(
        "{card}, {}: costs {}, {count} left. {}",
        types(card),
        card.cost(),
        card.sheet().printed()
    );
    canvas.part(
        components::card(card),
        title,
        &Outline::Rect(area),
        |canvas| {
            let fill = if count == 0 {
                Paint::Empty
            } else {
                paint(card)
            };
            canvas.bordered(area, 6, (fill, Some((Paint::Line, 1))));
            price(canvas, card, area.corner().by(15, 16));
            let number = canvas.font(15).bold().end();
            let number = if count == 0 { number.faint() } else { number };
            let narrow = area.w < 112;
            let at = if narrow {
                Point::new(area.right() - 7, area.y + 21)
            } else {
                Point::new(area.right() - 8, area.y + 21)
            };
            canvas.label(at, format_args!("×{count}"), number);
            let (left, base, width) = if narrow {
                (area.x + 7, area.y + 44, area.w - 12)
            } else {
                (area.x + 31, area.y + 21, area.w - 66)
            };
            let font = canvas.font(14).bold().down_to(11, card.name(), width);
            canvas.name(Point::new(left, base), card.name(), font, width);
            let below = if narrow { base + 15 } else { area.y + 44 };
            let at = Point::new(area.x + 7, below);
            effect(canvas, card, at, (area.w - 12, area.bottom() - below));
        },
    );
}

/// Cards side by side, each kind once with its number.
pub(super) fn row(canvas: &mut Canvas<'_>, cards: &[(Component, Card, u8)], area: Area) {
    let most = if area.w < 400 { 4 } else { 6 };
    let columns = cards.len().clamp(most, 7);
    let rows = cards.len().div_ceil(columns).max(1);
    for (index, (component, card, count)) in cards.iter().enumerate() {
        let cell = area.cell(index, (columns, rows), 5);
        let outline = Outline::Rect(cell);
        canvas.part(
            *component,
            format_args!("{count} {card}"),
            &outline,
            |canvas| {
                canvas.bordered(cell, 6, (paint(*card), Some((Paint::Dark, 1))));
                let at = cell.corner().by(6, 18);
                if *count > 1 {
                    let number = canvas.font(14).bold().end();
                    canvas.label(
                        Point::new(cell.right() - 6, at.y),
                        format_args!("×{count}"),
                        number,
                    );
                }
                let width = cell.w - 10;
                let base = if *count > 1 { 35 } else { 18 };
                let font = canvas.font(14).bold().down_to(11, card.name(), width);
                canvas.name(cell.corner().by(6, base), card.name(), font, width);
                let at = cell.corner().by(6, base + 18);
                effect(canvas, *card, at, (width, cell.h - base - 20));
            },
        );
    }
}
