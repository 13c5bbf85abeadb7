//! The options of a game.

use gamekeeper_rules::terra_mystica::{Draft, Options, PromoTiles};

use super::pb;
use crate::Malformed;
use crate::mapping::{FromPb, field, message};

impl FromPb<pb::Options> for Draft {
    fn from_pb(sent: pb::Options) -> Result<Self, Malformed> {
        let promo = sent.promo_tiles.unwrap_or_default();
        Ok(Self {
            first_player: sent.first_player,
            setup_mode: field("setup_mode", sent.setup_mode)?,
            factions: field("factions", sent.factions.map(|list| list.factions))?,
            scoring_tiles: field("scoring_tiles", sent.scoring_tiles.map(|list| list.tiles))?,
            bonus_cards: field("bonus_cards", sent.bonus_cards.map(|list| list.cards))?,
            free_sacrifice: sent.free_sacrifice,
            auto_end_turn: sent.auto_end_turn,
            promo_tiles: PromoTiles {
                town_tiles: promo.town_tiles,
                shipping_bonus_card: promo.shipping_bonus_card,
                temple_scoring_tile: promo.temple_scoring_tile,
            },
            turn_order: field("turn_order", sent.turn_order)?,
            cultist_power_needs_offer: sent.cultist_power_needs_offer,
        })
    }
}

message! {
    Options => pb::Options,
    |options| pb::Options {
        first_player: options.first_player.to_pb(),
        setup_mode: options.setup_mode.to_pb(),
        factions: (!options.factions.is_empty()).then(|| pb::FactionList {
            factions: options.factions.to_pb(),
        }),
        scoring_tiles: options.scoring_tiles.map(|tiles| pb::ScoringTileList {
            tiles: tiles.to_pb(),
        }),
        bonus_cards: (!options.bonus_cards.is_empty()).then(|| pb::BonusCardList {
            cards: options.bonus_cards.to_pb(),
        }),
        free_sacrifice: options.rules.free_sacrifice,
        auto_end_turn: options.rules.auto_end_turn,
        promo_tiles: options.rules.promo_tiles.to_pb(),
        turn_order: options.rules.turn_order.to_pb(),
        cultist_power_needs_offer: options.rules.cultist_power_needs_offer,
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::ruleset::Ruleset;
    use gamekeeper_rules::table::OptionalParam;
    use gamekeeper_rules::terra_mystica::data::{BonusCard, Faction, ScoringTile};
    use gamekeeper_rules::terra_mystica::{Refusal, SetupMode, TerraMystica, TurnOrder};

    use super::*;
    use crate::Wire as _;
    use crate::mapping::ToPb;

    fn read(message: &pb::Options) -> Result<Draft, Malformed> {
        TerraMystica::draft(message.clone())
    }

    fn checked(message: &pb::Options) -> Result<Options, Refusal> {
        let players = ["Ann".into(), "Bob".into()];
        TerraMystica::options(&players, &read(message).unwrap()).map_err(|no| no.refused.reason)
    }

    #[test]
    fn options_come_back_from_their_message() {
        let custom = Draft {
            first_player: Some(2),
            setup_mode: OptionalParam::Known(SetupMode::Custom),
            factions: Some(vec![Some(Faction::Giants), Some(Faction::Fakirs)]),
            scoring_tiles: Some(
                ScoringTile::ALL[3..]
                    .iter()
                    .map(|&tile| Some(tile))
                    .collect(),
            ),
            bonus_cards: Some(BonusCard::ALL[5..].iter().map(|&card| Some(card)).collect()),
            free_sacrifice: true,
            auto_end_turn: true,
            promo_tiles: PromoTiles {
                town_tiles: true,
                shipping_bonus_card: true,
                temple_scoring_tile: true,
            },
            turn_order: OptionalParam::Known(TurnOrder::PassingOrder),
            cultist_power_needs_offer: true,
        };
        let players = ["Ann".into(), "Bob".into()];
        let first = Draft {
            setup_mode: OptionalParam::Known(SetupMode::Introductory),
            ..Draft::default()
        };
        for draft in [custom, first, Draft::default()] {
            let options = TerraMystica::options(&players, &draft).unwrap();
            assert_eq!(checked(&options.to_pb()), Ok(options));
        }
    }

    #[test]
    fn what_does_not_exist_is_refused_or_malformed() {
        let wrong = pb::Options {
            setup_mode: 9,
            ..pb::Options::default()
        };
        assert!(matches!(
            checked(&wrong),
            Err(Refusal::InvalidOption { .. })
        ));
        let unknown = pb::Options {
            setup_mode: pb::SetupMode::Custom.into(),
            factions: Some(pb::FactionList {
                factions: vec![1, 99],
            }),
            ..pb::Options::default()
        };
        assert_eq!(
            checked(&unknown),
            Err(Refusal::UnknownId { field: "factions" })
        );
    }
}
