//! The actions that a player can send (MYT-6.5, 6.6, 6.8.2, 6.10, 7).

use serde::{Deserialize, Serialize};

use super::data::{Card, Converter, Province, Sea, Symbol};
use crate::table::{MaybeKnown, Seat, actions, ids};

/// One card played for its symbols (MYT-6.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolPlay {
    pub card: MaybeKnown<Card>,
    /// The kind of symbol that the play gives after all conversions.
    pub symbol: MaybeKnown<Symbol>,
    /// The converter in the reserve that makes the card count as one symbol.
    pub via: Option<MaybeKnown<Converter>>,
    /// The Merchant card, if it changes the resource.
    pub merchant: Option<MaybeKnown<Card>>,
    /// The Water Mill card, if it doubles the resource.
    pub water_mill: Option<MaybeKnown<Card>>,
}

/// The starting point of an invasion (MYT-6.5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// From a province that the player controls.
    Site {
        /// A site card for the province (MYT-6.4.2).
        card: MaybeKnown<Card>,
        province: MaybeKnown<Province>,
    },
    /// From anywhere, by a Portal card.
    Portal { card: MaybeKnown<Card> },
}

/// The route of an invasion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Route {
    Land,
    /// Over one or two sea areas, in the order of travel.
    Sea {
        areas: Vec<MaybeKnown<Sea>>,
    },
}

/// An invasion (MYT-6.5.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invasion {
    pub target: MaybeKnown<Province>,
    pub origin: Origin,
    /// The route. Absent with Portal.
    pub route: Option<Route>,
    pub armies: Vec<SymbolPlay>,
    pub food: Vec<SymbolPlay>,
    /// Ship cards, one for each sea area.
    pub transport: Vec<MaybeKnown<Card>>,
}

