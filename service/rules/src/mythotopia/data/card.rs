//! The 89 physical cards that players own (MYT-3.6, 3.9).

use std::fmt;

use enumset::EnumSet;
use serde::{Deserialize, Serialize};

use super::map::Province;
use super::set::{Bits, Numbered};
use super::symbol::{Symbol, Symbols};
use crate::table::{ClosedSet, ids};

ids! {
    /// The color of a player's pieces.
    Color {
        Red "red" "Red",
        Blue "blue" "Blue",
        Yellow "yellow" "Yellow",
        Green "green" "Green",
    }
}

ids! {
    /// A kind of starting card.
    Start {
        Build "build" "Build",
        Army "army" "Army",
        Market "market" "Market",
        Ship "ship" "Ship",
    }
}

ids! {
    /// An improvement, in the order of the printed numbers 1 to 29.
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u32")]
    Improvement {
        Alchemist "alchemist" "Alchemist",
        Army "army" "Army",
        Build "build" "Build",
        Cavalry "cavalry" "Cavalry",
        Counsellor "counsellor" "Counsellor",
        Diplomat "diplomat" "Diplomat",
        Farming "farming" "Farming",
        General "general" "General",
        GoldMine "gold_mine" "Gold Mine",
        Hero "hero" "Hero",
        Levies "levies" "Levies",
        Limes "limes" "Limes",
        Marauders "marauders" "Marauders",
        Market "market" "Market",
        Mercenary "mercenary" "Mercenary",
        Merchant "merchant" "Merchant",
        Militia "militia" "Militia",
        Mystic "mystic" "Mystic",
        Philosopher "philosopher" "Philosopher",
        Portal "portal" "Portal",
        Providence "providence" "Providence",
        Quarry "quarry" "Quarry",
        Queen "queen" "Queen",
        Ranger "ranger" "Ranger",
        ReserveArmy "reserve_army" "Reserve Army",
        Scribe "scribe" "Scribe",
        Ship "ship" "Ship",
        Warehouse "warehouse" "Warehouse",
        WaterMill "water_mill" "Water Mill",
    }
}

/// A set of improvements.
pub type ImprovementSet = EnumSet<Improvement>;

ids! {
    /// An improvement that, in the reserve, lets one card a turn count as one symbol (MYT-6.3.1).
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u8")]
    Converter {
        Farming "farming" "Farming",
        GoldMine "gold_mine" "Gold Mine",
        Quarry "quarry" "Quarry",
        Levies "levies" "Levies",
    }
}

/// A set of converters.
pub type ConverterSet = EnumSet<Converter>;

impl Converter {
    /// The symbol that a converted card counts as.
    #[must_use]
    pub const fn symbol(self) -> Symbol {
        match self {
            Self::Farming => Symbol::Food,
            Self::GoldMine => Symbol::Gold,
            Self::Quarry => Symbol::Stone,
            Self::Levies => Symbol::Army,
        }
    }

    /// The improvement with this converter.
    #[must_use]
    pub const fn improvement(self) -> Improvement {
        match self {
            Self::Farming => Improvement::Farming,
            Self::GoldMine => Improvement::GoldMine,
            Self::Quarry => Improvement::Quarry,
            Self::Levies => Improvement::Levies,
        }
    }

    /// The card of this converter.
    #[must_use]
    pub const fn card(self) -> Card {
        Card::improvement(self.improvement())
    }
}

impl Start {
    /// The starting cards of each color, in the order of their ids. The rulebook does not say which kind is doubled;
    /// that is reconstructed (MYT-A28).
    pub const DEAL: [Self; 5] = [
        Self::Build,
        Self::Build,
        Self::Army,
        Self::Market,
        Self::Ship,
    ];

    /// The number of starting cards of a color that are of this kind.
    fn copies(self) -> usize {
        let same = Self::DEAL.iter().filter(|&&other| other == self);
        same.count()
    }

    /// The symbols of the card.
    #[must_use]
    pub const fn symbols(self) -> Symbols {
        Symbols::of(match self {
            Self::Build => &[Symbol::Stone],
            Self::Army => &[Symbol::Army, Symbol::Army, Symbol::Gold],
            Self::Market => &[Symbol::Gold, Symbol::Food, Symbol::Stone],
            Self::Ship => &[Symbol::Ship, Symbol::Food],
        })
    }
}

