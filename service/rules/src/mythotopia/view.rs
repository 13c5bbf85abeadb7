//! The **projection** of the table for one viewer, field by field (MYT-13).

mod bookkeeping;
pub mod show;

pub use bookkeeping::{Bookkeeping, PlayerBookkeeping};
pub use show::{clear_pending, view};

use arrayvec::ArrayVec;

use super::action::TokenSource;
use super::data::{
    Border, CardSet, Color, ConverterSet, Improvement, ImprovementSet, PointCard, Province,
    ProvinceSet, Sea,
};
use super::options::Options;
use super::stage::{Building, SetupChoice, Strength, Token};
use crate::table::{MAX_SEATS, PendingList, Seat};

/// The table as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub options: Options,
    /// The pending decisions; in the set-up, those of all players who have not chosen yet.
    pub pending: PendingList,
    /// The details of the pending decisions, if they have any.
    pub question: Option<Question>,
    /// The turn order, from the first player on. Empty before the first player is drawn.
    pub turn_order: Vec<Seat>,
    /// The turn. Is `None` before the first turn.
    pub turn: Option<TurnView>,
    /// The provinces, by number.
    pub provinces: Vec<ProvinceView>,
    /// The wars, by province number.
    pub wars: Vec<WarView>,
    pub seas: Vec<SeaView>,
    pub roads: Vec<Border>,
    pub province_pile_size: u8,
    /// The province pile. Empty during the set-up, when nobody knows it.
    pub province_pile: ProvinceSet,
    /// Improvements that can be drafted.
    pub improvement_display: ImprovementSet,
    /// Face-down improvements, without those that Philosopher looks at.
    pub improvement_deck_count: u8,
    /// Improvements that Philosopher looks at.
    pub inspected_count: u8,
    /// The improvements that Philosopher looks at, from the top; only for the active player.
    pub inspected: Option<Vec<Improvement>>,
    pub point_cards: Vec<PointCardView>,
    /// Tokens of value 1, 2 and 3.
    pub bank: [u8; 3],
    pub supply: SupplyView,
    pub out_of_game: BoxView,
    /// Tokens waiting to be taken.
    pub awards: Vec<AwardView>,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
    /// The facts that only the operator sees.
    pub bookkeeping: Option<Bookkeeping>,
}

/// Tokens and mercenaries of one player in one province.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Force {
    pub seat: Seat,
    pub armies: u8,
    pub mercenaries: u8,
}

/// A province with its controller, who is `None` if it is neutral.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvinceView {
    pub province: Province,
    pub controller: Option<Seat>,
    pub building: Option<Building>,
    pub castle: bool,
    pub dragon: bool,
    pub runestone: bool,
    /// The forces in the province, in seat order; seats without any are left out.
    pub forces: ArrayVec<Force, MAX_SEATS>,
}

/// An open war, with its current strengths (MYT-4.4.8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarView {
    pub province: Province,
    /// The defender, then the attackers in seat order.
    pub strengths: ArrayVec<Strength, MAX_SEATS>,
}

/// A sea area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeaView {
    pub sea: Sea,
    /// The numbers of ships in seat order, including seats without any.
    pub ships: ArrayVec<u8, MAX_SEATS>,
}

/// Tokens of one value on a point card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenStack {
    pub token: Token,
    pub count: u8,
}

/// A point card in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointCardView {
    pub card: PointCard,
    /// The tokens on the card: two entries where it has slots.
    pub tokens: ArrayVec<TokenStack, 2>,
}

/// Pieces of a player: in stock, or in the pool, which has no towns and cities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PiecesView {
    pub towns: u8,
    pub cities: u8,
    pub armies: u8,
    pub ships: u8,
}

/// One player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "as the contract has it")]
pub struct PlayerView {
    pub seat: Seat,
    pub color: Color,
    pub hand_count: u8,
    pub deck_count: u8,
    /// The hand; only for the player.
    pub hand: Option<CardSet>,
    /// The deck without its order; only for the player.
    pub deck: Option<CardSet>,
    pub discard: CardSet,
    pub reserve: CardSet,
    pub removed: CardSet,
    pub reserve_limit: u8,
    /// The number of cards up to which the player draws at the end of a turn.
    pub hand_limit: u8,
    pub stock: PiecesView,
    pub pool: PiecesView,
    pub citadel: Option<Province>,
    /// Whether the citadel was given back after its province was lost.
    pub citadel_returned: bool,
    /// Tokens of value 1, 2 and 3.
    pub tokens: [u8; 3],
    pub three_seas_claimed: bool,
    pub four_seas_claimed: bool,
    /// Towns on Master of the Seas.
    pub seas_towns: u8,
    /// Victory points (MYT-8.1).
    pub points: u8,
    /// Whether the set-up choice is made. False outside the set-up.
    pub has_chosen: bool,
    /// The set-up choice; only for the player, until all have chosen.
    pub setup_choice: Option<SetupChoice>,
}

/// The state of the turn (MYT-4.3).
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "as the contract has it")]
pub struct TurnView {
    pub active_player: Seat,
    pub actions_done: u8,
    pub free_action_done: bool,
    pub drafted: bool,
    pub road_move_used: bool,
    pub warehouse_used: bool,
    pub converters_used: ConverterSet,
}

/// A token waiting to be taken, in the order of the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwardView {
    pub seat: Seat,
    pub token: Token,
    /// The sources to choose from; empty for tokens that are not yet at the head of the queue.
    pub sources: Vec<TokenSource>,
}

/// Pieces beside the board without an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupplyView {
    pub roads: u8,
    pub castles: u8,
    pub mercenaries: u8,
}

/// The pieces and cards that are back in the box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxView {
    pub dragons: u8,
    pub runestones: u8,
    pub philosopher: bool,
    /// The point cards that are not in play.
    pub point_cards: Vec<PointCard>,
}

/// The details of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The number of provinces that each player gives away.
    pub provinces_to_discard: Option<u8>,
}
