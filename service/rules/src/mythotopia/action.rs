//! Everything a player can send.

use serde::{Deserialize, Serialize};

use super::data::{Card, Converter, Province, Sea, Symbol};
use crate::table::{Seat, ids};

/// An id as it came from a client. Nothing, where it names no such thing: `check` refuses that in
/// its turn (MYT-6.11).
pub type Named<T> = Option<T>;

/// One card played for its symbols (MYT-6.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolPlay {
    /// The card.
    pub card: Named<Card>,
    /// The kind of symbol that it finally gives.
    pub symbol: Named<Symbol>,
    /// The converter in the reserve that makes it count as one symbol.
    pub via: Option<Named<Converter>>,
    /// The Merchant card, if it changes the resource.
    pub merchant: Option<Named<Card>>,
    /// The Water Mill card, if it doubles the resource.
    pub water_mill: Option<Named<Card>>,
}

/// Where an invasion starts (MYT-6.5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// From a province that the player controls.
    Site {
        /// A site card for the province (MYT-6.4.2).
        card: Named<Card>,
        /// The province.
        province: Named<Province>,
    },
    /// From anywhere.
    Portal {
        /// The Portal card.
        card: Named<Card>,
    },
}

/// The way of an invasion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Route {
    /// Over a land border.
    Land,
    /// Over one or two sea areas, in the order of travel.
    Sea {
        /// The sea areas.
        areas: Vec<Named<Sea>>,
    },
}

/// An invasion (MYT-6.5.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invasion {
    /// The province.
    pub target: Named<Province>,
    /// Where from.
    pub origin: Origin,
    /// Which way; absent with Portal.
    pub route: Option<Route>,
    /// Cards for armies.
    pub armies: Vec<SymbolPlay>,
    /// Cards for food.
    pub food: Vec<SymbolPlay>,
    /// Ship cards, one for each sea area.
    pub transport: Vec<Named<Card>>,
}

/// Armies moved along the player's roads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoadMove {
    /// Where they leave.
    pub from: Named<Province>,
    /// Where they arrive.
    pub to: Named<Province>,
    /// How many.
    pub count: u16,
}

ids! {
    /// Where a token comes from (MYT-6.8).
    TokenSource {
        Card "card",
        /// Thanks to Scribe.
        Bank "bank",
        /// The token is declined. Offered for Master of the Seas alone (MYT-7.26.4).
        None "none",
    }
}