impl Improvement {
    /// The symbols of the card (MYT-3.6).
    #[must_use]
    pub const fn symbols(self) -> Symbols {
        Symbols::of(match self {
            Self::Army => &[Symbol::Army, Symbol::Army, Symbol::Gold],
            Self::Market => &[Symbol::Gold, Symbol::Food, Symbol::Stone],
            Self::Ship => &[Symbol::Ship, Symbol::Food, Symbol::Gold],
            Self::Build | Self::Ranger => &[Symbol::Stone],
            Self::Portal => &[Symbol::Food],
            Self::General | Self::Hero | Self::Militia | Self::ReserveArmy => &[Symbol::Army],
            Self::Alchemist
            | Self::Cavalry
            | Self::Counsellor
            | Self::Diplomat
            | Self::Farming
            | Self::GoldMine
            | Self::Levies
            | Self::Limes
            | Self::Marauders
            | Self::Mercenary
            | Self::Merchant
            | Self::Mystic
            | Self::Philosopher
            | Self::Providence
            | Self::Quarry
            | Self::Queen
            | Self::Scribe
            | Self::Warehouse
            | Self::WaterMill => &[],
        })
    }

    /// The printed number, 1 to 29.
    #[must_use]
    pub const fn printed_number(self) -> u8 {
        self as u8 + 1
    }
}

/// The kind of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardKind {
    /// A starting card of a color; copies are counted from 1.
    Start(Color, Start, u8),
    /// The card of a province.
    Province(Province),
    /// An improvement.
    Improvement(Improvement),
}

/// One physical card: the 20 starting cards by color, the 40 province cards, the 29 improvements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Card(u8);

/// A set of cards.
pub type CardSet = Bits<Card>;

const DEALT: u8 = 5;
const FIRST_PROVINCE: u8 = 20;
const FIRST_IMPROVEMENT: u8 = FIRST_PROVINCE + 40;
const CARDS: u8 = FIRST_IMPROVEMENT + 29;

const SYMBOLS: [Symbols; CARDS as usize] = {
    let mut table = [Symbols::of(&[]); CARDS as usize];
    let mut at = 0;
    while at < CARDS as usize {
        table[at] = if at < FIRST_PROVINCE as usize {
            Start::DEAL[at % DEALT as usize].symbols()
        } else if at < FIRST_IMPROVEMENT as usize {
            Symbols::of(&[Province::ALL[at - FIRST_PROVINCE as usize].row().symbol])
        } else {
            Improvement::ALL[at - FIRST_IMPROVEMENT as usize].symbols()
        };
        at += 1;
    }
    table
};

/// The cards that show each symbol.
const SHOWING: [CardSet; 5] = {
    let mut showing = [CardSet::EMPTY; 5];
    let mut symbol = 0;
    while symbol < showing.len() {
        let (mut bits, mut at) = (0, 0);
        while at < CARDS as usize {
            if SYMBOLS[at].count(Symbol::ALL[symbol]) > 0 {
                bits |= 1 << at;
            }
            at += 1;
        }
        showing[symbol] = CardSet::of(bits);
        symbol += 1;
    }
    showing
};

/// The starting cards of a kind, and the improvement with the same effect.
const fn alike(kind: Start, improvement: Improvement) -> CardSet {
    let mut bits = 1 << Card::improvement(improvement).0;
    let mut at = 0;
    while at < FIRST_PROVINCE {
        if Start::DEAL[(at % DEALT) as usize].index() == kind.index() {
            bits |= 1 << at;
        }
        at += 1;
    }
    CardSet::of(bits)
}

impl Card {
    /// The number of cards.
    pub const COUNT: usize = CARDS as usize;
    /// The cards that each carry an army over one sea area (MYT-7.27).
    pub const SHIPS: CardSet = alike(Start::Ship, Improvement::Ship);
    /// The cards that each let their owner build (MYT-7.3).
    pub const BUILDERS: CardSet = alike(Start::Build, Improvement::Build);

