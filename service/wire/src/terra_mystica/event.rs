//! What happened.

use gamekeeper_rules::terra_mystica::data::LandSet;
use gamekeeper_rules::terra_mystica::{Event, GoodsSource, Purpose, VpSource};

use super::pb::event::Kind;
use super::pb::goods_source::Source as PbGoodsSource;
use super::pb::purpose::Purpose as PbPurpose;
use super::pb::vp_source::Source as PbVpSource;
use super::{ids, pb};
use crate::names::{Name, numbers};
use crate::{seat_number, seat_numbers};

pub(super) fn message(event: &Event, text: Option<String>) -> pb::Event {
    pb::Event {
        text: text.unwrap_or_default(),
        kind: Some(kind(event)),
    }
}

/// The ids of spaces in reading order.
fn spaces(lands: LandSet) -> Vec<String> {
    lands.iter().map(|land| land.id().to_owned()).collect()
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each event"
)]
fn kind(event: &Event) -> Kind {
    match event {
        Event::TableSet {
            start_player,
            scoring_tiles,
            bonus_cards,
            colors,
        } => Kind::TableSet(pb::TableSet {
            start_player: seat_number(*start_player),
            scoring_tiles: numbers(scoring_tiles),
            bonus_cards: numbers(bonus_cards),
            colors: numbers(colors),
        }),
        Event::FactionChosen { seat, faction } => Kind::FactionChosen(pb::FactionChosen {
            seat: seat_number(*seat),
            faction: faction.number(),
        }),
        Event::DwellingPlaced { seat, land } => Kind::DwellingPlaced(pb::DwellingPlaced {
            seat: seat_number(*seat),
            space: land.id().to_owned(),
        }),
        Event::BonusCardTaken { seat, card, coins } => Kind::BonusCardTaken(pb::BonusCardTaken {
            seat: seat_number(*seat),
            card: card.number(),
            coins: u32::from(*coins),
        }),
        Event::BonusCardReturned { seat, card } => Kind::BonusCardReturned(pb::BonusCardReturned {
            seat: seat_number(*seat),
            card: card.number(),
        }),
        Event::CoinsLaid { cards } => Kind::CoinsLaid(pb::CoinsLaid {
            cards: numbers(cards),
        }),
        Event::RoundBegan { round, turn_order } => Kind::RoundBegan(pb::RoundBegan {
            round: u32::from(*round),
            turn_order: seat_numbers(turn_order),
        }),
        Event::TurnBegan { seat } => Kind::TurnBegan(pb::TurnBegan {
            seat: seat_number(*seat),
        }),
        Event::TurnEnded { seat } => Kind::TurnEnded(pb::TurnEnded {
            seat: seat_number(*seat),
        }),
        Event::Received {
            seat,
            goods,
            source,
        } => Kind::Received(pb::Received {
            seat: seat_number(*seat),
            goods: Some(ids::goods(*goods)),
            source: Some(goods_source(*source)),
        }),
        Event::Paid {
            seat,
            goods,
            purpose,
        } => Kind::Paid(pb::Paid {
            seat: seat_number(*seat),
            goods: Some(ids::goods(*goods)),
            purpose: Some(purpose_message(*purpose)),
        }),
        Event::VpScored { seat, vp, source } => Kind::VpScored(pb::VpScored {
            seat: seat_number(*seat),
            vp: *vp,
            source: Some(vp_source(*source)),
        }),
        Event::Leapt { seat, land } => Kind::Leapt(pb::Leapt {
            seat: seat_number(*seat),
            space: land.id().to_owned(),
        }),
        Event::TerrainTransformed {
            seat,
            land,
            from,
            to,
            spades,
        } => Kind::TerrainTransformed(pb::TerrainTransformed {
            seat: seat_number(*seat),
            space: land.id().to_owned(),
            from: from.number(),
            to: to.number(),
            spades: u32::from(*spades),
        }),
        Event::StructureBuilt { seat, land } => Kind::StructureBuilt(pb::StructureBuilt {
            seat: seat_number(*seat),
            space: land.id().to_owned(),
        }),
        Event::StructureUpgraded {
            seat,
            land,
            from,
            to,
        } => Kind::StructureUpgraded(pb::StructureUpgraded {
            seat: seat_number(*seat),
            space: land.id().to_owned(),
            from: from.number(),
            to: to.number(),
        }),
        Event::BridgeBuilt { seat, a, b } => Kind::BridgeBuilt(pb::BridgeBuilt {
            seat: seat_number(*seat),
            a: a.id().to_owned(),
            b: b.id().to_owned(),
        }),
        Event::PowerOffered {
            seat,
            builder,
            land,
            value,
            gainable,
        } => Kind::PowerOffered(pb::PowerOffered {
            seat: seat_number(*seat),
            builder: seat_number(*builder),
            space: land.id().to_owned(),
            value: u32::from(*value),
            gainable: u32::from(*gainable),
        }),
        Event::PowerAccepted { seat, power } => Kind::PowerAccepted(pb::PowerAccepted {
            seat: seat_number(*seat),
            power: u32::from(*power),
        }),
        Event::PowerRefused { seat } => Kind::PowerRefused(pb::PowerRefused {
            seat: seat_number(*seat),
        }),
        Event::CultAdvanced {
            seat,
            cult,
            from,
            to,
        } => Kind::CultAdvanced(pb::CultAdvanced {
            seat: seat_number(*seat),
            cult: cult.number(),
            from: u32::from(*from),
            to: u32::from(*to),
        }),
        Event::PriestPlaced { seat, cult, slot } => Kind::PriestPlaced(pb::PriestPlaced {
            seat: seat_number(*seat),
            cult: cult.number(),
            slot: slot.number(),
        }),
        Event::ShippingAdvanced { seat, level } => Kind::ShippingAdvanced(pb::ShippingAdvanced {
            seat: seat_number(*seat),
            level: u32::from(*level),
        }),
        Event::TerraformingAdvanced { seat, level } => {
            Kind::TerraformingAdvanced(pb::TerraformingAdvanced {
                seat: seat_number(*seat),
                level: u32::from(*level),
            })
        }
        Event::TownFounded { seat, lands, river } => Kind::TownFounded(pb::TownFounded {
            seat: seat_number(*seat),
            spaces: spaces(*lands),
            river: river.map(|river| river.id().to_owned()),
        }),
        Event::TownExtended { seat, lands } => Kind::TownExtended(pb::TownExtended {
            seat: seat_number(*seat),
            spaces: spaces(*lands),
        }),
        Event::FavorTileTaken { seat, tile } => Kind::FavorTileTaken(pb::FavorTileTaken {
            seat: seat_number(*seat),
            tile: tile.number(),
        }),
        Event::TownTileTaken { seat, tile } => Kind::TownTileTaken(pb::TownTileTaken {
            seat: seat_number(*seat),
            tile: tile.number(),
        }),
        Event::PowerActionTaken { seat, action } => Kind::PowerActionTaken(pb::PowerActionTaken {
            seat: seat_number(*seat),
            action: action.number(),
        }),
        Event::SpecialActionTaken { seat, action } => {
            Kind::SpecialActionTaken(pb::SpecialActionTaken {
                seat: seat_number(*seat),
                action: action.number(),
            })
        }
        Event::Converted { seat, kind, times } => Kind::Converted(pb::Converted {
            seat: seat_number(*seat),
            kind: kind.number(),
            times: u32::from(*times),
        }),
        Event::PowerSacrificed { seat, tokens } => Kind::PowerSacrificed(pb::PowerSacrificed {
            seat: seat_number(*seat),
            tokens: u32::from(*tokens),
        }),
        Event::PriestsOrdained { seat, count } => Kind::PriestsOrdained(pb::PriestsOrdained {
            seat: seat_number(*seat),
            count: u32::from(*count),
        }),
        Event::CultSpadesGranted { seat, spades } => {
            Kind::CultSpadesGranted(pb::CultSpadesGranted {
                seat: seat_number(*seat),
                spades: u32::from(*spades),
            })
        }
        Event::Passed { seat } => Kind::Passed(pb::Passed {
            seat: seat_number(*seat),
        }),
        Event::RoundEnded { round } => Kind::RoundEnded(pb::RoundEnded {
            round: u32::from(*round),
        }),
        Event::AreaMeasured { seat, size } => Kind::AreaMeasured(pb::AreaMeasured {
            seat: seat_number(*seat),
            size: u32::from(*size),
        }),
        Event::SpadesUnused { seat, spades } => Kind::SpadesUnused(pb::SpadesUnused {
            seat: seat_number(*seat),
            spades: u32::from(*spades),
        }),
    }
}

