//! What one viewer may know (chapter 13), written field by field.

mod show;

pub(crate) use show::view;

use arrayvec::ArrayVec;

use super::action::TokenSource;
use super::data::{
    Border, CardSet, Colour, Improvement, ImprovementSet, PointCard, Province, ProvinceSet, Sea,
};
use super::event::{Building, SetupChoice, Side, Strength, Token};
use super::options::Switches;
use super::stage::{Phase, SeasMarks, TurnMarks};
use crate::table::{MAX_SEATS, Seat};

/// Tokens and mercenaries of one player in one province.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Force {
    /// Whose.
    pub seat: Seat,
    /// Armies.
    pub armies: u8,
    /// Mercenaries.
    pub mercenaries: u8,
}

/// A province.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvinceView {
    /// Which.
    pub province: Province,
    /// Who controls it; nobody, if it is neutral.
    pub controller: Option<Seat>,
    /// The building of the controller.
    pub building: Option<Building>,
    /// Does a castle stand there?
    pub castle: bool,
    /// Does a dragon live there?
    pub dragon: bool,
    /// Does a runestone stand there?
    pub runestone: bool,
    /// Armies and mercenaries in seat order; seats without any are left out.
    pub forces: Vec<Force>,
}

/// A war that is going on, with the strengths of now (MYT-4.4.8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarView {
    /// Where.
    pub province: Province,
    /// Who defends.
    pub defender: Side,
    /// The strengths: the defender, then the attackers in seat order.
    pub strengths: ArrayVec<Strength, MAX_SEATS>,
}

/// A sea area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeaView {
    /// Which.
    pub sea: Sea,
    /// Ships in seat order, also of seats without any.
    pub ships: ArrayVec<u8, MAX_SEATS>,
}

/// Tokens of one value on a point card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokensView {
    /// Which token.
    pub token: Token,
    /// How many are left.
    pub count: u8,
}

/// A point card in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointCardView {
    /// Which.
    pub card: PointCard,
    /// Its tokens; two entries where it has slots.
    pub tokens: ArrayVec<TokensView, 2>,
}

/// Pieces of a player: in stock, or in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PiecesView {
    /// Towns; none in the pool.
    pub towns: u8,
    /// Cities; none in the pool.
    pub cities: u8,
    /// Armies.
    pub armies: u8,
    /// Ships.
    pub ships: u8,
}

/// Where a player's citadel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitadelView {
    /// Never placed.
    Unused,
    /// In a province.
    Placed(Province),
    /// Given back after the province was lost.
    Returned,
}

/// What a player has taken from Master of the Seas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeasClaim {
    /// The conditions that he was rewarded for.
    pub claimed: SeasMarks,
    /// His towns on the card.
    pub towns: u8,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    /// Whose.
    pub seat: Seat,
    /// The colour.
    pub colour: Colour,
    /// The number of cards in the hand.
    pub hand_count: u8,
    /// The number of cards in the deck.
    pub deck_count: u8,
    /// The hand: for the player himself alone.
    pub hand: Option<CardSet>,
    /// What the deck holds, without its order: for the player himself alone.
    pub deck: Option<CardSet>,
    /// The discard pile.
    pub discard: CardSet,
    /// The reserve.
    pub reserve: CardSet,
    /// Cards removed from the deck.
    pub removed: CardSet,
    /// How many cards the reserve may hold.
    pub reserve_limit: u8,
    /// Up to how many cards he draws at the end of his turn.
    pub hand_limit: u8,
    /// Pieces in stock.
    pub stock: PiecesView,
    /// Pieces in the pool.
    pub pool: PiecesView,
    /// The citadel.
    pub citadel: CitadelView,
    /// Tokens of value 1, 2 and 3.
    pub tokens: [u8; 3],
    /// What he has of Master of the Seas.
    pub seas_claim: SeasClaim,
    /// Victory points (MYT-8.1).
    pub points: u8,
    /// Has he made his set-up choice? False outside the set-up.
    pub has_chosen: bool,
    /// The set-up choice: for the player himself alone, until all have chosen.
    pub setup_choice: Option<SetupChoice>,
}

/// Where the turn stands (MYT-4.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnView {
    /// Whose turn.
    pub active: Seat,
    /// Actions done, 0 to 2.
    pub actions_done: u8,
    /// What was done, of what can be done once in a turn or counts for the turn's first action.
    pub marks: TurnMarks,
}

/// A token that waits to be taken, in the order of the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwardView {
    /// Who takes it.
    pub seat: Seat,
    /// The token.
    pub token: Token,
    /// What he may choose; nothing for those that are not yet at the head of the queue.
    pub sources: Vec<TokenSource>,
}

/// Who owes which decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingView {
    /// Who.
    pub seat: Seat,
    /// The phase that names the decision.
    pub decision: Phase,
}

/// Pieces beside the board that belong to nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupplyView {
    /// Roads.
    pub roads: u8,
    /// Castles.
    pub castles: u8,
    /// Mercenaries.
    pub mercenaries: u8,
}

/// What went back into the box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxView {
    /// Dragons.
    pub dragons: u8,
    /// Runestones.
    pub runestones: u8,
    /// Is Philosopher there?
    pub philosopher: bool,
    /// Point cards that are not in play.
    pub point_cards: Vec<PointCard>,
}

/// What one viewer may know of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The phase.
    pub phase: Phase,
    /// Who owes a decision.
    pub pending: Vec<PendingView>,
    /// During the set-up: how many provinces each seat gives away; else 0.
    pub provinces_to_discard: u8,
    /// The rule switches.
    pub switches: Switches,
    /// Was one province card more dealt?
    pub more_choice: bool,
    /// The players from the first one on; empty before the first player is drawn.
    pub turn_order: Vec<Seat>,
    /// The turn; nothing before the first turn.
    pub turn: Option<TurnView>,
    /// The provinces, by number.
    pub provinces: Vec<ProvinceView>,
    /// The wars, by province number.
    pub wars: Vec<WarView>,
    /// The seas.
    pub seas: Vec<SeaView>,
    /// The roads.
    pub roads: Vec<Border>,
    /// The number of province cards in the pile.
    pub province_pile_count: u8,
    /// The province pile; nothing during the set-up.
    pub province_pile: Option<ProvinceSet>,
    /// Improvements that can be drafted.
    pub improvement_display: ImprovementSet,
    /// The number of face-down improvements, without those that Philosopher looks at.
    pub improvement_deck_count: u8,
    /// The number of improvements that Philosopher looks at.
    pub inspected_count: u8,
    /// Those improvements, from the top: for the active player alone.
    pub inspected: Option<Vec<Improvement>>,
    /// The point cards in play.
    pub point_cards: Vec<PointCardView>,
    /// Tokens of value 1, 2 and 3 in the bank.
    pub bank: [u8; 3],
    /// Pieces beside the board.
    pub supply: SupplyView,
    /// What went back into the box.
    pub out_of_game: BoxView,
    /// Tokens that wait to be taken.
    pub awards: Vec<AwardView>,
    /// The players in seat order.
    pub players: Vec<PlayerView>,
    /// The winner, when the game is over.
    pub winner: Option<Seat>,
}
