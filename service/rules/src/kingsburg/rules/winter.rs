//! Phase 8, the battle (KIN-6h). Losses are in `losses`.

use std::ops::ControlFlow;

use super::{end, losses, year};
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Building, DIE_FACES, Good, Goods, Phase, YEARS};
use crate::kingsburg::event::{Event, Outcome};
use crate::kingsburg::refusal::{No, known};
use crate::kingsburg::stage::{Part, Stage};
use crate::kingsburg::state::{Battle, Play, PointSource, State};
use crate::table::{Lister, Named, PerSeat, Seat, SeatSet, Visit, broken};

/// Reveals the enemy, rolls for the King's soldiers, and fixes all outcomes.
///
/// # Rule KIN-6.100 to KIN-6.103
pub fn enter(play: &mut Play<'_>) {
    let enemy = play.state.enemy();
    play.state.peeked_by = SeatSet::EMPTY;
    play.tell(Event::EnemyRevealed { card: enemy });
    let king_die = send_soldiers(play);
    let players = &play.state.players;
    let stone_wall = |&seat: &Seat| players[seat].has(Building::StoneWall);
    let battle = Battle {
        enemy,
        king_die,
        strength: PerSeat::new(players.count(), |seat| strength(play.state, seat)),
        stone_walls: players.seats().filter(stone_wall).collect(),
    };
    for seat in play.state.order.clone() {
        play.tell(Event::StrengthCounted {
            seat,
            strength: battle.strength[seat],
            outcome: battle.outcome(seat),
        });
    }
    play.state.battle = Some(battle);
    play.state.stage = year::resolve(0);
}

/// Draws `king_die`: one die for all, rolled by the first player.
///
/// # Rule KIN-6.101
fn send_soldiers(play: &mut Play<'_>) -> u8 {
    let [value] = play.chance.dice("king_die", None, DIE_FACES);
    for seat in play.state.players.seats() {
        play.state.players[seat].soldiers += u16::from(value);
    }
    let seat = play.state.order[0];
    play.tell(Event::KingDieRolled { seat, value });
    value
}

/// The strength of soldiers and buildings against this year's enemy.
///
/// # Rule KIN-6.102
fn strength(state: &State, seat: Seat) -> i16 {
    let player = &state.players[seat];
    let soldiers = i16::try_from(player.soldiers).unwrap_or(i16::MAX);
    soldiers.saturating_add(player.province.strength_against(state.enemy().card().kind))
}

/// Applies gains and losses in turn order, part by part.
///
/// # Rule KIN-6.104, KIN-16.14
pub fn enter_resolve(play: &mut Play<'_>, place: u8, part: Part) -> ControlFlow<()> {
    let Some(seat) = play.state.at(place) else {
        play.state.stage = Stage::Strongest;
        return ControlFlow::Continue(());
    };
    let next = match part {
        Part::Card => match outcome(play.state, seat) {
            Outcome::Victory => Some(gain(play, seat)),
            Outcome::Defeat => Some(losses::lose_named_goods(play, seat)),
            Outcome::Standoff => None,
        },
        Part::RewardGood => return ControlFlow::Break(()),
        Part::Fortress => {
            score_fortress(play, seat);
            None
        }
        Part::AnyGoods { goods } => return losses::enter_goods(play, seat, goods),
        Part::Building => return losses::enter_building(play, seat),
        Part::Points => {
            losses::lose_points(play, seat);
            None
        }
    };
    play.state.stage = match next {
        Some(part) => Stage::Resolve { place, part },
        None => year::resolve(place + 1),
    };
    ControlFlow::Continue(())
}

fn outcome(state: &State, seat: Seat) -> Outcome {
    match &state.battle {
        Some(battle) => battle.outcome(seat),
        None => broken("KIN-6.103", state.stage),
    }
}

/// Gives the gain printed on the card; returns the next part.
fn gain(play: &mut Play<'_>, seat: Seat) -> Part {
    let reward = play.state.enemy().card().reward;
    let (goods, vp) = (reward.goods, reward.vp);
    let player = &mut play.state.players[seat];
    player.goods = player.goods.plus(goods);
    player.score(PointSource::Enemies, i16::from(vp));
    if !goods.is_none() || vp > 0 {
        play.tell(Event::EnemyRewarded { seat, goods, vp });
    }
    match reward.any_goods {
        0 => Part::Fortress,
        _ => Part::RewardGood,
    }
}

/// Lists `choose_reward_good` for every kind.
pub fn candidates(list: &mut Lister<'_, Action>) -> Visit {
    Good::ALL
        .into_iter()
        .try_for_each(|good| list.visit(Action::ChooseRewardGood { good: Some(good) }))
}

/// Judges `choose_reward_good`.
pub fn check(good: Named<Good>) -> Result<Good, No> {
    known(good, "good", "KIN-6.104")
}

pub fn perform(play: &mut Play<'_>, seat: Seat, good: Good) {
    let player = &mut play.state.players[seat];
    player.goods = player.goods.plus(Goods::of(good, 1));
    play.tell(Event::RewardGoodChosen { seat, good });
    play.state.stage = Stage::Resolve {
        place: play.state.place_of(seat),
        part: Part::Fortress,
    };
}

/// # Rule KIN-7.16
fn score_fortress(play: &mut Play<'_>, seat: Seat) {
    let player = &mut play.state.players[seat];
    if player.has(Building::Fortress) {
        player.score(PointSource::Fortress, 1);
        play.tell(Event::FortressPoint { seat });
    }
}

/// Gives a point to each winner among the players with the greatest strength.
///
/// # Rule KIN-6.107
pub fn enter_strongest(play: &mut Play<'_>) {
    let Some(battle) = play.state.battle.take() else {
        broken("KIN-6.107", play.state.stage)
    };
    let greatest = battle.strength.iter().copied().max();
    for seat in play.state.order.clone() {
        let strongest = Some(battle.strength[seat]) == greatest;
        if strongest && battle.outcome(seat) == Outcome::Victory {
            play.state.players[seat].score(PointSource::Strongest, 1);
            play.tell(Event::StrongestPoint { seat });
        }
    }
    play.state.history.push(battle);
    end_year(play);
}

/// Sends the soldiers home, and begins a new year or ends the game.
///
/// # Rule KIN-6.108, KIN-8.1
fn end_year(play: &mut Play<'_>) {
    for seat in play.state.players.seats() {
        play.state.players[seat].soldiers = 0;
    }
    let year = play.state.year;
    play.tell(Event::YearEnded { year });
    if year < YEARS {
        play.state.year += 1;
        year::begin_phase(play, Phase::KingsAid);
    } else {
        end::finish(play);
    }
}