fn vp_source(source: VpSource) -> pb::VpSource {
    let reason = |reason: pb::VpReason| PbVpSource::Reason(reason.into());
    let source = match source {
        VpSource::ScoringTile(tile) => PbVpSource::ScoringTile(tile.number()),
        VpSource::FavorTile(tile) => PbVpSource::FavorTile(tile.number()),
        VpSource::BonusCard(card) => PbVpSource::BonusCard(card.number()),
        VpSource::TownTile(tile) => PbVpSource::TownTile(tile.number()),
        VpSource::Cult(cult) => PbVpSource::Cult(cult.number()),
        VpSource::Towns => reason(pb::VpReason::Towns),
        VpSource::Shipping => reason(pb::VpReason::Shipping),
        VpSource::Terraforming => reason(pb::VpReason::Terraforming),
        VpSource::Leap => reason(pb::VpReason::Leap),
        VpSource::Spades => reason(pb::VpReason::Spades),
        VpSource::Stronghold => reason(pb::VpReason::Stronghold),
        VpSource::Bridges => reason(pb::VpReason::Bridges),
        VpSource::Power => reason(pb::VpReason::Power),
        VpSource::Alchemy => reason(pb::VpReason::Alchemy),
        VpSource::Area => reason(pb::VpReason::Area),
        VpSource::Resources => reason(pb::VpReason::Resources),
    };
    pb::VpSource {
        source: Some(source),
    }
}

