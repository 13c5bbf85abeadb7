use gamekeeper_rules::kingsburg::{
    Advisor, Building, Enemy, EnvoyUse, Good, Goods, Outcome, Phase,
};
use gamekeeper_rules::table::Seat;

use super::*;
use crate::contract::check_kinds;

const SEAT: Seat = Seat::at(2);
const GOODS: Goods = Goods::new(1, 2, 3);

fn calendar_and_dice() -> Vec<Event> {
    vec![
        Event::GameBegan {
            order: [SEAT, Seat::FIRST].into_iter().collect(),
        },
        Event::PhaseBegan {
            year: 4,
            phase: Phase::Autumn,
        },
        Event::AidDieGiven { seat: SEAT },
        Event::AidGoodChosen {
            seat: SEAT,
            good: Good::Stone,
        },
        Event::EnvoyDeclared {
            seat: SEAT,
            purpose: EnvoyUse::Advisor,
        },
        Event::NeutralRolled {
            together: [1, 2, 3],
            alone: [4, 5],
        },
        Event::NeutralPlaced {
            advisor: Advisor::Queen,
            values: [3, 5].into_iter().collect(),
        },
        Event::GuildIncome { seat: SEAT },
        Event::DiceRolled {
            seat: SEAT,
            dice: [ShownDie {
                die: DieId::Farms,
                value: 6,
            }]
            .into_iter()
            .collect(),
        },
        Event::DieRerolled {
            seat: SEAT,
            die: DieId::Own1,
            before: 4,
            after: 4,
        },
        Event::RollKept { seat: SEAT },
        Event::OrderSet {
            order: [SEAT, Seat::FIRST].into_iter().collect(),
            totals: [3, 5].into_iter().collect(),
        },
        Event::DieSetAside {
            seat: SEAT,
            die: DieId::Own1,
            value: 4,
        },
    ]
}

fn court() -> Vec<Event> {
    vec![
        Event::AdvisorInfluenced {
            seat: SEAT,
            advisor: Advisor::Queen,
            dice: [DieId::Own0, DieId::KingsAid].into_iter().collect(),
            plus2: 4,
            market_offset: -1,
            use_envoy: true,
        },
        Event::InfluencePassed {
            seat: SEAT,
            auto: true,
        },
        Event::HelpGiven {
            seat: SEAT,
            advisor: Advisor::Queen,
            goods: GOODS,
            vp: 4,
            plus2: 4,
            soldiers: 4,
        },
        Event::EnemyPeeked {
            seat: SEAT,
            advisor: Advisor::Queen,
            year: 4,
            card: Some(Enemy::Y2Orcs4),
        },
        Event::HelpChosen {
            seat: SEAT,
            advisor: Advisor::Queen,
            goods: GOODS,
        },
        Event::GoodExchanged {
            seat: SEAT,
            gave: Good::Stone,
            gained: GOODS,
        },
        Event::ExchangeDeclined { seat: SEAT },
        Event::CourtCleared,
    ]
}

fn province_and_envoy() -> Vec<Event> {
    vec![
        Event::Built {
            seat: SEAT,
            building: Building::Crane,
            paid: GOODS,
            vp: 4,
        },
        Event::BuildPassed {
            seat: SEAT,
            auto: true,
        },
        Event::InnToken { seat: SEAT },
        Event::EmbassyPoint { seat: SEAT },
        Event::TownHallToken {
            seat: SEAT,
            auto: true,
        },
        Event::TownHallSale {
            seat: SEAT,
            good: Good::Stone,
        },
        Event::AidDieReturned { seat: SEAT },
        Event::KingsRewardGiven { seat: SEAT },
        Event::EnvoyGiven { seat: SEAT },
        Event::EnvoyNotGiven,
        Event::EnvoyReturned { seat: SEAT },
        Event::SoldierRecruited {
            seat: SEAT,
            paid: GOODS,
        },
        Event::RecruitPassed {
            seat: SEAT,
            auto: true,
        },
    ]
}