    /// All cards, in the order of their ids.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..CARDS).map(Self)
    }

    /// The cards that show a symbol.
    #[must_use]
    pub const fn showing(symbol: Symbol) -> CardSet {
        SHOWING[symbol.index()]
    }

    /// The card of a province.
    #[must_use]
    pub const fn province(province: Province) -> Self {
        Self(FIRST_PROVINCE + province as u8)
    }

    /// The card of an improvement.
    #[must_use]
    pub const fn improvement(improvement: Improvement) -> Self {
        Self(FIRST_IMPROVEMENT + improvement as u8)
    }

    /// The five starting cards of a color.
    pub fn starting(color: Color) -> impl Iterator<Item = Self> {
        (0..DEALT).map(move |at| Self(color as u8 * DEALT + at))
    }

    /// The kind of the card.
    #[must_use]
    pub fn kind(self) -> CardKind {
        if let Some(at) = self.0.checked_sub(FIRST_IMPROVEMENT) {
            return CardKind::Improvement(Improvement::ALL[usize::from(at)]);
        }
        if let Some(at) = self.0.checked_sub(FIRST_PROVINCE) {
            return CardKind::Province(Province::ALL[usize::from(at)]);
        }
        let place = usize::from(self.0 % DEALT);
        let kind = Start::DEAL[place];
        let earlier = Start::DEAL[..place].iter().filter(|&&other| other == kind);
        let copy = earlier.fold(1, |copy, _| copy + 1);
        CardKind::Start(Color::ALL[usize::from(self.0 / DEALT)], kind, copy)
    }

    /// The symbols printed on the card.
    #[must_use]
    pub const fn symbols(self) -> Symbols {
        SYMBOLS[self.0 as usize]
    }

    /// The province of a province card.
    #[must_use]
    pub fn as_province(self) -> Option<Province> {
        ClosedSet::nth(usize::from(self.0.checked_sub(FIRST_PROVINCE)?))
    }

    /// The improvement of an improvement card.
    #[must_use]
    pub fn as_improvement(self) -> Option<Improvement> {
        ClosedSet::nth(usize::from(self.0.checked_sub(FIRST_IMPROVEMENT)?))
    }

    /// Returns whether the card carries an army over one sea area (MYT-7.27).
    #[must_use]
    pub fn is_ship(self) -> bool {
        Self::SHIPS.contains(self)
    }

    /// Returns whether the card lets its owner build (MYT-7.3).
    #[must_use]
    pub fn is_build(self) -> bool {
        Self::BUILDERS.contains(self)
    }

    /// The id: `start:red:build#1`, `prov:mome`, `imp:hero` (MYT-3.9).
    #[must_use]
    pub fn id(self) -> String {
        match self.kind() {
            CardKind::Start(color, kind, copy) => {
                format!("start:{}:{}#{copy}", color.id(), kind.id())
            }
            CardKind::Province(province) => format!("prov:{}", province.id()),
            CardKind::Improvement(improvement) => format!("imp:{}", improvement.id()),
        }
    }

    /// The card with this id.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::all().find(|card| card.id() == id)
    }
}

impl Numbered for Card {
    fn index(self) -> usize {
        usize::from(self.0)
    }

    fn nth(index: usize) -> Option<Self> {
        let number = u8::try_from(index).ok()?;
        (number < CARDS).then_some(Self(number))
    }
}

impl TryFrom<u8> for Card {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        if number < CARDS {
            Ok(Self(number))
        } else {
            Err(format!("there is no card {number}"))
        }
    }
}

impl From<Card> for u8 {
    fn from(card: Card) -> Self {
        card.0
    }
}

/// Displays the name as printed. An improvement is distinguished from the starting card of the same name. The color of
/// a starting card is left out, since nobody has starting cards of others.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            CardKind::Start(_, kind, _) => write!(f, "{kind}"),
            CardKind::Province(province) => write!(f, "{province}"),
            CardKind::Improvement(improvement) => {
                let twin = Start::ALL.map(Start::name).contains(&improvement.name());
                write!(
                    f,
                    "{improvement}{}",
                    if twin { " (improvement)" } else { "" }
                )
            }
        }
    }
}

/// The names of a card.
pub struct Called {
    /// The name of a single card.
    pub alone: String,
    /// The name of several cards of the same name: `Builds`.
    pub many: String,
}

impl Called {
    /// The names as printed.
    pub fn printed(card: Card) -> Self {
        Self {
            alone: card.to_string(),
            many: plural(card),
        }
    }

    /// The names of a single card, so that copies can be distinguished: `Build 2 (starting card)`.
    pub fn exactly(card: Card) -> Self {
        let alone = match card.kind() {
            CardKind::Start(_, kind, copy) if kind.copies() > 1 => {
                format!("{kind} {copy} (starting card)")
            }
            CardKind::Start(..) | CardKind::Province(_) | CardKind::Improvement(_) => {
                card.to_string()
            }
        };
        let many = plural(card);
        Self { alone, many }
    }
}

fn plural(card: Card) -> String {
    format!("{card}s")
}

/// Cards in their order, each with a note. Neighbors with the same name and note are counted:
/// `2 Builds for stone`.
pub fn grouped(cards: impl IntoIterator<Item = (Called, String)>) -> Vec<String> {
    let mut groups: Vec<((Called, String), usize)> = Vec::new();
    for (card, rest) in cards {
        match groups.last_mut() {
            Some(((last, said), count)) if last.many == card.many && *said == rest => *count += 1,
            Some(_) | None => groups.push(((card, rest), 1)),
        }
    }
    let group = |((card, rest), count): ((Called, String), usize)| match count {
        1 => format!("{}{rest}", card.alone),
        _ => format!("{count} {}{rest}", card.many),
    };
    groups.into_iter().map(group).collect()
}

/// Cards by name only, each name once, at its first position.
pub fn card_names(cards: impl IntoIterator<Item = Card>) -> Vec<String> {
    let cards: Vec<Card> = cards.into_iter().collect();
    let names: Vec<String> = cards.iter().map(Card::to_string).collect();
    let mut named: Vec<_> = names.iter().zip(cards).collect();
    named.sort_by_key(|&(name, _)| names.iter().position(|other| other == name));
    let printed = |(_, card)| (Called::printed(card), String::new());
    grouped(named.into_iter().map(printed))
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}
