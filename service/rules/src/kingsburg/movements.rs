//! The movements of events: dice, markers, tokens and goods. Points are no pieces.

use super::components::{advisor, building, die, envoy, good, soldiers, tokens};
use super::data::{Building, DieId, Good, Goods};
use super::event::Event;
use crate::table::{Component, Movement, Seat};

/// Lists what an event moves, in the order of its sentence.
#[allow(clippy::too_many_lines, reason = "one row for each event")]
pub fn event(event: &Event) -> Vec<Movement> {
    let player = Component::seat;
    match event {
        Event::AidDieGiven { seat } => {
            vec![Movement::of(die(*seat, DieId::KingsAid), 1_u8).reaching(player(*seat))]
        }
        Event::AidDieReturned { seat } => {
            vec![Movement::of(die(*seat, DieId::KingsAid), 1_u8).leaving(player(*seat))]
        }
        Event::AidGoodChosen { seat, good } | Event::RewardGoodChosen { seat, good } => {
            gained(*seat, single(*good), None)
        }
        Event::EnvoyGiven { seat } => vec![Movement::of(envoy(), 1_u8).reaching(player(*seat))],
        Event::EnvoyReturned { seat } => vec![Movement::of(envoy(), 1_u8).leaving(player(*seat))],
        Event::NeutralPlaced { advisor, values } => {
            let dice = u32::try_from(values.len()).unwrap_or(u32::MAX);
            vec![Movement::unnamed(dice).reaching(self::advisor(*advisor))]
        }
        Event::GuildIncome { seat } => {
            let guild = building(*seat, Building::MerchantsGuild);
            gained(*seat, single(Good::Gold), Some(guild))
        }
        Event::AdvisorInfluenced {
            seat,
            plus2,
            use_envoy,
            ..
        } => {
            let used =
                (*plus2 > 0).then(|| Movement::of(tokens(*seat), *plus2).leaving(tokens(*seat)));
            let sent = use_envoy.then(|| Movement::of(envoy(), 1_u8).leaving(player(*seat)));
            used.into_iter().chain(sent).collect()
        }
        Event::DicePlaced {
            seat,
            advisor,
            dice,
        } => {
            let placed = |shown: &super::event::ShownDie| {
                let die = Movement::of(die(*seat, shown.die), 1_u8);
                die.leaving(player(*seat)).reaching(self::advisor(*advisor))
            };
            dice.iter().map(placed).collect()
        }
        Event::HelpGiven {
            seat,
            advisor,
            goods,
            plus2,
            soldiers: recruited,
            ..
        } => {
            let from = self::advisor(*advisor);
            let others = [(tokens(*seat), *plus2), (soldiers(*seat), *recruited)];
            let others = others.into_iter().filter(|(_, count)| *count > 0);
            let others =
                others.map(|(kept, count)| Movement::of(kept, count).leaving(from).reaching(kept));
            gained(*seat, *goods, Some(from))
                .into_iter()
                .chain(others)
                .collect()
        }
        Event::HelpChosen {
            seat,
            advisor,
            goods,
        } => gained(*seat, *goods, Some(self::advisor(*advisor))),
        Event::GoodExchanged { seat, gave, gained } => [
            paid(*seat, single(*gave)),
            self::gained(*seat, *gained, None),
        ]
        .concat(),
        Event::Built {
            seat,
            building,
            paid,
            ..
        } => {
            let built = self::building(*seat, *building);
            let token = Movement::unnamed(1_u8)
                .leaving(player(*seat))
                .reaching(built);
            self::paid(*seat, *paid)
                .into_iter()
                .chain([token])
                .collect()
        }
        Event::BuildingLost { seat, building, .. } => {
            let lost = self::building(*seat, *building);
            vec![
                Movement::unnamed(1_u8)
                    .leaving(lost)
                    .reaching(player(*seat)),
            ]
        }
        Event::InnToken { seat } => vec![token_of(*seat, Building::Inn)],
        Event::TownHallToken { seat } => vec![token_of(*seat, Building::TownHall)],
        Event::TownHallSale { seat, good } => {
            let hall = building(*seat, Building::TownHall);
            let sold = paid(*seat, single(*good)).into_iter();
            sold.map(|sold| sold.reaching(hall)).collect()
        }
        Event::SoldierRecruited { seat, paid } => {
            let recruited = Movement::of(soldiers(*seat), 1_u8).reaching(soldiers(*seat));
            self::paid(*seat, *paid)
                .into_iter()
                .chain([recruited])
                .collect()
        }
        Event::EnemyRewarded { seat, goods, .. } => gained(*seat, *goods, None),
        Event::GoodsLost { seat, goods }
        | Event::AnyGoodsLost { seat, goods }
        | Event::CathedralExchange { seat, goods, .. } => paid(*seat, *goods),
        Event::GameBegan { .. }
        | Event::PhaseBegan { .. }
        | Event::EnvoyDeclared { .. }
        | Event::EnvoyNotGiven
        | Event::NeutralRolled { .. }
        | Event::DiceRolled { .. }
        | Event::DieRerolled { .. }
        | Event::RollKept { .. }
        | Event::OrderSet { .. }
        | Event::DieSetAside { .. }
        | Event::InfluencePassed { .. }
        | Event::EnemyPeeked { .. }
        | Event::ExchangeDeclined { .. }
        | Event::CourtCleared
        | Event::BuildPassed { .. }
        | Event::EmbassyPoint { .. }
        | Event::KingsRewardGiven { .. }
        | Event::RecruitPassed { .. }
        | Event::EnemyRevealed { .. }
        | Event::KingDieRolled { .. }
        | Event::StrengthCounted { .. }
        | Event::FortressPoint { .. }
        | Event::PointsLost { .. }
        | Event::StrongestPoint { .. }
        | Event::YearEnded { .. } => Vec::new(),
    }
}

const fn single(good: Good) -> Goods {
    match good {
        Good::Gold => Goods::new(1, 0, 0),
        Good::Wood => Goods::new(0, 1, 0),
        Good::Stone => Goods::new(0, 0, 1),
    }
}

fn by_kind(seat: Seat, goods: Goods) -> impl Iterator<Item = (Component, Movement)> {
    let kinds = Good::ALL
        .into_iter()
        .filter(move |kind| goods.amount(*kind) > 0);
    kinds.map(move |kind| {
        let kept = good(seat, kind);
        (kept, Movement::of(kept, goods.amount(kind)))
    })
}

fn gained(seat: Seat, goods: Goods, from: Option<Component>) -> Vec<Movement> {
    let kinds = by_kind(seat, goods).map(|(kept, goods)| goods.reaching(kept));
    kinds.map(|goods| Movement { from, ..goods }).collect()
}

fn paid(seat: Seat, goods: Goods) -> Vec<Movement> {
    by_kind(seat, goods)
        .map(|(kept, goods)| goods.leaving(kept))
        .collect()
}

/// A +2 token that a building gives.
fn token_of(seat: Seat, giver: Building) -> Movement {
    let token = Movement::of(tokens(seat), 1_u8);
    token.leaving(building(seat, giver)).reaching(tokens(seat))
}
