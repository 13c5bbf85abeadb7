//! Counts and costs (MYT-3.1, 3.2, 3.8, 5.3, chapter 9).

/// The fewest players.
pub const MIN_PLAYERS: u8 = 2;
/// The most players.
pub const MAX_PLAYERS: u8 = 4;

/// Towns of each color with two players.
pub const TOWNS_OF_TWO: u8 = 18;
/// Towns of each color with three or four players.
pub const TOWNS: u8 = 14;
/// Cities of each color.
pub const CITIES: u8 = 4;
/// Armies of each color.
pub const ARMIES: u8 = 14;
/// Ships of each color.
pub const SHIPS: u8 = 5;
/// Armies in stock at the start; the others lie in the pool.
pub const STARTING_ARMIES: u8 = 6;
/// Ships in stock at the start; the others lie in the pool.
pub const STARTING_SHIPS: u8 = 2;

/// Roads of all players together.
pub const ROADS: u8 = 9;
/// Castles of all players together.
pub const CASTLES: u8 = 9;
/// Dragons placed when Here be Dragons is in play.
pub const DRAGONS: usize = 5;
/// Runestones placed when Runestones is in play.
pub const RUNESTONES: usize = 5;
/// Mercenaries of all players together.
pub const MERCENARIES: u8 = 2;
/// Victory point tokens of value 1, 2 and 3.
pub const TOKENS: [u8; 3] = [28, 26, 3];

/// Province cards dealt to each of two, three or four players.
pub const DEALT: [u8; 3] = [11, 8, 6];
/// The cards that the option of more choice adds to those dealt to each player.
pub const DEALT_MORE_CHOICE: u8 = 1;
/// Province cards that each player gives away with that option.
pub const GIVEN_AWAY: usize = 2;
/// Improvements on display; the others form the face-down deck.
pub const DISPLAYED: usize = 16;
/// Improvements in the face-down deck.
pub const FACE_DOWN: usize = 13;
/// Variable point cards in play.
pub const VARIABLE_IN_PLAY: usize = 4;

/// Cards drawn at the start, and the hand limit without help.
pub const HAND: u8 = 5;
/// Additional cards that the fourth player draws at the start.
pub const FOURTH_PLAYER_EXTRA: u8 = 1;
/// The cards that Queen adds to the hand limit.
pub const QUEEN_HAND: u8 = 1;
/// The cards that Warehouse adds to the hand limit.
pub const WAREHOUSE_HAND: u8 = 2;
/// The reserve limit without cities.
pub const RESERVE: u8 = 2;
/// The minimum number of cards that `remove_cards` must leave.
pub const FEWEST_CARDS: u8 = 7;
/// The maximum number of cards that `remove_cards` takes.
pub const MAX_REMOVED: usize = 2;
/// Actions of a turn.
pub const ACTIONS: u8 = 2;
/// Point cards without tokens that allow the game to be ended.
pub const EMPTY_CARDS_TO_END: usize = 4;
/// Improvements that Philosopher looks at.
pub const INSPECTED: usize = 3;
/// Cards that Providence draws.
pub const PROVIDENCE_DRAW: u8 = 2;
/// The maximum number of mercenaries hired by one card.
pub const MAX_MERCENARIES: u32 = 2;

/// Victory points of a province.
pub const PROVINCE_POINTS: u8 = 3;
/// The minimum of victory points, unless a switch says otherwise.
pub const POINTS_FLOOR: u8 = 12;
/// The end of the victory point track: the highest floor that makes sense.
pub const POINTS_TRACK: u8 = 100;

/// Strength of a castle or of the own citadel for a defending player.
pub const CASTLE_STRENGTH: u8 = 2;
/// Strength of rugged terrain for a defending player.
pub const RUGGED_STRENGTH: u8 = 1;
/// Strength of a dragon for the neutral side.
pub const DRAGON_STRENGTH: u8 = 4;
/// Strength of Cavalry, Limes and Ranger where they count.
pub const RESERVE_STRENGTH: u8 = 1;

/// Stone for a city.
pub const CITY_STONE: u8 = 2;
/// Stone for a castle.
pub const CASTLE_STONE: u8 = 1;
/// Stone for a road; a hill border costs one more.
pub const ROAD_STONE: u8 = 2;
/// Additional stone for a road over a hill border.
pub const HILLS_STONE: u8 = 1;
/// Food for an invasion.
pub const INVADE_FOOD: u8 = 1;
/// Additional food for an invasion over a hill border.
pub const HILLS_FOOD: u8 = 1;
/// Food for placing armies in a province that the player does not control.
pub const PLACE_FOOD: u8 = 1;
/// Gold for an army.
pub const ARMY_GOLD: u8 = 1;
/// Gold for a ship.
pub const SHIP_GOLD: u8 = 2;
/// Gold for drafting a card.
pub const DRAFT_GOLD: u8 = 1;
/// Gold for the Patronage action.
pub const PATRONAGE_GOLD: u8 = 2;
/// Gold for the bonus of Guild City and of Roadside Inns.
pub const BONUS_GOLD: u8 = 1;
/// Gold for Diplomat, Mercenary and Mystic.
pub const ABILITY_GOLD: u8 = 1;

/// A count of pieces or cards; there are never more than 89.
pub fn count(things: usize) -> u8 {
    u8::try_from(things).unwrap_or(u8::MAX)
}
