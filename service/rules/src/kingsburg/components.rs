//! The components that actions and events touch. `picture` draws them under the same names.

use super::action::{Action, Influence};
use super::data::{Advisor, Building, DiceSet, DieId, Good, Goods, Phase};
use super::event::Event;
use super::view::View;
use crate::table::{Component, Seat};

pub fn advisor(advisor: Advisor) -> Component {
    Component::new("advisor", advisor.id())
}

/// A die of a player; neutral dice have no names.
pub fn die(seat: Seat, die: DieId) -> Component {
    Component::numbered(seat, "die", die.number())
}

pub fn building(seat: Seat, building: Building) -> Component {
    Component::of(seat, "building", building.id())
}

/// A player's goods of one kind.
pub fn good(seat: Seat, good: Good) -> Component {
    Component::of(seat, "good", good.id())
}

/// The +2 tokens of a player.
pub fn tokens(seat: Seat) -> Component {
    Component::only("plus2", seat)
}

/// The soldiers of a player.
pub fn soldiers(seat: Seat) -> Component {
    Component::only("soldiers", seat)
}

/// The enemy card of a year.
pub fn enemy(year: u8) -> Component {
    Component::number("enemy", year)
}

pub fn phase(phase: Phase) -> Component {
    Component::new("phase", phase.id())
}

/// The King's Envoy.
pub fn envoy() -> Component {
    Component::new("marker", "envoy")
}

/// Lists the components that an action touches. A pass touches only the player.
pub fn action(view: &View, seat: Seat, action: &Action) -> Vec<Component> {
    let of_goods = |named: &Option<Good>| named.map(|named| good(seat, named));
    let helper = || {
        view.question
            .and_then(|question| question.advisor)
            .map(advisor)
    };
    let one = |one: Option<Component>| one.into_iter().collect();
    match action {
        Action::ChooseAidGood { good }
        | Action::ChooseRewardGood { good }
        | Action::TownHallSellGood { good } => one(of_goods(good)),
        Action::ChooseHelpGood { good } | Action::AlchemistExchange { give: good } => {
            of_goods(good).into_iter().chain(helper()).collect()
        }
        Action::DeclareEnvoy { .. } => vec![envoy()],
        Action::RerollDie { die } | Action::SetAsideDie { die } => {
            one(DieId::from_number(*die).map(|die| self::die(seat, die)))
        }
        Action::Influence(placement) => influence(seat, placement),
        Action::DeclineExchange => one(helper()),
        Action::Build { building } | Action::LoseBuilding { building } => {
            one(building.map(|building| self::building(seat, building)))
        }
        Action::TownHallTakeToken => vec![tokens(seat)],
        Action::RecruitSoldier(paid) => {
            let paid = paid.goods().unwrap_or_default();
            with_goods(seat, paid, [soldiers(seat)])
        }
        Action::PayLostGoods(paid) => with_goods(seat, paid.goods().unwrap_or_default(), []),
        Action::KeepRoll | Action::PassInfluence | Action::PassBuild | Action::PassRecruit => {
            vec![Component::seat(seat)]
        }
    }
}

fn influence(seat: Seat, placement: &Influence) -> Vec<Component> {
    let advisor = Advisor::from_number(placement.advisor).map(advisor);
    let helped = (placement.plus2 > 0).then(|| tokens(seat));
    let market = (placement.market_offset != 0).then(|| building(seat, Building::Market));
    let envoy = placement.use_envoy.then(envoy);
    let dice = placement.dice.named.iter().map(|one| die(seat, one));
    let parts = [helped, market, envoy].into_iter().flatten();
    advisor.into_iter().chain(dice).chain(parts).collect()
}

/// Lists some components, and those of the goods.
fn with_goods(
    seat: Seat,
    goods: Goods,
    others: impl IntoIterator<Item = Component>,
) -> Vec<Component> {
    let kinds = Good::ALL.into_iter().filter(|kind| goods.amount(*kind) > 0);
    let kinds = kinds.map(|kind| good(seat, kind));
    others.into_iter().chain(kinds).collect()
}