/// Armies moved along the player's roads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoadMove {
    pub from_province: MaybeKnown<Province>,
    pub to_province: MaybeKnown<Province>,
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
        /// Secretly chooses the dealt provinces to give away (MYT-6.10.1).
        SetupDiscardProvinces { cards: Vec<MaybeKnown<Card>> } "Give provinces away",
        /// Secretly chooses the province of the citadel (MYT-6.10.2).
        SetupPlaceCitadel { province: MaybeKnown<Province> } "Place the citadel",
        /// Invades a province (MYT-6.5.1).
        Invade(Invasion) "Invade a province",
        /// Places armies (MYT-6.5.2).
        PlaceArmies { province: MaybeKnown<Province>, armies: Vec<SymbolPlay>, food: Vec<SymbolPlay> } "Place armies",
        /// Takes armies and mercenaries back from a province at peace (MYT-6.5.3).
        RemoveArmies { province: MaybeKnown<Province>, armies: u32, mercenaries: u32 } "Remove armies",
        /// Places ships (MYT-6.5.4).
        PlaceShips { sea: MaybeKnown<Sea>, ships: Vec<SymbolPlay> } "Place ships",
        /// Takes ships back (MYT-6.5.5).
        RemoveShips { sea: MaybeKnown<Sea>, count: u32 } "Remove ships",
        /// Ends a war. The Hero card wins a tie (MYT-6.5.6).
        EndWar { province: MaybeKnown<Province>, hero: Option<MaybeKnown<Card>> } "End a war",
        /// Buys armies and ships from the pool (MYT-6.5.7).
        BuyUnits { armies: u32, ships: u32, gold: Vec<SymbolPlay> } "Buy armies and ships",
        /// Drafts an improvement on display, or a card of the player that was removed (MYT-6.5.8).
        DraftCard { card: MaybeKnown<Card>, gold: Vec<SymbolPlay> } "Draft a card",
        /// Puts cards from the hand into the reserve (MYT-6.5.9).
        ReserveCards { cards: Vec<MaybeKnown<Card>> } "Reserve cards",
        /// Discards cards from hand and reserve (MYT-6.5.10).
        DiscardCards { cards: Vec<MaybeKnown<Card>> } "Discard cards",
        /// Removes one or two cards of hand and reserve from the deck (MYT-6.5.11).
        RemoveCards { cards: Vec<MaybeKnown<Card>> } "Remove cards from the deck",
        /// Builds a city (MYT-6.5.12).
        BuildCity {
            build_card: MaybeKnown<Card>,
            site_card: MaybeKnown<Card>,
            province: MaybeKnown<Province>,
            stone: Vec<SymbolPlay>,
            /// Gold for the token of Guild City.
            guild_gold: Vec<SymbolPlay>,
        } "Build a city",
        /// Builds a castle (MYT-6.5.12).
        BuildCastle {
            build_card: MaybeKnown<Card>,
            site_card: MaybeKnown<Card>,
            province: MaybeKnown<Province>,
            stone: Vec<SymbolPlay>,
        } "Build a castle",
        /// Builds a road (MYT-6.5.12).
        BuildRoad {
            build_card: MaybeKnown<Card>,
            /// A site card for one of the two provinces.
            site_card: MaybeKnown<Card>,
            a: MaybeKnown<Province>,
            b: MaybeKnown<Province>,
            stone: Vec<SymbolPlay>,
            /// Gold for the token of Roadside Inns.
            inn_gold: Vec<SymbolPlay>,
        } "Build a road",
        /// Exchanges a token of value 1 or 2 for the next higher one (MYT-7.1).
        UseAlchemist { card: MaybeKnown<Card>, from_value: u32 } "Use Alchemist",
        /// Ends a war without a winner (MYT-7.6).
        UseDiplomat { card: MaybeKnown<Card>, province: MaybeKnown<Province>, gold: Vec<SymbolPlay> } "Use Diplomat",
        /// Pays for a token of Patronage (MYT-6.5.14).
        Patronage { gold: Vec<SymbolPlay> } "Pay for Patronage",
        /// Uses up an action without doing anything (MYT-6.5.15).
        PassTurn "Pass",
        /// Ends the game as its winner (MYT-6.5.16).
        EndGame "End the game",
        /// Moves armies by road. All moves happen at once (MYT-6.6.1).
        MoveArmiesByRoad { moves: Vec<RoadMove> } "Move armies by road",
        /// Puts one card from the hand into the reserve, thanks to Warehouse (MYT-6.6.2).
        WarehouseStore { card: MaybeKnown<Card> } "Store a card with Warehouse",
        /// Exchanges cards of the hand for new ones and one more (MYT-7.5).
        UseCounsellor { card: MaybeKnown<Card>, hand: Vec<MaybeKnown<Card>>, reserve: Vec<MaybeKnown<Card>> } "Use Counsellor",
        /// Sends one army of any player home (MYT-7.13).
        UseMarauders { card: MaybeKnown<Card>, province: MaybeKnown<Province>, owner: MaybeKnown<Seat> } "Use Marauders",
        /// Hires 1 or 2 mercenaries (MYT-7.15).
        UseMercenary { card: MaybeKnown<Card>, gold: Vec<SymbolPlay>, province: MaybeKnown<Province>, count: u32 }
            "Use Mercenary",
        /// Takes an army from the pool into the stock (MYT-7.17).
        UseMilitia { card: MaybeKnown<Card> } "Use Militia",
        /// Takes a card back from the discard pile (MYT-7.18).
        UseMystic { card: MaybeKnown<Card>, gold: Vec<SymbolPlay>, take: MaybeKnown<Card> } "Use Mystic",
        /// Looks at three face-down improvements (MYT-7.19).
        UsePhilosopher { card: MaybeKnown<Card> } "Use Philosopher",
        /// Draws two cards (MYT-7.21).
        UseProvidence { card: MaybeKnown<Card> } "Use Providence",
        /// Ends the turn (MYT-6.1.2).
        EndTurn "End the turn",
        /// Chooses where a token comes from (MYT-6.8.2).
        ChooseTokenSource { source: MaybeKnown<TokenSource> } "Take a token",
        /// Keeps one of the improvements that Philosopher shows (MYT-7.19).
        ChoosePhilosopherCard { card: MaybeKnown<Card> } "Keep an improvement",
    }
}
