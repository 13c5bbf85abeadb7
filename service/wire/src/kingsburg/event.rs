//! What happened, already cut to what its viewer may know.

use gamekeeper_rules::kingsburg::{DieId, Event, ShownDie};

use super::ids;
use super::pb::{self, event::Kind};
use crate::names::Name;
use crate::{seat_number, seat_numbers};

pub(super) fn message(event: &Event, text: Option<String>) -> pb::Event {
    pb::Event {
        text: text.unwrap_or_default(),
        kind: Some(kind(event)),
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each event"
)]
fn kind(event: &Event) -> Kind {
    match event {
        Event::GameBegan { order } => Kind::GameBegan(pb::GameBegan {
            order: seat_numbers(order),
        }),
        Event::PhaseBegan { year, phase } => Kind::PhaseBegan(pb::PhaseBegan {
            year: u32::from(*year),
            phase: Name::number(*phase),
        }),
        Event::AidDieGiven { seat } => Kind::AidDieGiven(pb::AidDieGiven {
            seat: seat_number(*seat),
        }),
        Event::AidGoodChosen { seat, good } => Kind::AidGoodChosen(pb::AidGoodChosen {
            seat: seat_number(*seat),
            good: good.number(),
        }),
        Event::EnvoyDeclared { seat, purpose } => Kind::EnvoyDeclared(pb::EnvoyDeclared {
            seat: seat_number(*seat),
            purpose: purpose.number(),
        }),
        Event::NeutralRolled { together, alone } => Kind::NeutralRolled(pb::NeutralRolled {
            together: faces(together),
            alone: faces(alone),
        }),
        Event::NeutralPlaced { advisor, values } => Kind::NeutralPlaced(pb::NeutralPlaced {
            advisor: Name::number(*advisor),
            values: faces(values),
        }),
        Event::GuildIncome { seat } => Kind::GuildIncome(pb::GuildIncome {
            seat: seat_number(*seat),
        }),
        Event::DiceRolled { seat, dice } => Kind::DiceRolled(pb::DiceRolled {
            seat: seat_number(*seat),
            dice: dice.iter().map(shown_die).collect(),
        }),
        Event::DieRerolled {
            seat,
            die,
            before,
            after,
        } => Kind::DieRerolled(pb::DieRerolled {
            seat: seat_number(*seat),
            die: u32::from(die.number()),
            before: u32::from(*before),
            after: u32::from(*after),
        }),
        Event::RollKept { seat } => Kind::RollKept(pb::RollKept {
            seat: seat_number(*seat),
        }),
        Event::OrderSet { order, totals } => Kind::OrderSet(pb::OrderSet {
            order: seat_numbers(order),
            totals: faces(totals),
        }),
        Event::DieSetAside { seat, die, value } => Kind::DieSetAside(pb::DieSetAside {
            seat: seat_number(*seat),
            die: u32::from(die.number()),
            value: u32::from(*value),
        }),
        Event::AdvisorInfluenced {
            seat,
            advisor,
            dice,
            plus2,
            market_offset,
            use_envoy,
        } => Kind::AdvisorInfluenced(pb::AdvisorInfluenced {
            seat: seat_number(*seat),
            advisor: Name::number(*advisor),
            dice: ids::dice(*dice),
            plus2: u32::from(*plus2),
            market_offset: i32::from(*market_offset),
            use_envoy: *use_envoy,
        }),
        Event::InfluencePassed { seat, auto } => Kind::InfluencePassed(pb::InfluencePassed {
            seat: seat_number(*seat),
            auto: *auto,
        }),
        Event::HelpGiven {
            seat,
            advisor,
            goods,
            vp,
            plus2,
            soldiers,
        } => Kind::HelpGiven(pb::HelpGiven {
            seat: seat_number(*seat),
            advisor: Name::number(*advisor),
            goods: Some(ids::goods(*goods)),
            vp: u32::from(*vp),
            plus2: u32::from(*plus2),
            soldiers: u32::from(*soldiers),
        }),
        Event::EnemyPeeked {
            seat,
            advisor,
            year,
            card,
        } => Kind::EnemyPeeked(pb::EnemyPeeked {
            seat: seat_number(*seat),
            advisor: Name::number(*advisor),
            year: u32::from(*year),
            card: card.map(Name::number),
        }),
        Event::HelpChosen {
            seat,
            advisor,
            goods,
        } => Kind::HelpChosen(pb::HelpChosen {
            seat: seat_number(*seat),
            advisor: Name::number(*advisor),
            goods: Some(ids::goods(*goods)),
        }),
        Event::GoodExchanged { seat, gave, gained } => Kind::GoodExchanged(pb::GoodExchanged {
            seat: seat_number(*seat),
            gave: gave.number(),
            gained: Some(ids::goods(*gained)),
        }),
        Event::ExchangeDeclined { seat } => Kind::ExchangeDeclined(pb::ExchangeDeclined {
            seat: seat_number(*seat),
        }),
        Event::CourtCleared => Kind::CourtCleared(pb::CourtCleared {}),
        Event::Built {
            seat,
            building,
            paid,
            vp,
        } => Kind::Built(pb::Built {
            seat: seat_number(*seat),
            building: building.number(),
            paid: Some(ids::goods(*paid)),
            vp: u32::from(*vp),
        }),
        Event::BuildPassed { seat, auto } => Kind::BuildPassed(pb::BuildPassed {
            seat: seat_number(*seat),
            auto: *auto,
        }),
        Event::InnToken { seat } => Kind::InnToken(pb::InnToken {
            seat: seat_number(*seat),
        }),
        Event::EmbassyPoint { seat } => Kind::EmbassyPoint(pb::EmbassyPoint {
            seat: seat_number(*seat),
        }),
        Event::TownHallToken { seat, auto } => Kind::TownHallToken(pb::TownHallToken {
            seat: seat_number(*seat),
            auto: *auto,
        }),
        Event::TownHallSale { seat, good } => Kind::TownHallSale(pb::TownHallSale {
            seat: seat_number(*seat),
            good: good.number(),
        }),
        Event::AidDieReturned { seat } => Kind::AidDieReturned(pb::AidDieReturned {
            seat: seat_number(*seat),
        }),
        Event::KingsRewardGiven { seat } => Kind::KingsRewardGiven(pb::KingsRewardGiven {
            seat: seat_number(*seat),
        }),
        Event::EnvoyGiven { seat } => Kind::EnvoyGiven(pb::EnvoyGiven {
            seat: seat_number(*seat),
        }),
        Event::EnvoyNotGiven => Kind::EnvoyNotGiven(pb::EnvoyNotGiven {}),
        Event::EnvoyReturned { seat } => Kind::EnvoyReturned(pb::EnvoyReturned {
            seat: seat_number(*seat),
        }),
        Event::SoldierRecruited { seat, paid } => Kind::SoldierRecruited(pb::SoldierRecruited {
            seat: seat_number(*seat),
            paid: Some(ids::goods(*paid)),
        }),
        Event::RecruitPassed { seat, auto } => Kind::RecruitPassed(pb::RecruitPassed {
            seat: seat_number(*seat),
            auto: *auto,
        }),
        Event::EnemyRevealed { card } => Kind::EnemyRevealed(pb::EnemyRevealed {
            card: Name::number(*card),
        }),
        Event::KingDieRolled { seat, value } => Kind::KingDieRolled(pb::KingDieRolled {
            seat: seat_number(*seat),
            value: u32::from(*value),
        }),
        Event::StrengthCounted {
            seat,
            strength,
            outcome,
        } => Kind::StrengthCounted(pb::StrengthCounted {
            seat: seat_number(*seat),
            strength: i32::from(*strength),
            outcome: outcome.number(),
        }),
        Event::EnemyRewarded { seat, goods, vp } => Kind::EnemyRewarded(pb::EnemyRewarded {
            seat: seat_number(*seat),
            goods: Some(ids::goods(*goods)),
            vp: u32::from(*vp),
        }),
        Event::RewardGoodChosen { seat, good } => Kind::RewardGoodChosen(pb::RewardGoodChosen {
            seat: seat_number(*seat),
            good: good.number(),
        }),
        Event::FortressPoint { seat } => Kind::FortressPoint(pb::FortressPoint {
            seat: seat_number(*seat),
        }),
        Event::GoodsLost { seat, goods } => Kind::GoodsLost(pb::GoodsLost {
            seat: seat_number(*seat),
            goods: Some(ids::goods(*goods)),
        }),
        Event::AnyGoodsLost { seat, goods, auto } => Kind::AnyGoodsLost(pb::AnyGoodsLost {
            seat: seat_number(*seat),
            goods: Some(ids::goods(*goods)),
            auto: *auto,
        }),
        Event::BuildingLost {
            seat,
            building,
            vp,
            auto,
        } => Kind::BuildingLost(pb::BuildingLost {
            seat: seat_number(*seat),
            building: building.number(),
            vp: u32::from(*vp),
            auto: *auto,
        }),
        Event::PointsLost { seat, vp } => Kind::PointsLost(pb::PointsLost {
            seat: seat_number(*seat),
            vp: u32::from(*vp),
        }),
        Event::StrongestPoint { seat } => Kind::StrongestPoint(pb::StrongestPoint {
            seat: seat_number(*seat),
        }),
        Event::YearEnded { year } => Kind::YearEnded(pb::YearEnded {
            year: u32::from(*year),
        }),
        Event::CathedralExchange { seat, goods, vp } => {
            Kind::CathedralExchange(pb::CathedralExchange {
                seat: seat_number(*seat),
                goods: Some(ids::goods(*goods)),
                vp: u32::from(*vp),
            })
        }
        Event::GameEnded => Kind::GameEnded(pb::GameEnded {}),
    }
}

fn shown_die(shown: &ShownDie) -> pb::ShownDie {
    pb::ShownDie {
        die: die_number(shown.die),
        value: u32::from(shown.value),
    }
}

fn die_number(die: DieId) -> u32 {
    u32::from(die.number())
}

/// The faces of dice, or totals of them.
pub(super) fn faces(faces: &[u8]) -> Vec<u32> {
    faces.iter().map(|&face| u32::from(face)).collect()
}

#[cfg(test)]
mod tests;
