//! The **evaluation function** of bots: points, goods by the buildings that they can still pay, dice by the help of
//! advisors, buildings by their gains in the time left, and the winters to come.

use super::Kingsburg;
use super::data::{
    Advisor, Building, Choice, DiceSet, DieId, Enemy, Good, Goods, Help, Phase, ROWS, YEARS,
};
use super::stage::Stage;
use super::state::{Player, State, bit};
use crate::bots::{Effort, Heuristics};
use crate::table::Seat;

const POINT: i32 = 10;
/// A good that a building needs; buildings cost a little over two goods for each point.
const GOOD: i32 = 5;
const TOKEN: i32 = 5;
const SOLDIER: i32 = 5;
/// The worth of the dice of a season that is not rolled yet, and of a white die in addition.
const ROLL: i32 = 22;
const DIE: i32 = 6;
/// Soldiers hired for a later winter.
const HIRED: i32 = 1;

impl Heuristics for Kingsburg {
    const HORIZON: u32 = 60;

    const LEVELS: [Effort; 3] = [
        Effort::of(4, Self::WIDTH, Self::HORIZON),
        Effort::of(16, Self::WIDTH, Self::HORIZON),
        Effort::of(48, Self::WIDTH, Self::HORIZON),
    ];

    fn players(state: &State) -> usize {
        state.seats()
    }

    /// Counts everything that is still to come, dice not yet rolled included: the last action of a season rolls the
    /// next dice, and would look too good if they had counted nothing before.
    fn evaluate(state: &State, seat: Seat) -> i32 {
        let player = &state.players[seat];
        let time = Time::of(state, seat);
        let court = Court::of(state, seat);
        let standing = player.province.standing();
        let lasting: i32 = standing.map(|building| lasting(building, time)).sum();
        POINT * i32::from(player.vp())
            + i32::from(player.plus2) * if time.rolls > 0 { TOKEN } else { 1 }
            + court.promised
            // Others may take the advisors first.
            + dice(state, seat) * 3 / 4
            + ROLL * time.rolls
            + lasting
            + goods(player, &court, time)
            + projects(player, &court, time)
            + winters(state, seat, &court)
    }
}

/// The remaining time of a game for a seat.
#[derive(Clone, Copy)]
struct Time {
    /// Seasons whose dice are still to be rolled.
    rolls: i32,
    /// Buildings that can still be built.
    builds: i32,
    /// Battles to come.
    winters: i32,
}

impl Time {
    fn of(state: &State, seat: Seat) -> Self {
        let years = i32::from(YEARS.saturating_sub(state.year));
        let seasons = match state.phase {
            Phase::KingsAid => 3,
            Phase::Spring | Phase::KingsReward => 2,
            Phase::Summer | Phase::KingsEnvoy => 1,
            Phase::Autumn | Phase::Recruit | Phase::Winter => 0,
        };
        let rolls = 3 * years + seasons;
        let before_build = matches!(
            state.stage,
            Stage::Reroll { .. }
                | Stage::SetAside { .. }
                | Stage::Influence { .. }
                | Stage::Help { .. }
        );
        let now = if before_build {
            state.envoy.build_actions(seat)
        } else {
            state.build_actions_left(seat)
        };
        Self {
            rolls,
            builds: rolls + i32::from(now),
            winters: years + i32::from(state.battle.is_none()),
        }
    }
}

/// The gains that the groups of a seat on the court are still to bring.
#[derive(Default)]
struct Court {
    /// Goods of known kinds, and of kinds that the player chooses.
    goods: Goods,
    chosen: i32,
    soldiers: i32,
    /// The worth of the other help.
    promised: i32,
}

impl Court {
    fn of(state: &State, seat: Seat) -> Self {
        let mut court = Self::default();
        let served = if let Stage::Help { advisor, .. } = state.stage {
            advisor.number()
        } else {
            0
        };
        let own = state.groups.iter().filter(|group| group.owner == seat);
        for group in own.filter(|group| group.advisor.number() > served) {
            let help = group.advisor.help();
            court.goods = court.goods.plus(help.goods);
            court.chosen += chosen(help);
            court.soldiers += i32::from(help.soldiers);
            court.promised += POINT * i32::from(help.vp) + TOKEN * i32::from(help.plus2);
        }
        court
    }
}

/// The number of goods whose kind the player chooses.
fn chosen(help: Help) -> i32 {
    match help.choice {
        Some(Choice::OneOf { amount, .. }) => i32::from(amount),
        Some(Choice::Exchange) => 1,
        None => 0,
    }
}

/// The worth of an advisor's help.
fn help(help: Help) -> i32 {
    POINT * i32::from(help.vp)
        + GOOD * (i32::from(help.goods.total()) + chosen(help))
        + SOLDIER * i32::from(help.soldiers)
        + TOKEN * i32::from(help.plus2)
}

/// The worth of the dice that are not yet placed, at the advisors that are open to the seat.
fn dice(state: &State, seat: Seat) -> i32 {
    let player = &state.players[seat];
    if player.influence_done {
        return 0;
    }
    let taken = if state.envoy.opens_for(seat) {
        0
    } else {
        state.occupied()
    };
    split(player, player.dice.pool(), taken)
}

/// The worth of the best way to split dice up between advisors that are not taken.
fn split(player: &Player, pool: DiceSet, taken: u64) -> i32 {
    let Some(first) = pool.iter().next() else {
        return 0;
    };
    let rest = pool - first;
    let mut most = split(player, rest, taken);
    for dice in DieId::sets().filter(|dice| dice.is_subset(pool) && dice.contains(first)) {
        let total = i32::from(player.dice.sum(dice));
        let Some(advisor) = Advisor::from_number(total) else {
            continue;
        };
        if taken & bit(advisor) == 0 && !dice.is_disjoint(DieId::OWN) {
            let others = split(player, pool - dice, taken | bit(advisor));
            most = most.max(help(advisor.help()) + others);
        }
    }
    most
}

