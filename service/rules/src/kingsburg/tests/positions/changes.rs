//! Random changes of views, most of which are small enough to leave a table on which a game can begin.

use gamekeeper_rules::conformance::{one_of, pick};
use gamekeeper_rules::kingsburg::data::{Advisor, DieId, Enemy, Phase};
use gamekeeper_rules::kingsburg::view::{Bookkeeping, DiePlace, EnvoyMode, PlayerView, View};
use gamekeeper_rules::table::{Chance, Seat};

/// Changes one to three parts of a view.
pub(super) fn change(view: &mut View, luck: &mut Chance) {
    for _ in 0..=luck.uniform(3) {
        match luck.uniform(8) {
            0 => change_course(view, luck),
            1 => change_court(view, luck),
            2 => change_winter(view, luck),
            3 => change_bookkeeping(view, luck),
            4 => change_season(view, luck),
            _ => change_player(view, luck),
        }
    }
}

/// Any of the numbers that are most likely to break something.
fn number(luck: &mut Chance) -> u8 {
    let numbers = [0, 1, 2, 3, 4, 5, 6, 7, 12, 20, 50, 127, 128, 254, 255];
    pick(luck, &numbers)
}

fn seat(luck: &mut Chance) -> Seat {
    pick(luck, &Seat::all(5).collect::<Vec<_>>())
}

fn change_player(view: &mut View, luck: &mut Chance) {
    let Some(player) = one_of(luck, &mut view.players) else {
        return;
    };
    match luck.uniform(8) {
        0 | 1 => player.goods.gold = number(luck),
        2 => player.goods.wood = number(luck),
        3 => player.goods.stone = number(luck),
        4 => player.plus2 = number(luck),
        5 => player.soldiers = u16::from(number(luck)) * 2,
        6 => *one_of(luck, &mut player.rows).unwrap() = pick(luck, &[0, 1, 2, 3, 4, 4, 5, 255]),
        _ => change_dice(player, luck),
    }
}

fn change_dice(player: &mut PlayerView, luck: &mut Chance) {
    let places = [
        DiePlace::Pool,
        DiePlace::SetAside,
        DiePlace::Court(Advisor::King),
    ];
    match luck.uniform(6) {
        0 => player.reroll_used ^= true,
        1 => player.market_used ^= true,
        2 => player.influence_done ^= true,
        3 => player.aid_die ^= true,
        _ => {
            if let Some(die) = one_of(luck, &mut player.dice) {
                match luck.uniform(6) {
                    0 => die.die = pick(luck, &DieId::ALL),
                    1 => die.place = pick(luck, &places),
                    _ => die.value = number(luck),
                }
            }
        }
    }
}

fn change_course(view: &mut View, luck: &mut Chance) {
    let decisions = [
        "aid_good",
        "help_choice",
        "build",
        "recruit",
        "loss_goods",
        "influence",
    ];
    match luck.uniform(6) {
        0 => view.year = number(luck),
        1 => view.phase = pick(luck, &Phase::ALL),
        2 => view.turn_order.reverse(),
        3 => view.pending[0].decision = pick(luck, &decisions),
        4 => view.pending[0].seat = seat(luck),
        _ => view.players.truncate(usize::from(number(luck))),
    }
}

fn change_court(view: &mut View, luck: &mut Chance) {
    let Some(group) = one_of(luck, &mut view.court) else {
        return;
    };
    match luck.uniform(8) {
        0 => group.advisor = pick(luck, &Advisor::ALL),
        1 => group.owner = Some(seat(luck)),
        2 => group.dice = vec![pick(luck, &DieId::ALL)],
        3 => group.plus2 = number(luck),
        4 => group.market_offset = number(luck).cast_signed(),
        5 => group.via_envoy ^= true,
        6 => group.sequence = number(luck),
        _ => drop(view.court.pop()),
    }
}

fn change_season(view: &mut View, luck: &mut Chance) {
    match luck.uniform(5) {
        0 => view.envoy.mode = pick(luck, &EnvoyMode::ALL),
        1 => view.envoy.declarer = Some(seat(luck)),
        2 => view.envoy.holder = Some(seat(luck)),
        3 => view.envoy.spent ^= true,
        _ => view.peeked_by = vec![seat(luck)],
    }
}

fn change_winter(view: &mut View, luck: &mut Chance) {
    match luck.uniform(6) {
        0 => view.enemies.clear(),
        1 => {
            let cards = [None, Some(pick(luck, &Enemy::ALL))];
            if let Some(enemy) = one_of(luck, &mut view.enemies) {
                enemy.card = pick(luck, &cards);
            }
        }
        2 => view.battle = view.history.first().cloned(),
        3 => drop(view.history.pop()),
        _ => {
            let battle = view.battle.as_mut().or(view.history.last_mut());
            let Some(battle) = battle else { return };
            match luck.uniform(3) {
                0 => battle.king_die = number(luck),
                1 => battle.card = pick(luck, &Enemy::ALL),
                _ => {
                    if let Some(fighter) = one_of(luck, &mut battle.fighters) {
                        fighter.strength = i16::from(number(luck)) - 100;
                    }
                }
            }
        }
    }
}

fn change_bookkeeping(view: &mut View, luck: &mut Chance) {
    let Some(Bookkeeping {
        aided,
        helped,
        points,
        stone_walls,
        ..
    }) = &mut view.bookkeeping
    else {
        return;
    };
    match luck.uniform(5) {
        0 => view.bookkeeping = None,
        1 => aided.push(seat(luck)),
        2 => *helped = number(luck),
        3 => {
            if let Some(points) = one_of(luck, points) {
                points.enemies = i16::from(number(luck)) - 100;
            }
        }
        _ => {
            if let Some(walls) = one_of(luck, stone_walls) {
                walls.seats = vec![seat(luck)];
            }
        }
    }
}