fn goods_source(source: GoodsSource) -> pb::GoodsSource {
    let reason = |reason: pb::GoodsReason| PbGoodsSource::Reason(reason.into());
    let source = match source {
        GoodsSource::BonusCard(card) => PbGoodsSource::BonusCard(card.number()),
        GoodsSource::PowerAction(action) => PbGoodsSource::PowerAction(action.number()),
        GoodsSource::TownTile(tile) => PbGoodsSource::TownTile(tile.number()),
        GoodsSource::Cult(cult) => PbGoodsSource::Cult(cult.number()),
        GoodsSource::CultReward(tile) => PbGoodsSource::CultReward(tile.number()),
        GoodsSource::Income => reason(pb::GoodsReason::Income),
        GoodsSource::Towns => reason(pb::GoodsReason::Towns),
        GoodsSource::Stronghold => reason(pb::GoodsReason::Stronghold),
        GoodsSource::Spades => reason(pb::GoodsReason::Spades),
        GoodsSource::Refusals => reason(pb::GoodsReason::Refusals),
    };
    pb::GoodsSource {
        source: Some(source),
    }
}

fn purpose_message(purpose: Purpose) -> pb::Purpose {
    let reason = |reason: pb::PurposeReason| PbPurpose::Reason(reason.into());
    let purpose = match purpose {
        Purpose::Structure(structure) => PbPurpose::Structure(structure.number()),
        Purpose::Spades => reason(pb::PurposeReason::Spades),
        Purpose::Leap => reason(pb::PurposeReason::Leap),
        Purpose::Shipping => reason(pb::PurposeReason::Shipping),
        Purpose::Terraforming => reason(pb::PurposeReason::Terraforming),
        Purpose::Bridge => reason(pb::PurposeReason::Bridge),
    };
    pb::Purpose {
        purpose: Some(purpose),
    }
}

#[cfg(test)]
mod tests {

    use gamekeeper_rules::table::Seat;
    use gamekeeper_rules::terra_mystica::Conversion;
    use gamekeeper_rules::terra_mystica::data::{
        BonusCard, Cult, Faction, FavorTile, Goods, Land, PowerAction, PriestSlot, River,
        ScoringTile, SpecialAction, Structure, Terrain, TownTile,
    };

    use super::*;
    use crate::contract::check_kinds;

    const SEAT: Seat = Seat::FIRST;