/// Everything a player can send. Rule ids: MYT-6.5, 6.6, 6.8.2, 6.10 and chapter 7.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Secretly chooses the dealt provinces to give away.
    SetupDiscardProvinces {
        /// Their cards.
        cards: Vec<Named<Card>>,
    },
    /// Secretly chooses the province of the citadel.
    SetupPlaceCitadel {
        /// The province.
        province: Named<Province>,
    },
    /// Invades a province.
    Invade(Invasion),
    /// Places armies.
    PlaceArmies {
        /// The province.
        province: Named<Province>,
        /// Cards for armies.
        armies: Vec<SymbolPlay>,
        /// Cards for food.
        food: Vec<SymbolPlay>,
    },
    /// Takes armies and mercenaries back from a province at peace.
    RemoveArmies {
        /// The province.
        province: Named<Province>,
        /// How many armies.
        armies: u16,
        /// How many mercenaries.
        mercenaries: u16,
    },
    /// Places ships.
    PlaceShips {
        /// The sea area.
        sea: Named<Sea>,
        /// Cards for ships.
        ships: Vec<SymbolPlay>,
    },
    /// Takes ships back.
    RemoveShips {
        /// The sea area.
        sea: Named<Sea>,
        /// How many.
        count: u16,
    },
    /// Ends a war.
    EndWar {
        /// The province.
        province: Named<Province>,
        /// The Hero card, to win a tie.
        hero: Option<Named<Card>>,
    },
    /// Buys armies and ships from the pool.
    BuyUnits {
        /// How many armies.
        armies: u16,
        /// How many ships.
        ships: u16,
        /// Cards for gold.
        gold: Vec<SymbolPlay>,
    },
    /// Drafts an improvement on display, or a card of his own that was removed.
    DraftCard {
        /// The card.
        card: Named<Card>,
        /// Cards for gold.
        gold: Vec<SymbolPlay>,
    },
    /// Puts cards from the hand into the reserve.
    ReserveCards {
        /// The cards.
        cards: Vec<Named<Card>>,
    },
    /// Discards cards from hand and reserve.
    DiscardCards {
        /// The cards.
        cards: Vec<Named<Card>>,
    },
    /// Removes one or two cards of hand and reserve from the deck.
    RemoveCards {
        /// The cards.
        cards: Vec<Named<Card>>,
    },
    /// Builds a city.
    BuildCity {
        /// The Build card.
        build_card: Named<Card>,
        /// A site card for the province.
        site_card: Named<Card>,
        /// The province.
        province: Named<Province>,
        /// Cards for stone.
        stone: Vec<SymbolPlay>,
        /// Cards for the gold of Guild City.
        guild_gold: Vec<SymbolPlay>,
    },
    /// Builds a castle.
    BuildCastle {
        /// The Build card.
        build_card: Named<Card>,
        /// A site card for the province.
        site_card: Named<Card>,
        /// The province.
        province: Named<Province>,
        /// Cards for stone.
        stone: Vec<SymbolPlay>,
    },
    /// Builds a road.
    BuildRoad {
        /// The Build card.
        build_card: Named<Card>,
        /// A site card for one of the provinces.
        site_card: Named<Card>,
        /// One end.
        a: Named<Province>,
        /// The other end.
        b: Named<Province>,
        /// Cards for stone.
        stone: Vec<SymbolPlay>,
        /// Cards for the gold of Roadside Inns.
        inn_gold: Vec<SymbolPlay>,
    },
    /// Exchanges a token for the next higher one.
    UseAlchemist {
        /// The Alchemist card.
        card: Named<Card>,
        /// The value given: 1 or 2.
        from: u16,
    },
    /// Ends a war without a winner.
    UseDiplomat {
        /// The Diplomat card.
        card: Named<Card>,
        /// The province.
        province: Named<Province>,
        /// Cards for gold.
        gold: Vec<SymbolPlay>,
    },
    /// Pays for a token of Patronage.
    Patronage {
        /// Cards for gold.
        gold: Vec<SymbolPlay>,
    },
    /// Does nothing with an action.
    Pass,
    /// Ends the game as its winner.
    EndGame,
    /// Moves armies along his roads.
    MoveArmiesByRoad {
        /// The moves; all happen at once.
        moves: Vec<RoadMove>,
    },
    /// Puts one card from the hand into the reserve, thanks to Warehouse.
    WarehouseStore {
        /// The card.
        card: Named<Card>,
    },
    /// Exchanges cards of the hand for new ones and one more.
    UseCounsellor {
        /// The Counsellor card.
        card: Named<Card>,
        /// Cards of the hand.
        hand: Vec<Named<Card>>,
        /// Cards of the reserve.
        reserve: Vec<Named<Card>>,
    },
    /// Sends one army of anybody home.
    UseMarauders {
        /// The Marauders card.
        card: Named<Card>,
        /// The province.
        province: Named<Province>,
        /// Whose army.
        owner: Named<Seat>,
    },
    /// Hires mercenaries.
    UseMercenary {
        /// The Mercenary card.
        card: Named<Card>,
        /// Cards for gold.
        gold: Vec<SymbolPlay>,
        /// The province.
        province: Named<Province>,
        /// How many: 1 or 2.
        count: u16,
    },
    /// Takes an army from the pool into the stock.
    UseMilitia {
        /// The Militia card.
        card: Named<Card>,
    },
    /// Takes a card back from the discard pile.
    UseMystic {
        /// The Mystic card.
        card: Named<Card>,
        /// Cards for gold.
        gold: Vec<SymbolPlay>,
        /// The card to take.
        take: Named<Card>,
    },
    /// Looks at three face-down improvements.
    UsePhilosopher {
        /// The Philosopher card.
        card: Named<Card>,
    },
    /// Draws two cards.
    UseProvidence {
        /// The Providence card.
        card: Named<Card>,
    },
    /// Ends the turn.
    EndTurn,
    /// Says where a token comes from.
    ChooseTokenSource {
        /// The source.
        source: Named<TokenSource>,
    },
    /// Keeps one of the improvements that Philosopher shows.
    ChoosePhilosopherCard {
        /// Its card.
        card: Named<Card>,
    },
}

impl Action {
    /// The name of the kind, as the rule document spells it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::SetupDiscardProvinces { .. } => "setup_discard_provinces",
            Self::SetupPlaceCitadel { .. } => "setup_place_citadel",
            Self::Invade(_) => "invade",
            Self::PlaceArmies { .. } => "place_armies",
            Self::RemoveArmies { .. } => "remove_armies",
            Self::PlaceShips { .. } => "place_ships",
            Self::RemoveShips { .. } => "remove_ships",
            Self::EndWar { .. } => "end_war",
            Self::BuyUnits { .. } => "buy_units",
            Self::DraftCard { .. } => "draft_card",
            Self::ReserveCards { .. } => "reserve_cards",
            Self::DiscardCards { .. } => "discard_cards",
            Self::RemoveCards { .. } => "remove_cards",
            Self::BuildCity { .. } => "build_city",
            Self::BuildCastle { .. } => "build_castle",
            Self::BuildRoad { .. } => "build_road",
            Self::UseAlchemist { .. } => "use_alchemist",
            Self::UseDiplomat { .. } => "use_diplomat",
            Self::Patronage { .. } => "patronage",
            Self::Pass => "pass",
            Self::EndGame => "end_game",
            Self::MoveArmiesByRoad { .. } => "move_armies_by_road",
            Self::WarehouseStore { .. } => "warehouse_store",
            Self::UseCounsellor { .. } => "use_counsellor",
            Self::UseMarauders { .. } => "use_marauders",
            Self::UseMercenary { .. } => "use_mercenary",
            Self::UseMilitia { .. } => "use_militia",
            Self::UseMystic { .. } => "use_mystic",
            Self::UsePhilosopher { .. } => "use_philosopher",
            Self::UseProvidence { .. } => "use_providence",
            Self::EndTurn => "end_turn",
            Self::ChooseTokenSource { .. } => "choose_token_source",
            Self::ChoosePhilosopherCard { .. } => "choose_philosopher_card",
        }
    }
}
