//! What a creator asks for.

use gamekeeper_rules::terra_mystica::{Draft, Options, PromoTiles, SetupMode, TurnOrder};

use super::{ids, pb};
use crate::names::{all_named, names, numbers};
use crate::{Malformed, OptionText, seat_number};

names! { SetupMode => pb::SetupMode { Standard, RandomColors, Introductory, Custom } }
names! { TurnOrder => pb::TurnOrder { Clockwise, PassingOrder } }

/// The choices in words, in the order of the message.
pub(super) const TEXTS: [OptionText; 9] = [
    OptionText {
        name: "start_player",
        description: "The seat that begins.",
        values: "1 to the number of players",
        default_value: "drawn by lot",
    },
    OptionText {
        name: "setup_mode",
        description: "How factions, tiles and cards come to the table.",
        values: "SETUP_MODE_STANDARD: factions are chosen; SETUP_MODE_RANDOM_COLORS: of drawn \
                 colours; SETUP_MODE_INTRODUCTORY: the first game; SETUP_MODE_CUSTOM: as given",
        default_value: "SETUP_MODE_STANDARD",
    },
    OptionText {
        name: "factions",
        description: "The factions by seat; for a custom table, or to deal those of the first game.",
        values: "one faction of another colour for each seat",
        default_value: "chosen by the players",
    },
    OptionText {
        name: "scoring_tiles",
        description: "The scoring tiles of rounds 1 to 6; for a custom table.",
        values: "six different tiles, SCORE1 not in rounds 5 and 6",
        default_value: "drawn by lot",
    },
    OptionText {
        name: "bonus_cards",
        description: "The bonus cards in play; for a custom table.",
        values: "three different cards more than players",
        default_value: "drawn by lot",
    },
    OptionText {
        name: "free_sacrifice",
        description: "Power may be sacrificed at will, not only what is missing.",
        values: "false, true",
        default_value: "false",
    },
    OptionText {
        name: "auto_end_turn",
        description: "A turn ends as soon as nothing must be done.",
        values: "false, true",
        default_value: "false",
    },
    OptionText {
        name: "promo_tiles",
        description: "The optional tiles in the box.",
        values: "`town_tiles`, `shipping_bonus_card`, `temple_scoring_tile`: false, true",
        default_value: "none",
    },
    OptionText {
        name: "turn_order",
        description: "Who begins each round.",
        values: "TURN_ORDER_CLOCKWISE: clockwise from the first to pass; \
                 TURN_ORDER_PASSING_ORDER: in the order of passing",
        default_value: "TURN_ORDER_CLOCKWISE",
    },
];

pub(super) fn draft(message: &pb::Options) -> Result<Draft, Malformed> {
    let factions = message.factions.as_ref();
    let tiles = message.scoring_tiles.as_ref();
    let cards = message.bonus_cards.as_ref();
    let promo = message.promo_tiles.unwrap_or_default();
    Ok(Draft {
        start_player: message.start_player,
        setup_mode: match message.setup_mode {
            0 => SetupMode::default(),
            number => ids::named(number, "options.setup_mode")?,
        },
        factions: factions.map(|list| all_named(&list.factions)),
        scoring_tiles: tiles.map(|list| all_named(&list.tiles)),
        bonus_cards: cards.map(|list| all_named(&list.cards)),
        free_sacrifice: message.free_sacrifice,
        auto_end_turn: message.auto_end_turn,
        promo_tiles: PromoTiles {
            town_tiles: promo.town_tiles,
            shipping_bonus_card: promo.shipping_bonus_card,
            temple_scoring_tile: promo.temple_scoring_tile,
        },
        turn_order: match message.turn_order {
            0 => TurnOrder::default(),
            number => ids::named(number, "options.turn_order")?,
        },
    })
}

pub(super) fn message(options: &Options) -> pb::Options {
    use crate::names::Name;
    let tiles = options.scoring_tiles.as_ref();
    pb::Options {
        start_player: options.start_player.map(seat_number),
        setup_mode: options.setup_mode.number(),
        factions: (!options.factions.is_empty()).then(|| pb::FactionList {
            factions: numbers(&options.factions),
        }),
        scoring_tiles: tiles.map(|tiles| pb::ScoringTileList {
            tiles: numbers(tiles),
        }),
        bonus_cards: (!options.bonus_cards.is_empty()).then(|| pb::BonusCardList {
            cards: numbers(&options.bonus_cards),
        }),
        free_sacrifice: options.rules.free_sacrifice,
        auto_end_turn: options.rules.auto_end_turn,
        promo_tiles: Some(promo_tiles(options.rules.promo_tiles)),
        turn_order: options.rules.turn_order.number(),
    }
}

pub(super) const fn promo_tiles(tiles: PromoTiles) -> pb::PromoTiles {
    pb::PromoTiles {
        town_tiles: tiles.town_tiles,
        shipping_bonus_card: tiles.shipping_bonus_card,
        temple_scoring_tile: tiles.temple_scoring_tile,
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::ruleset::Ruleset;
    use gamekeeper_rules::terra_mystica::data::{BonusCard, Faction, ScoringTile};
    use gamekeeper_rules::terra_mystica::{Refusal, TerraMystica};

    use super::*;
    use crate::names::tests::check_names;

    fn checked(message: &pb::Options) -> Result<Options, Refusal> {
        let players = ["Ann".into(), "Bob".into()];
        TerraMystica::options(&players, &draft(message).unwrap()).map_err(|refused| refused.why)
    }

    #[test]
    fn modes_and_orders_keep_their_places() {
        check_names(&[
            SetupMode::Standard,
            SetupMode::RandomColors,
            SetupMode::Introductory,
            SetupMode::Custom,
        ]);
        check_names(&[TurnOrder::Clockwise, TurnOrder::PassingOrder]);
    }

    #[test]
    fn options_come_back_from_their_message() {
        let custom = Draft {
            start_player: Some(2),
            setup_mode: SetupMode::Custom,
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
            turn_order: TurnOrder::PassingOrder,
        };
        let players = ["Ann".into(), "Bob".into()];
        let first = Draft {
            setup_mode: SetupMode::Introductory,
            ..Draft::default()
        };
        for draft in [custom, first, Draft::default()] {
            let options = TerraMystica::options(&players, &draft).unwrap();
            assert_eq!(checked(&message(&options)), Ok(options));
        }
    }

    #[test]
    fn what_does_not_exist_is_refused_or_malformed() {
        let wrong = pb::Options {
            setup_mode: 9,
            ..pb::Options::default()
        };
        assert_eq!(draft(&wrong).unwrap_err().field, "options.setup_mode");
        let unknown = pb::Options {
            setup_mode: pb::SetupMode::Custom.into(),
            factions: Some(pb::FactionList {
                factions: vec![1, 99],
            }),
            ..pb::Options::default()
        };
        assert_eq!(checked(&unknown), Err(Refusal::UnknownFaction));
    }
}
