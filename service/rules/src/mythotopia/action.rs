//! The actions that a player can send (MYT-6.5, 6.6, 6.8.2, 6.10, 7).

use serde::{Deserialize, Serialize};

use super::data::{Card, Converter, Province, Sea, Symbol};
use crate::table::{Named, Seat, actions, ids};

/// One card played for its symbols (MYT-6.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SymbolPlay {
    pub card: Named<Card>,
    /// The kind of symbol that the play gives after all conversions.
    pub symbol: Named<Symbol>,
    /// The converter in the reserve that makes the card count as one symbol.
    pub via: Option<Named<Converter>>,
    /// The Merchant card, if it changes the resource.
    pub merchant: Option<Named<Card>>,
    /// The Water Mill card, if it doubles the resource.
    pub water_mill: Option<Named<Card>>,
}

/// The starting point of an invasion (MYT-6.5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Origin {
    /// From a province that the player controls.
    Site {
        /// A site card for the province (MYT-6.4.2).
        card: Named<Card>,
        province: Named<Province>,
    },
    /// From anywhere, by a Portal card.
    Portal { card: Named<Card> },
}

/// The route of an invasion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Route {
    Land,
    /// Over one or two sea areas, in the order of travel.
    Sea {
        areas: Vec<Named<Sea>>,
    },
}

/// An invasion (MYT-6.5.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Invasion {
    pub target: Named<Province>,
    pub origin: Origin,
    /// The route. Absent with Portal.
    pub route: Option<Route>,
    pub armies: Vec<SymbolPlay>,
    pub food: Vec<SymbolPlay>,
    /// Ship cards, one for each sea area.
    pub transport: Vec<Named<Card>>,
}

/// Armies moved along the player's roads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct RoadMove {
    pub from_province: Named<Province>,
    pub to_province: Named<Province>,
    pub count: u32,
}

ids! {
    /// The source of a token (MYT-6.8).
    TokenSource {
        Card "card",
        /// The bank, thanks to Scribe.
        Bank "bank",
        /// The token is declined. Offered only for Master of the Seas (MYT-7.26.4).
        None "none",
    }
}

actions! {
    /// An action of a player. Each list of symbol plays has the cards played for the purpose that names the list.
    Action {
        /// Secretly chooses the dealt provinces to give away.
        SetupDiscardProvinces { cards: Vec<Named<Card>> } "Give provinces away",
        /// Secretly chooses the province of the citadel.
        SetupPlaceCitadel { province: Named<Province> } "Place the citadel",
        Invade(Invasion) "Invade a province",
        PlaceArmies { province: Named<Province>, armies: Vec<SymbolPlay>, food: Vec<SymbolPlay> } "Place armies",
        /// Takes armies and mercenaries back from a province at peace.
        RemoveArmies { province: Named<Province>, armies: u32, mercenaries: u32 } "Remove armies",
        PlaceShips { sea: Named<Sea>, ships: Vec<SymbolPlay> } "Place ships",
        /// Takes ships back.
        RemoveShips { sea: Named<Sea>, count: u32 } "Remove ships",
        /// Ends a war. The Hero card wins a tie.
        EndWar { province: Named<Province>, hero: Option<Named<Card>> } "End a war",
        /// Buys armies and ships from the pool.
        BuyUnits { armies: u32, ships: u32, gold: Vec<SymbolPlay> } "Buy armies and ships",
        /// Drafts an improvement on display, or an own card that was removed.
        DraftCard { card: Named<Card>, gold: Vec<SymbolPlay> } "Draft a card",
        /// Puts cards from the hand into the reserve.
        ReserveCards { cards: Vec<Named<Card>> } "Reserve cards",
        /// Discards cards from hand and reserve.
        DiscardCards { cards: Vec<Named<Card>> } "Discard cards",
        /// Removes one or two cards of hand and reserve from the deck.
        RemoveCards { cards: Vec<Named<Card>> } "Remove cards from the deck",
        BuildCity {
            build_card: Named<Card>,
            site_card: Named<Card>,
            province: Named<Province>,
            stone: Vec<SymbolPlay>,
            /// Gold for the token of Guild City.
            guild_gold: Vec<SymbolPlay>,
        } "Build a city",
        BuildCastle {
            build_card: Named<Card>,
            site_card: Named<Card>,
            province: Named<Province>,
            stone: Vec<SymbolPlay>,
        } "Build a castle",
        BuildRoad {
            build_card: Named<Card>,
            /// A site card for one of the two provinces.
            site_card: Named<Card>,
            a: Named<Province>,
            b: Named<Province>,
            stone: Vec<SymbolPlay>,
            /// Gold for the token of Roadside Inns.
            inn_gold: Vec<SymbolPlay>,
        } "Build a road",
        /// Exchanges a token of value 1 or 2 for the next higher one.
        UseAlchemist { card: Named<Card>, from_value: u32 } "Use Alchemist",
        /// Ends a war without a winner.
        UseDiplomat { card: Named<Card>, province: Named<Province>, gold: Vec<SymbolPlay> } "Use Diplomat",
        /// Pays for a token of Patronage.
        Patronage { gold: Vec<SymbolPlay> } "Pay for Patronage",
        /// Uses up an action without doing anything.
        PassTurn "Pass",
        /// Ends the game as its winner.
        EndGame "End the game",
        /// Moves armies by road. All moves happen at once.
        MoveArmiesByRoad { moves: Vec<RoadMove> } "Move armies by road",
        /// Puts one card from the hand into the reserve, thanks to Warehouse.
        WarehouseStore { card: Named<Card> } "Store a card with Warehouse",
        /// Exchanges cards of the hand for new ones and one more.
        UseCounsellor { card: Named<Card>, hand: Vec<Named<Card>>, reserve: Vec<Named<Card>> } "Use Counsellor",
        /// Sends one army of any player home.
        UseMarauders { card: Named<Card>, province: Named<Province>, owner: Named<Seat> } "Use Marauders",
        /// Hires 1 or 2 mercenaries.
        UseMercenary { card: Named<Card>, gold: Vec<SymbolPlay>, province: Named<Province>, count: u32 }
            "Use Mercenary",
        /// Takes an army from the pool into the stock.
        UseMilitia { card: Named<Card> } "Use Militia",
        /// Takes a card back from the discard pile.
        UseMystic { card: Named<Card>, gold: Vec<SymbolPlay>, take: Named<Card> } "Use Mystic",
        /// Looks at three face-down improvements.
        UsePhilosopher { card: Named<Card> } "Use Philosopher",
        /// Draws two cards.
        UseProvidence { card: Named<Card> } "Use Providence",
        EndTurn "End the turn",
        ChooseTokenSource { source: Named<TokenSource> } "Take a token",
        /// Keeps one of the improvements that Philosopher shows.
        ChoosePhilosopherCard { card: Named<Card> } "Keep an improvement",
    }
}