    /// Every kind of event, in the order of the contract.
    #[expect(
        clippy::too_many_lines,
        reason = "one plain table: a row for each event"
    )]
    fn samples() -> Vec<Event> {
        let land = Land::by_id("E6").unwrap();
        let goods = Goods::of(2, 3);
        vec![
            Event::TableSet {
                start_player: SEAT,
                scoring_tiles: [ScoringTile::Score2; 6],
                bonus_cards: [BonusCard::Bon10].into_iter().collect(),
                colors: [Terrain::Swamp].into_iter().collect(),
            },
            Event::FactionChosen {
                seat: SEAT,
                faction: Faction::Giants,
            },
            Event::DwellingPlaced { seat: SEAT, land },
            Event::BonusCardTaken {
                seat: SEAT,
                card: BonusCard::Bon4,
                coins: 2,
            },
            Event::BonusCardReturned {
                seat: SEAT,
                card: BonusCard::Bon4,
            },
            Event::CoinsLaid {
                cards: [BonusCard::Bon10].into_iter().collect(),
            },
            Event::RoundBegan {
                round: 2,
                turn_order: [SEAT].into_iter().collect(),
            },
            Event::TurnBegan { seat: SEAT },
            Event::TurnEnded { seat: SEAT },
            Event::Received {
                seat: SEAT,
                goods,
                source: GoodsSource::Income,
            },
            Event::Paid {
                seat: SEAT,
                goods,
                purpose: Purpose::Structure(Structure::Temple),
            },
            Event::VpScored {
                seat: SEAT,
                vp: -2,
                source: VpSource::Cult(Cult::Air),
            },
            Event::Leapt { seat: SEAT, land },
            Event::TerrainTransformed {
                seat: SEAT,
                land,
                from: Terrain::Lakes,
                to: Terrain::Lakes,
                spades: 2,
            },
            Event::StructureBuilt { seat: SEAT, land },
            Event::StructureUpgraded {
                seat: SEAT,
                land,
                from: Structure::Sanctuary,
                to: Structure::Sanctuary,
            },
            Event::BridgeBuilt {
                seat: SEAT,
                a: land,
                b: land,
            },
            Event::PowerOffered {
                seat: SEAT,
                builder: SEAT,
                land,
                value: 2,
                gainable: 2,
            },
            Event::PowerAccepted {
                seat: SEAT,
                power: 2,
            },
            Event::PowerRefused { seat: SEAT },
            Event::CultAdvanced {
                seat: SEAT,
                cult: Cult::Water,
                from: 2,
                to: 2,
            },
            Event::PriestPlaced {
                seat: SEAT,
                cult: Cult::Water,
                slot: PriestSlot::Two,
            },
            Event::ShippingAdvanced {
                seat: SEAT,
                level: 2,
            },
            Event::TerraformingAdvanced {
                seat: SEAT,
                level: 2,
            },
            Event::TownFounded {
                seat: SEAT,
                lands: LandSet::of(land),
                river: Some(River::at(18)),
            },
            Event::TownExtended {
                seat: SEAT,
                lands: LandSet::of(land),
            },
            Event::FavorTileTaken {
                seat: SEAT,
                tile: FavorTile::Fav5,
            },
            Event::TownTileTaken {
                seat: SEAT,
                tile: TownTile::Tw6,
            },
            Event::PowerActionTaken {
                seat: SEAT,
                action: PowerAction::Act6,
            },
            Event::SpecialActionTaken {
                seat: SEAT,
                action: SpecialAction::ActN,
            },
            Event::Converted {
                seat: SEAT,
                kind: Conversion::PowerToCoin,
                times: 2,
            },
            Event::PowerSacrificed {
                seat: SEAT,
                tokens: 2,
            },
            Event::PriestsOrdained {
                seat: SEAT,
                count: 2,
            },
            Event::CultSpadesGranted {
                seat: SEAT,
                spades: 2,
            },
            Event::Passed { seat: SEAT },
            Event::RoundEnded { round: 2 },
            Event::AreaMeasured {
                seat: SEAT,
                size: 2,
            },
            Event::SpadesUnused {
                seat: SEAT,
                spades: 2,
            },
        ]
    }

    #[test]
    fn every_event_has_its_message() {
        let sent: Vec<_> = samples().iter().map(|event| message(event, None)).collect();
        check_kinds("gamekeeper.terra_mystica.v1", "Event", &sent);
    }

    #[test]
    fn the_text_is_sent_when_it_is_asked_for() {
        for event in samples() {
            let told = message(&event, Some(event.to_string()));
            assert_eq!(told.text, event.to_string());
            assert_eq!(told.kind, message(&event, None).kind);
        }
    }

    #[test]
    fn figures_keep_their_places() {
        let event = Event::VpScored {
            seat: Seat::at(2),
            vp: -3,
            source: VpSource::Power,
        };
        let scored = pb::VpScored {
            seat: 3,
            vp: -3,
            source: Some(pb::VpSource {
                source: Some(PbVpSource::Reason(pb::VpReason::Power.into())),
            }),
        };
        assert_eq!(message(&event, None).kind, Some(Kind::VpScored(scored)));
    }
}
