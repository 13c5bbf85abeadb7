//! The table as text: calendar, enemies, court, provinces and players.

pub mod court;
pub mod provinces;

use super::data::{Enemy, Phase};
use super::view::{BattleView, DiePlace, DieView, EnemyView, FighterView, PlayerView, View};
use crate::table::Names;
use crate::table::text::{self, BOLD, DIM, GAP, WIDE, fact, side_by_side, styled, wrap};

/// The column in which the players begin in a wide table. The provinces of five players take 79.
const BESIDE: usize = 82;

/// The table in lines of at most this many columns.
pub fn board(view: &View, names: Names<'_>, columns: usize) -> String {
    let mut parts = vec![calendar(view, columns), enemies(view, names, columns)];
    let battle = view.battle.as_ref();
    parts.extend(battle.map(|battle| self::battle(battle, names, columns)));
    if columns >= WIDE {
        let board = drawn(view, names, BESIDE - GAP).join("\n");
        let players = players(view, names, columns - BESIDE).join("\n");
        parts.push(side_by_side(&board, &players, BESIDE, columns));
    } else {
        parts.extend(drawn(view, names, columns));
        parts.extend(players(view, names, columns));
    }
    parts.join("\n")
}

/// Prints the court, while dice are on it or may come, and the provinces.
fn drawn(view: &View, names: Names<'_>, columns: usize) -> Vec<String> {
    let is_season = view.players.iter().any(|player| !player.dice.is_empty());
    let court = is_season.then(|| court::court(view, names, columns));
    let provinces = provinces::provinces(view, columns);
    court.into_iter().chain([provinces]).collect()
}

fn players(view: &View, names: Names<'_>, columns: usize) -> Vec<String> {
    let players = turn_order(view);
    let players = players.map(|player| self::player(view, names, player, columns));
    players.collect()
}

/// The players in turn order.
fn turn_order(view: &View) -> impl Iterator<Item = &PlayerView> {
    let players = |seat| view.players.iter().find(move |player| player.seat == seat);
    view.turn_order.iter().copied().filter_map(players)
}

/// The eight phases, the current one in bold.
fn calendar(view: &View, columns: usize) -> String {
    let phases = Phase::ALL.map(|phase| {
        let name = match phase {
            Phase::KingsAid => "King's aid",
            Phase::KingsReward => "reward",
            Phase::KingsEnvoy => "envoy",
            Phase::Spring | Phase::Summer | Phase::Autumn | Phase::Recruit | Phase::Winter => {
                phase.id()
            }
        };
        if phase == view.phase {
            styled(BOLD, format_args!("[{name}]"))
        } else {
            styled(DIM, name)
        }
    });
    let year = styled(BOLD, format_args!("Year {} of 5", view.year));
    let text = wrap(&phases, "  ", &format!("{year}  "), "  ", columns);
    format!("{text}\n")
}

/// `Goblins 3`.
fn foe(enemy: Enemy) -> String {
    format!("{enemy} {}", enemy.card().strength)
}

/// Prints the enemy of each year, as far as the viewer knows it.
fn enemies(view: &View, names: Names<'_>, columns: usize) -> String {
    let enemy = |enemy: &EnemyView| {
        let text = match enemy.card {
            Some(card) if enemy.revealed => foe(card),
            Some(card) => format!("{} (seen by you)", foe(card)),
            None => format!("strength {}-{}", enemy.min_strength, enemy.max_strength),
        };
        let year = styled(DIM, format_args!("{}:", enemy.year));
        if enemy.year == view.year {
            format!("{year} {}", styled(BOLD, text))
        } else {
            format!("{year} {text}")
        }
    };
    let words: Vec<_> = view.enemies.iter().map(enemy).collect();
    let first = format!("{}  ", styled(BOLD, "Enemies"));
    let mut text = wrap(&words, "  ", &first, "         ", columns);
    if !view.peeked_by.is_empty() {
        let seen = view.peeked_by.iter();
        let seen: Vec<_> = seen.map(|seat| names.of(*seat).to_string()).collect();
        let first = "         seen by ";
        text = format!("{text}\n{}", wrap(&seen, ", ", first, "         ", columns));
    }
    text + "\n"
}

/// The battle that is being resolved.
fn battle(battle: &BattleView, names: Names<'_>, columns: usize) -> String {
    let fighter = |fighter: &FighterView| {
        let name = names.of(fighter.seat);
        format!("{name} {} ({})", fighter.strength, fighter.outcome)
    };
    let words: Vec<_> = battle.fighters.iter().map(fighter).collect();
    let (heading, enemy, king) = (styled(BOLD, "Battle"), foe(battle.card), battle.king_die);
    let first = format!("{heading}  {enemy}, King's die {king}: ");
    wrap(&words, ", ", &first, "        ", columns) + "\n"
}

/// One player: points, goods, what they hold, and their dice.
fn player(view: &View, names: Names<'_>, player: &PlayerView, columns: usize) -> String {
    let who = text::player(&view.pending, player.seat, names);
    let first = format!("{who} ({})  ", player.color);
    let mut lines = vec![wrap(&holdings(view, player), "  ", &first, "    ", columns)];
    if !player.dice.is_empty() {
        let first = "    dice  ";
        lines.push(wrap(&dice(player), "  ", first, "          ", columns));
    }
    lines.join("\n")
}

fn holdings(view: &View, player: &PlayerView) -> Vec<String> {
    let goods = player.goods;
    let mut parts = vec![
        styled(BOLD, format_args!("{} VP", player.vp)),
        fact("gold", goods.gold),
        fact("wood", goods.wood),
        fact("stone", goods.stone),
    ];
    if player.plus2 > 0 {
        parts.push(fact("+2 tokens", player.plus2));
    }
    if player.soldiers > 0 {
        parts.push(fact("soldiers", player.soldiers));
    }
    if player.aid_die {
        parts.push(String::from("King's white die"));
    }
    if view.envoy.holder == Some(player.seat) {
        parts.push(String::from("King's Envoy"));
    }
    if player.build_actions_left > 1 {
        parts.push(format!("{} buildings to build", player.build_actions_left));
    }
    parts
}

/// The dice in the pool first, then the others.
fn dice(player: &PlayerView) -> Vec<String> {
    let mut dice = player.dice.clone();
    dice.sort_by_key(|die| match die.place {
        DiePlace::Pool => 0,
        DiePlace::Court(_) => 1,
        DiePlace::SetAside => 2,
    });
    let die = |die: &DieView| match die.place {
        DiePlace::Pool => styled(BOLD, die),
        DiePlace::Court(advisor) => styled(DIM, format_args!("{die} on {}", advisor.number())),
        DiePlace::SetAside => styled(DIM, format_args!("{die} set aside")),
    };
    dice.iter().map(die).collect()
}
