//! The table of Kingsburg: calendar, enemies, court, provinces and players.

mod court;
mod names;
mod provinces;
mod words;

use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;

use self::names::Names;
use crate::output::{BOLD, DIM, styled, wrap};
use crate::phrase;

pub(super) use words::action;

/// The table in so many columns.
pub(super) fn table(
    info: &GameInfo,
    view: &pb::View,
    catalogue: &pb::Catalogue,
    width: usize,
) -> String {
    let names = Names::new(catalogue);
    let mut parts = vec![calendar(view, width), enemies(info, view, &names, width)];
    parts.extend(
        view.battle
            .as_ref()
            .map(|battle| self::battle(info, battle, &names, width)),
    );
    if view.players.iter().any(|player| !player.dice.is_empty()) {
        parts.push(court::court(info, view, &names, width));
    }
    parts.push(provinces::provinces(view, &names, width));
    parts.extend(turn_order(view).map(|player| self::player(info, view, player, width)));
    parts.join("\n")
}

/// The players as they act.
fn turn_order(view: &pb::View) -> impl Iterator<Item = &pb::PlayerView> {
    view.turn_order
        .iter()
        .filter_map(|seat| view.players.iter().find(|player| player.seat == *seat))
}

/// The eight phases, the one of now in bold.
fn calendar(view: &pb::View, width: usize) -> String {
    const PHASES: [(pb::Phase, &str); 8] = [
        (pb::Phase::KingsAid, "King's aid"),
        (pb::Phase::Spring, "spring"),
        (pb::Phase::KingsReward, "reward"),
        (pb::Phase::Summer, "summer"),
        (pb::Phase::KingsEnvoy, "envoy"),
        (pb::Phase::Autumn, "autumn"),
        (pb::Phase::Recruit, "recruit"),
        (pb::Phase::Winter, "winter"),
    ];
    let phase = |(phase, name): (pb::Phase, &str)| {
        if phase == view.phase() {
            styled(BOLD, format_args!("[{name}]"))
        } else {
            styled(DIM, name)
        }
    };
    let year = styled(BOLD, format_args!("Year {} of 5", view.year));
    let first = format!("{year}  ");
    let text = wrap(&PHASES.map(phase), "  ", &first, "  ", width);
    format!("{text}\n")
}

/// What is known of the enemy of each year.
fn enemies(info: &GameInfo, view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let enemy = |enemy: &pb::EnemyView| {
        let range = format!("{}-{}", enemy.least_strength, enemy.greatest_strength);
        let text = match enemy.card {
            Some(card) if enemy.revealed => names.enemy(card),
            Some(card) => format!("{} (seen by you)", names.enemy(card)),
            None => format!("strength {range}"),
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
    let mut text = wrap(&words, "  ", &first, "         ", width);
    if !view.peeked_by.is_empty() {
        let seen = view
            .peeked_by
            .iter()
            .map(|seat| phrase::player(info, *seat));
        let seen: Vec<_> = seen.collect();
        let first = "         seen by ";
        text = format!("{text}\n{}", wrap(&seen, ", ", first, "         ", width));
    }
    text + "\n"
}

/// The battle that is being resolved.
fn battle(info: &GameInfo, battle: &pb::BattleView, names: &Names<'_>, width: usize) -> String {
    let fighter = |fighter: &pb::FighterView| {
        let outcome = match fighter.outcome() {
            pb::Outcome::Victory => "victory",
            pb::Outcome::Standoff => "stand-off",
            pb::Outcome::Defeat => "defeat",
            pb::Outcome::Unspecified => "",
        };
        let name = phrase::player(info, fighter.seat);
        format!("{name} {} ({outcome})", fighter.strength)
    };
    let words: Vec<_> = battle.fighters.iter().map(fighter).collect();
    let enemy = names.enemy(battle.card);
    let king = battle.king_die;
    let first = format!("{}  {enemy}, King's die {king}: ", styled(BOLD, "Battle"));
    wrap(&words, ", ", &first, "        ", width) + "\n"
}

/// One player: points, goods, what he holds, and his dice.
fn player(info: &GameInfo, view: &pb::View, player: &pb::PlayerView, width: usize) -> String {
    let acts = view.question.is_some_and(|asked| asked.seat == player.seat);
    let mark = if acts { ">" } else { " " };
    let name = styled(BOLD, phrase::player(info, player.seat));
    let color = phrase::words(&names::color(player.color()).to_lowercase());
    let first = format!("{mark} {} {name} ({color})  ", player.seat);
    let mut lines = vec![wrap(&holdings(view, player), "  ", &first, "    ", width)];
    if !player.dice.is_empty() {
        lines.push(wrap(&dice(player), "  ", "    dice  ", "          ", width));
    }
    lines.join("\n")
}

fn holdings(view: &pb::View, player: &pb::PlayerView) -> Vec<String> {
    let part = |name: &str, value: u32| format!("{} {value}", styled(DIM, name));
    let goods = player.goods.unwrap_or_default();
    let mut parts = vec![
        styled(BOLD, format_args!("{} VP", player.vp)),
        part("gold", goods.gold),
        part("wood", goods.wood),
        part("stone", goods.stone),
    ];
    if player.plus2 > 0 {
        parts.push(part("+2 tokens", player.plus2));
    }
    if player.soldiers > 0 {
        parts.push(part("soldiers", player.soldiers));
    }
    if player.aid_die {
        parts.push(String::from("King's white die"));
    }
    if view
        .envoy
        .is_some_and(|envoy| envoy.holder == Some(player.seat))
    {
        parts.push(String::from("King's Envoy"));
    }
    if player.build_actions_left > 1 {
        parts.push(format!("{} buildings to build", player.build_actions_left));
    }
    parts
}

/// The dice in the pool first; then what lies elsewhere.
fn dice(player: &pb::PlayerView) -> Vec<String> {
    let mut dice: Vec<&pb::DieView> = player.dice.iter().collect();
    dice.sort_by_key(|die| (die.place, die.die));
    let die = |die: &&pb::DieView| {
        let face = face(die);
        match die.place() {
            pb::DiePlace::Pool => styled(BOLD, face),
            pb::DiePlace::Court => {
                let advisor = die.advisor.unwrap_or_default();
                styled(DIM, format_args!("{face} on {advisor}"))
            }
            pb::DiePlace::SetAside => styled(DIM, format_args!("{face} set aside")),
            pb::DiePlace::Unspecified => face,
        }
    };
    dice.iter().map(die).collect()
}

/// The face of a die; `w4` for a white die.
fn face(die: &pb::DieView) -> String {
    let white = if die.white { "w" } else { "" };
    format!("{white}{}", die.value)
}

#[cfg(test)]
mod tests;
