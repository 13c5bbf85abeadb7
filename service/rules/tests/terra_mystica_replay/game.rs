//! The format of a recorded game.

use std::collections::BTreeMap;

use gamekeeper_rules::table::{ClosedSet as _, OptionalParam, Seat};
use gamekeeper_rules::terra_mystica::data::{BonusCard, Faction, ScoringTile};
use gamekeeper_rules::terra_mystica::{Draft, PromoTiles, SetupMode, TurnOrder};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
pub(crate) struct Game {
    pub(crate) setup: Setup,
    pub(crate) moves: Vec<Move>,
    pub(crate) checkpoints: Vec<Checkpoint>,
    /// The final scoring; empty for an unfinished game.
    #[serde(rename = "final", default)]
    pub(crate) results: BTreeMap<String, Finale>,
}

#[derive(Deserialize)]
pub(crate) struct Setup {
    seat_order: Vec<String>,
    start_player: String,
    scoring_tiles: Vec<String>,
    bonus_cards_in_play: Vec<String>,
    #[serde(default)]
    options: GameOptions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GameOptions {
    free_sacrifice: bool,
    auto_end_turn: bool,
    promo_tiles: Vec<String>,
    turn_order: String,
}

#[derive(Deserialize)]
pub(crate) struct Move {
    pub(crate) n: u32,
    pub(crate) faction: String,
    pub(crate) phase: String,
    pub(crate) ops: Vec<Value>,
    pub(crate) after: Goods,
    #[serde(default)]
    pub(crate) power_offers: Vec<Offer>,
}

#[derive(Deserialize, Debug, PartialEq)]
pub(crate) struct Goods {
    pub(crate) vp: u16,
    pub(crate) coins: u16,
    pub(crate) workers: u16,
    pub(crate) priests: u16,
    pub(crate) power_bowls: [u8; 3],
    pub(crate) cults: Cults,
}

#[derive(Deserialize, Debug, PartialEq)]
pub(crate) struct Cults {
    pub(crate) fire: u16,
    pub(crate) water: u16,
    pub(crate) earth: u16,
    pub(crate) air: u16,
}

#[derive(Deserialize, Debug, PartialEq)]
pub(crate) struct Offer {
    pub(crate) to: String,
    pub(crate) structures_value: u8,
    pub(crate) gainable: u8,
}

#[derive(Deserialize)]
pub(crate) struct Checkpoint {
    pub(crate) after_move: u32,
    pub(crate) table: Value,
}

#[derive(Deserialize, Debug, PartialEq)]
pub(crate) struct Finale {
    pub(crate) before: u16,
    pub(crate) cults: Cults,
    pub(crate) area_size: u8,
    pub(crate) area: u16,
    pub(crate) resources: u16,
    pub(crate) total: u16,
    pub(crate) winner: bool,
}

impl Move {
    pub(crate) fn is_automatic(&self) -> bool {
        matches!(self.phase.as_str(), "income" | "cult_reward")
    }
}

impl Game {
    /// Yields the factions by seat, beginning with the start player.
    pub(crate) fn factions(&self) -> impl Iterator<Item = (Seat, &str)> {
        let factions = self.setup.seat_order.iter().enumerate();
        factions.map(|(place, faction)| (Seat::at(place), faction.as_str()))
    }

    /// Returns the seat of a faction.
    ///
    /// # Errors
    /// If it is not in the game.
    pub(crate) fn seat(&self, faction: &str) -> Result<Seat, String> {
        let mut factions = self.factions();
        let found = factions.find(|(_, name)| *name == faction);
        let missing = || format!("no {faction} at the table");
        found.map(|(seat, _)| seat).ok_or_else(missing)
    }

    /// Returns whether the game is over after this move.
    pub(crate) fn ends_with(&self, done: u32) -> bool {
        !self.results.is_empty() && self.moves.last().is_some_and(|last| last.n == done)
    }

    /// Returns the names of the players, and the request for a new game that leads to this table.
    ///
    /// # Errors
    /// If the first player is not in the game.
    pub(crate) fn draft(&self) -> Result<(Vec<String>, Draft), String> {
        let setup = &self.setup;
        let has = |tile: &str| setup.options.promo_tiles.iter().any(|name| name == tile);
        let draft = Draft {
            first_player: Some(u32::from(self.seat(&setup.start_player)?.number())),
            setup_mode: OptionalParam::Known(SetupMode::Custom),
            factions: Some(ids(&setup.seat_order, Faction::by_id)),
            scoring_tiles: Some(ids(&setup.scoring_tiles, ScoringTile::by_id)),
            bonus_cards: Some(ids(&setup.bonus_cards_in_play, BonusCard::by_id)),
            free_sacrifice: setup.options.free_sacrifice,
            auto_end_turn: setup.options.auto_end_turn,
            promo_tiles: PromoTiles {
                town_tiles: has("town_tiles"),
                shipping_bonus_card: has("shipping_bonus_card"),
                temple_scoring_tile: has("temple_scoring_tile"),
            },
            turn_order: OptionalParam::Known(match setup.options.turn_order.as_str() {
                "passing_order" => TurnOrder::PassingOrder,
                _ => TurnOrder::Clockwise,
            }),
            // The public tracker, on which games were recorded or recomputed, plays J20 in this way.
            cultist_power_needs_offer: true,
        };
        Ok((setup.seat_order.clone(), draft))
    }
}

fn ids<T>(names: &[String], read: impl Fn(&str) -> Option<T>) -> Vec<Option<T>> {
    names.iter().map(|name| read(name)).collect()
}
