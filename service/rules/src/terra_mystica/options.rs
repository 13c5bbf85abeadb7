//! What a creator may ask for (TM-5.1, TM-P.2), unchecked and checked.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::{
    BonusCard, Faction, Introduction, ROUNDS, SPARE_CARDS, ScoringTile, Terrain, TownTile,
};
use super::refusal::{No, Refusal};
use crate::table::{MAX_SEATS, Refusal as _, Seat, ids};

pub(crate) const MIN_PLAYERS: u8 = 2;
pub(crate) const MAX_PLAYERS: u8 = 5;

/// The most bonus cards in play.
pub const MAX_CARDS: usize = MAX_SEATS + SPARE_CARDS;

ids! {
    /// How the table is set up (TM-5.1).
    #[derive(Default)]
    SetupMode {
        /// Everybody chooses a faction.
        #[default]
        Standard "standard",
        /// Everybody gets a color and chooses one of its two factions.
        RandomColors "random_colors" "random colors",
        /// The recommended first game (TM-9.2).
        Introductory "introductory",
        /// As given by the creator; what is not given is as in [`SetupMode::Standard`].
        Custom "custom",
    }
}

ids! {
    /// Who begins each round (TM-P.2).
    #[derive(Default)]
    TurnOrder {
        /// Clockwise from the first to pass in the round before.
        #[default]
        Clockwise "clockwise",
        /// In the order of passing in the round before.
        PassingOrder "passing_order" "passing order",
    }
}

/// The optional tiles in the box (TM-P.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PromoTiles {
    /// TW6, TW7 and TW8.
    pub town_tiles: bool,
    /// BON10.
    pub shipping_bonus_card: bool,
    /// SCORE9.
    pub temple_scoring_tile: bool,
}

/// What a creator asks for, unchecked. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Draft {
    /// The number of the start player's seat; none: drawn.
    pub start_player: Option<u32>,
    pub setup_mode: SetupMode,
    /// The factions by seat (CUSTOM; INTRODUCTORY: its factions in another order).
    pub factions: Option<Vec<Option<Faction>>>,
    /// The scoring tiles of rounds 1 to 6 (CUSTOM).
    pub scoring_tiles: Option<Vec<Option<ScoringTile>>>,
    /// The bonus cards in play (CUSTOM).
    pub bonus_cards: Option<Vec<Option<BonusCard>>>,
    /// Power may be sacrificed at will (J6).
    pub free_sacrifice: bool,
    /// The turn ends as soon as nothing must be done (TM-6.2).
    pub auto_end_turn: bool,
    pub promo_tiles: PromoTiles,
    pub turn_order: TurnOrder,
}

/// Rules of the table that hold for the whole game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct HouseRules {
    /// Power may be sacrificed at will (J6).
    pub free_sacrifice: bool,
    /// The turn ends as soon as nothing must be done (TM-6.2).
    pub auto_end_turn: bool,
    pub promo_tiles: PromoTiles,
    pub turn_order: TurnOrder,
}

impl HouseRules {
    /// Is this town tile in the box? (TM-P.10)
    #[must_use]
    pub fn has_town_tile(self, tile: TownTile) -> bool {
        self.promo_tiles.town_tiles || !tile.is_optional()
    }

    /// Is this bonus card in the box? (TM-P.20)
    #[must_use]
    pub fn has_card(self, card: BonusCard) -> bool {
        self.promo_tiles.shipping_bonus_card || card != BonusCard::Bon10
    }

    /// Is this scoring tile in the box? (TM-P.30)
    #[must_use]
    pub fn has_scoring_tile(self, tile: ScoringTile) -> bool {
        self.promo_tiles.temple_scoring_tile || tile != ScoringTile::Score9
    }
}

/// A checked set of options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Options {
    /// The number of seats, 2 to 5.
    pub seats: u8,
    /// The start player; none: drawn.
    pub start_player: Option<Seat>,
    pub setup_mode: SetupMode,
    /// The factions by seat; empty: chosen by the players.
    pub factions: ArrayVec<Faction, MAX_SEATS>,
    /// The scoring tiles of rounds 1 to 6; none: drawn.
    pub scoring_tiles: Option<[ScoringTile; ROUNDS as usize]>,
    /// The bonus cards in play; empty: drawn.
    pub bonus_cards: ArrayVec<BonusCard, MAX_CARDS>,
    pub rules: HouseRules,
}

impl Options {
    /// Checks a draft (TM-5.1, TM-9.2, TM-P.2).
    pub(crate) fn check(players: &[String], draft: &Draft) -> Result<Self, No> {
        let Ok(seats @ MIN_PLAYERS..=MAX_PLAYERS) = u8::try_from(players.len()) else {
            let players = players.len();
            let refusal = Refusal::InvalidPlayerCount {
                players,
                least: MIN_PLAYERS,
                most: MAX_PLAYERS,
            };
            return Err(refusal.at("TM-5.1"));
        };
        let rules = HouseRules {
            free_sacrifice: draft.free_sacrifice,
            auto_end_turn: draft.auto_end_turn,
            promo_tiles: draft.promo_tiles,
            turn_order: draft.turn_order,
        };
        let mut options = Self {
            seats,
            start_player: start_player(draft.start_player, seats)?,
            setup_mode: draft.setup_mode,
            factions: ArrayVec::new(),
            scoring_tiles: None,
            bonus_cards: ArrayVec::new(),
            rules,
        };
        let custom = draft.setup_mode == SetupMode::Custom;
        let introductory = draft.setup_mode == SetupMode::Introductory;
        if let Some(factions) = &draft.factions {
            belongs(custom || introductory, "factions")?;
            options.factions = checked_factions(factions, seats)?;
            if introductory {
                are_introductory(&options.factions)?;
            }
        }
        if let Some(tiles) = &draft.scoring_tiles {
            belongs(custom, "scoring_tiles")?;
            options.scoring_tiles = Some(checked_scoring(tiles, rules)?);
        }
        if let Some(cards) = &draft.bonus_cards {
            belongs(custom, "bonus_cards")?;
            options.bonus_cards = checked_cards(cards, seats, rules)?;
        }
        Ok(options)
    }
}