/// Lists the components that an event touches.
#[allow(clippy::too_many_lines, reason = "one row for each event")]
pub fn event(event: &Event) -> Vec<Component> {
    let player = Component::seat;
    match event {
        Event::GameBegan { order } | Event::OrderSet { order, .. } => {
            order.iter().copied().map(player).collect()
        }
        Event::PhaseBegan { phase, .. } => vec![self::phase(*phase)],
        Event::AidDieGiven { seat } | Event::AidDieReturned { seat } => {
            vec![die(*seat, DieId::KingsAid), player(*seat)]
        }
        Event::AidGoodChosen { seat, good } | Event::RewardGoodChosen { seat, good } => {
            vec![self::good(*seat, *good)]
        }
        Event::EnvoyDeclared { .. } | Event::EnvoyNotGiven => vec![envoy()],
        Event::EnvoyGiven { seat } | Event::EnvoyReturned { seat } => vec![envoy(), player(*seat)],
        Event::NeutralRolled { .. } | Event::CourtCleared => Vec::new(),
        Event::NeutralPlaced { advisor, .. } => vec![self::advisor(*advisor)],
        Event::GuildIncome { seat } => vec![
            building(*seat, Building::MerchantsGuild),
            good(*seat, Good::Gold),
        ],
        Event::DiceRolled { seat, dice } => dice.iter().map(|one| die(*seat, one.die)).collect(),
        Event::DieRerolled { seat, die, .. } | Event::DieSetAside { seat, die, .. } => {
            vec![self::die(*seat, *die)]
        }
        Event::RollKept { seat }
        | Event::InfluencePassed { seat }
        | Event::ExchangeDeclined { seat }
        | Event::BuildPassed { seat }
        | Event::KingsRewardGiven { seat }
        | Event::RecruitPassed { seat }
        | Event::StrengthCounted { seat, .. }
        | Event::PointsLost { seat, .. }
        | Event::StrongestPoint { seat } => vec![player(*seat)],
        Event::AdvisorInfluenced {
            seat,
            advisor,
            dice,
            plus2,
            market_offset,
            use_envoy,
        } => influenced(
            *seat,
            *advisor,
            *dice,
            (*plus2 > 0, *market_offset != 0, *use_envoy),
        ),
        Event::DicePlaced {
            seat,
            advisor,
            dice,
        } => {
            let dice = dice.iter().map(|one| die(*seat, one.die));
            [self::advisor(*advisor)].into_iter().chain(dice).collect()
        }
        Event::HelpGiven {
            seat,
            advisor,
            goods,
            plus2,
            soldiers,
            ..
        } => {
            let given = [
                Some(self::advisor(*advisor)),
                (*plus2 > 0).then(|| tokens(*seat)),
                (*soldiers > 0).then(|| self::soldiers(*seat)),
            ];
            with_goods(*seat, *goods, given.into_iter().flatten())
        }
        Event::EnemyPeeked { advisor, year, .. } => vec![self::advisor(*advisor), enemy(*year)],
        Event::HelpChosen {
            seat,
            advisor,
            goods,
        } => with_goods(*seat, *goods, [self::advisor(*advisor)]),
        Event::GoodExchanged { seat, gave, gained } => {
            with_goods(*seat, *gained, [good(*seat, *gave)])
        }
        Event::Built {
            seat,
            building,
            paid,
            ..
        } => with_goods(*seat, *paid, [self::building(*seat, *building)]),
        Event::InnToken { seat } => vec![building(*seat, Building::Inn), tokens(*seat)],
        Event::EmbassyPoint { seat } => vec![building(*seat, Building::Embassy), player(*seat)],
        Event::TownHallToken { seat } => vec![building(*seat, Building::TownHall), tokens(*seat)],
        Event::TownHallSale { seat, good } => vec![
            building(*seat, Building::TownHall),
            self::good(*seat, *good),
            player(*seat),
        ],
        Event::SoldierRecruited { seat, paid } => with_goods(*seat, *paid, [soldiers(*seat)]),
        Event::EnemyRevealed { card } => vec![enemy(card.card().year)],
        Event::KingDieRolled { seat, .. } => vec![soldiers(*seat)],
        Event::EnemyRewarded { seat, goods, .. } => with_goods(*seat, *goods, [player(*seat)]),
        Event::FortressPoint { seat } => vec![building(*seat, Building::Fortress), player(*seat)],
        Event::GoodsLost { seat, goods } | Event::AnyGoodsLost { seat, goods } => {
            with_goods(*seat, *goods, [])
        }
        Event::BuildingLost { seat, building, .. } => vec![self::building(*seat, *building)],
        Event::YearEnded { year } => vec![enemy(*year)],
        Event::CathedralExchange { seat, goods, .. } => with_goods(
            *seat,
            *goods,
            [building(*seat, Building::Cathedral), player(*seat)],
        ),
    }
}

fn influenced(
    seat: Seat,
    advisor: Advisor,
    dice: DiceSet,
    (plus2, market, use_envoy): (bool, bool, bool),
) -> Vec<Component> {
    let parts = [
        Some(self::advisor(advisor)),
        plus2.then(|| tokens(seat)),
        market.then(|| building(seat, Building::Market)),
        use_envoy.then(envoy),
    ];
    let dice = dice.iter().map(|one| die(seat, one));
    parts.into_iter().flatten().chain(dice).collect()
}