fn battle_and_end() -> Vec<Event> {
    vec![
        Event::EnemyRevealed {
            card: Enemy::Y5Dragons9,
        },
        Event::KingDieRolled {
            seat: SEAT,
            value: 4,
        },
        Event::StrengthCounted {
            seat: SEAT,
            strength: 9,
            outcome: Outcome::Standoff,
        },
        Event::EnemyRewarded {
            seat: SEAT,
            goods: GOODS,
            vp: 4,
        },
        Event::RewardGoodChosen {
            seat: SEAT,
            good: Good::Stone,
        },
        Event::FortressPoint { seat: SEAT },
        Event::GoodsLost {
            seat: SEAT,
            goods: GOODS,
        },
        Event::AnyGoodsLost {
            seat: SEAT,
            goods: GOODS,
            auto: true,
        },
        Event::BuildingLost {
            seat: SEAT,
            building: Building::Crane,
            vp: 4,
            auto: true,
        },
        Event::PointsLost { seat: SEAT, vp: 4 },
        Event::StrongestPoint { seat: SEAT },
        Event::YearEnded { year: 4 },
        Event::CathedralExchange {
            seat: SEAT,
            goods: GOODS,
            vp: 4,
        },
        Event::GameEnded,
    ]
}

#[test]
fn every_kind_of_the_contract_is_sent() {
    let events = calendar_and_dice().into_iter();
    let events = events.chain(court()).chain(province_and_envoy());
    let events = events.chain(battle_and_end());
    let sent: Vec<_> = events.map(|event| message(&event, None)).collect();
    check_kinds("gamekeeper.kingsburg.v1", "Event", &sent);
}

#[test]
fn a_text_is_carried_when_given() {
    let event = Event::GuildIncome { seat: SEAT };
    assert_eq!(message(&event, None).text, "");
    let told = message(&event, Some(event.to_string()));
    assert_eq!(told.text, event.to_string());
}

#[test]
fn a_hidden_card_is_not_set() {
    let peek = |card| {
        kind(&Event::EnemyPeeked {
            seat: SEAT,
            advisor: Advisor::General,
            year: 2,
            card,
        })
    };
    let hidden = pb::EnemyPeeked {
        seat: 3,
        advisor: pb::Advisor::General as i32,
        year: 2,
        card: None,
    };
    let seen = pb::EnemyPeeked {
        card: Some(pb::Enemy::Y2Orcs4 as i32),
        ..hidden
    };
    assert_eq!(peek(None), Kind::EnemyPeeked(hidden));
    assert_eq!(peek(Some(Enemy::Y2Orcs4)), Kind::EnemyPeeked(seen));
}

#[test]
fn a_placement_field_by_field() {
    let event = Event::AdvisorInfluenced {
        seat: SEAT,
        advisor: Advisor::Wizard,
        dice: [DieId::Own2, DieId::Farms].into_iter().collect(),
        plus2: 2,
        market_offset: -1,
        use_envoy: true,
    };
    let expected = pb::AdvisorInfluenced {
        seat: 3,
        advisor: pb::Advisor::Wizard as i32,
        dice: vec![2, 4],
        plus2: 2,
        market_offset: -1,
        use_envoy: true,
    };
    assert_eq!(kind(&event), Kind::AdvisorInfluenced(expected));
}

#[test]
fn goods_and_dice_field_by_field() {
    let built = kind(&Event::Built {
        seat: SEAT,
        building: Building::Barracks,
        paid: GOODS,
        vp: 4,
    });
    let expected = pb::Built {
        seat: 3,
        building: pb::Building::Barracks as i32,
        paid: Some(pb::Goods {
            gold: 1,
            wood: 2,
            stone: 3,
        }),
        vp: 4,
    };
    assert_eq!(built, Kind::Built(expected));
    let dice = [ShownDie {
        die: DieId::KingsAid,
        value: 6,
    }];
    let rolled = kind(&Event::DiceRolled {
        seat: SEAT,
        dice: dice.into_iter().collect(),
    });
    let expected = pb::DiceRolled {
        seat: 3,
        dice: vec![pb::ShownDie { die: 3, value: 6 }],
    };
    assert_eq!(rolled, Kind::DiceRolled(expected));
}