/// The worth of a building in the time left besides its points and its strength.
fn lasting(building: Building, time: Time) -> i32 {
    let Time {
        rolls,
        builds,
        winters,
    } = time;
    match building {
        Building::Farms => DIE * rolls,
        Building::MerchantsGuild => GOOD * rolls,
        Building::Embassy => POINT * rolls,
        Building::TownHall => TOKEN * rolls,
        Building::Market => 2 * rolls,
        Building::Inn => TOKEN * (rolls + 1) / 3,
        Building::Crane => builds,
        Building::Barracks | Building::Stable => 3 * winters,
        Building::Statue => rolls / 4,
        Building::Cathedral => 4,
        Building::Chapel
        | Building::Church
        | Building::StoneWall
        | Building::Fortress
        | Building::GuardTower
        | Building::Blacksmith
        | Building::WizardsGuild
        | Building::Palisade
        | Building::Barricade => 0,
    }
}

/// The worth of goods by what they can build: more of a kind than the next buildings cost are of little use.
fn goods(player: &Player, court: &Court, time: Time) -> i32 {
    let stock = player.goods.plus(court.goods);
    if time.builds == 0 {
        return i32::from(stock.total()) + court.chosen;
    }
    let next = (0..ROWS).filter_map(|row| player.province.next_in_row(row));
    let wanted = next.fold(Goods::NONE, |sum, building| {
        sum.plus(player.price(building))
    });
    let kind = |good: Good| {
        let (owned, wanted) = (
            i32::from(stock.amount(good)),
            i32::from(wanted.amount(good)),
        );
        GOOD * owned.min(wanted) + (owned - wanted).max(0)
    };
    Good::ALL.map(kind).iter().sum::<i32>() + GOOD * court.chosen
}

/// The worth of a building less its price.
fn gain(player: &Player, building: Building, time: Time) -> i32 {
    let strength =
        4 * i32::from(building.strength()) + i32::from(building.extra_against().is_some());
    POINT * i32::from(building.vp()) + lasting(building, time) + strength * time.winters
        - GOOD * i32::from(player.price(building).total())
}

/// The prospects of the rows, with more for a row whose next building the goods pay.
fn projects(player: &Player, court: &Court, time: Time) -> i32 {
    let stock = player.goods.plus(court.goods);
    let next = (0..ROWS).filter_map(|row| player.province.next_in_row(row));
    let (mut all, mut soon) = (0, 0);
    for building in next {
        let outlook = outlook(player, building, time);
        let lack = player.price(building).minus(stock).total();
        all += outlook;
        soon = soon.max(match i32::from(lack) - court.chosen {
            ..=0 => outlook,
            1 => outlook / 2,
            _ => 0,
        });
    }
    soon / 2 + all / 4
}

/// The best mean gain per building of a row, from this building on.
fn outlook(player: &Player, next: Building, time: Time) -> i32 {
    let after = |one: &Building| Building::at(one.row_index(), one.column() + 1);
    let row = std::iter::successors(Some(next), after);
    let together = row.scan(0, |sum, building| {
        *sum += gain(player, building, time);
        Some(*sum)
    });
    let each = (1..=time.builds)
        .zip(together)
        .map(|(count, sum)| sum / count);
    each.max().unwrap_or(0).max(0)
}

/// The expected gain of the battles to come.
fn winters(state: &State, seat: Seat, court: &Court) -> i32 {
    let player = &state.players[seat];
    let later: i32 = (state.year + 1..=YEARS)
        .map(|year| battle(player, HIRED, Enemy::of_year(year)))
        .sum();
    if state.battle.is_some() {
        return later;
    }
    let soldiers = i32::from(player.soldiers) + court.soldiers;
    let enemy = [state.enemy()];
    let enemies = if state.peeked_by.contains(seat) {
        &enemy
    } else {
        Enemy::of_year(state.year)
    };
    later + battle(player, soldiers, enemies)
}

/// The expected gain of a battle against one of these enemies, each equally likely: the King sends 1 to 6 soldiers.
fn battle(player: &Player, soldiers: i32, enemies: &[Enemy]) -> i32 {
    let wall = i32::from(player.has(Building::StoneWall));
    let fortress = POINT * i32::from(player.has(Building::Fortress));
    let building = player
        .province
        .rightmost()
        .map(|building| POINT * i32::from(building.vp()) + 10)
        .min()
        .unwrap_or(0);
    let promise = |enemy: &Enemy| {
        let card = enemy.card();
        let strength = soldiers + i32::from(player.province.strength_against(card.kind));
        // The faces of the King's die that are not enough, and those that are more than that.
        let lack = i32::from(card.strength) - strength;
        let lost = (lack - 1).clamp(0, 6);
        let won = 6 - (lack - wall).clamp(0, 6);
        let reward = card.reward;
        let prize = POINT * i32::from(reward.vp)
            + GOOD * (i32::from(reward.goods.total()) + i32::from(reward.any_goods))
            + fortress
            + 4;
        let loss = card.loss;
        let goods = i32::from(loss.goods.at_most(player.goods).total()) + i32::from(loss.any_goods);
        let harm = POINT * i32::from(loss.vp) + GOOD * goods + building * i32::from(loss.buildings);
        won * prize - lost * harm
    };
    let all: i32 = enemies.iter().map(promise).sum();
    all / (6 * i32::try_from(enemies.len()).unwrap_or(1).max(1))
}