fn invalid(rule: &'static str, field: &'static str, problem: &'static str) -> No {
    Refusal::InvalidOption { field, problem }.at(rule)
}

fn belongs(allowed: bool, option: &'static str) -> Result<(), No> {
    if allowed {
        Ok(())
    } else {
        Err(invalid("TM-5.1", option, "is not for this set-up mode"))
    }
}

fn start_player(number: Option<u32>, seats: u8) -> Result<Option<Seat>, No> {
    let Some(number) = number else {
        return Ok(None);
    };
    u8::try_from(number)
        .ok()
        .filter(|&number| number <= seats)
        .and_then(Seat::new)
        .map(Some)
        .ok_or(invalid(
            "TM-5.1",
            "start_player",
            "is not a seat of this table",
        ))
}

/// Factions by seat; colors must differ (TM-5.5).
fn checked_factions(
    wanted: &[Option<Faction>],
    seats: u8,
) -> Result<ArrayVec<Faction, MAX_SEATS>, No> {
    if wanted.len() != usize::from(seats) {
        return Err(invalid(
            "TM-5.1",
            "factions",
            "must name one faction for each seat",
        ));
    }
    let mut factions = ArrayVec::new();
    for faction in wanted {
        let faction = faction.ok_or(Refusal::UnknownId { field: "factions" }.at("TM-5.5"))?;
        if factions.contains(&faction) {
            return Err(Refusal::FactionTaken { faction }.at("TM-5.5"));
        }
        let color: Terrain = faction.home();
        if factions.iter().any(|other: &Faction| other.home() == color) {
            return Err(Refusal::ColorTaken { color }.at("TM-5.5"));
        }
        factions.push(faction);
    }
    Ok(factions)
}

/// The creator may only say who plays which of the listed factions (J41).
fn are_introductory(factions: &[Faction]) -> Result<(), No> {
    let listed = Introduction::of(factions.len()).factions;
    if listed.iter().all(|(faction, _)| factions.contains(faction)) {
        Ok(())
    } else {
        Err(invalid(
            "TM-9.2",
            "factions",
            "must be those of the first game",
        ))
    }
}

/// Six different tiles of the box, SCORE1 not in the upper places (J32).
fn checked_scoring(
    wanted: &[Option<ScoringTile>],
    rules: HouseRules,
) -> Result<[ScoringTile; ROUNDS as usize], No> {
    let all: Option<Vec<ScoringTile>> = wanted.iter().copied().collect();
    let tiles: [ScoringTile; ROUNDS as usize] = all
        .and_then(|tiles| tiles.try_into().ok())
        .ok_or(invalid("TM-5.1", "scoring_tiles", "must name six tiles"))?;
    if (1..tiles.len()).any(|at| tiles[..at].contains(&tiles[at])) {
        return Err(invalid("TM-5.3", "scoring_tiles", "must differ"));
    }
    if !tiles.iter().all(|&tile| rules.has_scoring_tile(tile)) {
        return Err(invalid(
            "TM-P.2",
            "scoring_tiles",
            "names a tile that is not in the box",
        ));
    }
    if !may_lie_so(&tiles) {
        return Err(invalid(
            "TM-5.3",
            "scoring_tiles",
            "puts SCORE1 into round 5 or 6",
        ));
    }
    Ok(tiles)
}

/// SCORE1 never lies in rounds 5 and 6 (TM-5.3).
pub(crate) fn may_lie_so(tiles: &[ScoringTile]) -> bool {
    !tiles
        .iter()
        .skip(4)
        .any(|&tile| tile == ScoringTile::Score1)
}

/// Players + 3 different cards of the box (TM-5.4).
fn checked_cards(
    wanted: &[Option<BonusCard>],
    seats: u8,
    rules: HouseRules,
) -> Result<ArrayVec<BonusCard, MAX_CARDS>, No> {
    if wanted.len() != usize::from(seats) + SPARE_CARDS {
        return Err(invalid(
            "TM-5.4",
            "bonus_cards",
            "must name three cards more than players",
        ));
    }
    let mut cards = ArrayVec::new();
    for card in wanted {
        let card = card.ok_or(invalid("TM-5.1", "bonus_cards", "names an unknown card"))?;
        if cards.contains(&card) {
            return Err(invalid("TM-5.4", "bonus_cards", "must differ"));
        }
        if !rules.has_card(card) {
            return Err(invalid(
                "TM-P.2",
                "bonus_cards",
                "names a card that is not in the box",
            ));
        }
        cards.push(card);
    }
    Ok(cards)
}
