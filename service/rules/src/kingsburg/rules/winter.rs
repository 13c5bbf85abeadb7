//! Phase 8, the battle (KIN-6h). Losses are in `losses`.

use std::ops::ControlFlow;

use super::{end, losses, year};
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Building, DIE_FACES, Good, Goods, Phase, YEARS};
use crate::kingsburg::event::{Event, Outcome};
use crate::kingsburg::refusal::{RefusedAction, require_known};
use crate::kingsburg::stage::{Part, Stage};
use crate::kingsburg::state::{Battle, ExecContext, PointSource, State};
use crate::table::{
    ActionEnumerator, MaybeKnown, PerSeat, Seat, SeatSet, VisitFlow, invariant_violated,
};

/// Reveals the enemy, rolls for the King's soldiers, and fixes all outcomes.
///
/// # Rule KIN-6.100 to KIN-6.103
pub fn enter(ctx: &mut ExecContext<'_>) {
    let enemy = ctx.state.enemy();
    ctx.state.peeked_by = SeatSet::EMPTY;
    ctx.emit(Event::EnemyRevealed { card: enemy });
    let king_die = send_soldiers(ctx);
    let (players, kind) = (&ctx.state.players, enemy.card().kind);
    let stone_wall = |&seat: &Seat| players[seat].has(Building::StoneWall);
    let battle = Battle {
        enemy,
        king_die,
        strength: PerSeat::new(players.count(), |seat| players[seat].strength_against(kind)),
        stone_walls: players.seats().filter(stone_wall).collect(),
    };
    for seat in ctx.state.order.clone() {
        ctx.emit(Event::StrengthCounted {
            seat,
            strength: battle.strength[seat],
            outcome: battle.outcome(seat),
        });
    }
    ctx.state.battle = Some(battle);
    ctx.state.stage = year::resolve(0);
}

/// Draws `king_die`: one die for all, rolled by the first player.
///
/// # Rule KIN-6.101
fn send_soldiers(ctx: &mut ExecContext<'_>) -> u8 {
    let [value] = ctx.chance.dice("king_die", None, DIE_FACES);
    for seat in ctx.state.players.seats() {
        ctx.state.players[seat].soldiers += u16::from(value);
    }
    let seat = ctx.state.order[0];
    ctx.emit(Event::KingDieRolled { seat, value });
    value
}

/// Applies gains and losses in turn order, part by part.
///
/// # Rule KIN-6.104, KIN-16.14
pub fn enter_resolve(ctx: &mut ExecContext<'_>, turn_index: u8, part: Part) -> ControlFlow<()> {
    let Some(seat) = ctx.state.seat_at(turn_index) else {
        ctx.state.stage = Stage::Strongest;
        return ControlFlow::Continue(());
    };
    let next = match part {
        Part::Card => match outcome(ctx.state, seat) {
            Outcome::Victory => Some(gain(ctx, seat)),
            Outcome::Defeat => Some(losses::lose_named_goods(ctx, seat)),
            Outcome::Standoff => None,
        },
        Part::RewardGood => return ControlFlow::Break(()),
        Part::Fortress => {
            score_fortress(ctx, seat);
            None
        }
        Part::AnyGoods { goods } => return losses::enter_goods(ctx, seat, goods),
        Part::Building => return losses::enter_building(ctx, seat),
        Part::Points => {
            losses::lose_points(ctx, seat);
            None
        }
    };
    ctx.state.stage = match next {
        Some(part) => Stage::Resolve { turn_index, part },
        None => year::resolve(turn_index + 1),
    };
    ControlFlow::Continue(())
}

fn outcome(state: &State, seat: Seat) -> Outcome {
    match &state.battle {
        Some(battle) => battle.outcome(seat),
        None => invariant_violated("KIN-6.103", state.stage),
    }
}

/// Gives the gain printed on the card; returns the next part.
fn gain(ctx: &mut ExecContext<'_>, seat: Seat) -> Part {
    let reward = ctx.state.enemy().card().reward;
    let (goods, vp) = (reward.goods, reward.vp);
    let player = &mut ctx.state.players[seat];
    player.goods = player.goods.plus(goods);
    player.score(PointSource::Enemies, i16::from(vp));
    if !goods.is_none() || vp > 0 {
        ctx.emit(Event::EnemyRewarded { seat, goods, vp });
    }
    match reward.any_goods {
        0 => Part::Fortress,
        _ => Part::RewardGood,
    }
}

/// Lists `choose_reward_good` for every kind.
pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    Good::ALL
        .into_iter()
        .try_for_each(|good| list.visit(Action::ChooseRewardGood { good: Some(good) }))
}

/// Judges `choose_reward_good`.
pub fn check(good: MaybeKnown<Good>) -> Result<Good, RefusedAction> {
    require_known(good, "good", "KIN-6.104")
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, good: Good) {
    let player = &mut ctx.state.players[seat];
    player.goods = player.goods.plus(Goods::of(good, 1));
    ctx.emit(Event::RewardGoodChosen { seat, good });
    ctx.state.stage = Stage::Resolve {
        turn_index: ctx.state.turn_index_of(seat),
        part: Part::Fortress,
    };
}

/// # Rule KIN-7.16
fn score_fortress(ctx: &mut ExecContext<'_>, seat: Seat) {
    let player = &mut ctx.state.players[seat];
    if player.has(Building::Fortress) {
        player.score(PointSource::Fortress, 1);
        ctx.emit(Event::FortressPoint { seat });
    }
}

/// Gives a point to each winner among the players with the greatest strength.
///
/// # Rule KIN-6.107
pub fn enter_strongest(ctx: &mut ExecContext<'_>) {
    let Some(battle) = ctx.state.battle.take() else {
        invariant_violated("KIN-6.107", ctx.state.stage)
    };
    let greatest = battle.strength.iter().copied().max();
    for seat in ctx.state.order.clone() {
        let strongest = Some(battle.strength[seat]) == greatest;
        if strongest && battle.outcome(seat) == Outcome::Victory {
            ctx.state.players[seat].score(PointSource::Strongest, 1);
            ctx.emit(Event::StrongestPoint { seat });
        }
    }
    ctx.state.history.push(battle);
    end_year(ctx);
}

/// Sends the soldiers home, and begins a new year or ends the game.
///
/// # Rule KIN-6.108, KIN-8.1
fn end_year(ctx: &mut ExecContext<'_>) {
    for seat in ctx.state.players.seats() {
        ctx.state.players[seat].soldiers = 0;
    }
    let year = ctx.state.year;
    ctx.emit(Event::YearEnded { year });
    if year < YEARS {
        ctx.state.year += 1;
        year::begin_phase(ctx, Phase::KingsAid);
    } else {
        end::finish(ctx);
    }
}
