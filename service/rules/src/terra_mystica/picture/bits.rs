//! The gifts of tiles and cards, in figures and signs: as short as on the printed ones.

use crate::table::picture::{Area, Canvas, Font, Paint, Point, Shape, int};
use crate::terra_mystica::data::{BonusCard, Cult, FavorTile, PowerAction, TownTile};

/// A part of a row of figures and signs.
#[derive(Clone, Copy)]
pub(super) enum Bit {
    Text(&'static str),
    Sign(Shape, Paint),
    /// A step on each of the four cults.
    Cults,
}

use Bit::{Cults, Text};

const COIN: Bit = Bit::Sign(Shape::Coin, Paint::Gold);
const WORKER: Bit = Bit::Sign(Shape::Cube, Paint::White);
const PRIEST: Bit = Bit::Sign(Shape::Priest, Paint::Violet);
const POWER: Bit = Bit::Sign(Shape::Circle, Paint::Violet);
const SHIP: Bit = Bit::Sign(Shape::Ship, Paint::Sky);
const SPADE: Bit = Bit::Sign(Shape::Spade, Paint::Brown);
const KEY: Bit = Bit::Sign(Shape::Key, Paint::Gold);
const STEP: Bit = Bit::Sign(Shape::Step, Paint::Violet);
const DWELLING: Bit = Bit::Sign(Shape::House, Paint::Silver);
const TRADING_HOUSE: Bit = Bit::Sign(Shape::TradingHouse, Paint::Silver);
const STRONGHOLD: Bit = Bit::Sign(Shape::Castle, Paint::Silver);
const SANCTUARY: Bit = Bit::Sign(Shape::Temple, Paint::Silver);

/// Returns the income and effect of a bonus card; points are for the structures or steps that follow.
pub(super) const fn of_bonus(card: BonusCard) -> &'static [Bit] {
    match card {
        BonusCard::Bon1 => &[Text("2"), COIN, SPADE],
        BonusCard::Bon2 => &[Text("4"), COIN, STEP],
        BonusCard::Bon3 => &[Text("6"), COIN],
        BonusCard::Bon4 => &[Text("3"), POWER, SHIP, Text("+1")],
        BonusCard::Bon5 => &[Text("3"), POWER, Text("1"), WORKER],
        BonusCard::Bon6 => &[Text("2"), WORKER, Text("VP"), STRONGHOLD, SANCTUARY],
        BonusCard::Bon7 => &[Text("1"), WORKER, Text("VP"), TRADING_HOUSE],
        BonusCard::Bon8 => &[Text("1"), PRIEST],
        BonusCard::Bon9 => &[Text("2"), COIN, Text("VP"), DWELLING],
        BonusCard::Bon10 => &[Text("3"), POWER, Text("VP"), SHIP],
    }
}

/// Returns the effect of a favor tile besides its steps.
pub(super) const fn of_favor(tile: FavorTile) -> &'static [Bit] {
    match tile {
        FavorTile::Fav1 | FavorTile::Fav2 | FavorTile::Fav3 | FavorTile::Fav4 => &[],
        FavorTile::Fav5 => &[Text("towns 6")],
        FavorTile::Fav6 => &[STEP],
        FavorTile::Fav7 => &[Text("1"), WORKER, Text("1"), POWER],
        FavorTile::Fav8 => &[Text("4"), POWER],
        FavorTile::Fav9 => &[Text("3"), COIN],
        FavorTile::Fav10 => &[Text("3 VP"), TRADING_HOUSE],
        FavorTile::Fav11 => &[Text("2 VP"), DWELLING],
        FavorTile::Fav12 => &[Text("VP"), TRADING_HOUSE, Text("pass")],
    }
}

/// Returns the gift of a power action.
pub(super) const fn of_power(action: PowerAction) -> &'static [Bit] {
    match action {
        PowerAction::Act1 => &[Text("bridge")],
        PowerAction::Act2 => &[Text("1"), PRIEST],
        PowerAction::Act3 => &[Text("2"), WORKER],
        PowerAction::Act4 => &[Text("7"), COIN],
        PowerAction::Act5 => &[Text("1"), SPADE],
        PowerAction::Act6 => &[Text("2"), SPADE],
    }
}

/// Returns the gifts of a town tile besides points, in two lines.
pub(super) const fn of_town(tile: TownTile) -> [&'static [Bit]; 2] {
    match tile {
        TownTile::Tw1 => [&[Text("6"), COIN], &[]],
        TownTile::Tw2 => [&[Text("2"), WORKER], &[]],
        TownTile::Tw3 => [&[Text("1"), PRIEST], &[]],
        TownTile::Tw4 => [&[Text("8"), POWER], &[]],
        TownTile::Tw5 => [&[Text("+1"), Cults], &[]],
        TownTile::Tw6 => [&[Text("+2"), Cults], &[Text("2"), KEY]],
        TownTile::Tw7 => [&[SHIP, Text("+1")], &[]],
        TownTile::Tw8 => [&[], &[]],
    }
}

/// The size of signs in a row.
const SIGN: i32 = 12;

impl Bit {
    fn width(self, font: Font) -> i32 {
        match self {
            Text(text) => font.label_width(text) + 3,
            Self::Sign(..) => SIGN + 2,
            Cults => 13,
        }
    }
}

/// Returns the width of a row.
pub(super) fn width(bits: &[Bit], font: Font) -> i32 {
    bits.iter().map(|bit| bit.width(font)).sum()
}

/// Draws a row from this base line on.
pub(super) fn row(canvas: &mut Canvas<'_>, bits: &[Bit], mut at: Point, font: Font) {
    for bit in bits {
        match *bit {
            Text(text) => canvas.label(at, text, font),
            Bit::Sign(shape, paint) => canvas.shape(shape, at.by(SIGN / 2, -4), SIGN, paint),
            Cults => {
                for (place, cult) in Cult::ALL.into_iter().enumerate() {
                    let corner = at.by(6 * int(place % 2), 6 * int(place / 2) - 10);
                    let area = Area::new(corner.x, corner.y, 5, 5);
                    canvas.rect(area, 0, super::cult_paint(cult));
                }
            }
        }
        at = at.by(bit.width(font), 0);
    }
}

/// Draws a row in the middle of this base line.
pub(super) fn centered(canvas: &mut Canvas<'_>, bits: &[Bit], at: Point, font: Font) {
    row(canvas, bits, at.by(-width(bits, font) / 2, 0), font);
}
